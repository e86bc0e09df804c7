// Evaluation of many boards of one game at a time: number of consistent codes, guesses that
// contradict earlier rows, and reasons for inconsistency.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mmsat::batch {

// The rows of all boards one after the other, as guesses and answers. Board b has the rows
// starts[b] to starts[b + 1] - 1, so `starts` has many + 1 elements. The pointers are not owned;
// the arrays must outlive every call that reads them.
struct Boards {
    const std::uint32_t* asked;
    const std::uint8_t* answers;
    const std::int64_t* starts;
    std::size_t many;
};

// The codes of one game with their answers. An answer is a byte that identifies a score. Guesses
// are 32-bit numbers whose meaning depends on the implementation.
//
// Thread-safe: all methods are const and have no hidden state, so several threads may use one
// object. The bindings release the GIL.
class Batch {
public:
    virtual ~Batch() = default;
    virtual std::size_t codes() const = 0;
    // Whether `asked` is a guess of this game.
    virtual bool knows(std::uint32_t asked) const = 0;
    // Write to `out`, for each board, the number of codes that give all answers, or with `any` 1 if
    // there is one and 0 otherwise.
    virtual void count(const Boards& boards, bool any, std::uint32_t* out) const = 0;
    // Return the answers of all codes to a guess. If the object does not store them, they are
    // written to `room`, which needs codes() bytes; otherwise the result points into its table.
    virtual const std::uint8_t* answers(std::uint32_t asked, std::uint8_t* room) const = 0;
    // Return the answer to the guess `asked` for the code `guess`.
    virtual std::uint8_t answer(std::uint32_t asked, std::uint32_t guess) const = 0;
    // Whether the guess is a code.
    virtual bool is_code(std::uint32_t asked) const = 0;
    // Write the colors of the code with this index, or of a guess.
    virtual void colors_of_code(std::size_t code, std::uint16_t* colors) const = 0;
    virtual void colors_of_guess(std::uint32_t asked, std::uint16_t* colors) const = 0;
};

// A game given by a table of the answers of every code to every guess. If they fit in memory, it
// also stores, for each guess and answer, a bit set of the codes. A guess is the index of a code.
class TableBatch final : public Batch {
public:
    // Row g of `table` has the answers of `codes` codes to guess g in its first bytes; a row has
    // `stride` bytes, a multiple of 64. The table is not copied and must outlive the object.
    // `colors`, the pegs of each code, is copied.
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
    std::size_t sets_ = 0, words_ = 0;  // number of bit sets per guess; words per bit set
    std::vector<std::uint64_t> bits_;
};

// Games of up to 7 pegs and 8 colors that are symmetric in pegs and in colors and scored by black
// and common pegs. A guess has 4 bits per peg; counts have 4 bits per color. For each kind of guess
// (up to the order of pegs and the names of colors) and each answer there is a list of codes. To
// evaluate a board, the row with the shortest list is mapped to that kind, and the other rows,
// mapped in the same way, are scored against the list.
class ListBatch final : public Batch {
public:
    // `codes` has `pegs` colors per code and is copied. An answer is black * of_black + common *
    // of_common.
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
    // Codes in packed form, with their packed color counts.
    struct List {
        std::vector<std::uint32_t> pegs, counts;
    };
    // The kind of a guess, and the permutations that map the guess to the representative of its
    // kind.
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
    bool repeats_;  // whether some code has a color more than once
    List every_;
    // Per kind: numbers of pegs of its colors, in decreasing order.
    std::vector<std::vector<std::size_t>> kinds_;
    std::vector<std::vector<List>> lists_;  // [kind][answer]
};

// Write to `out`, for each board of up to 64 rows, a bit set of the rows whose guess contradicts
// the rows before it.
void find_impossible(const Batch& batch, const Boards& boards, std::uint64_t* out);

constexpr std::size_t kAnswers = 256, kReasonRows = 12;

// Why a board is inconsistent. `conflict` is its smallest conflict, the first one if there are
// several, as a bit set of rows. The other fields describe the most plausible of the cheapest
// corrections: number of changed rows, the first changed row, its correct answer, and whether
// repeated colors were counted twice in it. All are 0 if there is a code.
struct Reason {
    std::uint32_t conflict, changed, row, answer, is_by_repeats;
};

// How programs score that count every peg of the guess whose color occurs in the code.
enum class Repeats : std::uint8_t { kNone, kBlackWhite, kColor, kMarks };

constexpr std::uint32_t kMaxWeight = 128;

// Probabilities of slips (see diagnosis/slips.py). `ranks` has 256 entries per score: the rank of
// the slip from each answer to this score. `weights` are indexed by rank, up to kMaxWeight each;
// the last one is for all higher ranks as well. A score is a number with one digit in base `base`
// per part. `ranks` is not owned and must outlive the model.
struct SlipModel {
    const std::uint16_t* ranks;
    std::vector<std::uint32_t> weights;
    Repeats repeats;
    std::uint32_t weight_of_repeats;
    std::size_t pegs;
    std::uint32_t base;
};

// Write to `out` the reasons for boards of 1 to 12 rows. `told` has the score of each row. All
// codes are scored for every board.
void find_reasons(const Batch& batch, const Boards& boards, const std::uint32_t* told,
                  const SlipModel& model, Reason* out);

}  // namespace mmsat::batch
