// Simulated annealing over codes: a random walk that searches for codes that satisfy all
// constraints, in games that are too large to enumerate. The walk cannot prove that there is no
// such code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "hash.hpp"
#include "search/search.hpp"

namespace mmsat::search {

// Probabilities are integers in units of 2**-32, so that the walk is the same on every machine.
// kCertain is the probability 1.
constexpr std::uint64_t kCertain = std::uint64_t{1} << 32;

// The random walk. Violation is the sum over all constraints of the distance between the number of
// true literals and the interval [low, high].
//
// Not thread-safe: the bindings release the GIL in anneal() and sample(), so callers must not use
// the same object in two threads at a time. An object owns copies of all its data.
class Annealer {
public:
    Annealer(std::size_t pegs, std::size_t colors, std::uint64_t seed);

    // Add a constraint without conjunctions. The walk continues from its current code.
    void add(const Constraint& constraint);

    // Continue from the given code.
    void set_code(std::vector<std::uint16_t> code);
    // Continue from a random code.
    void randomize();

    // Walk up to `steps` steps, until a code satisfies all constraints. Returns whether the current
    // code satisfies them. A step that increases the violation by 1 is accepted with a probability
    // that decreases geometrically from `hot` to `cold`. A step that increases it by n is accepted
    // with the n-th power of that probability.
    bool anneal(std::uint64_t steps, std::uint64_t hot, std::uint64_t cold);

    // Walk `steps` steps with the fixed acceptance probability `chance`, until `max_codes` codes
    // are collected. Returns the collected codes: the distinct codes that satisfy all constraints
    // when they are checked. After a satisfying code, at least `gap` steps pass before the next
    // check.
    std::vector<std::vector<std::uint16_t>> sample(std::uint64_t steps, std::uint64_t chance,
                                                   std::uint64_t gap, std::size_t max_codes);

    const std::vector<std::uint16_t>& code() const { return code_; }
    // Return the total violation of the constraints by the current code.
    std::int64_t violation() const { return violation_; }

private:
    void set_acceptance(std::uint64_t chance);
    void step();
    void add_pending(const Changes& changes, std::int32_t sign);
    void recolor(std::size_t peg, std::uint16_t new_color);
    void recount(std::uint16_t old_color, std::uint16_t new_color);
    std::int32_t violation_of(std::int32_t constraint, std::int32_t sum) const {
        const std::int32_t deficit = low_[constraint] - sum, excess = sum - high_[constraint];
        return deficit > 0 ? deficit : excess > 0 ? excess : 0;
    }
    bool accept_pending();
    void recompute_sums();
    bool is_accepted(std::int64_t increase);
    void build_packed_tables();
    void copy_sums_to_lanes();
    std::int64_t packed_violation_change(const std::uint8_t* const* gained,
                                         const std::uint8_t* const* lost, std::size_t num_rows,
                                         std::size_t num_lanes, std::uint8_t* sums) const;
    bool accept_packed(const std::uint8_t* const* gained, const std::uint8_t* const* lost,
                       std::size_t num_rows, std::size_t num_lanes);
    const std::uint8_t* packed_peg_change(std::size_t peg, std::size_t color) const {
        return packed_peg_changes_.data() + (peg * colors_ + color) * lanes_;
    }
    const std::uint8_t* packed_count_change(std::size_t color, std::size_t count) const {
        return packed_count_changes_.data() + (color * pegs_ + count) * lanes_;
    }

    std::size_t pegs_, colors_;
    SplitMix64 random_;
    // [peg * colors + color]: changes of sums if the peg has the color
    std::vector<Changes> peg_changes_;
    // [color * pegs + count - 1]: changes when the color reaches the count
    std::vector<Changes> count_changes_;
    std::vector<std::int32_t> low_, high_, sums_;  // per constraint
    std::vector<std::int32_t> num_negated_;        // per constraint: number of negative literals
    // Per constraint: change of its sum by the proposed step.
    std::vector<std::int32_t> pending_;
    std::vector<std::int32_t> touched_;  // constraints whose pending_ may be nonzero
    std::vector<char> is_touched_;
    std::vector<std::uint16_t> code_;
    std::vector<std::uint32_t> counts_;
    std::int64_t violation_ = 0;
    // [increase of the violation]: acceptance probability of a step
    std::vector<std::uint64_t> acceptance_;

    // The same data in bytes, if all sums fit, so that a step evaluates sixteen constraints at
    // once. There is one lane per constraint, and the constraints about pegs are first. The byte of
    // sum 0 is kPackedZero, so that negative sums fit.
    bool is_packed_ = false;          // whether the packed tables are used
    bool is_packing_pending_ = true;  // whether the packed tables must be rebuilt
    std::size_t lanes_ = 0;           // number of lanes: a multiple of sixteen
    std::size_t peg_lanes_ = 0;       // number of lanes for the constraints about pegs: likewise
    std::vector<std::int32_t> lane_;  // per constraint: its lane
    // Like peg_changes_ and count_changes_, with lanes_ bytes per entry.
    std::vector<std::uint8_t> packed_peg_changes_, packed_count_changes_;
    std::vector<std::uint8_t> packed_low_, packed_high_, packed_sums_, packed_next_;
};

}  // namespace mmsat::search
