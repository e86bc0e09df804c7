// The color counts that codes can have, peg by peg: a layered automaton.
//
// A node of layer p stands for the counts that p pegs can have, as far as they matter for what is
// to come. Nodes from which no count constraint can be met are gone, and nodes with the same future
// are one. Where no constraint asks for counts, each layer is a single node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "counting/layout.hpp"
#include "counting/packed.hpp"

namespace mmsat::counting {

class Histograms {
public:
    static constexpr int kWords = 4;
    // Counts that codes end with are few up to so many, and looked for in so many steps.
    static constexpr std::size_t kFew = 64, kSteps = 1000000;
    using Counters = Packed<kWords>;

    struct Layer {
        std::size_t nodes = 0;
        std::vector<std::int32_t> child;  // [node * labels + label], -1 for none
        std::vector<std::uint32_t> left;  // [node * once labels + which]: its colors not used yet
    };

    Histograms(const Layout& layout, Budget& budget);

    // Builds one layer more; false once all is done. Throws bad_alloc when the budget is spent.
    bool advance();

    const Layout& layout() const { return layout_; }
    const Layer& layer(std::size_t peg) const { return layers_[peg]; }
    std::int32_t child(std::size_t peg, std::size_t node, std::size_t label) const {
        return layers_[peg].child[node * layout_.labels + label];
    }
    // The colors of the label that the next peg may have at this node.
    std::uint32_t colors(std::size_t peg, std::size_t node, std::size_t label) const {
        const std::int32_t which = once_index_[label];
        return which < 0 ? layout_.sizes[label] : layers_[peg].left[node * once_ + which];
    }
    // What counts add to each constraint's sum, by node of the last layer.
    const std::vector<std::vector<std::int32_t>>& ends() const { return ends_; }
    bool is_mixed(std::size_t constraint) const { return mixed_[constraint] != 0; }
    bool is_impossible() const { return layers_[0].nodes == 0; }
    std::size_t nodes() const;  // of all layers, so far

private:
    struct Raw {  // a layer before nodes with the same future are one
        std::vector<Counters> counts;
        std::vector<Counters> sums;
        std::vector<std::int32_t> child;
        std::vector<std::uint32_t> left;
        std::size_t nodes = 0;
    };

    // A count of each label that steps tell of, and how far the constraints' sums still are from
    // their bounds, label by label.
    struct Search {
        std::vector<std::size_t> labels;
        std::vector<std::vector<Counters>> low, high;  // [labels left][pegs left]
        std::size_t steps = 0;
        Counters counts;
    };

    void lay_out();
    void find_last();
    bool find_last(Search& search, std::size_t next, std::size_t pegs, const Counters& sums,
                   bool is_full);
    bool can_end(const Counters& counts);
    void bound(std::size_t peg);
    void forward();
    void end();
    void backward();
    std::size_t size(const Raw& raw) const;

    const Layout& layout_;
    Budget& budget_;
    std::vector<Raw> raw_;
    std::vector<Layer> layers_;
    std::vector<std::int32_t> map_;  // raw nodes of the layer last merged to nodes, -1 for dead
    std::vector<std::vector<std::int32_t>> ends_;
    std::size_t peg_ = 0;
    bool is_back_ = false;
    bool done_ = false;

    std::vector<std::int32_t> once_index_;  // of each label, -1 if its colors may repeat
    std::size_t once_ = 0;
    std::vector<std::uint32_t> cap_;  // of each label: higher counts are all the same, 0: all are
    std::vector<Field> count_field_;  // of each label
    std::vector<std::uint8_t> counted_;  // constraints that ask for counts
    std::vector<std::uint8_t> mixed_;    // of these, those that ask for places too
    std::vector<Field> sum_field_;       // of each constraint
    std::vector<std::int32_t> bias_;     // so that no sum is negative
    std::vector<std::int32_t> up_,
        down_;  // of each constraint: the most that one peg adds or takes
    std::vector<std::vector<Counters>> gain_, loss_;  // [label][count]: what reaching it is worth
    Counters guards_, low_, high_;                    // for the sums of a layer
    std::vector<Counters> last_;  // the counts that codes end with, if few, lately used first
    bool is_last_known_ = false;
    Counters count_guards_;
};

}  // namespace mmsat::counting
