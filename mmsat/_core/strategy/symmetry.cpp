#include "strategy/symmetry.hpp"

#include <algorithm>
#include <functional>

namespace mmsat::strategy {

namespace {

constexpr std::uint8_t kNone = 255;

ColorSet one(std::size_t color) {
    return ColorSet{1} << color;
}

// Return the first color of a nonempty set.
std::uint8_t first(ColorSet set) {
    std::uint8_t color = 0;
    while (!(set & one(color))) ++color;
    return color;
}

}  // namespace

// Backtracking over the pegs: each peg determines where the colors of all guesses at that peg are
// mapped to.
std::vector<Renaming> renamings(const std::vector<Code>& guesses, std::size_t pegs,
                                std::size_t colors, std::size_t most) {
    std::vector<Renaming> found;
    Renaming made{std::vector<std::uint8_t>(pegs), std::vector<std::uint8_t>(colors, kNone)};
    std::vector<std::uint8_t> sources(colors, kNone);
    std::vector<bool> used(pegs, false);
    const std::function<void(std::size_t)> place = [&](std::size_t peg) {
        if (found.size() >= most) return;
        if (peg == pegs) {
            found.push_back(made);
            for (std::size_t color = 0; color < colors; ++color)
                if (made.colors[color] == kNone)
                    found.back().colors[color] = static_cast<std::uint8_t>(color);
            return;
        }
        for (std::size_t from = 0; from < pegs; ++from) {
            if (used[from]) continue;
            std::vector<std::uint8_t> named;
            bool fits = true;
            for (const Code& guess : guesses) {
                const std::uint8_t old = guess[from];
                const std::uint8_t now = guess[peg];
                if (made.colors[old] == kNone && sources[now] == kNone) {
                    made.colors[old] = now;
                    sources[now] = old;
                    named.push_back(old);
                } else if (made.colors[old] != now) {
                    fits = false;
                    break;
                }
            }
            if (fits) {
                used[from] = true;
                made.pegs[peg] = static_cast<std::uint8_t>(from);
                place(peg + 1);
                used[from] = false;
            }
            for (std::uint8_t old : named) {
                sources[made.colors[old]] = kNone;
                made.colors[old] = kNone;
            }
        }
    };
    place(0);
    return found;
}

void lower(const Knowledge& known, bool has_repeats, std::size_t pegs, std::uint8_t* code) {
    std::uint8_t names[64];
    std::fill(names, names + 64, kNone);
    ColorSet dead = known.dead;
    ColorSet unseen = known.unseen;
    for (std::size_t peg = 0; peg < pegs; ++peg) {
        const std::uint8_t color = code[peg];
        std::uint8_t& name = names[color];
        if (name == kNone) {
            name = color;
            if (known.dead & one(color)) {
                name = first(dead);
                if (!has_repeats) dead &= ~one(name);
            } else if (known.unseen & one(color)) {
                name = first(unseen);
                unseen &= ~one(name);
            }
        }
        code[peg] = name;
    }
}

bool is_first(const std::uint8_t* code, const std::vector<Renaming>& renamings,
              const Knowledge& known, bool has_repeats, std::size_t pegs) {
    std::uint8_t image[256];
    for (const Renaming& renaming : renamings) {
        for (std::size_t peg = 0; peg < pegs; ++peg)
            image[peg] = renaming.colors[code[renaming.pegs[peg]]];
        lower(known, has_repeats, pegs, image);
        if (std::lexicographical_compare(image, image + pegs, code, code + pegs)) return false;
    }
    return true;
}

std::vector<std::uint8_t> lowest_codes(const Knowledge& known, bool has_repeats, std::size_t pegs,
                                       std::size_t colors) {
    std::vector<std::uint8_t> rows;
    Code code(pegs);
    const std::function<void(std::size_t, ColorSet, ColorSet)> place =
        [&](std::size_t peg, ColorSet used, ColorSet dead) {
            if (peg == pegs) {
                rows.insert(rows.end(), code.begin(), code.end());
                return;
            }
            const ColorSet fresh = known.unseen & ~used;
            for (std::size_t color = 0; color < colors; ++color) {
                const ColorSet bit = one(color);
                if (!has_repeats && (used & bit)) continue;
                if ((known.dead & bit) && color != first(dead)) continue;
                if ((fresh & bit) && color != first(fresh)) continue;
                code[peg] = static_cast<std::uint8_t>(color);
                const bool spends = !has_repeats && (known.dead & bit);
                place(peg + 1, used | bit, spends ? dead & ~bit : dead);
            }
        };
    place(0, 0, known.dead);
    return rows;
}

}  // namespace mmsat::strategy
