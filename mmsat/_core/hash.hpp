// Hash functions and pseudorandom numbers of 64 bits. Their arithmetic wraps around on purpose, and
// their results are the same on every machine.
#pragma once

#include <cstdint>

namespace mmsat {

// 2**64 divided by the golden ratio, rounded to an odd number.
constexpr std::uint64_t kGoldenRatio64 = 0x9E3779B97F4A7C15u;

// Return the image of a word under a pseudorandom permutation: the finalizer of SplitMix64.
constexpr std::uint64_t mix64(std::uint64_t word) {
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9u;
    word = (word ^ (word >> 27)) * 0x94D049BB133111EBu;
    return word ^ (word >> 31);
}

// Return the hash of a sequence with one more word, given the hash of the sequence. The hash of the
// empty sequence is kGoldenRatio64. This is faster than mix64(), because the following words mix
// the hash further.
constexpr std::uint64_t append_hash(std::uint64_t hash, std::uint64_t word) {
    hash = (hash ^ word) * 0xFF51AFD7ED558CCDu;
    return hash ^ (hash >> 32);
}

// Return a hash of `bits` bits (Fibonacci hashing; Knuth, TAOCP 3, 6.4).
constexpr std::uint64_t fibonacci_hash(std::uint64_t word, int bits) {
    return word * kGoldenRatio64 >> (64 - bits);
}

// The pseudorandom numbers of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
class SplitMix64 {
public:
    explicit SplitMix64(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() { return mix64(state_ += kGoldenRatio64); }
    // Return a number below `bound`, which is at most 2**32.
    std::uint64_t below(std::uint64_t bound) { return (next() >> 32) * bound >> 32; }

private:
    std::uint64_t state_;
};

}  // namespace mmsat
