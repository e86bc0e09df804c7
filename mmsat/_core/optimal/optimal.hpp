// Search for the minimum total of a strategy (its number of guesses, summed over all codes), and
// for a strategy that attains it.
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
#include "optimal/canonicalizer.hpp"
#include "optimal/lower_bounds.hpp"
#include "optimal/memo.hpp"
#include "optimal/sweep.hpp"

namespace mmsat::optimal {

// Options of a search.
struct Request {
    int max_guesses = 0;           // maximum number of guesses per code; 0: unlimited
    bool consistent_only = false;  // every guess must be consistent with the answers so far
    bool stop_at_first = false;    // stop at the first strategy within max_guesses
    int threads = 1;
    int memo_bits = 20;
    // Maximum number of sets searched by a thread for one start(); 0: unlimited.
    std::uint64_t max_sets = 0;
    int partition_hash_bits = 64;  // fewer only in tests, to show that hash collisions are harmless
};

// Hard mode: the answers to earlier guesses restrict the later guesses. Whether a later guess is
// allowed depends on the kind of the earlier guess, its answer, and its hypothetical answer: the
// one that the earlier guess would get if the later guess were the code. `follows` is not owned and
// must outlive the search.
struct HardMode {
    std::vector<std::uint16_t> kinds;  // per guess; all guesses of a kind restrict in the same way
    // [(kind * num_answers + answer) * num_answers + hypothetical_answer]: 1 if the later guess is
    // allowed, else 0. nullptr without hard mode.
    const std::uint8_t* follows = nullptr;

    bool is_active() const { return follows != nullptr; }
};

// A set with a known total, for checkpoints.
struct Finding {
    Key key;
    Known known;
};

// Progress of a search.
struct Progress {
    Total best;              // minimum total found so far, or the bound of start()
    Total bound;             // lower bound on the total of every strategy
    double fraction_done;    // approximate, from the guesses tried at the root
    std::uint64_t num_sets;  // number of sets searched
};

// Branch and bound over sets of codes that have got the same answers so far. A guess splits a set
// into classes: the codes with the same answer. For every set, the guesses are tried in order of a
// lower bound, until the bound excludes the remaining guesses. For every guess, the lower bounds of
// its classes are raised by increasingly expensive methods, until their sum is too large or all of
// them are exact.
//
// Threads: the constructor starts the helpers, each start function starts the leader, and the
// destructor stops and joins all of them. These threads do not use Python, so the bindings release
// the GIL in the control functions. Control functions (start, start_beam, start_tree, wait, stop,
// recall) must be called by one thread at a time; recall(), total() and tree() only while no work
// runs. progress(), hash_error_bound() and findings() may be called at any time.
class Optimal {
public:
    // `possible` are the indices of the possible codes, in increasing order. Every code in
    // `answers` can be guessed. Hard mode does not support symmetries. The tables in `answers`
    // and `hard` are not owned and must outlive the search.
    Optimal(Answers answers, Canonicalizer canonicalizer, Request request,
            std::vector<std::int32_t> possible, HardMode hard = {});
    ~Optimal();
    Optimal(const Optimal&) = delete;
    Optimal& operator=(const Optimal&) = delete;

    // Search in the background for a strategy with a total below `bound`.
    void start(Total bound);
    // Search in the background for a good strategy, which need not be optimal: for sets of more
    // than `exact_size` codes only the `width` best guesses are tried: those whose classes have the
    // smallest sums of estimated costs. `costs` has the estimated cost for each number of codes. A
    // beam search yields no lower bound.
    void start_beam(std::size_t width, std::size_t exact_size, std::vector<Total> costs);
    // Build a strategy with a total that was found. If the last search was a beam search, its
    // restrictions apply.
    void start_tree(Total total);

    // Wait up to `seconds` and return whether the work has ended. Throws the exception of the work,
    // if any.
    bool wait(double seconds);
    // Stop the work and wait for its end.
    void stop();

    // Result of the last start() that was not stopped: the minimum if it is below the bound,
    // otherwise a lower bound on the total. After start_beam(): the total found, or kImpossible.
    Total total() const { return total_; }
    Progress progress() const;
    // Upper bound on the probability that two sets were confused so far (see Key), in which case a
    // total may be wrong. A strategy is played before it is reported in any case.
    double hash_error_bound() const;
    std::size_t codes() const { return possible_.size(); }
    // The guesses in preorder, the classes of a guess in the order of their answers, without the
    // win.
    std::vector<std::int32_t> tree() const { return tree_; }

    // Return the sets with much work that were searched since the last call.
    std::vector<Finding> findings();
    // Add the findings of an earlier search of the same game to the memo.
    void recall(const std::vector<Finding>& findings);

private:
    // Result of evaluate() for a guess with the partition of an earlier guess.
    static constexpr Total kSamePartition = -1;

    struct Class;
    struct Evaluation;
    struct Level;
    struct Split;
    struct Worker;

    // A set to solve.
    struct Task {
        const std::int32_t* set;  // codes that belong to the caller
        std::size_t size;
        int max_guesses;      // maximum number of guesses; 0 if unlimited
        int depth;            // number of earlier guesses
        ClassLimits limits;   // class limits of some superset
        GuessMask guesses{};  // guesses allowed in hard mode; nullptr means all
        Key guesses_key{};
    };

