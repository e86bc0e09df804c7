// Surrogate constraints for the counts of colors.
//
// Each color has a choice of counts, and each sum adds up one contribution of every color. A
// weighted total of all sums is a valid constraint as well. The choices of least value bound the
// total from below, so a choice that raises this bound above the limit of the total is impossible.
// The weights move by the violations of the sums, as a perceptron learns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mmsat::search {

struct CountSums {
    std::vector<std::size_t> first;  // of each color: its first choice; at last, their number
    std::vector<std::int64_t> contributions;  // [sum * choices + choice]
    std::vector<std::int64_t> low, high;      // the bounds of each sum

    std::size_t colors() const { return first.size() - 1; }
    std::size_t choices() const { return first.back(); }
    std::size_t sums() const { return low.size(); }
};

// Marks the impossible choices with 0 in `possible`. Returns false if a color has none left, so
// that no choice of all counts satisfies the sums. Stops after `max_rounds`, or after more than
// `max_stalled_rounds` in a row without effect.
bool filter_choices(const CountSums& counts, std::uint32_t max_rounds,
                    std::uint32_t max_stalled_rounds, std::vector<char>& possible);

}  // namespace mmsat::search
