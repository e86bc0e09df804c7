// The best answer to a codemaker who hides some codes more often than others: the least sum, over
// the codes, of a code's weight times the guesses that it takes.
//
// Codes have kinds, and each kind has a weight. Exchanges of pegs and colors keep the kind of a
// code, so that symmetry is what it is without weights.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <unordered_map>
#include <vector>

#include "interrupt.hpp"
#include "optimal/answers.hpp"
#include "optimal/exchanges.hpp"
#include "optimal/floors.hpp"
#include "optimal/partitions.hpp"
#include "optimal/sweep.hpp"

namespace mmsat::optimal {

// Branch and bound over sets of codes that can't be told apart so far, as in Optimal, in one
// thread.
class Response {
public:
    using Cost = std::int64_t;
    static constexpr Cost kNever = std::numeric_limits<Cost>::max() / 4;

    // `kinds` has the kind of each code, `weights` the weight of each kind: at least 0, and the sum
    // over all codes at most `heaviest`. `poll` is called now and then, and may throw.
    // `hash_bits` is 64, or less in tests, to show that collisions are harmless.
    Response(Answers answers, Exchanges exchanges, std::vector<std::uint8_t> kinds,
             std::vector<Cost> weights, Interrupt::Poll poll, int hash_bits = 64);
    Response(const Response&) = delete;
    Response& operator=(const Response&) = delete;

    // The least cost of all codes.
    Cost solve();
    // A strategy that has it: the guesses from the root down, classes in order of their answers,
    // the win left out.
    std::vector<std::int32_t> tree();

    std::uint64_t sets() const { return sets_; }  // looked at

private:
    // `reach` of what guesses do to a superset.
    struct Task {
        const std::int32_t* set;
        std::size_t size;
        std::size_t depth;
        Reach reach;
    };
    struct Class {
        std::size_t begin;
        std::size_t size;
        Cost least;
        bool is_exact;
    };
    struct Candidate {
        Cost bound;
        std::uint32_t squares;  // of the sizes of its classes
        std::int32_t guess;
        bool operator<(const Candidate& other) const {
            if (bound != other.bound) return bound < other.bound;
            return squares != other.squares ? squares < other.squares : guess < other.guess;
        }
    };
    struct Level {
        std::vector<Candidate> candidates;
        std::vector<std::int32_t> codes;  // of a guess's classes, one after the other
        std::vector<Class> classes;
        TriedGuesses tried;
        std::vector<std::uint8_t> firsts;
        std::vector<std::uint8_t> labels;  // the answers to a guess, by position in the set
    };
    struct Known {
        Cost cost;
        bool is_exact;
        std::vector<std::uint16_t> codes;  // that are hashed in the key
    };
    struct Label {
        Key key;
        Exchanges::Order order;  // of the pegs, if the set is renamed
    };
    struct Hash {
        std::size_t operator()(const Key& key) const { return key.first; }
    };

    // The least cost if it is below the bound; else some cost from the bound on that none is below.
    Cost solve(const Task& task, Cost bound);
    Cost search(const Task& task, Cost bound);
    // Candidates to the level of the task, the best bound first; returns that bound.
    Cost gather(const Task& task, Cost bound, Reach& reach);
    void gather_few(const Task& task, Cost bound, Level& level, int& member, int& other);
    void gather_many(const Task& task, Cost bound, Level& level, int& member, int& other);
    Cost evaluate(const Task& task, Reach reach, std::int32_t guess, Cost bound);
    void divide(const Task& task, std::int32_t guess, Level& level);
    bool is_new_partition(const Task& task, std::int32_t guess);
    void grow(const Task& task);
    Task root() const;
    const std::uint8_t* allowed(const Task& task);

    Cost weight(std::int32_t code) const {
        return weights_[kinds_[static_cast<std::size_t>(code)]];
    }
    Cost weight(const std::int32_t* set, std::size_t size) const;
    // What codes cost at least, by how many there are of each kind: the heaviest are found first.
    Cost floor(const std::uint32_t* counts, Reach reach);
    Cost floor(const std::int32_t* set, std::size_t size, Reach reach);
    // How many codes can be found within 1, 2, ... guesses.
    const std::vector<std::uint32_t>& room(Reach reach);
    bool is_renamed(std::size_t size) const;
    Label label(const std::int32_t* set, std::size_t size) const;
    // Return the codes that are hashed in the key of a label, in ascending order.
    std::vector<std::uint16_t> named(const std::int32_t* set, std::size_t size,
                                     const Label& label) const;
    // Return the known cost of a set, or nullptr. The codes themselves are compared.
    const Known* recall(const std::int32_t* set, std::size_t size, const Label& label) const;
    void remember(const Task& task, const Label& label, Cost cost, bool is_exact);
    Level& level(std::size_t depth);

    Answers answers_;
    Exchanges exchanges_;
    std::vector<std::uint8_t> kinds_;
    std::vector<Cost> weights_;
    std::vector<std::uint8_t> heaviest_;  // the kinds, by falling weight
    Interrupt interrupt_;
    std::vector<std::int32_t> all_;
    std::vector<Key> plain_;  // what each code adds to the key of a large or a small set
    std::unordered_map<Key, Known, Hash> memo_;
    std::vector<std::vector<std::uint32_t>> rooms_;
    std::vector<std::unique_ptr<Level>> levels_;
    std::vector<std::int32_t> history_;
    std::vector<std::int32_t> tree_;
    std::vector<std::uint8_t> everything_, parts_, peaks_, is_member_;
    std::vector<std::uint32_t> counts_;
    std::uint64_t hash_mask_;
    std::uint64_t sets_ = 0;
};

}  // namespace mmsat::optimal
