// Interface of the sweeps (sweep.hpp) that are compiled for different vector units.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "optimal/sweep.hpp"

#pragma GCC diagnostic ignored "-Wpsabi"

namespace mmsat::optimal {

using SweepClassCounts = int (*)(const Answers&, const std::int32_t*, std::size_t, GuessMask, int,
                                 std::uint8_t*, std::uint8_t*);

struct Sweeps {
    // For up to 16, 32 and 64 answers.
    SweepClassCounts class_counts16, class_counts32, class_counts64;
    // For sets of up to 255 codes, and up to kMaxBends bends of the lower bounds
    // (lower_bounds.hpp).
    void (*small_classes)(const Answers&, const std::int32_t*, std::size_t, const LowerBounds&,
                          std::size_t bends, GuessMask, SweepOutput);
    void (*large_classes)(const Answers&, const std::int32_t*, std::size_t, const LowerBounds&,
                          GuessMask, SweepOutput);
};

constexpr std::size_t kMaxBends = 8;

extern const Sweeps plain_sweeps;
#ifdef MMSAT_X86
extern const Sweeps avx2_sweeps, avx512_sweeps;
// For machines that can permute 64 bytes at a time (AVX-512 VBMI): for up to 16, 24 and 32 answers.
extern const SweepClassCounts vbmi_class_counts[3];
#endif

}  // namespace mmsat::optimal
