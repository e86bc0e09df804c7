// Validation of the arguments that the bindings of both searches share.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "bindings.hpp"
#include "optimal/answers.hpp"
#include "optimal/canonicalizer.hpp"

namespace mmsat::optimal {

using Cells = Array<const std::uint8_t, 2>;

// Return the answers in the tables, which must outlive the result. The caller checks the numbers of
// codes and of answers.
inline Answers check_answers(const Cells& codes, const Cells& by_code, const Cells& by_guess,
                             std::size_t num_answers) {
    const std::size_t size = codes.shape(0);
    for (const Cells* table : {&by_code, &by_guess}) {
        require(table->shape(0) == size && table->shape(1) >= size &&
                    table->shape(1) % Answers::kBlock == 0,
                "a table has a row for each code and, padded to a multiple of 64, a column");
        const std::uint8_t* const cells = table->data();
        require(std::all_of(cells, cells + table->size(),
                            [&](std::uint8_t answer) { return answer < num_answers; }),
                "a table has answers below their number");
    }
    require(by_code.shape(1) == by_guess.shape(1), "the tables have rows of one length");
    return {size, by_code.shape(1), num_answers, by_code.data(), by_guess.data()};
}

inline Canonicalizer check_codes(const Cells& codes, std::size_t colors, Symmetries symmetries) {
    const std::size_t pegs = codes.shape(1);
    require(pegs >= 1 && pegs <= Canonicalizer::kMaxPegs, "pegs is 1 to 16");
    require(colors >= 1 && colors <= Canonicalizer::kMaxColors, "colors is 1 to 255");
    require(std::all_of(codes.data(), codes.data() + codes.size(),
                        [&](std::uint8_t color) { return color < colors; }),
            "every color is below colors");
    return Canonicalizer(codes.data(), codes.shape(0), pegs, colors, symmetries);
}

// Return whether these are indices of codes in increasing order, at least one.
inline bool are_codes(const std::vector<std::int32_t>& indices, std::size_t num_codes) {
    return !indices.empty() && indices.front() >= 0 &&
           indices.back() < static_cast<std::int32_t>(num_codes) &&
           std::adjacent_find(indices.begin(), indices.end(), std::greater_equal<>()) ==
               indices.end();
}

}  // namespace mmsat::optimal
