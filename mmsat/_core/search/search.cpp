#include "search/search.hpp"

#include <algorithm>
#include <utility>

namespace mmsat::search {

// A bound on a sum, or one as far from all sums, which are within kMostLiterals.
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
        if (literal < 0) ++sums_[index];  // a denied literal is true until it is met
        Changes& changes =
            number <= places ? changes_at_[number - 1] : changes_least_[number - places - 1];
        if (!changes.empty() && changes.back().constraint == index)
            changes.back().amount += amount;
        else
            changes.push_back({index, amount});
    }
}

// One peg can change a constraint's sum by what its color is worth in place, plus what reaching one
// more peg of that color is worth. Summed from the last peg backwards this tells how far a sum can
// still move.
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
        down(constraints_, 0);  // of the pegs after this one
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
    std::int32_t broken = 0;
    for (std::size_t constraint = 0; constraint < constraints_; ++constraint)
        broken |= (sums_[constraint] < low[constraint]) | (sums_[constraint] > high[constraint]);
    broken_ = 0;
    return broken == 0 || (slack_ > 0 && within_slack(low, high));
}

bool Search::within_slack(const std::int32_t* low, const std::int32_t* high) {
    std::int32_t last = -1;   // the row counted last,
    std::uint32_t worst = 0;  // and for how much
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

// The late constraints of a whole code. What a row is counted for by its early constraints is
// counted.
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

// How far a late constraint is missed; not above 0 where it holds.
std::int32_t Search::excess(const LateConstraint& constraint) const {
    std::int32_t sum = 0;
    for (const std::vector<Test>& tests : constraint.conjunctions)
        sum += std::all_of(tests.begin(), tests.end(), [this](const Test& t) { return holds(t); });
    return std::max(constraint.low - sum, sum - constraint.high);
}

// What a row is counted for by those constraints of a whole code that were looked at on the way.
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

// The first row of the table, among those that begin with the pegs placed, whose next color is not
// below this one.
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

// Moves next_color_ on to one that the table has here, or past the last color.
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
        if (depth_ == pegs_ || next_color_ == colors_) {  // nothing more below: go back one peg
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
