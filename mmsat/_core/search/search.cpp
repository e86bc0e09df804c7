// Depth-first search for codes (search.hpp). The sum of a constraint is its number of true
// literals. Constraints belong to rows, or are hard; the slack limits the total penalty of the
// violated rows.
#include "search/search.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace mmsat::search {

namespace {

// Clamp a bound to +-kMaxBound. Sums are within kMaxLiterals, so comparing a sum with the clamped
// bound has the same result.
std::int32_t clamp_bound(std::int64_t bound) {
    return static_cast<std::int32_t>(std::clamp<std::int64_t>(bound, -kMaxBound, kMaxBound));
}

}  // namespace

std::int32_t add_changes(const Constraint& constraint, std::int32_t index,
                         std::vector<Changes>& peg_changes, std::vector<Changes>& count_changes) {
    const auto num_peg_literals = static_cast<std::int32_t>(peg_changes.size());
    std::int32_t num_negated = 0;
    for (std::int32_t literal : constraint.literals) {
        const std::int32_t amount = literal > 0 ? 1 : -1;
        const std::int32_t number = literal > 0 ? literal : -literal;
        if (literal < 0) ++num_negated;
        Changes& changes = number <= num_peg_literals
                               ? peg_changes[number - 1]
                               : count_changes[number - num_peg_literals - 1];
        if (!changes.empty() && changes.back().constraint == index)
            changes.back().amount += amount;
        else
            changes.push_back({index, amount});
    }
    return num_negated;
}

Search::Search(std::size_t pegs, std::size_t colors, Constraints constraints, std::uint32_t slack,
               std::optional<Table> table, bool is_graded)
    : pegs_(pegs),
      colors_(colors),
      num_constraints_(constraints.early.size()),
      peg_changes_(pegs * colors),
      count_changes_(pegs * colors),
      sums_(constraints.early.size(), 0),
      counts_(colors, 0),
      late_(std::move(constraints.late)),
      code_(pegs, 0),
      has_table_(table.has_value()),
      slack_(slack),
      is_graded_(is_graded) {
    for (std::size_t index = 0; index < num_constraints_; ++index) {
        rows_.push_back(constraints.early[index].row);
        sums_[index] = add_changes(constraints.early[index], static_cast<std::int32_t>(index),
                                   peg_changes_, count_changes_);
    }
    bound_sums(constraints.early);
    if (!has_table_) return;
    table_ = *std::move(table);
    begin_row_.assign(pegs + 1, 0);
    end_row_.assign(pegs + 1, table_.size() / pegs);
}

