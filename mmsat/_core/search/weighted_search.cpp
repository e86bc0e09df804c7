// Depth-first search with constraint weights (weighted_search.hpp). Each constraint has two sides,
// "at least" and "at most". The slack of a side is the number of its literals that may still become
// false; if it is 0, the side forces its unassigned literals.
#include "search/weighted_search.hpp"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace mmsat::search {

namespace {

// Factor by which the increment grows with each failure. If the increment exceeds kMaxIncrement,
// the weights are scaled down.
constexpr double kIncrementGrowth = 1.0005;
constexpr double kMaxIncrement = 1e9;
// Largest and smallest weight after scaling.
constexpr double kMaxInitialWeight = 100, kMinWeight = 1e-6;
// Number of failures before the first restart, and the factor by which this number grows.
constexpr std::uint64_t kFirstRestartInterval = 200;
constexpr std::uint64_t kRestartIntervalGrowth = 3;
// An upper bound that no sum reaches.
constexpr std::int32_t kUnbounded = 1 << 28;
// Inverse weight of constraints that the search does not branch on.
constexpr float kNeverSelected = 1e30f;

}  // namespace

WeightedSearch::WeightedSearch(std::size_t pegs, std::size_t colors,
                               const std::vector<Constraint>& constraints,
                               const Conjunctions& conjunctions, std::vector<char> is_relaxable,
                               std::size_t max_violated_rows)
    : pegs_(pegs),
      colors_(colors),
      rows_(is_relaxable.size()),
      max_violated_(max_violated_rows),
      values_(2 * pegs * colors + conjunctions.size(), -1),
      trail_(values_.size() + 1),
      is_relaxable_(std::move(is_relaxable)),
      is_violated_(rows_ + 1, 0),
      is_used_(rows_ + 1, 0),
      weights_(rows_ + pegs + colors, 1),
      restart_interval_(kFirstRestartInterval),
      next_restart_(kFirstRestartInterval),
      code_(pegs, 0) {
    is_relaxable_.push_back(0);
    const std::size_t num_peg_literals = pegs * colors;
    for (std::size_t peg = 0; peg < pegs; ++peg) {
        std::vector<Literal> literals;
        for (std::size_t color = 0; color < colors; ++color)
            literals.push_back(static_cast<Literal>(2 * (peg * colors + color)));
        add_constraint(std::move(literals), 1, 1, rows_, rows_ + peg);
    }
    std::vector<char> has_count_variable(num_peg_literals, 0);
    const auto read = [&](const std::vector<std::int32_t>& numbers) {
        std::vector<Literal> literals;
        for (std::int32_t number : numbers) {
            const auto variable = static_cast<std::size_t>(std::abs(number) - 1);
            literals.push_back(static_cast<Literal>(2 * variable + (number < 0)));
            if (variable >= num_peg_literals && variable < 2 * num_peg_literals)
                has_count_variable[variable - num_peg_literals] = 1;
        }
        return literals;
    };
    const auto weight_index_of = [&](const std::vector<Literal>& literals) {
        const std::size_t variable = literals.empty() ? 0 : literals.front() >> 1;
        return rows_ + pegs + color_of(variable < 2 * num_peg_literals ? variable : 0);
    };
    for (const Constraint& constraint : constraints) {
        std::vector<Literal> literals = read(constraint.literals);
        const bool has_row = constraint.row >= 0;
        const std::size_t row = has_row ? static_cast<std::size_t>(constraint.row) : rows_;
        const std::size_t weight_index = has_row ? row : weight_index_of(literals);
        add_constraint(std::move(literals), constraint.low, constraint.high, row, weight_index);
    }
    for (std::size_t i = 0; i < conjunctions.size(); ++i) {
        std::vector<Literal> literals = read(conjunctions[i]);
        const std::size_t count = literals.size(), weight_index = weight_index_of(literals);
        define(static_cast<Literal>(2 * (2 * num_peg_literals + i)), std::move(literals), count,
               weight_index);
    }
    for (std::size_t i = 0; i < num_peg_literals; ++i)
        if (has_count_variable[i]) define_count(i);
    initialize();
}

