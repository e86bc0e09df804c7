// Branch and bound (optimal.hpp): solve() and search() process a set by its candidate guesses, and
// evaluate() processes a guess by its classes (the codes with the same answer), which solve()
// processes in turn. A total is the number of guesses, summed over the codes of a set.
#include <algorithm>
#include <array>
#include <cassert>

#include "hash.hpp"
#include "optimal/optimal.hpp"
#include "optimal/worker.hpp"

namespace mmsat::optimal {

namespace {

// Minimum number of sets searched below a set that is reported as a finding.
constexpr std::uint64_t kMinFindingWork = 32;

}  // namespace

Total Optimal::solve(Worker& worker, const Task& task, Total bound, const Key* known_key) {
    const std::size_t size = task.size;
    const auto n = static_cast<Total>(size);
    if (size == 1) return 1;
    if (task.max_guesses == 1) return kImpossible;
    if (size == 2) return 3;
    const LowerBounds& lower_bounds = lower_bounds_.get(task.max_guesses, task.limits);
    if (size > lower_bounds.max_size) return kImpossible;
    if (lower_bounds.total[size] >= bound) return lower_bounds.total[size];
    // A perfect guess is in the set and distinguishes all of its codes. It has total 2n - 1, and
    // any other guess has at least 2n.
    if (size <= answers_.num_answers) {
        if (has_perfect(task.set, size)) return 2 * n - 1;
        if (task.max_guesses != 2) {
            if (size == 3) return 6;
            if (2 * n >= bound) return 2 * n;
        }
    }
    interrupt_.check();
    const std::uint64_t num_sets = worker.num_sets.load(std::memory_order_relaxed) + 1;
    worker.num_sets.store(num_sets, std::memory_order_relaxed);
    if (max_sets_ && num_sets - worker.num_sets_before > max_sets_) throw Stopped();
    const Key key = known_key ? *known_key : key_of(task);
    Total known_bound = 0;
    if (const auto known = worker.look_up(memo_, key)) {
        if (known->is_exact || known->total >= bound) return known->total;
        known_bound = known->total;
    }
    return search(worker, task, bound, key, known_bound);
}

Total Optimal::search(Worker& worker, const Task& task, Total bound, Key key, Total known_bound) {
    assert(task.size >= 2 && bound > 0 && known_bound < bound);
    const std::uint64_t num_sets_before = worker.num_sets.load(std::memory_order_relaxed);
    ClassLimits limits = task.limits;
    bool is_exact = false;
    const Total low = collect_candidates(worker, task, bound, limits, is_exact);
    if (is_exact || low >= bound) {
        memo_.put(key, {std::max(low, known_bound), is_exact}, 1);
        return std::max(low, known_bound);
    }
    const Total best = try_candidates(worker, task, limits, bound);
    // If no candidate has a total below the bound, no other guess has.
    const Known result = best < bound ? Known{best, true} : Known{bound, bound >= kImpossible};
    const std::uint64_t work = worker.num_sets.load(std::memory_order_relaxed) - num_sets_before;
    memo_.put(key, result, work + 1);
    if (work >= kMinFindingWork && beam_width_ == 0) {
        const std::lock_guard lock(findings_mutex_);
        findings_.push_back({key, result});
    }
    return result.total;
}

// Evaluate the candidates of a set after the first guess, with the help of all threads.
Total Optimal::try_candidates_in_parallel(Worker& worker, const Task& task, ClassLimits limits,
                                          Total bound) {
    Level& level = worker.level(task.depth);
    Split split{task, limits, level.candidates, worker.history, level.tried, {bound}};
    {
        const std::lock_guard lock(mutex_);
        assert(!open_split_);
        open_split_ = &split;
    }
    wake_.notify_all();
    const auto close = [&] {
        std::unique_lock lock(mutex_);
        open_split_ = nullptr;
        wake_.wait(lock, [&] { return split.num_helpers == 0; });
    };
    try {
        work_on(worker, split);
    } catch (...) {
        interrupt_.stop();
        close();
        throw;
    }
    close();
    interrupt_.check();
    return split.bound < bound ? split.bound.load() : kImpossible;
}

// Evaluate candidates of a split until all are claimed.
void Optimal::work_on(Worker& worker, Split& split) {
    while (!interrupt_.is_stopped()) {
        const Candidate* const candidate = split.claim();
        if (!candidate) break;
        const Total total =
            evaluate(worker, split.task, split.limits, candidate->guess(), split.bound, &split);
        if (total != kSamePartition) split.improve(total);
    }
}

// Main function of a helper thread.
void Optimal::run_helper(int index) {
    Worker& worker = *workers_[static_cast<std::size_t>(index)];
    std::unique_lock lock(mutex_);
    while (true) {
        wake_.wait(lock, [&] { return is_closing_ || open_split_; });
        if (is_closing_) return;
        Split& split = *open_split_;
        ++split.num_helpers;
        lock.unlock();
        worker.history = split.history;
        try {
            work_on(worker, split);
        } catch (const Stopped&) {
            interrupt_.stop();
        } catch (...) {
            fail();
        }
        lock.lock();
        --split.num_helpers;
        if (open_split_ == &split) open_split_ = nullptr;  // all of its candidates are claimed
        wake_.notify_all();
    }
}

Total Optimal::try_candidates(Worker& worker, const Task& task, ClassLimits limits, Total bound) {
    Level& level = worker.level(task.depth);
    auto& candidates = level.candidates;
    std::sort(candidates.begin(), candidates.end());
    level.tried.clear(candidates.size());
    const bool is_beam = this->is_beam(task);
    // The sets after the first guess are large, so their candidates are shared with the helpers.
    if (task.depth == 1 && !helpers_.empty() && !is_beam && candidates.size() > 1)
        return try_candidates_in_parallel(worker, task, limits, bound);
    Total best = kImpossible;
    Total refuted_bound = kImpossible;  // the minimum of the bounds of the refuted guesses
    std::size_t num_tried = 0;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const Candidate candidate = candidates[i];
        if (task.depth == 0) {
            // A beam search skips guesses, so it has no bound.
            if (beam_width_ == 0) bound_ = std::min(candidate.bound(), bound);
            guess_share_ = 1.0 / static_cast<double>(candidates.size());
            fraction_done_ = guess_share_ * static_cast<double>(i);
        }
        if (candidate.bound() >= bound) {
            refuted_bound = std::min(refuted_bound, candidate.bound());
            break;
        }
        if (is_beam && std::min(best, refuted_bound) < kImpossible && num_tried >= beam_width_)
            break;
        const Total total = evaluate(worker, task, limits, candidate.guess(), bound, nullptr);
        if (total == kSamePartition) continue;
        ++num_tried;
        if (total >= bound) {
            refuted_bound = std::min(refuted_bound, total);
            continue;
        }
        best = bound = total;
        if (task.depth == 0) best_ = best;
        if (request_.stop_at_first) break;
    }
    return best;
}

