// Selection of the sweeps for this machine.
#include "optimal/sweep.hpp"

#include <algorithm>
#include <cstring>

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

// Sweeps that process one guess at a time. With more than kManyAnswers answers they are faster than
// those with vectors, which search for each answer in turn.
constexpr std::size_t kManyAnswers = 64;
constexpr std::size_t kFewCodes = 256;  // the rows of this many codes stay in the cache

// Call `look(guess, column, step)` for each allowed guess of a block.
template <class Look>
void look_at(const Answers& answers, std::size_t block, std::size_t size, Allowed allowed,
             Look look) {
    const std::size_t end = std::min(answers.codes, (block + 1) * Answers::kBlock);
    for (std::size_t guess = block * Answers::kBlock; guess < end; ++guess) {
        if (!allowed.guesses[guess]) continue;
        if (size > kFewCodes)
            look(guess, answers.of_guess(guess), std::size_t{1});
        else
            look(guess, answers.by_code + guess, answers.stride);
    }
}

int parts_one_by_one(const Answers& answers, const std::int32_t* set, std::size_t size,
                     Allowed allowed, int enough, std::uint8_t* parts, std::uint8_t* peaks) {
    std::uint32_t last[Answers::kMost] = {};  // per answer: the last guess with this answer, plus 1
    int most = 0;
    for (std::size_t block = 0; block < answers.blocks() && most < enough; ++block) {
        std::memset(parts + block * Answers::kBlock, 0, Answers::kBlock);
        peaks[block] = 0;
        if (!allowed.blocks[block]) continue;
        look_at(answers, block, size, allowed, [&](auto guess, auto* column, auto step) {
            const auto mark = static_cast<std::uint32_t>(guess + 1);
            std::uint32_t many = 0;
            for (std::size_t each = 0; each < size; ++each) {
                std::uint32_t& seen = last[column[static_cast<std::size_t>(set[each]) * step]];
                many += seen != mark;
                seen = mark;
            }
            parts[guess] = static_cast<std::uint8_t>(many + (last[answers.win()] == mark));
            peaks[block] = std::max(peaks[block], parts[guess]);
        });
        most = std::max<int>(most, peaks[block]);
    }
    return most;
}

void classes_one_by_one(const Answers& answers, const std::int32_t* set, std::size_t size,
                        const Floor& floor, Allowed allowed, Marks marks) {
    std::uint16_t counts[Answers::kMost];
    const std::uint8_t win = answers.win();
    for (std::size_t block = 0; block < answers.blocks(); ++block) {
        if (!allowed.blocks[block]) continue;
        look_at(answers, block, size, allowed, [&](auto guess, auto* column, auto step) {
            std::memset(counts, 0, answers.answers * sizeof counts[0]);
            std::int64_t bound = 0;
            std::uint32_t squares = 0;
            std::uint8_t parts = 0;
            for (std::size_t each = 0; each < size; ++each) {
                const std::uint8_t answer = column[static_cast<std::size_t>(set[each]) * step];
                if (answer == win) continue;
                const std::uint32_t many = counts[answer]++;
                bound += floor.least[many + 1] - floor.least[many];
                squares += 2 * many + 1;
                if (many == 0) ++parts;
            }
            marks.bounds[guess] =
                static_cast<std::uint32_t>(std::min<std::int64_t>(bound, kImpossible));
            marks.squares[guess] = squares;
            marks.parts[guess] = parts;
        });
    }
}

}  // namespace

int sweep_parts(const Answers& answers, const std::int32_t* set, std::size_t size, Allowed allowed,
                int enough, std::uint8_t* parts, std::uint8_t* peaks) {
    if (allowed.is_strict || answers.answers > kManyAnswers)
        return parts_one_by_one(answers, set, size, allowed, enough, parts, peaks);
    return parts_for(answers.answers)(answers, set, size, allowed, enough, parts, peaks);
}

void sweep_classes(const Answers& answers, const std::int32_t* set, std::size_t size,
                   const Floor& floor, Allowed allowed, Marks marks) {
    if (allowed.is_strict || answers.answers > kManyAnswers)
        return classes_one_by_one(answers, set, size, floor, allowed, marks);
    static const Sweeps& sweeps = machine_sweeps();
    std::size_t bends = 0;
    while (bends < floor.bends.size() && floor.bends[bends].at < static_cast<std::int32_t>(size))
        ++bends;
    if (size <= 255 && floor.is_bent && bends <= kFewBends)
        sweeps.small_classes(answers, set, size, floor, bends, allowed, marks);
    else
        sweeps.large_classes(answers, set, size, floor, allowed, marks);
}

}  // namespace mmsat::optimal
