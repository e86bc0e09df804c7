#include <algorithm>
#include <cstring>

#include "batch/batch.hpp"
#include "machine.hpp"

namespace mmsat::batch {

namespace {

constexpr std::size_t kBlock = 256;
constexpr std::size_t kWords = 8;
constexpr std::size_t kMaxWords = std::size_t{64} << 17;  // 64 MiB of bit sets
constexpr std::size_t kAhead = 4;  // number of boards by which prefetching is ahead

// Return the number of codes in a block of bytes of the table that give the answers of all rows.
MMSAT_MULTIVERSION std::uint32_t agree(const std::uint8_t* table, std::size_t stride,
                                       const Boards& boards, std::size_t board, std::size_t from,
                                       std::size_t length) {
    std::uint8_t left[kBlock];
    std::memset(left, 1, length);
    for (auto row = boards.starts[board]; row < boards.starts[board + 1]; ++row) {
        const std::uint8_t* const answers = table + boards.asked[row] * stride + from;
        const std::uint8_t wanted = boards.answers[row];
        std::uint8_t any = 0;
        for (std::size_t i = 0; i < length; ++i) {
            left[i] = static_cast<std::uint8_t>(left[i] & (answers[i] == wanted));
            any = static_cast<std::uint8_t>(any | left[i]);
        }
        if (any == 0) return 0;
    }
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < length; ++i) sum += left[i];
    return sum;
}

// Intersect the bit sets of all rows of each board, eight words at a time. Answers must be below
// `sets`.
MMSAT_MULTIVERSION void intersect(const std::uint64_t* bits, std::size_t sets, std::size_t words,
                                  std::uint32_t codes, const Boards& boards, bool any,
                                  std::uint32_t* out) {
    const auto* const starts = boards.starts;
    const auto set = [&](std::int64_t row) {
        return bits + (boards.asked[row] * sets + boards.answers[row]) * words;
    };
    const std::size_t full = boards.many - std::min(boards.many, kAhead);
    for (std::size_t board = 0; board < boards.many; ++board) {
        const std::int64_t begin = starts[board], end = starts[board + 1];
        if (board < full)
            for (auto row = starts[board + kAhead]; row < starts[board + kAhead + 1]; ++row) {
                const auto* const next = set(row);
                for (std::size_t word = 0; word < std::min(words, 4 * kWords); word += kWords)
                    __builtin_prefetch(next + word);
            }
        std::uint32_t found = begin == end ? codes : 0;
        for (std::size_t from = 0; from < words && begin != end && !(any && found);
             from += kWords) {
            std::uint64_t left[kWords];
            const auto* const first = set(begin) + from;
            for (std::size_t i = 0; i < kWords; ++i) left[i] = first[i];
            for (auto row = begin + 1; row < end; ++row) {
                const auto* const next = set(row) + from;
                for (std::size_t i = 0; i < kWords; ++i) left[i] &= next[i];
            }
            if (any) {
                std::uint64_t all = 0;
                for (std::size_t i = 0; i < kWords; ++i) all |= left[i];
                found = all != 0;
            } else {
                for (std::size_t i = 0; i < kWords; ++i)
                    found += static_cast<std::uint32_t>(__builtin_popcountll(left[i]));
            }
        }
        out[board] = any ? found > 0 : found;
    }
}

}  // namespace

TableBatch::TableBatch(const std::uint8_t* table, std::size_t codes, std::size_t stride,
                       const std::uint16_t* colors, std::size_t pegs)
    : table_(table),
      codes_(codes),
      stride_(stride),
      pegs_(pegs),
      colors_(colors, colors + codes * pegs) {
    std::uint8_t most = 0;
    for (std::size_t guess = 0; guess < codes; ++guess)
        most = std::max(most,
                        *std::max_element(table + guess * stride, table + guess * stride + codes));
    // The last set is empty, for answers that no code gives.
    const std::size_t sets = most + std::size_t{2};
    const std::size_t words = (codes + 64 * kWords - 1) / (64 * kWords) * kWords;
    if (codes * sets * words > kMaxWords) return;
    sets_ = sets;
    words_ = words;
    bits_.assign(codes * sets * words, 0);
    for (std::size_t guess = 0; guess < codes; ++guess)
        for (std::size_t code = 0; code < codes; ++code) {
            const std::size_t set = guess * sets + table[guess * stride + code];
            bits_[set * words + code / 64] |= std::uint64_t{1} << code % 64;
        }
}

void TableBatch::count(const Boards& boards, bool any, std::uint32_t* out) const {
    if (!bits_.empty()) {
        const auto rows = static_cast<std::size_t>(boards.starts[boards.many]);
        std::vector<std::uint8_t> answers(boards.answers, boards.answers + rows);
        for (auto& answer : answers)
            answer = std::min(answer, static_cast<std::uint8_t>(sets_ - 1));
        intersect(bits_.data(), sets_, words_, static_cast<std::uint32_t>(codes_),
                  {boards.asked, answers.data(), boards.starts, boards.many}, any, out);
        return;
    }
    for (std::size_t board = 0; board < boards.many; ++board) {
        const bool is_empty = boards.starts[board] == boards.starts[board + 1];
        std::uint32_t found = is_empty ? static_cast<std::uint32_t>(codes_) : 0;
        for (std::size_t from = 0; from < stride_ && !is_empty && !(any && found); from += kBlock)
            found += agree(table_, stride_, boards, board, from, std::min(kBlock, stride_ - from));
        out[board] = any ? found > 0 : found;
    }
}

}  // namespace mmsat::batch
