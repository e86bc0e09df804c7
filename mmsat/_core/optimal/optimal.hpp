// The least total number of guesses over all codes, and a strategy that has it.
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

// What is asked for.
struct Request {
    int most_guesses = 0;          // 0: any number
    bool consistent_only = false;  // every guess can itself be the code
    bool any = false;              // any strategy within the most guesses will do
    int threads = 1;
    int memo_bits = 20;
    std::uint64_t most_sets = 0;   // looked at for a total, then it is given up; 0: any number
    int partition_hash_bits = 64;  // fewer only in tests, to show that collisions are harmless
};

// Hard mode: which guesses may follow a guess and its answer, told by what they would be answered
// were they the code. Guesses of a kind have the same rule; nothing is forbidden where it is empty.
struct HardMode {
    std::vector<std::uint16_t> kinds;       // of each guess
    const std::uint8_t* follows = nullptr;  // [(kind * answers + answer) * answers + would], 1 or 0
};

// A set whose total is known, told for a checkpoint.
struct Finding {
    Key key;
    Known known;
};

struct Standing {
    Total best;          // least total found
    Total bound;         // no strategy has less
    double done;         // share of the work at the root, roughly
    std::uint64_t sets;  // looked at
};

// Branch and bound over sets of codes that can't be told apart so far. For every set: the guesses
// in order of a bound, each refuted or improving; for every guess: the bounds of its classes raised
// from cheap to dear, until their sum is too much or all are exact. Works in threads of its own,
// and is asked from outside how far it is.
class Optimal {
public:
    // `possible` are the codes that can be the code; guesses are all that have answers.
    // In hard mode every guess has answers by code, too, and nothing is alike.
    Optimal(Answers answers, Exchanges exchanges, Request request,
            std::vector<std::int32_t> possible, HardMode hard = {});
    ~Optimal();
    Optimal(const Optimal&) = delete;
    Optimal& operator=(const Optimal&) = delete;

    // Look for a strategy with a total below `bound`, in the background.
    void start(Total bound);
    // A strategy that is good but perhaps not best, chosen among the `width` best guesses of sets
    // of more than `most_exact` codes. Best are those whose classes cost least; `costs` has, for
    // each number of codes, what they take by an estimate. Tells no bound.
    void start_beam(std::size_t width, std::size_t most_exact, std::vector<Total> costs);
    // Build the strategy of a total that was found; chosen as by a beam where one was started last.
    void start_tree(Total total);

    // Whether the work ended within so many seconds. Throws what the work threw.
    bool wait(double seconds);
    // End the work.
    void stop();

    // Below the bound that was asked for: exact. Else no strategy has less than it, or the work was
    // given up.
    Total total() const { return total_; }
    Standing standing() const;
    // An upper bound of the probability that two sets were confused so far (see Key): then a total
    // that was found may be wrong. A strategy is played anyway before it is reported.
    double hash_error_bound() const;
    std::size_t codes() const { return possible_.size(); }
    // The guesses from the root down, classes in order of their answers, the win left out.
    std::vector<std::int32_t> tree() const { return tree_; }

    // Sets that took much work, since the last call.
    std::vector<Finding> findings();
    void recall(const std::vector<Finding>& findings);

private:
    // Values of contributions; renamed codes are below.
    static constexpr std::uint64_t kPlainValues = std::uint64_t{1} << 40;
    static constexpr std::uint64_t kSaltValues = std::uint64_t{1} << 41;
    static constexpr std::uint64_t kOpenValues = std::uint64_t{1} << 42;

    struct Class;
    struct Worker;
    struct Split;

    // `left` guesses, 0 for any number; `reach` of what guesses do to a superset.
    struct Task {
        const std::int32_t* set;
        std::size_t size;
        int left;
        int depth;
        Reach reach;
        Allowed open{};  // the guesses of hard mode; none named: all
        Key open_key{};
    };

    template <class Work>
    void launch(Work work);
    Total solve(Worker& worker, const Task& task, Total bound, const Key* known_key = nullptr);
    Total search(Worker& worker, const Task& task, Total bound, Key key, Total known);
    // Candidates to `worker.candidates[depth]`; the least that any strategy needs, or its exact
    // total with is_exact set.
    Total gather(Worker& worker, const Task& task, Total bound, Reach& reach, bool& is_exact);
    Total evaluate(Worker& worker, const Task& task, Reach reach, std::int32_t guess, Total bound,
                   Split* split);
    Total run_through(Worker& worker, const Task& task, Reach reach, Total bound, Total& refuted);
    void help(int index);
    void grow(Worker& worker, const Task& task, Total total);
    Task root() const;
    void fail();
    std::int32_t choose(Worker& worker, const Task& task, Total total);
    Key key_of(const Task& task) const;
    bool is_narrow(const Task& task) const { return width_ > 0 && task.size > most_exact_; }
    // Return what distinguishes the keys of the same codes in different tasks.
    Key salt_of(const Task& task) const {
        return contribution(kSaltValues + static_cast<std::uint64_t>(task.left) +
                            (is_narrow(task) ? beams_ << 8 : 0));
    }
    Reach reach_of(Worker& worker, const Task& task, Allowed allowed);
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
    std::vector<Key> plain_;  // contribution of each code to the plain key of a set
    std::vector<Key> opens_;  // contribution of each guess to the key of the open guesses
    std::vector<std::int32_t> possible_;
    bool is_whole_;  // all codes are possible, so that guesses may be alike

    std::vector<std::unique_ptr<Worker>> workers_;
    std::thread main_;
    std::vector<std::thread> helpers_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    bool is_done_ = true;
    Interrupt interrupt_;
    bool is_closing_ = false;
    Split* open_ = nullptr;  // what helpers may join
    Total total_ = kImpossible;
    std::atomic<Total> best_{kImpossible};
    std::atomic<Total> bound_{0};
    std::atomic<double> done_{0};
    double share_ = 1;  // of a guess at the root
    std::vector<std::int32_t> tree_;
    std::uint64_t most_sets_ = 0;  // of the work at hand
    std::size_t width_ = 0;        // of a beam; 0 otherwise
    std::size_t most_exact_ = 0;
    Floor costs_;              // of a beam: what is estimated, not what is least
    std::uint64_t beams_ = 0;  // each keeps what it found of large sets to itself
    std::exception_ptr error_;
    std::mutex findings_mutex_;
    std::vector<Finding> findings_;
};

}  // namespace mmsat::optimal
