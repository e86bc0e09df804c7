// Symmetries map guesses to equivalent guesses. Of each orbit (the guesses that symmetries map to
// each other), only the first guess in lexicographic order is tried.
//
// If only black, white or shared colors are scored, permuting colors and pegs changes no score. A
// renaming that maps every earlier guess to itself permutes the possible codes. So it maps a guess
// to one with the same number of possible codes per answer. Colors that occur in no possible code
// are always interchangeable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "strategy/form.hpp"

namespace mmsat::strategy {

using Code = std::vector<std::uint8_t>;

// A set of colors below kMaxColors.
using ColorSet = std::uint64_t;
constexpr std::size_t kMaxColors = 64;

// Two sets of colors. The colors in each of them are interchangeable.
struct FreeColors {
    ColorSet dead = 0;    // colors that occur in no possible code
    ColorSet unseen = 0;  // other colors that occur in no earlier guess

    bool operator==(const FreeColors& other) const {
        return dead == other.dead && unseen == other.unseen;
    }
};

// A renaming of pegs and colors: peg p of the image is colors[code[pegs[p]]].
struct Renaming {
    std::vector<std::uint8_t> pegs;
    std::vector<std::uint8_t> colors;  // image of each color
};

// Return up to `max_renamings` renamings that map each of the guesses to itself. Colors that occur
// in no guess are mapped to themselves.
std::vector<Renaming> renamings(const std::vector<Code>& guesses, std::size_t pegs,
                                std::size_t colors, std::size_t max_renamings);

// Rename the dead and unseen colors of a code in place. In the order of the pegs, each new color
// becomes the lowest color of its set that is not used yet. If the code may have repeated colors,
// all dead colors become the lowest dead color.
void normalize_colors(const FreeColors& free_colors, bool has_repeats, std::size_t pegs,
                      std::uint8_t* code);

// Return whether the code is the first of its orbit: no renaming, followed by normalize_colors(),
// maps it to a lexicographically smaller code.
bool is_first(const std::uint8_t* code, const std::vector<Renaming>& renamings,
              const FreeColors& free_colors, bool has_repeats, std::size_t pegs);

// Return the codes that normalize_colors() does not change, in lexicographic order.
std::vector<std::uint8_t> normal_codes(const FreeColors& free_colors, bool has_repeats,
                                       std::size_t pegs, std::size_t colors);

}  // namespace mmsat::strategy
