// Transitions of one peg between the nodes of two adjacent layers of the histograms
// (histograms.hpp), and the computation of the lists of sums (lists.hpp) of one layer from those of
// the other, in both directions. Labels that lead from one node to the same node with the same
// shift (frame.hpp) are combined to one transition.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "counting/frame.hpp"
#include "counting/histograms.hpp"
#include "counting/lists.hpp"

namespace mmsat::counting {

// A transition from a given node to `node`, or from `node` to a given node.
struct Move {
    std::size_t node;
    std::int32_t shift_index;  // index in PegStep::shifts of the shift that the transition adds
    Word num_colors;           // number of colors of all labels of the transition
};

// The transitions of one peg. `histograms` and `shift_indices` must outlive the object. The vectors
// returned by into() and out_of() are valid until the next call of either.
class Moves {
public:
    Moves(const Histograms& histograms, std::size_t peg,
          const std::vector<std::int32_t>& shift_indices)
        : histograms_(histograms), peg_(peg), shift_indices_(shift_indices) {}

    // Sort the transitions by target node. Must be called before into().
    void sort_by_target() {
        const std::size_t num_labels = shift_indices_.size();
        const std::vector<std::int32_t>& child = histograms_.layer(peg_).child;
        start_.assign(histograms_.layer(peg_ + 1).num_nodes + 1, 0);
        for (std::int32_t to : child)
            if (to >= 0) ++start_[to + 1];
        for (std::size_t node = 1; node < start_.size(); ++node) start_[node] += start_[node - 1];
        edges_.resize(start_.back());
        std::vector<std::size_t> next_edge(start_.begin(), start_.end() - 1);
        for (std::size_t edge = 0; edge < child.size(); ++edge)
            if (child[edge] >= 0) {
                const auto label = static_cast<std::uint32_t>(edge % num_labels);
                edges_[next_edge[child[edge]]++] = {static_cast<std::uint32_t>(edge / num_labels),
                                                    label};
            }
    }

    // Return the transitions that end in a node of the next layer.
    const std::vector<Move>& into(std::size_t node) {
        moves_.clear();
        std::size_t first = 0;  // index of the first transition from the same node
        for (std::size_t edge = start_[node]; edge < start_[node + 1]; ++edge) {
            if (!moves_.empty() && moves_.back().node != edges_[edge].node) first = moves_.size();
            add(first, edges_[edge].node, edges_[edge].node, edges_[edge].label);
        }
        return moves_;
    }

    // Return the transitions that start in a node of this layer.
    const std::vector<Move>& out_of(std::size_t node) {
        moves_.clear();
        for (std::size_t label = 0; label < shift_indices_.size(); ++label) {
            const std::int32_t to = histograms_.child(peg_, node, label);
            if (to >= 0) add(0, static_cast<std::size_t>(to), node, label);
        }
        return moves_;
    }

private:
    // A transition before labels are combined: the node where it starts, and its label.
    struct Edge {
        std::uint32_t node, label;
    };

    // Append a move to or from `other_node`, with the number of colors of a label at `node`. If
    // there is a move with the same node and shift at index `first` or later, increase its number
    // of colors instead.
    void add(std::size_t first, std::size_t other_node, std::size_t node, std::size_t label) {
        const Word num_colors = histograms_.colors(peg_, node, label);
        for (std::size_t move = first; move < moves_.size(); ++move)
            if (moves_[move].node == other_node &&
                moves_[move].shift_index == shift_indices_[label]) {
                moves_[move].num_colors += num_colors;
                return;
            }
        moves_.push_back({other_node, shift_indices_[label], num_colors});
    }

    const Histograms& histograms_;
    std::size_t peg_;
    const std::vector<std::int32_t>& shift_indices_;
    std::vector<std::size_t> start_;  // per target node: index of its first transition in edges_
    std::vector<Edge> edges_;
    std::vector<Move> moves_;
};

// Compute in `adder` the list of a node of layer `peg` + 1 from the lists of layer `peg`. Returns
// the work: the number of entries and lists read.
template <int K, int W>
std::size_t move_forward(const Frame<K>& frame, std::size_t peg, std::size_t node, Moves& moves,
                         const Lists<K, W>& before, Adder<K, W>& adder, Width<W> words) {
    const auto& step = frame.peg(peg);
    const auto& window = frame.ahead(peg + 1, node);
    std::size_t work = 0;
    adder.start();
    for (const Move& move : moves.into(node)) {
        const List<K>& list = before[move.node];
        const Packed<K> shift = step.shifts[move.shift_index];
        adder.reserve(list.size);
        for (std::size_t i = 0; i < list.size; ++i) {
            const Packed<K> key = list.keys[i] + shift;
            // Sums that end at this peg are compared with their bounds before they are removed.
            if (within(key, window.low, window.high, step.guards))
                adder.push((key - step.ending).without(step.erased), list.ways + i * words,
                           move.num_colors);
        }
        adder.end_list();
        work += list.size + 1;
    }
    if (step.erases)  // erasing fields does not keep the order of the keys
        adder.sort();
    else
        adder.merge();
    return work;
}

// Compute in `adder` the list of a node of layer `peg` from the lists of layer `peg` + 1. Requires
// that all constraints are exact, so that the final values of the sums that end at this peg are
// known. Returns the work.
template <int K, int W>
std::size_t move_back(const Frame<K>& frame, std::size_t peg, std::size_t node, Moves& moves,
                      const Lists<K, W>& after, Adder<K, W>& adder, Width<W> words) {
    const auto& step = frame.peg(peg);
    const auto& window = frame.back(peg, node);
    std::size_t work = 0;
    adder.start();
    for (const Move& move : moves.out_of(node)) {
        const List<K>& list = after[move.node];
        const Packed<K> shift = step.shifts[move.shift_index];
        adder.reserve(list.size);
        for (std::size_t i = 0; i < list.size; ++i) {
            Packed<K> key = list.keys[i] + step.ending;
            if (subtract(key, shift, step.guards) &&
                within(key, window.low, window.high, step.guards))
                adder.push(key, list.ways + i * words, move.num_colors);
        }
        adder.end_list();
        work += list.size + 1;
    }
    adder.merge();
    return work;
}

}  // namespace mmsat::counting
