// Guesses to try for a set of codes, and their lower bounds.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace mmsat::optimal {

// A guess to try. Candidates are ordered by their lower bounds, then by the sums of the squared
// sizes of their classes, then by their guesses. Sorting and comparing them takes much of the time,
// so the three numbers are stored in one word of type Order, with the bound in the highest bits. As
// a struct of three numbers, it made the search of 4x8 and of 4x7 a fifth slower.
template <class Bound, class Order, int kSquaresBits>
class CandidateOf {
public:
    static constexpr int kGuessBits = 16;

    // A larger bound than kMaxBound is replaced by kMaxBound, which is still a lower bound.
    CandidateOf(Bound bound, std::uint64_t squares, std::size_t guess)
        : order_(static_cast<Order>(std::min(bound, kMaxBound)) << (kSquaresBits + kGuessBits) |
                 static_cast<Order>(squares) << kGuessBits | guess) {
        assert(bound >= 0 && squares >> kSquaresBits == 0 && guess >> kGuessBits == 0);
    }

    // Return a candidate of a beam search. It has lower bound 0, and the estimated cost of its
    // classes replaces the squares.
    static CandidateOf of_beam(Bound cost, std::size_t guess) {
        return {0, static_cast<std::uint64_t>(cost), guess};
    }

    Bound bound() const { return static_cast<Bound>(order_ >> (kSquaresBits + kGuessBits)); }
    std::int32_t guess() const {
        return static_cast<std::int32_t>(order_ & ((Order{1} << kGuessBits) - 1));
    }
    bool operator<(CandidateOf other) const { return order_ < other.order_; }

private:
    static constexpr Bound kMaxBound = static_cast<Bound>(
        std::min<Order>(static_cast<Order>(~Order{0}) >> (kSquaresBits + kGuessBits),
                        static_cast<Order>(std::numeric_limits<Bound>::max())));

    Order order_;
};

// The lower bound of a guess, while the bounds of its classes are raised. The bound is a constant
// plus the sum of the bounds of the classes.
template <class Bound>
struct GuessBound {
    Bound limit;      // the evaluation of the guess ends when `bound` reaches `limit`
    Bound bound = 0;  // lower bound so far

    // Raise the bound of a class to `new_bound` if the bound is less. Returns whether the limit is
    // reached.
    bool raise(Bound& class_bound, Bound new_bound) {
        if (new_bound > class_bound) {
            bound += new_bound - class_bound;
            class_bound = new_bound;
        }
        return bound >= limit;
    }
    // Return the bound of a class with which `bound` reaches `limit`, if the bounds of the other
    // classes do not change.
    Bound limit_of(Bound class_bound) const { return limit - (bound - class_bound); }
};

}  // namespace mmsat::optimal
