// Sets of guesses up to symmetry. An orbit consists of all sets that symmetries map to each other.
// One representative of each orbit is kept, found by a canonical form (key).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "separation/separation.hpp"

namespace mmsat::separation {

// Renamings of the values of cells that are symmetries. `none`: no renaming. `shared`: one renaming
// applies to all columns. `per_column`: each column has its own renaming.
enum class Renaming { none, shared, per_column };

// A guess is a row of cells, such as the colors of its pegs. Symmetries permute columns, if they
// are alike, and rename values. In every set, also in results, the guesses are in the order of the
// numbers of their orbits (`orbit_of_guess()`).
//
// An object owns a copy of the cells. All methods are const and have no hidden state, so several
// threads may use one object; the bindings release the GIL in extend().
class Orbits {
public:
    // `cells` has the rows of all guesses. Each cell is below `num_values`.
    Orbits(std::vector<std::uint8_t> cells, std::size_t num_columns, std::size_t num_values,
           bool are_columns_alike, Renaming renaming);

    // Return the orbit of each guess. Orbits are numbered in the order of their first guesses.
    const std::vector<std::uint32_t>& orbit_of_guess() const { return orbit_of_guess_; }

    // Given one representative for each orbit of sets of n guesses, return one for each orbit of
    // sets of n + 1 guesses. Throws the exceptions of interrupt.check().
    std::vector<Guesses> extend(const std::vector<Guesses>& sets, const Interrupt& interrupt) const;

    // Return the lexicographically smallest string of cells of the set, over the renamings, the
    // orders of columns and the orders of guesses that are tried. Sets with the same key are in the
    // same orbit. If `is_order_kept` is false, sets in the same orbit have the same key. If it is
    // true, the guesses keep their order. This is faster, but sets in the same orbit may have
    // different keys.
    std::string key(const Guesses& set, bool is_order_kept) const;

    std::size_t num_columns() const { return num_columns_; }
    // Return the number of renamings, or orders of columns, that key() tries for each order of the
    // guesses.
    std::size_t num_renamings() const { return num_renamings_; }

private:
    std::vector<std::size_t> signature(const Guesses& set, std::uint32_t guess) const;
    std::string rename(const Guesses& set, const std::vector<std::uint8_t>& column_order,
                       std::vector<std::uint8_t> new_values) const;

    std::vector<std::uint8_t> cells_;
    std::size_t num_columns_, num_values_;
    bool are_columns_alike_;
    Renaming renaming_;
    bool permutes_columns_ = false;  // whether all orders of columns are tried
    // Whether all renamings are tried. If so, and the columns are alike, the renamed columns are
    // sorted.
    bool permutes_values_ = false;
    std::size_t num_renamings_ = 1;
    std::vector<std::uint32_t> orbit_of_guess_;
};

}  // namespace mmsat::separation
