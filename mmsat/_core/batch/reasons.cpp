#include <algorithm>
#include <array>
#include <cassert>
#include <tuple>

#include "batch/batch.hpp"
#include "machine.hpp"
#include "multiword.hpp"

namespace mmsat::batch {

namespace {

// Product of up to kMaxReasonRows weights and a number of codes, or a sum over all codes: at most
// 12 * 32 + 2 * 32 bits.
struct Likelihood {
    std::array<Word, 7> words{};
    Likelihood() = default;
    explicit Likelihood(std::uint32_t value) { words.front() = value; }
    Likelihood& operator*=(std::uint32_t factor) {
        [[maybe_unused]] const Word carry = multiply(words.data(), factor, words.size());
        assert(carry == 0);
        return *this;
    }
    Likelihood& operator+=(const Likelihood& other) {
        [[maybe_unused]] const unsigned carry = add(words.data(), other.words.data(), words.size());
        assert(carry == 0);
        return *this;
    }
    bool operator<(const Likelihood& other) const { return is_less(words, other.words); }
    bool operator==(const Likelihood& other) const { return words == other.words; }
};

// A correction for one code.
struct Repair {
    std::uint16_t rows = 0;                              // bit set of the corrected rows
    std::array<std::uint8_t, kMaxReasonRows> answers{};  // their correct answers, in order
    std::uint16_t repeats = 0;  // corrected rows whose score results from counting repeats twice
    bool operator<(const Repair& other) const {
        return std::tie(rows, answers, repeats) <
               std::tie(other.rows, other.answers, other.repeats);
    }
    // Return whether the corrections are equal; their explanations may differ.
    bool is_same(const Repair& other) const {
        return rows == other.rows && answers == other.answers;
    }
};

// A correction with its most probable explanation.
struct Candidate {
    Repair repair;
    Likelihood likelihood;  // sum over all codes of the correction, with any explanation
};

// Return whether the score results from counting repeated colors twice.
bool counts_repeats(const SlipModel& model, const std::uint16_t* guess, const std::uint16_t* code,
                    std::uint32_t recorded_score) {
    std::uint32_t score = 0, black = 0, num_occurring = 0;
    for (std::size_t peg = 0; peg < model.pegs; ++peg) {
        const bool is_right = guess[peg] == code[peg];
        const bool occurs = std::find(code, code + model.pegs, guess[peg]) != code + model.pegs;
        black += is_right;
        num_occurring += occurs;
        score = score * model.base + (is_right ? 2 : occurs);
    }
    if (model.repeats == Repeats::kBlackWhite) score = black * model.base + num_occurring - black;
    if (model.repeats == Repeats::kColor) score = num_occurring;
    return score == recorded_score;
}

int set_size(std::uint32_t rows) {
    return __builtin_popcount(rows);
}

// Return whether one set of rows is lexicographically before another set of the same size.
bool is_before(std::uint32_t one, std::uint32_t other) {
    const std::uint32_t difference = one ^ other;
    return (one & difference & (~difference + 1)) != 0;  // the first differing row is in `one`
}

// Add the row to the set of violated rows of each code that does not give the row's answer.
MMSAT_MULTIVERSION void add_violations(const std::uint8_t* answers, std::size_t num_codes,
                                       std::uint8_t row_answer, std::uint16_t row_bit,
                                       std::uint16_t* violated_rows) {
    for (std::size_t i = 0; i < num_codes; ++i)
        violated_rows[i] =
            static_cast<std::uint16_t>(violated_rows[i] | (answers[i] != row_answer ? row_bit : 0));
}

// Finds the reasons of one board after the other and reuses memory. `batch` and `model` must
// outlive the object. Not thread-safe.
class Reasoner {
public:
    Reasoner(const Batch& batch, const SlipModel& model)
        : batch_(batch), model_(model), guesses_(kMaxReasonRows * model.pegs), code_(model.pegs) {}

