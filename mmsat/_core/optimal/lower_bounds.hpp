// Lower bounds on the total of any strategy (its number of guesses, summed over all codes), given
// only the number of codes. A guess splits a set of codes into classes: the codes with the same
// answer.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace mmsat::optimal {

using Total = std::int32_t;
// Total of a set that cannot be solved within the number of guesses.
constexpr Total kImpossible = 1 << 28;

// Upper bounds on the number of classes of a guess: `member` for guesses that can be the code (the
// win is a class), `other` for all other guesses. The limits of a set also hold for its subsets.
struct ClassLimits {
    int member = 0;
    int other = 0;

    // Return the limits of a subset, given the maximum class counts of its members and of all other
    // guesses. A member of the subset may be missing in a smaller subset. There it counts as
    // another guess, and the win is not one of its classes.
    ClassLimits of_subset(int max_member_count, int max_other_count) const {
        const int new_member = std::min(max_member_count, member);
        return {new_member, std::max(std::min(max_other_count, other), new_member - 1)};
    }
};

// The minimum total for each number of codes if all guesses respect the class limits.
struct LowerBounds {
    std::vector<Total> total;
    // Largest number of codes for which the remaining guesses can suffice.
    std::size_t max_size = 0;

    // Second differences of `total`: for all n up to `max_size`, total[n] is n + max(0, n - 1) +
    // the sum over `bends` of change * max(0, n - position).
    struct Bend {
        std::int32_t position;
        std::int32_t change;  // of the slope
    };
    std::vector<Bend> bends;
    bool has_bends = true;  // false if `total` was set without the bends
};

// Computes lower bounds when they are first needed, and stores them. Thread-safe. References to
// stored bounds are valid as long as the table.
class LowerBoundTable {
public:
    // `max_guesses` is the maximum number of guesses, 0 if unlimited.
    LowerBoundTable(std::size_t num_codes, int num_answers, int max_guesses);

    const LowerBounds& get(int max_guesses, ClassLimits limits);

private:
    std::unique_ptr<LowerBounds> make(int max_guesses, ClassLimits limits);

    std::size_t num_codes_;
    int num_answers_;
    std::vector<std::atomic<LowerBounds*>> table_;
    std::vector<std::unique_ptr<LowerBounds>> stored_;
    std::recursive_mutex mutex_;
};

}  // namespace mmsat::optimal
