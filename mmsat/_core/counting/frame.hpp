// Where the sums stand at each node: what labels add, and the bounds outside of which no sum is
// worth keeping.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "histograms.hpp"
#include "sums.hpp"

namespace mmsat {

template <int K>
class Frame {
public:
    using Key = Packed<K>;

    struct Peg {
        std::vector<std::int32_t> kind;  // of each label: labels of a kind add the same
        std::vector<Key> shift;          // of each kind
        Key guards;                      // of the sums that are open
        Key ending;                      // the sums that end here, which are known, ...
        Key erased;                      // ... and the fields of those that were only bounded
        bool erases = false;
    };
    struct Window {
        Key low, high;
    };

    Frame(const Histograms& histograms, const Sums& sums, Budget& budget)
        : histograms_(histograms), sums_(sums), pegs_(histograms.layout().pegs) {
        std::size_t widest = 0;
        for (std::size_t peg = 0; peg <= pegs_; ++peg)
            widest = std::max(widest, histograms.layer(peg).nodes);
        const std::size_t scratch = 4 * widest * sums.claims().size() * sizeof(std::int64_t);
        budget.take(histograms.nodes() * sizeof(Window) * (sums.are_exact() ? 2 : 1) + scratch);
        label();
        look_ahead();
        if (sums.are_exact()) look_back();
        budget.give_back(scratch);
    }

    const Peg& peg(std::size_t peg) const { return steps_[peg]; }

    // What the sums of a node keep to when they come from the peg before, before those that end
    // there are taken off.
    const Window& ahead(std::size_t layer, std::size_t node) const { return ahead_[layer][node]; }

    // What the sums of a node can be, given the pegs before; only where all claims are exact.
    const Window& back(std::size_t layer, std::size_t node) const { return back_[layer][node]; }

    // The only sums that a node of the last layer has, where all claims are exact.
    Key end(std::size_t node) const {
        Key key;
        for (std::size_t index = 0; index < sums_.claims().size(); ++index) {
            const Sums::Claim& claim = sums_.claims()[index];
            if (!claim.is_kept || !claim.is_mixed) continue;
            const std::int64_t rest = claim.low - histograms_.ends()[node][index];
            if (rest >= 0 && rest <= static_cast<std::int64_t>(claim.field.most()))
                key.set(claim.field, static_cast<Word>(rest));
        }
        return key;
    }

private:
    using Bounds = std::vector<std::int64_t>;  // [node * claims + claim]

    void label() {
        const std::size_t labels = histograms_.layout().labels;
        steps_.resize(pegs_);
        for (std::size_t peg = 0; peg < pegs_; ++peg) {
            Peg& step = steps_[peg];
            step.kind.assign(labels, -1);
            for (std::size_t label = 0; label < labels; ++label) {
                if (!histograms_.layout().allows(peg, label)) continue;
                Key shift;
                for (const auto& [claim, amount] : sums_.worths(peg, label))
                    if (sums_.claims()[claim].is_kept)
                        shift.set(sums_.claims()[claim].field, static_cast<Word>(amount));
                const auto known = std::find(step.shift.begin(), step.shift.end(), shift);
                step.kind[label] = static_cast<std::int32_t>(known - step.shift.begin());
                if (known == step.shift.end()) step.shift.push_back(shift);
            }
            for (std::size_t index : sums_.open(peg)) {
                const Sums::Claim& claim = sums_.claims()[index];
                step.guards.guard(claim.field);
                if (claim.last != peg || claim.is_mixed) continue;
                if (claim.is_exact()) {
                    step.ending.set(claim.field, static_cast<Word>(claim.low));
                } else {
                    step.erased.set(claim.field, claim.field.most());
                    step.erases = true;
                }
            }
        }
    }

