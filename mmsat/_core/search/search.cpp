#include "search/search.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace mmsat::search {

namespace {

// Clamp a bound to +-kMaxBound. All sums are within kMaxLiterals, so comparisons with it do not
// change.
std::int32_t clamp_bound(std::int64_t bound) {
    return static_cast<std::int32_t>(std::clamp<std::int64_t>(bound, -kMaxBound, kMaxBound));
}

}  // namespace

Search::Search(std::size_t pegs, std::size_t colors, Constraints constraints, std::uint32_t slack,
               std::optional<Table> table, bool graded)
    : pegs_(pegs),
      colors_(colors),
      constraints_(constraints.early.size()),
      peg_changes_(pegs * colors),
      count_changes_(pegs * colors),
      sums_(constraints.early.size(), 0),
      counts_(colors, 0),
      late_(std::move(constraints.late)),
      code_(pegs, 0),
      has_table_(table.has_value()),
      slack_(slack),
      is_graded_(graded) {
    for (std::size_t index = 0; index < constraints_; ++index) {
        rows_.push_back(constraints.early[index].row);
        add_changes(constraints.early[index], static_cast<std::int32_t>(index));
    }
    bound_sums(constraints.early);
    if (!has_table_) return;
    table_ = *std::move(table);
    begin_row_.assign(pegs + 1, 0);
    end_row_.assign(pegs + 1, table_.size() / pegs);
}

void Search::add_changes(const Constraint& constraint, std::int32_t index) {
    const auto places = static_cast<std::int32_t>(pegs_ * colors_);
    for (std::int32_t literal : constraint.literals) {
        const std::int32_t amount = literal > 0 ? 1 : -1;
        const std::int32_t number = literal > 0 ? literal : -literal;
        if (literal < 0) ++sums_[index];  // a negative literal is true until its variable is true
        Changes& changes =
            number <= places ? peg_changes_[number - 1] : count_changes_[number - places - 1];
        if (!changes.empty() && changes.back().constraint == index)
            changes.back().amount += amount;
        else
            changes.push_back({index, amount});
    }
}

// A peg changes the sum of a constraint by the literals about this peg and by the literal that its
// color reaches one more peg. The largest and smallest possible changes are summed from the last
// peg to the first; this bounds how far a sum can still move.
void Search::bound_sums(const std::vector<Constraint>& constraints) {
    std::vector<std::int32_t> gain(colors_ * constraints_, 0), loss(colors_ * constraints_, 0);
    for (std::size_t color = 0; color < colors_; ++color)
        for (std::size_t count = 1; count <= pegs_; ++count)
            for (const Change& change : count_changes(color, count)) {
                auto& up = gain[color * constraints_ + change.constraint];
                auto& down = loss[color * constraints_ + change.constraint];
                up = std::max(up, change.amount);
                down = std::min(down, change.amount);
            }
    std::vector<std::int32_t> base_up(constraints_, 0), base_down(constraints_, 0);
    for (std::size_t color = 0; color < colors_; ++color)
        for (std::size_t constraint = 0; constraint < constraints_; ++constraint) {
            base_up[constraint] =
                std::max(base_up[constraint], gain[color * constraints_ + constraint]);
            base_down[constraint] =
                std::min(base_down[constraint], loss[color * constraints_ + constraint]);
        }

    min_sum_.assign(pegs_ * constraints_, 0);
    max_sum_.assign(pegs_ * constraints_, 0);
    std::vector<std::int64_t> up(constraints_, 0),
        down(constraints_, 0);  // bounds on the changes by the pegs after this one
    std::vector<std::int32_t> peg_up, peg_down;
    for (std::size_t peg = pegs_; peg-- > 0;) {
        for (std::size_t constraint = 0; constraint < constraints_; ++constraint) {
            min_sum_[peg * constraints_ + constraint] =
                clamp_bound(constraints[constraint].low - up[constraint]);
            max_sum_[peg * constraints_ + constraint] =
                clamp_bound(constraints[constraint].high - down[constraint]);
        }
        peg_up = base_up;
        peg_down = base_down;
        for (std::size_t color = 0; color < colors_; ++color)
            for (const Change& change : peg_changes(peg, color)) {
                const std::size_t cell = color * constraints_ + change.constraint;
                auto& highest = peg_up[change.constraint];
                auto& lowest = peg_down[change.constraint];
                highest = std::max(highest, change.amount + gain[cell]);
                lowest = std::min(lowest, change.amount + loss[cell]);
            }
        for (std::size_t constraint = 0; constraint < constraints_; ++constraint) {
            up[constraint] += peg_up[constraint];
            down[constraint] += peg_down[constraint];
        }
    }
    for (std::size_t constraint = 0; constraint < constraints_; ++constraint)
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
    const std::int32_t* low = min_sum_.data() + peg * constraints_;
    const std::int32_t* high = max_sum_.data() + peg * constraints_;
    // One pass without branches detects whether any constraint is out of reach; penalties are
    // computed only in that case.
    std::int32_t is_violated = 0;
    for (std::size_t constraint = 0; constraint < constraints_; ++constraint)
        is_violated |=
            (sums_[constraint] < low[constraint]) | (sums_[constraint] > high[constraint]);
    penalty_ = 0;
    return is_violated == 0 || (slack_ > 0 && within_slack(low, high));
}

