// Depth-first search, in lexicographic order, for the codes that satisfy all constraints or violate
// few rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "search_status.hpp"

namespace mmsat::search {

// The number of true literals is between low and high. Literals are numbered as in
// mmsat.game.literals: 1 + peg * colors + color means that the peg has the color; pegs * colors +
// color * pegs + count means that at least `count` pegs have the color. A negative number is the
// negation.
struct Constraint {
    std::vector<std::int32_t> literals;
    std::int32_t low;
    std::int32_t high;
    std::int32_t row;  // index of the row it belongs to, or -1 if it is hard
};

// Largest number of literals, and largest absolute value of a bound, of a constraint. Within these
// limits sums fit in 32 bits.
constexpr std::size_t kMostLiterals = std::size_t{1} << 28;
constexpr std::int32_t kFarthest = 1 << 30;

constexpr const char* kSmall = "a constraint has at most 2**28 literals, and bounds within 2**30";

inline bool is_small(std::size_t literals, std::int32_t low, std::int32_t high) {
    return literals <= kMostLiterals && low >= -kFarthest && low <= kFarthest &&
           high >= -kFarthest && high <= kFarthest;
}

// A literal in a form that is evaluated on a complete code.
struct Test {
    std::uint32_t peg;    // the peg that has the color, if count is 0
    std::uint32_t count;  // at least this many pegs have the color; 0 for a literal about one peg
    std::uint16_t color;
    bool denied;
};

// The number of true conjunctions is between low and high. Evaluated on complete codes only.
struct LateConstraint {
    std::vector<std::vector<Test>> conjunctions;
    std::int32_t low;
    std::int32_t high;
    std::int32_t row;
};

// All constraints. Each list is sorted by row, hard constraints first.
struct Constraints {
    std::vector<Constraint> early;
    std::vector<LateConstraint> late;
};

// The allowed codes, one after the other, sorted and distinct.
using Table = std::vector<std::uint16_t>;

// Resumable search that visits the codes peg by peg. It owns copies of all its data.
//
// Not thread-safe: the bindings release the GIL in advance() and count(), so callers must not use
// the same object in two threads at a time.
class Search {
public:
    // A code may violate rows with a total penalty of up to `slack`. The penalty of a violated row
    // is 1, or with `graded` the largest violation of its constraints. The constraints of a row
    // must be consecutive. If `table` is given, only its codes are visited; otherwise all sequences
    // of colors are.
    Search(std::size_t pegs, std::size_t colors, Constraints constraints, std::uint32_t slack,
           std::optional<Table> table, bool graded = false);

    // Visit at most `nodes` more nodes. After code_found, code() is the next code in order, and
    // another call resumes from there.
    SearchStatus advance(std::uint64_t nodes);

    // Like advance(), but continue after each code; found() counts the codes.
    SearchStatus count(std::uint64_t nodes);

    const std::vector<std::uint16_t>& code() const { return code_; }
    std::uint64_t found() const { return found_; }

    // Total penalty of the rows that the last code violates.
    std::uint32_t broken() const { return broken_; }
    // Change the slack for the rest of the search. Lowering it after each code finds the codes with
    // the smallest penalty (branch and bound).
    void set_slack(std::uint32_t slack) { slack_ = slack; }

private:
    // Change of a constraint's sum (its number of true literals) when a literal becomes true.
    struct Change {
        std::int32_t constraint;
        std::int32_t amount;
    };
    using Changes = std::vector<Change>;

    // Implementation of advance() and count().
    SearchStatus step(std::uint64_t& nodes);
    // Enter the literals of a constraint in the tables of changes.
    void note(const Constraint& constraint, std::int32_t index);
    // Compute least_sum_ and most_sum_.
    void bound(const std::vector<Constraint>& constraints);
    // Give a peg a color and return whether the slack still permits a solution. If not, the caller
    // undoes it by lift().
    bool place(std::size_t peg, std::size_t color);
    bool within_slack(const std::int32_t* low, const std::int32_t* high);
    bool keeps_late();
    std::int32_t excess(const LateConstraint& constraint) const;
    // Penalty of a row whose constraint is violated by `excess`.
    std::uint32_t price(std::int32_t excess) const {
        return is_graded_ ? static_cast<std::uint32_t>(excess) : 1u;
    }
    bool holds(const Test& test) const {
        const bool stated =
            test.count == 0 ? code_[test.peg] == test.color : counts_[test.color] >= test.count;
        return stated != test.denied;
    }
    std::uint32_t early_price(std::int32_t row) const;
    void seek();
    std::size_t first_of(std::size_t color) const;
    void lift(std::size_t peg, std::size_t color);
    const Changes& at(std::size_t peg, std::size_t color) const {
        return changes_at_[peg * colors_ + color];
    }
    const Changes& least(std::size_t color, std::size_t count) const {
        return changes_least_[color * pegs_ + count - 1];
    }

    std::size_t pegs_;
    std::size_t colors_;
    std::size_t constraints_;
    // [peg * colors + color]: changes of sums if the peg has the color
    std::vector<Changes> changes_at_;
    // [color * pegs + count - 1]: changes when the color reaches the count
    std::vector<Changes> changes_least_;
    std::vector<std::int32_t> rows_;  // per constraint: its row
    std::vector<std::int32_t> sums_;  // per constraint: number of literals true so far
    // [peg * constraints + constraint]: if the sum is lower after this peg, no completion satisfies
    // the constraint.
    std::vector<std::int32_t> least_sum_;
    std::vector<std::int32_t> most_sum_;  // likewise if the sum is higher
    std::vector<std::uint32_t> counts_;   // pegs of each color so far
    std::vector<LateConstraint> late_;
    std::vector<std::uint16_t> code_;
    bool is_listed_;  // whether codes are restricted to a table
    Table table_;
    // [depth]: index of the first table row that begins with the colors of the pegs before that
    // depth
    std::vector<std::size_t> first_;
    std::vector<std::size_t> last_;  // [depth]: index after the last of these rows
    std::size_t depth_ = 0;          // number of assigned pegs
    std::size_t next_color_ = 0;     // next color to try at peg depth_
    bool possible_ = true;           // false if a hard constraint cannot be satisfied by any code
    std::uint64_t found_ = 0;
    std::uint32_t broken_ = 0;
    std::uint32_t slack_;
    bool is_graded_;
};

}  // namespace mmsat::search
