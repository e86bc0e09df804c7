// Depth-first search for the codes that satisfy constraints, or break few of them, in lexicographic
// order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "search_status.hpp"

namespace mmsat::search {

// "Between low and high of these literals are true." Literals are numbered as in
// mmsat.game.literals: 1 + peg * colors + color says that a peg has a color; pegs * colors + color
// * pegs + count says that at least `count` pegs have the color. A negative number denies the
// literal.
struct Constraint {
    std::vector<std::int32_t> literals;
    std::int32_t low;
    std::int32_t high;
    std::int32_t row;  // the row whose constraint it is, or -1: constraints of no row always hold
};

// Of a constraint's literals, and of its bounds: within them no sum outgrows 32 bits.
constexpr std::size_t kMostLiterals = std::size_t{1} << 28;
constexpr std::int32_t kFarthest = 1 << 30;

constexpr const char* kSmall = "a constraint has at most 2**28 literals, and bounds within 2**30";

inline bool is_small(std::size_t literals, std::int32_t low, std::int32_t high) {
    return literals <= kMostLiterals && low >= -kFarthest && low <= kFarthest &&
           high >= -kFarthest && high <= kFarthest;
}

// A literal of mmsat.game.literals, ready to be looked up in a whole code.
struct Test {
    std::uint32_t peg;    // the peg that has the color, or
    std::uint32_t count;  // how many pegs have it at least; 0 where it is about one peg
    std::uint16_t color;
    bool denied;
};

// "Between low and high of these conjunctions are true": read when the code is whole.
struct LateConstraint {
    std::vector<std::vector<Test>> conjunctions;
    std::int32_t low;
    std::int32_t high;
    std::int32_t row;
};

// All that is asked of a code, each list in the order of the rows, ground first.
struct Constraints {
    std::vector<Constraint> early;
    std::vector<LateConstraint> late;
};

// The only codes there are, row by row, sorted and distinct.
using Table = std::vector<std::uint16_t>;

class Search {
public:
    // A code may break up to `slack` rows. The constraints of a row stand together. Without a table
    // every sequence of colors is a code. Graded, a broken row counts for how far that constraint
    // of it is missed which is missed most, instead of 1.
    Search(std::size_t pegs, std::size_t colors, Constraints constraints, std::uint32_t slack,
           std::optional<Table> table, bool graded = false);

    // Visits at most `nodes` more nodes. After code_found, code() is the next code in order; call
    // again to go on.
    SearchStatus advance(std::uint64_t nodes);

    // Like advance, but passes over the codes, adding them to found().
    SearchStatus count(std::uint64_t nodes);

    const std::vector<std::uint16_t>& code() const { return code_; }
    std::uint64_t found() const { return found_; }

    // The rows that the code last found breaks, each counted for what it is.
    std::uint32_t broken() const { return broken_; }
    // From here on. Lowering it while searching finds the codes that break the fewest rows.
    void set_slack(std::uint32_t slack) { slack_ = slack; }

private:
    struct Change {
        std::int32_t constraint;
        std::int32_t amount;
    };
    using Changes = std::vector<Change>;

    SearchStatus step(std::uint64_t& nodes);
    void note(const Constraint& constraint, std::int32_t index);
    void bound(const std::vector<Constraint>& constraints);
    bool place(std::size_t peg, std::size_t color);
    bool within_slack(const std::int32_t* low, const std::int32_t* high);
    bool keeps_late();
    std::int32_t excess(const LateConstraint& constraint) const;
    // What a row is counted for whose constraint is missed by so much.
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
    std::vector<Changes> changes_at_;  // what each constraint's sum gains when a peg gets a color
    std::vector<Changes> changes_least_;  // and when a color reaches a count
    std::vector<std::int32_t> rows_;      // of each constraint
    std::vector<std::int32_t> sums_;      // true literals of each constraint so far
    std::vector<std::int32_t>
        least_sum_;  // [peg][constraint]: no code is left below this after the peg
    std::vector<std::int32_t> most_sum_;  // [peg][constraint]: nor above this
    std::vector<std::uint32_t> counts_;   // pegs of each color so far
    std::vector<LateConstraint> late_;
    std::vector<std::uint16_t> code_;
    bool is_listed_;  // whether there is a table
    Table table_;
    std::vector<std::size_t> first_;  // [depth]: the first row of the table that begins with
                                      // the pegs before that depth
    std::vector<std::size_t> last_;   // [depth]: the row after the last of them
    std::size_t depth_ = 0;           // pegs placed
    std::size_t next_color_ = 0;      // to try at peg depth_
    bool possible_ = true;            // no constraint is out of reach before the first peg
    std::uint64_t found_ = 0;
    std::uint32_t broken_ = 0;
    std::uint32_t slack_;
    bool is_graded_;
};

}  // namespace mmsat::search
