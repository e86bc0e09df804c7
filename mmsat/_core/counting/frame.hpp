// Packed sums at each node: the amounts that labels add, and the bounds between which a sum can
// still lead to a code.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "counting/histograms.hpp"
#include "counting/sums.hpp"

namespace mmsat::counting {

// Callback that receives a layer, a node of it, a constraint, and the lower and upper bound of the
// constraint's sum there.
using SetWindow =
    std::function<void(std::size_t, std::size_t, std::size_t, std::int64_t, std::int64_t)>;

// Compute, for each layer but the first, the bounds between which the sums must be so that the
// remaining pegs can satisfy the constraints.
void look_ahead(const Histograms& histograms, const Sums& sums, const SetWindow& set);

// Compute, for each layer but the first, the bounds of the sums that the pegs before can produce.
void look_back(const Histograms& histograms, const Sums& sums, const SetWindow& set);

// `histograms` and `sums` must outlive the frame, which keeps references to them.
template <int K>
class Frame {
public:
    using Key = Packed<K>;

    // One step: placing one peg.
    struct Peg {
        std::vector<std::int32_t> kind;  // per label: index of its shift
        std::vector<Key> shift;          // amounts added to the sums, one entry per distinct vector
        Key guards;                      // guard bits of the open sums
        Key ending;                      // final values of the exact sums that end here
        Key erased;                      // field masks of the other sums that end here
        bool erases = false;
    };
    // Inclusive bounds of all sums.
    struct Window {
        Key low, high;
    };

    Frame(const Histograms& histograms, const Sums& sums, Budget& budget)
        : histograms_(histograms), sums_(sums), pegs_(histograms.layout().pegs) {
        std::size_t widest = 0;
        for (std::size_t peg = 0; peg <= pegs_; ++peg)
            widest = std::max(widest, histograms.layer(peg).nodes);
        const std::size_t scratch = 4 * widest * sums.constraints().size() * sizeof(std::int64_t);
        budget.take(histograms.nodes() * sizeof(Window) * (sums.are_exact() ? 2 : 1) + scratch);
        label();
        open(ahead_, look_ahead);
        if (sums.are_exact()) open(back_, look_back);
        budget.give_back(scratch);
    }

    const Peg& peg(std::size_t peg) const { return steps_[peg]; }

    // Bounds of the sums on arrival at a node, before the sums that end there are removed.
    const Window& ahead(std::size_t layer, std::size_t node) const { return ahead_[layer][node]; }

    // Bounds of the sums that the pegs before can produce at a node. Only if all constraints are
    // exact.
    const Window& back(std::size_t layer, std::size_t node) const { return back_[layer][node]; }

    // The only sums with which a node of the last layer is a code. Only if all constraints are
    // exact.
    Key end(std::size_t node) const {
        Key key;
        for (std::size_t index = 0; index < sums_.constraints().size(); ++index) {
            const Sums::Constraint& constraint = sums_.constraints()[index];
            if (!constraint.is_kept || !constraint.is_mixed) continue;
            const std::int64_t rest = constraint.low - histograms_.ends()[node][index];
            if (rest >= 0 && rest <= static_cast<std::int64_t>(constraint.field.max_value()))
                key.set(constraint.field, static_cast<Word>(rest));
        }
        return key;
    }

private:
    void label() {
        const std::size_t labels = histograms_.layout().labels;
        steps_.resize(pegs_);
        for (std::size_t peg = 0; peg < pegs_; ++peg) {
            Peg& step = steps_[peg];
            step.kind.assign(labels, -1);
            for (std::size_t label = 0; label < labels; ++label) {
                if (!histograms_.layout().allows(peg, label)) continue;
                Key shift;
                for (const auto& [constraint, amount] : sums_.worths(peg, label))
                    if (sums_.constraints()[constraint].is_kept)
                        shift.set(sums_.constraints()[constraint].field, static_cast<Word>(amount));
                const auto known = std::find(step.shift.begin(), step.shift.end(), shift);
                step.kind[label] = static_cast<std::int32_t>(known - step.shift.begin());
                if (known == step.shift.end()) step.shift.push_back(shift);
            }
            for (std::size_t index : sums_.open(peg)) {
                const Sums::Constraint& constraint = sums_.constraints()[index];
                step.guards.guard(constraint.field);
                if (constraint.last != peg || constraint.is_mixed) continue;
                if (constraint.is_exact()) {
                    step.ending.set(constraint.field, static_cast<Word>(constraint.low));
                } else {
                    step.erased.set(constraint.field, constraint.field.max_value());
                    step.erases = true;
                }
            }
        }
    }

    // Fill the windows of all nodes with the bounds that `look` computes.
    template <class Look>
    void open(std::vector<std::vector<Window>>& windows, const Look& look) {
        windows.resize(pegs_ + 1);
        for (std::size_t peg = 0; peg <= pegs_; ++peg)
            windows[peg].resize(histograms_.layer(peg).nodes);
        look(histograms_, sums_,
             [&](std::size_t layer, std::size_t node, std::size_t constraint, std::int64_t low,
                 std::int64_t high) {
                 set(windows[layer][node], sums_.constraints()[constraint], low, high);
             });
    }

    static void set(Window& window, const Sums::Constraint& constraint, std::int64_t low,
                    std::int64_t high) {
        const auto largest = static_cast<std::int64_t>(constraint.field.max_value());
        low = std::max<std::int64_t>(low, 0);
        high = std::min(high, largest);
        if (low > high) low = 1, high = 0;
        window.low.set(constraint.field, static_cast<Word>(low));
        window.high.set(constraint.field, static_cast<Word>(high));
    }

    const Histograms& histograms_;
    const Sums& sums_;
    std::size_t pegs_;
    std::vector<Peg> steps_;
    std::vector<std::vector<Window>> ahead_, back_;
};

}  // namespace mmsat::counting
