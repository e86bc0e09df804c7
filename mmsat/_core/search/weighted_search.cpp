#include "search/weighted_search.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace mmsat::search {

// Factor by which the increment of a weight grows with each failure; beyond kMostRaise weights are
// scaled down.
static constexpr double kGrowth = 1.0005;
static constexpr double kMostRaise = 1e9;
// Largest weight after scaling, and smallest one.
static constexpr double kMostAtFirst = 100, kLeast = 1e-6;
// Failures before the first restart, and the factor by which this number grows.
static constexpr std::uint64_t kFirstRun = 200;
static constexpr std::uint64_t kRunGrowth = 3;
// Bound that no slack uses up, and the ease of constraints that are not branched on.
static constexpr std::int32_t kNoBound = 1 << 28;
static constexpr float kEasy = 1e30f;

WeightedSearch::WeightedSearch(std::size_t pegs, std::size_t colors,
                               const std::vector<Constraint>& constraints,
                               const Conjunctions& conjunctions, std::vector<char> is_spare,
                               std::size_t most)
    : pegs_(pegs),
      colors_(colors),
      rows_(is_spare.size()),
      most_(most),
      values_(2 * pegs * colors + conjunctions.size(), -1),
      trail_(values_.size() + 1),
      is_spare_(std::move(is_spare)),
      is_missed_(rows_ + 1, 0),
      is_used_(rows_ + 1, 0),
      weights_(rows_ + pegs + colors, 1),
      run_(kFirstRun),
      until_(kFirstRun),
      code_(pegs, 0) {
    is_spare_.push_back(0);
    const std::size_t places = pegs * colors;
    for (std::size_t peg = 0; peg < pegs; ++peg) {
        std::vector<Literal> literals;
        for (std::size_t color = 0; color < colors; ++color)
            literals.push_back(static_cast<Literal>(2 * (peg * colors + color)));
        state(std::move(literals), 1, 1, rows_, rows_ + peg);
    }
    std::vector<char> is_counted(places, 0);
    const auto read = [&](const std::vector<std::int32_t>& stated) {
        std::vector<Literal> literals;
        for (std::int32_t literal : stated) {
            const auto variable = static_cast<std::size_t>(std::abs(literal) - 1);
            literals.push_back(static_cast<Literal>(2 * variable + (literal < 0)));
            if (variable >= places && variable < 2 * places) is_counted[variable - places] = 1;
        }
        return literals;
    };
    const auto family_of = [&](const std::vector<Literal>& literals) {
        const std::size_t first = literals.empty() ? 0 : literals.front() >> 1;
        return rows_ + pegs + color_of(first < 2 * places ? first : 0);
    };
    for (const Constraint& constraint : constraints) {
        std::vector<Literal> literals = read(constraint.literals);
        const bool is_of_row = constraint.row >= 0;
        const std::size_t row = is_of_row ? static_cast<std::size_t>(constraint.row) : rows_;
        const std::size_t family = is_of_row ? row : family_of(literals);
        state(std::move(literals), constraint.low, constraint.high, row, family);
    }
    for (std::size_t number = 0; number < conjunctions.size(); ++number) {
        std::vector<Literal> literals = read(conjunctions[number]);
        const std::size_t all = literals.size(), family = family_of(literals);
        link(static_cast<Literal>(2 * (2 * places + number)), std::move(literals), all, family);
    }
    for (std::size_t number = 0; number < places; ++number)
        if (is_counted[number]) link_count(number);
    set_up();
}

// Bounds are clamped to values that can be violated, so that slacks stay small.
void WeightedSearch::state(std::vector<Literal> literals, std::int32_t low, std::int32_t high,
                           std::size_t row, std::size_t family) {
    const auto many = static_cast<std::int32_t>(literals.size());
    low = std::clamp(low, 0, many + 1);
    high = std::clamp(high, -1, many);
    stated_.push_back({std::move(literals), low, high, row, family, -1, 1});
}

// Define `stated` by two weighted constraints: count * ~stated + literals >= count, and (n - count
// + 1) * stated + negated literals >= n - count + 1.
void WeightedSearch::link(Literal stated, std::vector<Literal> literals, std::size_t count,
                          std::size_t family) {
    auto needed = static_cast<std::int32_t>(count);
    stated_.push_back({literals, needed, kNoBound, rows_, family, stated ^ 1, needed});
    needed = static_cast<std::int32_t>(literals.size() - count + 1);
    for (Literal& literal : literals) literal ^= 1;
    stated_.push_back({std::move(literals), needed, kNoBound, rows_, family, stated, needed});
}

