// Guesses that tell as much as each other, of which only the first is tried.
//
// With black, white or shared colors alone, calling colors and pegs otherwise changes no score.
// What leaves every guess so far as it is leaves the codes that are possible among themselves, and
// maps a guess to one that tells as much. Colors of which no code is possible are alike on their
// own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "strategy/form.hpp"

namespace mmsat::strategy {

using Code = std::vector<std::uint8_t>;

// A set of colors, which are at most 64.
using ColorSet = std::uint64_t;

struct Knowledge {
    ColorSet dead = 0;    // colors of no possible code
    ColorSet unseen = 0;  // colors of no guess so far that are not dead

    bool operator==(const Knowledge& other) const {
        return dead == other.dead && unseen == other.unseen;
    }
};

// A renaming of pegs and colors: peg p of the image is colors[code[pegs[p]]].
struct Renaming {
    std::vector<std::uint8_t> pegs;
    std::vector<std::uint8_t> colors;  // of those seen; the others stay
};

// Renamings, at most `most`, that leave each of the guesses as it is.
std::vector<Renaming> renamings(const std::vector<Code>& guesses, std::size_t pegs,
                                std::size_t colors, std::size_t most);

// A code with its dead and unseen colors exchanged for the first that will do.
void lower(const Knowledge& known, bool has_repeats, std::size_t pegs, std::uint8_t* code);

// Whether no renaming gives a code that comes before it.
bool is_first(const std::uint8_t* code, const std::vector<Renaming>& renamings,
              const Knowledge& known, bool has_repeats, std::size_t pegs);

// The codes that `lower` leaves as they are, row by row in lexicographic order.
std::vector<std::uint8_t> lowest_codes(const Knowledge& known, bool has_repeats, std::size_t pegs,
                                       std::size_t colors);

}  // namespace mmsat::strategy
