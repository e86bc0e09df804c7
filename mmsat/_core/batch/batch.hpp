// Boards in bulk, board after board of one game: the codes that get all scores, the guesses that
// could not be the code, and why there is no code.
#pragma once

#include <algorithm>
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
    // The colors of a code by its index, and of a guess.
    virtual void colors_of_code(std::size_t code, std::uint16_t* colors) const = 0;
    virtual void colors_of_guess(std::uint32_t asked, std::uint16_t* colors) const = 0;
};

// A table of the answers of every code to every guess, a byte each, and, where they take little, of
// the codes by guess and answer, a bit each. A guess is the number of a code.
class TableBatch final : public Batch {
public:
    // Row g has the answers of `codes` codes to guess g, in `stride` bytes for each row (a multiple
    // of 64), which are padded behind the codes. `colors` has the pegs of each code.
    TableBatch(const std::uint8_t* table, std::size_t codes, std::size_t stride,
               const std::uint16_t* colors, std::size_t pegs);
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
    void colors_of_code(std::size_t code, std::uint16_t* colors) const override {
        std::copy_n(colors_.data() + code * pegs_, pegs_, colors);
    }
    void colors_of_guess(std::uint32_t asked, std::uint16_t* colors) const override {
        colors_of_code(asked, colors);
    }

private:
    const std::uint8_t* table_;
    std::size_t codes_, stride_, pegs_;
    std::vector<std::uint16_t> colors_;
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
    void colors_of_code(std::size_t code, std::uint16_t* colors) const override {
        colors_of_guess(every_.pegs[code], colors);
    }
    void colors_of_guess(std::uint32_t asked, std::uint16_t* colors) const override {
        for (std::size_t peg = 0; peg < pegs_; ++peg)
            colors[peg] = static_cast<std::uint16_t>(color(asked, peg));
    }

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

// Why a board is inconsistent: its first smallest conflict, a bit for each row, and of the most
// plausible cheapest correction the number of changed rows, the first of them, its correct answer,
// and whether repeated colors were counted twice in it; all 0 if there is a code.
struct Reason {
    std::uint32_t conflict, changed, row, answer, is_by_repeats;
};

// How a program scores that counts each peg of the guess whose color occurs in the code.
enum class Repeats : std::uint8_t { kNone, kBlackWhite, kColor, kMarks };

constexpr std::uint32_t kMostWeight = 128;

// How likely slips are (see diagnosis/slips.py). `ranks` has a row of 256 for each score: the rank
// of the slip from each answer to that score. `weights` are by rank, the last one for all higher
// ranks, and at most 128. Scores are numbers with a digit of the base for each part.
struct SlipModel {
    const std::uint16_t* ranks;
    std::vector<std::uint32_t> weights;
    Repeats repeats;
    std::uint32_t weight_of_repeats;
    std::size_t pegs;
    std::uint32_t base;
};

// For inconsistent boards of up to 12 rows; `told` has the score of each row of the boards.
void find_reasons(const Batch& batch, const Boards& boards, const std::uint32_t* told,
                  const SlipModel& model, Reason* out);

}  // namespace mmsat::batch