// The lower bound of the guess is raised in steps of increasing cost: bounds by class size,
// perfect guesses for small classes, known totals, a sweep over the guesses of each class, and
// recursion.
Total Optimal::evaluate(Worker& worker, const Task& task, ClassLimits limits, std::int32_t guess,
                        Total bound, Split* split) {
    Level& level = worker.level(task.depth);
    Evaluation evaluation{{bound}, task, limits, guess, one_guess_less(task.max_guesses)};
    const LowerBounds& class_bounds = lower_bounds_.get(evaluation.max_guesses, limits);
    find_classes(level, task, guess);
    const auto& sizes = level.partition.sizes;
    evaluation.bound = static_cast<Total>(task.size);
    for (std::size_t answer = 0; answer < answers_.win(); ++answer) {
        if (sizes[answer] > class_bounds.max_size) return kImpossible;
        evaluation.bound += class_bounds.total[sizes[answer]];
    }
    // In hard mode, the guesses allowed afterwards may differ although the partitions are the same.
    if (!hard_.is_active() && !is_new_partition(level, task, guess, split)) return kSamePartition;
    if (evaluation.bound >= bound) return evaluation.bound;
    list_classes(level, class_bounds, evaluation);
    if (use_perfect_guesses(evaluation)) return evaluation.bound;
    if (use_known_totals(worker, evaluation)) return evaluation.bound;
    if (use_sweeps(worker, evaluation)) return evaluation.bound;
    if (uses_symmetry_ && task.depth < kSymmetricDepth) {
        worker.history.resize(static_cast<std::size_t>(task.depth));
        worker.history.push_back(guess);
        find_representatives(worker, task.depth + 1);
    }
    for (Class& answer_class : evaluation) {
        if (answer_class.is_exact) continue;
        const Total total = solve(worker, task_after(worker, evaluation, answer_class),
                                  evaluation.limit_of(answer_class.bound),
                                  answer_class.has_key ? &answer_class.key : nullptr);
        if (evaluation.raise(answer_class.bound, total)) return evaluation.bound;
        if (task.depth == 0)
            fraction_done_ = fraction_done_ + guess_share_ *
                                                  static_cast<double>(answer_class.size) /
                                                  static_cast<double>(task.size);
    }
    return evaluation.bound;
}

