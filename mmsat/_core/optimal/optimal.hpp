// Search for the minimum total number of guesses over all codes, and for a strategy that attains
// it.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "interrupt.hpp"
#include "optimal/answers.hpp"
#include "optimal/floors.hpp"
#include "optimal/memo.hpp"
#include "optimal/sweep.hpp"
#include "optimal/exchanges.hpp"

namespace mmsat::optimal {

// Options of a search.
struct Request {
    int most_guesses = 0;          // maximum number of guesses per code; 0: unlimited
    bool consistent_only = false;  // every guess must be consistent with the answers so far
    bool any = false;              // stop at the first strategy within most_guesses
    int threads = 1;
    int memo_bits = 20;
    // Limit of the sets searched by a thread for one total; 0: unlimited.
    std::uint64_t most_sets = 0;
    int partition_hash_bits = 64;  // fewer only in tests, to show that hash collisions are harmless
};

// Hard mode: the answers to earlier guesses restrict the later guesses. Whether a guess may follow
// depends on the kind of the earlier guess, its answer, and the answer that it would get if the
// later guess were the code. Empty if there is no restriction. `follows` is not owned and must
// outlive the search.
struct HardMode {
    std::vector<std::uint16_t> kinds;  // per guess: its row of rules
    // [(kind * answers + answer) * answers + would]: 1 if allowed, else 0.
    const std::uint8_t* follows = nullptr;
};

// A set with a known total, for checkpoints.
struct Finding {
    Key key;
    Known known;
};

// Progress of a search.
struct Standing {
    Total best;          // minimum total found so far, or the bound of start()
    Total bound;         // lower bound on the total of every strategy
    double done;         // approximate fraction of the work at the root
    std::uint64_t sets;  // number of sets searched
};

// Branch and bound over sets of codes that have got the same answers so far. For every set, the
// guesses are tried in order of a lower bound, until the bound excludes the rest. For every guess,
// the lower bounds of its classes are raised, from cheap to expensive methods, until their sum is
// too large or all are exact.
//
// Threads: the constructor starts the helpers, each start function starts the main thread, and the
// destructor stops and joins all of them. The search threads do not use Python, so the bindings
// release the GIL in the control functions. Control functions (start, start_beam, start_tree, wait,
// stop, recall) must be called by one thread at a time; recall(), total() and tree() only while no
// work runs. standing(), hash_error_bound() and findings() may be called at any time.
class Optimal {
public:
    // `possible` are the indices of the possible codes, in increasing order. All codes with answers
    // can be guessed. In hard mode no exchanges are allowed. The tables in `answers` and `hard` are
    // not owned and must outlive the search.
    Optimal(Answers answers, Exchanges exchanges, Request request,
            std::vector<std::int32_t> possible, HardMode hard = {});
    ~Optimal();
    Optimal(const Optimal&) = delete;
    Optimal& operator=(const Optimal&) = delete;

    // Search in the background for a strategy with a total below `bound`.
    void start(Total bound);
    // Search in the background for a good strategy, which need not be optimal: for sets of more
    // than `most_exact` codes only the `width` best guesses are tried. Best are guesses whose
    // classes have the smallest estimated cost; `costs` has an estimate for each number of codes.
    // It yields no lower bound.
    void start_beam(std::size_t width, std::size_t most_exact, std::vector<Total> costs);
    // Build the strategy of a total that was found. If the last search was a beam search, its
    // restrictions apply.
    void start_tree(Total total);

    // Wait up to `seconds` and return whether the work has ended. Throws the exception of the work,
    // if any.
    bool wait(double seconds);
    // Stop the work and wait for its end.
    void stop();

    // Result of the last start(): the minimum if it is below the bound; otherwise no strategy has a
    // smaller total, unless the work was stopped.
    Total total() const { return total_; }
    Standing standing() const;
    // Upper bound on the probability that two sets were confused so far (see Key), in which case a
    // total may be wrong. A strategy is played before it is reported in any case.
    double hash_error_bound() const;
    std::size_t codes() const { return possible_.size(); }
    // The guesses in preorder, the classes of a guess in the order of their answers, without the
    // win.
    std::vector<std::int32_t> tree() const { return tree_; }

    // Return the sets that took much work since the last call.
    std::vector<Finding> findings();
    // Enter findings of an earlier search of the same game into the table.
    void recall(const std::vector<Finding>& findings);

private:
    // Ranges of values of contributions; those of renamed codes are below.
    static constexpr std::uint64_t kPlainValues = std::uint64_t{1} << 40;
    static constexpr std::uint64_t kSaltValues = std::uint64_t{1} << 41;
    static constexpr std::uint64_t kOpenValues = std::uint64_t{1} << 42;

    struct Class;
    struct Worker;
    struct Split;

