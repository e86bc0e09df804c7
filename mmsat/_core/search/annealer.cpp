// Simulated annealing over codes (annealer.hpp). The sum of a constraint is its number of true
// literals, and its violation is the distance between the sum and the interval [low, high]. If the
// sums fit in bytes, a vector holds 16 of them, one constraint per lane.
#include "search/annealer.hpp"

#include <algorithm>
#include <cassert>
#include <set>
#include <utility>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace mmsat::search {

namespace {

// Steps that increase the violation by more are never accepted.
constexpr std::size_t kMaxIncrease = 64;
// Packed sums are from -kMaxPackedSum to kMaxPackedSum, and sum 0 is stored as kPackedZero.
constexpr std::int32_t kMaxPackedSum = 120;
constexpr std::int32_t kPackedZero = 128;
constexpr std::size_t kMaxLanes = 1024;
constexpr std::size_t kMaxPackedBytes = std::size_t{1} << 23;
// Number of steps with the same probability during annealing.
constexpr std::uint64_t kStepsPerPhase = 256;

// Return the product of two probabilities.
std::uint64_t multiply(std::uint64_t one, std::uint64_t other) {
    return static_cast<std::uint64_t>((static_cast<unsigned __int128>(one) * other) >> 32);
}

// Return the smallest factor, as a probability, such that `hot` multiplied `phases` times by the
// factor is above `cold`, or kCertain if no smaller factor has this property.
std::uint64_t cooling_factor(std::uint64_t hot, std::uint64_t cold, std::uint64_t phases) {
    std::uint64_t low = 0, high = kCertain;
    while (high - low > 1) {
        const std::uint64_t middle = low + (high - low) / 2;
        std::uint64_t power = kCertain, base = middle;
        for (std::uint64_t exponent = phases; exponent > 0;
             exponent >>= 1, base = multiply(base, base))
            if (exponent & 1) power = multiply(power, base);
        (multiply(hot, power) <= cold ? low : high) = middle;
    }
    return high;
}

}  // namespace

Annealer::Annealer(std::size_t pegs, std::size_t colors, std::uint64_t seed)
    : pegs_(pegs),
      colors_(colors),
      random_(seed),
      peg_changes_(pegs * colors),
      count_changes_(pegs * colors),
      code_(pegs, 0),
      counts_(colors, 0),
      acceptance_(kMaxIncrease + 1, 0) {
    randomize();
}

void Annealer::add(const Constraint& constraint) {
    const auto index = static_cast<std::int32_t>(low_.size());
    low_.push_back(constraint.low);
    high_.push_back(constraint.high);
    num_negated_.push_back(add_changes(constraint, index, peg_changes_, count_changes_));
    sums_.push_back(0);
    pending_.push_back(0);
    is_touched_.push_back(0);
    is_packing_pending_ = true;
    recompute_sums();
}

void Annealer::set_code(std::vector<std::uint16_t> code) {
    code_ = std::move(code);
    recompute_sums();
}

void Annealer::randomize() {
    for (auto& color : code_) color = static_cast<std::uint16_t>(random_.below(colors_));
    recompute_sums();
}

// Recompute all sums and the violation from the code.
void Annealer::recompute_sums() {
    counts_.assign(colors_, 0);
    sums_ = num_negated_;
    for (std::size_t peg = 0; peg < pegs_; ++peg) {
        const std::size_t color = code_[peg];
        for (const Change& change : peg_changes_[peg * colors_ + color])
            sums_[change.constraint] += change.amount;
        for (const Change& change : count_changes_[color * pegs_ + counts_[color]])
            sums_[change.constraint] += change.amount;
        ++counts_[color];
    }
    violation_ = 0;
    for (std::size_t constraint = 0; constraint < sums_.size(); ++constraint)
        violation_ += violation_of(static_cast<std::int32_t>(constraint), sums_[constraint]);
    copy_sums_to_lanes();
}

