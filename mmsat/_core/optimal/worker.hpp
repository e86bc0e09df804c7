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

#include "optimal/candidate.hpp"
#include "optimal/optimal.hpp"
#include "optimal/partitions.hpp"

namespace mmsat::optimal {

constexpr int kMaxAnswers = Answers::kMaxAnswers;
constexpr int kSymmetricDepth = 2;  // largest depth at which equivalent guesses are skipped
constexpr std::size_t kRecentBits = 16;

// A class of a guess: the codes with the same answer.
struct Optimal::Class {
    std::size_t size;
    std::size_t begin;  // of its codes among those of all classes
    Total bound;        // lower bound on its total
    bool is_exact;      // whether the bound is its total
    bool is_known;      // whether the bound comes from a table
    bool has_key;       // whether `key` is computed
    std::size_t answer;
    Key code_key;     // sum over its codes as they are, and over the allowed guesses in hard mode
    Key key;          // of the task, up to symmetry
    Key guesses_key;  // of the allowed guesses in hard mode
};

// Memory of a search thread for the set at one depth. The search at a depth writes to its own level
// and to `guesses` and `guess_blocks` of the next one, so that iterations over the other members stay
// valid during the search of deeper levels.
struct Optimal::Level {
    std::vector<Candidate> candidates;
    TriedGuesses tried;
    // The codes of the classes of a guess, one class after the other.
    std::vector<std::int32_t> class_codes;
    std::vector<Class> classes = std::vector<Class>(kMaxAnswers);
    std::vector<Key> class_keys;        // [answer]: sum of the keys of the codes
    std::vector<std::uint8_t> answers;  // to the guess, by position in the set
    // GuessMask of the guesses to try: the first of each class of equivalent guesses, or those
    // that hard mode allows. Written by the level above.
    std::vector<std::uint8_t> guesses;
    std::vector<std::uint8_t> guess_blocks;
};

// Memory of one search thread. Only `sets` and `comparisons` are read by other threads.
struct Optimal::Worker {
    explicit Worker(const Optimal& search)
        : parts(search.answers_.stride),
          max_parts(search.answers_.blocks()),
          bounds(search.answers_.stride),
          squares(search.answers_.stride),
          all_guesses(search.answers_.stride, 1),
          recent(std::size_t{1} << kRecentBits) {}

    // Return the memory for a depth. The reference stays valid when levels are added.
    Level& level(int depth) {
        while (levels.size() <= static_cast<std::size_t>(depth))
            levels.push_back(std::make_unique<Level>());
        return *levels[static_cast<std::size_t>(depth)];
    }

    // Return the cache entry of a small set, by the sum of the keys of its codes. Its total is 0 if nothing is known;
    // the caller may set it.
    Known& recent_entry(Key key, Key salt) {
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

    // Output of the sweeps, per guess, and `max_parts` per block of guesses.
    std::vector<std::uint8_t> parts;
    std::vector<std::uint8_t> max_parts;
    std::vector<std::uint32_t> bounds;
    std::vector<std::uint32_t> squares;
    std::vector<std::uint8_t> all_guesses;      // 1 for each guess
    std::vector<std::pair<Key, Known>> recent;  // cache of small sets
    std::vector<std::unique_ptr<Level>> levels;
    std::vector<std::int32_t> history;
    std::uint64_t sets_before = 0;  // value of `sets` at the start of the current work
    std::atomic<std::uint64_t> sets{0};
    std::atomic<std::uint64_t> comparisons{0};  // of tags of keys
};

// The candidates of one set, evaluated by several threads. `next` and `tried` are guarded by
// `mutex`. The object is on the stack of the thread that opened it, which waits until
// `num_helpers` is 0.
struct Optimal::Split {
    Task task;
    ClassLimits limits;
    const std::vector<Candidate>& candidates;  // in order
    std::vector<std::int32_t> history;
    TriedGuesses& tried;
    std::atomic<Total> bound;  // the least total so far; written under the mutex
    std::mutex mutex{};
    std::size_t next = 0;  // index of the next candidate
    int num_helpers = 0;   // at work; guarded by the mutex of the search

    // Return the next candidate; nullptr if there is none below the bound.
    const Candidate* claim() {
        const std::lock_guard lock(mutex);
        if (next == candidates.size() || candidates[next].bound() >= bound) return nullptr;
        return &candidates[next++];
    }
    void improve(Total total) {
        const std::lock_guard lock(mutex);
        if (total < bound) bound = total;
    }
};

// A guess that is evaluated. The lower bound of its total is the size of the set plus the bounds of
// its classes. It refers to memory of the worker's level.
struct Optimal::Evaluation {
    const Task& task;
    ClassLimits limits;
    std::int32_t guess;
    int guesses_left;  // after the guess
    Total limit;       // the evaluation ends when the bound reaches it
    Total bound = 0;
    const std::int32_t* codes = nullptr;  // one class after the other
    Class* classes = nullptr;             // those of three or more codes, the smallest first
    std::size_t num_classes = 0;

    Class* begin() const { return classes; }
    Class* end() const { return classes + num_classes; }
    // Raise the bound of a class to `total` if it is less. Returns whether the limit is reached.
    bool raise(Class& part, Total total) {
        if (total > part.bound) {
            bound += total - part.bound;
            part.bound = total;
        }
        return bound >= limit;
    }
    // Return the bound of a class with which the limit is reached.
    Total limit_of(const Class& part) const { return limit - (bound - part.bound); }
    // Return the task of a class, without the guesses that hard mode allows.
    Task task_of(const Class& part) const {
        return {codes + part.begin, part.size, guesses_left, task.depth + 1, limits, {},
                part.guesses_key};
    }
};

}  // namespace mmsat::optimal
