#include "annealer.hpp"

#include <set>
#include <utility>

namespace mmsat {

namespace {

constexpr std::size_t kWorst = 64;  // a step that is worse than this is never taken
constexpr std::uint64_t kPhase = 256;  // steps at one chance while cooling

std::uint64_t times(std::uint64_t one, std::uint64_t other) {  // both chances
    return static_cast<std::uint64_t>((static_cast<unsigned __int128>(one) * other) >> 32);
}

// The largest factor that takes hot no lower than cold in so many multiplications.
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

void Annealer::add(const Claim& claim) {
    const auto index = static_cast<std::int32_t>(low_.size());
    const auto places = static_cast<std::int32_t>(pegs_ * colors_);
    std::int32_t base = 0;
    for (std::int32_t fact : claim.facts) {
        const std::int32_t amount = fact > 0 ? 1 : -1;
        const std::int32_t number = fact > 0 ? fact : -fact;
        if (fact < 0) ++base;  // a denied fact is true until it is met
        Changes& changes = number <= places ? at_[number - 1] : least_[number - places - 1];
        if (!changes.empty() && changes.back().claim == index)
            changes.back().amount += amount;
        else
            changes.push_back({index, amount});
    }
    low_.push_back(claim.low);
    high_.push_back(claim.high);
    base_.push_back(base);
    sums_.push_back(0);
    pending_.push_back(0);
    is_touched_.push_back(0);
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

// All sums from scratch.
void Annealer::refresh() {
    counts_.assign(colors_, 0);
    sums_ = base_;
    for (std::size_t peg = 0; peg < pegs_; ++peg) {
        const std::size_t color = code_[peg];
        for (const Change& change : at_[peg * colors_ + color])
            sums_[change.claim] += change.amount;
        for (const Change& change : least_[color * pegs_ + counts_[color]])
            sums_[change.claim] += change.amount;
        ++counts_[color];
    }
    missed_ = 0;
    for (std::size_t claim = 0; claim < sums_.size(); ++claim)
        missed_ += miss(static_cast<std::int32_t>(claim), sums_[claim]);
}

// splitmix64 (Steele, Lea and Flood 2014).
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
        if (!is_touched_[change.claim]) {
            is_touched_[change.claim] = 1;
            touched_.push_back(change.claim);
        }
        pending_[change.claim] += sign * change.amount;
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

// Takes what is pending, or leaves it.
bool Annealer::settle() {
    std::int64_t worse = 0;
    for (std::int32_t claim : touched_)
        worse += miss(claim, sums_[claim] + pending_[claim]) - miss(claim, sums_[claim]);
    const bool is_taken =
        worse <= 0 || (worse <= static_cast<std::int64_t>(kWorst) &&
                       (draw() >> 32) < chances_[static_cast<std::size_t>(worse)]);
    for (std::int32_t claim : touched_) {
        if (is_taken) sums_[claim] += pending_[claim];
        pending_[claim] = 0;
        is_touched_[claim] = 0;
    }
    touched_.clear();
    if (is_taken) missed_ += worse;
    return is_taken;
}

// Exchanges two pegs, three times of four, or gives one another color.
void Annealer::step() {
    const std::size_t peg = below(pegs_);
    const std::uint16_t from = code_[peg];
    if (draw() & 3) {
        const std::size_t other = below(pegs_);
        const std::uint16_t to = code_[other];
        if (from == to) return;
        recolor(peg, to);
        recolor(other, from);
        if (settle()) std::swap(code_[peg], code_[other]);
        return;
    }
    const auto to = static_cast<std::uint16_t>(below(colors_));
    if (from == to) return;
    recolor(peg, to);
    recount(from, to);
    if (!settle()) return;
    code_[peg] = to;
    --counts_[from];
    ++counts_[to];
}

bool Annealer::cool(std::uint64_t steps, std::uint64_t hot, std::uint64_t cold) {
    const std::uint64_t phases = steps / kPhase + 1;
    const std::uint64_t smaller = factor(hot, cold, phases);
    std::uint64_t chance = hot;
    for (std::uint64_t done = 0; missed_ > 0 && done < steps; ++done) {
        if (done % kPhase == 0) {
            set_chance(chance);
            chance = times(chance, smaller);
        }
        step();
    }
    return missed_ == 0;
}

std::vector<std::vector<std::uint16_t>> Annealer::collect(std::uint64_t steps,
                                                          std::uint64_t chance, std::uint64_t gap,
                                                          std::size_t most) {
    std::vector<std::vector<std::uint16_t>> found;
    std::set<std::vector<std::uint16_t>> known;
    std::uint64_t rest = 0;
    set_chance(chance);
    for (std::uint64_t done = 0; done < steps && found.size() < most; ++done) {
        if (missed_ == 0 && rest == 0) {
            rest = gap;
            if (known.insert(code_).second) found.push_back(code_);
        }
        if (rest > 0) --rest;
        step();
    }
    return found;
}

}  // namespace mmsat
