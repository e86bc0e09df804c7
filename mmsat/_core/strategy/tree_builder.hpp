// Construction of the complete strategy tree of a heuristic, node by node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "strategy/chooser.hpp"

namespace mmsat::strategy {

// Resumable construction. The bindings keep the chooser alive. Not thread-safe: the bindings
// release the GIL in advance(), so during it neither this object nor the chooser may be used in
// another thread.
class TreeBuilder {
public:
    // A guess of the tree.
    struct Node {
        Code guess;
        std::int32_t parent;   // index of the parent, or -1 for the root
        std::uint16_t answer;  // answer to the parent's guess
        std::uint32_t wins;    // number of codes for which the game ends here
    };

    // The chooser must outlive the builder. The first guesses are those of `opening`, one per turn.
    // If `consistent_only` is set, a guess of `opening` that is not a possible code is replaced by
    // a guess of the heuristic.
    TreeBuilder(Chooser& chooser, Heuristic heuristic, std::vector<Code> opening,
                bool consistent_only);

    // Continue for about `work` comparisons of a guess with a code. Returns true once the tree is
    // complete.
    bool advance(std::uint64_t work);

    // Return the number of codes for which the game ends at one of the nodes so far.
    std::size_t num_finished() const { return num_finished_; }
    // Return the nodes so far, parents before children.
    const std::vector<Node>& nodes() const { return nodes_; }

private:
    // A set of codes for which the next guess is to be chosen.
    struct Task {
        std::vector<std::uint32_t> codes;
        std::int32_t parent;
        std::uint16_t answer;
    };

    Code next_guess(const Task& task, const std::vector<Code>& history);

    Chooser& chooser_;
    Heuristic heuristic_;
    std::vector<Code> opening_;
    bool consistent_only_;
    std::vector<Task> tasks_;
    std::vector<Node> nodes_;
    std::size_t num_finished_ = 0;
};

}  // namespace mmsat::strategy
