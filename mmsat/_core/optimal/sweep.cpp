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

// Sweeps that process one guess at a time. With more than kMaxVectorAnswers answers they are faster than
// those with vectors, which search for each answer in turn.
constexpr std::size_t kMaxVectorAnswers = 64;
constexpr std::size_t kMaxCachedCodes = 256;  // the rows of this many codes stay in the cache

// Call `look(guess, column, step)` for each allowed guess of a block.
template <class Look>
void look_at(const Answers& answers, std::size_t block, std::size_t size, GuessMask allowed,
             Look look) {
    const std::size_t end = std::min(answers.codes, (block + 1) * Answers::kBlock);
    for (std::size_t guess = block * Answers::kBlock; guess < end; ++guess) {
        if (!allowed.guesses[guess]) continue;
        if (size > kMaxCachedCodes)
            look(guess, answers.of_guess(guess), std::size_t{1});
        else
            look(guess, answers.by_code + guess, answers.stride);
    }
}

int parts_one_by_one(const Answers& answers, const std::int32_t* set, std::size_t size,
                     GuessMask allowed, int enough, std::uint8_t* parts, std::uint8_t* max_parts) {
    std::uint32_t last[Answers::kMaxAnswers] =
        {};  // per answer: the last guess with this answer, plus 1
    int maximum = 0;
    for (std::size_t block = 0; block < answers.blocks() && maximum < enough; ++block) {
        std::memset(parts + block * Answers::kBlock, 0, Answers::kBlock);
        max_parts[block] = 0;
        if (!allowed.blocks[block]) continue;
        look_at(answers, block, size, allowed, [&](auto guess, auto* column, auto step) {
            const auto mark = static_cast<std::uint32_t>(guess + 1);
            std::uint32_t num_classes = 0;
            for (std::size_t i = 0; i < size; ++i) {
                std::uint32_t& seen = last[column[static_cast<std::size_t>(set[i]) * step]];
                num_classes += seen != mark;
                seen = mark;
            }
            parts[guess] = static_cast<std::uint8_t>(num_classes + (last[answers.win()] == mark));
            max_parts[block] = std::max(max_parts[block], parts[guess]);
        });
        maximum = std::max<int>(maximum, max_parts[block]);
    }
    return maximum;
}

void classes_one_by_one(const Answers& answers, const std::int32_t* set, std::size_t size,
                        const LowerBounds& class_bounds, GuessMask allowed, SweepOutput output) {
    std::uint16_t counts[Answers::kMaxAnswers];
    const std::uint8_t win = answers.win();
    for (std::size_t block = 0; block < answers.blocks(); ++block) {
        if (!allowed.blocks[block]) continue;
        look_at(answers, block, size, allowed, [&](auto guess, auto* column, auto step) {
            std::memset(counts, 0, answers.answers * sizeof counts[0]);
            std::int64_t bound = 0;
            std::uint32_t squares = 0;
            std::uint8_t parts = 0;
            for (std::size_t i = 0; i < size; ++i) {
                const std::uint8_t answer = column[static_cast<std::size_t>(set[i]) * step];
                if (answer == win) continue;
                const std::uint32_t count = counts[answer]++;
                bound += class_bounds.total[count + 1] - class_bounds.total[count];
                squares += 2 * count + 1;
                if (count == 0) ++parts;
            }
            output.bounds[guess] =
                static_cast<std::uint32_t>(std::min<std::int64_t>(bound, kImpossible));
            output.squares[guess] = squares;
            output.parts[guess] = parts;
        });
    }
}

}  // namespace

int sweep_parts(const Answers& answers, const std::int32_t* set, std::size_t size,
                GuessMask allowed, int enough, std::uint8_t* parts, std::uint8_t* max_parts) {
    if (allowed.is_strict || answers.answers > kMaxVectorAnswers)
        return parts_one_by_one(answers, set, size, allowed, enough, parts, max_parts);
    return parts_for(answers.answers)(answers, set, size, allowed, enough, parts, max_parts);
}

void sweep_classes(const Answers& answers, const std::int32_t* set, std::size_t size,
                   const LowerBounds& class_bounds, GuessMask allowed, SweepOutput output) {
    if (allowed.is_strict || answers.answers > kMaxVectorAnswers)
        return classes_one_by_one(answers, set, size, class_bounds, allowed, output);
    static const Sweeps& sweeps = machine_sweeps();
    std::size_t bends = 0;
    while (bends < class_bounds.bends.size() &&
           class_bounds.bends[bends].at < static_cast<std::int32_t>(size))
        ++bends;
    if (size <= 255 && class_bounds.has_bends && bends <= kMaxBends)
        sweeps.small_classes(answers, set, size, class_bounds, bends, allowed, output);
    else
        sweeps.large_classes(answers, set, size, class_bounds, allowed, output);
}

}  // namespace mmsat::optimal
