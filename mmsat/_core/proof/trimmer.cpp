#include "proof/trimmer.hpp"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <utility>

#include "hash.hpp"

namespace mmsat::proof {

Trimmer::Trimmer(std::size_t num_variables, const std::vector<std::int32_t>& formula,
                 std::string proof)
    : proof_(std::move(proof)),
      num_variables_(num_variables),
      formula_(formula),
      buckets_(1024, kNone),
      core_watches_(2 * num_variables + 2),
      other_watches_(2 * num_variables + 2),
      values_(2 * num_variables + 2, 0),
      reasons_(num_variables + 1, kNone),
      trail_index_(num_variables + 1, 0),
      marks_(num_variables + 1, 0),
      is_needed_(num_variables + 1, 0),
      unit_clause_(num_variables + 1, kNone) {
    const auto lines = std::count(proof_.begin(), proof_.end(), '\n');
    // Each line is read once and undone once.
    num_steps_ = 2 * static_cast<std::size_t>(lines) + 1;
}

Check Trimmer::fail(std::string reason) {
    fault_ = std::move(reason);
    return state_ = Check::fails;
}

Check Trimmer::advance(std::uint64_t work) {
    const std::uint64_t end = work_done_ + std::min(work, kMaxWork);
    while (state_ == Check::unfinished && work_done_ < end) {
        ++work_done_;
        switch (stage_) {
            case Stage::setup:
                if (!set_up()) stage_ = Stage::forward;
                break;
            case Stage::forward:
                if (!read_step() && state_ == Check::unfinished) stage_ = Stage::backward;
                break;
            case Stage::backward:
                if (!undo_step() && state_ == Check::unfinished) stage_ = Stage::writing;
                break;
            case Stage::writing:
                write_lrat();
                stage_ = Stage::finished;
                state_ = Check::holds;
                break;
            case Stage::finished: break;
        }
    }
    return state_;
}

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
    if (append_clause(line_literals_) && conflict_ == kNone)
        activate(static_cast<Number>(clauses_.size() - 1));
    return true;
}

// Append a clause with these literals, without repetitions. Returns false if the clause is a
// tautology, which is never used.
bool Trimmer::append_clause(const std::vector<std::int32_t>& clause_literals) {
    const std::size_t begin = arena_.size();
    bool is_tautology = false;
    for (std::int32_t literal : clause_literals) {
        const char sign = literal > 0 ? 1 : 2;  // bit of the mark of the variable
        char& mark = marks_[variable(literal)];
        if (mark & ~sign) is_tautology = true;
        if (!(mark & sign)) arena_.push_back(literal);
        mark |= sign;
    }
    for (std::int32_t literal : clause_literals) marks_[variable(literal)] = 0;
    work_done_ += clause_literals.size();
    const auto size = static_cast<std::uint32_t>(arena_.size() - begin);
    clauses_.push_back({begin, size, false, !is_tautology, kNone});
    if (!is_tautology) add_to_bucket(static_cast<Number>(clauses_.size() - 1));
    return !is_tautology;
}

// The hash does not depend on the order of the literals.
std::uint64_t Trimmer::hash(const std::int32_t* first, std::size_t size) const {
    std::uint64_t sum = size;
    for (std::size_t i = 0; i < size; ++i) sum += mix64(index(first[i]));
    return sum;
}

// Add a clause to the hash table, which is enlarged if it has more clauses than buckets.
void Trimmer::add_to_bucket(Number clause) {
    if (clauses_.size() > buckets_.size()) {
        buckets_.assign(4 * buckets_.size(), kNone);
        for (Number i = 0; i < static_cast<Number>(clauses_.size()) - 1; ++i) {
            if (!clauses_[i].is_active) continue;  // deleted clauses are not in the table
            Number& head = buckets_[hash(literals(i), clauses_[i].size) % buckets_.size()];
            clauses_[i].next = std::exchange(head, i);
        }
        work_done_ += arena_.size();
    }
    Number& head = buckets_[hash(literals(clause), clauses_[clause].size) % buckets_.size()];
    clauses_[clause].next = std::exchange(head, clause);
}

// Remove a clause with exactly these literals from its bucket, and return it. Returns kNone if
// there is no such clause.
Trimmer::Number Trimmer::remove_from_bucket(const std::vector<std::int32_t>& clause_literals) {
    Number* link =
        &buckets_[hash(clause_literals.data(), clause_literals.size()) % buckets_.size()];
    for (; *link != kNone; link = &clauses_[*link].next) {
        const Number clause = *link;
        const std::int32_t* const first = literals(clause);
        work_done_ += clauses_[clause].size;
        if (clauses_[clause].size == clause_literals.size() &&
            std::is_permutation(clause_literals.begin(), clause_literals.end(), first)) {
            *link = clauses_[clause].next;
            return clause;
        }
    }
    return kNone;
}

