// The frame of a count: for each peg, the packed amounts that its label adds to the open sums
// (sums.hpp), and for each node of the histograms (histograms.hpp), a window: the bounds within
// which the sums must be, because other sums do not lead to a code.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "counting/histograms.hpp"
#include "counting/sums.hpp"

namespace mmsat::counting {

// Callback for the bounds of a sum at a node. Its arguments are the layer, the node, the
// constraint, and the lower and upper bound of the constraint's sum.
using SetWindow =
    std::function<void(std::size_t, std::size_t, std::size_t, std::int64_t, std::int64_t)>;

// Compute, for each node of each layer except the first, the bounds within which the remaining pegs
// can still satisfy the constraints.
void look_ahead(const Histograms& histograms, const Sums& sums, const SetWindow& set);

// Compute, for each node of each layer except the first, the bounds of the sums that the earlier
// pegs can produce.
void look_back(const Histograms& histograms, const Sums& sums, const SetWindow& set);

// The steps of all pegs, and the windows of all nodes. `histograms` and `sums` must outlive the
// object. Immutable after construction.
template <int K>
class Frame {
public:
    using Key = Packed<K>;

    // The step of one peg: the label of the peg adds a shift to the key, and then the sums that end
    // at this peg are removed.
    struct PegStep {
        std::vector<std::int32_t> shift_indices;  // per label: index in `shifts`, or -1
        std::vector<Key> shifts;                  // the distinct packed amounts of the labels
        Key guards;                               // guard bits of the open sums
        Key ending;           // final values of the exact sums that end at this peg
        Key erased;           // field masks of the other sums that end at this peg
        bool erases = false;  // whether `erased` is not empty
    };
    // Inclusive bounds of all sums.
    struct Window {
        Key low, high;
    };

    Frame(const Histograms& histograms, const Sums& sums, Budget& budget)
        : histograms_(histograms), sums_(sums), pegs_(histograms.layout().pegs) {
        std::size_t max_nodes = 0;
        for (std::size_t peg = 0; peg <= pegs_; ++peg)
            max_nodes = std::max(max_nodes, histograms.layer(peg).num_nodes);
        const std::size_t scratch_bytes =  // of the four arrays of look_ahead() and look_back()
            4 * max_nodes * sums.constraints().size() * sizeof(std::int64_t);
        budget.take(histograms.num_nodes() * sizeof(Window) * (sums.are_exact() ? 2 : 1) +
                    scratch_bytes);
        make_steps();
        make_windows(ahead_, look_ahead);
        if (sums.are_exact()) make_windows(back_, look_back);
        budget.give_back(scratch_bytes);
    }

    const PegStep& peg(std::size_t peg) const { return steps_[peg]; }

    // Return the bounds within which the remaining pegs can satisfy the constraints. They apply
    // before the sums that end at the previous peg are removed.
    const Window& ahead(std::size_t layer, std::size_t node) const { return ahead_[layer][node]; }

    // Return the bounds of the sums that the earlier pegs can produce at a node. Requires that all
    // constraints are exact.
    const Window& back(std::size_t layer, std::size_t node) const { return back_[layer][node]; }

    // Return the key with which a node of the last layer is a code. Requires that all constraints
    // are exact. Only mixed constraints are open at the end: their steps add the rest of the sum.
    Key final_sums(std::size_t node) const {
        Key key;
        for (std::size_t index = 0; index < sums_.constraints().size(); ++index) {
            const Sums::Constraint& constraint = sums_.constraints()[index];
            if (!constraint.is_stored || !constraint.is_mixed) continue;
            const std::int64_t sum = constraint.low - histograms_.final_amounts()[node][index];
            if (sum >= 0 && sum <= static_cast<std::int64_t>(constraint.field.max_value()))
                key.set(constraint.field, static_cast<Word>(sum));
        }
        return key;
    }

private:
    // Labels with the same amounts share one shift, so that Moves::add() can combine transitions.
    void make_steps() {
        const std::size_t num_labels = histograms_.layout().labels;
        steps_.resize(pegs_);
        for (std::size_t peg = 0; peg < pegs_; ++peg) {
            PegStep& step = steps_[peg];
            step.shift_indices.assign(num_labels, -1);
            for (std::size_t label = 0; label < num_labels; ++label) {
                if (!histograms_.layout().allows(peg, label)) continue;
                Key shift;
                for (const auto& [constraint, amount] : sums_.contributions(peg, label))
                    if (sums_.constraints()[constraint].is_stored)
                        shift.set(sums_.constraints()[constraint].field, static_cast<Word>(amount));
                const auto entry = std::find(step.shifts.begin(), step.shifts.end(), shift);
                step.shift_indices[label] = static_cast<std::int32_t>(entry - step.shifts.begin());
                if (entry == step.shifts.end()) step.shifts.push_back(shift);
            }
            for (std::size_t index : sums_.open(peg)) {
                const Sums::Constraint& constraint = sums_.constraints()[index];
                step.guards.guard(constraint.field);
                if (constraint.last_peg != peg || constraint.is_mixed) continue;
                // The sum ends here, and its field is set to 0. If only one value is allowed, it is
                // subtracted, which keeps the order of the keys. Otherwise the bits are erased.
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
    void make_windows(std::vector<std::vector<Window>>& windows, const Look& look) {
        windows.resize(pegs_ + 1);
        for (std::size_t peg = 0; peg <= pegs_; ++peg)
            windows[peg].resize(histograms_.layer(peg).num_nodes);
        look(histograms_, sums_,
             [&](std::size_t layer, std::size_t node, std::size_t constraint, std::int64_t low,
                 std::int64_t high) {
                 set_window(windows[layer][node], sums_.constraints()[constraint], low, high);
             });
    }

    static void set_window(Window& window, const Sums::Constraint& constraint, std::int64_t low,
                           std::int64_t high) {
        const auto max_value = static_cast<std::int64_t>(constraint.field.max_value());
        low = std::max<std::int64_t>(low, 0);
        high = std::min(high, max_value);
        if (low > high) low = 1, high = 0;  // an empty window
        window.low.set(constraint.field, static_cast<Word>(low));
        window.high.set(constraint.field, static_cast<Word>(high));
    }

    const Histograms& histograms_;
    const Sums& sums_;
    std::size_t pegs_;
    std::vector<PegStep> steps_;
    std::vector<std::vector<Window>> ahead_, back_;
};

}  // namespace mmsat::counting
