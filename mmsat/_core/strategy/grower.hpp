// Construction of the complete strategy tree of a heuristic, node by node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "strategy/chooser.hpp"

namespace mmsat::strategy {

// Resumable construction. It keeps a reference to the chooser, which the bindings keep alive. Not
// thread-safe: the bindings release the GIL in advance(), so during it neither this object nor the
// chooser may be used in another thread.
class Grower {
public:
    struct Node {
        // A guess of the tree.
        Code guess;
        std::int32_t parent;   // index of the parent, or -1 for the root
        std::uint16_t answer;  // answer to the guess of the parent
        std::uint32_t wins;    // number of codes for which the game ends here
    };

    // The chooser must outlive the grower. The first guesses are those of `opening`, one per turn,
    // unless consistent_only is set and they are not possible.
    Grower(Chooser& chooser, Heuristic heuristic, std::vector<Code> opening, bool consistent_only);

    // Continue for about `work` comparisons of a guess with a code. Returns true once the tree is
    // complete.
    bool advance(std::uint64_t work);

    // Number of codes for which the tree is complete.
    std::size_t done() const { return done_; }
    // The nodes so far, parents before children.
    const std::vector<Node>& nodes() const { return nodes_; }

private:
    struct Task {
        std::vector<std::uint32_t> codes;
        std::int32_t parent;
        std::uint16_t answer;
    };

    Code guess(const Task& task, const std::vector<Code>& history);

    Chooser& chooser_;
    Heuristic heuristic_;
    std::vector<Code> opening_;
    bool consistent_only_;
    std::vector<Task> tasks_;
    std::vector<Node> nodes_;
    std::size_t done_ = 0;
};

}  // namespace mmsat::strategy
