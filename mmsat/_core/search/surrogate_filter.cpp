// Filtering of the counts of colors by a surrogate constraint: a weighted total of all sums
// (surrogate_filter.hpp).
#include "search/surrogate_filter.hpp"

#include <algorithm>

namespace mmsat::search {

namespace {

// The state of filter_choices().
class SurrogateFilter {
public:
    SurrogateFilter(const CountSums& counts, std::vector<char>& is_possible)
        : counts_(counts),
          is_possible_(is_possible),
          weights_(counts.num_sums(), 0),
          moves_(counts.num_sums(), 0),
          values_(counts.num_choices()),
          cheapest_(counts.num_colors()) {
        is_possible_.assign(counts.num_choices(), 1);
        num_remaining_ = counts.num_choices();
    }

    bool run(std::uint32_t max_rounds, std::uint32_t max_stalled_rounds) {
        std::uint32_t stalled_rounds = 0;
        for (std::uint32_t round = 0; round < max_rounds; ++round) {
            evaluate();
            const std::int64_t excess = least_total_ - weighted_limit();
            if (excess > 0) return false;
            const bool is_movable = find_violations() || find_nearest_choice();
            const bool is_changed = rule_out(-excess);
            stalled_rounds = is_changed ? 0 : stalled_rounds + 1;
            // Stop if each color has only one choice.
            if (is_changed && num_remaining_ == counts_.num_colors()) break;
            if (stalled_rounds > max_stalled_rounds) break;
            if (!is_movable) break;
            for (std::size_t sum = 0; sum < weights_.size(); ++sum) weights_[sum] += moves_[sum];
        }
        return true;
    }

private:
    const std::int64_t* contributions(std::size_t sum) const {
        return counts_.contributions.data() + sum * counts_.num_choices();
    }

    // Compute the value of each choice, and the possible choice of least value of each color.
    void evaluate() {
        std::fill(values_.begin(), values_.end(), 0);
        for (std::size_t sum = 0; sum < weights_.size(); ++sum) {
            const std::int64_t weight = weights_[sum];
            if (weight == 0) continue;
            const std::int64_t* row = contributions(sum);
            for (std::size_t choice = 0; choice < values_.size(); ++choice)
                values_[choice] += weight * row[choice];
        }
        least_total_ = 0;
        for (std::size_t color = 0; color < cheapest_.size(); ++color) {
            std::size_t cheapest = counts_.num_choices();
            for (std::size_t choice = counts_.first_choices[color];
                 choice < counts_.first_choices[color + 1]; ++choice)
                if (is_possible_[choice] &&
                    (cheapest == counts_.num_choices() || values_[choice] < values_[cheapest]))
                    cheapest = choice;
            cheapest_[color] = cheapest;
            least_total_ += values_[cheapest];
        }
    }

    // Return the limit of the weighted total.
    std::int64_t weighted_limit() const {
        std::int64_t limit = 0;
        for (std::size_t sum = 0; sum < weights_.size(); ++sum)
            limit += std::max(weights_[sum] * counts_.low[sum], weights_[sum] * counts_.high[sum]);
        return limit;
    }

    // Rule out the choices that raise the least total by more than the slack. Returns whether there
    // are such choices. The cheapest choice of a color is never ruled out, so each color keeps one.
    bool rule_out(std::int64_t slack) {
        bool is_changed = false;
        for (std::size_t color = 0; color < cheapest_.size(); ++color) {
            const std::int64_t least_value = values_[cheapest_[color]];
            for (std::size_t choice = counts_.first_choices[color];
                 choice < counts_.first_choices[color + 1]; ++choice)
                if (is_possible_[choice] && values_[choice] - least_value > slack) {
                    is_possible_[choice] = 0;
                    --num_remaining_;
                    is_changed = true;
                }
        }
        return is_changed;
    }

    // Set the moves to the violations of all sums by the cheapest choices. Returns whether a sum is
    // violated.
    bool find_violations() {
        bool is_violated = false;
        for (std::size_t sum = 0; sum < weights_.size(); ++sum) {
            std::int64_t total = 0;
            for (std::size_t choice : cheapest_) total += contributions(sum)[choice];
            moves_[sum] = std::min<std::int64_t>(total - counts_.low[sum], 0) +
                          std::max<std::int64_t>(total - counts_.high[sum], 0);
            is_violated |= moves_[sum] != 0;
        }
        return is_violated;
    }

    // If the cheapest choices satisfy all sums: among the other possible choices, find the one of
    // least value, and set the moves such that it becomes more expensive. Returns whether there is
    // such a choice.
    bool find_nearest_choice() {
        std::size_t nearest = counts_.num_choices(), nearest_color = 0;
        for (std::size_t color = 0; color < cheapest_.size(); ++color)
            for (std::size_t choice = counts_.first_choices[color];
                 choice < counts_.first_choices[color + 1]; ++choice)
                if (is_possible_[choice] && choice != cheapest_[color] &&
                    (nearest == counts_.num_choices() || values_[choice] < values_[nearest])) {
                    nearest = choice;
                    nearest_color = color;
                }
        if (nearest == counts_.num_choices()) return false;
        for (std::size_t sum = 0; sum < weights_.size(); ++sum)
            moves_[sum] =
                contributions(sum)[nearest] - contributions(sum)[cheapest_[nearest_color]];
        return true;
    }

    const CountSums& counts_;
    std::vector<char>& is_possible_;
    std::vector<std::int64_t> weights_;  // per sum
    std::vector<std::int64_t> moves_;    // per sum: next change of its weight
    std::vector<std::int64_t> values_;   // per choice: weighted total of its contributions
    std::vector<std::size_t> cheapest_;  // per color: possible choice of least value
    std::size_t num_remaining_;          // number of possible choices
    std::int64_t least_total_ = 0;       // total value of the cheapest choices
};

}  // namespace

bool filter_choices(const CountSums& counts, std::uint32_t max_rounds,
                    std::uint32_t max_stalled_rounds, std::vector<char>& is_possible) {
    return SurrogateFilter(counts, is_possible).run(max_rounds, max_stalled_rounds);
}

}  // namespace mmsat::search
