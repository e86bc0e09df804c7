// Sweeps over the guesses, block by block, which compute how each guess splits a set of codes: the
// number of classes, and sums over them. They write only to buffers of the caller, so they may run
// in several threads.
#pragma once

#include <cstddef>
#include <cstdint>

#include "optimal/answers.hpp"
#include "optimal/lower_bounds.hpp"

namespace mmsat::optimal {

// The guesses that must be evaluated: one byte per guess (1 or 0), and one byte per block of
// Answers::kBlock guesses that is not 0 if the block has such a guess. Other guesses of such a block
// may be evaluated as well, unless is_strict. The arrays are not owned.
struct GuessMask {
    const std::uint8_t* guesses = nullptr;
    const std::uint8_t* blocks = nullptr;
    bool is_strict = false;  // ignore the other guesses of a block with an allowed guess
};

// Write to `parts`, for each guess, the number of classes of the set, plus one if the guess is in
// the set, and to `max_parts` the maximum of each block. Guesses that are not evaluated get 0. Returns
// the maximum; the sweep stops after a block that reaches `enough`, and later blocks are not
// written.
int sweep_parts(const Answers& answers, const std::int32_t* set, std::size_t size,
                GuessMask allowed, int enough, std::uint8_t* parts, std::uint8_t* max_parts);

// Results of sweep_classes() per guess, for the classes without the win. The arrays belong to the
// caller.
struct SweepOutput {
    std::uint32_t* bounds;   // sum of the lower bounds of all classes
    std::uint32_t* squares;  // sum of the squared class sizes
    std::uint8_t* parts;     // number of classes
};

// Compute the output of at least the allowed guesses; that of other guesses is unspecified. The set
// may have up to 65,535 codes. If a class has more codes than the bounds cover, the bound may have
// any value.
void sweep_classes(const Answers& answers, const std::int32_t* set, std::size_t size,
                   const LowerBounds& class_bounds, GuessMask allowed, SweepOutput output);

}  // namespace mmsat::optimal
