// The sweeps over the guesses (sweep.hpp) that process guess by guess, and the selection of the
// sweeps with vectors for this machine.
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

SweepClassCounts class_counts_for(std::size_t answers) {
    static const Sweeps& sweeps = machine_sweeps();
#ifdef MMSAT_X86
    static const bool has_vbmi = vector_bytes() >= 64 && __builtin_cpu_supports("avx512vbmi");
    if (has_vbmi && answers <= 32)
        // for up to 16, 24 and 32 answers
        return vbmi_class_counts[answers <= 16 ? 0 : answers <= 24 ? 1 : 2];
#endif
    return answers <= 16   ? sweeps.class_counts16
           : answers <= 32 ? sweeps.class_counts32
                           : sweeps.class_counts64;
}

// Maximum number of answers for the sweeps with vectors. They search for each answer in turn, so
// with more answers, the sweeps that process one guess at a time are faster.
constexpr std::size_t kMaxVectorAnswers = 64;
// Maximum number of codes whose rows of the table of answers stay in the cache.
constexpr std::size_t kMaxCachedCodes = 256;

// Call `visit(guess, column, step)` for each allowed guess of a block. `column[code * step]` is the
// answer of a code.
template <class Visit>
void for_each_allowed(const Answers& answers, std::size_t block, std::size_t size,
                      GuessMask allowed, Visit visit) {
    const std::size_t end = std::min(answers.num_codes, (block + 1) * Answers::kBlock);
    for (std::size_t guess = block * Answers::kBlock; guess < end; ++guess) {
        if (!allowed.guesses[guess]) continue;
        if (size > kMaxCachedCodes)
            visit(guess, answers.of_guess(guess), std::size_t{1});
        else
            visit(guess, answers.by_code + guess, answers.stride);
    }
}

int class_counts_one_by_one(const Answers& answers, const std::int32_t* set, std::size_t size,
                            GuessMask allowed, int stop_count, std::uint8_t* class_counts,
                            std::uint8_t* max_class_counts) {
    // Per answer: the last guess that got this answer from a code, plus 1.
    std::uint32_t last_guess[Answers::kMaxAnswers] = {};
    int maximum = 0;
    for (std::size_t block = 0; block < answers.blocks() && maximum < stop_count; ++block) {
        std::memset(class_counts + block * Answers::kBlock, 0, Answers::kBlock);
        max_class_counts[block] = 0;
        if (!allowed.blocks[block]) continue;
        for_each_allowed(answers, block, size, allowed, [&](auto guess, auto* column, auto step) {
            const auto mark = static_cast<std::uint32_t>(guess + 1);
            std::uint32_t num_classes = 0;
            for (std::size_t i = 0; i < size; ++i) {
                std::uint32_t& last = last_guess[column[static_cast<std::size_t>(set[i]) * step]];
                num_classes += last != mark;
                last = mark;
            }
            // The win counts twice, see sweep.hpp.
            class_counts[guess] =
                static_cast<std::uint8_t>(num_classes + (last_guess[answers.win()] == mark));
            max_class_counts[block] = std::max(max_class_counts[block], class_counts[guess]);
        });
        maximum = std::max<int>(maximum, max_class_counts[block]);
    }
    return maximum;
}

void classes_one_by_one(const Answers& answers, const std::int32_t* set, std::size_t size,
                        const LowerBounds& class_bounds, GuessMask allowed, SweepOutput output) {
    std::uint16_t counts[Answers::kMaxAnswers];
    const std::uint8_t win = answers.win();
    for (std::size_t block = 0; block < answers.blocks(); ++block) {
        if (!allowed.blocks[block]) continue;
        for_each_allowed(answers, block, size, allowed, [&](auto guess, auto* column, auto step) {
            std::memset(counts, 0, answers.num_answers * sizeof counts[0]);
            std::int64_t bound = 0;
            std::uint32_t squares = 0;
            std::uint8_t num_classes = 0;
            for (std::size_t i = 0; i < size; ++i) {
                const std::uint8_t answer = column[static_cast<std::size_t>(set[i]) * step];
                if (answer == win) continue;
                const std::uint32_t count = counts[answer]++;
                bound += class_bounds.total[count + 1] - class_bounds.total[count];
                squares += 2 * count + 1;
                if (count == 0) ++num_classes;
            }
            output.bounds[guess] =
                static_cast<std::uint32_t>(std::min<std::int64_t>(bound, kImpossible));
            output.squares[guess] = squares;
            output.num_classes[guess] = num_classes;
        });
    }
}

}  // namespace

int sweep_class_counts(const Answers& answers, const std::int32_t* set, std::size_t size,
                       GuessMask allowed, int stop_count, std::uint8_t* class_counts,
                       std::uint8_t* max_class_counts) {
    if (allowed.is_strict || answers.num_answers > kMaxVectorAnswers)
        return class_counts_one_by_one(answers, set, size, allowed, stop_count, class_counts,
                                       max_class_counts);
    return class_counts_for(answers.num_answers)(answers, set, size, allowed, stop_count,
                                                 class_counts, max_class_counts);
}

void sweep_classes(const Answers& answers, const std::int32_t* set, std::size_t size,
                   const LowerBounds& class_bounds, GuessMask allowed, SweepOutput output) {
    if (allowed.is_strict || answers.num_answers > kMaxVectorAnswers)
        return classes_one_by_one(answers, set, size, class_bounds, allowed, output);
    static const Sweeps& sweeps = machine_sweeps();
    // `small_classes` counts in bytes, so it needs at most 255 codes, and a bound that is piecewise
    // linear with at most kMaxBends bends below the number of codes.
    std::size_t bends = 0;
    while (bends < class_bounds.bends.size() &&
           class_bounds.bends[bends].position < static_cast<std::int32_t>(size))
        ++bends;
    if (size <= 255 && class_bounds.has_bends && bends <= kMaxBends)
        sweeps.small_classes(answers, set, size, class_bounds, bends, allowed, output);
    else
        sweeps.large_classes(answers, set, size, class_bounds, allowed, output);
}

}  // namespace mmsat::optimal
