// The best response to a codemaker who prefers some codes: a strategy with minimum cost. The cost
// of a strategy is the sum, over all codes, of the weight of the code times its number of guesses.
//
// Codes have kinds, and each kind has a weight. Symmetries must map codes to codes of the same
// kind. A guess splits a set of codes into classes: the codes with the same answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <unordered_map>
#include <vector>

#include "interrupt.hpp"
#include "optimal/answers.hpp"
#include "optimal/candidate.hpp"
#include "optimal/canonicalizer.hpp"
#include "optimal/lower_bounds.hpp"
#include "optimal/partitions.hpp"
#include "optimal/sweep.hpp"

namespace mmsat::optimal {

// Branch and bound over sets of codes that have got the same answers so far, as in Optimal, but
// single-threaded and with weights. The two searches share the keys of sets and the symmetries
// (Canonicalizer), Partition, TriedGuesses, CandidateOf, GuessBound, ClassLimits and the sweep that
// counts classes. They are not one class, because their bounds and memos differ:
//
// - Optimal needs only the sizes of classes: a guess that distinguishes all codes of a set is the
//   best one if it is in the set, and sweeps add up bounds of 8 and 16 bits for many guesses at a
//   time. With weights, neither holds: the best guess may be a heavy code that leaves two codes
//   undistinguished, and bounds depend on the kinds of the codes. Without these steps, the search
//   is much slower: with equal weights, Response takes 8 times as long as Optimal with one thread
//   for 4x6, and 25 times for 4x7 and 5x5.
// - Optimal has a memo of fixed size with entries of 16 bytes, which several threads share, and
//   tags instead of sets. A cost needs 8 bytes. A wrong lower bound would not be noticed here,
//   since only the strategy is checked afterwards, so the codes of the sets are compared.
//
// Not thread-safe: the bindings release the GIL in solve() and tree(), so callers must not use the
// same object in two threads at a time. `poll` acquires the GIL itself.
class Response {
public:
    using Cost = std::int64_t;
    // Larger than any cost.
    static constexpr Cost kInfiniteCost = std::numeric_limits<Cost>::max() / 4;

    // `kinds` has the kind of each code, and `weights` the weight of each kind. Weights must be at
    // least 0, and all costs must be below kInfiniteCost. `poll` is called at intervals and may
    // throw to stop the search. `hash_bits` is 64, or less in tests, to show that hash collisions
    // are harmless. The tables in `answers` are not owned and must outlive the object.
    Response(Answers answers, Canonicalizer canonicalizer, std::vector<std::uint8_t> kinds,
             std::vector<Cost> weights, Interrupt::Poll poll, int hash_bits = 64);
    Response(const Response&) = delete;
    Response& operator=(const Response&) = delete;

    // Return the minimum cost.
    Cost solve();
    // Return the minimum cost of a set of codes, in ascending order. They are the codes with some
    // answers to the earlier guesses `guesses`.
    Cost solve(const std::vector<std::int32_t>& codes, std::vector<std::int32_t> guesses);
    // Return a strategy with minimum cost: the guesses in preorder, the classes of a guess in the
    // order of their answers, without the win.
    std::vector<std::int32_t> tree();

    std::size_t num_codes() const { return all_codes_.size(); }
    std::uint64_t num_sets() const { return num_sets_; }  // number of sets searched

private:
    // Result of evaluate() for a guess with the partition of an earlier guess.
    static constexpr Cost kSamePartition = -1;

