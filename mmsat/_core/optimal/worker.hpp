// What a thread of the search works with.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "optimal/optimal.hpp"

namespace mmsat::optimal {

constexpr int kMostAnswers = Answers::kMost;
constexpr int kSymmetricDepth = 2;  // down to which guesses that are alike are tried once
constexpr std::size_t kRecentBits = 16;

inline std::uint64_t mixed(std::uint64_t value) {
    value = (value ^ (value >> 32)) * 0xD6E8FEB86659FD93u;
    return value ^ (value >> 32);
}

// A candidate packs the bound, or less where it is large, the squares of its classes (below 2**30,
// as there are up to 2**15 codes) and its number.
inline std::uint64_t packed(Total bound, std::uint64_t squares, std::uint64_t guess) {
    constexpr Total kMostBound = (1 << 18) - 1;
    return static_cast<std::uint64_t>(std::min(bound, kMostBound)) << 46 | squares << 16 | guess;
}

// In a beam, what its classes are expected to cost, and its number.
inline std::uint64_t packed(Total cost, std::uint64_t guess) {
    return static_cast<std::uint64_t>(cost) << 16 | guess;
}

// The codes that get one answer to a guess.
struct Optimal::Class {
    std::size_t size;
    std::size_t begin;
    Total least;
    bool is_exact;
    bool is_known;
    bool has_key;
    std::size_t answer;
    Key plain;
    Key key;
    Key open;
};

struct Optimal::Worker {
    explicit Worker(const Optimal& search)
        : parts(search.answers_.stride),
          peaks(search.answers_.blocks()),
          bounds(search.answers_.stride),
          squares(search.answers_.stride),
          everything(search.answers_.stride, 1),
          recent(std::size_t{1} << kRecentBits) {}

    struct Level {
        std::vector<std::uint64_t> candidates;
        std::vector<std::uint64_t> seen;    // the classes of guesses that were tried, hashed
        std::vector<std::int32_t> classes;  // the codes of a guess's classes, one after the other
        std::vector<Class> parts = std::vector<Class>(kMostAnswers);
        std::vector<Key> sums;
        std::vector<std::uint8_t> labels;
        std::vector<std::uint8_t> firsts;
        std::vector<std::uint8_t> blocks;

        // Make room for the classes of all candidates.
        void clear_seen() {
            std::size_t space = 16;
            while (space < 2 * candidates.size()) space *= 2;
            seen.assign(space, 0);
        }
    };
    Level& level(int depth) {
        while (levels.size() <= static_cast<std::size_t>(depth))
            levels.push_back(std::make_unique<Level>());
        return *levels[static_cast<std::size_t>(depth)];
    }

    // What was found of a small set, by its codes in any order; no total if nothing was.
    Known& recently(const Key& plain, std::uint64_t salt) {
        const std::uint64_t mark = plain.first + salt;
        auto& place = recent[plain.second >> (64 - kRecentBits)];
        if (place.first != mark) place = {mark, {}};
        return place.second;
    }

    std::vector<std::uint8_t> parts;
    std::vector<std::uint8_t> peaks;
    std::vector<std::uint32_t> bounds;
    std::vector<std::uint32_t> squares;
    std::vector<std::uint8_t> everything;
    std::vector<std::pair<std::uint64_t, Known>> recent;
    std::vector<std::unique_ptr<Level>> levels;
    std::vector<std::int32_t> history;
    std::atomic<std::uint64_t> sets{0};
};

// The guesses of one set, shared among threads.
struct Optimal::Split {
    Task task;
    Reach reach;
    const std::vector<std::uint64_t>* candidates;
    std::vector<std::int32_t> history;
    std::atomic<Total> bound;
    std::mutex mutex{};
    std::size_t next = 0;
    Total refuted = kImpossible;
    std::vector<std::uint64_t>* seen = nullptr;
    int active = 0;  // helpers inside; guarded by the search's mutex
};

}  // namespace mmsat::optimal
