// One pass over all guesses: what each of them makes of a set of codes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "optimal/answers.hpp"
#include "optimal/floors.hpp"

namespace mmsat::optimal {

// Which guesses are looked at: a byte for each (1 or 0), and which blocks have one.
struct Allowed {
    const std::uint8_t* guesses = nullptr;
    const std::uint8_t* blocks = nullptr;
    bool is_strict = false;  // the other guesses of a block with an allowed one do not count
};

// To `parts`: into how many classes each guess divides the set, and one more where it can win.
// To `peaks`: the most of each block. Guesses of blocks without an allowed one get 0. Back comes
// the most of all; the blocks behind one that has `enough` are not looked at.
int sweep_parts(const Answers& answers, const std::int32_t* set, std::size_t size, Allowed allowed,
                int enough, std::uint8_t* parts, std::uint8_t* peaks);

// The classes that a guess makes, the win apart.
struct Marks {
    std::uint32_t* bounds;   // least total of all classes, by a floor
    std::uint32_t* squares;  // sum of the squares of their sizes
    std::uint8_t* parts;     // how many there are
};

// At most 65535 codes. Classes of more codes than the floor has get no sensible bound.
void sweep_classes(const Answers& answers, const std::int32_t* set, std::size_t size,
                   const Floor& floor, Allowed allowed, Marks marks);

}  // namespace mmsat::optimal