void WeightedSearch::link_count(std::size_t number) {
    const std::size_t color = number / pegs_, count = number % pegs_ + 1;
    std::vector<Literal> literals;
    for (std::size_t peg = 0; peg < pegs_; ++peg)
        literals.push_back(static_cast<Literal>(2 * (peg * colors_ + color)));
    link(static_cast<Literal>(2 * (pegs_ * colors_ + number)), std::move(literals), count,
         rows_ + pegs_ + color);
}

std::size_t WeightedSearch::color_of(std::size_t variable) const {
    const std::size_t places = pegs_ * colors_;
    return variable < places ? variable % colors_ : (variable - places) / pegs_;
}

// Initialize the sides and weights once all constraints are added.
void WeightedSearch::set_up() {
    const std::size_t many = stated_.size();
    members_.resize(weights_.size());
    for (std::size_t constraint = 0; constraint < many; ++constraint) {
        const Stated& each = stated_[constraint];
        const auto length = static_cast<std::int32_t>(each.literals.size());
        slack_.push_back(length + (each.heavy < 0 ? 0 : each.weight) - each.low);
        width_.push_back(each.high - each.low);
        heaviest_.push_back(each.weight);
        members_[each.family].push_back(static_cast<std::uint32_t>(constraint));
        if (is_spare_[each.row]) spare_.push_back(static_cast<std::uint32_t>(constraint));
    }
    for (const Stated& each : stated_) slack_.push_back(each.high);
    heaviest_.resize(2 * many, 1);
    weight_.resize(many);
    ease_.resize(many);
    scores_.resize(many);
    pack();
    set_weights(std::move(weights_));
}

// Rebuild the lists of open literals of each constraint, and of the sides affected by each open
// literal.
void WeightedSearch::pack() {
    const std::size_t many = stated_.size();
    std::vector<std::vector<Loss>> losses(2 * values_.size());
    const auto lose = [&](Literal literal, std::size_t side, std::int32_t amount) {
        losses[literal].push_back({static_cast<std::uint32_t>(side), amount});
    };
    literals_.clear();
    literals_from_.assign(1, 0);
    for (std::size_t constraint = 0; constraint < many; ++constraint) {
        const Stated& each = stated_[constraint];
        for (Literal literal : each.literals) {
            if (!is_open(literal)) continue;
            literals_.push_back(literal);
            lose(literal ^ 1, constraint, 1);
            if (each.heavy < 0) lose(literal, constraint + many, 1);
        }
        if (each.heavy >= 0 && is_open(each.heavy)) lose(each.heavy ^ 1, constraint, each.weight);
        literals_from_.push_back(static_cast<std::uint32_t>(literals_.size()));
    }
    losses_.clear();
    losses_from_.assign(1, 0);
    for (const auto& each : losses) {
        losses_.insert(losses_.end(), each.begin(), each.end());
        losses_from_.push_back(static_cast<std::uint32_t>(losses_.size()));
    }
}

// Large weights are scaled to at most kMostAtFirst, so that new failures soon count as much.
void WeightedSearch::set_weights(Weights weights) {
    weights_ = std::move(weights);
    const double most = *std::max_element(weights_.begin(), weights_.end());
    if (most > kMostAtFirst)
        for (double& weight : weights_) weight = std::max(weight * kMostAtFirst / most, kLeast);
    raise_ = 1;
    for (std::size_t constraint = 0; constraint < stated_.size(); ++constraint) weigh(constraint);
}

void WeightedSearch::weigh(std::size_t constraint) {
    const Stated& each = stated_[constraint];
    weight_[constraint] = static_cast<float>(weights_[each.family]);
    ease_[constraint] = each.heavy < 0 && is_held(each.row) ? 1 / weight_[constraint] : kEasy;
}

SearchStatus WeightedSearch::advance(std::uint64_t failures) {
    if (!is_begun_) {
        is_begun_ = true;
        is_over_ = !begin();
    } else if (is_at_code_) {
        is_kept_ = is_kept_ || !is_excluded();
        do is_over_ = !retreat();
        while (!is_over_ && is_excluded());
    }
    is_at_code_ = false;
    while (!is_over_) {
        if (propagate()) {
            const std::size_t constraint = hardest();
            if (constraint == stated_.size()) {
                read_code();
                is_at_code_ = true;
                return SearchStatus::code_found;
            }
            levels_.push_back({assigned_, missed_.size(), choose(constraint)});
            saved_.insert(saved_.end(), slack_.begin(), slack_.end());
            assign(levels_.back().decision);
            continue;
        }
        ++failures_;
        is_over_ = !retreat();
        if (!is_over_ && failures_ >= until_ && !is_kept_) restart();
        if (failures-- <= 1) return SearchStatus::budget_spent;
    }
    return SearchStatus::exhausted;
}

