// Conversion of guesses and scores from arrays to the form that batches use.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mmsat::batch {

// Thread-safe: translate() is const and has no hidden state. It owns its data.
struct Translator {
    std::size_t pegs, colors, parts;
    std::uint32_t base;                 // larger parts of a score are replaced by base - 1
    std::vector<std::uint8_t> answers;  // by score: a number with a digit in this base per part
    bool packs;  // whether guesses are packed in 4 bits per peg; otherwise they are code indices
    // Of all codes in increasing order, one digit per peg; empty if every sequence of colors is a
    // code.
    std::vector<std::uint64_t> values;

    // Write, for each row, the guess, the answer, the score as a number, and whether the row is
    // unknown: it has values below 0, which were not read, or a guess that is not a code. Returns
    // false if a color is out of range.
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
