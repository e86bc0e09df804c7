// Depth-first search with constraint weighting (dom/wdeg; Boussemart, Hemery, Lecoutre and Sais,
// ECAI 2004). The search branches on the constraint with the smallest quotient of the number of
// unassigned literals and the weight. At each failure (conflict), the violated constraint gains
// weight. Restarts keep the weights, and other searches on the same board may start from these
// weights.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "search/search.hpp"
#include "search_status.hpp"

namespace mmsat::search {

// Conjunctions of literals. The number of conjunction i as a literal is i + 1 plus the number of
// variables of mmsat.game.space.
using Conjunctions = std::vector<std::vector<std::int32_t>>;

// Resumable search. An object owns copies of all its data.
//
// Not thread-safe: the bindings release the GIL in advance(), so callers must not use the same
// object in two threads at a time.
class WeightedSearch {
public:
    // Weights of the rows, the pegs and the colors, in this order. Later failures add more weight.
    using Weights = std::vector<double>;

    // A code may violate up to `max_violated_rows` of the rows with `is_relaxable`. All other rows
    // and the hard constraints always hold.
    WeightedSearch(std::size_t pegs, std::size_t colors, const std::vector<Constraint>& constraints,
                   const Conjunctions& conjunctions, std::vector<char> is_relaxable,
                   std::size_t max_violated_rows);

    // Start from the weights of another search with the same numbers of rows, pegs and colors.
    void set_weights(Weights weights);
    const Weights& weights() const { return weights_; }

    // Search for the next code, and stop after `max_failures` failures. Call again to resume.
    SearchStatus advance(std::uint64_t max_failures);
    const std::vector<std::uint16_t>& code() const { return code_; }
    std::uint64_t failures() const { return failures_; }

    // Exclude the codes that violate all of these rows, which must be relaxable.
    void exclude(std::vector<std::int32_t> rows);

    std::size_t num_rows() const { return rows_; }
    // Return whether the row was violated or contributed to a failure or a propagation so far. If
    // the unused rows were removed, the results would be the same.
    bool is_used(std::size_t row) const { return is_used_[row] != 0; }

private:
    // 2 * variable, plus 1 if negated. Variables are the literals of mmsat.game.space, from 0,
    // followed by the conjunctions.
    using Literal = std::int32_t;

    // A constraint has two sides: "at least low" is numbered like the constraint, and the number of
    // "at most high" is larger by the number of constraints. "At most" is stored as "at least" for
    // the negated literals. The slack of a side is the number of its literals that may still become
    // false.

    // A side that loses slack when a literal becomes true.
    struct Occurrence {
        std::uint32_t side;
        std::int32_t coefficient;
    };
    struct PreparedConstraint {
        std::vector<Literal> literals;
        std::int32_t low, high;
        std::size_t row;           // row of the constraint, or rows_ if the constraint is hard
        std::size_t weight_index;  // index in weights_
        // Additional literal in the "at least" side, with coefficient `max_coefficient`, or -1.
        Literal extra_literal;
        std::int32_t max_coefficient;  // largest coefficient in the "at least" side
    };
    // State of the search before a decision.
    struct Level {
        std::size_t trail_size;
        std::size_t num_violated;
        Literal decision;
    };

    void add_constraint(std::vector<Literal> literals, std::int32_t low, std::int32_t high,
                        std::size_t row, std::size_t weight_index);
    // Add two constraints that define a literal as "at least `count` of these literals are true".
    void define(Literal defined, std::vector<Literal> literals, std::size_t count,
                std::size_t weight_index);
    // Define the variable "at least `count` pegs have the color", given its index among these
    // variables.
    void define_count(std::size_t index);
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

    // Numbers of pegs, colors and rows, and of rows that may be violated.
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
    // Numbers of assigned and of propagated literals.
    std::size_t trail_size_ = 0, num_propagated_ = 0;
    std::vector<std::uint32_t> queue_;  // propagation queue: sides that may force a literal
    std::vector<Level> levels_;
    std::vector<std::int32_t> saved_slacks_;  // slacks of all sides before each level, concatenated
    std::vector<char> is_relaxable_, is_violated_, is_used_;  // per row
    std::vector<std::uint32_t> relaxable_constraints_;        // constraints of relaxable rows
    std::vector<std::size_t> violated_rows_;                  // in order of violation
    std::vector<std::vector<std::int32_t>> excluded_sets_;
    Weights weights_;
    double increment_ = 1;  // amount by which the next failure increases a weight
    // [weight]: constraints that share the weight
    std::vector<std::vector<std::uint32_t>> constraints_by_weight_;
    std::vector<float> constraint_weights_;  // per constraint
    // Per constraint: 1 / weight, or kNeverSelected if the search does not branch on the
    // constraint.
    std::vector<float> inverse_weights_;
    std::vector<std::int32_t> scores_;  // buffer of select_constraint()
    std::uint64_t failures_ = 0;
    std::uint64_t restart_interval_, next_restart_;  // measured in failures
    bool is_started_ = false, is_at_code_ = false, is_exhausted_ = false;
    // Whether a code was reported. Then restarts are disabled, because they would find the code
    // again.
    bool has_reported_code_ = false;
    std::vector<std::uint16_t> code_;
};

}  // namespace mmsat::search
