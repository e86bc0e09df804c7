#include "search/annealer.hpp"

#include <algorithm>
#include <set>
#include <utility>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace mmsat::search {

namespace {

constexpr std::size_t kWorst = 64;   // steps that increase the violation by more are never accepted
constexpr std::int32_t kRoom = 120;  // packed sums are from -kRoom to kRoom,
constexpr std::int32_t kZero = 128;  // and sum 0 is stored as kZero
constexpr std::size_t kMostLanes = 1024;
constexpr std::size_t kMostBytes = std::size_t{1} << 23;
constexpr std::uint64_t kPhase = 256;  // number of steps with the same probability while cooling

std::uint64_t times(std::uint64_t one, std::uint64_t other) {  // multiply two probabilities
    return static_cast<std::uint64_t>((static_cast<unsigned __int128>(one) * other) >> 32);
}

// Return the smallest factor, as a probability, such that `hot` multiplied by it `phases` times
// stays above `cold`; kSure if no smaller factor does.
std::uint64_t factor(std::uint64_t hot, std::uint64_t cold, std::uint64_t phases) {
    std::uint64_t low = 0, high = kSure;
    while (high - low > 1) {
        const std::uint64_t middle = low + (high - low) / 2;
        std::uint64_t power = kSure, base = middle;
        for (std::uint64_t left = phases; left > 0; left >>= 1, base = times(base, base))
            if (left & 1) power = times(power, base);
        (times(hot, power) <= cold ? low : high) = middle;
    }
    return high;
}

}  // namespace

Annealer::Annealer(std::size_t pegs, std::size_t colors, std::uint64_t seed)
    : pegs_(pegs),
      colors_(colors),
      state_(seed),
      at_(pegs * colors),
      least_(pegs * colors),
      code_(pegs, 0),
      counts_(colors, 0),
      chances_(kWorst + 1, 0) {
    scatter();
}

void Annealer::add(const Constraint& constraint) {
    const auto index = static_cast<std::int32_t>(low_.size());
    const auto places = static_cast<std::int32_t>(pegs_ * colors_);
    std::int32_t base = 0;
    for (std::int32_t literal : constraint.literals) {
        const std::int32_t amount = literal > 0 ? 1 : -1;
        const std::int32_t number = literal > 0 ? literal : -literal;
        if (literal < 0) ++base;  // a negative literal is true until its variable is true
        Changes& changes = number <= places ? at_[number - 1] : least_[number - places - 1];
        if (!changes.empty() && changes.back().constraint == index)
            changes.back().amount += amount;
        else
            changes.push_back({index, amount});
    }
    low_.push_back(constraint.low);
    high_.push_back(constraint.high);
    base_.push_back(base);
    sums_.push_back(0);
    pending_.push_back(0);
    is_touched_.push_back(0);
    is_packing_due_ = true;
    refresh();
}

void Annealer::place(std::vector<std::uint16_t> code) {
    code_ = std::move(code);
    refresh();
}

void Annealer::scatter() {
    for (auto& color : code_) color = static_cast<std::uint16_t>(below(colors_));
    refresh();
}

// Recompute all sums and the violation from the code.
void Annealer::refresh() {
    counts_.assign(colors_, 0);
    sums_ = base_;
    for (std::size_t peg = 0; peg < pegs_; ++peg) {
        const std::size_t color = code_[peg];
        for (const Change& change : at_[peg * colors_ + color])
            sums_[change.constraint] += change.amount;
        for (const Change& change : least_[color * pegs_ + counts_[color]])
            sums_[change.constraint] += change.amount;
        ++counts_[color];
    }
    missed_ = 0;
    for (std::size_t constraint = 0; constraint < sums_.size(); ++constraint)
        missed_ += miss(static_cast<std::int32_t>(constraint), sums_[constraint]);
    place_lanes();
}

