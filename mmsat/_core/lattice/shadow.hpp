// The shadow of a box: what mixtures of its codes come to at right angles to the open vectors.
//
// What is known of a point on the way is its part w there. Where no mixture of codes has that part,
// no code is left below. The mixture whose shadow is nearest to w is approached peg by peg, from
// the choice that suits worst to the one that suits best. What is then left of the way to w tells
// them apart as soon as w goes farther along it than every code (Gilbert, SIAM Journal on Control
// 4, 1966; the steps are those of Lacoste-Julien, Jaggi, Schmidt and Pletscher, ICML 2013).
//
// The walk's own test (walk.hpp) is the first step of that, from the middle of the box; all of them
// tell what linear programming tells. They cut off a hundred times as many points, and take as long
// as a hundred points take. With two choices a peg they do not pay: there the first step tells
// nearly all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lattice/floats.hpp"

namespace mmsat::lattice {

struct Box;
struct Terrain;

// What all walks share of it.
struct Shadow {
    std::vector<Floats> projections;  // by level, for each coordinate the slopes of its shadow;
                                      // or none, where it is not looked at

    Shadow() = default;
    explicit Shadow(const Terrain& terrain);
};

// The mixtures of the points on the way: each is where the next one below begins.
class Approach {
public:
    explicit Approach(const Terrain& terrain);

    // Whether no mixture of codes has the part whose slopes are known at a level; its square, and
    // by level how far it goes along each vector. To be asked about each point on the way, from
    // the last level to the first.
    bool is_apart(std::size_t level, const float* known, double square, const double* offsets);

    // The work since it was last taken, as so many steps of a walk.
    std::uint64_t take_work();

private:
    bool approach(std::size_t level, const float* known, double square);

    const Terrain& terrain_;
    Floats mixes_;                       // [level]: how much of each choice a mixture has
    Floats rests_;                       // [level]: the slopes of what is left of the way
    std::vector<bool> is_made_;          // [level]: whether these are of the point on the way
    std::vector<std::size_t> failures_;  // [level]: approaches in turn that told nothing
    std::vector<std::size_t> left_out_;  // [level]: points that are not looked at for it
    std::uint64_t work_ = 0;
};

}  // namespace mmsat::lattice
