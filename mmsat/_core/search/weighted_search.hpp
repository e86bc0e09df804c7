// Depth-first search with constraint weighting (dom/wdeg; Boussemart, Hemery, Lecoutre and Sais,
// ECAI 2004): it branches on the constraint with the smallest quotient of the number of open
// literals and the weight, and a constraint that fails gains weight. The search restarts and keeps
// its weights, and other searches on the same board may start from them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "search/search.hpp"
#include "search_status.hpp"

namespace mmsat::search {

// Conjunctions of literals. In constraints they are referred to by the numbers that follow those of
// mmsat.game.literals, in this order.
using Conjunctions = std::vector<std::vector<std::int32_t>>;

// Resumable search. It owns copies of all its data.
//
// Not thread-safe: the bindings release the GIL in advance(), so callers must not use the same
// object in two threads at a time.
class WeightedSearch {
public:
    // Weights of the rows, the pegs and the colors, in this order. Later failures add more.
    using Weights = std::vector<double>;

    // A code may violate at most `most` relaxable rows (`is_spare`). Hard constraints and all other
    // rows always hold.
    WeightedSearch(std::size_t pegs, std::size_t colors, const std::vector<Constraint>& constraints,
                   const Conjunctions& conjunctions, std::vector<char> is_spare, std::size_t most);

    // Start from the weights of another search with the same numbers of rows, pegs and colors.
    void set_weights(Weights weights);
    const Weights& weights() const { return weights_; }

    // Search for the next code and give up after `failures` failures. Call again to resume.
    SearchStatus advance(std::uint64_t failures);
    const std::vector<std::uint16_t>& code() const { return code_; }
    std::uint64_t failures() const { return failures_; }

    // Exclude codes that violate all of these rows, which must be relaxable.
    void exclude(std::vector<std::int32_t> rows);

    std::size_t rows() const { return rows_; }
    // Whether the row took part in a failure or a propagation, or was violated, so far. The result
    // does not depend on the other rows.
    bool is_used(std::size_t row) const { return is_used_[row] != 0; }

private:
    // 2 * variable, plus 1 if negated. Variables are the literals of mmsat.game.literals, from 0,
    // followed by the conjunctions.
    using Literal = std::int32_t;

    // A constraint has two sides: "at least low" is numbered like the constraint, and "at most
    // high" is offset by the number of constraints. The latter is "at least" for the negated
    // literals. The slack of a side is the number of its literals that may still become false.
    struct Loss {
        std::uint32_t side;
        std::int32_t amount;
    };
    struct Stated {
        std::vector<Literal> literals;
        std::int32_t low, high;
        std::size_t row;     // its row, or rows_ if it is hard
        std::size_t family;  // index of its weight
        // An additional literal with a weight, in the "at least" side only; otherwise -1.
        Literal heavy;
        std::int32_t weight;  // largest weight of a literal in the "at least" side
    };
    // State of the search before a decision.
    struct Level {
        std::size_t assigned;
        std::size_t missed;
        Literal decision;
    };

    // Add a constraint.
    void state(std::vector<Literal> literals, std::int32_t low, std::int32_t high, std::size_t row,
               std::size_t family);
    // Add two constraints that define `stated` as "at least count of these literals are true".
    void link(Literal stated, std::vector<Literal> literals, std::size_t count, std::size_t family);
    // Define the variable "at least count pegs have the color".
    void link_count(std::size_t number);
    std::size_t color_of(std::size_t variable) const;
    void set_up();
    void pack();
    void weigh(std::size_t constraint);

    bool begin();
    bool propagate();
    bool take(Literal literal);
    void force(std::size_t side);
    bool lack(std::size_t side);
    bool miss(std::size_t row);
    bool is_excluded() const;
    void blame(std::size_t side);

    std::size_t hardest();
    Literal choose(std::size_t constraint) const;
    bool retreat();
    void undo(const Level& level);
    void restart();
    void read_code();

    std::size_t constraint_of(std::size_t side) const {
        return side < stated_.size() ? side : side - stated_.size();
    }
    std::int32_t open(std::size_t constraint) const {
        return slack_[constraint] + slack_[constraint + stated_.size()] - width_[constraint];
    }
    bool is_held(std::size_t row) const {
        return !is_missed_[row] && (!is_spare_[row] || missed_.size() == most_);
    }
    bool is_open(Literal literal) const { return values_[literal >> 1] < 0; }
    void assign(Literal literal) {
        values_[literal >> 1] = static_cast<signed char>(!(literal & 1));
        trail_[assigned_++] = literal;
    }

    std::size_t pegs_, colors_, rows_, most_;
    std::vector<Stated> stated_;
    // [constraint]: start of its open literals in literals_
    std::vector<std::uint32_t> literals_from_;
    std::vector<Literal> literals_;
    // [literal]: start of the sides in losses_ that lose slack when it is true
    std::vector<std::uint32_t> losses_from_;
    std::vector<Loss> losses_;
    std::vector<std::int32_t> slack_;  // per side
    // Per side: weight of its heaviest literal; below this slack, a literal is forced
    std::vector<std::int32_t> heaviest_;
    std::vector<std::int32_t> width_;       // per constraint: high - low
    std::vector<signed char> values_;       // per variable: 0, 1, or -1 if unassigned
    std::vector<Literal> trail_;            // assigned literals in order, with one spare entry
    std::size_t assigned_ = 0, taken_ = 0;  // number of literals assigned, and of those propagated
    std::vector<std::uint32_t> tight_;      // sides that may force a literal
    std::vector<Level> levels_;
    std::vector<std::int32_t> saved_;                   // slacks of all sides before each level
    std::vector<char> is_spare_, is_missed_, is_used_;  // per row
    std::vector<std::uint32_t> spare_;                  // constraints of relaxable rows
    std::vector<std::size_t> missed_;                   // violated rows
    std::vector<std::vector<std::int32_t>> excluded_;
    Weights weights_;
    double raise_ = 1;                                 // increment of a weight by the next failure
    std::vector<std::vector<std::uint32_t>> members_;  // constraints that share each weight
    std::vector<float> weight_;                        // per constraint
    std::vector<float> ease_;  // per constraint: 1 / weight, or kEasy if it is not branched on
    std::vector<std::int32_t> scores_;
    std::uint64_t failures_ = 0;
    std::uint64_t run_, until_;  // failures between restarts, and the count at the next restart
    bool is_begun_ = false, is_at_code_ = false, is_over_ = false;
    // Whether restarts are off, because they would find a reported code again.
    bool is_kept_ = false;
    std::vector<std::uint16_t> code_;
};

}  // namespace mmsat::search
