// Sets of guesses up to symmetry: one representative of each orbit is kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "separation/separation.hpp"

namespace mmsat::separation {

// Which values of cells, called names, are interchangeable: none, the names in all columns
// simultaneously, or the names in each column independently.
enum class Names { none, shared, per_column };

// A guess is a row of cells. Columns and names may be interchangeable. The guesses of each set,
// also of representatives, are sorted by their orbits (`kinds()`).
//
// An object owns a copy of the cells. All methods are const and have no hidden state, so several
// threads may use one object; the bindings release the GIL in extend().
class Orbits {
public:
    // `cells` has the rows of all guesses. Names are below `num_names`.
    Orbits(std::vector<std::uint8_t> cells, std::size_t num_columns, std::size_t num_names,
           bool are_columns_alike, Names interchangeable_names);

    // Return the orbit of each guess. Orbits are numbered in the order of their first guesses.
    const std::vector<std::uint32_t>& kinds() const { return kinds_; }

    // Return a representative of each orbit of sets with one more guess, given representatives of
    // all orbits. Throws the exceptions of interrupt.check().
    std::vector<Guesses> extend(const std::vector<Guesses>& sets, const Interrupt& interrupt) const;

    // Sets with the same key are in the same orbit. If `is_order_kept` is true, the key depends on
    // the order of the guesses, and sets in the same orbit may have different keys.
    std::string key(const Guesses& set, bool is_order_kept) const;

    std::size_t num_columns() const { return num_columns_; }
    // Return the number of renamings that key() tries for each order of the guesses.
    std::size_t num_renamings() const { return num_renamings_; }

private:
    std::vector<std::size_t> signature(const Guesses& set, std::uint32_t guess) const;
    std::string rename(const Guesses& set, const std::vector<std::uint8_t>& column_order,
                       std::vector<std::uint8_t> new_names) const;

    std::vector<std::uint8_t> cells_;
    std::size_t num_columns_, num_names_;
    bool are_columns_alike_;
    Names interchangeable_names_;
    bool permutes_columns_ = false;  // whether all orders of columns are tried
    bool permutes_names_ = false;    // whether all renamings are tried; then columns are sorted
    std::size_t num_renamings_ = 1;
    std::vector<std::uint32_t> kinds_;
};

}  // namespace mmsat::separation