    // A set to solve.
    struct Task {
        const std::int32_t* set;  // codes that belong to the caller
        std::size_t size;
        std::size_t depth;   // number of earlier guesses
        ClassLimits limits;  // class limits of some superset
    };
    // A class of a guess: the codes with the same answer.
    struct Class {
        const std::int32_t* set;  // its codes, in the partition of the level
        std::size_t size;
        Cost bound;     // lower bound on the cost of the class
        bool is_exact;  // whether the bound is the cost
    };
    // Costs have up to 62 bits. There are fewer than 2**16 codes, so a sum of squared class sizes
    // has up to 32 bits.
    using Candidate = CandidateOf<Cost, unsigned __int128, 32>;
    // Memory of the search for the set at one depth. The search of deeper levels does not change
    // it.
    struct Level {
        std::vector<Candidate> candidates;
        TriedGuesses tried;
        Partition partition;  // by the answers to the guess that is evaluated
        std::vector<Class> classes;
        std::vector<std::uint8_t> guesses;  // 1 for the first of each orbit of guesses
    };
    struct Known {
        Cost cost;                         // the minimum cost, or a lower bound on it
        bool is_exact;                     // whether `cost` is the minimum
        std::vector<std::uint16_t> codes;  // codes that are hashed in the key
    };
    struct CanonicalKey {
        Key key;
        Canonicalizer::Order order;  // order of the pegs, if the set is renamed
    };
    struct Hash {
        std::size_t operator()(const Key& key) const { return key.first; }
    };

    // Return the minimum cost if it is below `bound`; otherwise a lower bound of at least `bound`.
    Cost solve(const Task& task, Cost bound);
    // Implementation of solve() for sets without a sufficient cost in the memo.
    Cost search(const Task& task, Cost bound);
    // Fill the candidates of the level, sorted by lower bound, and tighten `limits`. Returns the
    // smallest lower bound.
    Cost collect_candidates(const Task& task, Cost bound, ClassLimits& limits);
    void collect_for_small_set(const Task& task, Cost bound, Level& level, int& member_limit,
                               int& other_limit);
    void collect_for_large_set(const Task& task, Cost bound, Level& level, int& member_limit,
                               int& other_limit);
    // Return the cost of a guess if it is below `bound`; otherwise a lower bound of at least
    // `bound`, or kSamePartition.
    Cost evaluate(const Task& task, ClassLimits limits, std::int32_t guess, Cost bound);
    bool is_new_partition(const Task& task, std::int32_t guess);
    void build_tree(const Task& task);
    Task root() const;
    const std::uint8_t* guesses_to_try(const Task& task);

    Cost weight(std::int32_t code) const {
        return weights_[kinds_[static_cast<std::size_t>(code)]];
    }
    Cost weight(const std::int32_t* set, std::size_t size) const;
    // Return a lower bound on the cost of a set, given the number of codes of each kind. It assumes
    // that the heaviest codes are found first.
    Cost lower_bound(const std::uint32_t* counts, ClassLimits limits);
    Cost lower_bound(const std::int32_t* set, std::size_t size, ClassLimits limits);
    // Return an upper bound on the number of codes of a set that can be found within 1, 2, ...
    // guesses. Index t has the bound for t + 1 guesses.
    const std::vector<std::uint32_t>& max_found(ClassLimits limits);
    CanonicalKey key_of(const std::int32_t* set, std::size_t size) const;
    // Return the known cost of a set, or nullptr. The codes are compared, not only the keys.
    // The pointer is valid until the next call of store().
    const Known* look_up(const std::int32_t* set, std::size_t size,
                         const CanonicalKey& canonical) const;
    void store(const Task& task, const CanonicalKey& canonical, Cost cost, bool is_exact);
    Level& level(std::size_t depth);

    Answers answers_;
    Canonicalizer canonicalizer_;
    std::vector<std::uint8_t> kinds_;
    std::vector<Cost> weights_;
    std::vector<std::uint8_t> kinds_by_weight_;  // kinds by decreasing weight
    Interrupt interrupt_;
    std::vector<std::int32_t> all_codes_;
    std::unordered_map<Key, Known, Hash> memo_;
    std::vector<std::vector<std::uint32_t>> max_found_;  // per class limits; see max_found()
    std::vector<std::unique_ptr<Level>> levels_;
    std::vector<std::int32_t> history_;  // the earlier guesses
    std::vector<std::int32_t> tree_;
    std::vector<std::uint8_t> all_guesses_, class_counts_, max_class_counts_, is_member_;
    std::vector<std::uint32_t> counts_;
    std::uint64_t hash_mask_;
    std::uint64_t num_sets_ = 0;
};

}  // namespace mmsat::optimal
