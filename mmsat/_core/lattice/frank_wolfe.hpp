// A test that prunes partial points of the enumeration in walk.hpp, which defines level, choice,
// slope and known part. A mixture is a convex combination of codes. Let w be the known part. If w
// is not the projection of a mixture to the orthogonal complement of the basis vectors without a
// multiple, then the subtree contains no code. The block-coordinate Frank-Wolfe method approximates
// the mixture whose projection is nearest to w: peg by peg, it moves weight from the worst choice
// to the best one. The residual is w minus the projection. It separates w from the box as soon as w
// is farther in its direction than every code (Gilbert, SIAM Journal on Control 4, 1966; the steps
// are those of Lacoste-Julien, Jaggi, Schmidt and Pletscher, ICML 2013).
// Walk::is_in_box() is the first step of this method, started at the center of the box. All steps
// together are as strong as linear programming: they prune a hundred times as many points, but take
// as much time as a hundred points. With two choices per peg, the first step prunes nearly all
// points that can be pruned, so the test is not used.
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
    // Per level: the slopes of the projection of each unit vector. Empty if the level is not
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

    // Return whether the test proves that the known part of this level is not the projection of a
    // mixture. `known` has the slopes of the known part, and `square` is its squared length.
    // `offsets` has its coefficient along each orthogonalized basis vector. Must be called for each
    // point of the walk, from the last level to the first.
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
    std::vector<std::size_t> num_to_skip_;   // [level]: number of next points that are not tested
    std::uint64_t work_ = 0;
};

}  // namespace mmsat::lattice
