// Construction of the strategy tree of a heuristic (tree_builder.hpp). A task is a set of codes for
// which the next guess is to be chosen.
#include "strategy/tree_builder.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace mmsat::strategy {

TreeBuilder::TreeBuilder(Chooser& chooser, Heuristic heuristic, std::vector<Code> opening,
                         bool consistent_only)
    : chooser_(chooser),
      heuristic_(heuristic),
      opening_(std::move(opening)),
      consistent_only_(consistent_only) {
    std::vector<std::uint32_t> codes(chooser.size());
    std::iota(codes.begin(), codes.end(), 0u);
    tasks_.push_back({std::move(codes), -1, 0});
}

Code TreeBuilder::next_guess(const Task& task, const std::vector<Code>& history) {
    if (history.size() < opening_.size()) {
        const Code& opening_guess = opening_[history.size()];
        const std::size_t index = chooser_.index_of(opening_guess.data());
        if (!consistent_only_ || std::binary_search(task.codes.begin(), task.codes.end(),
                                                    static_cast<std::uint32_t>(index)))
            return opening_guess;
    }
    return chooser_.choose(task.codes, history, heuristic_, consistent_only_);
}

bool TreeBuilder::advance(std::uint64_t work) {
    std::uint64_t spent_work = 0;
    while (!tasks_.empty()) {
        if (spent_work > work) return false;
        Task task = std::move(tasks_.back());
        tasks_.pop_back();
        spent_work += task.codes.size() * chooser_.size();
        std::vector<Code> history;
        for (std::int32_t node = task.parent; node >= 0; node = nodes_[node].parent)
            history.push_back(nodes_[node].guess);
        std::reverse(history.begin(), history.end());
        Code guess = next_guess(task, history);
        const std::vector<std::uint16_t> answers = chooser_.answers(task.codes, guess);
        std::map<std::uint16_t, std::vector<std::uint32_t>> classes;
        for (std::size_t i = 0; i < answers.size(); ++i)
            classes[answers[i]].push_back(task.codes[i]);
        const auto win_class = classes.find(chooser_.scoring_form().win);
        std::uint32_t wins = 0;
        if (win_class != classes.end()) {
            wins = static_cast<std::uint32_t>(win_class->second.size());
            classes.erase(win_class);
        }
        num_finished_ += wins;
        const std::int32_t node_index = static_cast<std::int32_t>(nodes_.size());
        nodes_.push_back({std::move(guess), task.parent, task.answer, wins});
        // In reverse, because the tasks are a stack: the nodes of the tree are then in preorder.
        for (auto answer_class = classes.rbegin(); answer_class != classes.rend(); ++answer_class)
            tasks_.push_back({std::move(answer_class->second), node_index, answer_class->first});
    }
    return true;
}

}  // namespace mmsat::strategy
