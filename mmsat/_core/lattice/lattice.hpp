// Codes that satisfy linear equations, as the points of a lattice in a box.
//
// A code is a 0-1 vector with a coordinate for each color that a peg may have. The integer vectors
// that satisfy all equations are one such vector (the point) plus the vectors of a lattice: all
// integer combinations of its basis. A basis of short vectors is computed (basis.hpp), and the
// solutions in the box, which is the convex hull of all codes, are enumerated (walk.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "lattice/basis.hpp"
#include "search_status.hpp"
#include "lattice/walk.hpp"

namespace mmsat::lattice {

// The sum of weights[peg * colors + color] over the pegs of a code and their colors is `total`.
struct Equation {
    std::vector<std::int32_t> weights;
    std::int64_t total;
};

// Resumable enumeration of the codes that satisfy the equations.
//
// Not thread-safe: the bindings release the GIL in the constructor, reduce_blocks() and advance(),
// so callers must not use an object, or pass it as `other`, while another thread uses it.
// advance() itself starts threads and joins them before it returns.
class Lattice {
public:
    // allowed[peg] has the colors that the peg may have, at least one, in increasing order. Throws
    // std::overflow_error if the numbers become too large for the reduction. If `other` has the
    // same allowed colors, the reduction starts from the basis of `other`, which is fast if most
    // equations are the same; `other` is not used after the constructor. `probabilities` has the
    // probability of each color at each peg (index peg * colors + color), or is empty. With
    // probabilities, vectors that lead to probable codes are short, so the enumeration is faster
    // (walk.hpp).
    Lattice(std::size_t colors, std::vector<std::vector<std::uint16_t>> allowed,
            const std::vector<Equation>& equations, const Lattice* other = nullptr,
            const Vector& probabilities = {});

    // An object may be moved only before prune() and advance(), because context_ and walks_ point
    // into it.
    Lattice(Lattice&&) = default;
    Lattice(const Lattice&) = delete;

    // Return whether integers satisfy the equations. If not, no code satisfies them.
    bool is_solvable() const { return is_solvable_; }

    // Return a basis of the differences between integer solutions.
    const std::vector<Vector>& basis() const { return basis_.rows(); }

    // Apply BKZ reduction with blocks of `block_size` vectors. A started search restarts.
    void reduce_blocks(std::size_t block_size, std::size_t max_tours);

    // Start a search of only some of the points; see EnumerationContext::prune(). If this search is
    // exhausted, there may still be codes.
    void prune(const std::vector<double>& fractions);

    // Take at most `max_steps` steps in each of `num_threads` threads. Later calls use the same
    // number of threads as the first. After code_found, code() is the next code, and another call
    // resumes.
    SearchStatus advance(std::uint64_t max_steps, std::size_t num_threads);

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
    // Pegs with more than one allowed color: the pegs of the box.
    std::vector<std::size_t> free_pegs_;
    CodeBox box_;
    bool is_solvable_ = true;
    Vector point_;  // an integer vector that satisfies all equations
    Basis basis_{std::vector<Vector>{}};
    std::vector<Vector> moves_;             // vectors that change totals; see reduce()
    Basis effects_{std::vector<Vector>{}};  // changes of the totals by each move, times unit_
    double unit_ = 0;
    std::optional<EnumerationContext> context_;  // set once the search has started
    std::vector<Walk> walks_;
    // Found codes that are not yet returned.
    std::vector<std::vector<std::uint16_t>> pending_choices_;
    std::vector<std::uint16_t> code_;
};

}  // namespace mmsat::lattice
