// Boards in bulk: how many codes get all scores, for board after board of one game.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mmsat::batch {

// Rows of boards one after the other; board b has those from starts[b] to starts[b + 1].
struct Boards {
    const std::int64_t* starts;
    std::size_t many;
};

// A table of the answers of every code to every guess, a byte each.
class TableBatch {
public:
    // Row g has the answers to guess g, so many codes of them, at so many bytes a row (a multiple
    // of 64); what is behind the codes is no answer.
    TableBatch(const std::uint8_t* table, std::size_t codes, std::size_t stride)
        : table_(table), codes_(codes), stride_(stride) {}
    // Write how many codes give every answer that a board has, or whether any does.
    void count(const std::uint32_t* guesses, const std::uint8_t* answers, Boards boards, bool any,
               std::uint32_t* out) const;

private:
    const std::uint8_t* table_;
    std::size_t codes_;
    std::size_t stride_;
};

// Games of up to 7 pegs and 8 colors in which pegs are alike, and colors, scored by black and
// common pegs: a code is 4 bits for each peg, and 4 for each color's number of pegs. One row of a
// board, by what it is but for the order of pegs and the names of colors, has the list of its
// codes at hand; the other rows, brought into that order, are scored against it.
class ListBatch {
public:
    // `codes` are rows of pegs colors; an answer is black * of_black + common * of_common.
    ListBatch(const std::uint8_t* codes, std::size_t many, std::size_t pegs, std::size_t colors,
              std::uint32_t of_black, std::uint32_t of_common);
    void count(const std::uint8_t* guesses, const std::uint8_t* answers, Boards boards, bool any,
               std::uint32_t* out) const;

private:
    struct Packed {
        std::uint32_t pegs, counts;
    };
    struct List {
        std::vector<std::uint32_t> pegs, counts;
    };
    struct Order {
        std::size_t kind;
        std::uint8_t peg_to[8], color_to[8];
    };
    Packed pack(const std::uint8_t* code) const;
    Order order(const std::uint8_t* guess) const;
    std::uint8_t answer(Packed one, Packed other) const;

    std::size_t pegs_, colors_;
    std::uint32_t of_black_, of_common_;
    std::vector<std::vector<std::size_t>> kinds_;  // numbers of pegs of a color, the most first
    std::vector<std::vector<List>> lists_;         // by kind and answer
};

}  // namespace mmsat::batch
