// Counting of the codes of a layout (layout.hpp), from the first and the last peg (meet in the
// middle).
//
// Each list belongs to a node of the histograms (histograms.hpp). On the left, it maps each vector
// of sums to the number of ways in which the pegs before the node can produce these sums. On the
// right, it maps the vector to the number of ways in which the pegs after the node complete such
// sums to a code. The smaller side is extended by one peg at a time, so the largest layers, which
// are in the middle, are never stored. If a constraint allows several values of its sum, only the
// left side is extended. Sums that can no longer satisfy the constraints are removed immediately.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "counting/layout.hpp"
#include "counting/packed.hpp"

namespace mmsat::counting {

// Progress of a counter or a diagram.
struct CountProgress {
    std::size_t num_pegs_done = 0;  // number of pegs processed, from both ends together
    std::size_t num_nodes = 0;      // number of nodes of the histograms so far
    std::size_t num_states = 0;     // number of list entries in memory
    std::size_t peak_bytes = 0;
    // Upper bound on the number of codes, lowest word first. Empty while no bound is known, and for
    // diagrams.
    std::vector<Word> upper_bound;
};

// Resumable count. An object owns copies of all its data. Not thread-safe: the bindings release the
// GIL in advance(), so callers must not use the same object in two threads at a time.
class Counter {
public:
    // `max_bits` is an upper bound on the number of bits of the count. advance() throws bad_alloc
    // if more than `max_bytes` bytes are needed. make() throws overflow_error if the sums or the
    // count need more words than the kernel is compiled for.
    static std::unique_ptr<Counter> make(Layout layout, std::size_t max_bits,
                                         std::size_t max_bytes);

    virtual ~Counter() = default;
    // Process about `work` list entries. Returns whether the count is known.
    virtual bool advance(std::uint64_t work) = 0;
    // Return the count, lowest word first. Requires that advance() has returned true.
    virtual const std::vector<Word>& count() const = 0;
    virtual CountProgress progress() const = 0;
};

}  // namespace mmsat::counting
