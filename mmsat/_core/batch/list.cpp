// Counts of codes for many boards, with the list of all codes (ListBatch in batch.hpp). Codes and
// guesses are packed: 4 bits per peg, for its color. The kind of a guess is the sorted list of the
// numbers of pegs of its colors.
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

// Return the answer for a code and a guess, both given by the color of each peg and by the
// number of pegs of each color, with 4 bits for each. Black is the number of pegs
// minus the number of differing pegs, and common is the sum over all colors of the smaller count.
// Counts are at most 7, so the highest bit of a 4-bit difference shows which one is smaller.
inline std::uint32_t score(std::uint32_t pegs, std::uint32_t counts, std::uint32_t guess,
                           std::uint32_t guess_counts, std::uint32_t num_pegs,
                           std::uint32_t black_factor, std::uint32_t common_factor) {
    std::uint32_t differs = pegs ^ guess;
    differs |= differs >> 2;
    differs = (differs | (differs >> 1)) & kNibbles;
    const std::uint32_t is_not_less = (((counts | (kNibbles << 3)) - guess_counts) >> 3) & kNibbles;
    // 15 in each group in which the bit is set.
    const std::uint32_t mask = (is_not_less << 4) - is_not_less;
    const std::uint32_t common = (guess_counts & mask) | (counts & ~mask);
    return (num_pegs - add_nibbles(differs)) * black_factor + add_nibbles(common) * common_factor;
}

MMSAT_MULTIVERSION void score_all(const std::uint32_t* pegs, const std::uint32_t* counts,
                                  std::size_t num_codes, std::uint32_t guess,
                                  std::uint32_t guess_counts, std::uint32_t num_pegs,
                                  std::uint32_t black_factor, std::uint32_t common_factor,
                                  std::uint8_t* out) {
    for (std::size_t i = 0; i < num_codes; ++i)
        out[i] = static_cast<std::uint8_t>(
            score(pegs[i], counts[i], guess, guess_counts, num_pegs, black_factor, common_factor));
}

}  // namespace

ListBatch::ListBatch(const std::uint8_t* codes, std::size_t num_codes, std::size_t pegs,
                     std::size_t colors, std::uint32_t black_factor, std::uint32_t common_factor)
    : pegs_(pegs),
      colors_(colors),
      black_factor_(black_factor),
      common_factor_(common_factor),
      allows_repeats_(false) {
    for (std::size_t code = 0; code < num_codes; ++code) {
        std::uint32_t packed = 0;
        for (std::size_t peg = 0; peg < pegs; ++peg)
            packed |= std::uint32_t{codes[code * pegs + peg]} << (4 * peg);
        all_codes_.pegs.push_back(packed);
        all_codes_.counts.push_back(counts(packed));
        allows_repeats_ = allows_repeats_ || (all_codes_.counts.back() & ~kNibbles) != 0;
    }
    // Enumerate the kinds of guesses: partitions of the number of pegs into at most `colors`
    // summands, in decreasing order.
    std::vector<std::size_t> summands;
    const auto split = [&](auto&& self, std::size_t remaining, std::size_t max_summand) -> void {
        if (remaining == 0) kinds_.push_back(summands);
        if (remaining == 0 || summands.size() == colors_) return;
        for (std::size_t summand = std::min(remaining, max_summand); summand >= 1; --summand) {
            summands.push_back(summand);
            self(self, remaining - summand, summand);
            summands.pop_back();
        }
    };
    split(split, pegs_, pegs_);
    std::sort(kinds_.begin(), kinds_.end());
    lists_.assign(kinds_.size(), std::vector<List>(256));
    std::vector<std::uint8_t> code_answers(num_codes);
    for (std::size_t kind = 0; kind < kinds_.size(); ++kind) {
        std::uint32_t representative = 0;
        std::size_t peg = 0;
        for (std::size_t color = 0; color < kinds_[kind].size(); ++color)
            for (std::size_t i = 0; i < kinds_[kind][color]; ++i)
                representative |= static_cast<std::uint32_t>(color << (4 * peg++));
        answers(representative, code_answers.data());
        for (std::size_t code = 0; code < num_codes; ++code) {
            List& list = lists_[kind][code_answers[code]];
            list.pegs.push_back(all_codes_.pegs[code]);
            list.counts.push_back(all_codes_.counts[code]);
        }
    }
}

std::uint32_t ListBatch::counts(std::uint32_t guess) const {
    std::uint32_t packed_counts = 0;
    for (std::size_t peg = 0; peg < pegs_; ++peg)
        packed_counts += std::uint32_t{1} << (4 * color(guess, peg));
    return packed_counts;
}

bool ListBatch::is_guess(std::uint32_t guess) const {
    for (std::size_t peg = 0; peg < pegs_; ++peg)
        if (color(guess, peg) >= colors_) return false;
    return guess >> 4 * pegs_ == 0;
}

