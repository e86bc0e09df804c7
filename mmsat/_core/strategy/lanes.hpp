// Vectors of bytes on any machine: vector types of the compiler if available, and the same code
// compiled for several x86 vector units, of which the best is selected at run time.
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

constexpr std::uint32_t kOnes = 0x01010101;

// Size of the widest vector in bytes; columns of bytes are padded to multiples of it.
constexpr std::size_t kLanes = 64;

#if defined(__GNUC__) || defined(__clang__)

template <int W>
struct Bytes {
    typedef std::uint8_t Vector __attribute__((vector_size(W), aligned(1), may_alias));
    typedef std::uint32_t Words __attribute__((vector_size(W), aligned(1), may_alias));
    Vector of;

    static constexpr bool kHasMasks = W == 64;  // comparisons give masks in registers of their own

    static MMSAT_INLINE Bytes load(const std::uint8_t* from) {
        return {*reinterpret_cast<const Vector*>(from)};
    }
    static MMSAT_INLINE Bytes all(std::uint8_t byte) { return spread(byte * kOnes); }
    // Repeat four bytes.
    static MMSAT_INLINE Bytes spread(std::uint32_t four) {
        Words words = Words{} + four;
        return {Vector(words)};
    }
    MMSAT_INLINE void store(std::uint8_t* to) const { *reinterpret_cast<Vector*>(to) = of; }
    MMSAT_INLINE void add(Bytes other) { of += other.of; }
    // Add one (or a weight) in the lanes in which both are equal.
    MMSAT_INLINE void add_equal(Bytes one, Bytes other) {
        if constexpr (kHasMasks)
            of = one.of == other.of ? of + 1 : of;
        else
            of -= Vector(one.of == other.of);
    }
    MMSAT_INLINE void add_equal(Bytes one, Bytes other, Bytes weight) {
        if constexpr (kHasMasks)
            of = one.of == other.of ? of + weight.of : of;
        else
            of += Vector(one.of == other.of) & weight.of;
    }
    // Add the minimum of both in each lane.
    MMSAT_INLINE void add_less(Bytes one, Bytes other) {
        of += one.of < other.of ? one.of : other.of;
    }
    // Add one in the lanes that are not 0.
    MMSAT_INLINE void add_occupied(Bytes one) { of -= Vector(one.of != 0); }
    // Replace each lane by the maximum.
    MMSAT_INLINE void raise(Bytes other) { of = of < other.of ? other.of : of; }
    // Return whether some lane is less, or greater or equal.
    MMSAT_INLINE bool any_less(Bytes other) const { return any(Vector(of < other.of)); }
    MMSAT_INLINE bool any_not_less(Bytes other) const { return any(Vector(of >= other.of)); }

    static MMSAT_INLINE bool any(Vector mask) {
        std::uint64_t words[W / 8];
        std::memcpy(words, &mask, sizeof words);
        std::uint64_t joined = 0;
        for (std::uint64_t word : words) joined |= word;
        return joined != 0;
    }
};

#else

template <int W>
struct Bytes {
    std::uint8_t of[W];

    static Bytes load(const std::uint8_t* from) {
        Bytes made;
        std::memcpy(made.of, from, W);
        return made;
    }
    static Bytes all(std::uint8_t byte) {
        Bytes made;
        std::memset(made.of, byte, W);
        return made;
    }
    static Bytes spread(std::uint32_t four) { return all(static_cast<std::uint8_t>(four)); }
    void store(std::uint8_t* to) const { std::memcpy(to, of, W); }
    template <typename Change>
    void for_each_lane(Change change) {
        for (int lane = 0; lane < W; ++lane)
            of[lane] = static_cast<std::uint8_t>(change(of[lane], lane));
    }
    template <typename Test>
    bool some(Test test) const {
        bool found = false;
        for (int lane = 0; lane < W; ++lane) found |= test(of[lane], lane);
        return found;
    }
    void add(Bytes other) {
        for_each_lane([&](int old, int lane) { return old + other.of[lane]; });
    }
    void add_equal(Bytes one, Bytes other) { add_equal(one, other, all(1)); }
    void add_equal(Bytes one, Bytes other, Bytes weight) {
        for_each_lane(
            [&](int old, int l) { return one.of[l] == other.of[l] ? old + weight.of[l] : old; });
    }
    void add_less(Bytes one, Bytes other) {
        for_each_lane([&](int old, int l) {
            return old + (one.of[l] < other.of[l] ? one.of[l] : other.of[l]);
        });
    }
    void add_occupied(Bytes one) {
        for_each_lane([&](int old, int lane) { return old + (one.of[lane] != 0); });
    }
    void raise(Bytes other) {
        for_each_lane([&](int old, int l) { return old < other.of[l] ? other.of[l] : old; });
    }
    bool any_less(Bytes other) const {
        return some([&](int mine, int lane) { return mine < other.of[lane]; });
    }
    bool any_not_less(Bytes other) const {
        return some([&](int mine, int lane) { return mine >= other.of[lane]; });
    }
};

#endif

// Selects Work<lanes>::run, compiled for the best vector unit of this machine.
template <template <int> class Work, typename... Arguments>
struct Dispatch {
#ifdef MMSAT_X86
    MMSAT_AVX512 static void widest(Arguments... arguments) { Work<64>::run(arguments...); }
    MMSAT_AVX2 static void wide(Arguments... arguments) { Work<32>::run(arguments...); }
#endif
    static void plain(Arguments... arguments) { Work<16>::run(arguments...); }

    static auto best() {
#ifdef MMSAT_X86
        if (vector_bytes() >= 64) return &widest;
        if (vector_bytes() >= 32) return &wide;
#endif
        return &plain;
    }
};

}  // namespace mmsat::strategy
