// Keys of guesses by heuristics: integers, of which the smallest is the best. Equality is exact,
// also for entropy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mmsat::strategy {

enum class Heuristic { minimax, expected_size, entropy, most_parts };

using Sizes = std::vector<std::uint32_t>;

// Table of n log2 n for class sizes n, scaled by a power of two and rounded. Sums that are close to
// each other do not decide which one is smaller. Immutable after construction.
class Logs {
public:
    // For classes of up to `most` codes.
    explicit Logs(std::size_t most);
    std::int64_t operator[](std::size_t size) const { return table_[size]; }
    // Return a bound on rounding errors: two sums of at most `terms` entries that differ by more
    // than this have the same order as the exact sums.
    std::int64_t uncertainty(std::int64_t sum, std::size_t terms) const;
    // Return a lower bound on the number of parts of a partition of `size` codes whose sum is less
    // than `sum`.
    std::size_t min_parts(std::int64_t sum, std::size_t size) const;

private:
    std::vector<std::int64_t> table_;
    double unit_;
};

// Return the sign of product(n ** n) over one partition minus that over the other, exactly.
int compare_powers(const Sizes& one, const Sizes& other);

}  // namespace mmsat::strategy
