// Evaluation of many boards of one game at a time: numbers of consistent codes, guesses that
// contradict earlier rows, and reasons for inconsistency.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mmsat::batch {

// The rows of all boards one after the other, as guesses and answers. Board b has the rows
// starts[b] to starts[b + 1] - 1, so `starts` has num_boards + 1 elements. The arrays are not
// owned.
struct Boards {
    const std::uint32_t* guesses;
    const std::uint8_t* answers;
    const std::int64_t* starts;
    std::size_t num_boards;
};

// The codes of one game with their answers. An answer is a byte that identifies a score. Guesses
// are 32-bit numbers whose meaning depends on the implementation.
//
// Thread-safe: all methods are const and have no hidden state, so several threads may use one
// object. The bindings release the GIL.
class Batch {
public:
    virtual ~Batch() = default;
    virtual std::size_t num_codes() const = 0;
    // Return whether the number represents a guess of this game.
    virtual bool is_guess(std::uint32_t guess) const = 0;
    // Write to `out`, for each board, the number of codes that give all answers. With
    // `only_exists`, write 1 if there is such a code, otherwise 0.
    virtual void count(const Boards& boards, bool only_exists, std::uint32_t* out) const = 0;
    // Return the answers of all codes to a guess. The result points into a table of the object or,
    // if the object stores no answers, to `buffer`, which must have num_codes() bytes.
    virtual const std::uint8_t* answers(std::uint32_t guess, std::uint8_t* buffer) const = 0;
    // Return the answer to a guess if the code is `code`, which is given like a guess.
    virtual std::uint8_t answer(std::uint32_t guess, std::uint32_t code) const = 0;
    // Return whether the guess is a code.
    virtual bool is_code(std::uint32_t guess) const = 0;
    // Write the colors of the code with this index, or of a guess.
    virtual void colors_of_code(std::size_t code, std::uint16_t* colors) const = 0;
    virtual void colors_of_guess(std::uint32_t guess, std::uint16_t* colors) const = 0;
};

// A game given by a table of the answers of every code to every guess. It also stores, for each
// guess and answer, a bit set of the codes, if these bit sets fit in memory. A guess is the index
// of a code.
class TableBatch final : public Batch {
public:
    // Row g of `table` begins with the answers of all codes to guess g. A row has `stride` bytes, a
    // multiple of 64. The table is not copied and must outlive the object. `colors` has the colors
    // of the pegs of each code and is copied.
    TableBatch(const std::uint8_t* table, std::size_t num_codes, std::size_t stride,
               const std::uint16_t* colors, std::size_t pegs);
    std::size_t num_codes() const override { return num_codes_; }
    bool is_guess(std::uint32_t guess) const override { return guess < num_codes_; }
    void count(const Boards& boards, bool only_exists, std::uint32_t* out) const override;
    const std::uint8_t* answers(std::uint32_t guess, std::uint8_t*) const override {
        return table_ + guess * stride_;
    }
    std::uint8_t answer(std::uint32_t guess, std::uint32_t code) const override {
        return table_[guess * stride_ + code];
    }
    bool is_code(std::uint32_t) const override { return true; }
    void colors_of_code(std::size_t code, std::uint16_t* colors) const override {
        std::copy_n(colors_.data() + code * pegs_, pegs_, colors);
    }
    void colors_of_guess(std::uint32_t guess, std::uint16_t* colors) const override {
        colors_of_code(guess, colors);
    }

private:
    const std::uint8_t* table_;
    std::size_t num_codes_, stride_, pegs_;
    std::vector<std::uint16_t> colors_;
    // number of bit sets per guess, and number of words per bit set
    std::size_t num_sets_ = 0, num_words_ = 0;
    std::vector<std::uint64_t> bits_;
};

