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

// The classes of a set by the answers to a guess. Memory is reused, so all members are valid until
// the next call of find(). Not thread-safe.
struct Partition {
    std::array<std::uint32_t, Answers::kMaxAnswers> sizes;  // per answer
    std::vector<std::uint8_t> answers;                      // by position in the set
    std::vector<std::int32_t> codes;  // the codes, class by class in the order of the answers
    std::array<std::uint32_t, Answers::kMaxAnswers> begins;  // per answer: index in `codes`

    // Find the answers and the sizes of the classes. `visit(code, answer)` is called for each code.
    template <class Visit>
    void find(const Answers& table, const std::int32_t* set, std::size_t size, std::int32_t guess,
              const Visit& visit) {
        const Answers::Column column = table.column(guess, size);
        std::fill_n(sizes.begin(), table.num_answers, 0);
        answers.resize(size);
        std::uint8_t* const out = answers.data();
        for (std::size_t i = 0; i < size; ++i) {
            const std::uint8_t answer = column[set[i]];
            out[i] = answer;
            ++sizes[answer];
            visit(set[i], answer);
        }
    }

    void find(const Answers& table, const std::int32_t* set, std::size_t size, std::int32_t guess) {
        find(table, set, size, guess, [](std::int32_t, std::uint8_t) {});
    }

    // Fill `codes` and `begins`, after find() for the same set.
    void sort_codes(const Answers& table, const std::int32_t* set) {
        std::array<std::uint32_t, Answers::kMaxAnswers> ends;
        std::uint32_t end = 0;
        for (std::size_t answer = 0; answer < table.num_answers; ++answer) {
            begins[answer] = ends[answer] = end;
            end += sizes[answer];
        }
        assert(end == answers.size());
        codes.resize(end);
        for (std::size_t i = 0; i < end; ++i) codes[ends[answers[i]]++] = set[i];
    }

    // Return whether another guess splits the set, for which find() was called, into the same
    // classes and wins on the same code, if any. Its answers to the classes may differ.
    bool has_same_classes(const Answers& table, const std::int32_t* set,
                          std::int32_t other_guess) const {
        constexpr std::uint8_t kUnmapped = 255;  // not an answer: there are at most 254
        const Answers::Column other_column = table.column(other_guess, answers.size());
        std::array<std::uint8_t, 256> image, preimage;
        std::fill_n(image.begin(), table.num_answers, kUnmapped);
        std::fill_n(preimage.begin(), table.num_answers, kUnmapped);
        image[table.win()] = preimage[table.win()] = table.win();
        for (std::size_t i = 0; i < answers.size(); ++i) {
            const std::uint8_t answer = answers[i];
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
};

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

    // Add a guess below 65,535 unless an added guess has the same partition of the set; return
    // whether it was added. Partitions with different hashes must be different.
    bool add(std::uint64_t hash, std::int32_t guess, const Partition& partition,
             const Answers& table, const std::int32_t* set) {
        assert(!slots_.empty() && guess >= 0 && guess < 0xFFFF);
        const std::uint64_t slot = (hash & ~kGuessMask) | static_cast<std::uint64_t>(guess + 1);
        const std::size_t mask = slots_.size() - 1;
        std::size_t slot_index = (hash >> 32) & mask;
        for (; slots_[slot_index] != kFree; slot_index = (slot_index + 1) & mask) {
            const bool is_equal_hash = ((slots_[slot_index] ^ slot) & ~kGuessMask) == 0;
            const auto other_guess = static_cast<std::int32_t>(slots_[slot_index] & kGuessMask) - 1;
            if (is_equal_hash && partition.has_same_classes(table, set, other_guess)) return false;
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
