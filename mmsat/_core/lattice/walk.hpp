// A walk over the points of a lattice that lie in a box, from the last basis vector to the first.
//
// What is known of a point on the way is its part at right angles to the basis vectors that are
// still open. Let w be that part, seen from the middle of the box, and v a code with that part,
// seen from there: then |w|^2 = w v, which is at most what w gives with the code that suits it
// best. Where it is more, no code is left. No code with another part w' is left where w w' is more,
// and that grows evenly with the multiple of the last vector: so one multiple tells how far others
// need to go. And no code, a corner of the box, is farther from the middle than a corner is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lattice/basis.hpp"
#include "lattice/floats.hpp"
#include "lattice/shadow.hpp"
#include "search_status.hpp"

namespace mmsat::lattice {

constexpr std::size_t kLanes = 8;
constexpr float kNone = -1e6F;  // a choice that a peg has not: never the one that suits best
constexpr double kRounding =
    1e-3;  // what floating point may have lost; whole squares differ by more

// The coordinates of codes. They lie in planes; a plane has one for each peg, filled up with zeros.
struct Box {
    std::vector<std::size_t> choices;  // of each peg, 2 or more
    std::size_t width;                 // of a plane
    std::size_t planes;                // as many as a peg has choices, or
    bool is_flat;                      // only one, if none has more than two: 1 for the second
    Vector weights;                    // how much the square of a coordinate counts in lengths

    // By peg, how likely each of its choices is: seldom ones weigh more, so that what is left of
    // the box looks round. By default, all weigh 1.
    explicit Box(std::vector<std::size_t> choices, const std::vector<Vector>& shares = {});
    std::size_t pegs() const { return choices.size(); }
    std::size_t size() const { return width * planes; }
    std::size_t cell(std::size_t peg, std::size_t choice) const {
        return is_flat ? peg : choice * width + peg;
    }
    // The planes that a peg has a coordinate in.
    std::size_t planes_of(std::size_t peg) const { return is_flat ? 1 : choices[peg]; }
    // The square distance from the middle, where a peg has equally much of all choices, to the
    // code that is farthest from it.
    double farthest() const;
    // What a vector gives with each choice of each peg, less what it gives in the middle.
    Vector slopes(const Vector& vector) const;
};

// What all walks on a lattice share. All vectors have a box's coordinates.
struct Terrain {
    const Box* box;
    const Basis* basis;
    const Vector* point;
    std::vector<double> squares;  // of the orthogonalized basis
    Floats orthogonal;            // and the slopes of its vectors, one after the other
    std::vector<double> offsets;  // of the point, along each of them
    Floats first;                 // the slopes of what is at right angles to all of them
    double first_square;
    std::vector<double> farthest;  // by level: the square of a part that is still looked at
    Shadow shadow;

    // They have to stay where they are.
    Terrain(const Box& box, const Basis& basis, const Vector& point);
    std::size_t levels() const { return squares.size(); }

    // Look only at points whose part at each level is not longer than so much of the way from
    // the first part to a code: most points are cut off, and codes with them, but not as many.
    void prune(const std::vector<double>& shares);
};

class Walk {
public:
    // Several walks share the points: this is number `share` of so many.
    Walk(const Terrain& terrain, std::size_t share, std::size_t shares);

    // Takes at most so many steps more. After code_found, choices() is the next code; call again to
    // go on.
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

    const Terrain& terrain_;
    const Box& box_;
    std::size_t share_;
    std::size_t shares_;
    std::size_t turn_ = 0;         // parts of the walk met so far, which the walks take by turns
    std::size_t level_ = 0;        // decides how often this basis vector is taken
    bool is_open_ = true;          // there are points left
    Floats known_;                 // [level + 1]: the slopes of the part that is known
    std::vector<double> squares_;  // [level + 1]: its square
    std::vector<double> sums_;     // [level][above]: parts along level of the vectors from above on
    std::vector<std::size_t> stale_;  // [level]: sums from below this on are to be made anew
    std::vector<double> centers_;     // [level]: what the vectors above make of it
    std::vector<double> multiples_;
    std::vector<double> offsets_;  // [level]: how far the part goes along this vector
    std::vector<double> steps_;    // from one multiple to the next nearest
    std::vector<double> lowest_;   // offsets, multiple and center, below which ...
    std::vector<double> highest_;  // ... and above which there is no code
    std::vector<std::uint16_t> choices_;
    Approach approach_;
};

}  // namespace mmsat::lattice