// Bounds are clamped, so that slacks stay small: no sum is below 0 or above the number of literals.
void WeightedSearch::add_constraint(std::vector<Literal> literals, std::int32_t low,
                                    std::int32_t high, std::size_t row, std::size_t weight_index) {
    const auto num_literals = static_cast<std::int32_t>(literals.size());
    low = std::clamp(low, 0, num_literals + 1);
    high = std::clamp(high, -1, num_literals);
    constraints_.push_back({std::move(literals), low, high, row, weight_index, -1, 1});
}

// Define a literal by two weighted constraints: count * ~defined + literals >= count, and (n -
// count + 1) * defined + negated literals >= n - count + 1.
void WeightedSearch::define(Literal defined, std::vector<Literal> literals, std::size_t count,
                            std::size_t weight_index) {
    auto low = static_cast<std::int32_t>(count);
    constraints_.push_back({literals, low, kUnbounded, rows_, weight_index, defined ^ 1, low});
    low = static_cast<std::int32_t>(literals.size() - count + 1);
    for (Literal& literal : literals) literal ^= 1;
    constraints_.push_back(
        {std::move(literals), low, kUnbounded, rows_, weight_index, defined, low});
}

void WeightedSearch::define_count(std::size_t index) {
    const std::size_t color = index / pegs_, count = index % pegs_ + 1;
    std::vector<Literal> literals;
    for (std::size_t peg = 0; peg < pegs_; ++peg)
        literals.push_back(static_cast<Literal>(2 * (peg * colors_ + color)));
    define(static_cast<Literal>(2 * (pegs_ * colors_ + index)), std::move(literals), count,
           rows_ + pegs_ + color);
}

std::size_t WeightedSearch::color_of(std::size_t variable) const {
    const std::size_t num_peg_literals = pegs_ * colors_;
    return variable < num_peg_literals ? variable % colors_ : (variable - num_peg_literals) / pegs_;
}

// Initialize the sides and weights once all constraints are added.
void WeightedSearch::initialize() {
    const std::size_t num_constraints = constraints_.size();
    constraints_by_weight_.resize(weights_.size());
    for (std::size_t constraint = 0; constraint < num_constraints; ++constraint) {
        const PreparedConstraint& prepared = constraints_[constraint];
        const auto length = static_cast<std::int32_t>(prepared.literals.size());
        slack_.push_back(length + (prepared.extra_literal < 0 ? 0 : prepared.max_coefficient) -
                         prepared.low);
        width_.push_back(prepared.high - prepared.low);
        max_coefficients_.push_back(prepared.max_coefficient);
        constraints_by_weight_[prepared.weight_index].push_back(
            static_cast<std::uint32_t>(constraint));
        if (is_relaxable_[prepared.row])
            relaxable_constraints_.push_back(static_cast<std::uint32_t>(constraint));
    }
    for (const PreparedConstraint& prepared : constraints_) slack_.push_back(prepared.high);
    max_coefficients_.resize(2 * num_constraints, 1);
    constraint_weights_.resize(num_constraints);
    inverse_weights_.resize(num_constraints);
    scores_.resize(num_constraints);
    rebuild_occurrences();
    set_weights(std::move(weights_));
}

// Rebuild the lists of the unassigned literals of each constraint, and of the sides that lose slack
// when an unassigned literal becomes true.
void WeightedSearch::rebuild_occurrences() {
    const std::size_t num_constraints = constraints_.size();
    std::vector<std::vector<Occurrence>> occurrences(2 * values_.size());
    const auto add = [&](Literal literal, std::size_t side, std::int32_t coefficient) {
        occurrences[literal].push_back({static_cast<std::uint32_t>(side), coefficient});
    };
    literals_.clear();
    literals_begin_.assign(1, 0);
    for (std::size_t constraint = 0; constraint < num_constraints; ++constraint) {
        const PreparedConstraint& prepared = constraints_[constraint];
        for (Literal literal : prepared.literals) {
            if (!is_unassigned(literal)) continue;
            literals_.push_back(literal);
            add(literal ^ 1, constraint, 1);
            if (prepared.extra_literal < 0) add(literal, constraint + num_constraints, 1);
        }
        if (prepared.extra_literal >= 0 && is_unassigned(prepared.extra_literal))
            add(prepared.extra_literal ^ 1, constraint, prepared.max_coefficient);
        literals_begin_.push_back(static_cast<std::uint32_t>(literals_.size()));
    }
    occurrences_.clear();
    occurrences_begin_.assign(1, 0);
    for (const auto& sides : occurrences) {  // per literal
        occurrences_.insert(occurrences_.end(), sides.begin(), sides.end());
        occurrences_begin_.push_back(static_cast<std::uint32_t>(occurrences_.size()));
    }
}

