// Guesses to try for a set of codes.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>

#include "optimal/lower_bounds.hpp"

namespace mmsat::optimal {

// A guess to try. Candidates are ordered by their lower bounds, then by the sums of the squared
// sizes of their classes, then by their guesses. Sorting and comparing them takes much of the time,
// so the three numbers are stored in one word, with the bound in the highest bits.
class Candidate {
public:
    static constexpr int kBoundBits = 18;
    static constexpr int kSquaresBits = 30;  // there are at most 2**15 codes
    static constexpr int kGuessBits = 16;

    // A larger bound than kMaxBound is replaced by kMaxBound, which is still a lower bound.
    Candidate(Total bound, std::uint64_t squares, std::size_t guess)
        : order_(static_cast<std::uint64_t>(std::min(bound, kMaxBound))
                     << (kSquaresBits + kGuessBits) |
                 squares << kGuessBits | guess) {
        assert(bound >= 0 && squares >> kSquaresBits == 0 && guess >> kGuessBits == 0);
    }

    // Return a candidate of a beam search. It has lower bound 0, and the estimated cost of its
    // classes replaces the squares.
    static Candidate of_beam(Total cost, std::size_t guess) {
        return {0, static_cast<std::uint64_t>(cost), guess};
    }

    Total bound() const { return static_cast<Total>(order_ >> (kSquaresBits + kGuessBits)); }
    std::int32_t guess() const {
        return static_cast<std::int32_t>(order_ & ((std::uint64_t{1} << kGuessBits) - 1));
    }
    bool operator<(Candidate other) const { return order_ < other.order_; }

private:
    static constexpr Total kMaxBound = (1 << kBoundBits) - 1;

    std::uint64_t order_;
};

static_assert(Candidate::kBoundBits + Candidate::kSquaresBits + Candidate::kGuessBits == 64);

}  // namespace mmsat::optimal