// Build the byte tables if the machine has SSE2 and all sums fit in bytes.
void Annealer::build_packed_tables() {
    is_packing_pending_ = false;
    is_packed_ = false;
#if defined(__SSE2__)
    const std::size_t num_constraints = sums_.size();
    // Bound on the absolute change of a sum by all literals without conjunctions that are true at
    // the same time: one per peg, and one count per peg.
    const auto max_change = static_cast<std::int64_t>(2 * pegs_);
    if (max_change > kMaxPackedSum || num_constraints > kMaxLanes ||
        num_constraints * pegs_ * colors_ > kMaxPackedBytes)
        return;
    std::vector<char> is_about_pegs(num_constraints, 0);
    for (const Changes& changes : peg_changes_)
        for (const Change& change : changes) is_about_pegs[change.constraint] = 1;
    for (std::size_t constraint = 0; constraint < num_constraints; ++constraint)
        if (num_negated_[constraint] + max_change > kMaxPackedSum ||
            low_[constraint] > kMaxPackedSum || high_[constraint] < -kMaxPackedSum ||
            low_[constraint] > high_[constraint])
            // Sums or bounds do not fit in bytes, or the interval is empty, so that a sum may miss
            // both bounds; a lane measures the distance to one bound only.
            return;
    for (const auto* table : {&peg_changes_, &count_changes_})
        for (const Changes& changes : *table)
            for (const Change& change : changes)
                if (change.amount > 1 || change.amount < -1) return;
    const auto padded = [](std::size_t num_lanes) { return (num_lanes + 15) / 16 * 16; };
    lane_.assign(num_constraints, 0);
    std::int32_t next_lane = 0;
    for (char about_pegs : {char{1}, char{0}}) {
        for (std::size_t constraint = 0; constraint < num_constraints; ++constraint)
            if (is_about_pegs[constraint] == about_pegs) lane_[constraint] = next_lane++;
        if (about_pegs) peg_lanes_ = padded(static_cast<std::size_t>(next_lane));
    }
    lanes_ = padded(num_constraints);
    packed_peg_changes_.assign(peg_changes_.size() * lanes_, 0);
    packed_count_changes_.assign(count_changes_.size() * lanes_, 0);
    for (std::size_t i = 0; i < peg_changes_.size(); ++i) {
        for (const Change& change : peg_changes_[i])
            packed_peg_changes_[i * lanes_ + lane_[change.constraint]] =
                static_cast<std::uint8_t>(change.amount);
        for (const Change& change : count_changes_[i])
            packed_count_changes_[i * lanes_ + lane_[change.constraint]] =
                static_cast<std::uint8_t>(change.amount);
    }
    packed_low_.assign(lanes_, 0);
    packed_high_.assign(lanes_, 255);  // lanes without a constraint are never violated
    for (std::size_t constraint = 0; constraint < num_constraints; ++constraint) {
        const std::int32_t low = std::max(low_[constraint], -kMaxPackedSum);
        const std::int32_t high = std::min(high_[constraint], kMaxPackedSum);
        packed_low_[lane_[constraint]] = static_cast<std::uint8_t>(kPackedZero + low);
        packed_high_[lane_[constraint]] = static_cast<std::uint8_t>(kPackedZero + high);
    }
    packed_sums_.assign(lanes_, static_cast<std::uint8_t>(kPackedZero));
    packed_next_.assign(lanes_, 0);
    is_packed_ = true;
    copy_sums_to_lanes();
#endif
}

// Copy the sums to their lanes.
void Annealer::copy_sums_to_lanes() {
    if (!is_packed_ || is_packing_pending_) return;
    for (std::size_t constraint = 0; constraint < sums_.size(); ++constraint)
        packed_sums_[lane_[constraint]] =
            static_cast<std::uint8_t>(kPackedZero + sums_[constraint]);
}

