#include <algorithm>
#include <array>
#include <tuple>

#include "batch/batch.hpp"
#include "machine.hpp"

namespace mmsat::batch {

namespace {

// Rows, and the answers that they should have had.
struct Repair {
    std::uint16_t rows = 0;
    std::array<std::uint8_t, kReasonRows> answers{};
    bool operator<(const Repair& other) const {
        return std::tie(rows, answers) < std::tie(other.rows, other.answers);
    }
    bool operator==(const Repair& other) const {
        return rows == other.rows && answers == other.answers;
    }
};

int size(std::uint32_t rows) {
    return __builtin_popcount(rows);
}

// Whether some rows come before as many others, both in ascending order.
bool is_before(std::uint32_t one, std::uint32_t other) {
    const std::uint32_t apart = one ^ other;
    return (one & apart & (~apart + 1)) != 0;
}

// Add a row to the rows that each code misses.
MMSAT_CLONES void add_missed(const std::uint8_t* answers, std::size_t many, std::uint8_t wanted,
                             std::uint16_t row, std::uint16_t* missed) {
    for (std::size_t i = 0; i < many; ++i)
        missed[i] = static_cast<std::uint16_t>(missed[i] | (answers[i] != wanted ? row : 0));
}

class Reasoner {
public:
    Reasoner(const Batch& batch, const std::uint16_t* ranks) : batch_(batch), ranks_(ranks) {}

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
        for (std::size_t code = 0; code < codes; ++code) {
            if (size(missed_[code]) != fewest) continue;
            Repair repair;
            repair.rows = missed_[code];
            std::size_t at = 0;
            for (std::size_t row = 0; row < rows; ++row)
                if (repair.rows >> row & 1) repair.answers[at++] = columns[row][code];
            repairs_.push_back(repair);
        }
        const Repair best = likeliest(told);
        return {conflict(rows), static_cast<std::uint32_t>(fewest),
                static_cast<std::uint32_t>(__builtin_ctz(best.rows)), best.answers[0]};
    }

private:
    // The first smallest set of rows of which every code misses some: no code misses only others.
    std::uint32_t conflict(std::size_t rows) {
        for (std::size_t row = 0; row < rows; ++row)  // now: whether a code misses only these
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

    // The least far-fetched repair; of several the one with most codes, then the first.
    Repair likeliest(const std::uint32_t* told) {
        std::sort(repairs_.begin(), repairs_.end());
        const Repair* best = nullptr;
        std::uint32_t best_rank = 0;
        std::size_t best_many = 0;
        for (std::size_t from = 0, to; from < repairs_.size(); from = to) {
            const Repair& repair = repairs_[from];
            for (to = from; to < repairs_.size() && repairs_[to] == repair;) ++to;
            std::uint32_t rank = 0;
            std::size_t at = 0;
            for (std::uint32_t left = repair.rows; left != 0; left &= left - 1)
                rank += ranks_[told[__builtin_ctz(left)] * kAnswers + repair.answers[at++]];
            const std::size_t many = to - from;
            if (best == nullptr || rank < best_rank ||
                (rank == best_rank &&
                 (many > best_many || (many == best_many && repair.rows != best->rows &&
                                       is_before(repair.rows, best->rows))))) {
                best = &repair;
                best_rank = rank;
                best_many = many;
            }
        }
        return *best;
    }

    const Batch& batch_;
    const std::uint16_t* ranks_;
    std::vector<std::uint16_t> missed_;
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
                  const std::uint16_t* ranks, Reason* out) {
    Reasoner reasoner(batch, ranks);
    for (std::size_t board = 0; board < boards.many; ++board) {
        const auto row = boards.starts[board];
        out[board] = reasoner.find(boards.asked + row, boards.answers + row, told + row,
                                   static_cast<std::size_t>(boards.starts[board + 1] - row));
    }
}

}  // namespace mmsat::batch
