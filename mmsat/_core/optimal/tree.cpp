// Construction of the strategy of a known total.
#include <algorithm>
#include <stdexcept>

#include "optimal/optimal.hpp"
#include "optimal/worker.hpp"

namespace mmsat::optimal {

// Return a guess with this total: the first one in the order of the search.
std::int32_t Optimal::choose(Worker& worker, const Task& task, Total total) {
    if (task.size <= 2) return task.set[0];
    if (task.size <= answers_.answers)
        for (std::size_t each = 0; each < task.size; ++each)
            if (is_perfect(task.set, task.size, task.set[each])) return task.set[each];
    Reach reach = task.reach;
    bool is_exact = false;
    auto& level = worker.level(task.depth);
    const Total bound = request_.any ? kImpossible : total + 1;
    gather(worker, task, bound, reach, is_exact);
    if (is_exact) {  // a guess that distinguishes all codes, although it is not one of them
        for (std::size_t guess = 0; guess < answers_.codes; ++guess)
            if (worker.parts[guess] == task.size &&
                (task.left != 2 ||
                 std::find(task.set, task.set + task.size, static_cast<std::int32_t>(guess)) ==
                     task.set + task.size))
                return static_cast<std::int32_t>(guess);
    }
    std::sort(level.candidates.begin(), level.candidates.end());
    const bool is_narrow = this->is_narrow(task);
    std::int32_t best = -1;
    Total least = kImpossible;
    std::size_t tried = 0;
    const std::vector<std::uint64_t> candidates = level.candidates;
    level.tried.clear(candidates.size());
    for (const std::uint64_t candidate : candidates) {
        const auto guess = static_cast<std::int32_t>(candidate & 0xFFFF);
        const Total found = evaluate(worker, task, reach, guess, bound, nullptr);
        if (found == -1) continue;  // an earlier guess had the same classes
        ++tried;
        if (found < least) {
            least = found;
            best = guess;
        }
        if (least < kImpossible &&
            (request_.any || least <= total || (is_narrow && tried >= width_)))
            break;
    }
    if (best < 0) throw std::logic_error("no guess has the total that was found");
    return best;
}

void Optimal::grow(Worker& worker, const Task& task, Total total) {
    const std::int32_t guess = choose(worker, task, total);
    tree_.push_back(guess);
    std::vector<std::vector<std::int32_t>> classes(answers_.win());
    const std::uint8_t* const row = answers_.of_guess(static_cast<std::size_t>(guess));
    for (std::size_t each = 0; each < task.size; ++each)
        if (row[task.set[each]] != answers_.win())
            classes[row[task.set[each]]].push_back(task.set[each]);
    for (std::size_t answer = 0; answer < classes.size(); ++answer) {
        const std::vector<std::int32_t>& codes = classes[answer];
        if (codes.empty()) continue;
        worker.history.resize(
            std::min<std::size_t>(worker.history.size(), static_cast<std::size_t>(task.depth)));
        if (is_whole_ && task.depth < kSymmetricDepth) {
            worker.history.push_back(guess);
            find_firsts(worker, task.depth + 1);
        }
        Task child{codes.data(), codes.size(), next(task.left), task.depth + 1, task.reach};
        if (hard_.follows) {
            child.open = narrow(worker, task, guess, answer);
            child.open_key = key_of(child.open);
        }
        grow(worker, child, solve(worker, child, kImpossible));
    }
}

}  // namespace mmsat::optimal
