// Construction of a strategy with a known total (Optimal::start_tree() in optimal.hpp).
#include <algorithm>
#include <stdexcept>

#include "optimal/optimal.hpp"
#include "optimal/worker.hpp"

namespace mmsat::optimal {

// Return the first guess with this total in the order of the search. In a beam search, or if the
// search stops at the first strategy, the total of the guess may be larger.
std::int32_t Optimal::choose_guess(Worker& worker, const Task& task, Total total) {
    if (task.size <= 2) return task.set[0];
    if (task.size <= answers_.num_answers)
        for (std::size_t i = 0; i < task.size; ++i)
            if (is_perfect(task.set, task.size, task.set[i])) return task.set[i];
    ClassLimits limits = task.limits;
    bool is_exact = false;
    auto& level = worker.level(task.depth);
    const Total bound = request_.stop_at_first ? kImpossible : total + 1;
    collect_candidates(worker, task, bound, limits, is_exact);
    if (is_exact) {  // a guess that distinguishes all codes, although it is not one of them
        for (std::size_t guess = 0; guess < answers_.num_codes; ++guess)
            if (worker.class_counts[guess] == task.size &&
                (task.max_guesses != 2 ||
                 std::find(task.set, task.set + task.size, static_cast<std::int32_t>(guess)) ==
                     task.set + task.size))
                return static_cast<std::int32_t>(guess);
    }
    std::sort(level.candidates.begin(), level.candidates.end());
    const bool is_beam = this->is_beam(task);
    std::int32_t best_guess = -1;
    Total best_total = kImpossible;
    std::size_t num_tried = 0;
    const std::vector<Candidate> candidates = level.candidates;
    level.tried.clear(candidates.size());
    for (const Candidate candidate : candidates) {
        const Total guess_total = evaluate(worker, task, limits, candidate.guess(), bound, nullptr);
        if (guess_total == kSamePartition) continue;
        ++num_tried;
        if (guess_total < best_total) {
            best_total = guess_total;
            best_guess = candidate.guess();
        }
        if (best_total < kImpossible && (request_.stop_at_first || best_total <= total ||
                                         (is_beam && num_tried >= beam_width_)))
            break;
    }
    if (best_guess < 0) throw std::logic_error("no guess has the total that was found");
    return best_guess;
}

void Optimal::build_tree(Worker& worker, const Task& task, Total total) {
    const std::int32_t guess = choose_guess(worker, task, total);
    tree_.push_back(guess);
    std::vector<std::vector<std::int32_t>> classes(answers_.win());
    const std::uint8_t* const row = answers_.of_guess(static_cast<std::size_t>(guess));
    for (std::size_t i = 0; i < task.size; ++i)
        if (const std::uint8_t answer = row[task.set[i]]; answer != answers_.win())
            classes[answer].push_back(task.set[i]);
    for (std::size_t answer = 0; answer < classes.size(); ++answer) {
        const std::vector<std::int32_t>& codes = classes[answer];
        if (codes.empty()) continue;
        worker.history.resize(
            std::min<std::size_t>(worker.history.size(), static_cast<std::size_t>(task.depth)));
        if (uses_symmetry_ && task.depth < kSymmetricDepth) {
            worker.history.push_back(guess);
            find_representatives(worker, task.depth + 1);
        }
        Task child{codes.data(), codes.size(), one_guess_less(task.max_guesses), task.depth + 1,
                   task.limits};
        if (hard_.is_active()) {
            child.guesses = narrow_guesses(worker, task, guess, answer);
            child.guesses_key = key_of(child.guesses);
        }
        build_tree(worker, child, solve(worker, child, kImpossible));
    }
}

}  // namespace mmsat::optimal
