#include "optimal/canonicalizer.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace mmsat::optimal {

namespace {

constexpr std::size_t kMaxPermutedPegs = 8;  // maximum number of pegs that are permuted
// Maximum number of peg orders tried if counts do not distinguish the pegs.
constexpr std::size_t kMaxTriedOrders = 720;

}  // namespace

Canonicalizer::Canonicalizer(const std::uint8_t* codes, std::size_t count, std::size_t pegs,
                             std::size_t colors, Symmetries symmetries)
    : codes_(codes, codes + count * pegs),
      count_(count),
      pegs_(pegs),
      colors_(colors),
      symmetries_(symmetries) {
    std::vector<std::uint8_t> order(pegs);
    std::iota(order.begin(), order.end(), std::uint8_t{0});
    if (pegs > kMaxPermutedPegs) symmetries_.pegs = false;
    do orders_.insert(orders_.end(), order.begin(), order.end());
    while (symmetries_.pegs && std::next_permutation(order.begin(), order.end()));
    num_orders_ = orders_.size() / pegs;
    if (!symmetries_.pegs && !symmetries_.colors) return;
    std::size_t values = 1;
    for (std::size_t peg = 0; peg < pegs; ++peg) values *= colors;
    index_.assign(values, -1);
    for (std::size_t i = 0; i < count; ++i) {
        std::size_t value = 0;
        for (std::size_t peg = 0; peg < pegs; ++peg) value = value * colors + codes[i * pegs + peg];
        index_[value] = static_cast<std::int32_t>(i);
    }
}

void Canonicalizer::count_colors(const std::int32_t* set, std::size_t size, Counts& counts) const {
    std::fill_n(counts.begin(), colors_ * pegs_, 0);
    for (std::size_t i = 0; i < size; ++i) {
        const std::uint8_t* const colors = code(set[i]);
        for (std::size_t peg = 0; peg < pegs_; ++peg) ++counts[colors[peg] * pegs_ + peg];
    }
}

// Rank the colors by their counts at each peg, in this order of pegs.
void Canonicalizer::rank_colors(const Order& order, const Counts& counts, Ranks& ranks) const {
    std::iota(ranks.begin(), ranks.begin() + colors_, std::uint8_t{0});
    if (!symmetries_.colors) return;
    Ranks sorted;
    std::array<std::uint64_t, kMaxColors> sums;
    for (std::size_t color = 0; color < colors_; ++color) {
        std::uint64_t sum = 0;
        for (std::size_t peg = 0; peg < pegs_; ++peg)
            sum = sum * 0x10001u + counts[color * pegs_ + order[peg]];
        std::size_t place = color;
        for (; place > 0 && sums[place - 1] < sum; --place) {
            sums[place] = sums[place - 1];
            sorted[place] = sorted[place - 1];
        }
        sums[place] = sum;
        sorted[place] = static_cast<std::uint8_t>(color);
    }
    for (std::size_t place = 0; place < colors_; ++place)
        ranks[sorted[place]] = static_cast<std::uint8_t>(place);
}

// Return a code with its pegs in this order and its colors replaced by their ranks, as a number.
std::uint64_t Canonicalizer::value(std::int32_t index, const Order& order,
                                   const Ranks& ranks) const {
    const std::uint8_t* const colors = code(index);
    std::uint64_t value = 0;
    for (std::size_t peg = 0; peg < pegs_; ++peg)
        value = value * colors_ + ranks[colors[order[peg]]];
    return value;
}

Key Canonicalizer::key_in_order(const std::int32_t* set, std::size_t size, const Order& order,
                                const Counts& counts) const {
    Ranks ranks;
    rank_colors(order, counts, ranks);
    Key key;
    for (std::size_t i = 0; i < size; ++i) key += contribution(value(set[i], order, ranks));
    return key;
}

std::vector<std::uint16_t> Canonicalizer::renamed(const std::int32_t* set, std::size_t size,
                                                  const Order& order) const {
    Counts counts;
    Ranks ranks;
    count_colors(set, size, counts);
    rank_colors(order, counts, ranks);
    std::vector<std::uint16_t> codes(size);
    for (std::size_t i = 0; i < size; ++i)
        codes[i] = static_cast<std::uint16_t>(index_[value(set[i], order, ranks)]);
    std::sort(codes.begin(), codes.end());
    return codes;
}

