// The sweeps for AVX2.
#include "machine.hpp"

#ifdef MMSAT_X86
#include "optimal/sweeps.hpp"

MMSAT_BEGIN_AVX2
namespace {
constexpr std::size_t kLanes = 32;
}
#include "optimal/sweep_kernels.inc"

namespace mmsat::optimal {
const Sweeps avx2_sweeps = kSweeps;
}
MMSAT_END_TARGET
#endif
