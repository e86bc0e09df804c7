// Guesses and scores, as arrays have them, brought into the form of batches.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mmsat::batch {

struct Translator {
    std::size_t pegs, colors, parts;
    std::uint32_t base;                 // parts of scores are below it, or count as one less
    std::vector<std::uint8_t> answers;  // by score, a digit of the base for each part
    bool packs;                         // a guess is 4 bits for each peg, or the number of a code
    std::vector<std::uint64_t> values;  // of codes, ascending, a digit for each peg; empty: all

    // What is asked and answered, each score as a number, and which rows are not known: they have
    // what was not read (below 0), or a guess that is no code. False where a color is out of range.
    template <class Unit>
    bool translate(const Unit* guesses, const Unit* scores, std::size_t rows, std::uint32_t* asked,
                   std::uint8_t* answered, std::uint32_t* told, bool* unknown) const {
        for (std::size_t row = 0; row < rows; ++row, guesses += pegs, scores += parts) {
            std::uint64_t value = 0;
            std::uint32_t packed = 0, score = 0;
            bool is_unread = false;
            for (std::size_t peg = 0; peg < pegs; ++peg) {
                const auto color = static_cast<std::int64_t>(guesses[peg]);
                if (color < -1 || color >= static_cast<std::int64_t>(colors)) return false;
                is_unread |= color < 0;
                const auto read = static_cast<std::uint32_t>(color < 0 ? 0 : color);
                value = value * colors + read;
                packed |= read << (4 * peg & 31);
            }
            for (std::size_t part = 0; part < parts; ++part) {
                const auto number = static_cast<std::int64_t>(scores[part]);
                is_unread |= number < 0;
                score = score * base + static_cast<std::uint32_t>(std::clamp<std::int64_t>(
                                           number, 0, std::int64_t{base} - 1));
            }
            if (!packs && !values.empty()) {
                const auto found = std::lower_bound(values.begin(), values.end(), value);
                is_unread |= found == values.end() || *found != value;
                value = is_unread ? 0 : static_cast<std::uint64_t>(found - values.begin());
            }
            asked[row] = packs ? packed : static_cast<std::uint32_t>(value);
            answered[row] = answers[score];
            told[row] = score;
            unknown[row] = is_unread;
        }
        return true;
    }
};

}  // namespace mmsat::batch
