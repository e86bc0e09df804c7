// Enumeration of the points of a lattice in a box, from the last basis vector to the first.
//
// Each peg of a code has one of a few choices (allowed colors), and the box is the convex hull of
// all codes. At each level, a walk chooses an integer multiple of one basis vector. The known part
// of a partial point is its component orthogonal to the basis vectors without a multiple. Let w be
// the known part, relative to the center of the box. A code v with this known part has w.v = |w|^2.
// If |w|^2 is larger than the maximum of w.u over all codes u, the subtree contains no code. Nor
// does a subtree with another known part w' if w.w' is larger than this maximum. Since w.w' is
// linear in the multiple chosen last, one multiple yields a bound on the other multiples. Finally,
// w is at most as long as the distance from the center to the farthest code.
// The slopes of a vector are its scalar products with each choice of each peg, relative to the
// center.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lattice/basis.hpp"
#include "lattice/floats.hpp"
#include "lattice/frank_wolfe.hpp"
#include "search_status.hpp"

namespace mmsat::lattice {

// Number of floats that are processed together.
constexpr std::size_t kLanes = 8;
// Slope of choices that a peg does not have, so that they are never the best.
constexpr float kNone = -1e6F;
// Bound on rounding errors. Different integer squares differ by more.
constexpr double kRounding = 1e-3;

// Layout of the coordinates of codes. There is a plane for each choice, with one coordinate per
// peg, padded with zeros. A coordinate is 1 if the peg has this choice, otherwise 0.
struct CodeBox {
    std::vector<std::size_t> choices;  // per peg: number of choices, at least 2
    std::size_t width;                 // number of coordinates of a plane, a multiple of kLanes
    std::size_t planes;                // number of planes: the largest number of choices
    // If no peg has more than two choices, there is one plane instead of two. Its coordinates are 1
    // for the second choice.
    bool is_flat;
    Vector weights;  // per coordinate: weight of its square in squared lengths

    // probabilities[peg] has the probabilities of the choices. Improbable choices have larger
    // weights, so that the set of probable codes is nearly round. All weights are 1 if
    // `probabilities` is empty.
    explicit CodeBox(std::vector<std::size_t> num_choices,
                     const std::vector<Vector>& probabilities = {});
    std::size_t pegs() const { return choices.size(); }
    std::size_t size() const { return width * planes; }  // number of coordinates
    // Return the index of the coordinate of a choice.
    std::size_t cell(std::size_t peg, std::size_t choice) const {
        return is_flat ? peg : choice * width + peg;
    }
    // Return the number of planes in which a peg has a coordinate.
    std::size_t planes_of(std::size_t peg) const { return is_flat ? 1 : choices[peg]; }
    // Return the squared distance from the center (the point with equal weight on all choices of a
    // peg) to the farthest code.
    double max_square() const;
    // Return the slopes of a vector.
    Vector slopes(const Vector& vector) const;
};

// Data that all walks on a lattice share. It is not changed while walks exist. All vectors have the
// coordinates of the box. The box, the basis and the point are not owned.
struct EnumerationContext {
    const CodeBox* box;
    const Basis* basis;
    const Vector* point;
    std::vector<double> squares;  // squared lengths of the orthogonalized basis
    Floats orthogonal;            // slopes of the orthogonalized vectors, one after the other
    std::vector<double> offsets;  // coefficients of the point along the orthogonalized vectors
    Floats first;                 // slopes of the first known part, before any multiple is chosen
    double first_square;          // squared length of the first known part
    std::vector<double> max_squares;  // per level: maximum squared length of a known part
    ProjectionBound projection_bound;

    // The arguments must outlive the context and must not move.
    EnumerationContext(const CodeBox& box, const Basis& basis, const Vector& point);
    std::size_t levels() const { return squares.size(); }

    // Limit the squared length of the known part at each level (pruned enumeration; Gama, Nguyen
    // and Regev 2010). `fractions` has one element per level: by how much the squared length may
    // exceed that of the first known part, as a fraction of the excess of the farthest code. This
    // prunes most points. It also prunes codes, but a smaller fraction of them.
    void prune(const std::vector<double>& fractions);
};

// One walk over the points. `context` and its box must outlive the walk. Not thread-safe, but
// several walks on one context may run in different threads.
class Walk {
public:
    // The points are divided among `num_walks` walks, which are numbered from 0.
    Walk(const EnumerationContext& context, std::size_t walk_index, std::size_t num_walks);

    // Take at most `max_steps` more steps. After code_found, choices() is the next code, and
    // another call resumes.
    SearchStatus advance(std::uint64_t max_steps);

    const std::vector<std::uint16_t>& choices() const { return choices_; }

private:
    void enter();
    void step();
    bool is_near();
    bool is_in_box();
    bool belongs_to_other_walk();
    bool is_separated(std::uint64_t& remaining_steps);
    bool read_code();

    const EnumerationContext& context_;
    const CodeBox& box_;
    std::size_t walk_index_;
    std::size_t num_walks_;
    // Number of subtrees visited at the level where they are divided among the walks.
    std::size_t num_subtrees_ = 0;
    std::size_t level_ = 0;        // index of the basis vector whose multiple is chosen next
    bool is_exhausted_ = false;    // whether all points are visited
    Floats known_;                 // [level]: slopes of the known part; the first part is last
    std::vector<double> squares_;  // [level]: squared length of the known part
    // [level * (levels + 1) + above]: coefficient, along the vector of this level, of the sum of
    // all vectors from level `above` on, times their multiples.
    std::vector<double> sums_;
    // [level]: sums with an index `above` below this are out of date
    std::vector<std::size_t> stale_;
    // [level]: coefficient, along the vector of this level, of the point plus all vectors above,
    // times their multiples.
    std::vector<double> centers_;
    std::vector<double> multiples_;
    std::vector<double> offsets_;  // [level]: coefficient of the known part along this vector
    std::vector<double> steps_;    // [level]: difference to the multiple that is tried next
    // [level]: smallest and largest offset (multiple + center) for which there can be a code.
    std::vector<double> min_offsets_;
    std::vector<double> max_offsets_;
    std::vector<std::uint16_t> choices_;
    FrankWolfeTest frank_wolfe_;
};

}  // namespace mmsat::lattice
