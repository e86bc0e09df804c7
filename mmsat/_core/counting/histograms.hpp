// The possible counts of labels (layout.hpp), peg by peg, as a layered automaton.
//
// A node of layer p represents counts of the first p pegs, as far as they matter for the remaining
// pegs. Its children are nodes of layer p + 1, one for each label that the next peg may have. A
// count constraint is a constraint with steps; it is mixed if it also has amounts. Nodes from which
// an unmixed count constraint cannot be satisfied are removed. Nodes with the same continuations
// are merged. Without steps, and if no label has `once`, each layer has a single node.
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
    static constexpr int kWords = 4;  // number of words for all counts, and for all sums
    // Final counts are counts of all pegs with which the unmixed count constraints are satisfied.
    // If a search of at most kMaxSearchSteps steps finds all of them, and there are at most
    // kMaxFinalCounts, they prune the forward pass.
    static constexpr std::size_t kMaxFinalCounts = 64, kMaxSearchSteps = 1000000;
    using Counters = Packed<kWords>;

    struct Layer {
        std::size_t num_nodes = 0;
        std::vector<std::int32_t> child;  // [node * labels + label]: node of the next layer, or -1
        // [node * num_once_labels_ + once_index_[label]]: number of unused colors of the label, for
        // labels with `once`.
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
    // Return, per node of the last layer and constraint, the sum of the steps of the constraint. It
    // is 0 if the constraint is not mixed.
    const std::vector<std::vector<std::int32_t>>& final_amounts() const { return final_amounts_; }
    // Return whether the constraint has both steps and amounts.
    bool is_mixed(std::size_t constraint) const { return is_mixed_[constraint] != 0; }
    // Return whether no code satisfies the unmixed count constraints. Requires all layers.
    bool is_impossible() const { return layers_[0].num_nodes == 0; }
    std::size_t num_nodes() const;  // of all layers built so far

private:
    // A layer before nodes with the same continuations are merged. `child` and `num_unused` are as
    // in Layer. Once they are filled, `counts` and `sums` are no longer needed, and are emptied.
    struct RawLayer {
        std::vector<Counters> counts;  // per node
        std::vector<Counters> sums;    // per node: the sums of the steps, plus bias_
        std::vector<std::int32_t> child;
        std::vector<std::uint32_t> num_unused;
        std::size_t num_nodes = 0;
    };

    // State of the search for the final counts, which chooses a count for each label with steps.
    struct Search {
        std::vector<std::size_t> labels;  // the labels with steps
        // [index of the next label][remaining pegs]: bounds on the sums of the steps so far.
        std::vector<std::vector<Counters>> low, high;
        std::size_t num_steps = 0;
        Counters counts;  // the counts chosen so far
    };

    // Assign fields to counts and sums.
    void assign_fields();
    // Find all final counts, if there are few.
    void find_final_counts();
    // Choose the counts of search.labels from index `next` on. `remaining_pegs` pegs have no label
    // yet. `is_full` states that these pegs may have labels that no longer change the sums. Returns
    // whether the search was completed within its limits.
    bool find_final_counts(Search& search, std::size_t next, std::size_t remaining_pegs,
                           const Counters& sums, bool is_full);
    // Return whether some final counts are at least these counts, for every label.
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
    std::vector<std::vector<std::int32_t>> final_amounts_;
    std::size_t peg_ = 0;       // index of the layer that was built last
    bool is_backward_ = false;  // whether the backward pass has started
    bool is_done_ = false;

    std::vector<std::int32_t> once_index_;  // per label: index among the labels with `once`, or -1
    std::size_t num_once_labels_ = 0;
    // Per label: largest count that is distinguished; larger counts are equivalent to it.
    std::vector<std::uint32_t> max_count_;
    std::vector<Field> count_field_;        // per label
    std::vector<std::uint8_t> has_counts_;  // per constraint: whether it has steps
    std::vector<std::uint8_t> is_mixed_;    // per constraint: whether it has steps and amounts
    std::vector<Field> sum_field_;          // per constraint
    // Per constraint: amount that is added to its sum, so that no sum is negative.
    std::vector<std::int32_t> bias_;
    // Per constraint: largest increase and decrease of the sum by one peg.
    std::vector<std::int32_t> max_increase_, max_decrease_;
    // [label][count]: amounts that are added to the sums, and subtracted from them, when the count
    // of the label increases to `count`.
    std::vector<std::vector<Counters>> gain_, loss_;
    Counters guards_, low_, high_;  // guard bits and bounds for the sums of a layer
    // All final counts, if has_final_counts_. Those that can_end() found recently are first.
    std::vector<Counters> final_counts_;
    bool has_final_counts_ = false;
    Counters count_guards_;  // guard bits of the counts
};

}  // namespace mmsat::counting
