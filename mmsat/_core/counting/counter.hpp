// Counting of the codes of a layout, from both ends (meet in the middle).
//
// A list belongs to a node of the histograms. On the left it maps each vector of sums to the number
// of ways in which the pegs before can produce it; on the right, to the number of ways in which the
// pegs after complete such sums to a code. The smaller side is extended by one peg at a time, so
// the widest layers, which are in the middle, are never stored. Sums that can no longer satisfy the
// constraints are dropped immediately.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "counting/layout.hpp"
#include "counting/packed.hpp"

namespace mmsat::counting {

// Progress of a counter or a diagram.
struct Stage {
    std::size_t pegs_done = 0;  // number of pegs done, from both ends together
    std::size_t nodes = 0;      // nodes of the histograms so far
    std::size_t states = 0;     // entries of the lists in memory
    std::size_t peak_bytes = 0;
    std::vector<Word> most;  // upper bound on the number of codes; empty until it is known
};

// Resumable count. It owns copies of all its data. Not thread-safe: the bindings release the GIL in
// advance(), so callers must not use the same object in two threads at a time.
class Counter {
public:
    // `bits` is an upper bound on the number of bits of the count. advance() throws bad_alloc if
    // more than `memory` bytes are needed. Throws overflow_error if the sums or the count need more
    // words than the kernels are compiled for.
    static std::unique_ptr<Counter> make(Layout layout, std::size_t bits, std::size_t memory);

    virtual ~Counter() = default;
    // Process about `work` list entries; return true once the count is known.
    virtual bool advance(std::uint64_t work) = 0;
    // The count, lowest word first, once advance() has returned true.
    virtual const std::vector<Word>& count() const = 0;
    virtual Stage stage() const = 0;
};

}  // namespace mmsat::counting
