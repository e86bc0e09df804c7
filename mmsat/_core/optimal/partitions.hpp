// Partitions of a set of codes by the answers to a guess. Of all guesses with the same partition,
// only the first is worth trying.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "optimal/answers.hpp"

namespace mmsat::optimal {

// Return whether two guesses split a set into the same classes and win on the same code, if any.
// Their answers to the classes may differ. `labels` are the answers to the first guess, by position
// in the set.
inline bool have_same_partition(const Answers& answers, const std::int32_t* set, std::size_t size,
                                const std::uint8_t* labels, std::int32_t other_guess) {
    constexpr std::uint8_t kUnmapped = 255;  // not an answer: there are at most 254
    const Answers::Column other_column = answers.column(other_guess, size);
    std::array<std::uint8_t, 256> image, preimage;
    std::fill_n(image.begin(), answers.num_answers, kUnmapped);
    std::fill_n(preimage.begin(), answers.num_answers, kUnmapped);
    image[answers.win()] = preimage[answers.win()] = answers.win();
    for (std::size_t i = 0; i < size; ++i) {
        const std::uint8_t answer = labels[i];
        const std::uint8_t other_answer = other_column[set[i]];
        if (image[answer] == kUnmapped && preimage[other_answer] == kUnmapped) {
            image[answer] = other_answer;
            preimage[other_answer] = answer;
        } else if (image[answer] != other_answer) {
            return false;
        }
    }
    return true;
}

// Return a mask of the `bits` highest bits of a word.
inline std::uint64_t high_bits(int bits) {
    return bits == 0 ? 0 : ~std::uint64_t{0} << (64 - bits);
}

// Hash table of the tried guesses, by a hash of their partitions. Guesses with equal hashes are
// compared, so a collision costs time but does not change a result.
class TriedGuesses {
public:
    // Remove all guesses, and reserve memory for `max_guesses`.
    void clear(std::size_t max_guesses) {
        std::size_t num_slots = 16;
        while (num_slots < 2 * max_guesses) num_slots *= 2;
        slots_.assign(num_slots, kFree);
    }

    // Add a guess below 65,535 unless an added guess has the same partition; return whether it was
    // added. `has_same_partition(other_guess)` compares the guess with one whose hash is equal.
    template <class Compare>
    bool add(std::uint64_t hash, std::int32_t guess, Compare has_same_partition) {
        assert(!slots_.empty() && guess >= 0 && guess < 0xFFFF);
        const std::uint64_t slot = (hash & ~kGuessMask) | static_cast<std::uint64_t>(guess + 1);
        const std::size_t mask = slots_.size() - 1;
        std::size_t slot_index = (hash >> 32) & mask;
        for (; slots_[slot_index] != kFree; slot_index = (slot_index + 1) & mask) {
            const bool is_equal_hash = ((slots_[slot_index] ^ slot) & ~kGuessMask) == 0;
            if (is_equal_hash &&
                has_same_partition(static_cast<std::int32_t>(slots_[slot_index] & kGuessMask) - 1))
                return false;
        }
        slots_[slot_index] = slot;
        return true;
    }

private:
    // A slot has 48 bits of the hash and the guess plus 1 in the other 16 bits.
    static constexpr std::uint64_t kFree = 0;
    static constexpr std::uint64_t kGuessMask = 0xFFFF;

    std::vector<std::uint64_t> slots_;
};

}  // namespace mmsat::optimal
