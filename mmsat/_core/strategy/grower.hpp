// Whole strategy trees of a heuristic, grown node by node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "strategy/chooser.hpp"

namespace mmsat::strategy {

class Grower {
public:
    struct Node {
        Code guess;
        std::int32_t parent;   // its number, -1 for the root
        std::uint16_t answer;  // what the parent's guess got
        std::uint32_t wins;    // codes for which the game ends here
    };

    // The chooser must outlive this. Guess number i is opening[i] while there are some.
    Grower(Chooser& chooser, Heuristic heuristic, std::vector<Code> opening, bool consistent_only);

    // Goes on for about so many comparisons of a guess and a code; returns whether all is done.
    bool advance(std::uint64_t work);

    // Codes whose last guess is known.
    std::size_t done() const { return done_; }
    // Parents before children.
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
