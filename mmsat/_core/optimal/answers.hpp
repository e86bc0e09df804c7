// The answers of every code to every guess.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mmsat::optimal {

// Tables of answers, which are not owned and must outlive the object and its copies. Answers are
// numbered from 0; the last one is the win. Rows are padded to whole blocks.
struct Answers {
    static constexpr std::size_t kBlock = 64;
    static constexpr std::size_t kMaxAnswers = 254;  // the number of answers plus 1 fits in a byte

    std::size_t num_codes = 0;
    std::size_t stride = 0;                  // bytes per row
    std::size_t num_answers = 0;             // including the win
    const std::uint8_t* by_code = nullptr;   // [code * stride + guess]
    const std::uint8_t* by_guess = nullptr;  // [guess * stride + code]

    // The answers to one guess, per code. For small sets the answers are read from the rows of the
    // codes, which are more likely to be in the cache.
    struct Column {
        const std::uint8_t* first;
        std::size_t step;
        std::uint8_t operator[](std::int32_t code) const {
            return first[static_cast<std::size_t>(code) * step];
        }
    };
    Column column(std::int32_t guess, std::size_t set_size) const {
        const auto index = static_cast<std::size_t>(guess);
        if (set_size > 64) return {of_guess(index), 1};
        return {by_code + index, stride};
    }

    std::uint8_t win() const { return static_cast<std::uint8_t>(num_answers - 1); }
    std::size_t blocks() const { return stride / kBlock; }
    const std::uint8_t* of_guess(std::size_t guess) const { return by_guess + guess * stride; }
    std::uint8_t answer(std::size_t code, std::size_t guess) const {
        return by_code[code * stride + guess];
    }
};

}  // namespace mmsat::optimal
