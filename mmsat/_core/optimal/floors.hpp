// The least that any strategy needs for so many codes, whatever the codes are.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace mmsat::optimal {

using Total = std::int32_t;
constexpr Total kImpossible = 1 << 28;

// How many classes a guess can make at most: one that can itself be the code (the win is a class),
// and one that can not. No guess makes more classes of a part of a set than of the set.
struct Reach {
    int member = 0;
    int other = 0;
};

// By the number of codes: the least total number of guesses, where guesses keep to a reach.
struct Floor {
    std::vector<Total> least;
    std::size_t most = 0;  // codes for which the guesses left can be enough

    // least[n] is the sum of size * max(0, n - at) over its bends, for n up to the last that was
    // asked for; the bends at 0 and 1 (each 1) are left out.
    struct Bend {
        std::int32_t at;
        std::int32_t size;
    };
    std::vector<Bend> bends;
    bool is_bent = true;  // whether that holds
};

class Floors {
public:
    // left = 0 stands for any number of guesses.
    Floors(std::size_t codes, int answers, int left);

    const Floor& of(int left, Reach reach);

private:
    std::unique_ptr<Floor> make(int left, Reach reach);

    std::size_t codes_;
    int answers_;
    std::vector<std::atomic<Floor*>> table_;
    std::vector<std::unique_ptr<Floor>> kept_;
    std::recursive_mutex making_;
};

}  // namespace mmsat::optimal