// Large weights are scaled to at most kMaxInitialWeight, so that new failures soon matter as much
// as the old ones.
void WeightedSearch::set_weights(Weights weights) {
    weights_ = std::move(weights);
    const double largest = *std::max_element(weights_.begin(), weights_.end());
    if (largest > kMaxInitialWeight)
        for (double& weight : weights_)
            weight = std::max(weight * kMaxInitialWeight / largest, kMinWeight);
    increment_ = 1;
    for (std::size_t constraint = 0; constraint < constraints_.size(); ++constraint)
        update_weight(constraint);
}

void WeightedSearch::update_weight(std::size_t constraint) {
    const PreparedConstraint& prepared = constraints_[constraint];
    constraint_weights_[constraint] = static_cast<float>(weights_[prepared.weight_index]);
    inverse_weights_[constraint] = prepared.extra_literal < 0 && is_hard(prepared.row)
                                       ? 1 / constraint_weights_[constraint]
                                       : kNeverSelected;
}

SearchStatus WeightedSearch::advance(std::uint64_t max_failures) {
    if (!is_started_) {
        is_started_ = true;
        is_exhausted_ = !propagate_root();
    } else if (is_at_code_) {
        has_reported_code_ = has_reported_code_ || !is_excluded();
        // exclude() may have been called meanwhile, so several decisions may have to be undone.
        do is_exhausted_ = !backtrack();
        while (!is_exhausted_ && is_excluded());
    }
    is_at_code_ = false;
    while (!is_exhausted_) {
        if (propagate()) {
            const std::size_t constraint = select_constraint();
            if (constraint == constraints_.size()) {
                read_code();
                is_at_code_ = true;
                return SearchStatus::code_found;
            }
            decide(select_literal(constraint));
            continue;
        }
        ++failures_;
        is_exhausted_ = !backtrack();
        if (!is_exhausted_ && failures_ >= next_restart_ && !has_reported_code_) restart();
        if (max_failures-- <= 1) return SearchStatus::budget_spent;
    }
    return SearchStatus::exhausted;
}

// Propagate the constraints before the first decision. Returns false on a conflict.
bool WeightedSearch::propagate_root() {
    for (std::size_t side = 0; side < slack_.size(); ++side) {
        if (slack_[side] < 0) {
            if (!on_violated_side(side)) return false;
        } else if (slack_[side] < max_coefficients_[side]) {
            queue_.push_back(static_cast<std::uint32_t>(side));
        }
    }
    if (!propagate()) return false;
    rebuild_occurrences();  // the assigned literals need not be visited again
    return true;
}

// Propagate until no side forces a literal, or until a conflict. Returns false on a conflict.
bool WeightedSearch::propagate() {
    for (;;) {
        for (std::size_t next = 0; next < queue_.size(); ++next) propagate_side(queue_[next]);
        queue_.clear();
        if (num_propagated_ == trail_size_) return true;
        while (num_propagated_ < trail_size_)
            if (!propagate_literal(trail_[num_propagated_++])) {
                queue_.clear();
                return false;
            }
    }
}

// Update the slacks after a literal has become true. Returns false on a conflict.
bool WeightedSearch::propagate_literal(Literal literal) {
    assert(values_[literal >> 1] == !(literal & 1));
    const Occurrence* const end = occurrences_.data() + occurrences_begin_[literal + 1];
    std::int32_t* const slack = slack_.data();
    const std::int32_t* const max_coefficient = max_coefficients_.data();
    for (const Occurrence* next = occurrences_.data() + occurrences_begin_[literal]; next != end;
         ++next) {
        const std::int32_t new_slack = slack[next->side] -= next->coefficient;
        if (new_slack >= max_coefficient[next->side]) continue;
        if (new_slack >= 0)
            queue_.push_back(next->side);
        else if (!on_violated_side(next->side))
            return false;
    }
    return true;
}

// Handle a side that can no longer be satisfied. Returns whether its row may be violated. Otherwise
// bumps the weight of the constraint, because this is a conflict.
bool WeightedSearch::on_violated_side(std::size_t side) {
    const std::size_t row = constraints_[constraint_of(side)].row;
    if (is_violated_[row]) return true;
    if (!is_hard(row)) return violate_row(row);
    bump_weight(side);
    return false;
}

