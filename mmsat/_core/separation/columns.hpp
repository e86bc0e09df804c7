// Guesses of two colors that are scored by black pegs, looked at peg by peg.
//
// With colors +1 and -1, the score of a code c to a guess g is (pegs + c.g) / 2. Guesses leave two
// codes together where all products of the guesses with the codes' difference are 0, and half of a
// difference is any vector of -1, 0 and 1. What the guesses have at a peg is a column of signs. So
// they tell all codes apart just where no sum of some of their columns, each with either sign, is 0.
//
// That depends neither on the signs of columns and of rows nor on their order, and columns without
// such a sum are added to others as long as there is none. So a complete search is over sets of
// columns, 2^(guesses - 1) up to sign, where guess by guess it is over sets of 2^pegs guesses.
#pragma once

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
    // search has shown.
    std::vector<std::uint32_t> find(std::size_t many, const Interrupt& interrupt);

    // Sets of columns looked at by find().
    std::uint64_t nodes() const { return nodes_; }

private:
    using Set = std::vector<std::uint32_t>;
    using Sum = std::int64_t;    // of columns: a coordinate for each power of 32
    using Flags = std::uint8_t;  // for each column, whether it is a sum

    bool extend(const Set& allowed, const std::vector<Sum>& sums, const std::vector<Flags>& is_sum,
                const Set& orders);
    void mark(const std::vector<Sum>& sums, Sum added, std::vector<Flags>& is_sum) const;
    std::uint32_t image(std::uint32_t order, std::uint32_t column) const {
        return images_[order * vectors_.size() + column];
    }

    std::size_t rows_;
    std::vector<Sum> vectors_;           // the columns
    Sum ones_ = 0, signs_ = 0;           // 1 and 2 at each coordinate
    std::vector<std::uint32_t> images_;  // what each order of the rows makes of each column
    std::size_t orders_ = 0;
    Set set_;
    std::size_t many_ = 0;
    std::uint64_t nodes_ = 0;
    const Interrupt* interrupt_ = nullptr;  // of the present find()
};

}  // namespace mmsat::separation
