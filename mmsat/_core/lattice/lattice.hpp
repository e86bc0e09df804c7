// Codes that satisfy linear equations, as the points of a lattice that lie in a box.
//
// A code is a vector with a coordinate for each color that a peg may have, 1 for the color it has
// and 0 for the others. The whole vectors that satisfy all equations are one of them plus a
// lattice; that is given a basis of short vectors, and its points in the box are walked over
// (walk.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "lattice/basis.hpp"
#include "search_status.hpp"
#include "lattice/walk.hpp"

namespace mmsat::lattice {

// "The sum of weights[peg * colors + color] over the pegs with their colors is total."
struct Equation {
    std::vector<std::int32_t> weights;
    std::int64_t total;
};

class Lattice {
public:
    // allowed[peg] has the colors that a peg may have, at least one, in order. Throws
    // std::overflow_error where the numbers of the equations are too much for the reduction, which
    // is quick where it begins with what is left of another one, about pegs with the same colors and
    // most of the same equations. The walk is short where it is known how likely each color of each
    // peg is, by peg * colors + color: then vectors are short that lead to likely codes (walk.hpp).
    Lattice(std::size_t colors, std::vector<std::vector<std::uint16_t>> allowed,
            const std::vector<Equation>& equations, const Lattice* other = nullptr,
            const Vector& likely = {});

    // Walks point into it: it can be moved before the first step only.
    Lattice(Lattice&&) = default;
    Lattice(const Lattice&) = delete;

    // Whether whole numbers satisfy the equations at all. If not, there is nothing to search.
    bool is_solvable() const { return is_solvable_; }

    // The vectors that lead from one whole solution to all others.
    const std::vector<Vector>& basis() const { return basis_.rows(); }

    // Shorten the basis by blocks of so many vectors; a search that has begun begins anew, of all
    // points.
    void reduce_blocks(std::size_t block, std::size_t tours);

    // Begin a search of some of the points only (walk.hpp); then `exhausted` says nothing.
    void prune(const std::vector<double>& shares);

    // Takes at most `steps` more steps in each of so many threads; their number stays. After
    // code_found, code() is another code; call again to go on.
    SearchStatus advance(std::uint64_t steps, std::size_t threads);

    const std::vector<std::uint16_t>& code() const { return code_; }

private:
    void reduce(const std::vector<std::vector<std::int32_t>>& weights,
                const std::vector<Vector>& changes);
    std::vector<Vector> changes() const;
    std::vector<Vector> reduced_changes() const;
    void aim(const std::vector<std::int64_t>& totals);
    void forget();
    void spell(const std::vector<std::uint16_t>& choices);

    std::vector<std::vector<std::uint16_t>> allowed_;
    std::vector<std::size_t> free_;  // the pegs with more than one color: those of the box
    Box box_;
    bool is_solvable_ = true;
    Vector point_;  // one whole vector that satisfies all equations
    Basis basis_{std::vector<Vector>{}};
    std::vector<Vector> moves_;            // that lead to other totals, ...
    Basis images_{std::vector<Vector>{}};  // ... what they change in these, ...
    double unit_ = 0;                      // ... and how many times
    std::optional<Terrain> terrain_;       // once the search has begun
    std::vector<Walk> walks_;
    std::vector<std::vector<std::uint16_t>> found_;  // codes of walks, to be told
    std::vector<std::uint16_t> code_;
};

}  // namespace mmsat::lattice