// Watch two literals that are not false. If there are fewer than two, the literals that became
// false last take their places, because backtracking unassigns these first.
void Trimmer::watch(Number clause) {
    assert(clauses_[clause].size >= 2);
    std::int32_t* const first = literals(clause);
    const std::size_t size = clauses_[clause].size;
    const auto priority = [this](std::int32_t literal) {
        return values_[index(literal)] < 0 ? trail_index_[variable(literal)] : num_variables_ + 1;
    };
    for (std::size_t position = 0; position < 2; ++position)
        for (std::size_t i = position + 1; i < size; ++i)
            if (priority(first[i]) > priority(first[position]))
                std::swap(first[position], first[i]);
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
    for (std::size_t position = 0; position < 2; ++position) {
        const std::size_t watched = index(literals(clause)[position]);
        work_done_ += (core_watches_[watched].size() + other_watches_[watched].size()) / 8;
        if (!remove_watch(other_watches_[watched], clause))
            remove_watch(core_watches_[watched], clause);
    }
}

// Activate a clause: watch it, and assign its only literal that is not false, if there is one. Sets
// conflict_ if all literals are false.
void Trimmer::activate(Number clause) {
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

void Trimmer::backtrack(std::size_t trail_size) {
    assert(trail_size <= trail_.size());
    while (trail_.size() > trail_size) {
        values_[index(trail_.back())] = values_[index(-trail_.back())] = 0;
        trail_.pop_back();
    }
    next_core_ = next_other_ = trail_size;
}

// Core-first propagation: other clauses propagate a literal only when the core clauses have
// propagated all literals. So the proof of a lemma makes few other clauses needed.
void Trimmer::propagate() {
    while (conflict_ == kNone) {
        if (next_core_ < trail_.size())
            conflict_ = propagate_watches(-trail_[next_core_++], core_watches_, true);
        else if (next_other_ < trail_.size())
            conflict_ = propagate_watches(-trail_[next_other_++], other_watches_, false);
        else
            return;
    }
}

// Visit the clauses that watch a literal that has become false: watch another literal, or assign
// the last literal that is not false. Returns a clause whose literals are all false, or kNone.
Trimmer::Number Trimmer::propagate_watches(std::int32_t literal, Watches& watches_by_literal,
                                           bool is_core) {
    std::vector<Watch>& watches = watches_by_literal[index(literal)];
    Number conflict = kNone;
    std::size_t end = 0;
    std::size_t next = 0;
    for (; next < watches.size() && conflict == kNone; ++next) {
        const Watch watch = watches[next];
        ++work_done_;
        Clause& clause = clauses_[watch.clause];
        // The clause has become a core clause since it was watched, so its watch is moved.
        const bool is_moved = clause.is_core && !is_core;
        if (values_[index(watch.other)] > 0) {
            if (is_moved)
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
            Watches& target = clause.is_core ? core_watches_ : other_watches_;
            target[index(first[1])].push_back({watch.clause, first[0]});
            continue;
        }
        const Watch updated_watch{watch.clause, first[0]};
        if (is_moved)
            core_watches_[index(literal)].push_back(updated_watch);
        else
            watches[end++] = updated_watch;
        if (values_[index(first[0])] < 0)
            conflict = watch.clause;
        else if (values_[index(first[0])] == 0)
            assign(first[0], watch.clause);
    }
    while (next < watches.size()) watches[end++] = watches[next++];
    watches.resize(end);
    return conflict;
}

bool Trimmer::read_literals(std::vector<std::int32_t>& literals) {
    literals.clear();
    for (;;) {
        while (position_ < proof_.size() && proof_[position_] == ' ') ++position_;
        const char* const begin = proof_.c_str() + position_;
        char* end = nullptr;
        const long literal = std::strtol(begin, &end, 10);
        const auto max_literal = static_cast<long>(num_variables_);
        if (end == begin || literal > max_literal || literal < -max_literal) {
            const std::string limit = std::to_string(num_variables_);
            fail("line " + std::to_string(line_) +
                 " of the solver's proof: expected whole numbers from -" + limit + " to " + limit +
                 " that end with 0");
            return false;
        }
        position_ = static_cast<std::size_t>(end - proof_.c_str());
        if (literal == 0) break;
        literals.push_back(static_cast<std::int32_t>(literal));
    }
    while (position_ < proof_.size() && (proof_[position_] == ' ' || proof_[position_] == '\r'))
        ++position_;
    if (position_ < proof_.size() && proof_[position_] == '\n') ++position_;
    return true;
}

bool Trimmer::read_step() {
    if (conflict_ != kNone) return false;
    if (position_ == proof_.size()) {
        fail("the solver's proof ends after line " + std::to_string(line_) +
             " without a contradiction");
        return false;
    }
    ++line_;
    ++num_steps_done_;
    const bool is_deletion = proof_[position_] == 'd';
    if (is_deletion) ++position_;
    if (!read_literals(line_literals_)) return false;
    if (is_deletion) {
        const Number clause = remove_from_bucket(line_literals_);
        if (clause == kNone) return true;  // deleting an unknown clause is harmless
        const std::int32_t first = clauses_[clause].size ? literals(clause)[0] : 0;
        const bool is_reason = clauses_[clause].size == 1 ||
                               (values_[index(first)] > 0 && reasons_[variable(first)] == clause);
        if (is_reason) return true;  // not deleted, because its literal stays assigned
        unwatch(clause);
        clauses_[clause].is_active = false;
        steps_.push_back({clause, true, trail_.size()});
        return true;
    }
    ++num_input_lemmas_;
    const std::size_t trail_size = trail_.size();
    if (!append_clause(line_literals_)) return true;
    const auto clause = static_cast<Number>(clauses_.size() - 1);
    steps_.push_back({clause, false, trail_size});
    activate(clause);
    if (conflict_ == kNone) propagate();
    if (conflict_ != kNone) derive_empty_clause(conflict_);
    return conflict_ == kNone;
}

// Derive the empty clause from a clause whose literals are false at the root.
void Trimmer::derive_empty_clause(Number clause) {
    root_trail_size_ = trail_.size();
    const std::size_t begin = hints_.size();
    explain(clause, root_trail_size_);
    output_lemmas_.push_back({kNone, 0, begin, hints_.size()});
    num_steps_ = num_steps_done_ + steps_.size() + 1;
}

// Append the hints that show that all literals of a clause are false: first the units of literals
// before index `trail_begin` of the trail, then the reasons of later literals, in the order of
// propagation, and last the clause. Variables that are marked on entry are assumptions, which need
// no hints.
void Trimmer::explain(Number conflict, std::size_t trail_begin) {
    std::vector<Number> chain{conflict};
    std::vector<std::size_t> marked_variables;
    // Mark the variables of a clause, except that of the literal `implied`.
    const auto mark_variables = [&](Number clause, std::int32_t implied) {
        mark_needed(clause);
        const std::int32_t* const first = literals(clause);
        for (std::size_t i = 0; i < clauses_[clause].size; ++i) {
            const std::size_t marked_variable = variable(first[i]);
            if (first[i] == implied || marks_[marked_variable]) continue;
            marks_[marked_variable] = 1;
            marked_variables.push_back(marked_variable);
            if (trail_index_[marked_variable] >= trail_begin) continue;
            hints_.push_back(~static_cast<Number>(marked_variable));
            is_needed_[marked_variable] = 1;
        }
        work_done_ += clauses_[clause].size;
    };
    mark_variables(conflict, 0);
    for (std::size_t i = trail_.size(); i-- > trail_begin;) {
        const std::int32_t literal = trail_[i];
        const Number reason = reasons_[variable(literal)];
        if (marks_[variable(literal)] != 1 || reason == kNone) continue;
        chain.push_back(reason);
        mark_variables(reason, literal);
    }
    hints_.insert(hints_.end(), chain.rbegin(), chain.rend());
    for (std::size_t marked_variable : marked_variables) marks_[marked_variable] = 0;
}

void Trimmer::backtrack_root(std::size_t trail_size) {
    while (trail_.size() > trail_size) {
        const std::int32_t literal = trail_.back();
        const std::size_t root_variable = variable(literal);
        if (is_needed_[root_variable]) {
            const Number reason = reasons_[root_variable];
            const std::size_t begin = hints_.size();
            if (clauses_[reason].size > 1) {
                marks_[root_variable] = 2;  // assume that the literal is false
                explain(reason, trail_.size());
                marks_[root_variable] = 0;
                output_lemmas_.push_back({kNone, literal, begin, hints_.size()});
            } else {
                mark_needed(reason);
                unit_clause_[root_variable] = reason;
            }
        }
        backtrack(trail_.size() - 1);
    }
    root_trail_size_ = trail_size;
}

bool Trimmer::undo_step() {
    ++num_steps_done_;
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
    // Unassign before unwatching: while a clause is a reason, its true literal must stay watched.
    backtrack_root(step.trail_size);
    if (clauses_[step.clause].size >= 2 && clauses_[step.clause].is_active) unwatch(step.clause);
    clauses_[step.clause].is_active = false;
    conflict_ = kNone;
    return !clauses_[step.clause].is_core || prove(step.clause);
}

bool Trimmer::prove(Number clause) {
    const std::size_t begin = hints_.size();
    const std::size_t size = clauses_[clause].size;
    const std::int32_t* const first = literals(clause);
    std::int32_t root_literal = 0;  // a literal of the lemma that is true at the root
    for (std::size_t i = 0; i < size && root_literal == 0; ++i)
        if (values_[index(first[i])] > 0) root_literal = first[i];
    if (root_literal != 0) {  // the unit of this literal implies the lemma
        hints_.push_back(~static_cast<Number>(variable(root_literal)));
        is_needed_[variable(root_literal)] = 1;
    } else {
        for (std::size_t i = 0; i < size; ++i) {
            marks_[variable(first[i])] = 2;  // assume that the literal is false
            if (values_[index(first[i])] == 0) assign(-first[i], kNone);
        }
        next_core_ = next_other_ = root_trail_size_;
        propagate();
        if (conflict_ == kNone) {
            std::string lemma;
            for (std::size_t i = 0; i < size; ++i) lemma += std::to_string(first[i]) + ' ';
            fail("the lemma " + lemma +
                 "0 of the solver's proof does not follow by unit propagation");
            return false;
        }
        explain(conflict_, root_trail_size_);
        for (std::size_t i = 0; i < size; ++i) marks_[variable(first[i])] = 0;
        conflict_ = kNone;
        backtrack(root_trail_size_);
    }
    output_lemmas_.push_back({clause, 0, begin, hints_.size()});
    return true;
}

// Write the needed lemmas, and after each lemma the deletion of the lemmas that are not used later.
// The first pass numbers the lemmas and finds their last uses. The second pass writes.
void Trimmer::write_lrat() {
    using Id = std::uint64_t;
    std::vector<Id> clause_ids(clauses_.size(), 0), unit_ids(num_variables_ + 1, 0);
    for (std::size_t i = 0; i < formula_size_; ++i) clause_ids[i] = i + 1;
    std::reverse(output_lemmas_.begin(), output_lemmas_.end());
    num_output_lemmas_ = output_lemmas_.size();
    Id id = formula_size_;
    // [id - formula_size_]: index of the last lemma that uses the lemma with this id.
    std::vector<std::uint32_t> last_uses(output_lemmas_.size() + 1, 0);
    const auto id_of = [&](Number hint) {
        if (hint >= 0) return clause_ids[hint];
        return unit_clause_[~hint] == kNone ? unit_ids[~hint] : clause_ids[unit_clause_[~hint]];
    };
    // Per lemma: the lemmas that are deleted after it.
    std::vector<std::vector<Id>> deletions(output_lemmas_.size() + 1);
    for (int pass = 0; pass < 2; ++pass) {
        id = formula_size_;
        for (std::size_t i = 0; i < output_lemmas_.size(); ++i) {
            const Lemma& lemma = output_lemmas_[i];
            ++id;
            if (pass == 1) {
                lrat_ += std::to_string(id);
                if (lemma.unit != 0) lrat_ += ' ' + std::to_string(lemma.unit);
                if (lemma.clause != kNone)
                    for (std::size_t j = 0; j < clauses_[lemma.clause].size; ++j)
                        lrat_ += ' ' + std::to_string(literals(lemma.clause)[j]);
                lrat_ += " 0";
            }
            for (std::size_t j = lemma.hints_begin; j < lemma.hints_end; ++j) {
                const Id hint_id = id_of(hints_[j]);
                if (pass == 1)
                    lrat_ += ' ' + std::to_string(hint_id);
                else if (hint_id > formula_size_)
                    last_uses[hint_id - formula_size_] = static_cast<std::uint32_t>(i);
            }
            if (lemma.unit != 0) unit_ids[variable(lemma.unit)] = id;
            if (lemma.clause != kNone) clause_ids[lemma.clause] = id;
            if (pass == 0) continue;
            lrat_ += " 0\n";
            if (deletions[i].empty() || i + 1 == output_lemmas_.size()) continue;
            lrat_ += std::to_string(id) + " d";
            for (Id deleted_id : deletions[i]) lrat_ += ' ' + std::to_string(deleted_id);
            lrat_ += " 0\n";
        }
        if (pass == 0)
            for (std::size_t i = 1; i < output_lemmas_.size(); ++i)
                deletions[last_uses[i]].push_back(formula_size_ + i);
    }
}

}  // namespace mmsat::proof