// Build the byte tables if the machine has SSE2 and all sums fit in bytes.
void Annealer::pack() {
    is_packing_due_ = false;
    is_packed_ = false;
#if defined(__SSE2__)
    const std::size_t constraints = sums_.size();
    // Bound on the number of literals that are true at the same time.
    const auto reach = static_cast<std::int64_t>(2 * pegs_);
    if (reach > kRoom || constraints > kMostLanes || constraints * pegs_ * colors_ > kMostBytes)
        return;
    std::vector<char> is_about_pegs(constraints, 0);
    for (const Changes& changes : at_)
        for (const Change& change : changes) is_about_pegs[change.constraint] = 1;
    for (std::size_t constraint = 0; constraint < constraints; ++constraint)
        if (base_[constraint] + reach > kRoom || low_[constraint] > kRoom ||
            high_[constraint] < -kRoom || low_[constraint] > high_[constraint])
            // An empty interval does not fit: a lane measures the distance to one bound only.
            return;
    for (const auto* all : {&at_, &least_})
        for (const Changes& changes : *all)
            for (const Change& change : changes)
                if (change.amount > 1 || change.amount < -1) return;
    const auto padded = [](std::size_t many) { return (many + 15) / 16 * 16; };
    lane_.assign(constraints, 0);
    std::int32_t next = 0;
    for (char wanted : {char{1}, char{0}}) {
        for (std::size_t constraint = 0; constraint < constraints; ++constraint)
            if (is_about_pegs[constraint] == wanted) lane_[constraint] = next++;
        if (wanted) peg_lanes_ = padded(static_cast<std::size_t>(next));
    }
    lanes_ = padded(constraints);
    packed_at_.assign(at_.size() * lanes_, 0);
    packed_least_.assign(least_.size() * lanes_, 0);
    for (std::size_t which = 0; which < at_.size(); ++which) {
        for (const Change& change : at_[which])
            packed_at_[which * lanes_ + lane_[change.constraint]] =
                static_cast<std::uint8_t>(change.amount);
        for (const Change& change : least_[which])
            packed_least_[which * lanes_ + lane_[change.constraint]] =
                static_cast<std::uint8_t>(change.amount);
    }
    packed_low_.assign(lanes_, 0);
    packed_high_.assign(lanes_, 255);  // lanes without a constraint are never violated
    for (std::size_t constraint = 0; constraint < constraints; ++constraint) {
        const std::int32_t low = std::max(low_[constraint], -kRoom);
        const std::int32_t high = std::min(high_[constraint], kRoom);
        packed_low_[lane_[constraint]] = static_cast<std::uint8_t>(kZero + low);
        packed_high_[lane_[constraint]] = static_cast<std::uint8_t>(kZero + high);
    }
    packed_sums_.assign(lanes_, static_cast<std::uint8_t>(kZero));
    packed_next_.assign(lanes_, 0);
    is_packed_ = true;
    place_lanes();
#endif
}

// Copy the sums to their lanes.
void Annealer::place_lanes() {
    if (!is_packed_ || is_packing_due_) return;
    for (std::size_t constraint = 0; constraint < sums_.size(); ++constraint)
        packed_sums_[lane_[constraint]] = static_cast<std::uint8_t>(kZero + sums_[constraint]);
}

// Return the change of the violation in the first `lanes` lanes if `many` rows of changes are added
// (`gained`) and subtracted (`lost`). The new sums are written to `sums`.
std::int64_t Annealer::weigh(const std::uint8_t* const* gained, const std::uint8_t* const* lost,
                             std::size_t many, std::size_t lanes, std::uint8_t* sums) const {
#if defined(__SSE2__)
    const auto load = [](const std::uint8_t* from) {
        return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
    };
    const __m128i zero = _mm_setzero_si128();
    __m128i worse = zero;  // one sum per half of the vector: violation after minus before
    for (std::size_t lane = 0; lane < lanes; lane += 16) {
        const __m128i low = load(&packed_low_[lane]), high = load(&packed_high_[lane]);
        const __m128i before = load(&packed_sums_[lane]);
        __m128i after = before;
        for (std::size_t each = 0; each < many; ++each)
            after = _mm_add_epi8(after,
                                 _mm_sub_epi8(load(gained[each] + lane), load(lost[each] + lane)));
        const auto missed = [&](__m128i sum) {
            const __m128i by = _mm_or_si128(_mm_subs_epu8(low, sum), _mm_subs_epu8(sum, high));
            return _mm_sad_epu8(by, zero);
        };
        worse = _mm_add_epi64(worse, _mm_sub_epi64(missed(after), missed(before)));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(sums + lane), after);
    }
    std::int64_t halves[2];
    _mm_storeu_si128(reinterpret_cast<__m128i*>(halves), worse);
    return halves[0] + halves[1];
#else
    (void)gained, (void)lost, (void)many, (void)lanes, (void)sums;
    return 0;
#endif
}

// Accept or reject a packed step and return whether it is accepted.
bool Annealer::settle_packed(const std::uint8_t* const* gained, const std::uint8_t* const* lost,
                             std::size_t many, std::size_t lanes) {
    const std::int64_t worse = weigh(gained, lost, many, lanes, packed_next_.data());
    if (!is_worth(worse)) return false;
    std::copy_n(packed_next_.begin(), lanes, packed_sums_.begin());
    missed_ += worse;
    return true;
}

// SplitMix64 (Steele, Lea and Flood 2014).
std::uint64_t Annealer::draw() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

