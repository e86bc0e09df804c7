// Depth-first search with constraint weighting (dom/wdeg; Boussemart, Hemery, Lecoutre and Sais,
// ECAI 2004): it branches on the constraint with the smallest quotient of the number of unassigned
// literals and the weight, and a constraint that fails gains weight. The search restarts and keeps
// its weights, and other searches on the same board may start from them.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "search/search.hpp"
#include "search_status.hpp"

namespace mmsat::search {

// Conjunctions of literals. In constraints they are referred to by the numbers that follow those of
// mmsat.game.space, in this order.
using Conjunctions = std::vector<std::vector<std::int32_t>>;

// Resumable search. It owns copies of all its data.
//
// Not thread-safe: the bindings release the GIL in advance(), so callers must not use the same
// object in two threads at a time.
class WeightedSearch {
public:
    // Weights of the rows, the pegs and the colors, in this order. Later failures add more.
    using Weights = std::vector<double>;

    // A code may violate up to `max_violated_rows` relaxable rows (`is_relaxable`). Hard constraints
    // and all other rows always hold.
    WeightedSearch(std::size_t pegs, std::size_t colors, const std::vector<Constraint>& constraints,
                   const Conjunctions& conjunctions, std::vector<char> is_relaxable,
                   std::size_t max_violated_rows);

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
    // 2 * variable, plus 1 if negated. Variables are the literals of mmsat.game.space, from 0,
    // followed by the conjunctions.
    using Literal = std::int32_t;

    // A constraint has two sides: "at least low" is numbered like the constraint, and "at most
    // high" is offset by the number of constraints. The latter is "at least" for the negated
    // literals. The slack of a side is the number of its literals that may still become false.
    struct Occurrence {  // of a literal in a side that loses slack when the literal is true
        std::uint32_t side;
        std::int32_t coefficient;
    };
    struct PreparedConstraint {
        std::vector<Literal> literals;
        std::int32_t low, high;
        std::size_t row;           // its row, or rows_ if it is hard
        std::size_t weight_index;  // index of its weight in weights_
        // An additional literal with a coefficient, in the "at least" side only; otherwise -1.
        Literal extra_literal;
        std::int32_t max_coefficient;  // of a literal in the "at least" side
    };
    // State of the search before a decision.
    struct Level {
        std::size_t trail_size;
        std::size_t num_violated;
        Literal decision;
    };

    // Add a constraint.
    void add_constraint(std::vector<Literal> literals, std::int32_t low, std::int32_t high,
                        std::size_t row, std::size_t weight_index);
    // Add two constraints that define a literal as "at least count of these literals are true".
    void define(Literal defined, std::vector<Literal> literals, std::size_t count,
                std::size_t weight_index);
    // Define the variable "at least count pegs have the color".
    void define_count(std::size_t number);
    std::size_t color_of(std::size_t variable) const;
    void initialize();
    void rebuild_occurrences();
    void update_weight(std::size_t constraint);

    bool propagate_root();
    bool propagate();
    bool propagate_literal(Literal literal);
    void propagate_side(std::size_t side);
    bool on_violated_side(std::size_t side);
    bool violate_row(std::size_t row);
    bool is_excluded() const;
    void bump_weight(std::size_t side);

    std::size_t select_constraint();
    Literal select_literal(std::size_t constraint) const;
    void decide(Literal decision);
    bool backtrack();
    void restore(const Level& level);
    void restart();
    void read_code();

    std::size_t constraint_of(std::size_t side) const {
        return side < constraints_.size() ? side : side - constraints_.size();
    }
    std::int32_t num_unassigned(std::size_t constraint) const {
        return slack_[constraint] + slack_[constraint + constraints_.size()] - width_[constraint];
    }
    bool is_hard(std::size_t row) const {
        return !is_violated_[row] &&
               (!is_relaxable_[row] || violated_rows_.size() == max_violated_);
    }
    bool is_unassigned(Literal literal) const { return values_[literal >> 1] < 0; }
    void assign(Literal literal) {
        assert(is_unassigned(literal));
        values_[literal >> 1] = static_cast<signed char>(!(literal & 1));
        trail_[trail_size_++] = literal;
    }

    std::size_t pegs_, colors_, rows_, max_violated_;
    std::vector<PreparedConstraint> constraints_;
    // [constraint]: start of its unassigned literals in literals_
    std::vector<std::uint32_t> literals_begin_;
    std::vector<Literal> literals_;
    // [literal]: start of the sides in occurrences_ that lose slack when it is true
    std::vector<std::uint32_t> occurrences_begin_;
    std::vector<Occurrence> occurrences_;
    std::vector<std::int32_t> slack_;  // per side
    // Per side: largest coefficient of a literal; below this slack, a literal is forced
    std::vector<std::int32_t> max_coefficients_;
    std::vector<std::int32_t> width_;  // per constraint: high - low
    std::vector<signed char> values_;  // per variable: 0, 1, or -1 if unassigned
    std::vector<Literal> trail_;       // assigned literals in order, with one spare entry
    std::size_t trail_size_ = 0, num_propagated_ = 0;  // literals assigned, and propagated
    std::vector<std::uint32_t> queue_;  // propagation queue: sides that may force a literal
    std::vector<Level> levels_;
    std::vector<std::int32_t> saved_slacks_;  // slacks of all sides before each level
    std::vector<char> is_relaxable_, is_violated_, is_used_;  // per row
    std::vector<std::uint32_t> relaxable_constraints_;        // constraints of relaxable rows
    std::vector<std::size_t> violated_rows_;                  // violated rows
    std::vector<std::vector<std::int32_t>> excluded_sets_;
    Weights weights_;
    double increment_ = 1;  // by which the next failure bumps a weight
    std::vector<std::vector<std::uint32_t>>
        constraints_by_weight_;              // constraints that share each weight
    std::vector<float> constraint_weights_;  // per constraint
    std::vector<float>
        inverse_weights_;  // per constraint: 1 / weight, or kNeverSelected if it is not branched on
    std::vector<std::int32_t> scores_;
    std::uint64_t failures_ = 0;
    std::uint64_t restart_interval_, next_restart_;  // in failures
    bool is_started_ = false, is_at_code_ = false, is_exhausted_ = false;
    // Whether a code was reported; then restarts are off, because they would find it again.
    bool has_reported_code_ = false;
    std::vector<std::uint16_t> code_;
};

}  // namespace mmsat::search
