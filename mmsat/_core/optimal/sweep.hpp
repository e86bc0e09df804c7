// Sweeps over the guesses, block by block, which compute how each guess splits a set of codes: the
// number of classes, and sums over them. They write only to buffers of the caller, so several
// threads may run them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "optimal/answers.hpp"
#include "optimal/lower_bounds.hpp"

namespace mmsat::optimal {

// The guesses that must be evaluated: one byte per guess (1 or 0), and one byte per block of
// Answers::kBlock guesses that is not 0 if the block has such a guess. Other guesses of such a
// block may be evaluated as well, unless is_strict. The arrays are not owned.
struct GuessMask {
    const std::uint8_t* guesses = nullptr;
    const std::uint8_t* blocks = nullptr;
    bool is_strict = false;  // whether the other guesses of a block must not be evaluated
};

// Write to `class_counts`, for each guess, the number of classes of the set, with the win counted
// twice, and to `max_class_counts` the maximum of each block. The count of a guess that is not
// evaluated is 0. Returns the maximum; the sweep stops after a block that reaches `stop_count`, and
// later blocks are not written.
int sweep_class_counts(const Answers& answers, const std::int32_t* set, std::size_t size,
                       GuessMask allowed, int stop_count, std::uint8_t* class_counts,
                       std::uint8_t* max_class_counts);

// Results of sweep_classes() per guess, over all classes except the win. The arrays are not owned.
struct SweepOutput {
    std::uint32_t* bounds;   // sum of the lower bounds of the classes
    std::uint32_t* squares;  // sum of the squared class sizes
    std::uint8_t* num_classes;
};

// Compute the output of the allowed guesses. The output of other guesses is unspecified. The set
// may have up to 65,535 codes. If a class has more codes than `class_bounds` covers, the bound is
// unspecified.
void sweep_classes(const Answers& answers, const std::int32_t* set, std::size_t size,
                   const LowerBounds& class_bounds, GuessMask allowed, SweepOutput output);

}  // namespace mmsat::optimal
