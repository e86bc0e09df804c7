#include "proof/lrat.hpp"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <utility>

namespace mmsat::proof {

namespace {

std::string to_text(std::int64_t value) {
    return std::to_string(value);
}

std::string goal_name(std::int32_t goal) {
    return goal == 0 ? "the empty clause" : "the clause " + to_text(goal);
}

}  // namespace

LratChecker::LratChecker(std::size_t num_variables, const std::vector<std::int32_t>& formula,
                         std::string proof, std::int32_t goal)
    : proof_(std::move(proof)),
      goal_(goal),
      arena_(formula),
      clauses_(1, {0, 0, false}),
      values_(num_variables + 1, 0) {
    std::size_t begin = 0;
    for (std::size_t i = 0; i < arena_.size(); ++i) {
        if (arena_[i] != 0) continue;
        clauses_.push_back({begin, static_cast<std::uint32_t>(i - begin), true});
        begin = i + 1;
    }
}

Check LratChecker::fail(std::string reason) {
    fault_ = std::move(reason);
    return state_ = Check::fails;
}

Check LratChecker::advance(std::uint64_t work) {
    const std::uint64_t end = work_done_ + std::min(work, kMaxWork);
    while (state_ == Check::unfinished && work_done_ < end) state_ = read_line();
    return state_;
}

// Read an integer in its shortest notation, and the separator after it. If `separator` is 0, the
// separator may be a blank or a newline. Returns false, and reads nothing, if the text differs from
// this.
bool LratChecker::read_number(std::int64_t& value, char separator) {
    std::size_t position = position_;
    const bool is_negative = position < proof_.size() && proof_[position] == '-';
    if (is_negative) ++position;
    const std::size_t first = position;
    value = 0;
    while (position < proof_.size() && proof_[position] >= '0' && proof_[position] <= '9' &&
           position - first < 18)
        value = 10 * value + (proof_[position++] - '0');
    const std::size_t num_digits = position - first;
    if (num_digits == 0 || (proof_[first] == '0' && (num_digits > 1 || is_negative))) return false;
    if (is_negative) value = -value;
    if (position >= proof_.size()) return false;
    if (proof_[position] != separator &&
        !(separator == 0 && (proof_[position] == ' ' || proof_[position] == '\n')))
        return false;
    position_ = position + 1;
    return true;
}

Check LratChecker::read_line() {
    ++line_;
    ++work_done_;
    if (position_ == proof_.size()) return fail("the proof ends before " + goal_name(goal_));
    std::int64_t id = 0;
    if (!read_number(id, ' ')) return fail("a line begins with the number of its lemma");
    const std::int64_t last_id = static_cast<std::int64_t>(clauses_.size()) - 1;
    if (position_ + 1 < proof_.size() && proof_[position_] == 'd' && proof_[position_ + 1] == ' ') {
        position_ += 2;
        if (id != last_id)
            return fail("the deletion is numbered " + to_text(id) + ", not " + to_text(last_id) +
                        " as the lemma before it");
        return read_deletion();
    }
    if (id != last_id + 1)
        return fail("the lemma is numbered " + to_text(id) + ", not " + to_text(last_id + 1) +
                    " as the next one");
    return read_lemma();
}

// Read the literals of a lemma and assign their negations. Returns false after an error.
bool LratChecker::read_literals() {
    lemma_.clear();
    for (;;) {
        std::int64_t literal = 0;
        ++work_done_;
        if (!read_number(literal, ' ')) {
            fail("the literals of a lemma are whole numbers and end with 0");
            return false;
        }
        if (literal == 0) return true;
        if (std::llabs(literal) >= static_cast<std::int64_t>(values_.size())) {
            fail("the formula has no variable " + to_text(std::llabs(literal)));
            return false;
        }
        const auto lemma_literal = static_cast<std::int32_t>(literal);
        if (value(lemma_literal) != 0) {
            fail("the lemma has the variable " + to_text(std::llabs(literal)) + " twice");
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

// Read a lemma and check it by unit propagation along its hints.
Check LratChecker::read_lemma() {
    if (!read_literals()) return state_;
    bool has_conflict = false;
    for (;;) {
        std::int64_t hint = 0;
        if (!read_number(hint, 0))
            return fail("the clauses that a lemma needs are numbers and end with 0");
        const bool ends_line = proof_[position_ - 1] == '\n';
        if (hint == 0 && ends_line) break;
        if (hint == 0 || ends_line) return fail("a line ends with 0, and only there");
        if (hint < 0) return fail("the lemma is claimed to be RAT, which is not accepted here");
        if (has_conflict)
            return fail("the lemma follows before all the clauses that it names are used");
        if (hint >= static_cast<std::int64_t>(clauses_.size()) || !clauses_[hint].is_active)
            return fail("there is no clause " + to_text(hint) + " at this point");
        const Clause& clause = clauses_[hint];
        std::int32_t implied = 0;  // the literal that is not false, or 0
        for (std::size_t i = clause.begin; i < clause.begin + clause.size; ++i) {
            ++work_done_;
            const std::int32_t literal = arena_[i];
            if (value(literal) < 0 || literal == implied) continue;
            if (value(literal) > 0 || implied != 0)
                return fail("clause " + to_text(hint) + " implies nothing here");
            implied = literal;
        }
        if (implied == 0)
            has_conflict = true;
        else
            assign(implied);
    }
    if (!has_conflict) return fail("the lemma does not follow from the clauses that it names");
    unassign_all();
    ++num_lemmas_;
    if (!is_goal()) {
        store_lemma();
        return Check::unfinished;
    }
    if (position_ != proof_.size()) {
        ++line_;
        return fail("nothing comes after " + goal_name(goal_));
    }
    return Check::holds;
}

void LratChecker::store_lemma() {
    clauses_.push_back({arena_.size(), static_cast<std::uint32_t>(lemma_.size()), true});
    arena_.insert(arena_.end(), lemma_.begin(), lemma_.end());
}

Check LratChecker::read_deletion() {
    for (;;) {
        std::int64_t id = 0;
        ++work_done_;
        if (!read_number(id, 0))
            return fail("the clauses of a deletion are numbers and end with 0");
        const bool ends_line = proof_[position_ - 1] == '\n';
        if (id == 0 && ends_line) break;
        if (id == 0 || ends_line) return fail("a line ends with 0, and only there");
        if (id < 0 || id >= static_cast<std::int64_t>(clauses_.size()) || !clauses_[id].is_active)
            return fail("there is no clause " + to_text(id) + " to delete");
        clauses_[id].is_active = false;
        num_deleted_literals_ += clauses_[id].size;
    }
    if (num_deleted_literals_ > arena_.size() / 2) compact();
    return Check::unfinished;
}

void LratChecker::compact() {
    std::size_t end = 0;
    for (Clause& clause : clauses_) {
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