void Annealer::set_chance(std::uint64_t chance) {
    chances_[0] = kSure;
    for (std::size_t worse = 1; worse <= kWorst; ++worse)
        chances_[worse] = times(chances_[worse - 1], chance);
}

void Annealer::touch(const Changes& changes, std::int32_t sign) {
    for (const Change& change : changes) {
        if (!is_touched_[change.constraint]) {
            is_touched_[change.constraint] = 1;
            touched_.push_back(change.constraint);
        }
        pending_[change.constraint] += sign * change.amount;
    }
}

void Annealer::recolor(std::size_t peg, std::uint16_t to) {
    touch(at_[peg * colors_ + code_[peg]], -1);
    touch(at_[peg * colors_ + to], 1);
}

void Annealer::recount(std::uint16_t from, std::uint16_t to) {
    touch(least_[from * pegs_ + counts_[from] - 1], -1);
    touch(least_[to * pegs_ + counts_[to]], 1);
}

// Decide at random whether to accept a step that increases the violation by `worse`.
bool Annealer::is_worth(std::int64_t worse) {
    return worse <= 0 || (worse <= static_cast<std::int64_t>(kWorst) &&
                          (draw() >> 32) < chances_[static_cast<std::size_t>(worse)]);
}

// Accept or reject the pending changes, clear them, and return whether they are accepted.
bool Annealer::settle() {
    std::int64_t worse = 0;
    for (std::int32_t constraint : touched_)
        worse += miss(constraint, sums_[constraint] + pending_[constraint]) -
                 miss(constraint, sums_[constraint]);
    const bool is_taken = is_worth(worse);
    for (std::int32_t constraint : touched_) {
        if (is_taken) sums_[constraint] += pending_[constraint];
        pending_[constraint] = 0;
        is_touched_[constraint] = 0;
    }
    touched_.clear();
    if (is_taken) missed_ += worse;
    return is_taken;
}

// Try one random step: with probability 3/4 swap two pegs, otherwise recolor one peg. A swap
// changes no color counts, so it only needs the lanes of constraints about pegs.
void Annealer::step() {
    const std::size_t peg = below(pegs_);
    const std::uint16_t from = code_[peg];
    if (draw() & 3) {
        const std::size_t other = below(pegs_);
        const std::uint16_t to = code_[other];
        if (from == to) return;
        if (is_packed_) {
            const std::uint8_t* gained[] = {lanes_at(peg, to), lanes_at(other, from)};
            const std::uint8_t* lost[] = {lanes_at(peg, from), lanes_at(other, to)};
            if (settle_packed(gained, lost, 2, peg_lanes_)) std::swap(code_[peg], code_[other]);
            return;
        }
        recolor(peg, to);
        recolor(other, from);
        if (settle()) std::swap(code_[peg], code_[other]);
        return;
    }
    const auto to = static_cast<std::uint16_t>(below(colors_));
    if (from == to) return;
    if (is_packed_) {
        const std::uint8_t* gained[] = {lanes_at(peg, to), lanes_least(to, counts_[to])};
        const std::uint8_t* lost[] = {lanes_at(peg, from), lanes_least(from, counts_[from] - 1)};
        if (!settle_packed(gained, lost, 2, lanes_)) return;
    } else {
        recolor(peg, to);
        recount(from, to);
        if (!settle()) return;
    }
    code_[peg] = to;
    --counts_[from];
    ++counts_[to];
}

// The acceptance probability is lowered every kPhase steps.
bool Annealer::cool(std::uint64_t steps, std::uint64_t hot, std::uint64_t cold) {
    const std::uint64_t phases = steps / kPhase + 1;
    const std::uint64_t smaller = factor(hot, cold, phases);
    std::uint64_t chance = hot;
    if (is_packing_due_) pack();
    for (std::uint64_t done = 0; missed_ > 0 && done < steps; ++done) {
        if (done % kPhase == 0) {
            set_chance(chance);
            chance = times(chance, smaller);
        }
        step();
    }
    return missed_ == 0;
}

std::vector<std::vector<std::uint16_t>> Annealer::collect(std::uint64_t steps, std::uint64_t chance,
                                                          std::uint64_t gap, std::size_t most) {
    std::vector<std::vector<std::uint16_t>> found;
    std::set<std::vector<std::uint16_t>> known;
    std::uint64_t rest = 0;
    if (is_packing_due_) pack();
    set_chance(chance);
    for (std::uint64_t done = 0; done < steps && found.size() < most; ++done) {
        // `rest` is the number of steps until the next check for a satisfying code.
        if (missed_ == 0 && rest == 0) {
            rest = gap;
            if (known.insert(code_).second) found.push_back(code_);
        }
        if (rest > 0) --rest;
        step();
    }
    return found;
}

}  // namespace mmsat::search
