// The possible color counts of codes, peg by peg, as a layered automaton.
//
// A node of layer p represents color counts of the first p pegs, as far as they matter for the
// remaining pegs. Nodes from which some count constraint cannot be satisfied are removed, and nodes
// with the same continuations are merged. Without count constraints each layer has a single node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "counting/layout.hpp"
#include "counting/packed.hpp"

namespace mmsat::counting {

// advance() builds the automaton layer by layer: forward from the first peg, then backward to merge
// nodes. `layout` and `budget` must outlive the object. Not thread-safe.
class Histograms {
public:
    static constexpr int kWords = 4;
    // If a search of at most kMaxSearchSteps steps finds all final counts, and there are at most
    // kMaxFinalCounts of them, they prune the forward pass.
    static constexpr std::size_t kMaxFinalCounts = 64, kMaxSearchSteps = 1000000;
    using Counters = Packed<kWords>;

    struct Layer {
        std::size_t num_nodes = 0;
        std::vector<std::int32_t> child;  // [node * labels + label]: node of the next layer, or -1
        // [node * num_once_labels_ + once index of a label]: number of unused colors of the label.
        std::vector<std::uint32_t> num_unused;
    };

    Histograms(const Layout& layout, Budget& budget);

    // Build one more layer. Returns false once all layers are built. Throws bad_alloc if the budget
    // is exceeded.
    bool advance();

    const Layout& layout() const { return layout_; }
    const Layer& layer(std::size_t peg) const { return layers_[peg]; }
    std::int32_t child(std::size_t peg, std::size_t node, std::size_t label) const {
        return layers_[peg].child[node * layout_.labels + label];
    }
    // Return the number of colors of the label that the peg may have at this node.
    std::uint32_t colors(std::size_t peg, std::size_t node, std::size_t label) const {
        const std::int32_t once_index = once_index_[label];
        return once_index < 0 ? layout_.sizes[label]
                              : layers_[peg].num_unused[node * num_once_labels_ + once_index];
    }
    // Return, per node of the last layer and constraint, the amount that the counts add to the sum.
    // It is 0 if the constraint is not mixed.
    const std::vector<std::vector<std::int32_t>>& ends() const { return ends_; }
    // Return whether the constraint involves both counts and pegs.
    bool is_mixed(std::size_t constraint) const { return is_mixed_[constraint] != 0; }
    bool is_impossible() const { return layers_[0].num_nodes == 0; }
    std::size_t num_nodes() const;  // of all layers built so far

private:
    // A layer before nodes with the same continuations are merged. `child` and `num_unused` as in
    // Layer. Once they are filled, `counts` and `sums` are empty.
    struct RawLayer {
        std::vector<Counters> counts;
        std::vector<Counters> sums;
        std::vector<std::int32_t> child;
        std::vector<std::uint32_t> num_unused;
        std::size_t num_nodes = 0;
    };

    // State of the search for the final counts: a count for each label with steps, and bounds on
    // the sums.
    struct Search {
        std::vector<std::size_t> labels;  // the labels with steps
        // [index of the next label][remaining pegs]: bounds on the sums.
        std::vector<std::vector<Counters>> low, high;
        std::size_t num_steps = 0;
        Counters counts;
    };

    // Assign fields to counts and sums.
    void assign_fields();
    // Find all final counts, if there are few.
    void find_final_counts();
    // Recursion of find_final_counts() over the labels. `is_full` states that the remaining pegs
    // need not have labels with steps. Returns whether the search was completed within its limits.
    bool find_final_counts(Search& search, std::size_t next, std::size_t remaining_pegs,
                           const Counters& sums, bool is_full);
    // Return whether some final counts are at least these counts.
    bool can_end(const Counters& counts);
    // Set low_ and high_ for the sums after this number of pegs.
    void set_bounds(std::size_t num_pegs);
    // Build the next layer in the forward pass.
    void forward();
    // Start the backward pass at the last layer.
    void start_backward();
    // Merge the nodes of the previous layer.
    void backward();
    std::size_t num_bytes(const RawLayer& raw) const;

    const Layout& layout_;
    Budget& budget_;
    std::vector<RawLayer> raw_layers_;
    std::vector<Layer> layers_;
    // Per raw node of the layer that was merged last: the merged node, or -1 if none.
    std::vector<std::int32_t> merged_nodes_;
    std::vector<std::vector<std::int32_t>> ends_;
    std::size_t peg_ = 0;
    bool is_backward_ = false;  // whether the backward pass has started
    bool is_done_ = false;

    std::vector<std::int32_t> once_index_;  // per label: index among the labels with once, or -1
    std::size_t num_once_labels_ = 0;
    // Per label: largest count that is distinguished; larger counts are equivalent to it.
    std::vector<std::uint32_t> max_count_;
    std::vector<Field> count_field_;        // per label
    std::vector<std::uint8_t> has_counts_;  // per constraint: whether it involves counts
    std::vector<std::uint8_t> is_mixed_;    // per constraint: whether it involves counts and pegs
    std::vector<Field> sum_field_;          // per constraint
    // Per constraint: amount that is added to its sum, so that no sum is negative.
    std::vector<std::int32_t> bias_;
    // Per constraint: largest increase and decrease of the sum by one peg.
    std::vector<std::int32_t> max_increase_, max_decrease_;
    // [label][count]: positive amounts, and absolute values of negative amounts, for reaching the
    // count.
    std::vector<std::vector<Counters>> gain_, loss_;
    Counters guards_, low_, high_;  // guard bits and bounds for the sums of a layer
    // All possible final counts, if there are few. Counts that were used recently are first.
    std::vector<Counters> final_counts_;
    bool has_final_counts_ = false;
    Counters count_guards_;
};

}  // namespace mmsat::counting
