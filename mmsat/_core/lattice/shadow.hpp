// The shadow of a box: the projection of the mixtures (convex combinations) of its codes to the
// orthogonal complement of the undecided basis vectors.
//
// Let w be the known part of a partial point. If w is not in the shadow, then no code is in the
// subtree. The mixture whose shadow is nearest to w is approximated by the block-coordinate
// Frank-Wolfe method: peg by peg, weight is moved from the worst choice to the best choice. The
// difference between w and the shadow is a separating direction as soon as w is farther in this
// direction than every code (Gilbert, SIAM Journal on Control 4, 1966; the steps are those of
// Lacoste-Julien, Jaggi, Schmidt and Pletscher, ICML 2013).
//
// The walk's own test (walk.hpp) is the first step of this method, started at the center of the
// box. All steps together decide what linear programming decides. They prune a hundred times as
// many points and take as long as a hundred points. With two choices per peg they do not pay off,
// because the first step decides nearly everything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lattice/floats.hpp"

namespace mmsat::lattice {

struct CodeBox;
struct EnumerationContext;

// Data of the test that all walks share. It is not changed after construction.
struct ProjectionBound {
    // Per level: for each coordinate, the slopes of its shadow; empty if the level is not tested.
    std::vector<Floats> projections;

    ProjectionBound() = default;
    explicit ProjectionBound(const EnumerationContext& context);
};

// The test of one walk. The mixture of each level is the starting point for the level below. It
// keeps a reference to `context`, which must outlive it. Not thread-safe; every walk has its own.
class FrankWolfeTest {
public:
    explicit FrankWolfeTest(const EnumerationContext& context);

    // Return whether no mixture of codes has the known part of this level. `known` has its slopes,
    // `square` is its squared length, and `offsets` are its coefficients per level. Must be called
    // for each point of the walk, from the last level to the first.
    bool is_apart(std::size_t level, const float* known, double square, const double* offsets);

    // Return the work since the last call, in steps of a walk.
    std::uint64_t take_work();

private:
    bool run_frank_wolfe(std::size_t level, const float* known, double square);

    const EnumerationContext& context_;
    Floats mixes_;                          // [level]: weight of each choice in the mixture
    Floats rests_;                          // [level]: slopes of the rest
    std::vector<bool> is_made_;             // [level]: whether both belong to the current point
    std::vector<std::size_t> failures_;     // [level]: consecutive tests without success
    std::vector<std::size_t> num_to_skip_;  // [level]: number of points to skip
    std::uint64_t work_ = 0;
};

}  // namespace mmsat::lattice