bool WeightedSearch::begin() {
    for (std::size_t side = 0; side < slack_.size(); ++side) {
        if (slack_[side] < 0) {
            if (!lack(side)) return false;
        } else if (slack_[side] < heaviest_[side]) {
            tight_.push_back(static_cast<std::uint32_t>(side));
        }
    }
    if (!propagate()) return false;
    pack();  // literals assigned at the root need not be visited again
    return true;
}

bool WeightedSearch::propagate() {
    for (;;) {
        for (std::size_t next = 0; next < tight_.size(); ++next) force(tight_[next]);
        tight_.clear();
        if (taken_ == assigned_) return true;
        while (taken_ < assigned_)
            if (!take(trail_[taken_++])) {
                tight_.clear();
                return false;
            }
    }
}

// Update the slacks after a literal has become true. Returns false on a conflict.
bool WeightedSearch::take(Literal literal) {
    const Loss* const end = losses_.data() + losses_from_[literal + 1];
    std::int32_t* const slack = slack_.data();
    const std::int32_t* const heaviest = heaviest_.data();
    for (const Loss* loss = losses_.data() + losses_from_[literal]; loss != end; ++loss) {
        const std::int32_t left = slack[loss->side] -= loss->amount;
        if (left >= heaviest[loss->side]) continue;
        if (left >= 0)
            tight_.push_back(loss->side);
        else if (!lack(loss->side))
            return false;
    }
    return true;
}

// Handle a side that can no longer be satisfied. Returns whether its row may be violated; otherwise
// bumps its weight.
bool WeightedSearch::lack(std::size_t side) {
    const std::size_t row = stated_[constraint_of(side)].row;
    if (is_missed_[row]) return true;
    if (!is_held(row)) return miss(row);
    blame(side);
    return false;
}

// Mark one more relaxable row as violated. When the maximum number of rows is violated, all other
// rows become hard, so their sides may now force literals. Returns false if the set of violated
// rows is excluded.
bool WeightedSearch::miss(std::size_t row) {
    is_missed_[row] = is_used_[row] = 1;
    missed_.push_back(row);
    if (is_excluded()) return false;
    if (missed_.size() < most_) return true;
    for (std::uint32_t constraint : spare_) {
        weigh(constraint);
        for (std::size_t side : {std::size_t{constraint}, constraint + stated_.size()})
            if (slack_[side] < 1) tight_.push_back(static_cast<std::uint32_t>(side));
    }
    return true;
}

bool WeightedSearch::is_excluded() const {
    return std::any_of(excluded_.begin(), excluded_.end(), [&](const auto& rows) {
        return std::all_of(rows.begin(), rows.end(),
                           [&](std::int32_t row) { return is_missed_[row] != 0; });
    });
}

// A single excluded row is no longer relaxable.
void WeightedSearch::exclude(std::vector<std::int32_t> rows) {
    if (rows.size() == 1) is_spare_[rows.front()] = 0;
    excluded_.push_back(std::move(rows));
    for (std::uint32_t constraint : spare_) weigh(constraint);
}

// Assign the literals that a side without enough slack forces.
void WeightedSearch::force(std::size_t side) {
    const std::size_t constraint = constraint_of(side);
    const Stated& stated = stated_[constraint];
    if (open(constraint) == 0 && stated.heavy < 0) return;
    if (!is_held(stated.row)) return;
    const std::size_t before = assigned_;
    std::size_t assigned = before;
    const Literal denied = side != constraint;
    if (slack_[side] == 0) {
        // Branchless, because the branch would be unpredictable: write each literal to the end of
        // the trail, and advance the end only if the literal is unassigned.
        signed char* const values = values_.data();
        Literal* const trail = trail_.data();
        const Literal* const end = literals_.data() + literals_from_[constraint + 1];
        for (const Literal* next = literals_.data() + literals_from_[constraint]; next < end;
             ++next) {
            const Literal literal = *next ^ denied;
            const int value = values[literal >> 1], is_open = value >> 7 & 1;
            values[literal >> 1] = static_cast<signed char>(value + is_open * (2 - (literal & 1)));
            trail[assigned] = literal;
            assigned += static_cast<std::size_t>(is_open);
        }
        assigned_ = assigned;
    }
    if (stated.heavy >= 0 && !denied && is_open(stated.heavy) && slack_[side] < stated.weight)
        assign(stated.heavy);
    if (assigned_ > before) is_used_[stated.row] = 1;
}