// A peg changes the sum of a constraint by the literals about this peg and by the literal that its
// color reaches one more peg. The largest and smallest possible changes are summed from the last
// peg to the first, which bounds the remaining change of each sum after each peg.
void Search::bound_sums(const std::vector<Constraint>& constraints) {
    // [color * num_constraints_ + constraint]: largest and smallest change when one more peg has
    // the color, by the literals about counts.
    std::vector<std::int32_t> gain(colors_ * num_constraints_, 0),
        loss(colors_ * num_constraints_, 0);
    for (std::size_t color = 0; color < colors_; ++color)
        for (std::size_t count = 1; count <= pegs_; ++count)
            for (const Change& change : count_changes(color, count)) {
                auto& up = gain[color * num_constraints_ + change.constraint];
                auto& down = loss[color * num_constraints_ + change.constraint];
                up = std::max(up, change.amount);
                down = std::min(down, change.amount);
            }
    // The maximum and minimum of these changes over all colors.
    std::vector<std::int32_t> base_up(num_constraints_, 0), base_down(num_constraints_, 0);
    for (std::size_t color = 0; color < colors_; ++color)
        for (std::size_t constraint = 0; constraint < num_constraints_; ++constraint) {
            base_up[constraint] =
                std::max(base_up[constraint], gain[color * num_constraints_ + constraint]);
            base_down[constraint] =
                std::min(base_down[constraint], loss[color * num_constraints_ + constraint]);
        }

    min_sum_.assign(pegs_ * num_constraints_, 0);
    max_sum_.assign(pegs_ * num_constraints_, 0);
    // Bounds on the changes by the pegs after this one.
    std::vector<std::int64_t> up(num_constraints_, 0), down(num_constraints_, 0);
    std::vector<std::int32_t> peg_up, peg_down;
    for (std::size_t peg = pegs_; peg-- > 0;) {
        for (std::size_t constraint = 0; constraint < num_constraints_; ++constraint) {
            min_sum_[peg * num_constraints_ + constraint] =
                clamp_bound(constraints[constraint].low - up[constraint]);
            max_sum_[peg * num_constraints_ + constraint] =
                clamp_bound(constraints[constraint].high - down[constraint]);
        }
        peg_up = base_up;
        peg_down = base_down;
        for (std::size_t color = 0; color < colors_; ++color)
            for (const Change& change : peg_changes(peg, color)) {
                const std::size_t index = color * num_constraints_ + change.constraint;
                auto& highest = peg_up[change.constraint];
                auto& lowest = peg_down[change.constraint];
                highest = std::max(highest, change.amount + gain[index]);
                lowest = std::min(lowest, change.amount + loss[index]);
            }
        for (std::size_t constraint = 0; constraint < num_constraints_; ++constraint) {
            up[constraint] += peg_up[constraint];
            down[constraint] += peg_down[constraint];
        }
    }
    for (std::size_t constraint = 0; constraint < num_constraints_; ++constraint)
        if (rows_[constraint] < 0 &&
            (sums_[constraint] + up[constraint] < constraints[constraint].low ||
             sums_[constraint] + down[constraint] > constraints[constraint].high))
            is_feasible_ = false;
}

bool Search::assign(std::size_t peg, std::size_t color) {
    code_[peg] = static_cast<std::uint16_t>(color);
    assert(peg == depth_ && color < colors_);
    const std::size_t count = ++counts_[color];
    for (const Change& change : peg_changes(peg, color)) sums_[change.constraint] += change.amount;
    for (const Change& change : count_changes(color, count))
        sums_[change.constraint] += change.amount;
    const std::int32_t* low = min_sum_.data() + peg * num_constraints_;
    const std::int32_t* high = max_sum_.data() + peg * num_constraints_;
    // One pass without branches detects whether a constraint can no longer be satisfied. Penalties
    // are computed only in this case.
    std::int32_t is_violated = 0;
    for (std::size_t constraint = 0; constraint < num_constraints_; ++constraint)
        is_violated |=
            (sums_[constraint] < low[constraint]) | (sums_[constraint] > high[constraint]);
    penalty_ = 0;
    return is_violated == 0 || (slack_ > 0 && within_slack(low, high));
}

// Add up the penalties of the violated rows. The constraints of a row are consecutive. Returns
// whether no hard constraint is violated and the total penalty is within the slack.
bool Search::within_slack(const std::int32_t* low, const std::int32_t* high) {
    std::int32_t last_row = -1;     // row of the last violated constraint
    std::uint32_t row_penalty = 0;  // penalty counted so far for this row
    for (std::size_t constraint = 0; constraint < num_constraints_; ++constraint) {
        const std::int32_t violation =
            std::max(low[constraint] - sums_[constraint], sums_[constraint] - high[constraint]);
        if (violation <= 0) continue;
        if (rows_[constraint] < 0) return false;
        if (rows_[constraint] != last_row) row_penalty = 0;
        last_row = rows_[constraint];
        if (penalty_of(violation) <= row_penalty) continue;
        penalty_ += penalty_of(violation) - row_penalty;
        if (penalty_ > slack_) return false;
        row_penalty = penalty_of(violation);
    }
    return true;
}

// Check the late constraints of a complete code. A row that is already penalized for an early
// constraint is charged only the difference.
bool Search::check_late_constraints() {
    const bool has_early_penalty = penalty_ > 0;
    std::int32_t last_row = -1;
    std::uint32_t row_penalty = 0;
    for (const LateConstraint& constraint : late_) {
        const std::int32_t violation = violation_of(constraint);
        if (violation <= 0) continue;
        if (constraint.row < 0) return false;
        if (constraint.row != last_row)
            row_penalty = has_early_penalty ? early_penalty(constraint.row) : 0;
        last_row = constraint.row;
        if (penalty_of(violation) <= row_penalty) continue;
        penalty_ += penalty_of(violation) - row_penalty;
        if (penalty_ > slack_) return false;
        row_penalty = penalty_of(violation);
    }
    return true;
}

