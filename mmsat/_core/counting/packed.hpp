// Many small counters packed into a few machine words.
//
// Each counter is a bit field with a guard bit above it, which is 0 between operations. One
// addition of words adds all of their counters. One subtraction compares all counters with their
// bounds: the guard bits are set before it, and a guard bit is still set after it exactly if the
// subtraction of its counter did not borrow.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "hash.hpp"
#include "multiword.hpp"

namespace mmsat::counting {

// Position of a counter: its lowest bit, numbered through all words. A field is within one word.
struct Field {
    unsigned bit = 0;
    unsigned width = 0;  // without the guard bit

    Word max_value() const { return (Word{1} << width) - 1; }
};

// Return the number of bits of `max_value`, at least 1.
inline unsigned bits_for(Word max_value) {
    unsigned bits = 1;
    while (bits < kWordBits && max_value >> bits) ++bits;
    return bits;
}

// Allocates each field at the first free position. Throws overflow_error if there is too little
// space.
class Fields {
public:
    explicit Fields(std::size_t max_words) : used_bits_(max_words, 0) {}

    // Allocate a field for values up to `max_value`.
    Field take(Word max_value) {
        const unsigned width = bits_for(max_value);
        if (width + 1 > kWordBits) throw std::overflow_error("a counter does not fit");
        const Word mask = (Word{2} << width) - 1;
        for (std::size_t word = 0; word < used_bits_.size(); ++word)
            for (unsigned bit = 0; bit + width < kWordBits; ++bit)
                if (!(used_bits_[word] & (mask << bit))) {
                    used_bits_[word] |= mask << bit;
                    num_words_ = word + 1 > num_words_ ? word + 1 : num_words_;
                    return {static_cast<unsigned>(word) * kWordBits + bit, width};
                }
        throw std::overflow_error("there are too many counters");
    }

    // Free a field, so that later fields may use its bits.
    void give_back(Field field) {
        const Word mask = (Word{2} << field.width) - 1;
        used_bits_[field.bit / kWordBits] &= ~(mask << field.bit % kWordBits);
    }

    std::size_t num_words() const { return num_words_; }  // number of words used so far

private:
    std::vector<Word> used_bits_;
    std::size_t num_words_ = 1;
};

// K words of counters.
template <int K>
struct Packed {
    Word word[K] = {};

    void set(Field field, Word value) {
        Word& target = word[field.bit / kWordBits];
        const unsigned bit = field.bit % kWordBits;
        assert(value <= field.max_value());
        target = (target & ~(field.max_value() << bit)) | (value << bit);
    }
    Word get(Field field) const {
        return word[field.bit / kWordBits] >> field.bit % kWordBits & field.max_value();
    }
    // Set the guard bit of a field.
    void guard(Field field) {
        const unsigned bit = field.bit + field.width;
        word[bit / kWordBits] |= Word{1} << bit % kWordBits;
    }

    Packed operator+(const Packed& other) const {
        Packed sum;
        for (int i = 0; i < K; ++i) sum.word[i] = word[i] + other.word[i];
        return sum;
    }
    Packed operator-(const Packed& other) const {
        Packed difference;
        for (int i = 0; i < K; ++i) difference.word[i] = word[i] - other.word[i];
        return difference;
    }
    Packed operator|(const Packed& other) const {
        Packed both;
        for (int i = 0; i < K; ++i) both.word[i] = word[i] | other.word[i];
        return both;
    }
    Packed operator&(const Packed& other) const {
        Packed common;
        for (int i = 0; i < K; ++i) common.word[i] = word[i] & other.word[i];
        return common;
    }
    // Return the bits that are not set in `other`.
    Packed without(const Packed& other) const {
        Packed difference;
        for (int i = 0; i < K; ++i) difference.word[i] = word[i] & ~other.word[i];
        return difference;
    }
    bool operator==(const Packed& other) const {
        Word differing = 0;
        for (int i = 0; i < K; ++i) differing |= word[i] ^ other.word[i];
        return differing == 0;
    }
    // Compare lexicographically, the last word first. Adding the same value to both sides preserves
    // the order, because no field overflows.
    bool operator<(const Packed& other) const {
        for (int i = K - 1; i > 0; --i)
            if (word[i] != other.word[i]) return word[i] < other.word[i];
        return word[0] < other.word[0];
    }
    Word hash() const {
        Word hash = kGoldenRatio64;
        for (int i = 0; i < K; ++i) hash = append_hash(hash, word[i]);
        return hash;
    }
};

// Return whether every counter is between its bounds (inclusive). `guards` has the guard bits of
// the counters.
template <int K>
inline bool within(const Packed<K>& value, const Packed<K>& low, const Packed<K>& high,
                   const Packed<K>& guards) {
    Word guard_bits = ~Word{0};  // all other bits stay set
    for (int i = 0; i < K; ++i) {
        const Word guard = guards.word[i];
        guard_bits &= ((value.word[i] | guard) - low.word[i]) | ~guard;
        guard_bits &= ((high.word[i] | guard) - value.word[i]) | ~guard;
    }
    return guard_bits == ~Word{0};
}

// Subtract `amount` and return true, or return false and change nothing if a counter would become
// negative.
template <int K>
inline bool subtract(Packed<K>& value, const Packed<K>& amount, const Packed<K>& guards) {
    const Packed<K> difference = (value | guards) - amount;
    if (!((difference & guards) == guards)) return false;
    value = difference.without(guards);
    return true;
}

}  // namespace mmsat::counting
