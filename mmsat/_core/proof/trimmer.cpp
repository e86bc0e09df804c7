#include "proof/trimmer.hpp"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <utility>

#include "hash.hpp"

namespace mmsat::proof {

Trimmer::Trimmer(std::size_t variables, const std::vector<std::int32_t>& formula, std::string proof)
    : proof_(std::move(proof)),
      variables_(variables),
      formula_(formula),
      buckets_(1024, kNone),
      core_watches_(2 * variables + 2),
      other_watches_(2 * variables + 2),
      values_(2 * variables + 2, 0),
      reasons_(variables + 1, kNone),
      trail_index_(variables + 1, 0),
      marks_(variables + 1, 0),
      is_needed_(variables + 1, 0),
      unit_clause_(variables + 1, kNone) {
    const auto lines = std::count(proof_.begin(), proof_.end(), '\n');
    total_ = 2 * static_cast<std::size_t>(lines) + 1;
}

Check Trimmer::fail(std::string reason) {
    fault_ = std::move(reason);
    return state_ = Check::fails;
}

Check Trimmer::advance(std::uint64_t work) {
    const std::uint64_t end = work_done_ + std::min(work, kMaxWork);
    while (state_ == Check::going_on && work_done_ < end) {
        ++work_done_;
        switch (stage_) {
            case Stage::setting_up:
                if (!set_up()) stage_ = Stage::forward;
                break;
            case Stage::forward:
                if (!read_step() && state_ == Check::going_on) stage_ = Stage::backward;
                break;
            case Stage::backward:
                if (!step_back() && state_ == Check::going_on) stage_ = Stage::writing;
                break;
            case Stage::writing:
                write_lrat();
                stage_ = Stage::over;
                state_ = Check::holds;
                break;
            case Stage::over: break;
        }
    }
    return state_;
}

// Add one clause of the formula. Returns false after the last one.
bool Trimmer::set_up() {
    if (next_literal_ == formula_.size()) {
        formula_size_ = clauses_.size();
        formula_ = {};
        if (conflict_ == kNone) propagate();
        if (conflict_ != kNone) derive_empty_clause(conflict_);
        return false;
    }
    line_literals_.clear();
    while (formula_[next_literal_] != 0) line_literals_.push_back(formula_[next_literal_++]);
    ++next_literal_;
    if (begin_clause(line_literals_) && conflict_ == kNone)
        add(static_cast<Number>(clauses_.size() - 1));
    return true;
}

// Append a clause with these literals, each once. Returns false if it is a tautology, which is not
// used.
bool Trimmer::begin_clause(const std::vector<std::int32_t>& line) {
    const std::size_t begin = arena_.size();
    bool is_no_tautology = true;
    for (std::int32_t literal : line) {
        const char sign = literal > 0 ? 1 : 2;
        char& mark = marks_[variable(literal)];
        if (mark & ~sign) is_no_tautology = false;
        if (!(mark & sign)) arena_.push_back(literal);
        mark |= sign;
    }
    for (std::int32_t literal : line) marks_[variable(literal)] = 0;
    work_done_ += line.size();
    const auto size = static_cast<std::uint32_t>(arena_.size() - begin);
    clauses_.push_back({begin, size, false, is_no_tautology, kNone});
    if (is_no_tautology) index_clause(static_cast<Number>(clauses_.size() - 1));
    return is_no_tautology;
}

// The hash does not depend on the order of the literals.
std::uint64_t Trimmer::hash(const std::int32_t* first, std::size_t size) const {
    std::uint64_t sum = size;
    for (std::size_t i = 0; i < size; ++i) sum += mix64(index(first[i]));
    return sum;
}

void Trimmer::index_clause(Number clause) {
    if (clauses_.size() > buckets_.size()) {
        buckets_.assign(4 * buckets_.size(), kNone);
        for (Number i = 0; i < static_cast<Number>(clauses_.size()) - 1; ++i) {
            if (!clauses_[i].is_active) continue;  // deleted clauses are never searched for
            Number& head = buckets_[hash(literals(i), clauses_[i].size) % buckets_.size()];
            clauses_[i].next = std::exchange(head, i);
        }
        work_done_ += arena_.size();
    }
    Number& head = buckets_[hash(literals(clause), clauses_[clause].size) % buckets_.size()];
    clauses_[clause].next = std::exchange(head, clause);
}

// Find an existing clause with exactly these literals, remove it from its bucket and return it;
// kNone if there is none.
Trimmer::Number Trimmer::take_clause(const std::vector<std::int32_t>& wanted) {
    Number* link = &buckets_[hash(wanted.data(), wanted.size()) % buckets_.size()];
    for (; *link != kNone; link = &clauses_[*link].next) {
        const Number clause = *link;
        const std::int32_t* const first = literals(clause);
        work_done_ += clauses_[clause].size;
        if (clauses_[clause].size == wanted.size() &&
            std::is_permutation(wanted.begin(), wanted.end(), first)) {
            *link = clauses_[clause].next;
            return clause;
        }
    }
    return kNone;
}

// Watch two literals that are not false, or if there are not enough, those that became false last.
void Trimmer::watch(Number clause) {
    assert(clauses_[clause].size >= 2);
    std::int32_t* const first = literals(clause);
    const std::size_t size = clauses_[clause].size;
    const auto worth = [this](std::int32_t literal) {
        return values_[index(literal)] < 0 ? trail_index_[variable(literal)] : variables_ + 1;
    };
    for (std::size_t place = 0; place < 2; ++place)
        for (std::size_t i = place + 1; i < size; ++i)
            if (worth(first[i]) > worth(first[place])) std::swap(first[place], first[i]);
    work_done_ += 2 * size;
    Watches& watches = clauses_[clause].is_core ? core_watches_ : other_watches_;
    watches[index(first[0])].push_back({clause, first[1]});
    watches[index(first[1])].push_back({clause, first[0]});
}

bool Trimmer::remove_watch(std::vector<Watch>& watches, Number clause) {
    const auto found = std::find_if(watches.begin(), watches.end(), [clause](const Watch& watch) {
        return watch.clause == clause;
    });
    if (found == watches.end()) return false;
    *found = watches.back();
    watches.pop_back();
    return true;
}

void Trimmer::unwatch(Number clause) {
    for (std::size_t place = 0; place < 2; ++place) {
        const std::size_t watched = index(literals(clause)[place]);
        work_done_ += (core_watches_[watched].size() + other_watches_[watched].size()) / 8;
        if (!remove_watch(other_watches_[watched], clause))
            remove_watch(core_watches_[watched], clause);
    }
}

// Activate a clause: watch it, and assign its last literal if it is unit. Sets conflict_ if it is
// false.
void Trimmer::add(Number clause) {
    const std::size_t size = clauses_[clause].size;
    if (size >= 2) watch(clause);
    const std::int32_t* const first = literals(clause);
    if (size == 0 || values_[index(first[0])] < 0) {
        conflict_ = clause;
    } else if (size == 1 || values_[index(first[1])] < 0) {
        if (values_[index(first[0])] == 0) assign(first[0], clause);
    }
}

void Trimmer::assign(std::int32_t literal, Number reason) {
    assert(values_[index(literal)] == 0);
    values_[index(literal)] = 1;
    values_[index(-literal)] = -1;
    reasons_[variable(literal)] = reason;
    trail_index_[variable(literal)] = trail_.size();
    trail_.push_back(literal);
}

void Trimmer::backtrack(std::size_t length) {
    assert(length <= trail_.size());
    while (trail_.size() > length) {
        values_[index(trail_.back())] = values_[index(-trail_.back())] = 0;
        trail_.pop_back();
    }
    next_core_ = next_rest_ = length;
}

// Core-first propagation: clauses that are already needed come before all others, for every
// literal.
void Trimmer::propagate() {
    while (conflict_ == kNone) {
        if (next_core_ < trail_.size())
            conflict_ = propagate_watches(-trail_[next_core_++], core_watches_, true);
        else if (next_rest_ < trail_.size())
            conflict_ = propagate_watches(-trail_[next_rest_++], other_watches_, false);
        else
            return;
    }
}

// Visit the clauses that watch a literal that has become false. Returns a clause that is false now,
// or kNone.
Trimmer::Number Trimmer::propagate_watches(std::int32_t literal, Watches& from, bool is_core) {
    std::vector<Watch>& watches = from[index(literal)];
    Number conflict = kNone;
    std::size_t end = 0;
    std::size_t next = 0;
    for (; next < watches.size() && conflict == kNone; ++next) {
        const Watch watch = watches[next];
        ++work_done_;
        Clause& clause = clauses_[watch.clause];
        // It has become a core clause since it was watched.
        const bool moves = clause.is_core && !is_core;
        if (values_[index(watch.other)] > 0) {
            if (moves)
                core_watches_[index(literal)].push_back(watch);
            else
                watches[end++] = watch;
            continue;
        }
        std::int32_t* const first = arena_.data() + clause.begin;
        if (first[0] == literal) std::swap(first[0], first[1]);
        std::size_t i = 2;
        while (i < clause.size && values_[index(first[i])] < 0) ++i;
        work_done_ += i;
        if (values_[index(first[0])] <= 0 && i < clause.size) {
            std::swap(first[1], first[i]);
            Watches& to = clause.is_core ? core_watches_ : other_watches_;
            to[index(first[1])].push_back({watch.clause, first[0]});
            continue;
        }
        const Watch kept{watch.clause, first[0]};
        if (moves)
            core_watches_[index(literal)].push_back(kept);
        else
            watches[end++] = kept;
        if (values_[index(first[0])] < 0)
            conflict = watch.clause;
        else if (values_[index(first[0])] == 0)
            assign(first[0], watch.clause);
    }
    while (next < watches.size()) watches[end++] = watches[next++];
    watches.resize(end);
    return conflict;
}

bool Trimmer::read_literals(std::vector<std::int32_t>& found) {
    found.clear();
    for (;;) {
        while (position_ < proof_.size() && proof_[position_] == ' ') ++position_;
        const char* const begin = proof_.c_str() + position_;
        char* end = nullptr;
        const long literal = std::strtol(begin, &end, 10);
        const auto most = static_cast<long>(variables_);
        if (end == begin || literal > most || literal < -most) {
            fail("line " + std::to_string(line_) + " of the solver's proof is no clause");
            return false;
        }
        position_ = static_cast<std::size_t>(end - proof_.c_str());
        if (literal == 0) break;
        found.push_back(static_cast<std::int32_t>(literal));
    }
    while (position_ < proof_.size() && (proof_[position_] == ' ' || proof_[position_] == '\r'))
        ++position_;
    if (position_ < proof_.size() && proof_[position_] == '\n') ++position_;
    return true;
}

// Read one line. Returns false after a contradiction, at the end or on an error.
bool Trimmer::read_step() {
    if (conflict_ != kNone) return false;
    if (position_ == proof_.size()) {
        fail("the solver's proof shows no contradiction");
        return false;
    }
    ++line_;
    ++done_;
    const bool is_deletion = proof_[position_] == 'd';
    if (is_deletion) ++position_;
    if (!read_literals(line_literals_)) return false;
    if (is_deletion) {
        const Number clause = take_clause(line_literals_);
        if (clause == kNone) return true;  // deleting an unknown clause is harmless
        const std::int32_t first = clauses_[clause].size ? literals(clause)[0] : 0;
        const bool is_reason = clauses_[clause].size == 1 ||
                               (values_[index(first)] > 0 && reasons_[variable(first)] == clause);
        if (is_reason) return true;
        unwatch(clause);
        clauses_[clause].is_active = false;
        steps_.push_back({clause, true, trail_.size()});
        return true;
    }
    ++lemmas_;
    const std::size_t trail = trail_.size();
    if (!begin_clause(line_literals_)) return true;
    const auto clause = static_cast<Number>(clauses_.size() - 1);
    steps_.push_back({clause, false, trail});
    add(clause);
    if (conflict_ == kNone) propagate();
    if (conflict_ != kNone) derive_empty_clause(conflict_);
    return conflict_ == kNone;
}

// Derive the empty clause from a clause that is false at the root.
void Trimmer::derive_empty_clause(Number clause) {
    root_trail_size_ = trail_.size();
    const std::size_t begin = hints_.size();
    explain(clause, root_trail_size_);
    written_.push_back({kNone, 0, begin, hints_.size()});
    total_ = done_ + steps_.size() + 1;
}

// Write the hints for a false clause: root literals, then the reasons of the literals on the trail
// from index `from` on, in order of propagation. Variables that are marked on entry are
// assumptions.
void Trimmer::explain(Number conflict, std::size_t from) {
    std::vector<Number> chain{conflict};
    std::vector<std::size_t> touched;
    const auto take = [&](Number clause, std::int32_t but) {
        need(clause);
        const std::int32_t* const first = literals(clause);
        for (std::size_t i = 0; i < clauses_[clause].size; ++i) {
            const std::size_t touched_variable = variable(first[i]);
            if (first[i] == but || marks_[touched_variable]) continue;
            marks_[touched_variable] = 1;
            touched.push_back(touched_variable);
            if (trail_index_[touched_variable] >= from) continue;
            hints_.push_back(~static_cast<Number>(touched_variable));
            is_needed_[touched_variable] = 1;
        }
        work_done_ += clauses_[clause].size;
    };
    take(conflict, 0);
    for (std::size_t place = trail_.size(); place-- > from;) {
        const std::int32_t literal = trail_[place];
        const Number reason = reasons_[variable(literal)];
        if (marks_[variable(literal)] != 1 || reason == kNone) continue;
        chain.push_back(reason);
        take(reason, literal);
    }
    hints_.insert(hints_.end(), chain.rbegin(), chain.rend());
    for (std::size_t touched_variable : touched) marks_[touched_variable] = 0;
}

// Unassign root literals down to this trail length. Literals that are needed later become unit
// lemmas.
void Trimmer::backtrack_root(std::size_t length) {
    while (trail_.size() > length) {
        const std::int32_t literal = trail_.back();
        const std::size_t root_variable = variable(literal);
        if (is_needed_[root_variable]) {
            const Number reason = reasons_[root_variable];
            const std::size_t begin = hints_.size();
            if (clauses_[reason].size > 1) {
                marks_[root_variable] = 2;
                explain(reason, trail_.size());
                marks_[root_variable] = 0;
                written_.push_back({kNone, literal, begin, hints_.size()});
            } else {
                need(reason);
                unit_clause_[root_variable] = reason;
            }
        }
        backtrack(trail_.size() - 1);
    }
    root_trail_size_ = length;
}

// Undo the last step, and prove its lemma if it is needed. Returns false after the first step or
// on an error.
bool Trimmer::step_back() {
    ++done_;
    if (steps_.empty()) {
        backtrack_root(0);
        return false;
    }
    const Step step = steps_.back();
    steps_.pop_back();
    if (step.is_deletion) {
        clauses_[step.clause].is_active = true;
        watch(step.clause);
        return true;
    }
    // A clause that is a reason stays watched by its literal until that is unassigned.
    backtrack_root(step.trail);
    if (clauses_[step.clause].size >= 2 && clauses_[step.clause].is_active) unwatch(step.clause);
    clauses_[step.clause].is_active = false;
    conflict_ = kNone;
    return !clauses_[step.clause].is_core || prove(step.clause);
}

// Prove a lemma by unit propagation and write its hints. Returns false if it does not follow.
bool Trimmer::prove(Number clause) {
    const std::size_t begin = hints_.size();
    const std::size_t size = clauses_[clause].size;
    const std::int32_t* const first = literals(clause);
    std::int32_t known = 0;  // a literal of the lemma that is true at the root
    for (std::size_t i = 0; i < size && known == 0; ++i)
        if (values_[index(first[i])] > 0) known = first[i];
    if (known != 0) {
        hints_.push_back(~static_cast<Number>(variable(known)));
        is_needed_[variable(known)] = 1;
    } else {
        for (std::size_t i = 0; i < size; ++i) {
            marks_[variable(first[i])] = 2;
            if (values_[index(first[i])] == 0) assign(-first[i], kNone);
        }
        next_core_ = next_rest_ = root_trail_size_;
        propagate();
        if (conflict_ == kNone) {
            fail("a lemma of the solver's proof does not follow by unit propagation");
            return false;
        }
        explain(conflict_, root_trail_size_);
        for (std::size_t i = 0; i < size; ++i) marks_[variable(first[i])] = 0;
        conflict_ = kNone;
        backtrack(root_trail_size_);
    }
    written_.push_back({clause, 0, begin, hints_.size()});
    return true;
}

// Write the needed lemmas, and after each of them the deletion of the lemmas that are not used
// later. The first pass numbers the lemmas and finds their last uses; the second pass writes.
void Trimmer::write_lrat() {
    using Name = std::uint64_t;
    std::vector<Name> clause_names(clauses_.size(), 0), unit_names(variables_ + 1, 0);
    for (std::size_t i = 0; i < formula_size_; ++i) clause_names[i] = i + 1;
    std::reverse(written_.begin(), written_.end());
    num_written_ = written_.size();
    Name name = formula_size_;
    // Index of the lemma that uses a lemma last.
    std::vector<std::uint32_t> last(written_.size() + 1, 0);
    const auto name_of = [&](Number hint) {
        if (hint >= 0) return clause_names[hint];
        return unit_clause_[~hint] == kNone ? unit_names[~hint] : clause_names[unit_clause_[~hint]];
    };
    std::vector<std::vector<Name>> ends(written_.size() + 1);
    for (int pass = 0; pass < 2; ++pass) {
        name = formula_size_;
        for (std::size_t i = 0; i < written_.size(); ++i) {
            const Lemma& lemma = written_[i];
            ++name;
            if (pass == 1) {
                lrat_ += std::to_string(name);
                if (lemma.unit != 0) lrat_ += ' ' + std::to_string(lemma.unit);
                if (lemma.clause != kNone)
                    for (std::size_t at = 0; at < clauses_[lemma.clause].size; ++at)
                        lrat_ += ' ' + std::to_string(literals(lemma.clause)[at]);
                lrat_ += " 0";
            }
            for (std::size_t at = lemma.begin; at < lemma.end; ++at) {
                const Name used = name_of(hints_[at]);
                if (pass == 1)
                    lrat_ += ' ' + std::to_string(used);
                else if (used > formula_size_)
                    last[used - formula_size_] = static_cast<std::uint32_t>(i);
            }
            if (lemma.unit != 0) unit_names[variable(lemma.unit)] = name;
            if (lemma.clause != kNone) clause_names[lemma.clause] = name;
            if (pass == 0) continue;
            lrat_ += " 0\n";
            if (ends[i].empty() || i + 1 == written_.size()) continue;
            lrat_ += std::to_string(name) + " d";
            for (Name gone : ends[i]) lrat_ += ' ' + std::to_string(gone);
            lrat_ += " 0\n";
        }
        if (pass == 0)
            for (std::size_t i = 1; i < written_.size(); ++i)
                ends[last[i]].push_back(formula_size_ + i);
    }
}

}  // namespace mmsat::proof
