#include "search/search.hpp"

#include <algorithm>
#include <utility>

namespace mmsat::search {

// Clamp a bound to +-kFarthest. All sums are within kMostLiterals, so comparisons with it do not
// change.
static std::int32_t within_reach(std::int64_t bound) {
    return static_cast<std::int32_t>(std::clamp<std::int64_t>(bound, -kFarthest, kFarthest));
}

Search::Search(std::size_t pegs, std::size_t colors, Constraints constraints, std::uint32_t slack,
               std::optional<Table> table, bool graded)
    : pegs_(pegs),
      colors_(colors),
      constraints_(constraints.early.size()),
      changes_at_(pegs * colors),
      changes_least_(pegs * colors),
      sums_(constraints.early.size(), 0),
      counts_(colors, 0),
      late_(std::move(constraints.late)),
      code_(pegs, 0),
      is_listed_(table.has_value()),
      slack_(slack),
      is_graded_(graded) {
    for (std::size_t index = 0; index < constraints_; ++index) {
        rows_.push_back(constraints.early[index].row);
        note(constraints.early[index], static_cast<std::int32_t>(index));
    }
    bound(constraints.early);
    if (!is_listed_) return;
    table_ = *std::move(table);
    first_.assign(pegs + 1, 0);
    last_.assign(pegs + 1, table_.size() / pegs);
}

void Search::note(const Constraint& constraint, std::int32_t index) {
    const auto places = static_cast<std::int32_t>(pegs_ * colors_);
    for (std::int32_t literal : constraint.literals) {
        const std::int32_t amount = literal > 0 ? 1 : -1;
        const std::int32_t number = literal > 0 ? literal : -literal;
        if (literal < 0) ++sums_[index];  // a negative literal is true until its variable is true
        Changes& changes =
            number <= places ? changes_at_[number - 1] : changes_least_[number - places - 1];
        if (!changes.empty() && changes.back().constraint == index)
            changes.back().amount += amount;
        else
            changes.push_back({index, amount});
    }
}

// A peg changes the sum of a constraint by the literals about this peg and by the literal that its
// color reaches one more peg. The largest and smallest possible changes are summed from the last
// peg to the first; this bounds how far a sum can still move.
void Search::bound(const std::vector<Constraint>& constraints) {
    std::vector<std::int32_t> gain(colors_ * constraints_, 0), loss(colors_ * constraints_, 0);
    for (std::size_t color = 0; color < colors_; ++color)
        for (std::size_t count = 1; count <= pegs_; ++count)
            for (const Change& change : least(color, count)) {
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

    least_sum_.assign(pegs_ * constraints_, 0);
    most_sum_.assign(pegs_ * constraints_, 0);
    std::vector<std::int64_t> up(constraints_, 0),
        down(constraints_, 0);  // bounds on the changes by the pegs after this one
    std::vector<std::int32_t> peg_up, peg_down;
    for (std::size_t peg = pegs_; peg-- > 0;) {
        for (std::size_t constraint = 0; constraint < constraints_; ++constraint) {
            least_sum_[peg * constraints_ + constraint] =
                within_reach(constraints[constraint].low - up[constraint]);
            most_sum_[peg * constraints_ + constraint] =
                within_reach(constraints[constraint].high - down[constraint]);
        }
        peg_up = base_up;
        peg_down = base_down;
        for (std::size_t color = 0; color < colors_; ++color)
            for (const Change& change : at(peg, color)) {
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
            possible_ = false;
}

bool Search::place(std::size_t peg, std::size_t color) {
    code_[peg] = static_cast<std::uint16_t>(color);
    const std::size_t count = ++counts_[color];
    for (const Change& change : at(peg, color)) sums_[change.constraint] += change.amount;
    for (const Change& change : least(color, count)) sums_[change.constraint] += change.amount;
    const std::int32_t* low = least_sum_.data() + peg * constraints_;
    const std::int32_t* high = most_sum_.data() + peg * constraints_;
    // One pass without branches detects whether any constraint is out of reach; penalties are
    // computed only in that case.
    std::int32_t broken = 0;
    for (std::size_t constraint = 0; constraint < constraints_; ++constraint)
        broken |= (sums_[constraint] < low[constraint]) | (sums_[constraint] > high[constraint]);
    broken_ = 0;
    return broken == 0 || (slack_ > 0 && within_slack(low, high));
}

bool Search::within_slack(const std::int32_t* low, const std::int32_t* high) {
    std::int32_t last = -1;   // row of the last violated constraint,
    std::uint32_t worst = 0;  // and the penalty counted for it
    for (std::size_t constraint = 0; constraint < constraints_; ++constraint) {
        const std::int32_t missed =
            std::max(low[constraint] - sums_[constraint], sums_[constraint] - high[constraint]);
        if (missed <= 0) continue;
        if (rows_[constraint] < 0) return false;
        if (rows_[constraint] != last) worst = 0;
        last = rows_[constraint];
        if (price(missed) <= worst) continue;
        broken_ += price(missed) - worst;
        if (broken_ > slack_) return false;
        worst = price(missed);
    }
    return true;
}

// Check the late constraints of a complete code. A row that is already penalized for an early
// constraint is charged only the difference.
bool Search::keeps_late() {
    const bool counted = broken_ > 0;
    std::int32_t last = -1;
    std::uint32_t worst = 0;
    for (const LateConstraint& constraint : late_) {
        const std::int32_t missed = excess(constraint);
        if (missed <= 0) continue;
        if (constraint.row < 0) return false;
        if (constraint.row != last) worst = counted ? early_price(constraint.row) : 0;
        last = constraint.row;
        if (price(missed) <= worst) continue;
        broken_ += price(missed) - worst;
        if (broken_ > slack_) return false;
        worst = price(missed);
    }
    return true;
}

// Violation of a late constraint; at most 0 if it is satisfied.
std::int32_t Search::excess(const LateConstraint& constraint) const {
    std::int32_t sum = 0;
    for (const std::vector<Test>& tests : constraint.conjunctions)
        sum += std::all_of(tests.begin(), tests.end(), [this](const Test& t) { return holds(t); });
    return std::max(constraint.low - sum, sum - constraint.high);
}

// Penalty of a row by its early constraints, on a complete code.
std::uint32_t Search::early_price(std::int32_t row) const {
    const std::int32_t* low = least_sum_.data() + (pegs_ - 1) * constraints_;
    const std::int32_t* high = most_sum_.data() + (pegs_ - 1) * constraints_;
    const auto constraints = std::equal_range(rows_.begin(), rows_.end(), row);
    std::int32_t worst = 0;
    for (auto constraint = constraints.first - rows_.begin();
         constraint < constraints.second - rows_.begin(); ++constraint)
        worst = std::max(
            {worst, low[constraint] - sums_[constraint], sums_[constraint] - high[constraint]});
    return worst > 0 ? price(worst) : 0;
}

// Index of the first table row that begins with the assigned pegs and has at least this color at
// the next peg.
std::size_t Search::first_of(std::size_t color) const {
    std::size_t low = first_[depth_], high = last_[depth_];
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
void Search::seek() {
    const std::size_t row = first_of(next_color_);
    next_color_ = row == last_[depth_] ? colors_ : table_[row * pegs_ + depth_];
}

void Search::lift(std::size_t peg, std::size_t color) {
    for (const Change& change : at(peg, color)) sums_[change.constraint] -= change.amount;
    for (const Change& change : least(color, counts_[color]))
        sums_[change.constraint] -= change.amount;
    --counts_[color];
}

SearchStatus Search::step(std::uint64_t& nodes) {
    if (!possible_) return SearchStatus::exhausted;
    for (;;) {
        if (is_listed_ && depth_ < pegs_) seek();
        if (depth_ == pegs_ || next_color_ == colors_) {  // all colors tried: backtrack one peg
            if (depth_ == 0) return SearchStatus::exhausted;
            --depth_;
            lift(depth_, code_[depth_]);
            next_color_ = code_[depth_] + std::size_t{1};
            continue;
        }
        if (nodes == 0) return SearchStatus::budget_spent;
        --nodes;
        if (place(depth_, next_color_)) {
            if (is_listed_) {
                first_[depth_ + 1] = first_of(next_color_);
                last_[depth_ + 1] = first_of(next_color_ + 1);
            }
            ++depth_;
            next_color_ = 0;
            if (depth_ == pegs_ && (late_.empty() || keeps_late())) {
                ++found_;
                return SearchStatus::code_found;
            }
        } else {
            lift(depth_, next_color_);
            ++next_color_;
        }
    }
}

SearchStatus Search::advance(std::uint64_t nodes) {
    return step(nodes);
}

SearchStatus Search::count(std::uint64_t nodes) {
    SearchStatus status = SearchStatus::code_found;
    while (status == SearchStatus::code_found) status = step(nodes);
    return status;
}

}  // namespace mmsat::search