    Reason find(const std::uint32_t* guesses, const std::uint8_t* answers,
                const std::uint32_t* recorded_scores, std::size_t num_rows) {
        const std::size_t num_codes = batch_.num_codes();
        violated_rows_.assign(num_codes, 0);
        answers_buffer_.resize(num_rows * num_codes);
        std::array<const std::uint8_t*, kMaxReasonRows> columns{};
        for (std::size_t row = 0; row < num_rows; ++row) {
            columns[row] = batch_.answers(guesses[row], answers_buffer_.data() + row * num_codes);
            add_violations(columns[row], num_codes, answers[row],
                           static_cast<std::uint16_t>(1u << row), violated_rows_.data());
        }
        has_code_.assign(std::size_t{1} << num_rows, 0);
        for (const auto set : violated_rows_) has_code_[set] = 1;
        int min_changed = static_cast<int>(num_rows);
        for (std::uint32_t set = 0; set < has_code_.size(); ++set)
            if (has_code_[set]) min_changed = std::min(min_changed, set_size(set));
        if (min_changed == 0) return {};
        // The cheapest corrections: one for each code that violates the fewest rows.
        repairs_.clear();
        const std::uint16_t repeating_rows = read_guesses(guesses, num_rows);
        for (std::size_t code = 0; code < num_codes; ++code) {
            if (set_size(violated_rows_[code]) != min_changed) continue;
            Repair repair;
            repair.rows = violated_rows_[code];
            std::size_t num_answers = 0;
            for (std::size_t row = 0; row < num_rows; ++row)
                if (repair.rows >> row & 1) repair.answers[num_answers++] = columns[row][code];
            repair.repeats =
                find_double_counted_rows(code, recorded_scores, repair.rows & repeating_rows);
            repairs_.push_back(repair);
        }
        const Repair best = select_repair(recorded_scores);
        const auto row = static_cast<std::uint32_t>(__builtin_ctz(best.rows));
        return {smallest_conflict(num_rows), static_cast<std::uint32_t>(min_changed), row,
                best.answers[0], best.repeats >> row & 1u};
    }

private:
    // Store the colors of the guesses. Returns a bit set of the rows in which repeated colors can
    // be counted twice.
    std::uint16_t read_guesses(const std::uint32_t* guesses, std::size_t num_rows) {
        std::uint16_t repeating_rows = 0;
        for (std::size_t row = 0; row < num_rows && model_.repeats != Repeats::kNone; ++row) {
            std::uint16_t* const guess = guesses_.data() + row * model_.pegs;
            batch_.colors_of_guess(guesses[row], guess);
            for (const std::uint16_t* peg = guess; peg != guess + model_.pegs; ++peg)
                if (std::find<const std::uint16_t*>(guess, peg, *peg) != peg)
                    repeating_rows = static_cast<std::uint16_t>(repeating_rows | 1u << row);
        }
        return repeating_rows;
    }

    // Return the subset of the rows whose scores result from counting repeated colors twice.
    std::uint16_t find_double_counted_rows(std::size_t code, const std::uint32_t* recorded_scores,
                                           int rows) {
        std::uint16_t repeats = 0;
        if (rows != 0) batch_.colors_of_code(code, code_.data());
        for (; rows != 0; rows &= rows - 1) {
            const int row = __builtin_ctz(static_cast<unsigned>(rows));
            if (counts_repeats(model_, guesses_.data() + row * model_.pegs, code_.data(),
                               recorded_scores[row]))
                repeats = static_cast<std::uint16_t>(repeats | 1u << row);
        }
        return repeats;
    }

    // Return the first smallest set of rows such that every code violates some of them. In other
    // words, no code violates only rows outside of the set.
    std::uint32_t smallest_conflict(std::size_t num_rows) {
        // Closure: after it, has_code_ states whether some code violates only rows of the set.
        for (std::size_t row = 0; row < num_rows; ++row)
            for (std::size_t set = 0; set < has_code_.size(); ++set)
                if (set >> row & 1)
                    has_code_[set] =
                        static_cast<std::uint8_t>(has_code_[set] | has_code_[set ^ 1u << row]);
        const auto all_rows = static_cast<std::uint32_t>(has_code_.size() - 1);
        std::uint32_t best = all_rows;
        for (std::uint32_t set = 1; set < all_rows; ++set)
            if (!has_code_[all_rows ^ set] &&
                (set_size(set) < set_size(best) ||
                 (set_size(set) == set_size(best) && is_before(set, best))))
                best = set;
        return best;
    }

    // Return the likelihood of a correction with its explanation, which `num_codes` codes share.
    Likelihood judge(const Repair& repair, const std::uint32_t* recorded_scores,
                     std::uint32_t num_codes) const {
        Likelihood likelihood{num_codes};
        std::size_t i = 0;
        for (std::uint32_t remaining = repair.rows; remaining != 0; remaining &= remaining - 1) {
            const int row = __builtin_ctz(remaining);
            const bool counts_twice = repair.repeats >> row & 1;
            likelihood *=
                counts_twice
                    ? model_.repeats_weight
                    : model_.weights[recorded_scores[row] * kNumAnswers + repair.answers[i]];
            ++i;
        }
        return likelihood;
    }

