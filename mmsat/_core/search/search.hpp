// Depth-first search for codes, in lexicographic order. A constraint belongs to a row, or it is
// hard. A code must satisfy all hard constraints, and the total penalty of the rows that it
// violates is limited by the slack.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "search_status.hpp"

namespace mmsat::search {

// The number of true literals is between low and high. Literals are numbered as in
// mmsat.game.space: 1 + peg * colors + color means that the peg has the color; pegs * colors +
// color * pegs + count means that at least `count` pegs have the color. A negative number is the
// negation.
struct Constraint {
    std::vector<std::int32_t> literals;
    std::int32_t low;
    std::int32_t high;
    std::int32_t row;  // index of the row of the constraint, or -1 if the constraint is hard
};

// Change of a constraint's sum (its number of true literals) when a variable becomes true.
struct Change {
    std::int32_t constraint;
    std::int32_t amount;
};
using Changes = std::vector<Change>;

// Add the literals of the constraint with this index to the changes of each variable. Returns the
// number of negative literals, which are true until their variables are true.
std::int32_t add_changes(const Constraint& constraint, std::int32_t index,
                         std::vector<Changes>& peg_changes, std::vector<Changes>& count_changes);

// Limits of a constraint, so that sums fit in 32 bits: the number of literals, and the absolute
// value of a bound.
constexpr std::size_t kMaxLiterals = std::size_t{1} << 28;
constexpr std::int32_t kMaxBound = 1 << 30;

constexpr const char* kLimitsRule =
    "a constraint has at most 2**28 literals, and bounds within 2**30";

inline bool is_within_limits(std::size_t num_literals, std::int32_t low, std::int32_t high) {
    return num_literals <= kMaxLiterals && low >= -kMaxBound && low <= kMaxBound &&
           high >= -kMaxBound && high <= kMaxBound;
}

// A decoded literal, to be evaluated on a complete code.
struct ResolvedLiteral {
    std::uint32_t peg;    // if count is 0: this peg has the color
    std::uint32_t count;  // if above 0: at least this many pegs have the color
    std::uint16_t color;
    bool is_negated;
};

// The number of true conjunctions is between low and high. Such a constraint is evaluated only on
// complete codes.
struct LateConstraint {
    std::vector<std::vector<ResolvedLiteral>> conjunctions;
    std::int32_t low;
    std::int32_t high;
    std::int32_t row;
};

// All constraints: those that are checked after each assignment, and those that are checked on
// complete codes. Each list is sorted by row, hard constraints first.
struct Constraints {
    std::vector<Constraint> early;
    std::vector<LateConstraint> late;
};

// The allowed codes, one after the other, sorted and distinct.
using Table = std::vector<std::uint16_t>;

// Resumable search that assigns colors peg by peg. An object owns copies of all its data.
//
// Not thread-safe: the bindings release the GIL in advance() and count(), so callers must not use
// the same object in two threads at a time.
class Search {
public:
    // A code may violate rows with a total penalty of up to `slack`. The penalty of a violated row
    // is 1, or with `is_graded` the largest violation of its constraints. The constraints of a row
    // must be consecutive. If `table` is given, only its codes are visited, otherwise all sequences
    // of colors.
    Search(std::size_t pegs, std::size_t colors, Constraints constraints, std::uint32_t slack,
           std::optional<Table> table, bool is_graded = false);

    // Visit at most `max_nodes` more nodes. After code_found, code() is the next code in order, and
    // another call resumes after it.
    SearchStatus advance(std::uint64_t max_nodes);

    // Like advance(), but continue after each code. num_codes() is the number of codes so far.
    SearchStatus count(std::uint64_t max_nodes);

    const std::vector<std::uint16_t>& code() const { return code_; }
    std::uint64_t num_codes() const { return num_codes_; }

    // Return the total penalty of the rows that the last code violates.
    std::uint32_t penalty() const { return penalty_; }
    // Change the slack for the rest of the search. Lowering it after each code finds the codes with
    // the smallest penalty (branch and bound).
    void set_slack(std::uint32_t slack) { slack_ = slack; }

private:
    // Visit nodes until the next code. `remaining_nodes` is decreased by the number of nodes
    // visited.
    SearchStatus find_next(std::uint64_t& remaining_nodes);
    // Compute min_sum_ and max_sum_.
    void bound_sums(const std::vector<Constraint>& constraints);
    // Give the next peg a color and return whether the slack still permits a solution. If not, the
    // caller undoes the assignment by unassign().
    bool assign(std::size_t peg, std::size_t color);
    bool within_slack(const std::int32_t* low, const std::int32_t* high);
    bool check_late_constraints();
    std::int32_t violation_of(const LateConstraint& constraint) const;
    // Return the penalty of a row whose constraint is violated by this amount.
    std::uint32_t penalty_of(std::int32_t violation) const {
        return is_graded_ ? static_cast<std::uint32_t>(violation) : 1u;
    }
    bool is_true(const ResolvedLiteral& literal) const {
        const bool is_positive_true = literal.count == 0 ? code_[literal.peg] == literal.color
                                                         : counts_[literal.color] >= literal.count;
        return is_positive_true != literal.is_negated;
    }
    std::uint32_t early_penalty(std::int32_t row) const;
    void skip_to_listed_color();
    std::size_t find_row(std::size_t color) const;
    void unassign(std::size_t peg, std::size_t color);
    const Changes& peg_changes(std::size_t peg, std::size_t color) const {
        return peg_changes_[peg * colors_ + color];
    }
    const Changes& count_changes(std::size_t color, std::size_t count) const {
        return count_changes_[color * pegs_ + count - 1];
    }

    std::size_t pegs_;
    std::size_t colors_;
    std::size_t num_constraints_;
    // [peg * colors + color]: changes of sums if the peg has the color
    std::vector<Changes> peg_changes_;
    // [color * pegs + count - 1]: changes when the color reaches the count
    std::vector<Changes> count_changes_;
    std::vector<std::int32_t> rows_;  // per constraint: its row, or -1
    std::vector<std::int32_t> sums_;  // per constraint: number of literals true so far
    // [peg * num_constraints + constraint]: if the sum is lower after this peg, no completion
    // satisfies the constraint.
    std::vector<std::int32_t> min_sum_;
    std::vector<std::int32_t> max_sum_;  // the same for higher sums
    std::vector<std::uint32_t> counts_;  // per color: number of pegs assigned so far
    std::vector<LateConstraint> late_;
    std::vector<std::uint16_t> code_;
    bool has_table_;  // whether codes are restricted to a table
    Table table_;
    // [depth]: index of the first table row that begins with the colors of the pegs before that
    // depth
    std::vector<std::size_t> begin_row_;
    std::vector<std::size_t> end_row_;  // [depth]: index after the last of these rows
    std::size_t depth_ = 0;             // number of assigned pegs
    std::size_t next_color_ = 0;        // next color to try at peg depth_
    bool is_feasible_ = true;  // false if a hard constraint cannot be satisfied by any code
    std::uint64_t num_codes_ = 0;
    std::uint32_t penalty_ = 0;
    std::uint32_t slack_;
    bool is_graded_;
};

}  // namespace mmsat::search
