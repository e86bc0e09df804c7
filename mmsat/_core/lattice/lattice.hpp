// Codes that satisfy linear equations, as the points of a lattice in a box.
//
// A code is a 0-1 vector with a coordinate for each color that a peg may have. The integer vectors
// that satisfy all equations are one of them plus a lattice. The lattice is given a basis of short
// vectors, and its points in the box are enumerated (walk.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "lattice/basis.hpp"
#include "search_status.hpp"
#include "lattice/walk.hpp"

namespace mmsat::lattice {

// The sum of weights[peg * colors + color] over all pegs and their colors is `total`.
struct Equation {
    std::vector<std::int32_t> weights;
    std::int64_t total;
};

// Resumable enumeration.
//
// Not thread-safe: the bindings release the GIL in the constructor, reduce_blocks() and advance(),
// so callers must not use the same object, or pass it as `other`, while another thread uses it.
// advance() itself starts threads and joins them before it returns.
class Lattice {
public:
    // allowed[peg] are the colors that a peg may have, in increasing order and at least one. Throws
    // std::overflow_error if the numbers become too large for the reduction. If `other` has the
    // same allowed colors, the reduction starts from its basis, which is fast if most equations are
    // the same; `other` is not used after the constructor. `likely` has the probability of each
    // color at each peg (index peg * colors + color), or is empty; with it, vectors that lead to
    // probable codes are short, and the enumeration is faster (walk.hpp).
    Lattice(std::size_t colors, std::vector<std::vector<std::uint16_t>> allowed,
            const std::vector<Equation>& equations, const Lattice* other = nullptr,
            const Vector& likely = {});

    // May only be moved before prune() or advance(): context_ and walks_ point into this object.
    Lattice(Lattice&&) = default;
    Lattice(const Lattice&) = delete;

    // Whether integers satisfy the equations. If not, there is nothing to search.
    bool is_solvable() const { return is_solvable_; }

    // Basis of the differences of integer solutions.
    const std::vector<Vector>& basis() const { return basis_.rows(); }

    // Apply BKZ reduction with blocks of `block` vectors. A search that has started restarts from
    // the beginning.
    void reduce_blocks(std::size_t block, std::size_t tours);

    // Start a search of a part of the points (walk.hpp). After it, `exhausted` does not mean that
    // there is no code.
    void prune(const std::vector<double>& shares);

    // Take at most `steps` steps in each of `threads` threads. The number of threads is fixed by
    // the first call. After code_found, code() is the next code, and another call resumes.
    SearchStatus advance(std::uint64_t steps, std::size_t threads);

    const std::vector<std::uint16_t>& code() const { return code_; }

private:
    void reduce(const std::vector<std::vector<std::int32_t>>& weights,
                const std::vector<Vector>& changes);
    std::vector<Vector> changes() const;
    std::vector<Vector> reduced_changes() const;
    void find_point(const std::vector<std::int64_t>& totals);
    void reset_search();
    void decode_choices(const std::vector<std::uint16_t>& choices);

    std::vector<std::vector<std::uint16_t>> allowed_;
    std::vector<std::size_t> free_;  // pegs with more than one color: those of the box
    CodeBox box_;
    bool is_solvable_ = true;
    Vector point_;  // one integer vector that satisfies all equations
    Basis basis_{std::vector<Vector>{}};
    std::vector<Vector> moves_;                  // vectors that change the totals, ...
    Basis images_{std::vector<Vector>{}};        // ... their effects on the totals, ...
    double unit_ = 0;                            // ... and the factor by which these are multiplied
    std::optional<EnumerationContext> context_;  // set once the search has started
    std::vector<Walk> walks_;
    std::vector<std::vector<std::uint16_t>> found_;  // codes found by walks but not yet returned
    std::vector<std::uint16_t> code_;
};

}  // namespace mmsat::lattice
