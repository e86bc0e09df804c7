#include "strategy/grower.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace mmsat::strategy {

Grower::Grower(Chooser& chooser, Heuristic heuristic, std::vector<Code> opening,
               bool consistent_only)
    : chooser_(chooser),
      heuristic_(heuristic),
      opening_(std::move(opening)),
      consistent_only_(consistent_only) {
    std::vector<std::uint32_t> codes(chooser.size());
    std::iota(codes.begin(), codes.end(), 0u);
    tasks_.push_back({std::move(codes), -1, 0});
}

Code Grower::guess(const Task& task, const std::vector<Code>& history) {
    if (history.size() < opening_.size()) {
        const Code& forced = opening_[history.size()];
        const std::size_t number = chooser_.number(forced.data());
        if (!consistent_only_ || std::binary_search(task.codes.begin(), task.codes.end(),
                                                    static_cast<std::uint32_t>(number)))
            return forced;
    }
    return chooser_.choose(task.codes, history, heuristic_, consistent_only_);
}

bool Grower::advance(std::uint64_t work) {
    std::uint64_t spent = 0;
    while (!tasks_.empty()) {
        if (spent > work) return false;
        Task task = std::move(tasks_.back());
        tasks_.pop_back();
        spent += task.codes.size() * chooser_.size();
        std::vector<Code> history;
        for (std::int32_t node = task.parent; node >= 0; node = nodes_[node].parent)
            history.push_back(nodes_[node].guess);
        std::reverse(history.begin(), history.end());
        Code chosen = guess(task, history);
        const std::vector<std::uint16_t> answers = chooser_.answers(task.codes, chosen);
        std::map<std::uint16_t, std::vector<std::uint32_t>> parts;
        for (std::size_t i = 0; i < answers.size(); ++i) parts[answers[i]].push_back(task.codes[i]);
        const auto won = parts.find(chooser_.form().win);
        std::uint32_t wins = 0;
        if (won != parts.end()) {
            wins = static_cast<std::uint32_t>(won->second.size());
            parts.erase(won);
        }
        done_ += wins;
        const std::int32_t number = static_cast<std::int32_t>(nodes_.size());
        nodes_.push_back({std::move(chosen), task.parent, task.answer, wins});
        for (auto part = parts.rbegin(); part != parts.rend(); ++part)
            tasks_.push_back({std::move(part->second), number, part->first});
    }
    return true;
}

}  // namespace mmsat::strategy
