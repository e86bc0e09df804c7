// Sets of codes up to symmetries, which are permutations of pegs and of colors. A set is replaced
// by an image under the symmetries, which is usually the same for equivalent sets. An orbit
// consists of the codes that symmetries map to each other.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "hash.hpp"

namespace mmsat::optimal {

// The permutations that are symmetries of the game.
struct Symmetries {
    bool pegs = false;    // all permutations of pegs
    bool colors = false;  // all permutations of colors
    // Whether permutations of pegs keep every answer. Otherwise they may permute the answers.
    bool same_answers = false;
};

// A hash of a set of codes: two words, each the sum of one pseudorandom word per code.
//
// The low 36 bits of the second word are the place, and the other 92 bits are the tag. Places
// choose between equivalent orders of pegs and between buckets of tables. Only tags decide whether
// two sets are equal. The error bound that is printed with a proof assumes that the words are
// independent and uniformly distributed. Then, whatever the places are, the difference between the
// tags of two different sets is uniformly distributed, and the tags are equal with probability
// 2**-92. Which sets are compared before the first error depends on the places, but not on the
// tags. So the probability of an error is at most the sum over all comparisons (union bound).
struct Key {
    static constexpr int kPlaceBits = 36;
    static constexpr int kTagBits = 128 - kPlaceBits;

    std::uint64_t first = 0;
    std::uint64_t second = 0;

    std::uint64_t place() const { return second & ((std::uint64_t{1} << kPlaceBits) - 1); }
    Key& operator+=(const Key& other) {
        first += other.first;
        second += other.second;
        return *this;
    }
    bool operator==(const Key& other) const {
        return first == other.first && second == other.second;
    }
};

// Return the words for a value, from two SplitMix64 generators with different increments.
// Checkpoints contain keys, so the words must not change.
inline Key contribution(std::uint64_t value) {
    constexpr std::uint64_t kOtherIncrement = 0xD6E8FEB86659FD93u;
    return {mix64((value + 1) * kGoldenRatio64), mix64((value + 1) * kOtherIncrement)};
}

// The first values of codes that are not renamed, of salts (Optimal::salt_of()), and of allowed
// guesses in hard mode. The values of renamed codes are smaller.
constexpr std::uint64_t kFirstCodeValue = std::uint64_t{1} << 40;
constexpr std::uint64_t kFirstSaltValue = std::uint64_t{1} << 41;
constexpr std::uint64_t kFirstAllowedValue = std::uint64_t{1} << 42;

// Largest number of earlier guesses with which only one guess of each orbit is tried. After more
// guesses, few symmetries fix all of them.
constexpr int kSymmetricDepth = 2;

// Keys of sets of codes, and the symmetries of all codes. The object owns a copy of the codes.
// All methods are const and have no hidden state, so several threads may call them.
class Canonicalizer {
public:
    static constexpr std::size_t kMaxPegs = 16;
    static constexpr std::size_t kMaxColors = 255;  // a byte that is not a color remains
    // Sizes of the sets that are stored up to symmetry.
    static constexpr std::size_t kMinSize = 5;
    static constexpr std::size_t kMaxSize = 4000;
    using Order = std::array<std::uint8_t, kMaxPegs>;

    // `codes` has `pegs` colors per code, one code after the other. All codes of the game must be
    // listed, each once, and the set of codes must be closed under the symmetries. Permutations of
    // more than 8 pegs, and all symmetries of games with more than 2**24 sequences of colors, are
    // not used: the results are the same, but the search is slower.
    Canonicalizer(const std::uint8_t* codes, std::size_t num_codes, std::size_t pegs,
                  std::size_t colors, Symmetries symmetries);

    // Return the key of a set or, if applies_to(size), of an image of the set under the symmetries.
    // Two sets that symmetries map to each other usually have the same key, but not always: ties
    // between pegs or colors with equal counts are broken by their order. If `chosen_order` is
    // given and there is an image, it receives the order of its pegs.
    Key key(const std::int32_t* set, std::size_t size, Order* chosen_order = nullptr) const;
    // Return the codes that are hashed in the key of a set, in ascending order: those of the image
    // with this order of pegs, or of the set itself, which must be ascending.
    std::vector<std::uint16_t> hashed_codes(const std::int32_t* set, std::size_t size,
                                            const Order& order) const;
    // Return the contribution of a code to the key of a set that is not renamed.
    const Key& code_key(std::int32_t code) const {
        return code_keys_[static_cast<std::size_t>(code)];
    }

    // Write to `is_first`, one byte per code, whether the code has the smallest index among the
    // codes that symmetries fixing every guess of `history` map it to.
    void find_representatives(const std::vector<std::int32_t>& history,
                              std::uint8_t* is_first) const;

    // Whether sets of this size are stored up to symmetry.
    bool applies_to(std::size_t size) const {
        return (symmetries_.pegs || symmetries_.colors) && size >= kMinSize && size <= kMaxSize;
    }

private:
    const std::uint8_t* code(std::int32_t index) const {
        return codes_.data() + static_cast<std::size_t>(index) * pegs_;
    }
    using Counts = std::array<std::uint64_t, kMaxColors * kMaxPegs>;  // [color * pegs + peg]
    using Ranks = std::array<std::uint8_t, kMaxColors>;               // per color

    void count_colors(const std::int32_t* set, std::size_t size, Counts& counts) const;
    void rank_colors(const Order& order, const Counts& counts, Ranks& ranks) const;
    // Return the value of the image of a code: its colors are digits in base `colors`.
    std::uint64_t value(std::int32_t index, const Order& order, const Ranks& ranks) const;
    Key image_key(const std::int32_t* set, std::size_t size, Order* chosen_order) const;
    Key key_in_order(const std::int32_t* set, std::size_t size, const Order& order,
                     const Counts& counts) const;

    std::vector<std::uint8_t> codes_;
    std::size_t num_codes_;
    std::size_t pegs_;
    std::size_t colors_;
    Symmetries symmetries_;
    std::vector<std::uint8_t> orders_;  // permutations of pegs, one after the other
    std::size_t num_orders_;
    std::vector<Key> code_keys_;  // per code: see code_key()
    // [value of a sequence of colors, see value()]: the index of this code, else -1.
    std::vector<std::int32_t> code_indices_;
};

}  // namespace mmsat::optimal