// Return the change of the violation in the first `num_lanes` lanes if `num_rows` rows of changes
// are added (`gained`) and as many are subtracted (`lost`). Writes the new sums to `sums`.
std::int64_t Annealer::packed_violation_change(const std::uint8_t* const* gained,
                                               const std::uint8_t* const* lost,
                                               std::size_t num_rows, std::size_t num_lanes,
                                               std::uint8_t* sums) const {
#if defined(__SSE2__)
    const auto load = [](const std::uint8_t* source) {
        return _mm_loadu_si128(reinterpret_cast<const __m128i*>(source));
    };
    const __m128i zero = _mm_setzero_si128();
    __m128i increase = zero;  // of the violation; one sum per half of the vector
    for (std::size_t lane = 0; lane < num_lanes; lane += 16) {
        const __m128i low = load(&packed_low_[lane]), high = load(&packed_high_[lane]);
        const __m128i before = load(&packed_sums_[lane]);
        __m128i after = before;
        for (std::size_t i = 0; i < num_rows; ++i)
            after = _mm_add_epi8(after, _mm_sub_epi8(load(gained[i] + lane), load(lost[i] + lane)));
        const auto violation = [&](__m128i sum) {
            const __m128i distances =
                _mm_or_si128(_mm_subs_epu8(low, sum), _mm_subs_epu8(sum, high));
            return _mm_sad_epu8(distances, zero);
        };
        increase = _mm_add_epi64(increase, _mm_sub_epi64(violation(after), violation(before)));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(sums + lane), after);
    }
    std::int64_t halves[2];
    _mm_storeu_si128(reinterpret_cast<__m128i*>(halves), increase);
    return halves[0] + halves[1];
#else
    (void)gained, (void)lost, (void)num_rows, (void)num_lanes, (void)sums;
    return 0;
#endif
}

// Accept or reject a packed step and return whether it is accepted.
bool Annealer::accept_packed(const std::uint8_t* const* gained, const std::uint8_t* const* lost,
                             std::size_t num_rows, std::size_t num_lanes) {
    const std::int64_t increase =
        packed_violation_change(gained, lost, num_rows, num_lanes, packed_next_.data());
    if (!is_accepted(increase)) return false;
    std::copy_n(packed_next_.begin(), num_lanes, packed_sums_.begin());
    violation_ += increase;
    assert(violation_ >= 0);
    return true;
}

void Annealer::set_acceptance(std::uint64_t chance) {
    acceptance_[0] = kCertain;
    for (std::size_t increase = 1; increase <= kMaxIncrease; ++increase)
        acceptance_[increase] = multiply(acceptance_[increase - 1], chance);
}

void Annealer::add_pending(const Changes& changes, std::int32_t sign) {
    for (const Change& change : changes) {
        if (!is_touched_[change.constraint]) {
            is_touched_[change.constraint] = 1;
            touched_.push_back(change.constraint);
        }
        pending_[change.constraint] += sign * change.amount;
    }
}

// Add the changes of a peg's color to the pending changes.
void Annealer::recolor(std::size_t peg, std::uint16_t new_color) {
    add_pending(peg_changes_[peg * colors_ + code_[peg]], -1);
    add_pending(peg_changes_[peg * colors_ + new_color], 1);
}

// Add the changes of two colors' counts to the pending changes.
void Annealer::recount(std::uint16_t old_color, std::uint16_t new_color) {
    add_pending(count_changes_[old_color * pegs_ + counts_[old_color] - 1], -1);
    add_pending(count_changes_[new_color * pegs_ + counts_[new_color]], 1);
}

// Decide at random whether to accept a step that increases the violation by `increase`.
bool Annealer::is_accepted(std::int64_t increase) {
    return increase <= 0 ||
           (increase <= static_cast<std::int64_t>(kMaxIncrease) &&
            (random_.next() >> 32) < acceptance_[static_cast<std::size_t>(increase)]);
}

