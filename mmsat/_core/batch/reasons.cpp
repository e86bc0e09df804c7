#include <algorithm>
#include <array>
#include <tuple>

#include "batch/batch.hpp"
#include "machine.hpp"

namespace mmsat::batch {

namespace {

// Product of up to 12 weights, each at most 128, and a number of codes.
using Likelihood = unsigned __int128;

// A set of rows, their correct answers, and the subset of these rows in which repeated colors that
// were counted twice explain the score for the code.
struct Repair {
    std::uint16_t rows = 0;
    std::array<std::uint8_t, kReasonRows> answers{};
    std::uint16_t repeats = 0;
    bool operator<(const Repair& other) const {
        return std::tie(rows, answers, repeats) <
               std::tie(other.rows, other.answers, other.repeats);
    }
    bool is_same(const Repair& other) const {
        return rows == other.rows && answers == other.answers;
    }
};

// Plausibility of the slips of a correction: product of weights by rank, then the smaller sum of
// ranks, then the likelihood summed over all its codes.
struct Plausibility {
    std::uint64_t rank_weight = 0;
    std::uint32_t rank = 0;
    Likelihood likelihood = 0;
    bool is_above(const Plausibility& other) const {
        return std::tie(rank_weight, other.rank, likelihood) >
               std::tie(other.rank_weight, rank, other.likelihood);
    }
};

// Return whether the score results from counting repeated colors twice.
bool counts_repeats(const SlipModel& model, const std::uint16_t* guess, const std::uint16_t* code,
                    std::uint32_t told) {
    std::uint32_t score = 0, black = 0, occurring = 0;
    for (std::size_t peg = 0; peg < model.pegs; ++peg) {
        const bool is_right = guess[peg] == code[peg];
        const bool occurs = std::find(code, code + model.pegs, guess[peg]) != code + model.pegs;
        black += is_right;
        occurring += occurs;
        score = score * model.base + (is_right ? 2 : occurs);
    }
    if (model.repeats == Repeats::kBlackWhite) score = black * model.base + occurring - black;
    if (model.repeats == Repeats::kColor) score = occurring;
    return score == told;
}

int size(std::uint32_t rows) {
    return __builtin_popcount(rows);
}

// Return whether one set of rows is lexicographically before another set of the same size.
bool is_before(std::uint32_t one, std::uint32_t other) {
    const std::uint32_t apart = one ^ other;
    return (one & apart & (~apart + 1)) != 0;
}

// For each code that does not give the wanted answer, add the row to its set of violated rows.
MMSAT_MULTIVERSION void add_missed(const std::uint8_t* answers, std::size_t many,
                                   std::uint8_t wanted, std::uint16_t row, std::uint16_t* missed) {
    for (std::size_t i = 0; i < many; ++i)
        missed[i] = static_cast<std::uint16_t>(missed[i] | (answers[i] != wanted ? row : 0));
}

// Finds the reasons of one board after the other and reuses its memory. It keeps references to
// `batch` and `model`, which must outlive it. Not thread-safe.
class Reasoner {
public:
    Reasoner(const Batch& batch, const SlipModel& model)
        : batch_(batch), model_(model), guess_(kReasonRows * model.pegs), code_(model.pegs) {}

    Reason find(const std::uint32_t* asked, const std::uint8_t* answers, const std::uint32_t* told,
                std::size_t rows) {
        const std::size_t codes = batch_.codes();
        missed_.assign(codes, 0);
        room_.resize(rows * codes);
        std::array<const std::uint8_t*, kReasonRows> columns{};
        for (std::size_t row = 0; row < rows; ++row) {
            columns[row] = batch_.answers(asked[row], room_.data() + row * codes);
            add_missed(columns[row], codes, answers[row], static_cast<std::uint16_t>(1u << row),
                       missed_.data());
        }
        seen_.assign(std::size_t{1} << rows, 0);
        for (const auto set : missed_) seen_[set] = 1;
        int fewest = static_cast<int>(rows);
        for (std::uint32_t set = 0; set < seen_.size(); ++set)
            if (seen_[set]) fewest = std::min(fewest, size(set));
        if (fewest == 0) return {};
        repairs_.clear();
        const std::uint16_t repeating = read_guesses(asked, rows);
        for (std::size_t code = 0; code < codes; ++code) {
            if (size(missed_[code]) != fewest) continue;
            Repair repair;
            repair.rows = missed_[code];
            std::size_t at = 0;
            for (std::size_t row = 0; row < rows; ++row)
                if (repair.rows >> row & 1) repair.answers[at++] = columns[row][code];
            repair.repeats = find_repeats(code, told, repair.rows & repeating);
            repairs_.push_back(repair);
        }
        const Repair best = likeliest(told);
        const auto row = static_cast<std::uint32_t>(__builtin_ctz(best.rows));
        return {conflict(rows), static_cast<std::uint32_t>(fewest), row, best.answers[0],
                best.repeats >> row & 1u};
    }

private:
    // Read the guesses; return a bit set of the rows in which repeated colors can be counted twice.
    std::uint16_t read_guesses(const std::uint32_t* asked, std::size_t rows) {
        std::uint16_t repeating = 0;
        for (std::size_t row = 0; row < rows && model_.repeats != Repeats::kNone; ++row) {
            std::uint16_t* const guess = guess_.data() + row * model_.pegs;
            batch_.colors_of_guess(asked[row], guess);
            for (const std::uint16_t* peg = guess; peg != guess + model_.pegs; ++peg)
                if (std::find<const std::uint16_t*>(guess, peg, *peg) != peg)
                    repeating = static_cast<std::uint16_t>(repeating | 1u << row);
        }
        return repeating;
    }

