// Many small counters packed into a few machine words.
//
// Each counter is a bit field with a guard bit above it, which is 0 between operations. All
// counters are added in one addition. All are compared with their bounds in one subtraction: guard
// bits are set before it, and a guard bit is still set afterwards exactly if its field did not
// borrow.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "hash.hpp"

namespace mmsat::counting {

using Word = std::uint64_t;
constexpr unsigned kWordBits = 64;

// Position of a counter: its lowest bit, counted through all words. A field is within one word.
struct Field {
    unsigned bit = 0;
    unsigned width = 0;  // without the guard bit

    Word max_value() const { return (Word{1} << width) - 1; }
};

// Return the number of bits of `largest`, at least 1.
inline unsigned bits_for(Word largest) {
    unsigned bits = 1;
    while (bits < kWordBits && largest >> bits) ++bits;
    return bits;
}

// Allocates fields, first fit. Throws overflow_error if there is no space.
class Fields {
public:
    explicit Fields(std::size_t words) : taken_(words, 0) {}

    Field take(Word largest) {
        const unsigned width = bits_for(largest);
        if (width + 1 > kWordBits) throw std::overflow_error("a counter does not fit");
        const Word mask = (Word{2} << width) - 1;
        for (std::size_t word = 0; word < taken_.size(); ++word)
            for (unsigned bit = 0; bit + width < kWordBits; ++bit)
                if (!(taken_[word] & (mask << bit))) {
                    taken_[word] |= mask << bit;
                    words_ = word + 1 > words_ ? word + 1 : words_;
                    return {static_cast<unsigned>(word) * kWordBits + bit, width};
                }
        throw std::overflow_error("there are too many counters");
    }

    void give_back(Field field) {
        const Word mask = (Word{2} << field.width) - 1;
        taken_[field.bit / kWordBits] &= ~(mask << field.bit % kWordBits);
    }

    std::size_t words() const { return words_; }  // number of words used so far

private:
    std::vector<Word> taken_;
    std::size_t words_ = 1;
};

// K words of counters.
template <int K>
struct Packed {
    Word word[K] = {};

    void set(Field field, Word value) {
        Word& home = word[field.bit / kWordBits];
        const unsigned bit = field.bit % kWordBits;
        assert(value <= field.max_value());
        home = (home & ~(field.max_value() << bit)) | (value << bit);
    }
    Word get(Field field) const {
        return word[field.bit / kWordBits] >> field.bit % kWordBits & field.max_value();
    }
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
    Packed without(const Packed& other) const {
        Packed rest;
        for (int i = 0; i < K; ++i) rest.word[i] = word[i] & ~other.word[i];
        return rest;
    }
    bool operator==(const Packed& other) const {
        Word differing = 0;
        for (int i = 0; i < K; ++i) differing |= word[i] ^ other.word[i];
        return differing == 0;
    }
    // Any total order; it is preserved if the same is added to both sides, because no field
    // overflows.
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

// Return whether every counter is between its bounds.
template <int K>
inline bool within(const Packed<K>& value, const Packed<K>& low, const Packed<K>& high,
                   const Packed<K>& guards) {
    Word kept = ~Word{0};
    for (int i = 0; i < K; ++i) {
        const Word guard = guards.word[i];
        kept &= ((value.word[i] | guard) - low.word[i]) | ~guard;
        kept &= ((high.word[i] | guard) - value.word[i]) | ~guard;
    }
    return kept == ~Word{0};
}

// Subtract `amount` and return true, or return false and change nothing if a counter would become
// negative.
template <int K>
inline bool subtract(Packed<K>& value, const Packed<K>& amount, const Packed<K>& guards) {
    const Packed<K> left = (value | guards) - amount;
    if (!((left & guards) == guards)) return false;
    value = left.without(guards);
    return true;
}

}  // namespace mmsat::counting
