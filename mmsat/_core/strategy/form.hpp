// Codes in columns of bytes, and scoring as sums over them.
//
// An answer is one number: the sum, over places, of a weight where code and guess agree, and, over
// colors, of the copies that they share. Blacks weigh pegs + 1 and shared colors 1, so that the
// answer of black and white is black * (pegs + 1) + black + white.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mmsat::strategy {

enum class Kind { black_white, black, color, pairs, table };

struct Form {
    // `shapes` is for pairs alone. A table has no sums; its answers are numbers up to `answers`.
    Form(Kind of, std::size_t many_pegs, std::size_t many_colors, std::size_t many_shapes);
    static Form of_table(std::size_t answers, std::uint16_t win);

    Kind kind;
    std::size_t pegs;
    std::size_t colors;
    std::size_t shapes;
    std::vector<std::uint8_t> weights;   // of each column of places
    std::size_t counted = 0;             // columns of counts that follow: the colors, or none
    bool is_wide = false;                // an answer takes two bytes
    std::vector<std::uint16_t> answers;  // those that some code and guess may get, ascending
    std::uint16_t win = 0;               // what a guess gets that is the code

    std::size_t columns() const { return weights.size() + counted; }
    // Words of a record: what a code is in each place, then how many colors it has, then the column
    // of each and its copies. What is compared with bytes fills the word with them.
    std::size_t record() const { return weights.size() + 1 + (counted ? 2 * pegs : 0); }
    // The answer of one guess to one code, both as colors.
    std::uint16_t answer(const std::uint8_t* code, const std::uint8_t* guess) const;
    void write_record(const std::uint8_t* code, std::uint32_t* out) const;
    // What a code has in a column of places.
    std::uint8_t place(const std::uint8_t* code, std::size_t column) const;
};

// Codes side by side: byte i of a column is about code i. Padded to whole vectors.
struct Columns {
    std::size_t size = 0;
    std::size_t stride = 0;
    std::vector<std::uint8_t> cells;

    Columns() = default;
    // `codes` are rows of pegs colors.
    Columns(const Form& form, const std::uint8_t* codes, std::size_t many);
    const std::uint8_t* column(std::size_t index) const { return cells.data() + index * stride; }
};

}  // namespace mmsat::strategy
