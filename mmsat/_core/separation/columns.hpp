// Guesses with two colors, scored by black pegs, represented by their columns (pegs).
//
// With colors +1 and -1, the score of a code c for a guess g is (pegs + c.g) / 2. Guesses do not
// separate two codes if the scalar product of each guess with the difference of the codes is 0, and
// half of such a difference is any vector of -1, 0 and 1. The colors of all guesses at a peg form a
// column of signs. Therefore the guesses separate all codes if and only if no nonempty signed sum
// of columns is 0.
//
// This property does not depend on the signs of columns and rows or on their order, and a column
// can be added to a set without such a sum unless the column is a signed sum of some columns in it.
// So a complete search has to consider sets of columns, of which there are 2^(guesses - 1) up to
// sign, instead of sets of 2^pegs guesses.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "interrupt.hpp"

namespace mmsat::separation {

// Complete search for sets of columns. Not thread-safe: the bindings release the GIL in find(), so
// callers must not use the same object in two threads at a time. The callback of the interrupt may
// call beginnings(), done() and nodes().
class Columns {
public:
    static constexpr std::size_t kMaxRows = 9;
    static constexpr std::size_t kMaxColumns = 14;  // a coordinate of a sum needs five bits

    // `rows` is the number of guesses. A column is a number with rows - 1 bits: bit r is set if row
    // r + 1 has a different sign than row 0.
    explicit Columns(std::size_t rows);

    // Return `num_columns` columns without a zero signed sum, or an empty vector if a complete search has
    // found none. The search goes through beginnings, sets of the first few columns; the first
    // `skipped` beginnings are skipped. `interrupt` is used during the call only.
    std::vector<std::uint32_t> find(std::size_t num_columns, std::uint64_t skipped,
                                    const Interrupt& interrupt);

    // Number of beginnings that find() has completed or skipped.
    std::uint64_t beginnings() const { return beginnings_; }
    // Fraction of the current find() that is done, from 0 to 1.
    double done() const { return done_; }
    // Number of sets of columns searched.
    std::uint64_t nodes() const { return nodes_; }

private:
    using Column = std::uint32_t;
    using Set = std::vector<Column>;
    using Sum = std::int64_t;  // vector of coordinates, as the digits of a number in base 32
    using Bits = std::bitset<std::size_t{1} << (kMaxRows - 1)>;  // set of columns
    using Pairs = std::vector<Bits>;

    struct Choice {
        Column column;
        Set following;  // columns that may be added after it
        Set orders;     // permutations that keep it
        double weight;  // approximate number of sets
    };

    bool extend(const Set& allowed, const std::vector<Sum>& sums, const Set& orders, double share);
    std::vector<Choice> choices(const Set& allowed, const Set& orders) const;
    Bits sums_with(const std::vector<Sum>& sums, Sum added) const;
    bool finish(const Set& allowed, const std::vector<Sum>& sums);
    void part(const Bits& columns, Pairs& pairs, const std::vector<Sum>& added) const;
    bool finish_with(Bits left);
    bool is_sum(Sum from, std::size_t last) const;
    bool is_kept(Sum sum) const;
    void count_node();
    Column image(Column order, Column column) const {
        return images_[order * vectors_.size() + column];
    }

    std::size_t rows_;
    std::vector<Sum> vectors_;          // the columns as vectors
    Sum ones_ = 0, signs_ = 0;          // the vectors with 1 and 2 at each coordinate
    std::vector<std::uint8_t> images_;  // image of each column under each permutation of rows
    Set orders_;
    Set set_;
    std::size_t num_columns_ = 0;
    std::vector<Sum> kept_;                          // sorted signed sums of the beginning ...
    std::bitset<std::size_t{1} << 16> kept_hashes_;  // ... and the set of their hashes
    // [columns after the beginning]: per column, the columns that can be in a set with it.
    std::vector<Pairs> apart_;
    std::uint64_t skipped_ = 0, beginnings_ = 0, nodes_ = 0;
    double done_ = 0;
    const Interrupt* interrupt_ = nullptr;  // of the current find()
};

}  // namespace mmsat::separation
