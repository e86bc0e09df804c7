// Counts the codes of a layout: lists grow from both ends until they meet.
//
// A list belongs to a node of the histograms. From the first peg it says in how many ways the pegs
// so far get each vector of sums; from the last, in how many ways the pegs to come lead from such
// sums to codes. Whichever side is smaller grows by a peg, so that the widest layers, which lie in
// the middle, are never written down. Sums that cannot be met any more are dropped at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "counting/layout.hpp"
#include "counting/packed.hpp"

namespace mmsat::counting {

// How far a job is.
struct Stage {
    std::size_t pegs_done = 0;  // from either end
    std::size_t nodes = 0;      // of the histograms
    std::size_t states = 0;     // in the lists that are kept
    std::size_t peak_bytes = 0;
    std::vector<Word> most;  // there are at most so many codes; empty before that is known
};

class Counter {
public:
    // `bits` is what the number of codes takes at most; a job that needs more than `memory` bytes
    // ends with bad_alloc.
    static std::unique_ptr<Counter> make(Layout layout, std::size_t bits, std::size_t memory);

    virtual ~Counter() = default;
    // Works on for about so many entries of lists; true once the number is known.
    virtual bool advance(std::uint64_t work) = 0;
    virtual const std::vector<Word>& count() const = 0;
    virtual Stage stage() const = 0;
};

}  // namespace mmsat::counting
