// Symmetries that map guesses to equivalent guesses, of which only the first is tried.
//
// If only black, white or shared colors are scored, permuting colors and pegs changes no score. A
// renaming that maps every earlier guess to itself permutes the possible codes, and maps a guess to
// one with the same class sizes. Colors that occur in no possible code are always interchangeable.
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
    std::vector<std::uint8_t> colors;  // image of each color, by default the color itself
};

// Return up to `max_renamings` renamings that map each of the guesses to itself.
std::vector<Renaming> renamings(const std::vector<Code>& guesses, std::size_t pegs,
                                std::size_t colors, std::size_t max_renamings);

// Replace the dead and unseen colors of a code, in place, by the first interchangeable colors.
void normalize_colors(const FreeColors& free_colors, bool has_repeats, std::size_t pegs,
                      std::uint8_t* code);

// Return whether no renaming, followed by normalize_colors(), maps the code to a lexicographically
// smaller code.
bool is_first(const std::uint8_t* code, const std::vector<Renaming>& renamings,
              const FreeColors& free_colors, bool has_repeats, std::size_t pegs);

// Return the codes that normalize_colors() does not change, in lexicographic order.
std::vector<std::uint8_t> normal_codes(const FreeColors& free_colors, bool has_repeats,
                                       std::size_t pegs, std::size_t colors);

}  // namespace mmsat::strategy
