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
MMSAT_END_TARGET

MMSAT_BEGIN_VBMI
namespace mmsat::optimal {

namespace {

// For each answer there is a bit in a vector of bytes; a byte permutation looks up the bits of 64
// answers at a time.
template <int num_vectors>
int class_counts_by_bytes(const Answers& answers, const std::int32_t* set, std::size_t size,
                          GuessMask allowed, int stop_count, std::uint8_t* class_counts,
                          std::uint8_t* max_class_counts) {
    Bytes masks[num_vectors] = {};
    for (int answer = 0; answer < 8 * num_vectors; ++answer)
        masks[answer / 8][answer] = static_cast<std::uint8_t>(1 << answer % 8);
    const int win = answers.win();
    const auto win_mask = static_cast<std::uint8_t>(1 << win % 8);
    int maximum = 0;
    for (std::size_t block = 0; block < answers.blocks() && maximum < stop_count; ++block) {
        std::uint8_t* const out = class_counts + block * kLanes;
        max_class_counts[block] = 0;
        if (!allowed.blocks[block]) {
            std::memset(out, 0, kLanes);
            continue;
        }
        const std::uint8_t* const column = answers.by_code + block * kLanes;
        Bytes seen[num_vectors] = {};
        for (std::size_t code = 0; code < size; ++code) {
            const Bytes row =
                load<Bytes>(column + static_cast<std::size_t>(set[code]) * answers.stride);
#pragma GCC unroll 4
            for (int i = 0; i < num_vectors; ++i) seen[i] |= __builtin_shuffle(masks[i], row);
        }
        Bytes sum = (Bytes)((seen[win / 8] & win_mask) != 0) & 1;
#pragma GCC unroll 4
        for (int i = 0; i < num_vectors; ++i) {
            Bytes bits = seen[i];
            bits -= (bits >> 1) & 0x55;
            bits = (bits & 0x33) + ((bits >> 2) & 0x33);
            sum += (bits + (bits >> 4)) & 0x0F;
        }
        std::memcpy(out, &sum, kLanes);
        std::uint8_t block_maximum = 0;
        for (std::size_t lane = 0; lane < kLanes; ++lane)
            block_maximum = std::max(block_maximum, out[lane]);
        max_class_counts[block] = block_maximum;
        maximum = std::max<int>(maximum, block_maximum);
    }
    return maximum;
}

}  // namespace

const SweepClassCounts vbmi_class_counts[3] = {class_counts_by_bytes<2>, class_counts_by_bytes<3>,
                                               class_counts_by_bytes<4>};

}  // namespace mmsat::optimal
MMSAT_END_TARGET
#endif
