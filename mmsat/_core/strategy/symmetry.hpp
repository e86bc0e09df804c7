// Symmetries that map guesses to equivalent guesses, of which only the first is tried.
//
// If only black, white or shared colors are scored, permuting colors and pegs changes no score. A
// renaming that maps every guess so far to itself permutes the possible codes, and maps a guess to
// one with the same partition sizes. Colors that occur in no possible code are interchangeable
// anyway.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "strategy/form.hpp"

namespace mmsat::strategy {

using Code = std::vector<std::uint8_t>;

// A set of up to 64 colors.
using ColorSet = std::uint64_t;

// What symmetry uses of the possible codes and the guesses so far.
struct Knowledge {
    ColorSet dead = 0;    // colors that occur in no possible code
    ColorSet unseen = 0;  // other colors that occur in no guess so far

    bool operator==(const Knowledge& other) const {
        return dead == other.dead && unseen == other.unseen;
    }
};

// A renaming of pegs and colors: peg p of the image is colors[code[pegs[p]]].
struct Renaming {
    std::vector<std::uint8_t> pegs;
    std::vector<std::uint8_t> colors;  // image of each color; unused colors stay
};

// Return up to `most` renamings that map each of the guesses to itself.
std::vector<Renaming> renamings(const std::vector<Code>& guesses, std::size_t pegs,
                                std::size_t colors, std::size_t most);

// Replace the dead and unseen colors of a code, in place, by the first equivalent colors.
void lower(const Knowledge& known, bool has_repeats, std::size_t pegs, std::uint8_t* code);

// Return whether no renaming maps the code to a lexicographically smaller one.
bool is_first(const std::uint8_t* code, const std::vector<Renaming>& renamings,
              const Knowledge& known, bool has_repeats, std::size_t pegs);

// Return the codes that lower() does not change, in lexicographic order.
std::vector<std::uint8_t> lowest_codes(const Knowledge& known, bool has_repeats, std::size_t pegs,
                                       std::size_t colors);

}  // namespace mmsat::strategy
