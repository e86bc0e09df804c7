// Layout of codes in columns of bytes, and scores as sums over columns.
//
// An answer is a number: the sum of the weights of all places at which code and guess agree, plus
// the number of pegs they share in each color. Blacks have weight pegs + 1 and shared pegs weight
// 1, so the answer with b black and w white is b * (pegs + 1) + b + w.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mmsat::strategy {

// How guesses are scored; table means that answers are looked up.
enum class Kind { black_white, black, color, pairs, table };

// Scoring of a game as sums over columns. All methods are const.
struct Form {
    // `shapes` is used by pairs only. For a table, there are no sums, and answers are numbers below
    // `answers`.
    Form(Kind of, std::size_t many_pegs, std::size_t many_colors, std::size_t many_shapes);
    static Form of_table(std::size_t answers, std::uint16_t win);

    Kind kind;
    std::size_t pegs;
    std::size_t colors;
    std::size_t shapes;
    std::vector<std::uint8_t> weights;  // per column of places
    std::size_t counted = 0;  // number of columns of counts after them: one per color, or none
    bool is_wide = false;     // whether an answer has two bytes
    std::vector<std::uint16_t> answers;  // possible answers in increasing order
    std::uint16_t win = 0;               // the answer to a guess that is the code

    std::size_t columns() const { return weights.size() + counted; }
    // Number of words of a record: the value of each place, the number of distinct colors, and for
    // each of these its column and its count. Values that are compared with bytes are repeated in
    // all bytes of the word.
    std::size_t record() const { return weights.size() + 1 + (counted ? 2 * pegs : 0); }
    // Return the answer to a guess for a code, both given as colors.
    std::uint16_t answer(const std::uint8_t* code, const std::uint8_t* guess) const;
    // Write the record of a code.
    void write_record(const std::uint8_t* code, std::uint32_t* out) const;
    // Return the value of a code in a column of places.
    std::uint8_t place(const std::uint8_t* code, std::size_t column) const;
};

// Codes column by column: byte i of a column belongs to code i. Columns are padded to whole
// vectors.
struct Columns {
    std::size_t size = 0;
    std::size_t stride = 0;
    std::vector<std::uint8_t> cells;

    Columns() = default;
    // `codes` has `many` rows of pegs colors.
    Columns(const Form& form, const std::uint8_t* codes, std::size_t many);
    const std::uint8_t* column(std::size_t index) const { return cells.data() + index * stride; }
};

}  // namespace mmsat::strategy
