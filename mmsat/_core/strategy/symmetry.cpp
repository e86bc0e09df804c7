// Renamings of pegs and colors that keep all earlier guesses, and normal forms of codes
// (symmetry.hpp). Dead colors occur in no possible code. Unseen colors occur in a possible code,
// but in no earlier guess. The colors of each of these sets are interchangeable.
#include "strategy/symmetry.hpp"

#include <algorithm>
#include <functional>

namespace mmsat::strategy {

namespace {

constexpr std::uint8_t kNone = 255;    // not a color: there are at most kMaxColors
constexpr std::size_t kMaxPegs = 255;  // see the bindings

ColorSet color_bit(std::size_t color) {
    return ColorSet{1} << color;
}

// Return the first color of a nonempty set.
std::uint8_t first(ColorSet set) {
    std::uint8_t color = 0;
    while (!(set & color_bit(color))) ++color;
    return color;
}

}  // namespace

// Backtracking over the pegs of the image. The choice of the source of a peg determines the images
// of the colors that the guesses have there.
std::vector<Renaming> renamings(const std::vector<Code>& guesses, std::size_t pegs,
                                std::size_t colors, std::size_t max_renamings) {
    std::vector<Renaming> results;
    Renaming renaming{std::vector<std::uint8_t>(pegs), std::vector<std::uint8_t>(colors, kNone)};
    std::vector<std::uint8_t> sources(colors, kNone);
    std::vector<bool> used(pegs, false);
    const std::function<void(std::size_t)> extend = [&](std::size_t peg) {
        if (results.size() >= max_renamings) return;
        if (peg == pegs) {
            results.push_back(renaming);
            // Colors that occur in no guess stay the same, because is_first() normalizes them.
            for (std::size_t color = 0; color < colors; ++color)
                if (renaming.colors[color] == kNone)
                    results.back().colors[color] = static_cast<std::uint8_t>(color);
            return;
        }
        for (std::size_t from = 0; from < pegs; ++from) {
            if (used[from]) continue;
            std::vector<std::uint8_t> mapped_colors;  // to be undone after this choice
            bool is_consistent = true;
            for (const Code& guess : guesses) {
                const std::uint8_t source = guess[from];
                const std::uint8_t target = guess[peg];
                // The renaming of colors must stay one to one.
                if (renaming.colors[source] == kNone && sources[target] == kNone) {
                    renaming.colors[source] = target;
                    sources[target] = source;
                    mapped_colors.push_back(source);
                } else if (renaming.colors[source] != target) {
                    is_consistent = false;
                    break;
                }
            }
            if (is_consistent) {
                used[from] = true;
                renaming.pegs[peg] = static_cast<std::uint8_t>(from);
                extend(peg + 1);
                used[from] = false;
            }
            for (std::uint8_t source : mapped_colors) {
                sources[renaming.colors[source]] = kNone;
                renaming.colors[source] = kNone;
            }
        }
    };
    extend(0);
    return results;
}

void normalize_colors(const FreeColors& free_colors, bool has_repeats, std::size_t pegs,
                      std::uint8_t* code) {
    std::uint8_t images[kMaxColors];
    std::fill(images, images + kMaxColors, kNone);
    ColorSet dead = free_colors.dead;
    ColorSet unseen = free_colors.unseen;
    for (std::size_t peg = 0; peg < pegs; ++peg) {
        const std::uint8_t color = code[peg];
        std::uint8_t& image = images[color];
        if (image == kNone) {
            image = color;
            if (free_colors.dead & color_bit(color)) {
                // Dead colors never score, so with repeats one of them is enough.
                image = first(dead);
                if (!has_repeats) dead &= ~color_bit(image);
            } else if (free_colors.unseen & color_bit(color)) {
                image = first(unseen);
                unseen &= ~color_bit(image);
            }
        }
        code[peg] = image;
    }
}

bool is_first(const std::uint8_t* code, const std::vector<Renaming>& renamings,
              const FreeColors& free_colors, bool has_repeats, std::size_t pegs) {
    std::uint8_t image[kMaxPegs];
    for (const Renaming& renaming : renamings) {
        for (std::size_t peg = 0; peg < pegs; ++peg)
            image[peg] = renaming.colors[code[renaming.pegs[peg]]];
        normalize_colors(free_colors, has_repeats, pegs, image);
        if (std::lexicographical_compare(image, image + pegs, code, code + pegs)) return false;
    }
    return true;
}

std::vector<std::uint8_t> normal_codes(const FreeColors& free_colors, bool has_repeats,
                                       std::size_t pegs, std::size_t colors) {
    std::vector<std::uint8_t> rows;  // the codes, one after the other
    Code code(pegs);
    const std::function<void(std::size_t, ColorSet, ColorSet)> extend =
        [&](std::size_t peg, ColorSet used, ColorSet dead) {
            if (peg == pegs) {
                rows.insert(rows.end(), code.begin(), code.end());
                return;
            }
            const ColorSet remaining_unseen = free_colors.unseen & ~used;
            for (std::size_t color = 0; color < colors; ++color) {
                const ColorSet bit = color_bit(color);
                if (!has_repeats && (used & bit)) continue;
                if ((free_colors.dead & bit) && color != first(dead)) continue;
                if ((remaining_unseen & bit) && color != first(remaining_unseen)) continue;
                code[peg] = static_cast<std::uint8_t>(color);
                const bool uses_up = !has_repeats && (free_colors.dead & bit);
                extend(peg + 1, used | bit, uses_up ? dead & ~bit : dead);
            }
        };
    extend(0, 0, free_colors.dead);
    return rows;
}

}  // namespace mmsat::strategy