// Pegs are sorted by a signature that does not depend on the names of colors. Among the orders of pegs
// with equal signatures, the one whose key has the smallest place is chosen.
Key Canonicalizer::key(const std::int32_t* set, std::size_t size, Order* chosen_order) const {
    Counts counts;
    count_colors(set, size, counts);
    std::array<std::uint64_t, kMaxPegs> signature{};  // per peg: independent of the names of colors
    for (std::size_t color = 0; color < colors_; ++color)
        for (std::size_t peg = 0; peg < pegs_; ++peg) {
            const std::uint64_t count = counts[color * pegs_ + peg];
            signature[peg] += count * count * count;
        }
    // Sort the pegs by their signatures; those with equal signatures are tried in every order.
    Order order{};
    std::iota(order.begin(), order.begin() + pegs_, std::uint8_t{0});
    if (chosen_order) *chosen_order = order;
    if (!symmetries_.pegs) return key_in_order(set, size, order, counts);
    const auto begin = order.begin();
    const auto end = begin + static_cast<std::ptrdiff_t>(pegs_);
    std::stable_sort(begin, end,
                     [&](auto one, auto other) { return signature[one] > signature[other]; });
    const auto advance = [&] {
        for (auto from = begin; from != end;) {
            auto until = from + 1;
            while (until != end && signature[*until] == signature[*from]) ++until;
            if (std::next_permutation(from, until)) return true;  // otherwise it is sorted again
            from = until;
        }
        return false;
    };
    Key least;
    std::size_t tried = 0;
    do {
        const Key key = key_in_order(set, size, order, counts);
        if (tried == 0 || key.place() < least.place()) {
            least = key;
            if (chosen_order) *chosen_order = order;
        }
    } while (++tried < kMaxTriedOrders && advance());
    return least;
}

// Collect the symmetries that fix the history. Colors that do not occur in the history can be
// renamed freely, so a mapped code uses them in increasing order, which gives the smallest result.
void Canonicalizer::find_representatives(const std::vector<std::int32_t>& history,
                                         std::uint8_t* first) const {
    if (index_.empty()) {
        std::fill_n(first, count_, std::uint8_t{1});
        return;
    }
    constexpr std::uint8_t none = 255;
    struct Exchange {
        const std::uint8_t* order;
        std::array<std::uint8_t, kMaxColors> colors;  // none: not determined by the history
    };
    std::array<bool, kMaxColors> is_used{};
    for (std::int32_t guess : history)
        for (std::size_t peg = 0; peg < pegs_; ++peg) is_used[code(guess)[peg]] = true;
    std::vector<std::uint8_t> free;
    for (std::size_t color = 0; color < colors_; ++color)
        if (!is_used[color]) free.push_back(static_cast<std::uint8_t>(color));
    std::vector<Exchange> exchanges;
    const std::size_t orders = symmetries_.same_answers || history.empty() ? num_orders_ : 1;
    for (std::size_t i = 0; i < orders; ++i) {
        Exchange exchange{orders_.data() + i * pegs_, {}};
        exchange.colors.fill(none);
        std::array<std::uint8_t, kMaxColors> back;
        back.fill(none);
        bool is_kept = true;
        for (std::size_t turn = 0; is_kept && turn < history.size(); ++turn)
            for (std::size_t peg = 0; peg < pegs_; ++peg) {
                const std::uint8_t from = code(history[turn])[exchange.order[peg]];
                const std::uint8_t to = code(history[turn])[peg];
                if (!symmetries_.colors && from != to) is_kept = false;
                if (exchange.colors[from] == none && back[to] == none) {
                    exchange.colors[from] = to;
                    back[to] = from;
                } else if (exchange.colors[from] != to) {
                    is_kept = false;
                }
            }
        if (!symmetries_.colors)
            for (std::size_t color = 0; color < colors_; ++color)
                exchange.colors[color] = static_cast<std::uint8_t>(color);
        if (is_kept) exchanges.push_back(exchange);
    }
    for (std::size_t i = 0; i < count_; ++i) {
        const std::uint8_t* const own = code(static_cast<std::int32_t>(i));
        first[i] = 1;
        for (const Exchange& exchange : exchanges) {
            auto colors = exchange.colors;
            std::size_t next = 0;
            std::size_t value = 0;
            for (std::size_t peg = 0; peg < pegs_; ++peg) {
                std::uint8_t& color = colors[own[exchange.order[peg]]];
                if (color == none) color = free[next++];
                value = value * colors_ + color;
            }
            if (index_[value] < static_cast<std::int32_t>(i)) {
                first[i] = 0;
                break;
            }
        }
    }
}

}  // namespace mmsat::optimal