    std::uint16_t find_repeats(std::size_t code, const std::uint32_t* told, int rows) {
        std::uint16_t found = 0;
        if (rows != 0) batch_.colors_of_code(code, code_.data());
        for (; rows != 0; rows &= rows - 1) {
            const int row = __builtin_ctz(static_cast<unsigned>(rows));
            if (counts_repeats(model_, guess_.data() + row * model_.pegs, code_.data(), told[row]))
                found = static_cast<std::uint16_t>(found | 1u << row);
        }
        return found;
    }

    // Return the first smallest set of rows such that every code violates some of them, that is, no
    // code violates only other rows.
    std::uint32_t conflict(std::size_t rows) {
        // Closure: now whether some code violates only these rows, or fewer.
        for (std::size_t row = 0; row < rows; ++row)
            for (std::size_t set = 0; set < seen_.size(); ++set)
                if (set >> row & 1)
                    seen_[set] = static_cast<std::uint8_t>(seen_[set] | seen_[set ^ 1u << row]);
        const auto all = static_cast<std::uint32_t>(seen_.size() - 1);
        std::uint32_t best = all;
        for (std::uint32_t set = 1; set < all; ++set)
            if (!seen_[all ^ set] &&
                (size(set) < size(best) || (size(set) == size(best) && is_before(set, best))))
                best = set;
        return best;
    }

    // Return the plausibility of a correction with this explanation that `codes` codes share.
    Plausibility judge(const Repair& repair, const std::uint32_t* told, std::size_t codes) const {
        Plausibility found{1, 0, codes};
        std::size_t at = 0;
        for (std::uint32_t left = repair.rows; left != 0; left &= left - 1) {
            const int row = __builtin_ctz(left);
            const bool is_by_repeats = repair.repeats >> row & 1;
            const std::uint32_t rank =
                is_by_repeats ? 0 : model_.ranks[told[row] * kAnswers + repair.answers[at]];
            const std::uint32_t weight =
                model_.weights[std::min<std::size_t>(rank, model_.weights.size() - 1)];
            found.rank_weight *= weight;
            found.rank += rank;
            found.likelihood *= is_by_repeats ? model_.weight_of_repeats : weight;
            ++at;
        }
        return found;
    }

    // Return the most plausible correction with its most plausible explanation. Among equal ones,
    // the first is returned.
    Repair likeliest(const std::uint32_t* told) {
        std::sort(repairs_.begin(), repairs_.end());
        Repair best;
        Plausibility of_best;
        for (std::size_t from = 0; from < repairs_.size();) {
            Repair found;
            Plausibility of_found;
            Likelihood likelihood = 0;
            for (const Repair& first = repairs_[from];
                 from < repairs_.size() && repairs_[from].is_same(first);) {
                const Repair& repair = repairs_[from];
                const std::size_t begin = from;
                while (from < repairs_.size() && repairs_[from].is_same(first) &&
                       repairs_[from].repeats == repair.repeats)
                    ++from;
                const Plausibility plausibility = judge(repair, told, from - begin);
                likelihood += plausibility.likelihood;
                if (plausibility.is_above(of_found)) {
                    found = repair;
                    of_found = plausibility;
                }
            }
            of_found.likelihood = likelihood;
            if (of_found.is_above(of_best) ||
                (!of_best.is_above(of_found) && found.rows != best.rows &&
                 is_before(found.rows, best.rows))) {
                best = found;
                of_best = of_found;
            }
        }
        return best;
    }

    const Batch& batch_;
    const SlipModel& model_;
    std::vector<std::uint16_t> missed_, guess_, code_;
    std::vector<std::uint8_t> room_, seen_;
    std::vector<Repair> repairs_;
};

}  // namespace

void find_impossible(const Batch& batch, const Boards& boards, std::uint64_t* out) {
    for (std::size_t board = 0; board < boards.many; ++board) {
        const auto begin = boards.starts[board], end = boards.starts[board + 1];
        out[board] = 0;
        for (auto row = begin; row < end; ++row) {
            const std::uint32_t guess = boards.asked[row];
            bool fits = batch.is_code(guess);
            for (auto before = begin; fits && before < row; ++before)
                fits = batch.answer(boards.asked[before], guess) == boards.answers[before];
            out[board] |= std::uint64_t{!fits} << (row - begin);
        }
    }
}

void find_reasons(const Batch& batch, const Boards& boards, const std::uint32_t* told,
                  const SlipModel& model, Reason* out) {
    Reasoner reasoner(batch, model);
    for (std::size_t board = 0; board < boards.many; ++board) {
        const auto row = boards.starts[board];
        out[board] = reasoner.find(boards.asked + row, boards.answers + row, told + row,
                                   static_cast<std::size_t>(boards.starts[board + 1] - row));
    }
}

}  // namespace mmsat::batch
