// Bounds and candidate guesses of a set.
#include <algorithm>
#include <array>

#include "optimal/optimal.hpp"
#include "optimal/worker.hpp"

namespace mmsat::optimal {

Key Optimal::key_of(const Task& task) const {
    Key key;
    if (canonicalizer_.applies_to(task.size)) {
        key = canonicalizer_.key(task.set, task.size);
    } else {
        for (std::size_t i = 0; i < task.size; ++i)
            key += code_keys_[static_cast<std::size_t>(task.set[i])];
    }
    key += task.guesses_key;
    key += salt_of(task);
    return key;
}

// Return whether the guess distinguishes all codes of the set.
bool Optimal::is_perfect(const std::int32_t* set, std::size_t size, std::int32_t guess) const {
    const std::uint8_t* const row = answers_.of_guess(static_cast<std::size_t>(guess));
    std::array<std::uint64_t, kMaxAnswers / 64 + 1> seen{};
    for (std::size_t i = 0; i < size; ++i) {
        const std::uint8_t answer = row[set[i]];
        const std::uint64_t mask = std::uint64_t{1} << answer % 64;
        if (seen[answer / 64] & mask) return false;
        seen[answer / 64] |= mask;
    }
    return true;
}

bool Optimal::has_perfect(const std::int32_t* set, std::size_t size) const {
    for (std::size_t i = 0; i < size; ++i)
        if (is_perfect(set, size, set[i])) return true;
    return false;
}

// Find the first guess of each equivalence class with respect to the history.
void Optimal::find_representatives(Worker& worker, int depth) const {
    Level& level = worker.level(depth);
    level.guesses.assign(answers_.stride, 0);
    canonicalizer_.find_representatives(worker.history, level.guesses.data());
    level.guess_blocks.assign(answers_.blocks(), 0);
    for (std::size_t guess = 0; guess < answers_.codes; ++guess)
        level.guess_blocks[guess / Answers::kBlock] |= level.guesses[guess];
}

// Return the guesses that hard mode allows; all guesses without hard mode.
GuessMask Optimal::open_guesses(Worker& worker, const Task& task) const {
    if (task.guesses.guesses) return task.guesses;
    return {worker.all_guesses.data(), worker.all_guesses.data(), hard_.follows != nullptr};
}

// Return the guesses that hard mode allows after one more guess. They are stored in the level
// below.
GuessMask Optimal::narrow_guesses(Worker& worker, const Task& task, std::int32_t guess,
                                  std::size_t answer) const {
    Level& below = worker.level(task.depth + 1);
    const GuessMask allowed_before = open_guesses(worker, task);
    const std::size_t kind = hard_.kinds[static_cast<std::size_t>(guess)];
    const std::uint8_t* const follows =
        hard_.follows + (kind * answers_.answers + answer) * answers_.answers;
    const std::uint8_t* const row = answers_.of_guess(static_cast<std::size_t>(guess));
    below.guesses.assign(answers_.stride, 0);
    below.guess_blocks.assign(answers_.blocks(), 0);
    for (std::size_t other = 0; other < answers_.codes; ++other) {
        below.guesses[other] = allowed_before.guesses[other] & follows[row[other]];
        below.guess_blocks[other / Answers::kBlock] |= below.guesses[other];
    }
    return {below.guesses.data(), below.guess_blocks.data(), true};
}

Key Optimal::key_of(GuessMask guesses) const {
    Key key;
    for (std::size_t guess = 0; guess < answers_.codes; ++guess)
        if (guesses.guesses[guess]) key += guess_keys_[guess];
    return key;
}

// Return the guesses to try: allowed by hard mode, and without equivalent ones near the root.
GuessMask Optimal::guesses_to_try(Worker& worker, const Task& task) const {
    if (!uses_symmetry_ || task.depth > kSymmetricDepth) return open_guesses(worker, task);
    if (task.depth == 0) find_representatives(worker, 0);
    const Level& level = worker.level(task.depth);
    return {level.guesses.data(), level.guess_blocks.data()};
}

// Look up a small class in the cache by its codes, and then in the table by its key.
Known Optimal::look_up_small(Worker& worker, const Task& task, Class& part) {
    Known& known = worker.recent_entry(part.code_key, salt_of(task));
    worker.count_comparisons(1);
    if (known.total) return known;
    part.key = key_of(task);
    part.has_key = true;
    if (const auto found = worker.look_up(memo_, part.key)) known = *found;
    return known;
}

// Lower bound 3n - parts, with the largest number of parts of any guess (the win counts twice): at
// most one code per part is found by the second guess. The sweep stops at a guess with which
// `lower_bound` cannot be exceeded.
Known Optimal::parts_bound(Worker& worker, const Task& task, Total lower_bound) {
    const auto n = static_cast<Total>(task.size);
    const int max_parts =
        sweep_parts(answers_, task.set, task.size, open_guesses(worker, task), 3 * n - lower_bound,
                    worker.parts.data(), worker.max_parts.data());
    const Total total = std::max(lower_bound, 3 * n - max_parts);
    return {total, total == 2 * n};
}

// Compute the class limits of the allowed guesses for a set by a sweep over all of them.
ClassLimits Optimal::class_limits_of(Worker& worker, const Task& task, GuessMask allowed) {
    sweep_parts(answers_, task.set, task.size, allowed, kMaxAnswers + 1, worker.parts.data(),
                worker.max_parts.data());
    int members = 1;
    for (std::size_t i = 0; i < task.size; ++i) {
        std::uint8_t& parts = worker.parts[static_cast<std::size_t>(task.set[i])];
        members = std::max(members, parts - 1);  // the win counts twice
        parts = 0;
    }
    const int others = *std::max_element(worker.parts.begin(), worker.parts.end());
    members = std::min(members, task.limits.member);
    return {members, std::max(std::min(others, task.limits.other), members - 1)};
}

Total Optimal::collect_candidates(Worker& worker, const Task& task, Total bound,
                                  ClassLimits& limits, bool& is_exact) {
    const std::size_t size = task.size;
    const auto n = static_cast<Total>(size);
    const std::int32_t* const set = task.set;
    auto& candidates = worker.level(task.depth).candidates;
    candidates.clear();
    const GuessMask allowed = guesses_to_try(worker, task);
    const bool is_beam = this->is_beam(task);
    std::array<std::uint32_t, kMaxAnswers> counts;
    const auto squares_of = [&](std::size_t guess) {
        std::fill_n(counts.begin(), answers_.answers, 0);
        const auto column = answers_.column(static_cast<std::int32_t>(guess), size);
        for (std::size_t i = 0; i < size; ++i) ++counts[column[set[i]]];
        std::uint64_t squares = 0;
        for (std::size_t answer = 0; answer + 1 < answers_.answers; ++answer)
            squares += std::uint64_t{counts[answer]} * counts[answer];
        return squares;
    };
    if (request_.consistent_only) {
        if (task.guesses_left == 2) {  // solve() has already looked for a perfect guess
            is_exact = true;
            return kImpossible;
        }
        const LowerBounds& class_bounds =
            lower_bounds_.of(next(task.guesses_left), {task.limits.member, 0});
        Total low = kImpossible;
        int max_parts = 1;
        for (std::size_t i = 0; i < size; ++i) {
            const auto guess = static_cast<std::size_t>(set[i]);
            const std::uint64_t squares = squares_of(guess);
            Total total = n;
            Total cost = 0;
            int parts = 1;
            for (std::size_t answer = 0; answer + 1 < answers_.answers; ++answer) {
                parts += counts[answer] > 0;
                total += class_bounds.total[counts[answer]];
                if (is_beam) cost += beam_costs_.total[counts[answer]];
                if (total >= kImpossible) total = kImpossible;
            }
            max_parts = std::max(max_parts, parts);
            low = std::min(low, total);
            if ((is_beam || total < bound) && allowed.guesses[guess])
                candidates.push_back(is_beam ? Candidate::of_beam(cost, guess)
                                             : Candidate(total, squares, guess));
        }
        limits = {std::min(limits.member, max_parts), 0};
        return low;
    }
    // A small set: the bound of parts_bound().
    if (size <= answers_.answers) {
        const int enough = task.guesses_left == 2 ? kMaxAnswers + 1 : static_cast<int>(size);
        const int max_parts = sweep_parts(answers_, set, size, allowed, enough, worker.parts.data(),
                                          worker.max_parts.data());
        const Total low = 3 * n - max_parts;
        if (task.guesses_left == 2) {
            is_exact = true;
            for (std::size_t guess = 0; guess < answers_.codes; ++guess)
                if (worker.parts[guess] == size &&
                    std::find(set, set + size, static_cast<std::int32_t>(guess)) == set + size)
                    return 2 * n;
            return kImpossible;
        }
        if (max_parts == static_cast<int>(size)) {
            is_exact = true;
            return 2 * n;
        }
        if (low >= bound) return low;
        const int min_parts = is_beam ? 2 : std::max<Total>(2, 3 * n - bound + 1);
        for (std::size_t block = 0; block < answers_.blocks(); ++block) {
            if (worker.max_parts[block] < min_parts) continue;
            const std::size_t end = std::min(answers_.codes, (block + 1) * Answers::kBlock);
            for (std::size_t guess = block * Answers::kBlock; guess < end; ++guess)
                if (worker.parts[guess] >= min_parts && allowed.guesses[guess])
                    candidates.emplace_back(3 * n - worker.parts[guess], squares_of(guess), guess);
        }
        return low;
    }
    if (task.guesses_left == 2) {
        is_exact = true;
        return kImpossible;
    }
    // A large set: the bound is the size plus the lower bounds of all classes.
    limits = class_limits_of(worker, task, allowed);
    const Total size_bound = lower_bounds_.of(task.guesses_left, limits).total[size];
    if (size_bound >= bound) return size_bound;
    const LowerBounds& class_bounds =
        is_beam ? beam_costs_ : lower_bounds_.of(next(task.guesses_left), limits);
    sweep_classes(answers_, set, size, class_bounds, allowed,
                  {worker.bounds.data(), worker.squares.data(), worker.parts.data()});
    std::uint32_t low = kImpossible;
    const std::uint64_t all_in_one = std::uint64_t{size} * size;
    for (std::size_t block = 0; block < answers_.blocks(); ++block) {
        if (!allowed.blocks[block]) continue;
        const std::size_t end = std::min(answers_.codes, (block + 1) * Answers::kBlock);
        for (std::size_t guess = block * Answers::kBlock; guess < end; ++guess) {
            if (!allowed.guesses[guess] || worker.squares[guess] >= all_in_one) continue;
            if (is_beam) {
                candidates.push_back(
                    Candidate::of_beam(static_cast<Total>(worker.bounds[guess]), guess));
                continue;
            }
            const std::uint32_t total = static_cast<std::uint32_t>(n) + worker.bounds[guess];
            low = std::min(low, total);
            if (total < static_cast<std::uint32_t>(bound))
                candidates.emplace_back(static_cast<Total>(total), worker.squares[guess], guess);
        }
    }
    return is_beam ? size_bound : std::max(static_cast<Total>(low), size_bound);
}

}  // namespace mmsat::optimal
