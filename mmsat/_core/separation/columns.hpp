// Guesses of two colors that are scored by black pegs, looked at peg by peg.
//
// With colors +1 and -1, the score of a code c to a guess g is (pegs + c.g) / 2. Guesses leave two
// codes together where all products of the guesses with the codes' difference are 0, and half of a
// difference is any vector of -1, 0 and 1. What the guesses have at a peg is a column of signs. So
// they tell all codes apart just where no sum of some of their columns, each with either sign, is 0.
//
// That depends neither on the signs of columns and of rows nor on their order, and a column may join
// others without such a sum unless it is a sum of some of them. So a complete search is over sets of
// columns, 2^(guesses - 1) up to sign, where guess by guess it is over sets of 2^pegs guesses.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "interrupt.hpp"

namespace mmsat::separation {

class Columns {
public:
    static constexpr std::size_t most_rows = 9;
    static constexpr std::size_t most_columns = 14;  // a coordinate of a sum takes five bits

    // A column is a number of so many bits less one: its bit r is set where row r + 1 has another
    // sign than row 0.
    explicit Columns(std::size_t rows);

    // So many columns, no signed sum of which is 0; empty where there are none, which a complete
    // search has shown. Sets begin with one of some sets of a few columns, of which the first ones
    // can be skipped.
    std::vector<std::uint32_t> find(std::size_t many, std::uint64_t skipped,
                                    const Interrupt& interrupt);

    // Beginnings whose sets have all been looked at by find(), or skipped.
    std::uint64_t beginnings() const { return beginnings_; }
    // The share of it that is done, from 0 to 1.
    double done() const { return done_; }
    // Sets of columns looked at by find().
    std::uint64_t nodes() const { return nodes_; }

private:
    using Column = std::uint32_t;
    using Set = std::vector<Column>;
    using Sum = std::int64_t;  // of columns: a coordinate for each power of 32
    using Bits = std::bitset<std::size_t{1} << (most_rows - 1)>;  // for each column
    using Pairs = std::vector<Bits>;

    struct Choice {
        Column column;
        Set following;  // columns that may be added after it
        Set orders;     // those that keep it
        double weight;  // about how many sets there are
    };

    bool extend(const Set& allowed, const std::vector<Sum>& sums, const Set& orders, double share);
    std::vector<Choice> choices(const Set& allowed, const Set& orders) const;
    Bits sums_with(const std::vector<Sum>& sums, Sum added) const;
    bool finish(const Set& allowed, const std::vector<Sum>& sums);
    void part(const Bits& columns, Pairs& pairs, const std::vector<Sum>& added) const;
    bool finish_with(Bits left);
    bool is_sum(Sum from, std::size_t last) const;
    bool is_kept(Sum sum) const;
    void look();
    Column image(Column order, Column column) const {
        return images_[order * vectors_.size() + column];
    }

    std::size_t rows_;
    std::vector<Sum> vectors_;          // the columns
    Sum ones_ = 0, signs_ = 0;          // 1 and 2 at each coordinate
    std::vector<std::uint8_t> images_;  // what each order of the rows makes of each column
    Set orders_;
    Set set_;
    std::size_t many_ = 0;
    std::vector<Sum> kept_;  // the sums of the first columns of the set, in order, ...
    std::bitset<std::size_t{1} << 16> marks_;  // ... and which marks they have
    std::vector<Pairs> apart_;  // [set]: columns of which none is a sum with the other and a set
    std::uint64_t skipped_ = 0, beginnings_ = 0, nodes_ = 0;
    double done_ = 0;
    const Interrupt* interrupt_ = nullptr;  // of the present find()
};

}  // namespace mmsat::separation
