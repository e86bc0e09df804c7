// What a guess is worth: whole numbers, the least is the best. Equal means equal, for entropy too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mmsat::strategy {

enum class Heuristic { minimax, expected_size, entropy, most_parts };

using Sizes = std::vector<std::uint32_t>;

// n log2 n for n codes, times a power of two: rounded, so that sums that lie close say nothing.
class Logs {
public:
    // For classes of at most `most` codes.
    explicit Logs(std::size_t most);
    std::int64_t operator[](std::size_t size) const { return table_[size]; }
    // Sums of at most `terms` logs that differ by more than this differ truly, and in this order.
    std::int64_t doubt(std::int64_t sum, std::size_t terms) const;
    // The parts that a partition of `size` codes needs at least for a sum that may be below this.
    std::size_t parts_needed(std::int64_t sum, std::size_t size) const;

private:
    std::vector<std::int64_t> table_;
    double unit_;
};

// The sign of product(n ** n) over one partition less that over the other, exactly.
int compare_powers(const Sizes& one, const Sizes& other);

}  // namespace mmsat::strategy
