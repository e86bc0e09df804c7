// The sweeps for AVX-512.
#include "machine.hpp"

#ifdef MMSAT_X86
#include "optimal/sweeps.hpp"

MMSAT_BEGIN_AVX512
namespace {
constexpr std::size_t kLanes = 64;
}
#include "optimal/sweep_kernels.inc"

namespace mmsat::optimal {
const Sweeps avx512_sweeps = kSweeps;
}
MMSAT_END_MACHINE

MMSAT_BEGIN_VBMI
namespace mmsat::optimal {

namespace {

// For each answer there is a bit in a vector of bytes; a byte permutation looks up the bits of 64
// answers at a time.
template <int many>
int parts_by_bytes(const Answers& answers, const std::int32_t* set, std::size_t size,
                   Allowed allowed, int enough, std::uint8_t* parts, std::uint8_t* peaks) {
    Bytes bit[many] = {};
    for (int answer = 0; answer < 8 * many; ++answer)
        bit[answer / 8][answer] = static_cast<std::uint8_t>(1 << answer % 8);
    const int win = answers.win();
    const auto win_bit = static_cast<std::uint8_t>(1 << win % 8);
    int most = 0;
    for (std::size_t block = 0; block < answers.blocks() && most < enough; ++block) {
        std::uint8_t* const out = parts + block * kLanes;
        peaks[block] = 0;
        if (!allowed.blocks[block]) {
            std::memset(out, 0, kLanes);
            continue;
        }
        const std::uint8_t* const column = answers.by_code + block * kLanes;
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
        std::memcpy(out, &sum, kLanes);
        std::uint8_t peak = 0;
        for (std::size_t lane = 0; lane < kLanes; ++lane) peak = std::max(peak, out[lane]);
        peaks[block] = peak;
        most = std::max<int>(most, peak);
    }
    return most;
}

}  // namespace

const SweepParts vbmi_parts[3] = {parts_by_bytes<2>, parts_by_bytes<3>, parts_by_bytes<4>};

}  // namespace mmsat::optimal
MMSAT_END_MACHINE
#endif
