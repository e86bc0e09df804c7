#include "batch/batch.hpp"
#include "machine.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace mmsat::batch {

namespace {

// The lowest bit of every group of 4 bits.
constexpr std::uint32_t kNibbles = 0x11111111;

// Return the sum of the eight 4-bit numbers.
inline std::uint32_t add_nibbles(std::uint32_t word) {
    word = (word & 0x0f0f0f0f) + ((word >> 4) & 0x0f0f0f0f);
    word += word >> 16;
    return (word + (word >> 8)) & 0xff;
}

// Black: the number of pegs minus the number of differing pegs. Common: the sum over all colors of
// the smaller count. Counts are at most 7, so the highest bit of a 4-bit difference shows which one
// is smaller.
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

MMSAT_MULTIVERSION void score_all(const std::uint32_t* pegs, const std::uint32_t* counts,
                                  std::size_t many, std::uint32_t guess, std::uint32_t asked,
                                  std::uint32_t size, std::uint32_t of_black,
                                  std::uint32_t of_common, std::uint8_t* out) {
    for (std::size_t i = 0; i < many; ++i)
        out[i] = static_cast<std::uint8_t>(
            score(pegs[i], counts[i], guess, asked, size, of_black, of_common));
}

}  // namespace

ListBatch::ListBatch(const std::uint8_t* codes, std::size_t many, std::size_t pegs,
                     std::size_t colors, std::uint32_t of_black, std::uint32_t of_common)
    : pegs_(pegs), colors_(colors), of_black_(of_black), of_common_(of_common), repeats_(false) {
    for (std::size_t code = 0; code < many; ++code) {
        std::uint32_t packed = 0;
        for (std::size_t peg = 0; peg < pegs; ++peg)
            packed |= std::uint32_t{codes[code * pegs + peg]} << (4 * peg);
        every_.pegs.push_back(packed);
        every_.counts.push_back(counts(packed));
        repeats_ = repeats_ || (every_.counts.back() & ~kNibbles) != 0;
    }
    // Enumerate the kinds of guesses: partitions of the pegs into at most `colors` parts, in
    // decreasing order.
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
    std::vector<std::uint8_t> got(many);
    for (std::size_t kind = 0; kind < kinds_.size(); ++kind) {
        std::uint32_t asked = 0;
        std::size_t peg = 0;
        for (std::size_t color = 0; color < kinds_[kind].size(); ++color)
            for (std::size_t i = 0; i < kinds_[kind][color]; ++i)
                asked |= static_cast<std::uint32_t>(color << (4 * peg++));
        answers(asked, got.data());
        for (std::size_t code = 0; code < many; ++code) {
            List& list = lists_[kind][got[code]];
            list.pegs.push_back(every_.pegs[code]);
            list.counts.push_back(every_.counts[code]);
        }
    }
}

std::uint32_t ListBatch::counts(std::uint32_t asked) const {
    std::uint32_t found = 0;
    for (std::size_t peg = 0; peg < pegs_; ++peg)
        found += std::uint32_t{1} << (4 * color(asked, peg));
    return found;
}

bool ListBatch::knows(std::uint32_t asked) const {
    for (std::size_t peg = 0; peg < pegs_; ++peg)
        if (color(asked, peg) >= colors_) return false;
    return asked >> 4 * pegs_ == 0;
}

bool ListBatch::is_code(std::uint32_t asked) const {
    return repeats_ || (counts(asked) & ~kNibbles) == 0;
}

std::uint8_t ListBatch::answer(std::uint32_t asked, std::uint32_t guess) const {
    return static_cast<std::uint8_t>(score(guess, counts(guess), asked, counts(asked),
                                           static_cast<std::uint32_t>(pegs_), of_black_,
                                           of_common_));
}

const std::uint8_t* ListBatch::answers(std::uint32_t asked, std::uint8_t* room) const {
    score_all(every_.pegs.data(), every_.counts.data(), codes(), asked, counts(asked),
              static_cast<std::uint32_t>(pegs_), of_black_, of_common_, room);
    return room;
}

// Return the permutations that map a guess to the representative of its kind: colors by decreasing
// number of pegs, then pegs by color.
ListBatch::Order ListBatch::order(std::uint32_t asked) const {
    std::array<std::uint8_t, 8> many{}, colors{};
    for (std::size_t peg = 0; peg < pegs_; ++peg) ++many[color(asked, peg)];
    std::iota(colors.begin(), colors.begin() + static_cast<std::ptrdiff_t>(colors_),
              std::uint8_t{0});
    std::stable_sort(colors.begin(), colors.begin() + static_cast<std::ptrdiff_t>(colors_),
                     [&](auto one, auto other) { return many[one] > many[other]; });
    Order made{};
    std::vector<std::size_t> kind;
    std::array<std::uint8_t, 8> next{};
    std::uint8_t first = 0;
    for (std::size_t to = 0; to < colors_; ++to) {
        made.color_to[colors[to]] = static_cast<std::uint8_t>(to);
        next[to] = first;
        first = static_cast<std::uint8_t>(first + many[colors[to]]);
        if (many[colors[to]] != 0) kind.push_back(many[colors[to]]);
    }
    for (std::size_t peg = 0; peg < pegs_; ++peg)
        made.peg_to[peg] = next[made.color_to[color(asked, peg)]]++;
    made.kind = static_cast<std::size_t>(std::lower_bound(kinds_.begin(), kinds_.end(), kind) -
                                         kinds_.begin());
    return made;
}

void ListBatch::count(const Boards& boards, bool any, std::uint32_t* out) const {
    std::vector<std::uint32_t> pegs, counted;
    std::vector<std::uint8_t> got;
    for (std::size_t board = 0; board < boards.many; ++board) {
        const auto begin = boards.starts[board], end = boards.starts[board + 1];
        const List* shortest = &every_;
        auto first = end;
        Order to{};
        for (auto row = begin; row < end; ++row) {
            const Order found = order(boards.asked[row]);
            const List& list = lists_[found.kind][boards.answers[row]];
            if (first == end || list.pegs.size() < shortest->pegs.size()) {
                shortest = &list;
                first = row;
                to = found;
            }
        }
        const std::uint32_t* left_pegs = shortest->pegs.data();
        const std::uint32_t* left_counts = shortest->counts.data();
        std::size_t left = shortest->pegs.size();
        for (auto row = begin; row < end && left != 0; ++row) {
            if (row == first) continue;
            std::uint32_t asked = 0;
            for (std::size_t peg = 0; peg < pegs_; ++peg)
                asked |= std::uint32_t{to.color_to[color(boards.asked[row], peg)]}
                         << (4 * to.peg_to[peg]);
            got.resize(std::max(got.size(), left));
            pegs.resize(got.size());
            counted.resize(got.size());
            score_all(left_pegs, left_counts, left, asked, counts(asked),
                      static_cast<std::uint32_t>(pegs_), of_black_, of_common_, got.data());
            std::size_t kept = 0;
            for (std::size_t i = 0; i < left; ++i) {
                pegs[kept] = left_pegs[i];
                counted[kept] = left_counts[i];
                kept += got[i] == boards.answers[row];
            }
            left = kept;
            left_pegs = pegs.data();
            left_counts = counted.data();
        }
        out[board] = any ? left > 0 : static_cast<std::uint32_t>(left);
    }
}

}  // namespace mmsat::batch
