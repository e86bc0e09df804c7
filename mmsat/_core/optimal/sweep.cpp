// Vectors of 64 guesses, in the vector extensions that GCC and Clang share. Where the compiler can
// make several versions of a function, the machine chooses among them when the module loads.
#include "sweep.hpp"

#include <algorithm>
#include <cstring>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && defined(__linux__)
#define MMSAT_VERSIONS __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#define MMSAT_BYTES __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi")))
#else
#define MMSAT_VERSIONS
#endif
#define MMSAT_INLINE inline __attribute__((always_inline))

#pragma GCC diagnostic ignored "-Wpsabi"

namespace mmsat::exact {

namespace {

constexpr std::size_t lanes = Answers::block;

template <class Unit, std::size_t count>
struct VectorOf {
    typedef Unit type __attribute__((vector_size(sizeof(Unit) * count)));
};
template <class Unit, std::size_t count>
using Lanes = typename VectorOf<Unit, count>::type;

template <class Vector>
MMSAT_INLINE Vector load(const void* place) {
    Vector value;
    std::memcpy(&value, place, sizeof value);
    return value;
}

template <class Unit>
MMSAT_INLINE void parts_of_block(const std::uint8_t* column, std::size_t stride,
                                 const std::int32_t* set, std::size_t size, Unit win,
                                 std::uint8_t* parts) {
    constexpr std::size_t wide = 64 / sizeof(Unit);  // lanes of one vector
    constexpr std::size_t pieces = lanes / wide;
    using Mask = Lanes<Unit, wide>;
    using Bytes = Lanes<std::uint8_t, wide>;
    Mask seen[pieces] = {};
    const Mask one = Mask{} + 1;
    for (std::size_t code = 0; code < size; ++code) {
        const std::uint8_t* const row = column + static_cast<std::size_t>(set[code]) * stride;
#pragma GCC unroll 8
        for (std::size_t piece = 0; piece < pieces; ++piece)
            seen[piece] |= one << __builtin_convertvector(load<Bytes>(row + piece * wide), Mask);
    }
#pragma GCC unroll 8
    for (std::size_t piece = 0; piece < pieces; ++piece) {
        Mask bits = seen[piece];
        const Mask can_win = (bits >> win) & 1;
        constexpr Unit all = static_cast<Unit>(~Unit{0});
        bits -= (bits >> 1) & static_cast<Unit>(all / 3);
        bits = (bits & static_cast<Unit>(all / 5)) + ((bits >> 2) & static_cast<Unit>(all / 5));
        bits = (bits + (bits >> 4)) & static_cast<Unit>(all / 17);
        if constexpr (sizeof(Unit) >= 2) bits += bits >> 8;
        if constexpr (sizeof(Unit) >= 4) bits += bits >> 16;
        if constexpr (sizeof(Unit) >= 8) bits += bits >> 32;
        bits = (bits & 127) + can_win;
        const Bytes small = __builtin_convertvector(bits, Bytes);
        std::memcpy(parts + piece * wide, &small, wide);
    }
}

template <class Unit>
MMSAT_INLINE int parts_of_all(const Answers& answers, const std::int32_t* set, std::size_t size,
                              Allowed allowed, int enough, std::uint8_t* parts,
                              std::uint8_t* peaks) {
    int most = 0;
    for (std::size_t block = 0; block < answers.blocks() && most < enough; ++block) {
        std::uint8_t* const out = parts + block * lanes;
        peaks[block] = 0;
        if (!allowed.blocks[block]) {
            std::memset(out, 0, lanes);
            continue;
        }
        parts_of_block<Unit>(answers.by_code + block * lanes, answers.stride, set, size,
                             static_cast<Unit>(answers.win()), out);
        for (std::size_t lane = 0; lane < lanes; ++lane)
            peaks[block] = std::max(peaks[block], out[lane]);
        most = std::max<int>(most, peaks[block]);
    }
    return most;
}

#ifdef MMSAT_BYTES
// The same where the machine looks up 64 bytes at a time: a byte for each eight answers.
template <int many>
MMSAT_BYTES int parts_by_bytes(const Answers& answers, const std::int32_t* set, std::size_t size,
                               Allowed allowed, int enough, std::uint8_t* parts,
                               std::uint8_t* peaks) {
    using Bytes = Lanes<std::uint8_t, lanes>;
    Bytes bit[many] = {};
    for (int answer = 0; answer < 8 * many; ++answer)
        bit[answer / 8][answer] = static_cast<std::uint8_t>(1 << answer % 8);
    const int win = answers.win();
    const auto win_bit = static_cast<std::uint8_t>(1 << win % 8);
    int most = 0;
    for (std::size_t block = 0; block < answers.blocks() && most < enough; ++block) {
        std::uint8_t* const out = parts + block * lanes;
        peaks[block] = 0;
        if (!allowed.blocks[block]) {
            std::memset(out, 0, lanes);
            continue;
        }
        const std::uint8_t* const column = answers.by_code + block * lanes;
        Bytes seen[many] = {};
        for (std::size_t code = 0; code < size; ++code) {
            const Bytes row =
                load<Bytes>(column + static_cast<std::size_t>(set[code]) * answers.stride);
#pragma GCC unroll 4
            for (int each = 0; each < many; ++each) seen[each] |= __builtin_shuffle(bit[each], row);
        }
        Bytes sum = (Bytes)((seen[win / 8] & win_bit) != 0) & 1;
#pragma GCC unroll 4
        for (int each = 0; each < many; ++each) {
            Bytes bits = seen[each];
            bits -= (bits >> 1) & 0x55;
            bits = (bits & 0x33) + ((bits >> 2) & 0x33);
            sum += (bits + (bits >> 4)) & 0x0F;
        }
        std::memcpy(out, &sum, lanes);
        std::uint8_t peak = 0;
        for (std::size_t lane = 0; lane < lanes; ++lane) peak = std::max(peak, out[lane]);
        peaks[block] = peak;
        most = std::max<int>(most, peak);
    }
    return most;
}
#endif

// The sums over classes that are being made for the guesses of a block.
template <class Sum>
struct Sums {
    Sum bounds[2];
    Sum squares[2];
    Lanes<std::uint8_t, lanes> parts;
};

MMSAT_INLINE void use_small(const Lanes<std::uint8_t, lanes>& counted, const Floor& floor,
                            std::size_t bends, Sums<Lanes<std::uint16_t, 32>>& sums) {
    using Bytes = Lanes<std::uint8_t, lanes>;
    using Half = Lanes<std::uint8_t, 32>;
    using Words = Lanes<std::uint16_t, 32>;
    sums.parts -= (Bytes)(counted != 0);
    Half halves[2];
    std::memcpy(halves, &counted, sizeof counted);
#pragma GCC unroll 2
    for (int half = 0; half < 2; ++half) {
        const Words many = __builtin_convertvector(halves[half], Words);
        sums.squares[half] += many * many;
        sums.bounds[half] += many + many;  // the bends at 0 and 1, but for 1 a class
        for (std::size_t each = 0; each < bends; ++each) {
            const auto at = static_cast<std::uint16_t>(floor.bends[each].at);
            const auto size = static_cast<std::uint16_t>(floor.bends[each].size);
            sums.bounds[half] += ((many - at) & (Words)(many > at)) * size;
        }
    }
}

template <int many>
MMSAT_INLINE void count_small(const std::uint8_t* column, std::size_t stride,
                              const std::int32_t* set, std::size_t size, std::uint8_t first,
                              const Floor& floor, std::size_t bends,
                              Sums<Lanes<std::uint16_t, 32>>& sums) {
    using Bytes = Lanes<std::uint8_t, lanes>;
    Bytes counted[many] = {};
    for (std::size_t code = 0; code < size; ++code) {
        const Bytes row = load<Bytes>(column + static_cast<std::size_t>(set[code]) * stride);
#pragma GCC unroll 8
        for (int each = 0; each < many; ++each)
            counted[each] -= (Bytes)(row == static_cast<std::uint8_t>(first + each));
    }
#pragma GCC unroll 8
    for (int each = 0; each < many; ++each) use_small(counted[each], floor, bends, sums);
}

constexpr std::size_t few_bends = 8;

// Up to 255 codes.
MMSAT_VERSIONS void small_classes(const Answers& answers, const std::int32_t* set, std::size_t size,
                                  const Floor& floor, std::size_t bends, Allowed allowed,
                                  Marks marks) {
    using Words = Lanes<std::uint16_t, 32>;
    for (std::size_t block = 0; block < answers.blocks(); ++block) {
        if (!allowed.blocks[block]) continue;
        const std::uint8_t* const column = answers.by_code + block * lanes;
        Sums<Words> sums = {};
        const int others = answers.win();
        int first = 0;
        for (; first + 8 <= others; first += 8)
            count_small<8>(column, answers.stride, set, size, static_cast<std::uint8_t>(first),
                           floor, bends, sums);
        switch (others - first) {
#define MMSAT_REST(many)                                                                       \
    case many:                                                                                 \
        count_small<many>(column, answers.stride, set, size, static_cast<std::uint8_t>(first), \
                          floor, bends, sums);                                                 \
        break;
            MMSAT_REST(1)
            MMSAT_REST(2)
            MMSAT_REST(3)
            MMSAT_REST(4)
            MMSAT_REST(5)
            MMSAT_REST(6)
            MMSAT_REST(7)
#undef MMSAT_REST
            default: break;
        }
        std::memcpy(marks.parts + block * lanes, &sums.parts, lanes);
        std::uint16_t bounds[lanes];
        std::uint16_t squares[lanes];
        std::memcpy(bounds, sums.bounds, sizeof bounds);
        std::memcpy(squares, sums.squares, sizeof squares);
        const std::size_t here = block * lanes;
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            marks.bounds[here + lane] = bounds[lane] - marks.parts[here + lane];
            marks.squares[here + lane] = squares[lane];
        }
    }
}

// More codes: a table of counts.
MMSAT_VERSIONS void large_classes(const Answers& answers, const std::int32_t* set, std::size_t size,
                                  const Floor& floor, Allowed allowed, Marks marks) {
    constexpr std::size_t slice = 255;
    using Bytes = Lanes<std::uint8_t, lanes>;
    std::uint16_t totals[256][lanes];
    const int others = answers.win();
    for (std::size_t block = 0; block < answers.blocks(); ++block) {
        if (!allowed.blocks[block]) continue;
        const std::uint8_t* const column = answers.by_code + block * lanes;
        std::memset(totals, 0, sizeof totals[0] * static_cast<std::size_t>(others));
        for (std::size_t from = 0; from < size; from += slice) {
            const std::size_t until = std::min(size, from + slice);
            for (int first = 0; first < others; first += 8) {
                const int many = std::min(8, others - first);
                Bytes counted[8] = {};
                for (std::size_t code = from; code < until; ++code) {
                    const Bytes row =
                        load<Bytes>(column + static_cast<std::size_t>(set[code]) * answers.stride);
#pragma GCC unroll 8
                    for (int each = 0; each < 8; ++each)
                        counted[each] -= (Bytes)(row == static_cast<std::uint8_t>(first + each));
                }
                for (int each = 0; each < many; ++each)
                    for (std::size_t lane = 0; lane < lanes; ++lane)
                        totals[first + each][lane] += counted[each][lane];
            }
        }
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            std::uint32_t bound = 0;
            std::uint32_t squares = 0;
            std::uint8_t parts = 0;
            for (int each = 0; each < others; ++each) {
                const std::uint32_t many = totals[each][lane];
                bound += static_cast<std::uint32_t>(floor.least[many]);
                squares += many * many;
                parts += many != 0;
            }
            marks.bounds[block * lanes + lane] = bound;
            marks.squares[block * lanes + lane] = squares;
            marks.parts[block * lanes + lane] = parts;
        }
    }
}