    // Find the corrections, each with its most probable explanation, in the order of `repairs_`.
    // Among equally probable explanations, the first is chosen.
    void find_candidates(const std::uint32_t* recorded_scores) {
        std::sort(repairs_.begin(), repairs_.end());
        candidates_.clear();
        for (std::size_t from = 0; from < repairs_.size();) {
            // The equal repairs from here on, whose explanations may differ.
            Candidate candidate{repairs_[from], Likelihood{}};
            Likelihood highest;
            for (const Repair& first = repairs_[from];
                 from < repairs_.size() && repairs_[from].is_same(first);) {
                const Repair& repair = repairs_[from];
                const std::size_t begin = from;
                while (from < repairs_.size() && repairs_[from].is_same(first) &&
                       repairs_[from].repeats == repair.repeats)
                    ++from;
                const Likelihood likelihood =
                    judge(repair, recorded_scores, static_cast<std::uint32_t>(from - begin));
                candidate.likelihood += likelihood;
                if (highest < likelihood) {
                    highest = likelihood;
                    candidate.repair = repair;
                }
            }
            candidates_.push_back(candidate);
        }
    }

    // Return the most probable correction that changes a row which is most probably wrong. Of
    // equally probable corrections, the first is chosen, by rows and then by answers.
    Repair select_repair(const std::uint32_t* recorded_scores) {
        find_candidates(recorded_scores);
        std::array<Likelihood, kMaxReasonRows> row_likelihoods{};
        for (const Candidate& candidate : candidates_)
            for (std::uint32_t rows = candidate.repair.rows; rows != 0; rows &= rows - 1)
                row_likelihoods[static_cast<std::size_t>(__builtin_ctz(rows))] +=
                    candidate.likelihood;
        const Likelihood highest =
            *std::max_element(row_likelihoods.begin(), row_likelihoods.end());
        std::uint32_t likely_rows = 0;
        for (std::size_t row = 0; row < row_likelihoods.size(); ++row)
            likely_rows |= (row_likelihoods[row] == highest ? 1u : 0u) << row;
        Candidate best;
        for (const Candidate& candidate : candidates_)
            if ((candidate.repair.rows & likely_rows) != 0 &&
                (best.likelihood < candidate.likelihood ||
                 (best.likelihood == candidate.likelihood &&
                  is_before(candidate.repair.rows, best.repair.rows))))
                best = candidate;
        return best.repair;
    }

    const Batch& batch_;
    const SlipModel& model_;
    std::vector<std::uint16_t> violated_rows_;   // per code: bit set
    std::vector<std::uint16_t> guesses_, code_;  // colors of the guesses, and of a code
    std::vector<std::uint8_t> answers_buffer_;
    // Per set of rows: whether some code violates exactly these rows.
    std::vector<std::uint8_t> has_code_;
    std::vector<Repair> repairs_;
    std::vector<Candidate> candidates_;
};

}  // namespace

void find_inconsistent_guesses(const Batch& batch, const Boards& boards, std::uint64_t* out) {
    for (std::size_t board = 0; board < boards.num_boards; ++board) {
        const auto begin = boards.starts[board], end = boards.starts[board + 1];
        out[board] = 0;
        for (auto row = begin; row < end; ++row) {
            const std::uint32_t guess = boards.guesses[row];
            bool is_consistent = batch.is_code(guess);
            for (auto earlier = begin; is_consistent && earlier < row; ++earlier)
                is_consistent =
                    batch.answer(boards.guesses[earlier], guess) == boards.answers[earlier];
            out[board] |= std::uint64_t{!is_consistent} << (row - begin);
        }
    }
}

void find_reasons(const Batch& batch, const Boards& boards, const std::uint32_t* recorded_scores,
                  const SlipModel& model, Reason* out) {
    Reasoner reasoner(batch, model);
    for (std::size_t board = 0; board < boards.num_boards; ++board) {
        const auto row = boards.starts[board];
        out[board] =
            reasoner.find(boards.guesses + row, boards.answers + row, recorded_scores + row,
                          static_cast<std::size_t>(boards.starts[board + 1] - row));
    }
}

}  // namespace mmsat::batch