// Find the partition of a guess, and the sums of the keys of the codes in its classes.
void Optimal::find_classes(Level& level, const Task& task, std::int32_t guess) const {
    level.class_keys.assign(answers_.num_answers, {});
    level.partition.find(answers_, task.set, task.size, guess,
                         [&](std::int32_t code, std::uint8_t answer) {
                             level.class_keys[answer] += canonicalizer_.code_key(code);
                         });
}

// Add a guess to the tried guesses. Returns false if an earlier guess has the same partition.
bool Optimal::is_new_partition(Level& level, const Task& task, std::int32_t guess,
                               Split* split) const {
    // The hash depends only on the codes of the classes and on which class is the win, if any.
    std::uint64_t hash = 0;
    for (std::size_t answer = 0; answer < answers_.num_answers; ++answer) {
        const std::uint64_t salt = answer == answers_.win() ? kGoldenRatio64 : 0;
        if (level.partition.sizes[answer] > 0) hash += mix64(level.class_keys[answer].first + salt);
    }
    hash &= high_bits(request_.partition_hash_bits);
    std::unique_lock<std::mutex> lock;
    if (split) lock = std::unique_lock(split->mutex);
    TriedGuesses& tried = split ? split->tried : level.tried;
    return tried.add(hash, guess, level.partition, answers_, task.set);
}

// List the classes of three or more codes, the smallest first. The bounds of smaller classes are
// exact.
void Optimal::list_classes(Level& level, const LowerBounds& class_bounds,
                           Evaluation& evaluation) const {
    Partition& partition = level.partition;
    partition.sort_codes(answers_, evaluation.task.set);
    Class* const classes = level.classes.data();
    std::size_t num_classes = 0;
    for (std::size_t answer = 0; answer < answers_.win(); ++answer) {
        const std::size_t size = partition.sizes[answer];
        if (size < 3) continue;
        Class& answer_class = classes[num_classes++];
        answer_class = {};
        answer_class.size = size;
        answer_class.begin = partition.begins[answer];
        answer_class.answer = answer;
        answer_class.bound = class_bounds.total[size];
        answer_class.code_key = level.class_keys[answer];
    }
    std::sort(classes, classes + num_classes, [](const Class& one, const Class& other) {
        return one.size != other.size ? one.size < other.size : one.begin < other.begin;
    });
    assert(evaluation.num_classes == 0);
    evaluation.codes = partition.codes.data();
    evaluation.classes = classes;
    evaluation.num_classes = num_classes;
}

