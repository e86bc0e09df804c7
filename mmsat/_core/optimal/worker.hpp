// Working memory of a search thread.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "optimal/optimal.hpp"
#include "optimal/partitions.hpp"

namespace mmsat::optimal {

constexpr int kMostAnswers = Answers::kMost;
constexpr int kSymmetricDepth = 2;  // largest depth at which equivalent guesses are skipped
constexpr std::size_t kRecentBits = 16;

// Return a hash of a word.
inline std::uint64_t mixed(std::uint64_t value) {
    value = (value ^ (value >> 32)) * 0xD6E8FEB86659FD93u;
    return value ^ (value >> 32);
}

// Pack a candidate into a word that sorts by bound, then squares, then guess. A bound that does not
// fit is replaced by a smaller one. `squares` is the sum of the squared class sizes, below 2**30
// because there are at most 2**15 codes.
inline std::uint64_t packed(Total bound, std::uint64_t squares, std::uint64_t guess) {
    constexpr Total kMostBound = (1 << 18) - 1;
    return static_cast<std::uint64_t>(std::min(bound, kMostBound)) << 46 | squares << 16 | guess;
}

// Pack a candidate of a beam search: estimated cost of its classes, then the guess.
inline std::uint64_t packed(Total cost, std::uint64_t guess) {
    return static_cast<std::uint64_t>(cost) << 16 | guess;
}

// A class of a guess: the codes with the same answer.
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

// Each worker belongs to one thread. Only `sets` and `comparisons` are read by other threads.
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
        TriedGuesses tried;
        // The codes of the classes of a guess, one class after the other.
        std::vector<std::int32_t> classes;
        std::vector<Class> parts = std::vector<Class>(kMostAnswers);
        std::vector<Key> sums;
        std::vector<std::uint8_t> labels;
        std::vector<std::uint8_t> firsts;
        std::vector<std::uint8_t> blocks;
    };
    // Return the memory for a depth. The reference stays valid when levels are added.
    Level& level(int depth) {
        while (levels.size() <= static_cast<std::size_t>(depth))
            levels.push_back(std::make_unique<Level>());
        return *levels[static_cast<std::size_t>(depth)];
    }

    // Return the cache entry of a small set, by its plain key. Its total is 0 if nothing is known;
    // the caller may set it.
    Known& recently(Key key, Key salt) {
        key += salt;
        auto& [recent_key, known] = recent[key.place() & ((1u << kRecentBits) - 1)];
        if (!(recent_key == key)) {
            recent_key = key;
            known = {};
        }
        return known;
    }

    std::optional<Known> look_up(const Memo& memo, const Key& key) {
        count_comparisons(Memo::kBucketEntries);
        return memo.find(key);
    }
    void count_comparisons(std::uint64_t count) {
        comparisons.store(comparisons.load(std::memory_order_relaxed) + count,
                          std::memory_order_relaxed);
    }

    std::vector<std::uint8_t> parts;
    std::vector<std::uint8_t> peaks;
    std::vector<std::uint32_t> bounds;
    std::vector<std::uint32_t> squares;
    std::vector<std::uint8_t> everything;
    std::vector<std::pair<Key, Known>> recent;
    std::vector<std::unique_ptr<Level>> levels;
    std::vector<std::int32_t> history;
    std::atomic<std::uint64_t> sets{0};
    std::atomic<std::uint64_t> comparisons{0};  // of tags of keys
};

// The candidates of one set, evaluated by several threads. `next`, `refuted` and `tried` are
// guarded by `mutex`. The object is on the stack of the thread that opened it, which waits until
// `active` is 0.
struct Optimal::Split {
    Task task;
    Reach reach;
    const std::vector<std::uint64_t>* candidates;
    std::vector<std::int32_t> history;
    std::atomic<Total> bound;
    std::mutex mutex{};
    std::size_t next = 0;
    Total refuted = kImpossible;
    TriedGuesses* tried = nullptr;
    int active = 0;  // helpers at work; guarded by the mutex of the search
};

}  // namespace mmsat::optimal