// Mark one more relaxable row as violated. When the maximum number of rows is violated, all other
// rows become hard, so their sides may now force literals. Returns false if the violated rows
// include an excluded set.
bool WeightedSearch::violate_row(std::size_t row) {
    assert(is_relaxable_[row] && !is_violated_[row] && violated_rows_.size() < max_violated_);
    is_violated_[row] = is_used_[row] = 1;
    violated_rows_.push_back(row);
    if (is_excluded()) return false;
    if (violated_rows_.size() < max_violated_) return true;
    for (std::uint32_t constraint : relaxable_constraints_) {
        update_weight(constraint);
        for (std::size_t side : {std::size_t{constraint}, constraint + constraints_.size()})
            if (slack_[side] < 1) queue_.push_back(static_cast<std::uint32_t>(side));
    }
    return true;
}

// Return whether the violated rows include an excluded set.
bool WeightedSearch::is_excluded() const {
    return std::any_of(excluded_sets_.begin(), excluded_sets_.end(), [&](const auto& rows) {
        return std::all_of(rows.begin(), rows.end(),
                           [&](std::int32_t row) { return is_violated_[row] != 0; });
    });
}

// A single excluded row is no longer relaxable.
void WeightedSearch::exclude(std::vector<std::int32_t> rows) {
    assert(!rows.empty());  // an empty set would exclude every code
    if (rows.size() == 1) is_relaxable_[rows.front()] = 0;
    excluded_sets_.push_back(std::move(rows));
    for (std::uint32_t constraint : relaxable_constraints_) update_weight(constraint);
}

// Assign the literals that a side forces because its slack is too small.
void WeightedSearch::propagate_side(std::size_t side) {
    const std::size_t constraint = constraint_of(side);
    const PreparedConstraint& prepared = constraints_[constraint];
    if (num_unassigned(constraint) == 0 && prepared.extra_literal < 0) return;
    if (!is_hard(prepared.row)) return;
    const std::size_t old_trail_size = trail_size_;
    std::size_t new_trail_size = old_trail_size;
    const Literal is_negated = side != constraint;  // "at most" forces the negated literals
    if (slack_[side] == 0) {
        // Branchless, because the branch would be unpredictable: write each literal to the end of
        // the trail, and advance the end only if the literal is unassigned.
        signed char* const values = values_.data();
        Literal* const trail = trail_.data();
        const Literal* const end = literals_.data() + literals_begin_[constraint + 1];
        for (const Literal* next = literals_.data() + literals_begin_[constraint]; next < end;
             ++next) {
            const Literal literal = *next ^ is_negated;
            const int value = values[literal >> 1], is_unassigned = value >> 7 & 1;
            values[literal >> 1] =
                static_cast<signed char>(value + is_unassigned * (2 - (literal & 1)));
            trail[new_trail_size] = literal;
            new_trail_size += static_cast<std::size_t>(is_unassigned);
        }
        trail_size_ = new_trail_size;
    }
    if (prepared.extra_literal >= 0 && !is_negated && is_unassigned(prepared.extra_literal) &&
        slack_[side] < prepared.max_coefficient)
        assign(prepared.extra_literal);
    if (trail_size_ > old_trail_size) is_used_[prepared.row] = 1;
}

// Increase the weight of the violated constraint, which others may share, and the next increment.
void WeightedSearch::bump_weight(std::size_t side) {
    const PreparedConstraint& prepared = constraints_[constraint_of(side)];
    is_used_[prepared.row] = 1;
    weights_[prepared.weight_index] += increment_;
    increment_ *= kIncrementGrowth;
    if (increment_ > kMaxIncrement) set_weights(std::move(weights_));
    for (std::uint32_t constraint : constraints_by_weight_[prepared.weight_index])
        update_weight(constraint);
}

