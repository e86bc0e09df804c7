// The sweeps for all other machines.
#include "machine.hpp"
#include "optimal/sweeps.hpp"
namespace {
constexpr std::size_t kLanes = 16;
}
#include "optimal/sweep_kernels.inc"

namespace mmsat::optimal {
const Sweeps plain_sweeps = kSweeps;
}
