// Bounds and candidate guesses of a set.
#include <algorithm>
#include <array>

#include "optimal/optimal.hpp"
#include "optimal/worker.hpp"

namespace mmsat::optimal {

namespace {

// Minimum and maximum size of sets that are stored up to symmetry.
constexpr std::size_t kLeastSymmetric = 5;
constexpr std::size_t kMostSymmetric = 4000;

}  // namespace

Key Optimal::key_of(const Task& task) const {
    Key key;
    if (exchanges_.any() && task.size >= kLeastSymmetric && task.size <= kMostSymmetric) {
        key = exchanges_.key(task.set, task.size);
    } else {
        for (std::size_t i = 0; i < task.size; ++i)
            key += plain_[static_cast<std::size_t>(task.set[i])];
    }
    key += task.open_key;
    key += salt_of(task);
    return key;
}

// Return whether the guess distinguishes all codes of the set.
bool Optimal::is_perfect(const std::int32_t* set, std::size_t size, std::int32_t guess) const {
    const std::uint8_t* const row = answers_.of_guess(static_cast<std::size_t>(guess));
    std::array<std::uint64_t, kMostAnswers / 64 + 1> seen{};
    for (std::size_t each = 0; each < size; ++each) {
        const std::uint8_t answer = row[set[each]];
        const std::uint64_t bit = std::uint64_t{1} << answer % 64;
        if (seen[answer / 64] & bit) return false;
        seen[answer / 64] |= bit;
    }
    return true;
}

bool Optimal::has_perfect(const std::int32_t* set, std::size_t size) const {
    for (std::size_t each = 0; each < size; ++each)
        if (is_perfect(set, size, set[each])) return true;
    return false;
}

// Find the first guess of each equivalence class with respect to the history.
void Optimal::find_firsts(Worker& worker, int depth) const {
    Worker::Level& level = worker.level(depth);
    level.firsts.assign(answers_.stride, 0);
    exchanges_.firsts(worker.history, level.firsts.data());
    level.blocks.assign(answers_.blocks(), 0);
    for (std::size_t guess = 0; guess < answers_.codes; ++guess)
        level.blocks[guess / Answers::kBlock] |= level.firsts[guess];
}

// Return the guesses that hard mode allows; all guesses without hard mode.
Allowed Optimal::open(Worker& worker, const Task& task) const {
    if (task.open.guesses) return task.open;
    return {worker.everything.data(), worker.everything.data(), hard_.follows != nullptr};
}

// Return the guesses that hard mode allows after one more guess. They are stored in the level
// below.
Allowed Optimal::narrow(Worker& worker, const Task& task, std::int32_t guess,
                        std::size_t answer) const {
    Worker::Level& below = worker.level(task.depth + 1);
    const Allowed before = open(worker, task);
    const std::size_t kind = hard_.kinds[static_cast<std::size_t>(guess)];
    const std::uint8_t* const follows =
        hard_.follows + (kind * answers_.answers + answer) * answers_.answers;
    const std::uint8_t* const row = answers_.of_guess(static_cast<std::size_t>(guess));
    below.firsts.assign(answers_.stride, 0);
    below.blocks.assign(answers_.blocks(), 0);
    for (std::size_t other = 0; other < answers_.codes; ++other) {
        below.firsts[other] = before.guesses[other] & follows[row[other]];
        below.blocks[other / Answers::kBlock] |= below.firsts[other];
    }
    return {below.firsts.data(), below.blocks.data(), true};
}

Key Optimal::key_of(Allowed open) const {
    Key key;
    for (std::size_t guess = 0; guess < answers_.codes; ++guess)
        if (open.guesses[guess]) key += opens_[guess];
    return key;
}

// Return the guesses to try: allowed by hard mode, and without equivalent ones near the root.
Allowed Optimal::allowed(Worker& worker, const Task& task) const {
    if (!is_whole_ || task.depth > kSymmetricDepth) return open(worker, task);
    if (task.depth == 0) find_firsts(worker, 0);
    const Worker::Level& level = worker.level(task.depth);
    return {level.firsts.data(), level.blocks.data()};
}

// Look up a small class in the cache by its codes, and then in the table by its key.
Known Optimal::recall_small(Worker& worker, const Task& task, Class& each) {
    Known& known = worker.recently(each.plain, salt_of(task));
    worker.count_comparisons(1);
    if (known.total) return known;
    each.key = key_of(task);
    each.has_key = true;
    if (const auto found = worker.look_up(memo_, each.key)) known = *found;
    return known;
}

// Lower bound 3n - parts, with the largest number of parts of any guess (the win counts twice): at
// most one code per part is found by the second guess. The sweep stops at a guess with which
// `least` cannot be exceeded.
Known Optimal::parts_bound(Worker& worker, const Task& task, Total least) {
    const auto n = static_cast<Total>(task.size);
    const int peak = sweep_parts(answers_, task.set, task.size, open(worker, task), 3 * n - least,
                                 worker.parts.data(), worker.peaks.data());
    const Total total = std::max(least, 3 * n - peak);
    return {total, total == 2 * n};
}

// Compute the reach of the allowed guesses for a set by a sweep over all of them.
Reach Optimal::reach_of(Worker& worker, const Task& task, Allowed allowed) {
    sweep_parts(answers_, task.set, task.size, allowed, kMostAnswers + 1, worker.parts.data(),
                worker.peaks.data());
    int members = 1;
    for (std::size_t each = 0; each < task.size; ++each) {
        std::uint8_t& parts = worker.parts[static_cast<std::size_t>(task.set[each])];
        members = std::max(members, parts - 1);  // the win counts twice
        parts = 0;
    }
    const int others = *std::max_element(worker.parts.begin(), worker.parts.end());
    members = std::min(members, task.reach.member);
    return {members, std::max(std::min(others, task.reach.other), members - 1)};
}

Total Optimal::gather(Worker& worker, const Task& task, Total bound, Reach& reach, bool& is_exact) {
    const std::size_t size = task.size;
    const auto n = static_cast<Total>(size);
    const std::int32_t* const set = task.set;
    auto& candidates = worker.level(task.depth).candidates;
    candidates.clear();
    const Allowed allowed = this->allowed(worker, task);
    const bool is_narrow = this->is_narrow(task);
    std::array<std::uint32_t, kMostAnswers> counts;
    const auto squares_of = [&](std::size_t guess) {
        std::fill_n(counts.begin(), answers_.answers, 0);
        const auto column = answers_.column(static_cast<std::int32_t>(guess), size);
        for (std::size_t each = 0; each < size; ++each) ++counts[column[set[each]]];
        std::uint64_t squares = 0;
        for (std::size_t each = 0; each + 1 < answers_.answers; ++each)
            squares += std::uint64_t{counts[each]} * counts[each];
        return squares;
    };
    if (request_.consistent_only) {
        const Floor* floor =
            task.left == 2 ? nullptr : &floors_.of(next(task.left), {task.reach.member, 0});
        if (!floor) {  // solve() has already looked for a perfect guess
            is_exact = true;
            return kImpossible;
        }
        Total low = kImpossible;
        int most = 1;
        for (std::size_t each = 0; each < size; ++each) {
            const auto guess = static_cast<std::size_t>(set[each]);
            const std::uint64_t squares = squares_of(guess);
            Total total = n;
            Total cost = 0;
            int parts = 1;
            for (std::size_t answer = 0; answer + 1 < answers_.answers; ++answer) {
                parts += counts[answer] > 0;
                total += floor->least[counts[answer]];
                if (is_narrow) cost += costs_.least[counts[answer]];
                if (total >= kImpossible) total = kImpossible;
            }
            most = std::max(most, parts);
            low = std::min(low, total);
            if ((is_narrow || total < bound) && allowed.guesses[guess])
                candidates.push_back(is_narrow ? packed(cost, guess)
                                               : packed(total, squares, guess));
        }
        reach = {std::min(reach.member, most), 0};
        return low;
    }
    // A small set: the bound of parts_bound().
    if (size <= answers_.answers) {
        const int enough = task.left == 2 ? kMostAnswers + 1 : static_cast<int>(size);
        const int peak = sweep_parts(answers_, set, size, allowed, enough, worker.parts.data(),
                                     worker.peaks.data());
        const Total low = 3 * n - peak;
        if (task.left == 2) {
            is_exact = true;
            for (std::size_t guess = 0; guess < answers_.codes; ++guess)
                if (worker.parts[guess] == size &&
                    std::find(set, set + size, static_cast<std::int32_t>(guess)) == set + size)
                    return 2 * n;
            return kImpossible;
        }
        if (peak == static_cast<int>(size)) {
            is_exact = true;
            return 2 * n;
        }
        if (low >= bound) return low;
        const int needed = is_narrow ? 2 : std::max<Total>(2, 3 * n - bound + 1);
        for (std::size_t block = 0; block < answers_.blocks(); ++block) {
            if (worker.peaks[block] < needed) continue;
            const std::size_t end = std::min(answers_.codes, (block + 1) * Answers::kBlock);
            for (std::size_t guess = block * Answers::kBlock; guess < end; ++guess)
                if (worker.parts[guess] >= needed && allowed.guesses[guess])
                    candidates.push_back(
                        packed(3 * n - worker.parts[guess], squares_of(guess), guess));
        }
        return low;
    }
    if (task.left == 2) {
        is_exact = true;
        return kImpossible;
    }
    // A large set: the bound is the size plus the floors of all classes.
    reach = reach_of(worker, task, allowed);
    const Total least = floors_.of(task.left, reach).least[size];
    if (least >= bound) return least;
    const Floor& floor = is_narrow ? costs_ : floors_.of(next(task.left), reach);
    sweep_classes(answers_, set, size, floor, allowed,
                  {worker.bounds.data(), worker.squares.data(), worker.parts.data()});
    std::uint32_t low = kImpossible;
    const std::uint64_t all_in_one = std::uint64_t{size} * size;
    for (std::size_t block = 0; block < answers_.blocks(); ++block) {
        if (!allowed.blocks[block]) continue;
        const std::size_t end = std::min(answers_.codes, (block + 1) * Answers::kBlock);
        for (std::size_t guess = block * Answers::kBlock; guess < end; ++guess) {
            if (!allowed.guesses[guess] || worker.squares[guess] >= all_in_one) continue;
            if (is_narrow) {
                candidates.push_back(packed(static_cast<Total>(worker.bounds[guess]), guess));
                continue;
            }
            const std::uint32_t total = static_cast<std::uint32_t>(n) + worker.bounds[guess];
            low = std::min(low, total);
            if (total < static_cast<std::uint32_t>(bound))
                candidates.push_back(
                    packed(static_cast<Total>(total), worker.squares[guess], guess));
        }
    }
    return is_narrow ? least : std::max(static_cast<Total>(low), least);
}

}  // namespace mmsat::optimal
