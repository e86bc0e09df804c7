// Conversion of guesses and scores from arrays to the form that batches use.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mmsat::batch {

// Thread-safe: translate() is const and has no hidden state. An object owns its data.
struct Translator {
    std::size_t pegs, colors, parts;
    // A score is a number with a digit in this base per part. Larger parts are replaced by base -
    // 1.
    std::uint32_t base;
    std::vector<std::uint8_t> answers;  // per score
    bool packs;  // whether guesses are packed in 4 bits per peg; otherwise they are code indices
    // All codes in increasing order, as numbers with a digit in base `colors` per peg. Empty if
    // every sequence of colors is a code.
    std::vector<std::uint64_t> code_values;

    // Write, for each row, the guess, the answer, the score as a number, and whether the row is
    // unsupported: it has values below 0, for unread pegs or parts, or a guess that is not a code.
    // Returns false if a color is out of range.
    template <class Unit>
    bool translate(const Unit* guesses, const Unit* scores, std::size_t num_rows,
                   std::uint32_t* row_guesses, std::uint8_t* row_answers, std::uint32_t* row_scores,
                   bool* unsupported) const {
        for (std::size_t row = 0; row < num_rows; ++row, guesses += pegs, scores += parts) {
            std::uint64_t value = 0;  // the colors of the guess as digits in base `colors`
            std::uint32_t packed = 0, score = 0;
            bool is_unsupported = false;
            for (std::size_t peg = 0; peg < pegs; ++peg) {
                const auto color = static_cast<std::int64_t>(guesses[peg]);
                if (color < -1 || color >= static_cast<std::int64_t>(colors)) return false;
                is_unsupported |= color < 0;
                const auto digit = static_cast<std::uint32_t>(color < 0 ? 0 : color);
                value = value * colors + digit;
                packed |= digit << (4 * peg & 31);  // unused for more than 8 pegs
            }
            for (std::size_t part = 0; part < parts; ++part) {
                const auto number = static_cast<std::int64_t>(scores[part]);
                is_unsupported |= number < 0;
                score = score * base + static_cast<std::uint32_t>(std::clamp<std::int64_t>(
                                           number, 0, std::int64_t{base} - 1));
            }
            if (!packs && !code_values.empty()) {
                const auto position =
                    std::lower_bound(code_values.begin(), code_values.end(), value);
                is_unsupported |= position == code_values.end() || *position != value;
                value =
                    is_unsupported ? 0 : static_cast<std::uint64_t>(position - code_values.begin());
            }
            row_guesses[row] = packs ? packed : static_cast<std::uint32_t>(value);
            row_answers[row] = answers[score];
            row_scores[row] = score;
            unsupported[row] = is_unsupported;
        }
        return true;
    }
};

}  // namespace mmsat::batch