    // The least and the most that the pegs from here on add to each open sum, from the last peg
    // backwards, and with it the windows of the nodes.
    void look_ahead() {
        const std::size_t claims = sums_.claims().size();
        const std::size_t labels = histograms_.layout().labels;
        ahead_.resize(pegs_ + 1);
        const std::size_t ends = histograms_.layer(pegs_).nodes;
        Bounds least(ends * claims, 0), most(ends * claims, 0), new_least, new_most;
        for (std::size_t node = 0; node < ends; ++node)
            for (std::size_t claim = 0; claim < claims; ++claim)
                least[node * claims + claim] = most[node * claims + claim] =
                    histograms_.ends()[node][claim];
        for (std::size_t peg = pegs_; peg-- > 0;) {
            const std::vector<std::size_t>& open = sums_.open(peg);
            const std::size_t targets = histograms_.layer(peg + 1).nodes;
            ahead_[peg + 1].resize(targets);
            for (std::size_t node = 0; node < targets; ++node)
                for (std::size_t index : open)
                    set(ahead_[peg + 1][node], sums_.claims()[index],
                        sums_.claims()[index].low - most[node * claims + index],
                        sums_.claims()[index].high - least[node * claims + index]);
            const std::size_t nodes = histograms_.layer(peg).nodes;
            new_least.assign(nodes * claims, 0);
            new_most.assign(nodes * claims, 0);
            std::vector<std::int64_t> low(claims), high(claims), worth(claims, 0);
            for (std::size_t node = 0; node < nodes; ++node) {
                for (std::size_t index : open) low[index] = INT64_MAX, high[index] = INT64_MIN;
                for (std::size_t label = 0; label < labels; ++label) {
                    const std::int32_t child = histograms_.child(peg, node, label);
                    if (child < 0) continue;
                    const Sums::Worths& worths = sums_.worths(peg, label);
                    for (const auto& [index, amount] : worths) worth[index] = amount;
                    for (std::size_t index : open) {
                        low[index] =
                            std::min(low[index], least[child * claims + index] + worth[index]);
                        high[index] =
                            std::max(high[index], most[child * claims + index] + worth[index]);
                    }
                    for (const auto& each : worths) worth[each.first] = 0;
                }
                for (std::size_t index : open) {
                    new_least[node * claims + index] = low[index];
                    new_most[node * claims + index] = high[index];
                }
            }
            // Sums that start here are 0 before, whatever is to come.
            least.swap(new_least);
            most.swap(new_most);
            if (peg > 0)
                for (std::size_t index : open)
                    if (sums_.claims()[index].first == peg)
                        for (std::size_t node = 0; node < nodes; ++node)
                            least[node * claims + index] = most[node * claims + index] = 0;
        }
    }

    // The least and the most that the pegs before have added to each open sum.
    void look_back() {
        const std::size_t claims = sums_.claims().size();
        const std::size_t labels = histograms_.layout().labels;
        back_.resize(pegs_ + 1);
        Bounds least(claims, 0), most(claims, 0), new_least, new_most;
        back_[0].resize(histograms_.layer(0).nodes);
        std::vector<std::int64_t> worth(claims, 0);
        for (std::size_t peg = 0; peg < pegs_; ++peg) {
            const std::vector<std::size_t>& open = sums_.open(peg);
            const std::size_t nodes = histograms_.layer(peg).nodes;
            const std::size_t targets = histograms_.layer(peg + 1).nodes;
            new_least.assign(targets * claims, 0);
            new_most.assign(targets * claims, 0);
            for (std::size_t node = 0; node < targets; ++node)
                for (std::size_t index : open) {
                    new_least[node * claims + index] = INT64_MAX;
                    new_most[node * claims + index] = INT64_MIN;
                }
            for (std::size_t node = 0; node < nodes; ++node)
                for (std::size_t label = 0; label < labels; ++label) {
                    const std::int32_t child = histograms_.child(peg, node, label);
                    if (child < 0) continue;
                    const Sums::Worths& worths = sums_.worths(peg, label);
                    for (const auto& [index, amount] : worths) worth[index] = amount;
                    for (std::size_t index : open) {
                        auto& low = new_least[child * claims + index];
                        auto& high = new_most[child * claims + index];
                        low = std::min(low, least[node * claims + index] + worth[index]);
                        high = std::max(high, most[node * claims + index] + worth[index]);
                    }
                    for (const auto& each : worths) worth[each.first] = 0;
                }
            least.swap(new_least);
            most.swap(new_most);
            back_[peg + 1].resize(targets);
            for (std::size_t index : open) {
                const Sums::Claim& claim = sums_.claims()[index];
                const bool goes_on = claim.last > peg || claim.is_mixed;
                for (std::size_t node = 0; node < targets; ++node) {
                    if (!goes_on) least[node * claims + index] = most[node * claims + index] = 0;
                    if (goes_on)
                        set(back_[peg + 1][node], claim, least[node * claims + index],
                            most[node * claims + index]);
                }
            }
        }
    }

    static void set(Window& window, const Sums::Claim& claim, std::int64_t low, std::int64_t high) {
        const auto largest = static_cast<std::int64_t>(claim.field.most());
        low = std::max<std::int64_t>(low, 0);
        high = std::min(high, largest);
        if (low > high) low = 1, high = 0;
        window.low.set(claim.field, static_cast<Word>(low));
        window.high.set(claim.field, static_cast<Word>(high));
    }

    const Histograms& histograms_;
    const Sums& sums_;
    std::size_t pegs_;
    std::vector<Peg> steps_;
    std::vector<std::vector<Window>> ahead_, back_;
};

}  // namespace mmsat
