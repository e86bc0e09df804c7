// A test that prunes partial points: the projections of mixtures (convex combinations) of codes to
// the orthogonal complement of the undecided basis vectors.
//
// Let w be the known part of a partial point (walk.hpp). If w is not the projection of a mixture,
// then the subtree contains no code. The mixture whose projection is nearest to w is approximated
// by the block-coordinate Frank-Wolfe method: peg by peg, weight is moved from the worst choice to
// the best choice. The residual, which is w minus the projection, separates w from the box as soon
// as w is farther in its direction than every code (Gilbert, SIAM Journal on Control 4, 1966; the
// steps are those of Lacoste-Julien, Jaggi, Schmidt and Pletscher, ICML 2013).
//
// The test in Walk is the first step of this method, started at the center of the box. All steps
// together are as strong as linear programming. They prune a hundred times as many points, but take
// as much time as a hundred points. With two choices per peg they are not worth their time, because
// the first step prunes nearly all points that can be pruned.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lattice/floats.hpp"

namespace mmsat::lattice {

struct CodeBox;
struct EnumerationContext;

// Data of the test that all walks share. Immutable after construction.
struct ProjectionBound {
    // Per level: the slopes of the projection of each coordinate vector. Empty if the level is not
    // tested.
    std::vector<Floats> projections;

    ProjectionBound() = default;
    explicit ProjectionBound(const EnumerationContext& context);
};

// The test of one walk. The mixture of each level is the starting point for the level below.
// `context` must outlive the object. Not thread-safe: every walk has its own object.
class FrankWolfeTest {
public:
    explicit FrankWolfeTest(const EnumerationContext& context);

    // Return whether the known part of this level is shown to be the projection of no mixture.
    // `known` has the slopes of the known part, `square` is its squared length, and `offsets` has
    // its coefficient per level. Must be called for each point of the walk, from the last level to
    // the first.
    bool is_separated(std::size_t level, const float* known, double square, const double* offsets);

    // Return the work since the last call, measured in steps of a walk.
    std::uint64_t take_work();

private:
    bool run_frank_wolfe(std::size_t level, const float* known, double square);

    const EnumerationContext& context_;
    Floats mixes_;                           // [level]: weight of each choice in the mixture
    Floats residuals_;                       // [level]: slopes of the residual
    std::vector<bool> is_computed_;          // [level]: whether both belong to the current point
    std::vector<std::size_t> num_failures_;  // [level]: number of consecutive tests without success
    std::vector<std::size_t> num_to_skip_;   // [level]: number of points to skip
    std::uint64_t work_ = 0;
};

}  // namespace mmsat::lattice