// Games of up to 7 pegs and 8 colors that are symmetric in pegs and in colors, and scored by black
// pegs and by common pegs (black plus white). A guess has 4 bits per peg, and counts have 4 bits
// per color. Guesses that differ only in the order of pegs and the names of colors have the same
// kind. For each kind and each answer there is a list of the codes with this answer to the
// representative of the kind. To evaluate a board, the row with the shortest list is mapped to its
// representative, all other rows are mapped in the same way, and the list is scored against them.
class ListBatch final : public Batch {
public:
    // `codes` has `pegs` colors per code and is copied. An answer is black * black_factor + common
    // * common_factor.
    ListBatch(const std::uint8_t* codes, std::size_t num_codes, std::size_t pegs,
              std::size_t colors, std::uint32_t black_factor, std::uint32_t common_factor);
    std::size_t num_codes() const override { return all_codes_.pegs.size(); }
    bool is_guess(std::uint32_t guess) const override;
    void count(const Boards& boards, bool only_exists, std::uint32_t* out) const override;
    const std::uint8_t* answers(std::uint32_t guess, std::uint8_t* buffer) const override;
    std::uint8_t answer(std::uint32_t guess, std::uint32_t code) const override;
    bool is_code(std::uint32_t guess) const override;
    void colors_of_code(std::size_t code, std::uint16_t* colors) const override {
        colors_of_guess(all_codes_.pegs[code], colors);
    }
    void colors_of_guess(std::uint32_t guess, std::uint16_t* colors) const override {
        for (std::size_t peg = 0; peg < pegs_; ++peg)
            colors[peg] = static_cast<std::uint16_t>(color(guess, peg));
    }

private:
    // Codes in packed form, with their packed color counts.
    struct List {
        std::vector<std::uint32_t> pegs, counts;
    };
    // The kind of a guess, and the permutations that map the guess to the representative of the
    // kind.
    struct CanonicalMap {
        std::size_t kind;
        std::uint8_t new_peg[8], new_color[8];  // per peg, and per color
    };
    std::uint32_t color(std::uint32_t guess, std::size_t peg) const {
        return guess >> 4 * peg & 15;
    }
    std::uint32_t counts(std::uint32_t guess) const;
    CanonicalMap canonical_map(std::uint32_t guess) const;

    std::size_t pegs_, colors_;
    std::uint32_t black_factor_, common_factor_;
    bool allows_repeats_;  // whether some code has a color more than once
    List all_codes_;
    // Per kind: numbers of pegs of each color, in decreasing order.
    std::vector<std::vector<std::size_t>> kinds_;
    std::vector<std::vector<List>> lists_;  // [kind][answer]
};

// Write to `out`, for each board of up to 64 rows, a bit set of the rows whose guess is
// inconsistent with the earlier rows.
void find_inconsistent_guesses(const Batch& batch, const Boards& boards, std::uint64_t* out);

constexpr std::size_t kNumAnswers = 256;
constexpr std::size_t kMaxReasonRows = 12;  // of a board in find_reasons()

// The reason why a board is inconsistent: its smallest conflict (the first one if there are
// several), and one of the corrections that change the fewest rows. It is the most probable one of
// those that change a row which is most probably wrong. `row` and the fields after it describe only
// the first change of the correction, whose row may be another one. All fields are 0 if there is a
// code.
struct Reason {
    std::uint32_t conflict;     // bit set of rows
    std::uint32_t num_changed;  // number of corrected rows
    std::uint32_t row;          // first corrected row
    std::uint32_t answer;       // correct answer of this row
    // 1 if repeated colors were counted twice in this row, else 0.
    std::uint32_t counts_repeats_twice;
};

// How scores are computed by a faulty program that counts repeated colors twice, by the kind of
// scoring: it counts every peg of the guess whose color occurs in the code. With kNone, this
// mistake is not considered.
enum class Repeats : std::uint8_t { kNone, kBlackWhite, kColor, kMarks };

// Probabilities of slips (see diagnosis/corrections.py). `weights` has 256 entries per recorded
// score: the weight of the slip from each correct answer to this score. A score is a number with
// one digit in base `base` per part. `weights` is not owned and must outlive the model.
struct SlipModel {
    const std::uint32_t* weights;
    Repeats repeats;
    std::uint32_t repeats_weight;
    std::size_t pegs;
    std::uint32_t base;
};

// Write to `out` the reasons for boards of 1 to kMaxReasonRows rows. `recorded_scores` has the same
// scores as boards.answers, as numbers in base `base` of the model. The answers of all codes are
// compared with each board.
void find_reasons(const Batch& batch, const Boards& boards, const std::uint32_t* recorded_scores,
                  const SlipModel& model, Reason* out);

}  // namespace mmsat::batch
