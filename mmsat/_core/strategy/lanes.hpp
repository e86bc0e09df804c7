// Vectors of W bytes (lanes) on any machine, with the vector types of the compiler if available.
// The same code is compiled for several x86 vector units, and the best one is selected at run time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "machine.hpp"

#if defined(__GNUC__) || defined(__clang__)
#define MMSAT_INLINE inline __attribute__((always_inline))
#else
#define MMSAT_INLINE inline
#endif

#ifdef MMSAT_X86
#define MMSAT_AVX2 __attribute__((target("avx2,bmi,bmi2,popcnt")))
#define MMSAT_AVX512 \
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx2,bmi,bmi2,popcnt")))
#endif

namespace mmsat::strategy {

constexpr std::uint32_t kOnes = 0x01010101;  // times a byte: the byte in all bytes of a word

// Size of the widest vector in bytes; columns of bytes are padded to multiples of it.
constexpr std::size_t kLanes = 64;

#if defined(__GNUC__) || defined(__clang__)

template <int W>
struct Bytes {
    typedef std::uint8_t Vector __attribute__((vector_size(W), aligned(1), may_alias));
    typedef std::uint32_t Words __attribute__((vector_size(W), aligned(1), may_alias));
    Vector lanes;

    static constexpr bool kHasMasks = W == 64;  // comparisons yield masks in mask registers

    static MMSAT_INLINE Bytes load(const std::uint8_t* source) {
        return {*reinterpret_cast<const Vector*>(source)};
    }
    static MMSAT_INLINE Bytes all(std::uint8_t byte) { return spread(byte * kOnes); }
    // Repeat the four bytes of a word.
    static MMSAT_INLINE Bytes spread(std::uint32_t word) {
        Words words = Words{} + word;
        return {Vector(words)};
    }
    MMSAT_INLINE void store(std::uint8_t* to) const { *reinterpret_cast<Vector*>(to) = lanes; }
    MMSAT_INLINE void add(Bytes other) { lanes += other.lanes; }
    // Add 1, or a weight, in the lanes in which both are equal.
    MMSAT_INLINE void add_equal(Bytes one, Bytes other) {
        if constexpr (kHasMasks)
            lanes = one.lanes == other.lanes ? lanes + 1 : lanes;
        else
            lanes -= Vector(one.lanes == other.lanes);
    }
    MMSAT_INLINE void add_equal(Bytes one, Bytes other, Bytes weight) {
        if constexpr (kHasMasks)
            lanes = one.lanes == other.lanes ? lanes + weight.lanes : lanes;
        else
            lanes += Vector(one.lanes == other.lanes) & weight.lanes;
    }
    // Add the minimum of both in each lane.
    MMSAT_INLINE void add_minimum(Bytes one, Bytes other) {
        lanes += one.lanes < other.lanes ? one.lanes : other.lanes;
    }
    // Add 1 in the lanes in which the counts are not 0.
    MMSAT_INLINE void add_occupied(Bytes counts) { lanes -= Vector(counts.lanes != 0); }
    // Replace each lane by the maximum of both.
    MMSAT_INLINE void raise(Bytes other) { lanes = lanes < other.lanes ? other.lanes : lanes; }
    // Return whether some lane is less than, or not less than, that of `other`.
    MMSAT_INLINE bool any_less(Bytes other) const { return any(Vector(lanes < other.lanes)); }
    MMSAT_INLINE bool any_not_less(Bytes other) const { return any(Vector(lanes >= other.lanes)); }

    static MMSAT_INLINE bool any(Vector mask) {
        std::uint64_t words[W / 8];
        std::memcpy(words, &mask, sizeof words);
        std::uint64_t any_bits = 0;
        for (std::uint64_t word : words) any_bits |= word;
        return any_bits != 0;
    }
};

#else

template <int W>
struct Bytes {
    std::uint8_t lanes[W];

    static Bytes load(const std::uint8_t* source) {
        Bytes result;
        std::memcpy(result.lanes, source, W);
        return result;
    }
    static Bytes all(std::uint8_t byte) {
        Bytes result;
        std::memset(result.lanes, byte, W);
        return result;
    }
    static Bytes spread(std::uint32_t word) { return all(static_cast<std::uint8_t>(word)); }
    void store(std::uint8_t* to) const { std::memcpy(to, lanes, W); }
    template <typename Change>
    void for_each_lane(Change change) {
        for (int lane = 0; lane < W; ++lane)
            lanes[lane] = static_cast<std::uint8_t>(change(lanes[lane], lane));
    }
    template <typename Test>
    bool any_lane(Test test) const {
        bool is_found = false;
        for (int lane = 0; lane < W; ++lane) is_found |= test(lanes[lane], lane);
        return is_found;
    }
    void add(Bytes other) {
        for_each_lane([&](int value, int lane) { return value + other.lanes[lane]; });
    }
    void add_equal(Bytes one, Bytes other) { add_equal(one, other, all(1)); }
    void add_equal(Bytes one, Bytes other, Bytes weight) {
        for_each_lane([&](int value, int lane) {
            return one.lanes[lane] == other.lanes[lane] ? value + weight.lanes[lane] : value;
        });
    }
    void add_minimum(Bytes one, Bytes other) {
        for_each_lane([&](int value, int lane) {
            return value +
                   (one.lanes[lane] < other.lanes[lane] ? one.lanes[lane] : other.lanes[lane]);
        });
    }
    void add_occupied(Bytes counts) {
        for_each_lane([&](int value, int lane) { return value + (counts.lanes[lane] != 0); });
    }
    void raise(Bytes other) {
        for_each_lane([&](int value, int lane) {
            return value < other.lanes[lane] ? other.lanes[lane] : value;
        });
    }
    bool any_less(Bytes other) const {
        return any_lane([&](int value, int lane) { return value < other.lanes[lane]; });
    }
    bool any_not_less(Bytes other) const {
        return any_lane([&](int value, int lane) { return value >= other.lanes[lane]; });
    }
};

#endif

// best() returns Kernel<W>::run, compiled for the best vector unit of this machine, where W is its
// vector size in bytes.
template <template <int> class Kernel, typename... Arguments>
struct Dispatch {
#ifdef MMSAT_X86
    MMSAT_AVX512 static void run_avx512(Arguments... arguments) { Kernel<64>::run(arguments...); }
    MMSAT_AVX2 static void run_avx2(Arguments... arguments) { Kernel<32>::run(arguments...); }
#endif
    static void run_plain(Arguments... arguments) { Kernel<16>::run(arguments...); }

    static auto best() {
#ifdef MMSAT_X86
        if (vector_bytes() >= 64) return &run_avx512;
        if (vector_bytes() >= 32) return &run_avx2;
#endif
        return &run_plain;
    }
};

}  // namespace mmsat::strategy
