// Depth-first search for the codes that satisfy constraints, where those that failed most often are
// decided first: of each, the open literals are divided by its weight (dom/wdeg; Boussemart,
// Hemery, Lecoutre and Sais, ECAI 2004). It begins anew with the weights that it has learnt, with
// which other questions about the same board may begin, too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "search/search.hpp"
#include "search_status.hpp"

namespace mmsat::search {

// A code has, of these literals, all or not all; constraints call them by the numbers that come
// after those of mmsat.game.literals.
using Conjunctions = std::vector<std::vector<std::int32_t>>;

class WeightedSearch {
public:
    // How often each row, each peg and each color failed; later failures count more.
    using Weights = std::vector<double>;

    // A code misses no more than `most` of the spare rows. Constraints of no row, and of rows that
    // are not spare, always hold.
    WeightedSearch(std::size_t pegs, std::size_t colors, const std::vector<Constraint>& constraints,
                   const Conjunctions& conjunctions, std::vector<char> is_spare, std::size_t most);

    // Begin with what another search has learnt, of the same rows, pegs and colors.
    void set_weights(Weights weights);
    const Weights& weights() const { return weights_; }

    // Goes on to the next code, through at most so many failures.
    SearchStatus advance(std::uint64_t failures);
    const std::vector<std::uint16_t>& code() const { return code_; }
    std::uint64_t failures() const { return failures_; }

    // No further code misses all of these rows, which are spare.
    void exclude(std::vector<std::int32_t> rows);

    std::size_t rows() const { return rows_; }
    // Whether a row had a part in what was found so far; without the others it would be the same.
    bool is_used(std::size_t row) const { return is_used_[row] != 0; }

private:
    // 2 * variable, or one more where it is denied. Variables are the literals of
    // mmsat.game.literals, from 0, and then conjunctions.
    using Literal = std::int32_t;

    // A constraint has two sides, numbered from 0 and from the number of constraints: "at least",
    // and "at most", which is "at least" of the denied literals. The slack of a side is how many of
    // its literals may still become false.
    struct Loss {
        std::uint32_t side;
        std::int32_t amount;
    };
    struct Stated {
        std::vector<Literal> literals;
        std::int32_t low, high;
        std::size_t row;      // or the one after the last
        std::size_t family;   // whose weight it has
        Literal heavy;        // of one side alone: one literal more, which weighs more; or -1
        std::int32_t weight;  // what its heaviest literal weighs
    };
    struct Level {
        std::size_t assigned;
        std::size_t missed;
        Literal decision;
    };

    void state(std::vector<Literal> literals, std::int32_t low, std::int32_t high, std::size_t row,
               std::size_t family);
    void link(Literal stated, std::vector<Literal> literals, std::size_t count, std::size_t family);
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
    std::vector<std::uint32_t> literals_from_;  // [constraint]: its open literals
    std::vector<Literal> literals_;
    std::vector<std::uint32_t> losses_from_;  // [literal]: the sides that lose when it is true
    std::vector<Loss> losses_;
    std::vector<std::int32_t> slack_;       // of each side
    std::vector<std::int32_t> heaviest_;    // of each side: with less slack, a literal is forced
    std::vector<std::int32_t> width_;       // of each constraint: its high less its low
    std::vector<signed char> values_;       // of each variable: 0, 1, or -1 while it is open
    std::vector<Literal> trail_;            // what is assigned, with room for one more
    std::size_t assigned_ = 0, taken_ = 0;  // how many are on it, and have been propagated
    std::vector<std::uint32_t> tight_;      // sides that may force a literal
    std::vector<Level> levels_;
    std::vector<std::int32_t> saved_;                   // the slacks before each level
    std::vector<char> is_spare_, is_missed_, is_used_;  // of each row
    std::vector<std::uint32_t> spare_;                  // the constraints of spare rows
    std::vector<std::size_t> missed_;                   // rows
    std::vector<std::vector<std::int32_t>> excluded_;
    Weights weights_;
    double raise_ = 1;                                 // what a failure adds to a weight
    std::vector<std::vector<std::uint32_t>> members_;  // the constraints of each weight
    std::vector<float> weight_;                        // of each constraint
    std::vector<float> ease_;  // its inverse, or a lot where it is not to be decided
    std::vector<std::int32_t> scores_;
    std::uint64_t failures_ = 0;
    std::uint64_t run_, until_;  // failures from when it began anew, and up to when it does again
    bool is_begun_ = false, is_at_code_ = false, is_over_ = false;
    bool is_kept_ = false;  // whether it went on after a code that it would find again
    std::vector<std::uint16_t> code_;
};

}  // namespace mmsat::search
