// The vector units of the machine: code is compiled for each of them, and the best that the machine
// has is taken when it runs.
#pragma once

#include <cstdlib>

#if (defined(__GNUC__) || defined(__clang__)) && defined(__x86_64__)
#define MMSAT_X86 1

// All functions between BEGIN and END are compiled for those units. No header may be included
// there.
#define MMSAT_PRAGMA(text) _Pragma(#text)
#ifdef __clang__
#define MMSAT_BEGIN(units) \
    MMSAT_PRAGMA(clang attribute push(__attribute__((target(units))), apply_to = function))
#define MMSAT_END_MACHINE MMSAT_PRAGMA(clang attribute pop)
#else
#define MMSAT_BEGIN(units) MMSAT_PRAGMA(GCC push_options) MMSAT_PRAGMA(GCC target(units))
#define MMSAT_END_MACHINE MMSAT_PRAGMA(GCC pop_options)
#endif
#define MMSAT_BEGIN_AVX2 MMSAT_BEGIN("avx2,bmi,bmi2,popcnt")
#define MMSAT_BEGIN_AVX512 MMSAT_BEGIN("avx512f,avx512bw,avx512vl,avx512dq,avx2,bmi,bmi2,popcnt")
#define MMSAT_BEGIN_VBMI MMSAT_BEGIN("avx512f,avx512bw,avx512vl,avx512vbmi")
#endif

// A function that is compiled for newer processors too, where the compiler chooses among them.
#if defined(MMSAT_X86) && !defined(__clang__) && defined(__linux__)
#define MMSAT_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
// Without products and sums in one: numbers are rounded alike on all of them.
#define MMSAT_EQUAL_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define MMSAT_CLONES
#define MMSAT_EQUAL_CLONES
#endif

// A pointer whose numbers no other one points to.
#if defined(__GNUC__)
#define MMSAT_APART __restrict__
#else
#define MMSAT_APART
#endif

namespace mmsat {

// The bytes of the widest vector that this machine computes with: 64, 32 or 16.
inline int vector_bytes() {
#ifdef MMSAT_X86
    const char* const wanted = std::getenv("MMSAT_LANES");  // fewer, to try the others
    const int most = wanted ? std::atoi(wanted) : 64;
    __builtin_cpu_init();
    if (most >= 64 && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq"))
        return 64;
    if (most >= 32 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")) return 32;
#endif
    return 16;
}

}  // namespace mmsat