// Accept or reject the pending changes, clear them, and return whether they are accepted.
bool Annealer::accept_pending() {
    std::int64_t increase = 0;
    for (std::int32_t constraint : touched_)
        increase += violation_of(constraint, sums_[constraint] + pending_[constraint]) -
                    violation_of(constraint, sums_[constraint]);
    const bool is_step_accepted = is_accepted(increase);
    for (std::int32_t constraint : touched_) {
        if (is_step_accepted) sums_[constraint] += pending_[constraint];
        pending_[constraint] = 0;
        is_touched_[constraint] = 0;
    }
    touched_.clear();
    if (is_step_accepted) violation_ += increase;
    assert(violation_ >= 0);
    return is_step_accepted;
}

// Try one random step: with probability 3/4 swap two pegs, otherwise recolor one peg. A swap
// changes no color counts, so it only needs the lanes of constraints about pegs.
void Annealer::step() {
    const std::size_t peg = random_.below(pegs_);
    const std::uint16_t old_color = code_[peg];
    if (random_.next() & 3) {
        const std::size_t other = random_.below(pegs_);
        const std::uint16_t new_color = code_[other];
        if (old_color == new_color) return;
        if (is_packed_) {
            const std::uint8_t* gained[] = {packed_peg_change(peg, new_color),
                                            packed_peg_change(other, old_color)};
            const std::uint8_t* lost[] = {packed_peg_change(peg, old_color),
                                          packed_peg_change(other, new_color)};
            if (accept_packed(gained, lost, 2, peg_lanes_)) std::swap(code_[peg], code_[other]);
            return;
        }
        recolor(peg, new_color);
        recolor(other, old_color);
        if (accept_pending()) std::swap(code_[peg], code_[other]);
        return;
    }
    // A new color changes two counts: the old color loses its last peg, the new one gains a peg.
    const auto new_color = static_cast<std::uint16_t>(random_.below(colors_));
    if (old_color == new_color) return;
    if (is_packed_) {
        const std::uint8_t* gained[] = {packed_peg_change(peg, new_color),
                                        packed_count_change(new_color, counts_[new_color])};
        const std::uint8_t* lost[] = {packed_peg_change(peg, old_color),
                                      packed_count_change(old_color, counts_[old_color] - 1)};
        if (!accept_packed(gained, lost, 2, lanes_)) return;
    } else {
        recolor(peg, new_color);
        recount(old_color, new_color);
        if (!accept_pending()) return;
    }
    code_[peg] = new_color;
    --counts_[old_color];
    ++counts_[new_color];
}

// The acceptance probability is lowered after every kStepsPerPhase steps.
bool Annealer::anneal(std::uint64_t steps, std::uint64_t hot, std::uint64_t cold) {
    const std::uint64_t phases = steps / kStepsPerPhase + 1;
    const std::uint64_t factor = cooling_factor(hot, cold, phases);
    std::uint64_t chance = hot;
    if (is_packing_pending_) build_packed_tables();
    for (std::uint64_t i = 0; violation_ > 0 && i < steps; ++i) {
        if (i % kStepsPerPhase == 0) {
            set_acceptance(chance);
            chance = multiply(chance, factor);
        }
        step();
    }
    return violation_ == 0;
}

std::vector<std::vector<std::uint16_t>> Annealer::sample(std::uint64_t steps, std::uint64_t chance,
                                                         std::uint64_t gap, std::size_t max_codes) {
    std::vector<std::vector<std::uint16_t>> codes;
    std::set<std::vector<std::uint16_t>> distinct_codes;
    std::uint64_t steps_to_check = 0;
    if (is_packing_pending_) build_packed_tables();
    set_acceptance(chance);
    for (std::uint64_t i = 0; i < steps && codes.size() < max_codes; ++i) {
        if (violation_ == 0 && steps_to_check == 0) {
            steps_to_check = gap;
            if (distinct_codes.insert(code_).second) codes.push_back(code_);
        }
        if (steps_to_check > 0) --steps_to_check;
        step();
    }
    return codes;
}

}  // namespace mmsat::search