bool Search::within_slack(const std::int32_t* low, const std::int32_t* high) {
    std::int32_t last = -1;   // row of the last violated constraint,
    std::uint32_t worst = 0;  // and the penalty counted for it
    for (std::size_t constraint = 0; constraint < constraints_; ++constraint) {
        const std::int32_t violation =
            std::max(low[constraint] - sums_[constraint], sums_[constraint] - high[constraint]);
        if (violation <= 0) continue;
        if (rows_[constraint] < 0) return false;
        if (rows_[constraint] != last) worst = 0;
        last = rows_[constraint];
        if (penalty_of(violation) <= worst) continue;
        penalty_ += penalty_of(violation) - worst;
        if (penalty_ > slack_) return false;
        worst = penalty_of(violation);
    }
    return true;
}

// Check the late constraints of a complete code. A row that is already penalized for an early
// constraint is charged only the difference.
bool Search::check_late_constraints() {
    const bool counted = penalty_ > 0;
    std::int32_t last = -1;
    std::uint32_t worst = 0;
    for (const LateConstraint& constraint : late_) {
        const std::int32_t violation = violation_of(constraint);
        if (violation <= 0) continue;
        if (constraint.row < 0) return false;
        if (constraint.row != last) worst = counted ? early_penalty(constraint.row) : 0;
        last = constraint.row;
        if (penalty_of(violation) <= worst) continue;
        penalty_ += penalty_of(violation) - worst;
        if (penalty_ > slack_) return false;
        worst = penalty_of(violation);
    }
    return true;
}

// Violation of a late constraint; at most 0 if it is satisfied.
std::int32_t Search::violation_of(const LateConstraint& constraint) const {
    std::int32_t sum = 0;
    for (const std::vector<ResolvedLiteral>& members : constraint.conjunctions)
        sum += std::all_of(members.begin(), members.end(),
                           [this](const ResolvedLiteral& literal) { return is_true(literal); });
    return std::max(constraint.low - sum, sum - constraint.high);
}

// Penalty of a row by its early constraints, on a complete code.
std::uint32_t Search::early_penalty(std::int32_t row) const {
    const std::int32_t* low = min_sum_.data() + (pegs_ - 1) * constraints_;
    const std::int32_t* high = max_sum_.data() + (pegs_ - 1) * constraints_;
    const auto constraints = std::equal_range(rows_.begin(), rows_.end(), row);
    std::int32_t worst = 0;
    for (auto constraint = constraints.first - rows_.begin();
         constraint < constraints.second - rows_.begin(); ++constraint)
        worst = std::max(
            {worst, low[constraint] - sums_[constraint], sums_[constraint] - high[constraint]});
    return worst > 0 ? penalty_of(worst) : 0;
}

// Index of the first table row that begins with the assigned pegs and has at least this color at
// the next peg.
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

// Advance next_color_ to the next color that the table has here, or past the last color.
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

SearchStatus Search::find_next(std::uint64_t& nodes) {
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
        if (nodes == 0) return SearchStatus::budget_spent;
        --nodes;
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

SearchStatus Search::advance(std::uint64_t nodes) {
    return find_next(nodes);
}

SearchStatus Search::count(std::uint64_t nodes) {
    SearchStatus status = SearchStatus::code_found;
    while (status == SearchStatus::code_found) status = find_next(nodes);
    return status;
}

}  // namespace mmsat::search
