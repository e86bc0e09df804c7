// A guess splits the possible codes into classes with equal answers. Heuristics compare guesses by
// keys, which are computed from the sizes of the classes. The smallest key is the best: the largest
// size (minimax), the sum of the squared sizes (expected_size), the sum of n log2 n over the sizes
// n (entropy), or the number of codes minus the number of classes (most_parts). Keys are integers,
// and ties are recognized exactly, also for entropy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mmsat::strategy {

enum class Heuristic { minimax, expected_size, entropy, most_parts };

using Sizes = std::vector<std::uint32_t>;

// Table of n log2 n for class sizes n, scaled by a power of two and rounded. If two sums differ by
// no more than uncertainty(), their order is unknown. Immutable after construction.
class Logs {
public:
    // Build the table for classes of up to `max_size` codes.
    explicit Logs(std::size_t max_size);
    std::int64_t operator[](std::size_t size) const { return table_[size]; }
    // Return a bound on rounding errors: if two sums of at most `num_terms` entries differ by more,
    // they have the same order as the exact sums.
    std::int64_t uncertainty(std::int64_t sum, std::size_t num_terms) const;
    // Return a lower bound on the number of classes of a partition of `size` codes if its sum is
    // less than `sum`.
    std::size_t min_num_classes(std::int64_t sum, std::size_t size) const;

private:
    std::vector<std::int64_t> table_;
    double unit_;
};

// Compare the products of n**n over the class sizes n of two partitions, exactly. Their logarithms
// are the sums of n log2 n. Returns -1, 0 or 1 if the first is smaller, equal or larger.
int compare_powers(const Sizes& one, const Sizes& other);

}  // namespace mmsat::strategy
