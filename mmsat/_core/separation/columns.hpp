// Sets of guesses with two colors, scored by black pegs and represented by their columns (pegs).
//
// With colors +1 and -1, the score of a code c for a guess g is (pegs + c.g) / 2. Guesses do not
// separate two codes if and only if the scalar product of each guess with the difference of the
// codes is 0. Half of such a difference is any vector of -1, 0 and 1. The colors of all guesses at
// a peg form a column of signs. A signed sum of columns has a factor of -1, 0 or 1 for each column,
// and it is nonempty if some factor is not 0. Therefore the guesses separate all codes if and only
// if no nonempty signed sum of columns is 0.
//
// This property depends neither on the signs of columns and rows nor on their order. A column can
// be added to a set with this property if and only if it is not a signed sum of columns in the set.
// So a complete search considers sets of the 2^(guesses - 1) columns up to sign.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "hash.hpp"
#include "interrupt.hpp"

namespace mmsat::separation {

// Complete search for sets of columns. Not thread-safe: the bindings release the GIL in find(), so
// callers must not use the same object in two threads at a time. The callback of the interrupt may
// call num_prefixes(), fraction_done() and num_nodes().
class Columns {
public:
    static constexpr std::size_t kMaxRows = 9;
    static constexpr std::size_t kMaxColumns = 14;  // a coordinate of a sum needs five bits

    // A row is a guess. A column is a number with num_rows - 1 bits: bit r is set if row r + 1 has
    // a different sign than row 0.
    explicit Columns(std::size_t num_rows);

    // Return `num_columns` columns without a nonempty signed sum of 0, or an empty vector if
    // they do not exist. The search enumerates prefixes: sets of the first few columns. The first
    // `num_skipped` prefixes are skipped. `interrupt` is used only during the call.
    std::vector<std::uint32_t> find(std::size_t num_columns, std::uint64_t num_skipped,
                                    const Interrupt& interrupt);

    // Return the number of prefixes that find() has completed or skipped.
    std::uint64_t num_prefixes() const { return num_prefixes_; }
    // Return the fraction of the current find() that is done, from 0 to 1.
    double fraction_done() const { return fraction_done_; }
    // Return the number of sets of columns searched.
    std::uint64_t num_nodes() const { return num_nodes_; }

private:
    static constexpr int kHashBits = 16;  // number of bits of the hash of a sum

    using Column = std::uint32_t;
    using Set = std::vector<Column>;
    using Order = std::uint32_t;  // index of a permutation of rows
    using Orders = std::vector<Order>;
    using Sum = std::int64_t;  // vector with a coordinate per row: the digits in base 32
    using Bits = std::bitset<std::size_t{1} << (kMaxRows - 1)>;  // set of columns
    using Pairs = std::vector<Bits>;

    // A column that may be added to the set.
    struct Choice {
        Column column;
        Set following;  // columns that may be added after this one
        Orders orders;  // permutations of rows that map the column to itself
        double weight;  // approximate number of sets that begin with this choice
    };

    bool extend(const Set& allowed, const std::vector<Sum>& sums, const Orders& orders,
                double share);
    std::vector<Choice> list_choices(const Set& allowed, const Orders& orders) const;
    Bits sums_with(const std::vector<Sum>& sums, Sum added) const;
    bool extend_prefix(const Set& allowed, const std::vector<Sum>& sums);
    void filter_pairs(const Bits& columns, Pairs& pairs, const std::vector<Sum>& added) const;
    bool extend_compatible(Bits allowed);
    bool is_sum(Sum sum, std::size_t num_columns) const;
    bool is_prefix_sum(Sum sum) const;
    void count_node();
    static std::size_t hash_of(Sum sum) {
        return fibonacci_hash(static_cast<std::uint64_t>(sum), kHashBits);
    }
    Column image(Order order, Column column) const {
        return images_[order * vectors_.size() + column];
    }

    std::size_t num_rows_;
    std::vector<Sum> vectors_;          // the columns as vectors
    Sum ones_ = 0, twos_ = 0;           // the vectors with 1 and 2 at each coordinate
    std::vector<std::uint8_t> images_;  // image of each column under each permutation of rows
    Orders orders_;                     // indices of all permutations of rows
    Set set_;                           // the columns chosen so far
    std::size_t num_columns_ = 0;
    std::vector<Sum> prefix_sums_;                            // sorted signed sums of the prefix
    std::bitset<std::size_t{1} << kHashBits> prefix_hashes_;  // hashes of these sums
    // [number of columns after the prefix]: per column, the columns that can be added together with
    // it.
    std::vector<Pairs> compatible_;
    std::uint64_t num_skipped_ = 0, num_prefixes_ = 0, num_nodes_ = 0;
    double fraction_done_ = 0;
    const Interrupt* interrupt_ = nullptr;  // argument of the current find()
};

}  // namespace mmsat::separation
