// Sets of guesses up to symmetry: one representative is kept per orbit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "separation/separation.hpp"

namespace mmsat::separation {

// Which names of cells are interchangeable: none, the names in all columns simultaneously, or the
// names in each column independently.
enum class Names { none, shared, own };

// A guess is a row of cells. Columns and names may be interchangeable. Sets are given with their
// guesses in the order of their kinds, and so are the representatives.
//
// It owns a copy of the cells. All methods are const and have no hidden state, so the object may be
// used by several threads; the bindings release the GIL in extend().
class Orbits {
public:
    // `cells` are the rows of all guesses; cells are below `colors`.
    Orbits(std::vector<std::uint8_t> cells, std::size_t columns, std::size_t colors,
           bool are_columns_alike, Names names);

    // The orbit of each guess, numbered in the order of first members.
    const std::vector<std::uint32_t>& kinds() const { return kinds_; }

    // Return a representative of each orbit of sets with one more guess, given representatives of
    // all orbits of sets. Throws what `interrupt` throws.
    std::vector<Guesses> extend(const std::vector<Guesses>& sets, const Interrupt& interrupt) const;

    // Sets with the same key are in the same orbit. If `is_order_kept` is true, the key depends on
    // the order of the guesses, and sets in the same orbit may have different keys.
    std::string key(const Guesses& set, bool is_order_kept) const;

    std::size_t columns() const { return columns_; }
    // Number of renamings tried for each order of the guesses.
    std::size_t renamings() const { return renamings_; }

private:
    std::vector<std::size_t> signature(const Guesses& set, std::uint32_t guess) const;
    std::string rename(const Guesses& set, const std::vector<std::uint8_t>& places,
                       std::vector<std::uint8_t> names) const;

    std::vector<std::uint8_t> cells_;
    std::size_t columns_, colors_;
    bool are_columns_alike_;
    Names names_;
    bool permutes_columns_ = false;  // all orders of columns are tried
    bool permutes_names_ = false;    // all renamings are tried, and columns are sorted
    std::size_t renamings_ = 1;
    std::vector<std::uint32_t> kinds_;
};

}  // namespace mmsat::separation
