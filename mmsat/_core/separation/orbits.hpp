// Sets of guesses up to symmetry: of those that renaming maps to each other, one is kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "separation/separation.hpp"

namespace mmsat::separation {

// Which names of cells are interchangeable: none, those of all columns together, or those of each
// column on its own.
enum class Names { none, shared, own };

// A guess is a row of cells; columns may be interchangeable, and the names of cells. A set is given
// with its guesses in the order of their kinds, and so are those of its that stand for their orbits.
class Orbits {
public:
    Orbits(std::vector<std::uint8_t> cells, std::size_t columns, std::size_t colors,
           bool are_columns_alike, Names names);

    // For each guess, the number of its orbit, in order of first members.
    const std::vector<std::uint32_t>& kinds() const { return kinds_; }

    // For each orbit of the sets that have one guess more, a set. Sets are those of all orbits.
    std::vector<Guesses> extend(const std::vector<Guesses>& sets, const Interrupt& interrupt) const;

    // Sets with the same key are in one orbit. Where the order of the guesses is kept, not all of an
    // orbit have one.
    std::string key(const Guesses& set, bool is_order_kept) const;

    std::size_t columns() const { return columns_; }
    // Renamings that are tried for each order of the guesses.
    std::size_t renamings() const { return renamings_; }

private:
    std::vector<std::size_t> signature(const Guesses& set, std::uint32_t guess) const;
    std::string rename(const Guesses& set, const std::vector<std::uint8_t>& places,
                       std::vector<std::uint8_t> names) const;

    std::vector<std::uint8_t> cells_;
    std::size_t columns_, colors_;
    bool are_columns_alike_;
    Names names_;
    bool permutes_columns_ = false;  // every order of columns is tried
    bool permutes_names_ = false;    // every renaming, and columns are sorted
    std::size_t renamings_ = 1;
    std::vector<std::uint32_t> kinds_;
};

}  // namespace mmsat::separation