bool ListBatch::is_code(std::uint32_t guess) const {
    return allows_repeats_ || (counts(guess) & ~kNibbles) == 0;
}

std::uint8_t ListBatch::answer(std::uint32_t guess, std::uint32_t code) const {
    return static_cast<std::uint8_t>(score(code, counts(code), guess, counts(guess),
                                           static_cast<std::uint32_t>(pegs_), black_factor_,
                                           common_factor_));
}

const std::uint8_t* ListBatch::answers(std::uint32_t guess, std::uint8_t* buffer) const {
    score_all(all_codes_.pegs.data(), all_codes_.counts.data(), num_codes(), guess, counts(guess),
              static_cast<std::uint32_t>(pegs_), black_factor_, common_factor_, buffer);
    return buffer;
}

// Return the permutations that map a guess to the representative of its kind: colors by decreasing
// number of pegs, then pegs by color.
ListBatch::CanonicalMap ListBatch::canonical_map(std::uint32_t guess) const {
    std::array<std::uint8_t, 8> color_counts{}, colors{};
    for (std::size_t peg = 0; peg < pegs_; ++peg) ++color_counts[color(guess, peg)];
    std::iota(colors.begin(), colors.begin() + static_cast<std::ptrdiff_t>(colors_),
              std::uint8_t{0});
    std::stable_sort(colors.begin(), colors.begin() + static_cast<std::ptrdiff_t>(colors_),
                     [&](auto one, auto other) { return color_counts[one] > color_counts[other]; });
    CanonicalMap map{};
    std::vector<std::size_t> kind;
    std::array<std::uint8_t, 8> next_pegs{};  // per new color: the position of its next peg
    std::uint8_t first_peg = 0;
    for (std::size_t new_color = 0; new_color < colors_; ++new_color) {
        const std::uint8_t count = color_counts[colors[new_color]];
        map.new_color[colors[new_color]] = static_cast<std::uint8_t>(new_color);
        next_pegs[new_color] = first_peg;
        first_peg = static_cast<std::uint8_t>(first_peg + count);
        if (count != 0) kind.push_back(count);
    }
    for (std::size_t peg = 0; peg < pegs_; ++peg)
        map.new_peg[peg] = next_pegs[map.new_color[color(guess, peg)]]++;
    map.kind = static_cast<std::size_t>(std::lower_bound(kinds_.begin(), kinds_.end(), kind) -
                                        kinds_.begin());
    return map;
}

void ListBatch::count(const Boards& boards, bool only_exists, std::uint32_t* out) const {
    std::vector<std::uint32_t> pegs_buffer, counts_buffer;
    std::vector<std::uint8_t> code_answers;
    for (std::size_t board = 0; board < boards.num_boards; ++board) {
        const auto begin = boards.starts[board], end = boards.starts[board + 1];
        const List* shortest = &all_codes_;
        auto shortest_row = end;
        CanonicalMap map{};
        for (auto row = begin; row < end; ++row) {
            const CanonicalMap row_map = canonical_map(boards.guesses[row]);
            const List& list = lists_[row_map.kind][boards.answers[row]];
            if (shortest_row == end || list.pegs.size() < shortest->pegs.size()) {
                shortest = &list;
                shortest_row = row;
                map = row_map;
            }
        }
        // The codes that satisfy all rows so far, under the map of the shortest list.
        const std::uint32_t* remaining_pegs = shortest->pegs.data();
        const std::uint32_t* remaining_counts = shortest->counts.data();
        std::size_t num_remaining = shortest->pegs.size();
        for (auto row = begin; row < end && num_remaining != 0; ++row) {
            if (row == shortest_row) continue;
            std::uint32_t mapped_guess = 0;
            for (std::size_t peg = 0; peg < pegs_; ++peg)
                mapped_guess |= std::uint32_t{map.new_color[color(boards.guesses[row], peg)]}
                                << (4 * map.new_peg[peg]);
            code_answers.resize(std::max(code_answers.size(), num_remaining));
            pegs_buffer.resize(code_answers.size());
            counts_buffer.resize(code_answers.size());
            score_all(remaining_pegs, remaining_counts, num_remaining, mapped_guess,
                      counts(mapped_guess), static_cast<std::uint32_t>(pegs_), black_factor_,
                      common_factor_, code_answers.data());
            // Every code is copied, and the next one overwrites it if it is not kept: a branch
            // would be unpredictable.
            std::size_t num_kept = 0;
            for (std::size_t i = 0; i < num_remaining; ++i) {
                pegs_buffer[num_kept] = remaining_pegs[i];
                counts_buffer[num_kept] = remaining_counts[i];
                num_kept += code_answers[i] == boards.answers[row];
            }
            num_remaining = num_kept;
            remaining_pegs = pegs_buffer.data();
            remaining_counts = counts_buffer.data();
        }
        out[board] = only_exists ? num_remaining > 0 : static_cast<std::uint32_t>(num_remaining);
    }
}

}  // namespace mmsat::batch
