// Boards in bulk, board after board of one game: the codes that get all scores, the guesses that
// could not be the code, and why there is no code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mmsat::batch {

// Rows of boards one after the other, as what was asked and what was answered; board b has those
// from starts[b] to starts[b + 1].
struct Boards {
    const std::uint32_t* asked;
    const std::uint8_t* answers;
    const std::int64_t* starts;
    std::size_t many;
};

class Batch {
public:
    virtual ~Batch() = default;
    virtual std::size_t codes() const = 0;
    virtual bool knows(std::uint32_t asked) const = 0;
    // Write how many codes give every answer that a board has, or whether any does.
    virtual void count(const Boards& boards, bool any, std::uint32_t* out) const = 0;
    // The answers of all codes in order; `room` is for as many bytes.
    virtual const std::uint8_t* answers(std::uint32_t asked, std::uint8_t* room) const = 0;
    // What a guess would be answered if another one were the code.
    virtual std::uint8_t answer(std::uint32_t asked, std::uint32_t guess) const = 0;
    virtual bool is_code(std::uint32_t asked) const = 0;
};

// A table of the answers of every code to every guess, a byte each, and, where they take little, of
// the codes by guess and answer, a bit each. A guess is the number of a code.
class TableBatch final : public Batch {
public:
    // Row g has the answers to guess g, so many codes of them, at so many bytes a row (a multiple
    // of 64); what is behind the codes is no answer.
    TableBatch(const std::uint8_t* table, std::size_t codes, std::size_t stride);
    std::size_t codes() const override { return codes_; }
    bool knows(std::uint32_t asked) const override { return asked < codes_; }
    void count(const Boards& boards, bool any, std::uint32_t* out) const override;
    const std::uint8_t* answers(std::uint32_t asked, std::uint8_t*) const override {
        return table_ + asked * stride_;
    }
    std::uint8_t answer(std::uint32_t asked, std::uint32_t guess) const override {
        return table_[asked * stride_ + guess];
    }
    bool is_code(std::uint32_t) const override { return true; }

private:
    const std::uint8_t* table_;
    std::size_t codes_, stride_;
    std::size_t sets_ = 0, words_ = 0;  // answers of a guess; words of 64 codes for each
    std::vector<std::uint64_t> bits_;
};

// Games of up to 7 pegs and 8 colors in which pegs are alike, and colors, scored by black and
// common pegs: a code is 4 bits for each peg, and 4 for each color's number of pegs. One row of a
// board, by what it is but for the order of pegs and the names of colors, has the list of its
// codes at hand; the other rows, brought into that order, are scored against it.
class ListBatch final : public Batch {
public:
    // `codes` are rows of pegs colors; an answer is black * of_black + common * of_common.
    ListBatch(const std::uint8_t* codes, std::size_t many, std::size_t pegs, std::size_t colors,
              std::uint32_t of_black, std::uint32_t of_common);
    std::size_t codes() const override { return every_.pegs.size(); }
    bool knows(std::uint32_t asked) const override;
    void count(const Boards& boards, bool any, std::uint32_t* out) const override;
    const std::uint8_t* answers(std::uint32_t asked, std::uint8_t* room) const override;
    std::uint8_t answer(std::uint32_t asked, std::uint32_t guess) const override;
    bool is_code(std::uint32_t asked) const override;

private:
    struct List {
        std::vector<std::uint32_t> pegs, counts;
    };
    struct Order {
        std::size_t kind;
        std::uint8_t peg_to[8], color_to[8];
    };
    std::uint32_t color(std::uint32_t asked, std::size_t peg) const {
        return asked >> 4 * peg & 15;
    }
    std::uint32_t counts(std::uint32_t asked) const;
    Order order(std::uint32_t asked) const;

    std::size_t pegs_, colors_;
    std::uint32_t of_black_, of_common_;
    bool repeats_;  // whether a color may come twice in a code
    List every_;
    std::vector<std::vector<std::size_t>> kinds_;  // numbers of pegs of a color, the most first
    std::vector<std::vector<List>> lists_;         // by kind and answer
};

// A bit for each row, of up to 64 a board, whose guess could not be the code after those before it.
void find_impossible(const Batch& batch, const Boards& boards, std::uint64_t* out);

constexpr std::size_t kAnswers = 256, kReasonRows = 12;

// Why a board has no code: its first smallest conflict, a bit a row, and of its likeliest cheapest
// correction how many rows change, the first of them, and the answer that it should have had; all
// 0 where there is a code.
struct Reason {
    std::uint32_t conflict, changed, row, answer;
};

// Boards without a code, of up to 12 rows. `ranks` tells how far-fetched it is that a score was put
// down, a row of 256, where an answer was meant; `told` has the score of each row of the boards.
void find_reasons(const Batch& batch, const Boards& boards, const std::uint32_t* told,
                  const std::uint16_t* ranks, Reason* out);

}  // namespace mmsat::batch
