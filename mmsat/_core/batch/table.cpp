#include <algorithm>
#include <cstring>

#include "batch/batch.hpp"
#include "machine.hpp"

namespace mmsat::batch {

namespace {

constexpr std::size_t kBlock = 256;  // number of codes that are compared at a time
constexpr std::size_t kWords = 8;    // number of words that are intersected at a time
constexpr std::size_t kMaxTotalWords = std::size_t{64} << 17;  // 64 MiB of bit sets
constexpr std::size_t kPrefetchDistance = 4;                   // number of boards

// Return the number of codes in a block of the table that give the answers of all rows of a board.
MMSAT_MULTIVERSION std::uint32_t count_consistent(const std::uint8_t* table, std::size_t stride,
                                                  const Boards& boards, std::size_t board,
                                                  std::size_t from, std::size_t length) {
    std::uint8_t is_consistent[kBlock];
    std::memset(is_consistent, 1, length);
    for (auto row = boards.starts[board]; row < boards.starts[board + 1]; ++row) {
        const std::uint8_t* const answers = table + boards.guesses[row] * stride + from;
        const std::uint8_t row_answer = boards.answers[row];
        std::uint8_t has_consistent = 0;
        for (std::size_t i = 0; i < length; ++i) {
            is_consistent[i] =
                static_cast<std::uint8_t>(is_consistent[i] & (answers[i] == row_answer));
            has_consistent = static_cast<std::uint8_t>(has_consistent | is_consistent[i]);
        }
        if (has_consistent == 0) return 0;
    }
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < length; ++i) sum += is_consistent[i];
    return sum;
}

// Count the codes of each board: intersect the bit sets of all its rows, eight words at a time.
// Answers must be below `num_sets`.
MMSAT_MULTIVERSION void intersect(const std::uint64_t* bits, std::size_t num_sets,
                                  std::size_t num_words, std::uint32_t num_codes,
                                  const Boards& boards, bool only_exists, std::uint32_t* out) {
    const auto* const starts = boards.starts;
    const auto set = [&](std::int64_t row) {
        return bits + (boards.guesses[row] * num_sets + boards.answers[row]) * num_words;
    };
    const std::size_t num_prefetching =
        boards.num_boards - std::min(boards.num_boards, kPrefetchDistance);
    for (std::size_t board = 0; board < boards.num_boards; ++board) {
        const std::int64_t begin = starts[board], end = starts[board + 1];
        if (board < num_prefetching)
            for (auto row = starts[board + kPrefetchDistance];
                 row < starts[board + kPrefetchDistance + 1]; ++row) {
                const auto* const next = set(row);
                for (std::size_t word = 0; word < std::min(num_words, 4 * kWords); word += kWords)
                    __builtin_prefetch(next + word);
            }
        std::uint32_t num_found = begin == end ? num_codes : 0;
        for (std::size_t from = 0; from < num_words && begin != end && !(only_exists && num_found);
             from += kWords) {
            std::uint64_t intersection[kWords];
            const auto* const first = set(begin) + from;
            for (std::size_t i = 0; i < kWords; ++i) intersection[i] = first[i];
            for (auto row = begin + 1; row < end; ++row) {
                const auto* const next = set(row) + from;
                for (std::size_t i = 0; i < kWords; ++i) intersection[i] &= next[i];
            }
            if (only_exists) {
                std::uint64_t any_bits = 0;
                for (std::size_t i = 0; i < kWords; ++i) any_bits |= intersection[i];
                num_found = any_bits != 0;
            } else {
                for (std::size_t i = 0; i < kWords; ++i)
                    num_found += static_cast<std::uint32_t>(__builtin_popcountll(intersection[i]));
            }
        }
        out[board] = only_exists ? num_found > 0 : num_found;
    }
}

}  // namespace

TableBatch::TableBatch(const std::uint8_t* table, std::size_t num_codes, std::size_t stride,
                       const std::uint16_t* colors, std::size_t pegs)
    : table_(table),
      num_codes_(num_codes),
      stride_(stride),
      pegs_(pegs),
      colors_(colors, colors + num_codes * pegs) {
    std::uint8_t max_answer = 0;
    for (std::size_t guess = 0; guess < num_codes; ++guess)
        max_answer = std::max(max_answer, *std::max_element(table + guess * stride,
                                                            table + guess * stride + num_codes));
    // The last set is empty; it is used for answers that no code gives.
    const std::size_t num_sets = max_answer + std::size_t{2};
    const std::size_t num_words = (num_codes + 64 * kWords - 1) / (64 * kWords) * kWords;
    if (num_codes * num_sets * num_words > kMaxTotalWords) return;
    num_sets_ = num_sets;
    num_words_ = num_words;
    bits_.assign(num_codes * num_sets * num_words, 0);
    for (std::size_t guess = 0; guess < num_codes; ++guess)
        for (std::size_t code = 0; code < num_codes; ++code) {
            const std::size_t set = guess * num_sets + table[guess * stride + code];
            bits_[set * num_words + code / 64] |= std::uint64_t{1} << code % 64;
        }
}

void TableBatch::count(const Boards& boards, bool only_exists, std::uint32_t* out) const {
    if (!bits_.empty()) {
        const auto num_rows = static_cast<std::size_t>(boards.starts[boards.num_boards]);
        std::vector<std::uint8_t> answers(boards.answers, boards.answers + num_rows);
        // Answers above the highest one in the table use the last set, which is empty. If there are
        // 257 sets, the highest answer is 255, so there are no answers above it.
        const std::size_t last_set = std::min(num_sets_ - 1, std::size_t{255});
        for (auto& answer : answers) answer = std::min(answer, static_cast<std::uint8_t>(last_set));
        intersect(bits_.data(), num_sets_, num_words_, static_cast<std::uint32_t>(num_codes_),
                  {boards.guesses, answers.data(), boards.starts, boards.num_boards}, only_exists,
                  out);
        return;
    }
    // Rows of the table are scanned with the padding after the last code. The padding has to be a
    // value that is not an answer of a row (PADDING in auditing/batch.py), so it is not counted.
    for (std::size_t board = 0; board < boards.num_boards; ++board) {
        const bool is_empty = boards.starts[board] == boards.starts[board + 1];
        std::uint32_t num_found = is_empty ? static_cast<std::uint32_t>(num_codes_) : 0;
        for (std::size_t from = 0; from < stride_ && !is_empty && !(only_exists && num_found);
             from += kBlock)
            num_found += count_consistent(table_, stride_, boards, board, from,
                                          std::min(kBlock, stride_ - from));
        out[board] = only_exists ? num_found > 0 : num_found;
    }
}

}  // namespace mmsat::batch
