// Takes the sweeps that are compiled for this machine.
#include "optimal/sweep.hpp"

#include "machine.hpp"
#include "optimal/sweeps.hpp"

namespace mmsat::optimal {

namespace {

const Sweeps& machine_sweeps() {
#ifdef MMSAT_X86
    if (vector_bytes() >= 64) return avx512_sweeps;
    if (vector_bytes() >= 32) return avx2_sweeps;
#endif
    return plain_sweeps;
}

SweepParts parts_for(std::size_t answers) {
    static const Sweeps& sweeps = machine_sweeps();
#ifdef MMSAT_X86
    static const bool has_vbmi = vector_bytes() >= 64 && __builtin_cpu_supports("avx512vbmi");
    if (has_vbmi && answers <= 32) return vbmi_parts[answers <= 16 ? 0 : answers <= 24 ? 1 : 2];
#endif
    return answers <= 16 ? sweeps.parts16 : answers <= 32 ? sweeps.parts32 : sweeps.parts64;
}

}  // namespace

int sweep_parts(const Answers& answers, const std::int32_t* set, std::size_t size, Allowed allowed,
                int enough, std::uint8_t* parts, std::uint8_t* peaks) {
    return parts_for(answers.answers)(answers, set, size, allowed, enough, parts, peaks);
}

void sweep_classes(const Answers& answers, const std::int32_t* set, std::size_t size,
                   const Floor& floor, Allowed allowed, Marks marks) {
    static const Sweeps& sweeps = machine_sweeps();
    std::size_t bends = 0;
    while (bends < floor.bends.size() && floor.bends[bends].at < static_cast<std::int32_t>(size))
        ++bends;
    if (size <= 255 && bends <= kFewBends)
        sweeps.small_classes(answers, set, size, floor, bends, allowed, marks);
    else
        sweeps.large_classes(answers, set, size, floor, allowed, marks);
}

}  // namespace mmsat::optimal