// A small class has total 2n - 1 if one of its codes is a perfect guess, otherwise at least 2n.
// This and the following functions return whether the limit is reached.
bool Optimal::use_perfect_guesses(Evaluation& evaluation) const {
    for (Class& answer_class : evaluation) {
        if (answer_class.size > answers_.num_answers)
            break;  // the following classes are at least as large
        const auto n = static_cast<Total>(answer_class.size);
        const bool has_perfect =
            this->has_perfect(evaluation.codes + answer_class.begin, answer_class.size);
        answer_class.is_exact =
            has_perfect || (answer_class.size == 3 && evaluation.max_guesses != 2);
        if (evaluation.raise(answer_class.bound, has_perfect ? 2 * n - 1 : 2 * n)) return true;
    }
    return false;
}

bool Optimal::use_known_totals(Worker& worker, Evaluation& evaluation) {
    for (Class& answer_class : evaluation) {
        if (answer_class.is_exact) continue;
        if (hard_.is_active()) {
            answer_class.guesses_key = key_of(task_after(worker, evaluation, answer_class).guesses);
            answer_class.code_key += answer_class.guesses_key;
        }
        std::optional<Known> known;
        if (answer_class.size <= answers_.num_answers) {
            known = look_up_small(worker, evaluation.task_of(answer_class), answer_class);
        } else if (evaluation.max_guesses == 2) {  // a guess cannot distinguish all codes
            evaluation.bound = kImpossible;
            return true;
        } else {
            answer_class.key = key_of(evaluation.task_of(answer_class));
            answer_class.has_key = true;
            known = worker.look_up(memo_, answer_class.key);
        }
        if (!known || known->total == 0) continue;
        answer_class.is_exact = known->is_exact;
        answer_class.is_known = true;
        if (evaluation.raise(answer_class.bound, known->total)) return true;
    }
    return false;
}

bool Optimal::use_sweeps(Worker& worker, Evaluation& evaluation) {
    if (request_.consistent_only) return false;
    for (Class& answer_class : evaluation) {
        if (answer_class.is_exact || answer_class.is_known) continue;
        const bool is_small = answer_class.size <= answers_.num_answers;
        if (is_small && evaluation.max_guesses == 2) continue;
        const Task task = task_after(worker, evaluation, answer_class);
        const Known known =
            is_small ? class_count_bound(worker, task, answer_class.bound)
                     : sweep_bound(worker, task, evaluation.limit_of(answer_class.bound));
        assert(answer_class.has_key);
        memo_.put(answer_class.key, {std::max(known.total, answer_class.bound), known.is_exact}, 1);
        if (is_small) worker.recent_entry(answer_class.code_key, salt_of(task)) = known;
        answer_class.is_exact = known.is_exact;
        if (evaluation.raise(answer_class.bound, known.total)) return true;
    }
    return false;
}

// Return a lower bound on the total of a large set by a sweep over its allowed guesses. The sweep
// is skipped if the size of the set and the class limits imply a bound of at least `limit`.
Known Optimal::sweep_bound(Worker& worker, const Task& task, Total limit) {
    const GuessMask guesses = allowed_guesses(worker, task);
    const ClassLimits limits = class_limits_of(worker, task, guesses);
    const Total bound = lower_bounds_.get(task.max_guesses, limits).total[task.size];
    if (bound >= limit) return {bound, false};
    sweep_classes(answers_, task.set, task.size,
                  lower_bounds_.get(one_guess_less(task.max_guesses), limits), guesses,
                  {worker.bounds.data(), worker.squares.data(), worker.class_counts.data()});
    std::uint32_t classes_bound = kImpossible;
    for (std::size_t guess = 0; guess < answers_.num_codes; ++guess)
        if (guesses.guesses[guess]) classes_bound = std::min(classes_bound, worker.bounds[guess]);
    return {std::max(bound, static_cast<Total>(classes_bound + task.size)), false};
}

// Return the task of a class; in hard mode, with the guesses that are allowed after this guess.
Optimal::Task Optimal::task_after(Worker& worker, const Evaluation& evaluation,
                                  const Class& answer_class) const {
    Task task = evaluation.task_of(answer_class);
    if (hard_.is_active())
        task.guesses =
            narrow_guesses(worker, evaluation.task, evaluation.guess, answer_class.answer);
    return task;
}

}  // namespace mmsat::optimal
