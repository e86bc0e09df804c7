// Arithmetic with natural numbers of several words, lowest word first.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace mmsat {

using Word = std::uint64_t;
constexpr unsigned kWordBits = 64;

// sum += other. Returns the carry.
template <class Size>
inline unsigned add(Word* sum, const Word* other, Size words) {
    unsigned carry = 0;
    for (std::size_t i = 0; i < words; ++i) {
        const Word with_carry = sum[i] + carry;
        carry = with_carry < carry;
        sum[i] = with_carry + other[i];
        carry |= sum[i] < with_carry;
    }
    return carry;
}

// sum += other * factor; the result must fit.
template <class Size>
inline void add_times(Word* sum, const Word* other, Word factor, Size words) {
    if (factor == 1) return static_cast<void>(add(sum, other, words));
    unsigned __int128 carry = 0;
    for (std::size_t i = 0; i < words; ++i) {
        carry += static_cast<unsigned __int128>(other[i]) * factor + sum[i];
        sum[i] = static_cast<Word>(carry);
        carry >>= kWordBits;
    }
}

// sum += one * other; the result must fit.
template <class Size>
inline void add_product(Word* sum, const Word* one, const Word* other, Size words) {
    for (std::size_t i = 0; i < words; ++i) {
        if (one[i] == 0) continue;
        unsigned __int128 carry = 0;
        for (std::size_t j = 0; i + j < words; ++j) {
            carry += static_cast<unsigned __int128>(one[i]) * other[j] + sum[i + j];
            sum[i + j] = static_cast<Word>(carry);
            carry >>= kWordBits;
        }
    }
}

// number *= factor. Returns the carry.
inline Word multiply(Word* number, Word factor, std::size_t words) {
    unsigned __int128 carry = 0;
    for (std::size_t i = 0; i < words; ++i) {
        carry += static_cast<unsigned __int128>(number[i]) * factor;
        number[i] = static_cast<Word>(carry);
        carry >>= kWordBits;
    }
    return static_cast<Word>(carry);
}

template <class Size>
inline bool is_zero(const Word* number, Size words) {
    Word any_bits = 0;
    for (std::size_t i = 0; i < words; ++i) any_bits |= number[i];
    return any_bits == 0;
}

// Return whether one number is less than another with as many words. The arguments are containers.
template <class Words>
inline bool is_less(const Words& one, const Words& other) {
    return std::lexicographical_compare(one.rbegin(), one.rend(), other.rbegin(), other.rend());
}

}  // namespace mmsat
