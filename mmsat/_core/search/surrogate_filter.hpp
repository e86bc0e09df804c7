// Surrogate constraints for the counts of colors.
//
// Each color has several possible counts: its choices. Each sum adds up one contribution per color,
// which depends on the choice. A weighted total of all sums is a valid constraint, too (surrogate
// constraint; Glover 1965). The value of a choice is the weighted total of its contributions. The
// sum of the least value of each color is a lower bound on the total. A choice that raises this
// bound above the limit of the total is impossible. In each round, the weights change by the
// violations of the sums, as in the learning rule of a perceptron.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mmsat::search {

struct CountSums {
    // Per color: index of its first choice. The last entry is the number of choices.
    std::vector<std::size_t> first_choices;
    std::vector<std::int64_t> contributions;  // [sum * num_choices() + choice]
    std::vector<std::int64_t> low, high;      // bounds of each sum

    std::size_t num_colors() const { return first_choices.size() - 1; }
    std::size_t num_choices() const { return first_choices.back(); }
    std::size_t num_sums() const { return low.size(); }
};

// Write to `is_possible`, per choice, 0 if it is impossible, otherwise 1. Returns false if no
// choices of all colors satisfy the sums. Stops after `max_rounds` rounds, or after more than
// `max_stalled_rounds` consecutive rounds without effect.
bool filter_choices(const CountSums& counts, std::uint32_t max_rounds,
                    std::uint32_t max_stalled_rounds, std::vector<char>& is_possible);

}  // namespace mmsat::search
