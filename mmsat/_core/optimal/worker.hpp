// State of the search: per thread (Worker, Level), per set that several threads search (Split), and
// per guess that is evaluated (Evaluation).
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
constexpr std::size_t kRecentBits = 16;  // binary logarithm of the size of the cache of small sets

// There are at most 2**15 codes, so a sum of squared class sizes has up to 30 bits.
using Candidate = CandidateOf<Total, std::uint64_t, 30>;

// A class of a guess: the codes with the same answer.
struct Optimal::Class {
    std::size_t size;
    std::size_t begin;  // index of its first code in the codes of the partition
    Total bound;        // lower bound on the total of the class
    bool is_exact;      // whether the bound is the total
    bool is_known;      // whether the bound comes from the memo or the cache of small sets
    bool has_key;       // whether `key` is computed
    std::size_t answer;
    // Sum of the keys of the codes, before symmetric sets are mapped to one (canonicalizer.hpp). In
    // hard mode, plus `guesses_key`.
    Key code_key;
    Key key;          // key of the task in the memo
    Key guesses_key;  // key of the allowed guesses in hard mode
};

// Memory of a search thread for the set at one depth. The search at a depth writes to its own level
// and to `guesses` and `guess_blocks` of the next one, so that iterations over the other members
// stay valid during the search of deeper levels.
struct Optimal::Level {
    std::vector<Candidate> candidates;
    TriedGuesses tried;
    Partition partition;  // by the answers to the guess that is evaluated
    std::vector<Class> classes = std::vector<Class>(kMaxAnswers);
    std::vector<Key> class_keys;  // [answer]: sum of the keys of the codes in the class
    // Mask of the guesses to try (see GuessMask): the first of each orbit of guesses, or the
    // guesses that hard mode allows. `guess_blocks` states whether a block has one of them. Both
    // are written before the search of the level.
    std::vector<std::uint8_t> guesses;
    std::vector<std::uint8_t> guess_blocks;
};

// Memory of one search thread. Only `num_sets` and `comparisons` are read by other threads.
struct Optimal::Worker {
    explicit Worker(const Optimal& search)
        : class_counts(search.answers_.stride),
          max_class_counts(search.answers_.blocks()),
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

    // Return the cache entry of a small set, by the sum of the keys of its codes. `salt` represents
    // the limits of the task (`salt_of`). The total of a new entry is 0, for unknown; the caller
    // may fill the entry.
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

    // Output of sweep_classes() and sweep_class_counts() (sweep.hpp), one entry per guess. Only
    // `max_class_counts` has one entry per block of guesses. `squares` has sums of squared class
    // sizes.
    std::vector<std::uint8_t> class_counts;
    std::vector<std::uint8_t> max_class_counts;
    std::vector<std::uint32_t> bounds;
    std::vector<std::uint32_t> squares;
    std::vector<std::uint8_t> all_guesses;      // 1 for each guess
    std::vector<std::pair<Key, Known>> recent;  // cache of small sets
    std::vector<std::unique_ptr<Level>> levels;
    std::vector<std::int32_t> history;       // guesses on the path to the current set
    std::atomic<std::uint64_t> num_sets{0};  // number of sets searched
    std::uint64_t num_sets_before = 0;       // value of `num_sets` at the start of the current work
    std::atomic<std::uint64_t> comparisons{0};  // number of tags compared
};

// The candidates of one set, while several threads evaluate them. `next` and `tried` are guarded by
// `mutex`. The object is on the stack of the thread that opened it. This thread waits until
// `num_helpers` is 0 before it destroys the object.
struct Optimal::Split {
    Task task;
    ClassLimits limits;
    const std::vector<Candidate>& candidates;  // sorted by bound
    std::vector<std::int32_t> history;         // guesses on the path to the set
    TriedGuesses& tried;
    std::atomic<Total> bound;  // least total so far; written under the mutex
    std::mutex mutex{};
    std::size_t next = 0;  // index of the next candidate
    int num_helpers = 0;   // number of helpers at work; guarded by the mutex of the search

    // Return the next candidate, or nullptr if no other candidate is below the bound.
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

// The evaluation of a guess in progress. The lower bound of the guess is the size of the set plus
// the bounds of the classes. The pointers refer to memory of the worker's level.
struct Optimal::Evaluation : GuessBound<Total> {
    const Task& task;
    ClassLimits limits;
    std::int32_t guess;
    int max_guesses;                      // maximum number of guesses after this one; 0: unlimited
    const std::int32_t* codes = nullptr;  // codes, one class after the other
    Class* classes = nullptr;             // classes of three or more codes, the smallest first
    std::size_t num_classes = 0;

    Class* begin() const { return classes; }
    Class* end() const { return classes + num_classes; }
    // Return the task of a class. Its mask of allowed guesses is empty; in hard mode, the caller
    // sets it.
    Task task_of(const Class& answer_class) const {
        return {
            codes + answer_class.begin, answer_class.size, max_guesses, task.depth + 1, limits, {},
            answer_class.guesses_key};
    }
};

}  // namespace mmsat::optimal