#define MMSAT_PARTS(name, Unit)                                                                \
    MMSAT_VERSIONS int name(const Answers& answers, const std::int32_t* set, std::size_t size, \
                            Allowed allowed, int enough, std::uint8_t* parts,                  \
                            std::uint8_t* peaks) {                                             \
        return parts_of_all<Unit>(answers, set, size, allowed, enough, parts, peaks);          \
    }
MMSAT_PARTS(parts16, std::uint16_t)
MMSAT_PARTS(parts32, std::uint32_t)
MMSAT_PARTS(parts64, std::uint64_t)
#undef MMSAT_PARTS

using Parts = int (*)(const Answers&, const std::int32_t*, std::size_t, Allowed, int, std::uint8_t*,
                      std::uint8_t*);

Parts parts_for(std::size_t answers) {
#ifdef MMSAT_BYTES
    static const bool has_bytes = __builtin_cpu_supports("avx512vbmi");
    if (has_bytes && answers <= 16) return parts_by_bytes<2>;
    if (has_bytes && answers <= 24) return parts_by_bytes<3>;
    if (has_bytes && answers <= 32) return parts_by_bytes<4>;
#endif
    return answers <= 16 ? parts16 : answers <= 32 ? parts32 : parts64;
}

}  // namespace

int sweep_parts(const Answers& answers, const std::int32_t* set, std::size_t size, Allowed allowed,
                int enough, std::uint8_t* parts, std::uint8_t* peaks) {
    return parts_for(answers.answers)(answers, set, size, allowed, enough, parts, peaks);
}

void sweep_classes(const Answers& answers, const std::int32_t* set, std::size_t size,
                   const Floor& floor, Allowed allowed, Marks marks) {
    std::size_t bends = 0;
    while (bends < floor.bends.size() && floor.bends[bends].at < static_cast<std::int32_t>(size))
        ++bends;
    if (size <= 255 && bends <= few_bends)
        small_classes(answers, set, size, floor, bends, allowed, marks);
    else
        large_classes(answers, set, size, floor, allowed, marks);
}

}  // namespace mmsat::exact
