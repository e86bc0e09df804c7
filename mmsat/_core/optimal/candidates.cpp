// Candidate guesses of a set and their lower bounds (optimal.hpp). The classes of a guess are the
// codes with the same answer. The class count of a guess counts the win twice (sweep.hpp).
#include <algorithm>
#include <array>

#include "optimal/optimal.hpp"
#include "optimal/worker.hpp"

namespace mmsat::optimal {

Key Optimal::key_of(const Task& task) const {
    Key key = canonicalizer_.key(task.set, task.size);
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

// Find the first guess of each orbit under the symmetries that fix the history.
void Optimal::find_representatives(Worker& worker, int depth) const {
    Level& level = worker.level(depth);
    level.guesses.assign(answers_.stride, 0);
    canonicalizer_.find_representatives(worker.history, level.guesses.data());
    level.guess_blocks.assign(answers_.blocks(), 0);
    for (std::size_t guess = 0; guess < answers_.num_codes; ++guess)
        level.guess_blocks[guess / Answers::kBlock] |= level.guesses[guess];
}

// Return the guesses that hard mode allows; all guesses without hard mode.
GuessMask Optimal::allowed_guesses(Worker& worker, const Task& task) const {
    if (task.guesses.guesses) return task.guesses;
    return {worker.all_guesses.data(), worker.all_guesses.data(), hard_.is_active()};
}

// Return the guesses that hard mode allows after one more guess. The mask is stored in the next
// level.
GuessMask Optimal::narrow_guesses(Worker& worker, const Task& task, std::int32_t guess,
                                  std::size_t answer) const {
    Level& next_level = worker.level(task.depth + 1);
    const GuessMask allowed_before = allowed_guesses(worker, task);
    const std::size_t kind = hard_.kinds[static_cast<std::size_t>(guess)];
    const std::uint8_t* const is_allowed =  // per hypothetical answer
        hard_.follows + (kind * answers_.num_answers + answer) * answers_.num_answers;
    const std::uint8_t* const row = answers_.of_guess(static_cast<std::size_t>(guess));
    next_level.guesses.assign(answers_.stride, 0);
    next_level.guess_blocks.assign(answers_.blocks(), 0);
    for (std::size_t later_guess = 0; later_guess < answers_.num_codes; ++later_guess) {
        next_level.guesses[later_guess] =
            allowed_before.guesses[later_guess] & is_allowed[row[later_guess]];
        next_level.guess_blocks[later_guess / Answers::kBlock] |= next_level.guesses[later_guess];
    }
    return {next_level.guesses.data(), next_level.guess_blocks.data(), true};
}

Key Optimal::key_of(GuessMask guesses) const {
    Key key;
    for (std::size_t guess = 0; guess < answers_.num_codes; ++guess)
        if (guesses.guesses[guess]) key += guess_keys_[guess];
    return key;
}

// Return the guesses to try: the guesses that hard mode allows, or near the root one of each orbit.
GuessMask Optimal::guesses_to_try(Worker& worker, const Task& task) const {
    if (!uses_symmetry_ || task.depth > kSymmetricDepth) return allowed_guesses(worker, task);
    if (task.depth == 0) find_representatives(worker, 0);
    const Level& level = worker.level(task.depth);
    return {level.guesses.data(), level.guess_blocks.data()};
}

// Look up a small class in the cache by its codes, and then in the memo by its key.
Known Optimal::look_up_small(Worker& worker, const Task& task, Class& answer_class) {
    Known& known = worker.recent_entry(answer_class.code_key, salt_of(task));
    worker.count_comparisons(1);
    if (known.total) return known;
    answer_class.key = key_of(task);
    answer_class.has_key = true;
    if (const auto memo_entry = worker.look_up(memo_, answer_class.key)) known = *memo_entry;
    return known;
}

// Lower bound 3n - c for n codes, with the largest class count c of any guess. The codes need 3
// guesses each, except that the code of the win saves two, and one code of each other class saves
// one. The sweep stops when a guess shows that the result is at most `lower_bound`.
Known Optimal::class_count_bound(Worker& worker, const Task& task, Total lower_bound) {
    const auto n = static_cast<Total>(task.size);
    const int max_class_count = sweep_class_counts(
        answers_, task.set, task.size, allowed_guesses(worker, task), 3 * n - lower_bound,
        worker.class_counts.data(), worker.max_class_counts.data());
    const Total total = std::max(lower_bound, 3 * n - max_class_count);
    return {total, total == 2 * n};
}

// Compute the class limits of a set by a sweep over its allowed guesses.
ClassLimits Optimal::class_limits_of(Worker& worker, const Task& task, GuessMask allowed) {
    sweep_class_counts(answers_, task.set, task.size, allowed, kMaxAnswers + 1,
                       worker.class_counts.data(), worker.max_class_counts.data());
    int member_limit = 1;
    for (std::size_t i = 0; i < task.size; ++i) {
        std::uint8_t& class_count = worker.class_counts[static_cast<std::size_t>(task.set[i])];
        member_limit = std::max(member_limit, class_count - 1);  // the win counts twice
        class_count = 0;
    }
    const int other_limit =
        *std::max_element(worker.class_counts.begin(), worker.class_counts.end());
    return task.limits.of_subset(member_limit, other_limit);
}

// There are three cases: only members of the set are allowed as guesses; the set is small, so that
// a guess may distinguish all of its codes; or the set is large. Guesses with a lower bound of at
// least `bound` are not candidates, except in a beam search.
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
        std::fill_n(counts.begin(), answers_.num_answers, 0);
        const auto column = answers_.column(static_cast<std::int32_t>(guess), size);
        for (std::size_t i = 0; i < size; ++i) ++counts[column[set[i]]];
        std::uint64_t squares = 0;
        for (std::size_t answer = 0; answer + 1 < answers_.num_answers; ++answer)
            squares += std::uint64_t{counts[answer]} * counts[answer];
        return squares;
    };
    if (request_.consistent_only) {
        if (task.max_guesses == 2) {  // solve() has already looked for a perfect guess
            is_exact = true;
            return kImpossible;
        }
        const LowerBounds& class_bounds =
            lower_bounds_.get(one_guess_less(task.max_guesses), {task.limits.member, 0});
        Total low = kImpossible;
        int max_num_classes = 1;
        for (std::size_t i = 0; i < size; ++i) {
            const auto guess = static_cast<std::size_t>(set[i]);
            const std::uint64_t squares = squares_of(guess);
            Total total = n;
            Total cost = 0;
            int num_classes = 1;
            for (std::size_t answer = 0; answer + 1 < answers_.num_answers; ++answer) {
                num_classes += counts[answer] > 0;
                total += class_bounds.total[counts[answer]];
                if (is_beam) cost += beam_costs_.total[counts[answer]];
                if (total >= kImpossible) total = kImpossible;
            }
            max_num_classes = std::max(max_num_classes, num_classes);
            low = std::min(low, total);
            if ((is_beam || total < bound) && allowed.guesses[guess])
                candidates.push_back(is_beam ? Candidate::of_beam(cost, guess)
                                             : Candidate(total, squares, guess));
        }
        limits = {std::min(limits.member, max_num_classes), 0};
        return low;
    }
    // A small set: the lower bound of a guess is 3n minus its class count; see class_count_bound().
    if (size <= answers_.num_answers) {
        const int stop_count = task.max_guesses == 2 ? kMaxAnswers + 1 : static_cast<int>(size);
        const int max_class_count =
            sweep_class_counts(answers_, set, size, allowed, stop_count, worker.class_counts.data(),
                               worker.max_class_counts.data());
        const Total low = 3 * n - max_class_count;
        if (task.max_guesses == 2) {
            is_exact = true;
            for (std::size_t guess = 0; guess < answers_.num_codes; ++guess)
                if (worker.class_counts[guess] == size &&
                    std::find(set, set + size, static_cast<std::int32_t>(guess)) == set + size)
                    return 2 * n;
            return kImpossible;
        }
        if (max_class_count == static_cast<int>(size)) {
            is_exact = true;
            return 2 * n;
        }
        if (low >= bound) return low;
        const int min_class_count = is_beam ? 2 : std::max<Total>(2, 3 * n - bound + 1);
        for (std::size_t block = 0; block < answers_.blocks(); ++block) {
            if (worker.max_class_counts[block] < min_class_count) continue;
            const std::size_t end = std::min(answers_.num_codes, (block + 1) * Answers::kBlock);
            for (std::size_t guess = block * Answers::kBlock; guess < end; ++guess)
                if (worker.class_counts[guess] >= min_class_count && allowed.guesses[guess])
                    candidates.emplace_back(3 * n - worker.class_counts[guess], squares_of(guess),
                                            guess);
        }
        return low;
    }
    if (task.max_guesses == 2) {
        is_exact = true;
        return kImpossible;
    }
    // A large set: the bound of a guess is the size plus the lower bounds of the classes.
    limits = class_limits_of(worker, task, allowed);
    const Total size_bound = lower_bounds_.get(task.max_guesses, limits).total[size];
    if (size_bound >= bound) return size_bound;
    const LowerBounds& class_bounds =
        is_beam ? beam_costs_ : lower_bounds_.get(one_guess_less(task.max_guesses), limits);
    sweep_classes(answers_, set, size, class_bounds, allowed,
                  {worker.bounds.data(), worker.squares.data(), worker.class_counts.data()});
    std::uint32_t low = kImpossible;
    const std::uint64_t one_class_squares = std::uint64_t{size} * size;  // does not split the set
    for (std::size_t block = 0; block < answers_.blocks(); ++block) {
        if (!allowed.blocks[block]) continue;
        const std::size_t end = std::min(answers_.num_codes, (block + 1) * Answers::kBlock);
        for (std::size_t guess = block * Answers::kBlock; guess < end; ++guess) {
            if (!allowed.guesses[guess] || worker.squares[guess] >= one_class_squares) continue;
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
