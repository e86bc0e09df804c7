// Lower bounds on the total of any strategy for a given number of codes, whichever they are.
#pragma once

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
// win is a class), `other` for the rest. For a subset of a set they are not larger.
struct ClassLimits {
    int member = 0;
    int other = 0;
};

// The minimum total for each number of codes if all guesses respect the class limits.
struct LowerBounds {
    std::vector<Total> total;
    std::size_t max_size =
        0;  // largest number of codes for which the remaining guesses can suffice

    // Second differences: total[n] is the sum of size * max(0, n - at) over the bends, for all n up
    // to `max_size`. The bends at 0 and 1 (size 1 each) are omitted.
    struct Bend {
        std::int32_t at;
        std::int32_t size;
    };
    std::vector<Bend> bends;
    bool has_bends = true;  // whether the bends are valid
};

// Computes lower bounds when they are first needed and keeps them. Thread-safe. References to them are
// valid as long as this object.
class LowerBoundTable {
public:
    // `guesses_left` is the maximum number of guesses, 0 if unlimited.
    LowerBoundTable(std::size_t codes, int answers, int guesses_left);

    const LowerBounds& of(int guesses_left, ClassLimits limits);

private:
    std::unique_ptr<LowerBounds> make(int guesses_left, ClassLimits limits);

    std::size_t codes_;
    int answers_;
    std::vector<std::atomic<LowerBounds*>> table_;
    std::vector<std::unique_ptr<LowerBounds>> kept_;
    std::recursive_mutex making_;
};

}  // namespace mmsat::optimal