// Bump the weight of the constraint's family.
void WeightedSearch::blame(std::size_t side) {
    const Stated& stated = stated_[constraint_of(side)];
    is_used_[stated.row] = 1;
    weights_[stated.family] += raise_;
    raise_ *= kGrowth;
    if (raise_ > kMostRaise) set_weights(std::move(weights_));
    for (std::uint32_t constraint : members_[stated.family]) weigh(constraint);
}

// Return the constraint to branch on, or the number of constraints if all are decided or settled.
// Positive floats are compared by their bit patterns, as integers.
std::size_t WeightedSearch::hardest() {
    const std::size_t many = stated_.size();
    const std::int32_t *low = slack_.data(), *high = low + many, *width = width_.data();
    const float* const ease = ease_.data();
    std::int32_t* const scores = scores_.data();
    std::int32_t limit;
    std::memcpy(&limit, &kEasy, sizeof limit);
    std::int32_t least = limit;
    for (std::size_t at = 0; at < many; ++at) {
        const std::int32_t open = low[at] + high[at] - width[at];
        const float score = static_cast<float>(open) * ease[at];
        std::int32_t bits;
        std::memcpy(&bits, &score, sizeof bits);
        const bool is_settled = open == 0 || (high[at] <= width[at] && low[at] <= width[at]);
        bits = is_settled ? limit : bits;
        scores[at] = bits;
        least = bits < least ? bits : least;
    }
    if (least == limit) return many;
    return static_cast<std::size_t>(std::find(scores, scores + many, least) - scores);
}

// Return the literal of the constraint with the largest sum of weight / slack over the sides that
// it affects. Its sign is chosen to use up slack of the side with less slack (fail first).
WeightedSearch::Literal WeightedSearch::choose(std::size_t constraint) const {
    const Literal denied = slack_[constraint + stated_.size()] > slack_[constraint];
    Literal best = -1;
    float most = -1;
    for (std::uint32_t at = literals_from_[constraint]; at < literals_from_[constraint + 1]; ++at) {
        if (!is_open(literals_[at])) continue;
        const Literal literal = literals_[at] ^ denied;
        float worth = 0;
        for (std::uint32_t next = losses_from_[literal]; next < losses_from_[literal + 1]; ++next) {
            const std::size_t side = losses_[next].side;
            worth += weight_[constraint_of(side)] / static_cast<float>(std::max(slack_[side], 1));
        }
        if (worth > most) {
            best = literal;
            most = worth;
        }
    }
    return best;
}

// Backtrack to before the last decision and assign its negation. Returns false if there is no
// decision.
bool WeightedSearch::retreat() {
    if (levels_.empty()) return false;
    const Level level = levels_.back();
    levels_.pop_back();
    undo(level);
    assign(level.decision ^ 1);
    return true;
}

void WeightedSearch::undo(const Level& level) {
    const std::size_t sides = slack_.size(), saved = sides * levels_.size();
    std::copy_n(saved_.data() + saved, sides, slack_.data());
    saved_.resize(saved);
    taken_ = level.assigned;
    while (assigned_ > level.assigned) values_[trail_[--assigned_] >> 1] = -1;
    if (missed_.size() == level.missed) return;
    for (; missed_.size() > level.missed; missed_.pop_back()) is_missed_[missed_.back()] = 0;
    for (std::uint32_t constraint : spare_) weigh(constraint);
}

void WeightedSearch::restart() {
    run_ *= kRunGrowth;
    until_ = failures_ + run_;
    if (levels_.empty()) return;
    const Level first = levels_.front();
    levels_.clear();
    undo(first);
}

void WeightedSearch::read_code() {
    for (std::size_t peg = 0; peg < pegs_; ++peg)
        for (std::size_t color = 0; color < colors_; ++color)
            if (values_[peg * colors_ + color] > 0) code_[peg] = static_cast<std::uint16_t>(color);
}

}  // namespace mmsat::search