// Return the violation of a late constraint, which is at most 0 if the constraint is satisfied.
std::int32_t Search::violation_of(const LateConstraint& constraint) const {
    std::int32_t sum = 0;
    for (const std::vector<ResolvedLiteral>& conjunction : constraint.conjunctions)
        sum += std::all_of(conjunction.begin(), conjunction.end(),
                           [this](const ResolvedLiteral& literal) { return is_true(literal); });
    return std::max(constraint.low - sum, sum - constraint.high);
}

// Return the penalty of a row by its early constraints, for a complete code.
std::uint32_t Search::early_penalty(std::int32_t row) const {
    const std::int32_t* low = min_sum_.data() + (pegs_ - 1) * num_constraints_;
    const std::int32_t* high = max_sum_.data() + (pegs_ - 1) * num_constraints_;
    const auto constraints = std::equal_range(rows_.begin(), rows_.end(), row);
    std::int32_t max_violation = 0;
    for (auto constraint = constraints.first - rows_.begin();
         constraint < constraints.second - rows_.begin(); ++constraint)
        max_violation = std::max({max_violation, low[constraint] - sums_[constraint],
                                  sums_[constraint] - high[constraint]});
    return max_violation > 0 ? penalty_of(max_violation) : 0;
}

// Return the index of the first table row that begins with the assigned colors and has this color
// or a higher one at the next peg.
std::size_t Search::find_row(std::size_t color) const {
    std::size_t low = begin_row_[depth_], high = end_row_[depth_];
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (table_[middle * pegs_ + depth_] < color)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Advance next_color_ to the next color that the table has at peg depth_, or past the last color.
void Search::skip_to_listed_color() {
    const std::size_t row = find_row(next_color_);
    next_color_ = row == end_row_[depth_] ? colors_ : table_[row * pegs_ + depth_];
}

void Search::unassign(std::size_t peg, std::size_t color) {
    for (const Change& change : peg_changes(peg, color)) sums_[change.constraint] -= change.amount;
    for (const Change& change : count_changes(color, counts_[color]))
        sums_[change.constraint] -= change.amount;
    assert(counts_[color] > 0);
    --counts_[color];
}

SearchStatus Search::find_next(std::uint64_t& remaining_nodes) {
    if (!is_feasible_) return SearchStatus::exhausted;
    for (;;) {
        if (has_table_ && depth_ < pegs_) skip_to_listed_color();
        if (depth_ == pegs_ || next_color_ == colors_) {  // all colors tried: backtrack one peg
            if (depth_ == 0) return SearchStatus::exhausted;
            --depth_;
            unassign(depth_, code_[depth_]);
            next_color_ = code_[depth_] + std::size_t{1};
            continue;
        }
        if (remaining_nodes == 0) return SearchStatus::budget_spent;
        --remaining_nodes;
        if (assign(depth_, next_color_)) {
            if (has_table_) {
                begin_row_[depth_ + 1] = find_row(next_color_);
                end_row_[depth_ + 1] = find_row(next_color_ + 1);
            }
            ++depth_;
            next_color_ = 0;
            if (depth_ == pegs_ && (late_.empty() || check_late_constraints())) {
                ++num_codes_;
                return SearchStatus::code_found;
            }
        } else {
            unassign(depth_, next_color_);
            ++next_color_;
        }
    }
}

SearchStatus Search::advance(std::uint64_t max_nodes) {
    return find_next(max_nodes);
}

SearchStatus Search::count(std::uint64_t max_nodes) {
    SearchStatus status = SearchStatus::code_found;
    while (status == SearchStatus::code_found) status = find_next(max_nodes);
    return status;
}

}  // namespace mmsat::search