    // Run `work` in the leader, after stopping earlier work.
    template <class Work>
    void launch(Work work);
    // Return the minimum total of the set if it is below `bound`; otherwise a lower bound of at
    // least `bound`.
    Total solve(Worker& worker, const Task& task, Total bound, const Key* known_key = nullptr);
    // Implementation of solve() for sets without a sufficient total in the memo. `known_bound` is a
    // lower bound, or 0.
    Total search(Worker& worker, const Task& task, Total bound, Key key, Total known_bound);
    // Fill `worker.level(task.depth).candidates` and tighten `limits`. Returns a lower bound, or
    // the exact total with is_exact set.
    Total collect_candidates(Worker& worker, const Task& task, Total bound, ClassLimits& limits,
                             bool& is_exact);
    // Return the total of a guess if it is below `bound`; otherwise a lower bound of at least
    // `bound`, or kSamePartition. With a split, its tried guesses replace those of the level.
    Total evaluate(Worker& worker, const Task& task, ClassLimits limits, std::int32_t guess,
                   Total bound, Split* split);
    // The steps of evaluate().
    void find_classes(Level& level, const Task& task, std::int32_t guess) const;
    bool is_new_partition(Level& level, const Task& task, std::int32_t guess, Split* split) const;
    void list_classes(Level& level, const LowerBounds& class_bounds, Evaluation& evaluation) const;
    bool use_perfect_guesses(Evaluation& evaluation) const;
    bool use_known_totals(Worker& worker, Evaluation& evaluation);
    bool use_sweeps(Worker& worker, Evaluation& evaluation);
    Known sweep_bound(Worker& worker, const Task& task, Total limit);
    Task task_after(Worker& worker, const Evaluation& evaluation, const Class& answer_class) const;
    // Evaluate the candidates in order and return the minimum total below `bound`, or kImpossible.
    Total try_candidates(Worker& worker, const Task& task, ClassLimits limits, Total bound);
    Total try_candidates_in_parallel(Worker& worker, const Task& task, ClassLimits limits,
                                     Total bound);
    void work_on(Worker& worker, Split& split);
    void run_helper(int index);
    // Append the strategy of a set with this total to tree_.
    void build_tree(Worker& worker, const Task& task, Total total);
    Task root() const;
    // Stop the work because of the current exception, which wait() rethrows.
    void fail();
    // Return a guess with this total.
    std::int32_t choose_guess(Worker& worker, const Task& task, Total total);
    Key key_of(const Task& task) const;
    bool is_beam(const Task& task) const { return beam_width_ > 0 && task.size > beam_exact_size_; }
    // Return a term of the key that depends on the remaining guesses and on the beam search.
    Key salt_of(const Task& task) const {
        return contribution(kFirstSaltValue + static_cast<std::uint64_t>(task.max_guesses) +
                            (is_beam(task) ? num_beams_ << 8 : 0));
    }
    ClassLimits class_limits_of(Worker& worker, const Task& task, GuessMask allowed);
    // Return the known total of a small class; the total is 0 if nothing is known.
    Known look_up_small(Worker& worker, const Task& task, Class& answer_class);
    Known class_count_bound(Worker& worker, const Task& task, Total lower_bound);
    void find_representatives(Worker& worker, int depth) const;
    GuessMask allowed_guesses(Worker& worker, const Task& task) const;
    GuessMask narrow_guesses(Worker& worker, const Task& task, std::int32_t guess,
                             std::size_t answer) const;
    Key key_of(GuessMask guesses) const;
    GuessMask guesses_to_try(Worker& worker, const Task& task) const;
    bool has_perfect(const std::int32_t* set, std::size_t size) const;
    bool is_perfect(const std::int32_t* set, std::size_t size, std::int32_t guess) const;
    // Return the maximum number of guesses after one more guess. 0 means unlimited, so the argument
    // must not be 1.
    static int one_guess_less(int max_guesses) { return max_guesses == 0 ? 0 : max_guesses - 1; }

    Answers answers_;
    Canonicalizer canonicalizer_;
    Request request_;
    HardMode hard_;
    LowerBoundTable lower_bounds_;
    Memo memo_;
    std::vector<Key> guess_keys_;  // per guess: contribution to the key of the allowed guesses
    std::vector<std::int32_t> possible_;
    // Whether equivalent guesses are skipped: if all codes are possible, without hard mode.
    bool uses_symmetry_;

    std::vector<std::unique_ptr<Worker>> workers_;
    std::thread leader_;
    std::vector<std::thread> helpers_;
    mutable std::mutex mutex_;
    std::condition_variable wake_;
    bool is_done_ = true;
    Interrupt interrupt_;
    bool is_closing_ = false;      // whether the helpers shall end
    Split* open_split_ = nullptr;  // work that helpers may join; guarded by mutex_
    Total total_ = kImpossible;
    std::atomic<Total> best_{kImpossible};
    std::atomic<Total> bound_{0};
    std::atomic<double> fraction_done_{0};
    double guess_share_ = 1;  // fraction of the work for one guess at the root
    std::vector<std::int32_t> tree_;
    std::uint64_t max_sets_ = 0;  // limit for the current work
    std::size_t beam_width_ = 0;  // 0 if the search is exact
    std::size_t beam_exact_size_ = 0;
    LowerBounds beam_costs_;       // estimated costs, not lower bounds
    std::uint64_t num_beams_ = 0;  // number of beam searches; each has its own keys for large sets
    std::exception_ptr error_;
    std::mutex findings_mutex_;
    std::vector<Finding> findings_;
};

}  // namespace mmsat::optimal
