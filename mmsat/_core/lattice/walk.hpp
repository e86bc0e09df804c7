// Enumeration of the points of a lattice in a box, from the last basis vector to the first.
//
// The known part of a partial point is its component orthogonal to the basis vectors that are not
// yet decided. Let w be the known part and v a code with this known part, both relative to the
// center of the box. Then |w|^2 = w.v, which is at most the maximum of w.u over all codes u. If
// |w|^2 is larger, the subtree contains no code. In the same way there is no code with another
// known part w' if w.w' is larger than this maximum. Since w.w' is linear in the multiple of the
// last vector, one multiple bounds all others. Finally, a code is a corner of the box, so it is no
// farther from the center than the farthest corner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lattice/basis.hpp"
#include "lattice/floats.hpp"
#include "lattice/shadow.hpp"
#include "search_status.hpp"

namespace mmsat::lattice {

// Number of floats that are processed together.
constexpr std::size_t kLanes = 8;
// For choices that a peg does not have, so that they are never the best.
constexpr float kNone = -1e6F;
constexpr double kRounding =
    1e-3;  // bound on rounding errors; different integer squares differ by more

// Layout of the coordinates of codes. There is a plane for each choice, with one coordinate per
// peg, padded with zeros.
struct CodeBox {
    std::vector<std::size_t> choices;  // per peg: number of choices, at least 2
    std::size_t width;                 // number of coordinates of a plane, a multiple of kLanes
    std::size_t planes;                // the largest number of choices, or
    // One plane, if no peg has more than two: its coordinate is 1 for the second choice.
    bool is_flat;
    Vector weights;  // per coordinate: factor of its square in lengths

    // shares[peg] are the probabilities of the choices. Unlikely choices have larger weights, so
    // that the set of probable codes looks round. All weights are 1 if `shares` is empty.
    explicit CodeBox(std::vector<std::size_t> choices, const std::vector<Vector>& shares = {});
    std::size_t pegs() const { return choices.size(); }
    std::size_t size() const { return width * planes; }
    std::size_t cell(std::size_t peg, std::size_t choice) const {
        return is_flat ? peg : choice * width + peg;
    }
    // Number of planes in which a peg has a coordinate.
    std::size_t planes_of(std::size_t peg) const { return is_flat ? 1 : choices[peg]; }
    // Squared distance from the center (the point with equal weight on all choices of a peg) to the
    // farthest code.
    double farthest() const;
    // Scalar product of a vector with each choice of each peg, relative to the center.
    Vector slopes(const Vector& vector) const;
};

// Data that all walks on a lattice share. It is not changed while walks exist. All vectors have the
// coordinates of the box. It does not own box, basis and point.
struct EnumerationContext {
    const CodeBox* box;
    const Basis* basis;
    const Vector* point;
    std::vector<double> squares;  // squared lengths of the orthogonalized basis
    Floats orthogonal;            // slopes of these vectors, one after the other
    std::vector<double> offsets;  // coefficients of the point along these vectors
    Floats first;                 // slopes of the component orthogonal to all of them
    double first_square;
    std::vector<double> farthest;  // per level: maximum squared length of a known part
    ProjectionBound projection_bound;

    // The arguments must outlive the context and must not move.
    EnumerationContext(const CodeBox& box, const Basis& basis, const Vector& point);
    std::size_t levels() const { return squares.size(); }

    // Limit the known part at each level to a fraction of the squared distance from the first part
    // to a code. This prunes most points and loses codes as well, but a smaller fraction of them.
    // `shares` has one element per level.
    void prune(const std::vector<double>& shares);
};

// One walk over the points. It keeps references to `context` and its box, which must outlive it.
// Not thread-safe; several walks on one context may run in different threads.
class Walk {
public:
    // `shares` walks divide the points among themselves; this is number `share` of them, from 0.
    Walk(const EnumerationContext& context, std::size_t share, std::size_t shares);

    // Take at most `steps` more steps. After code_found, choices() is the next code, and another
    // call resumes.
    SearchStatus advance(std::uint64_t steps);

    const std::vector<std::uint16_t>& choices() const { return choices_; }

private:
    void enter();
    void step();
    bool is_near();
    bool is_in_box();
    bool is_others();
    bool is_apart(std::uint64_t& steps);
    bool read();

    const EnumerationContext& context_;
    const CodeBox& box_;
    std::size_t share_;
    std::size_t shares_;
    // Number of subtrees met at the level where they are divided among walks.
    std::size_t turn_ = 0;
    std::size_t level_ = 0;        // index of the basis vector whose multiple is chosen next
    bool is_open_ = true;          // false once all points are visited
    Floats known_;                 // [level + 1]: slopes of the known part
    std::vector<double> squares_;  // [level + 1]: its squared length
    // [level][above]: coefficient along this level of the vectors from `above` on.
    std::vector<double> sums_;
    std::vector<std::size_t> stale_;  // [level]: sums with a smaller index `above` are out of date
    // [level]: coefficient along this vector due to the vectors above.
    std::vector<double> centers_;
    std::vector<double> multiples_;
    std::vector<double> offsets_;  // [level]: coefficient of the known part along this vector
    std::vector<double> steps_;    // difference to the next nearest multiple
    std::vector<double> lowest_;   // smallest offset (multiple + center) ...
    std::vector<double> highest_;  // ... and largest offset for which there can be a code
    std::vector<std::uint16_t> choices_;
    FrankWolfeTest frank_wolfe_;
};

}  // namespace mmsat::lattice