// Return the constraint to branch on: the one with the smallest quotient of the number of
// unassigned literals and the weight. If every constraint is assigned or satisfied, return the
// number of constraints. Positive floats are compared by their bit patterns, as integers.
std::size_t WeightedSearch::select_constraint() {
    const std::size_t num_constraints = constraints_.size();
    const std::int32_t *low = slack_.data(), *high = low + num_constraints, *width = width_.data();
    const float* const inverse_weights = inverse_weights_.data();
    std::int32_t* const scores = scores_.data();
    std::int32_t limit;
    std::memcpy(&limit, &kNeverSelected, sizeof limit);
    std::int32_t min_score = limit;
    for (std::size_t i = 0; i < num_constraints; ++i) {
        const std::int32_t unassigned = low[i] + high[i] - width[i];
        const float score = static_cast<float>(unassigned) * inverse_weights[i];
        std::int32_t bits;
        std::memcpy(&bits, &score, sizeof bits);
        const bool is_settled = unassigned == 0 || (high[i] <= width[i] && low[i] <= width[i]);
        bits = is_settled ? limit : bits;
        scores[i] = bits;
        min_score = bits < min_score ? bits : min_score;
    }
    if (min_score == limit) return num_constraints;
    return static_cast<std::size_t>(std::find(scores, scores + num_constraints, min_score) -
                                    scores);
}

// Return the unassigned literal of the constraint for which the sum of weight / slack over the
// sides that lose slack is largest. The literal is negated if the "at least" side has less slack,
// so that the decision reduces the smaller slack (fail first).
WeightedSearch::Literal WeightedSearch::select_literal(std::size_t constraint) const {
    const Literal is_negated = slack_[constraint + constraints_.size()] > slack_[constraint];
    Literal best = -1;
    float best_score = -1;
    for (std::uint32_t i = literals_begin_[constraint]; i < literals_begin_[constraint + 1]; ++i) {
        if (!is_unassigned(literals_[i])) continue;
        const Literal literal = literals_[i] ^ is_negated;
        float score = 0;
        for (std::uint32_t next = occurrences_begin_[literal];
             next < occurrences_begin_[literal + 1]; ++next) {
            const std::size_t side = occurrences_[next].side;
            score += constraint_weights_[constraint_of(side)] /
                     static_cast<float>(std::max(slack_[side], 1));
        }
        if (score > best_score) {
            best = literal;
            best_score = score;
        }
    }
    return best;
}

// Start a level whose first literal is the decision.
void WeightedSearch::decide(Literal decision) {
    assert(queue_.empty() && num_propagated_ == trail_size_);
    levels_.push_back({trail_size_, violated_rows_.size(), decision});
    saved_slacks_.insert(saved_slacks_.end(), slack_.begin(), slack_.end());
    assign(decision);
}

// Undo the last decision and everything after it, and assign the negation of the decision. Returns
// false if there is no decision.
bool WeightedSearch::backtrack() {
    if (levels_.empty()) return false;
    const Level level = levels_.back();
    levels_.pop_back();
    restore(level);
    assign(level.decision ^ 1);
    return true;
}

// Restore the state at the beginning of a level, which the caller has removed from levels_.
void WeightedSearch::restore(const Level& level) {
    assert(trail_size_ > level.trail_size && violated_rows_.size() >= level.num_violated);
    assert(saved_slacks_.size() >= slack_.size() * (levels_.size() + 1));
    const std::size_t num_sides = slack_.size(), begin = num_sides * levels_.size();
    std::copy_n(saved_slacks_.data() + begin, num_sides, slack_.data());
    saved_slacks_.resize(begin);
    num_propagated_ = level.trail_size;
    while (trail_size_ > level.trail_size) values_[trail_[--trail_size_] >> 1] = -1;
    if (violated_rows_.size() == level.num_violated) return;
    for (; violated_rows_.size() > level.num_violated; violated_rows_.pop_back())
        is_violated_[violated_rows_.back()] = 0;
    for (std::uint32_t constraint : relaxable_constraints_) update_weight(constraint);
}

// Remove all decisions, and lengthen the interval to the next restart. Weights are kept.
void WeightedSearch::restart() {
    restart_interval_ *= kRestartIntervalGrowth;
    next_restart_ = failures_ + restart_interval_;
    if (levels_.empty()) return;
    const Level first = levels_.front();
    levels_.clear();
    restore(first);
}

void WeightedSearch::read_code() {
    for (std::size_t peg = 0; peg < pegs_; ++peg)
        for (std::size_t color = 0; color < colors_; ++color)
            if (values_[peg * colors_ + color] > 0) code_[peg] = static_cast<std::uint16_t>(color);
}

}  // namespace mmsat::search
