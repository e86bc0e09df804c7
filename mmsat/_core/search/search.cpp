#include "search.hpp"

#include <algorithm>
#include <utility>

namespace mmsat {

Search::Search(std::size_t pegs, std::size_t colors, Claims claims, std::uint32_t slack,
               std::optional<Table> table, bool graded)
    : pegs_(pegs),
      colors_(colors),
      claims_(claims.early.size()),
      changes_at_(pegs * colors),
      changes_least_(pegs * colors),
      sums_(claims.early.size(), 0),
      counts_(colors, 0),
      late_(std::move(claims.late)),
      code_(pegs, 0),
      is_listed_(table.has_value()),
      slack_(slack),
      is_graded_(graded) {
    for (std::size_t index = 0; index < claims_; ++index) {
        rows_.push_back(claims.early[index].row);
        note(claims.early[index], static_cast<std::int32_t>(index));
    }
    bound(claims.early);
    if (!is_listed_) return;
    table_ = *std::move(table);
    first_.assign(pegs + 1, 0);
    last_.assign(pegs + 1, table_.size() / pegs);
}

void Search::note(const Claim& claim, std::int32_t index) {
    const auto places = static_cast<std::int32_t>(pegs_ * colors_);
    for (std::int32_t fact : claim.facts) {
        const std::int32_t amount = fact > 0 ? 1 : -1;
        const std::int32_t number = fact > 0 ? fact : -fact;
        if (fact < 0) ++sums_[index];  // a denied fact is true until it is met
        Changes& changes =
            number <= places ? changes_at_[number - 1] : changes_least_[number - places - 1];
        if (!changes.empty() && changes.back().claim == index)
            changes.back().amount += amount;
        else
            changes.push_back({index, amount});
    }
}

// One peg can change a claim's sum by what its color is worth in place, plus what reaching one more
// peg of that color is worth. Summed from the last peg backwards this tells how far a sum can still
// move.
void Search::bound(const std::vector<Claim>& claims) {
    std::vector<std::int32_t> gain(colors_ * claims_, 0), loss(colors_ * claims_, 0);
    for (std::size_t color = 0; color < colors_; ++color)
        for (std::size_t count = 1; count <= pegs_; ++count)
            for (const Change& change : least(color, count)) {
                auto& up = gain[color * claims_ + change.claim];
                auto& down = loss[color * claims_ + change.claim];
                up = std::max(up, change.amount);
                down = std::min(down, change.amount);
            }
    std::vector<std::int32_t> base_up(claims_, 0), base_down(claims_, 0);
    for (std::size_t color = 0; color < colors_; ++color)
        for (std::size_t claim = 0; claim < claims_; ++claim) {
            base_up[claim] = std::max(base_up[claim], gain[color * claims_ + claim]);
            base_down[claim] = std::min(base_down[claim], loss[color * claims_ + claim]);
        }

    least_sum_.assign(pegs_ * claims_, 0);
    most_sum_.assign(pegs_ * claims_, 0);
    std::vector<std::int32_t> up(claims_, 0), down(claims_, 0);  // of the pegs after this one
    std::vector<std::int32_t> peg_up, peg_down;
    for (std::size_t peg = pegs_; peg-- > 0;) {
        for (std::size_t claim = 0; claim < claims_; ++claim) {
            least_sum_[peg * claims_ + claim] = claims[claim].low - up[claim];
            most_sum_[peg * claims_ + claim] = claims[claim].high - down[claim];
        }
        peg_up = base_up;
        peg_down = base_down;
        for (std::size_t color = 0; color < colors_; ++color)
            for (const Change& change : at(peg, color)) {
                const std::size_t cell = color * claims_ + change.claim;
                auto& highest = peg_up[change.claim];
                auto& lowest = peg_down[change.claim];
                highest = std::max(highest, change.amount + gain[cell]);
                lowest = std::min(lowest, change.amount + loss[cell]);
            }
        for (std::size_t claim = 0; claim < claims_; ++claim) {
            up[claim] += peg_up[claim];
            down[claim] += peg_down[claim];
        }
    }
    for (std::size_t claim = 0; claim < claims_; ++claim)
        if (rows_[claim] < 0 && (sums_[claim] + up[claim] < claims[claim].low ||
                                 sums_[claim] + down[claim] > claims[claim].high))
            possible_ = false;
}

bool Search::place(std::size_t peg, std::size_t color) {
    code_[peg] = static_cast<std::uint16_t>(color);
    const std::size_t count = ++counts_[color];
    for (const Change& change : at(peg, color)) sums_[change.claim] += change.amount;
    for (const Change& change : least(color, count)) sums_[change.claim] += change.amount;
    const std::int32_t* low = &least_sum_[peg * claims_];
    const std::int32_t* high = &most_sum_[peg * claims_];
    std::int32_t broken = 0;
    for (std::size_t claim = 0; claim < claims_; ++claim)
        broken |= (sums_[claim] < low[claim]) | (sums_[claim] > high[claim]);
    broken_ = 0;
    return broken == 0 || (slack_ > 0 && within_slack(low, high));
}

bool Search::within_slack(const std::int32_t* low, const std::int32_t* high) {
    std::int32_t last = -1;   // the row counted last,
    std::uint32_t worst = 0;  // and for how much
    for (std::size_t claim = 0; claim < claims_; ++claim) {
        const std::int32_t missed = std::max(low[claim] - sums_[claim], sums_[claim] - high[claim]);
        if (missed <= 0) continue;
        if (rows_[claim] < 0) return false;
        if (rows_[claim] != last) worst = 0;
        last = rows_[claim];
        if (price(missed) <= worst) continue;
        broken_ += price(missed) - worst;
        if (broken_ > slack_) return false;
        worst = price(missed);
    }
    return true;
}

// The late claims of a whole code. What a row is counted for by its early claims is counted.
bool Search::keeps_late() {
    const bool counted = broken_ > 0;
    std::int32_t last = -1;
    std::uint32_t worst = 0;
    for (const LateClaim& claim : late_) {
        const std::int32_t missed = excess(claim);
        if (missed <= 0) continue;
        if (claim.row < 0) return false;
        if (claim.row != last) worst = counted ? early_price(claim.row) : 0;
        last = claim.row;
        if (price(missed) <= worst) continue;
        broken_ += price(missed) - worst;
        if (broken_ > slack_) return false;
        worst = price(missed);
    }
    return true;
}

// How far a late claim is missed; not above 0 where it holds.
std::int32_t Search::excess(const LateClaim& claim) const {
    std::int32_t sum = 0;
    for (const std::vector<Test>& tests : claim.conjunctions)
        sum += std::all_of(tests.begin(), tests.end(), [this](const Test& t) { return holds(t); });
    return std::max(claim.low - sum, sum - claim.high);
}

// What a row is counted for by those claims of a whole code that were looked at on the way.
std::uint32_t Search::early_price(std::int32_t row) const {
    const std::int32_t* low = &least_sum_[(pegs_ - 1) * claims_];
    const std::int32_t* high = &most_sum_[(pegs_ - 1) * claims_];
    const auto claims = std::equal_range(rows_.begin(), rows_.end(), row);
    std::int32_t worst = 0;
    for (auto claim = claims.first - rows_.begin(); claim < claims.second - rows_.begin(); ++claim)
        worst = std::max({worst, low[claim] - sums_[claim], sums_[claim] - high[claim]});
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
    for (const Change& change : at(peg, color)) sums_[change.claim] -= change.amount;
    for (const Change& change : least(color, counts_[color])) sums_[change.claim] -= change.amount;
    --counts_[color];
}

Status Search::step(std::uint64_t& nodes) {
    if (!possible_) return Status::exhausted;
    for (;;) {
        if (is_listed_ && depth_ < pegs_) seek();
        if (depth_ == pegs_ || next_color_ == colors_) {  // nothing more below: go back one peg
            if (depth_ == 0) return Status::exhausted;
            --depth_;
            lift(depth_, code_[depth_]);
            next_color_ = code_[depth_] + std::size_t{1};
            continue;
        }
        if (nodes == 0) return Status::budget_spent;
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
                return Status::code_found;
            }
        } else {
            lift(depth_, next_color_);
            ++next_color_;
        }
    }
}

Status Search::advance(std::uint64_t nodes) {
    return step(nodes);
}

Status Search::count(std::uint64_t nodes) {
    Status status = Status::code_found;
    while (status == Status::code_found) status = step(nodes);
    return status;
}

}  // namespace mmsat
