// Function multiversioning: code is compiled for several vector units. At run time, the best vector
// unit of the machine is selected.
#pragma once

#include <cstdlib>

#if (defined(__GNUC__) || defined(__clang__)) && defined(__x86_64__)
#define MMSAT_X86 1

// Functions between MMSAT_BEGIN_... and MMSAT_END_TARGET are compiled for these units. No header
// may be included between them.
#define MMSAT_PRAGMA(text) _Pragma(#text)
#ifdef __clang__
#define MMSAT_BEGIN_TARGET(units) \
    MMSAT_PRAGMA(clang attribute push(__attribute__((target(units))), apply_to = function))
#define MMSAT_END_TARGET MMSAT_PRAGMA(clang attribute pop)
#else
#define MMSAT_BEGIN_TARGET(units) MMSAT_PRAGMA(GCC push_options) MMSAT_PRAGMA(GCC target(units))
#define MMSAT_END_TARGET MMSAT_PRAGMA(GCC pop_options)
#endif
#define MMSAT_BEGIN_AVX2 MMSAT_BEGIN_TARGET("avx2,bmi,bmi2,popcnt")
#define MMSAT_BEGIN_AVX512 \
    MMSAT_BEGIN_TARGET("avx512f,avx512bw,avx512vl,avx512dq,avx2,bmi,bmi2,popcnt")
#define MMSAT_BEGIN_VBMI MMSAT_BEGIN_TARGET("avx512f,avx512bw,avx512vl,avx512vbmi")
#endif

// A function with this attribute is also compiled for newer processors, if the compiler supports
// the selection among versions.
#if defined(MMSAT_X86) && !defined(__clang__) && defined(__linux__)
#define MMSAT_MULTIVERSION \
    __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
// The same without fused multiply-add, so that all versions round in the same way.
#define MMSAT_MULTIVERSION_NO_FMA __attribute__((target_clones("avx2", "default")))
#else
#define MMSAT_MULTIVERSION
#define MMSAT_MULTIVERSION_NO_FMA
#endif

// A restrict-qualified pointer: no other pointer is used to access its elements.
#if defined(__GNUC__)
#define MMSAT_RESTRICT __restrict__
#else
#define MMSAT_RESTRICT
#endif

namespace mmsat {

// Return the size in bytes of the vectors to use: 64, 32 or 16. It is the largest size that this
// machine supports, and at most the number of bytes in the environment variable MMSAT_LANES, if
// that is set.
inline int vector_bytes() {
#ifdef MMSAT_X86
    const char* const limit = std::getenv("MMSAT_LANES");  // for tests
    const int max_bytes = limit ? std::atoi(limit) : 64;
    __builtin_cpu_init();
    if (max_bytes >= 64 && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
        return 64;
    if (max_bytes >= 32 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2"))
        return 32;
#endif
    return 16;
}

}  // namespace mmsat
