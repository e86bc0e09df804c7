// Codes as columns of bytes, and scores as sums over the columns.
//
// An answer is a score as a number: the sum of the weights of all positions at which code and guess
// agree, plus the number of pegs that they share in each color. Blacks have weight pegs + 1 and
// shared pegs weight 1, so the answer with b black and w white is b * (pegs + 1) + b + w.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mmsat::strategy {

// How guesses are scored. With `pairs`, a color has two halves, color / shapes and color % shapes;
// a peg scores black if both halves agree, and blue if one does. With `table`, answers are looked
// up.
enum class Kind { black_white, black, color, pairs, table };

// The form of a game's scoring: sums over columns. A position column has the value of one peg, such
// as its color; after the position columns, a count column has the number of pegs of one color. All
// methods are const.
struct Form {
    // `num_shapes` is used only for pairs.
    Form(Kind scoring_kind, std::size_t num_pegs, std::size_t num_colors, std::size_t num_shapes);
    // Return a form without columns, for a table with the answers 0 to `num_answers` - 1.
    static Form of_table(std::size_t num_answers, std::uint16_t win);

    Kind kind;
    std::size_t pegs;
    std::size_t colors;
    std::size_t shapes;
    std::vector<std::uint8_t> weights;   // per position column
    std::size_t num_count_columns = 0;   // one per color, or none
    bool is_wide = false;                // whether answers need two bytes instead of one
    std::vector<std::uint16_t> answers;  // possible answers in increasing order
    std::uint16_t win = 0;               // answer to a guess that equals the code

    std::size_t columns() const { return weights.size() + num_count_columns; }
    // Return the number of words of a record. The record of a code is its form for fast scoring:
    // the value in each position column, the number of distinct colors, and for each distinct color
    // its count column and its count. Values that are compared with bytes are repeated in all bytes
    // of the word.
    std::size_t record_words() const {
        return weights.size() + 1 + (num_count_columns ? 2 * pegs : 0);
    }
    // Return the answer to a guess for a code, both given as colors.
    std::uint16_t answer(const std::uint8_t* code, const std::uint8_t* guess) const;
    // Write the record of a code.
    void write_record(const std::uint8_t* code, std::uint32_t* out) const;
    // Return the value of a code in a position column.
    std::uint8_t value_at(const std::uint8_t* code, std::size_t column) const;
};

// The columns of many codes: byte i of a column belongs to code i. Columns are padded to whole
// vectors.
struct Columns {
    std::size_t size = 0;    // number of codes
    std::size_t stride = 0;  // bytes per column
    std::vector<std::uint8_t> cells;

    Columns() = default;
    // `codes` has `num_codes` rows with a color for each peg.
    Columns(const Form& form, const std::uint8_t* codes, std::size_t num_codes);
    const std::uint8_t* column(std::size_t index) const { return cells.data() + index * stride; }
};

}  // namespace mmsat::strategy
