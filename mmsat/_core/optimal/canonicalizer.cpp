// Keys of sets of codes up to symmetries: permutations of pegs and of colors (canonicalizer.hpp).
// An image of a set has the pegs in some order, and the colors replaced by ranks.
#include "optimal/canonicalizer.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <numeric>

namespace mmsat::optimal {

namespace {

// Permutations of more pegs are not used: 9 pegs have 362,880 orders.
constexpr std::size_t kMaxPermutedPegs = 8;
// Maximum number of color sequences if symmetries are used. code_indices_ has an element for each
// sequence, and values of renamed codes must be below kFirstCodeValue.
constexpr std::size_t kMaxSequences = std::size_t{1} << 24;
static_assert(kMaxSequences <= kFirstCodeValue);
// Maximum number of peg orders tried if counts do not distinguish the pegs.
constexpr std::size_t kMaxTriedOrders = 720;

// Return the number of sequences of `pegs` colors, or kMaxSequences + 1 if there are more.
std::size_t count_sequences(std::size_t pegs, std::size_t colors) {
    std::size_t num_sequences = 1;
    for (std::size_t peg = 0; peg < pegs; ++peg) {
        num_sequences *= colors;
        if (num_sequences > kMaxSequences) return kMaxSequences + 1;  // before it can overflow
    }
    return num_sequences;
}

}  // namespace

Canonicalizer::Canonicalizer(const std::uint8_t* codes, std::size_t num_codes, std::size_t pegs,
                             std::size_t colors, Symmetries symmetries)
    : codes_(codes, codes + num_codes * pegs),
      num_codes_(num_codes),
      pegs_(pegs),
      colors_(colors),
      symmetries_(symmetries) {
    assert(pegs >= 1 && pegs <= kMaxPegs && colors >= 1 && colors <= kMaxColors);
    const std::size_t num_sequences = count_sequences(pegs, colors);
    if (num_sequences > kMaxSequences) symmetries_ = {};
    if (pegs > kMaxPermutedPegs) symmetries_.pegs = false;
    std::vector<std::uint8_t> order(pegs);
    std::iota(order.begin(), order.end(), std::uint8_t{0});
    do orders_.insert(orders_.end(), order.begin(), order.end());
    while (symmetries_.pegs && std::next_permutation(order.begin(), order.end()));
    num_orders_ = orders_.size() / pegs;
    for (std::size_t code = 0; code < num_codes; ++code)
        code_keys_.push_back(contribution(kFirstCodeValue + code));
    if (!symmetries_.pegs && !symmetries_.colors) return;
    code_indices_.assign(num_sequences, -1);
    for (std::size_t i = 0; i < num_codes; ++i) {
        std::size_t value = 0;
        for (std::size_t peg = 0; peg < pegs; ++peg) value = value * colors + codes[i * pegs + peg];
        code_indices_[value] = static_cast<std::int32_t>(i);
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
    Ranks sorted;  // the colors so far, by insertion sort
    std::array<std::uint64_t, kMaxColors> sums;
    for (std::size_t color = 0; color < colors_; ++color) {
        std::uint64_t sum = 0;
        for (std::size_t peg = 0; peg < pegs_; ++peg)
            // A number in base 2**16 + 1. With more than four pegs it wraps around, as a hash does.
            sum = sum * 0x10001u + counts[color * pegs_ + order[peg]];
        std::size_t position = color;
        for (; position > 0 && sums[position - 1] < sum; --position) {
            sums[position] = sums[position - 1];
            sorted[position] = sorted[position - 1];
        }
        sums[position] = sum;
        sorted[position] = static_cast<std::uint8_t>(color);
    }
    for (std::size_t rank = 0; rank < colors_; ++rank)
        ranks[sorted[rank]] = static_cast<std::uint8_t>(rank);
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

std::vector<std::uint16_t> Canonicalizer::hashed_codes(const std::int32_t* set, std::size_t size,
                                                       const Order& order) const {
    if (!applies_to(size)) return {set, set + size};
    Counts counts;
    Ranks ranks;
    count_colors(set, size, counts);
    rank_colors(order, counts, ranks);
    std::vector<std::uint16_t> codes(size);
    for (std::size_t i = 0; i < size; ++i) {
        const std::int32_t index = code_indices_[value(set[i], order, ranks)];
        assert(index >= 0);  // the codes are closed under the symmetries
        codes[i] = static_cast<std::uint16_t>(index);
    }
    std::sort(codes.begin(), codes.end());
    return codes;
}

Key Canonicalizer::key(const std::int32_t* set, std::size_t size, Order* chosen_order) const {
    if (applies_to(size)) return image_key(set, size, chosen_order);
    Key key;
    for (std::size_t i = 0; i < size; ++i) key += code_key(set[i]);
    return key;
}

// Pegs are sorted by a signature that does not depend on the names of colors. Pegs with equal
// signatures are tried in every order, and the order whose key has the smallest place is chosen.
Key Canonicalizer::image_key(const std::int32_t* set, std::size_t size, Order* chosen_order) const {
    Counts counts;
    count_colors(set, size, counts);
    std::array<std::uint64_t, kMaxPegs> signature{};  // per peg
    for (std::size_t color = 0; color < colors_; ++color)
        for (std::size_t peg = 0; peg < pegs_; ++peg) {
            const std::uint64_t count = counts[color * pegs_ + peg];
            signature[peg] += count * count * count;
        }
    Order order{};
    std::iota(order.begin(), order.begin() + pegs_, std::uint8_t{0});
    if (chosen_order) *chosen_order = order;
    if (!symmetries_.pegs) return key_in_order(set, size, order, counts);
    const auto begin = order.begin();
    const auto end = begin + static_cast<std::ptrdiff_t>(pegs_);
    std::stable_sort(begin, end,
                     [&](auto one, auto other) { return signature[one] > signature[other]; });
    const auto advance = [&] {
        for (auto run = begin; run != end;) {
            auto run_end = run + 1;
            while (run_end != end && signature[*run_end] == signature[*run]) ++run_end;
            // After the last permutation, the run is sorted again, and the next one advances.
            if (std::next_permutation(run, run_end)) return true;
            run = run_end;
        }
        return false;
    };
    Key least_key;
    std::size_t num_tried = 0;
    do {
        const Key key = key_in_order(set, size, order, counts);
        if (num_tried == 0 || key.place() < least_key.place()) {
            least_key = key;
            if (chosen_order) *chosen_order = order;
        }
    } while (++num_tried < kMaxTriedOrders && advance());
    return least_key;
}

// First collect the symmetries that map each guess of the history to itself. Colors that do not
// occur in the history can be renamed freely. So the image of a code uses them in increasing order,
// which gives the smallest image. Then compare each code with its images.
void Canonicalizer::find_representatives(const std::vector<std::int32_t>& history,
                                         std::uint8_t* is_first) const {
    if (code_indices_.empty()) {
        std::fill_n(is_first, num_codes_, std::uint8_t{1});
        return;
    }
    constexpr std::uint8_t kNoColor = 255;
    static_assert(kMaxColors <= kNoColor, "no color may be equal to kNoColor");
    struct Symmetry {
        const std::uint8_t* order;
        // kNoColor if the history does not determine it.
        std::array<std::uint8_t, kMaxColors> colors;
    };
    std::array<bool, kMaxColors> is_used{};
    for (std::int32_t guess : history)
        for (std::size_t peg = 0; peg < pegs_; ++peg) is_used[code(guess)[peg]] = true;
    std::vector<std::uint8_t> unused_colors;
    for (std::size_t color = 0; color < colors_; ++color)
        if (!is_used[color]) unused_colors.push_back(static_cast<std::uint8_t>(color));
    std::vector<Symmetry> symmetries;
    const std::size_t num_orders = symmetries_.same_answers || history.empty() ? num_orders_ : 1;
    for (std::size_t i = 0; i < num_orders; ++i) {
        Symmetry symmetry{orders_.data() + i * pegs_, {}};
        symmetry.colors.fill(kNoColor);
        std::array<std::uint8_t, kMaxColors> preimages;
        preimages.fill(kNoColor);
        bool fixes_history = true;
        for (std::size_t turn = 0; fixes_history && turn < history.size(); ++turn)
            for (std::size_t peg = 0; peg < pegs_; ++peg) {
                const std::uint8_t from = code(history[turn])[symmetry.order[peg]];
                const std::uint8_t to = code(history[turn])[peg];
                if (!symmetries_.colors && from != to) fixes_history = false;
                if (symmetry.colors[from] == kNoColor && preimages[to] == kNoColor) {
                    symmetry.colors[from] = to;
                    preimages[to] = from;
                } else if (symmetry.colors[from] != to) {
                    fixes_history = false;
                }
            }
        if (!symmetries_.colors)
            for (std::size_t color = 0; color < colors_; ++color)
                symmetry.colors[color] = static_cast<std::uint8_t>(color);
        if (fixes_history) symmetries.push_back(symmetry);
    }
    for (std::size_t i = 0; i < num_codes_; ++i) {
        const std::uint8_t* const code_colors = code(static_cast<std::int32_t>(i));
        is_first[i] = 1;
        for (const Symmetry& symmetry : symmetries) {
            auto colors = symmetry.colors;
            std::size_t num_renamed = 0;
            std::size_t value = 0;
            for (std::size_t peg = 0; peg < pegs_; ++peg) {
                std::uint8_t& color = colors[code_colors[symmetry.order[peg]]];
                if (color == kNoColor) color = unused_colors[num_renamed++];
                value = value * colors_ + color;
            }
            assert(code_indices_[value] >= 0);  // the codes are closed under the symmetries
            if (code_indices_[value] < static_cast<std::int32_t>(i)) {
                is_first[i] = 0;
                break;
            }
        }
    }
}

}  // namespace mmsat::optimal
