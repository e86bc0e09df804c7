// The possible color counts of codes, peg by peg, as a layered automaton.
//
// A node of layer p represents the counts that p pegs can have, as far as they matter for the
// remaining pegs. Nodes from which some count constraint cannot be satisfied are removed, and nodes
// with the same future are merged. Without count constraints each layer is a single node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "counting/layout.hpp"
#include "counting/packed.hpp"

namespace mmsat::counting {

// Built layer by layer by advance(): forward from the first peg, then backward to merge nodes. It
// keeps references to `layout` and `budget`, which must outlive it.
class Histograms {
public:
    static constexpr int kWords = 4;
    // If at most kFew final counts are found within kSteps search steps, they prune the forward
    // pass.
    static constexpr std::size_t kFew = 64, kSteps = 1000000;
    using Counters = Packed<kWords>;

    struct Layer {
        std::size_t nodes = 0;
        std::vector<std::int32_t> child;  // [node * labels + label]: node of the next layer, or -1
        // [node * once labels + index]: number of its unused colors.
        std::vector<std::uint32_t> left;
    };

    Histograms(const Layout& layout, Budget& budget);

    // Build one more layer; return false once all are built. Throws bad_alloc if the budget is
    // exceeded.
    bool advance();

    const Layout& layout() const { return layout_; }
    const Layer& layer(std::size_t peg) const { return layers_[peg]; }
    std::int32_t child(std::size_t peg, std::size_t node, std::size_t label) const {
        return layers_[peg].child[node * layout_.labels + label];
    }
    // Number of colors of the label that the peg may have at this node.
    std::uint32_t colors(std::size_t peg, std::size_t node, std::size_t label) const {
        const std::int32_t which = once_index_[label];
        return which < 0 ? layout_.sizes[label] : layers_[peg].left[node * once_ + which];
    }
    // Amounts that the counts add to the sum of each mixed constraint, per node of the last layer.
    const std::vector<std::vector<std::int32_t>>& ends() const { return ends_; }
    // Whether the constraint involves both counts and pegs.
    bool is_mixed(std::size_t constraint) const { return mixed_[constraint] != 0; }
    bool is_impossible() const { return layers_[0].nodes == 0; }
    std::size_t nodes() const;  // of all layers built so far

private:
    struct Raw {  // a layer before nodes with the same future are merged
        std::vector<Counters> counts;
        std::vector<Counters> sums;
        std::vector<std::int32_t> child;
        std::vector<std::uint32_t> left;
        std::size_t nodes = 0;
    };

    // State of the search for the final counts: a count for each label with steps, and bounds on
    // the sums.
    struct Search {
        std::vector<std::size_t> labels;
        // [next label][remaining pegs]: bounds on the sums.
        std::vector<std::vector<Counters>> low, high;
        std::size_t steps = 0;
        Counters counts;
    };

    // Assign fields to counts and sums.
    void lay_out();
    // Find all final counts, if there are few.
    void find_last();
    bool find_last(Search& search, std::size_t next, std::size_t pegs, const Counters& sums,
                   bool is_full);
    // Whether the counts are at most those of some final counts.
    bool can_end(const Counters& counts);
    // Set low_ and high_ for the sums after `peg` pegs.
    void bound(std::size_t peg);
    // Build the next layer in the forward pass.
    void forward();
    // Start the backward pass at the last layer.
    void end();
    // Merge the nodes of the previous layer.
    void backward();
    std::size_t size(const Raw& raw) const;

    const Layout& layout_;
    Budget& budget_;
    std::vector<Raw> raw_;
    std::vector<Layer> layers_;
    // Per raw node of the layer merged last: its node, or -1 if it is dead.
    std::vector<std::int32_t> map_;
    std::vector<std::vector<std::int32_t>> ends_;
    std::size_t peg_ = 0;
    bool is_back_ = false;
    bool done_ = false;

    std::vector<std::int32_t> once_index_;  // per label: index among the labels with once, or -1
    std::size_t once_ = 0;
    // Per label: larger counts are equivalent; 0 if the count does not matter.
    std::vector<std::uint32_t> cap_;
    std::vector<Field> count_field_;     // per label
    std::vector<std::uint8_t> counted_;  // per constraint: whether it involves counts
    std::vector<std::uint8_t> mixed_;    // per constraint: whether it involves counts and pegs
    std::vector<Field> sum_field_;       // per constraint
    // Per constraint: added to its sum, so that no sum is negative.
    std::vector<std::int32_t> bias_;
    std::vector<std::int32_t> up_,
        down_;  // per constraint: largest increase and decrease by one peg
    // [label][count]: amounts for reaching the count.
    std::vector<std::vector<Counters>> gain_, loss_;
    Counters guards_, low_, high_;  // guard bits and bounds for the sums of a layer
    // Possible final counts, if there are few; those used recently come first.
    std::vector<Counters> last_;
    bool is_last_known_ = false;
    Counters count_guards_;
};

}  // namespace mmsat::counting