    // A set to solve. `left` is the number of remaining guesses, 0 if unlimited. `reach` holds for
    // some superset. `set` points to codes that belong to the caller.
    struct Task {
        const std::int32_t* set;
        std::size_t size;
        int left;
        int depth;
        Reach reach;
        Allowed open{};  // guesses allowed in hard mode; nullptr means all
        Key open_key{};
    };

    // Run `work` in the main thread, after stopping earlier work.
    template <class Work>
    void launch(Work work);
    // Return the minimum total of the set if it is below `bound`; otherwise a lower bound of at
    // least `bound`.
    Total solve(Worker& worker, const Task& task, Total bound, const Key* known_key = nullptr);
    // Implementation of solve() for sets that are not in the table.
    Total search(Worker& worker, const Task& task, Total bound, Key key, Total known);
    // Fill `worker.level(task.depth).candidates` and tighten `reach`. Returns a lower bound, or the
    // exact total with is_exact set.
    Total gather(Worker& worker, const Task& task, Total bound, Reach& reach, bool& is_exact);
    // Return the total of a guess if it is below `bound`; otherwise a lower bound of at least
    // `bound`. If an earlier guess had the same classes, returns -1, or kImpossible if there is a
    // split.
    Total evaluate(Worker& worker, const Task& task, Reach reach, std::int32_t guess, Total bound,
                   Split* split);
    // Evaluate the candidates in order and return the minimum total below `bound`, or kImpossible.
    // `refuted` gets the smallest total that was not below it.
    Total run_through(Worker& worker, const Task& task, Reach reach, Total bound, Total& refuted);
    // Main function of a helper thread.
    void help(int index);
    // Append the strategy of a set with this total to tree_.
    void grow(Worker& worker, const Task& task, Total total);
    Task root() const;
    // Stop the work because of the current exception, which wait() rethrows.
    void fail();
    // Return a guess with this total.
    std::int32_t choose(Worker& worker, const Task& task, Total total);
    Key key_of(const Task& task) const;
    bool is_narrow(const Task& task) const { return width_ > 0 && task.size > most_exact_; }
    // Return a term that distinguishes the keys of the same codes in different kinds of tasks.
    Key salt_of(const Task& task) const {
        return contribution(kSaltValues + static_cast<std::uint64_t>(task.left) +
                            (is_narrow(task) ? beams_ << 8 : 0));
    }
    Reach reach_of(Worker& worker, const Task& task, Allowed allowed);
    // Return the known total of a small class; the total is 0 if nothing is known.
    Known recall_small(Worker& worker, const Task& task, Class& each);
    Known parts_bound(Worker& worker, const Task& task, Total least);
    void find_firsts(Worker& worker, int depth) const;
    Allowed open(Worker& worker, const Task& task) const;
    Allowed narrow(Worker& worker, const Task& task, std::int32_t guess, std::size_t answer) const;
    Key key_of(Allowed open) const;
    Allowed allowed(Worker& worker, const Task& task) const;
    bool has_perfect(const std::int32_t* set, std::size_t size) const;
    bool is_perfect(const std::int32_t* set, std::size_t size, std::int32_t guess) const;
    int next(int left) const { return left == 0 ? 0 : left - 1; }

    Answers answers_;
    Exchanges exchanges_;
    Request request_;
    HardMode hard_;
    Floors floors_;
    Memo memo_;
    std::vector<Key> plain_;  // per code: contribution to the plain key of a set
    std::vector<Key> opens_;  // per guess: contribution to the key of the allowed guesses
    std::vector<std::int32_t> possible_;
    // All codes are possible and there is no hard mode, so equivalent guesses can be skipped.
    bool is_whole_;

    std::vector<std::unique_ptr<Worker>> workers_;
    std::thread main_;
    std::vector<std::thread> helpers_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    bool is_done_ = true;
    Interrupt interrupt_;
    bool is_closing_ = false;
    Split* open_ = nullptr;  // work that helpers may join; guarded by mutex_
    Total total_ = kImpossible;
    std::atomic<Total> best_{kImpossible};
    std::atomic<Total> bound_{0};
    std::atomic<double> done_{0};
    double share_ = 1;  // fraction of the work per guess at the root
    std::vector<std::int32_t> tree_;
    std::uint64_t most_sets_ = 0;  // limit for the current work
    std::size_t width_ = 0;        // beam width; 0 if the search is exact
    std::size_t most_exact_ = 0;
    Floor costs_;              // estimated costs of a beam search, not lower bounds
    std::uint64_t beams_ = 0;  // number of beam searches; each has its own keys for large sets
    std::exception_ptr error_;
    std::mutex findings_mutex_;
    std::vector<Finding> findings_;
};

}  // namespace mmsat::optimal
