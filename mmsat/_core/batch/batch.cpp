#include "batch/batch.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <stdexcept>

#include "machine.hpp"

#if defined(MMSAT_X86) && !defined(__clang__)
#define MMSAT_BATCH_CLONES \
    __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define MMSAT_BATCH_CLONES
#endif

namespace mmsat::batch {

namespace {

constexpr std::size_t kBlock = 256;
constexpr std::uint32_t kNibbles = 0x11111111;

struct Row {
    const std::uint8_t* answers;
    std::uint8_t wanted;
};

// The codes among the first bytes of a block that every row wants.
MMSAT_BATCH_CLONES std::uint32_t agree(const Row* rows, std::size_t many, std::size_t from,
                                       std::size_t length) {
    std::uint8_t left[kBlock];
    std::memset(left, 1, length);
    for (std::size_t row = 0; row < many; ++row) {
        const std::uint8_t* const answers = rows[row].answers + from;
        const std::uint8_t wanted = rows[row].wanted;
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

inline std::uint32_t add_nibbles(std::uint32_t word) {
    word = (word & 0x0f0f0f0f) + ((word >> 4) & 0x0f0f0f0f);
    word += word >> 16;
    return (word + (word >> 8)) & 0xff;
}

// Blacks: pegs less those that differ. Common: the lesser of both numbers, color by color; where a
// number is up to 7, the highest bit of its 4 tells which is the lesser.
inline std::uint32_t score(std::uint32_t pegs, std::uint32_t counts, std::uint32_t guess,
                           std::uint32_t asked, std::uint32_t size, std::uint32_t of_black,
                           std::uint32_t of_common) {
    std::uint32_t apart = pegs ^ guess;
    apart |= apart >> 2;
    apart = (apart | (apart >> 1)) & kNibbles;
    const std::uint32_t is_more = (((counts | (kNibbles << 3)) - asked) >> 3) & kNibbles;
    const std::uint32_t mask = (is_more << 4) - is_more;
    const std::uint32_t common = (asked & mask) | (counts & ~mask);
    return (size - add_nibbles(apart)) * of_black + add_nibbles(common) * of_common;
}

MMSAT_BATCH_CLONES void score_all(const std::uint32_t* pegs, const std::uint32_t* counts,
                                  std::size_t many, std::uint32_t guess, std::uint32_t asked,
                                  std::uint32_t size, std::uint32_t of_black,
                                  std::uint32_t of_common, std::uint32_t* out) {
    for (std::size_t i = 0; i < many; ++i)
        out[i] = score(pegs[i], counts[i], guess, asked, size, of_black, of_common);
}

}  // namespace

void TableBatch::count(const std::uint32_t* guesses, const std::uint8_t* answers, Boards boards,
                       bool any, std::uint32_t* out) const {
    std::vector<Row> rows;
    for (std::size_t board = 0; board < boards.many; ++board) {
        rows.clear();
        for (auto row = boards.starts[board]; row < boards.starts[board + 1]; ++row)
            rows.push_back({table_ + guesses[row] * stride_, answers[row]});
        std::uint32_t found = rows.empty() ? static_cast<std::uint32_t>(codes_) : 0;
        if (!rows.empty())
            for (std::size_t from = 0; from < stride_ && !(any && found); from += kBlock)
                found += agree(rows.data(), rows.size(), from, std::min(kBlock, stride_ - from));
        out[board] = any ? found > 0 : found;
    }
}

ListBatch::ListBatch(const std::uint8_t* codes, std::size_t many, std::size_t pegs,
                     std::size_t colors, std::uint32_t of_black, std::uint32_t of_common)
    : pegs_(pegs), colors_(colors), of_black_(of_black), of_common_(of_common) {
    // every kind of guess: numbers of pegs, descending, that add up to all
    std::vector<std::size_t> parts;
    const auto split = [&](auto&& self, std::size_t left, std::size_t most) -> void {
        if (left == 0) kinds_.push_back(parts);
        if (left == 0 || parts.size() == colors_) return;
        for (std::size_t part = std::min(left, most); part >= 1; --part) {
            parts.push_back(part);
            self(self, left - part, part);
            parts.pop_back();
        }
    };
    split(split, pegs_, pegs_);
    std::sort(kinds_.begin(), kinds_.end());
    lists_.assign(kinds_.size(), std::vector<List>(256));
    for (std::size_t kind = 0; kind < kinds_.size(); ++kind) {
        std::uint8_t guess[8] = {};
        std::size_t peg = 0;
        for (std::size_t color = 0; color < kinds_[kind].size(); ++color)
            for (std::size_t i = 0; i < kinds_[kind][color]; ++i)
                guess[peg++] = static_cast<std::uint8_t>(color);
        const Packed asked = pack(guess);
        for (std::size_t code = 0; code < many; ++code) {
            const Packed packed = pack(codes + code * pegs_);
            List& list = lists_[kind][answer(packed, asked)];
            list.pegs.push_back(packed.pegs);
            list.counts.push_back(packed.counts);
        }
    }
}

ListBatch::Packed ListBatch::pack(const std::uint8_t* code) const {
    Packed made{0, 0};
    for (std::size_t peg = 0; peg < pegs_; ++peg) {
        made.pegs |= std::uint32_t{code[peg]} << (4 * peg);
        made.counts += std::uint32_t{1} << (4 * code[peg]);
    }
    return made;
}

std::uint8_t ListBatch::answer(Packed one, Packed other) const {
    return static_cast<std::uint8_t>(score(one.pegs, one.counts, other.pegs, other.counts,
                                           static_cast<std::uint32_t>(pegs_), of_black_,
                                           of_common_));
}

// What brings a guess to the first of its kind: colors by their numbers of pegs, then pegs by color.
ListBatch::Order ListBatch::order(const std::uint8_t* guess) const {
    std::array<std::uint8_t, 8> many{}, colors{};
    for (std::size_t peg = 0; peg < pegs_; ++peg) ++many[guess[peg]];
    std::iota(colors.begin(), colors.begin() + static_cast<std::ptrdiff_t>(colors_),
              std::uint8_t{0});
    std::stable_sort(colors.begin(), colors.begin() + static_cast<std::ptrdiff_t>(colors_),
                     [&](auto one, auto other) { return many[one] > many[other]; });
    Order made{};
    std::vector<std::size_t> kind;
    std::array<std::uint8_t, 8> next{};
    std::uint8_t first = 0;
    for (std::size_t color = 0; color < colors_; ++color) {
        made.color_to[colors[color]] = static_cast<std::uint8_t>(color);
        next[color] = first;
        first = static_cast<std::uint8_t>(first + many[colors[color]]);
        if (many[colors[color]] != 0) kind.push_back(many[colors[color]]);
    }
    for (std::size_t peg = 0; peg < pegs_; ++peg)
        made.peg_to[peg] = next[made.color_to[guess[peg]]]++;
    made.kind = static_cast<std::size_t>(std::lower_bound(kinds_.begin(), kinds_.end(), kind) -
                                         kinds_.begin());
    return made;
}

void ListBatch::count(const std::uint8_t* guesses, const std::uint8_t* answers, Boards boards,
                      bool any, std::uint32_t* out) const {
    std::vector<std::uint32_t> pegs, counts, got;
    std::uint8_t moved[8];
    for (std::size_t board = 0; board < boards.many; ++board) {
        const auto begin = boards.starts[board], end = boards.starts[board + 1];
        const List* shortest = nullptr;
        auto first = begin;
        Order to{};
        for (auto row = begin; row < end; ++row) {
            const Order found = order(guesses + static_cast<std::size_t>(row) * pegs_);
            const List& list = lists_[found.kind][answers[row]];
            if (shortest == nullptr || list.pegs.size() < shortest->pegs.size()) {
                shortest = &list;
                first = row;
                to = found;
            }
        }
        if (shortest == nullptr) throw std::invalid_argument("every board has a row");
        const std::uint32_t* left_pegs = shortest->pegs.data();
        const std::uint32_t* left_counts = shortest->counts.data();
        std::size_t left = shortest->pegs.size();
        for (auto row = begin; row < end && left != 0; ++row) {
            if (row == first) continue;
            const std::uint8_t* const guess = guesses + static_cast<std::size_t>(row) * pegs_;
            for (std::size_t peg = 0; peg < pegs_; ++peg)
                moved[to.peg_to[peg]] = to.color_to[guess[peg]];
            const Packed asked = pack(moved);
            got.resize(std::max(got.size(), left));
            pegs.resize(got.size());
            counts.resize(got.size());
            score_all(left_pegs, left_counts, left, asked.pegs, asked.counts,
                      static_cast<std::uint32_t>(pegs_), of_black_, of_common_, got.data());
            std::size_t kept = 0;
            for (std::size_t i = 0; i < left; ++i) {
                pegs[kept] = left_pegs[i];
                counts[kept] = left_counts[i];
                kept += got[i] == answers[row];
            }
            left = kept;
            left_pegs = pegs.data();
            left_counts = counts.data();
        }
        out[board] = any ? left > 0 : static_cast<std::uint32_t>(left);
    }
}

}  // namespace mmsat::batch
