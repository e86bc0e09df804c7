#include "proof/lrat.hpp"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <utility>

namespace mmsat::proof {

namespace {

std::string number_of(std::int64_t value) {
    return std::to_string(value);
}

}  // namespace

LratChecker::LratChecker(std::size_t variables, const std::vector<std::int32_t>& formula,
                         std::string proof)
    : proof_(std::move(proof)),
      arena_(formula),
      clauses_(1, {0, 0, false}),
      values_(variables + 1, 0) {
    std::size_t begin = 0;
    for (std::size_t at = 0; at < arena_.size(); ++at) {
        if (arena_[at] != 0) continue;
        clauses_.push_back({begin, static_cast<std::uint32_t>(at - begin), true});
        begin = at + 1;
    }
}

Check LratChecker::fail(std::string reason) {
    fault_ = std::move(reason);
    return state_ = Check::fails;
}

Check LratChecker::advance(std::uint64_t work) {
    const std::uint64_t end = work_done_ + std::min(work, kMaxWork);
    while (state_ == Check::going_on && work_done_ < end) state_ = read_line();
    return state_;
}

// Read an integer in its shortest notation and the separator after it: `end`, or a blank or newline
// if `end` is 0.
bool LratChecker::number(std::int64_t& value, char end) {
    std::size_t at = position_;
    const bool is_negative = at < proof_.size() && proof_[at] == '-';
    if (is_negative) ++at;
    const std::size_t first = at;
    value = 0;
    while (at < proof_.size() && proof_[at] >= '0' && proof_[at] <= '9' && at - first < 18)
        value = 10 * value + (proof_[at++] - '0');
    const std::size_t digits = at - first;
    if (digits == 0 || (proof_[first] == '0' && (digits > 1 || is_negative))) return false;
    if (is_negative) value = -value;
    if (at >= proof_.size()) return false;
    if (proof_[at] != end && !(end == 0 && (proof_[at] == ' ' || proof_[at] == '\n'))) return false;
    position_ = at + 1;
    return true;
}

Check LratChecker::read_line() {
    ++line_;
    ++work_done_;
    if (position_ == proof_.size()) return fail("the proof ends before the empty clause");
    std::int64_t name = 0;
    if (!number(name, ' ')) return fail("a line begins with the number of its lemma");
    const std::int64_t last = static_cast<std::int64_t>(clauses_.size()) - 1;
    if (position_ + 1 < proof_.size() && proof_[position_] == 'd' && proof_[position_ + 1] == ' ') {
        position_ += 2;
        if (name != last)
            return fail("the deletion is numbered " + number_of(name) + ", not " + number_of(last) +
                        " as the lemma before it");
        return deletion();
    }
    if (name != last + 1)
        return fail("the lemma is numbered " + number_of(name) + ", not " + number_of(last + 1) +
                    " as the next one");
    return lemma();
}

// Read the literals of a lemma and assign their negations.
bool LratChecker::literals() {
    lemma_.clear();
    for (;;) {
        std::int64_t literal = 0;
        ++work_done_;
        if (!number(literal, ' ')) {
            fail("the literals of a lemma are whole numbers and end with 0");
            return false;
        }
        if (literal == 0) return true;
        if (std::llabs(literal) >= static_cast<std::int64_t>(values_.size())) {
            fail("the formula has no variable " + number_of(std::llabs(literal)));
            return false;
        }
        const auto lemma_literal = static_cast<std::int32_t>(literal);
        if (value(lemma_literal) != 0) {
            fail("the lemma has the variable " + number_of(std::llabs(literal)) + " twice");
            return false;
        }
        lemma_.push_back(lemma_literal);
        assign(-lemma_literal);
    }
}

void LratChecker::assign(std::int32_t literal) {
    assert(value(literal) == 0);
    values_[std::abs(literal)] = literal < 0 ? -1 : 1;
    assigned_.push_back(literal);
}

void LratChecker::unassign_all() {
    for (std::int32_t literal : assigned_) values_[std::abs(literal)] = 0;
    assigned_.clear();
}

// Check a lemma by unit propagation along its hints.
Check LratChecker::lemma() {
    if (!literals()) return state_;
    bool is_shown = false;
    for (;;) {
        std::int64_t hint = 0;
        if (!number(hint, 0))
            return fail("the clauses that a lemma needs are numbers and end with 0");
        const bool ends = proof_[position_ - 1] == '\n';
        if (hint == 0 && ends) break;
        if (hint == 0 || ends) return fail("a line ends with 0, and only there");
        if (hint < 0) return fail("the lemma is claimed to be RAT, which is not accepted here");
        if (is_shown)
            return fail("the lemma follows before all the clauses that it names are used");
        if (hint >= static_cast<std::int64_t>(clauses_.size()) || !clauses_[hint].is_active)
            return fail("there is no clause " + number_of(hint) + " at this point");
        const Span& clause = clauses_[hint];
        std::int32_t left = 0;
        for (std::size_t at = clause.begin; at < clause.begin + clause.size; ++at) {
            ++work_done_;
            const std::int32_t literal = arena_[at];
            if (value(literal) < 0 || literal == left) continue;
            if (value(literal) > 0 || left != 0)
                return fail("clause " + number_of(hint) + " implies nothing here");
            left = literal;
        }
        if (left == 0)
            is_shown = true;
        else
            assign(left);
    }
    if (!is_shown) return fail("the lemma does not follow from the clauses that it names");
    unassign_all();
    ++lemmas_;
    if (!lemma_.empty()) {
        store_lemma();
        return Check::going_on;
    }
    if (position_ != proof_.size()) {
        ++line_;
        return fail("nothing comes after the empty clause");
    }
    return Check::holds;
}

void LratChecker::store_lemma() {
    clauses_.push_back({arena_.size(), static_cast<std::uint32_t>(lemma_.size()), true});
    arena_.insert(arena_.end(), lemma_.begin(), lemma_.end());
}

Check LratChecker::deletion() {
    for (;;) {
        std::int64_t name = 0;
        ++work_done_;
        if (!number(name, 0)) return fail("the clauses of a deletion are numbers and end with 0");
        const bool ends = proof_[position_ - 1] == '\n';
        if (name == 0 && ends) break;
        if (name == 0 || ends) return fail("a line ends with 0, and only there");
        if (name < 0 || name >= static_cast<std::int64_t>(clauses_.size()) ||
            !clauses_[name].is_active)
            return fail("there is no clause " + number_of(name) + " to delete");
        clauses_[name].is_active = false;
        num_deleted_literals_ += clauses_[name].size;
    }
    if (num_deleted_literals_ > arena_.size() / 2) compact();
    return Check::going_on;
}

// Move the remaining clauses together to free memory.
void LratChecker::compact() {
    std::size_t end = 0;
    for (Span& clause : clauses_) {
        if (!clause.is_active) continue;
        for (std::size_t i = 0; i < clause.size; ++i) arena_[end + i] = arena_[clause.begin + i];
        clause.begin = end;
        end += clause.size;
    }
    work_done_ += arena_.size();
    arena_.resize(end);
    num_deleted_literals_ = 0;
}

}  // namespace mmsat::proof
