// Conversion of a solver's proof (DRUP) to an LRAT proof (lrat.hpp) with only the needed lemmas.
// See Goldberg and Novikov (2003) and Heule, Hunt and Wetzler (2013).
//
// The forward pass reads the lemmas until a contradiction. It propagates only root literals, which
// are true without assumptions. The backward pass goes through the lemmas in reverse, and proves
// each needed lemma by unit propagation from the clauses that existed when the lemma was learned.
// The clauses of this proof are then needed, too: they are core clauses, which later propagations
// prefer. Root literals that are used become unit lemmas, so that chains of propagations are not
// repeated. A deletion is ignored if the clause is the reason of a root literal. This code need not
// be trusted, because its output is checked independently.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "proof/lrat.hpp"

namespace mmsat::proof {

// Resumable conversion. An object owns copies of the formula and the proof. Not thread-safe: the
// bindings release the GIL in advance(), so callers must not use the same object in two threads at
// a time.
class Trimmer {
public:
    // `formula` has the literals of all clauses, and 0 after each clause. `proof` has one step per
    // line: a lemma `LITERALS 0`, or a deletion `d LITERALS 0`.
    Trimmer(std::size_t num_variables, const std::vector<std::int32_t>& formula, std::string proof);

    // Visit about `work` more literals. Returns `holds` once lrat() is complete, and `fails` if a
    // lemma does not follow by unit propagation, the proof derives no contradiction, or a line is
    // invalid.
    Check advance(std::uint64_t work);

    // Return the reason for the failure, or an empty string.
    const std::string& fault() const { return fault_; }
    // Return the LRAT proof. Requires that advance() has returned `holds`. The reference is valid
    // as long as this object.
    const std::string& lrat() const { return lrat_; }
    // Return the number of steps that are done, and the expected total. Each pass counts every line
    // of the proof that it processes as a step.
    std::size_t num_steps_done() const { return num_steps_done_; }
    std::size_t num_steps() const { return num_steps_; }
    std::size_t num_input_lemmas() const { return num_input_lemmas_; }
    std::size_t num_output_lemmas() const { return num_output_lemmas_; }

private:
    enum class Stage { setup, forward, backward, writing, finished };
    // Number of a clause, from 0. The clauses of the formula are first.
    using Number = std::int32_t;
    static constexpr Number kNone = -1;

    struct Clause {
        std::size_t begin;  // index of the first literal in the arena
        std::uint32_t size;
        bool is_core;    // whether the clause is needed
        bool is_active;  // whether the clause may be used: not deleted, and no tautology
        Number next;     // next clause in the same bucket
    };
    // A line of the proof, to be undone in the backward pass.
    struct Step {
        Number clause;
        bool is_deletion;
        std::size_t trail_size;  // number of literals on the trail before the step
    };
    // An entry in the list of the clauses that watch a literal (two-watched-literal scheme).
    struct Watch {
        Number clause;
        // Another literal of the clause. If it is true, the clause need not be visited.
        std::int32_t other;
    };
    // A lemma to be written: a clause, a unit, or neither for the empty clause.
    struct Lemma {
        Number clause;      // or kNone
        std::int32_t unit;  // or 0
        // Its hints are hints_[hints_begin] to hints_[hints_end - 1].
        std::size_t hints_begin;
        std::size_t hints_end;
    };
    using Watches = std::vector<std::vector<Watch>>;

    std::int32_t* literals(Number clause) { return arena_.data() + clauses_[clause].begin; }
    // Return the index of a literal in vectors with an element per literal.
    static std::size_t index(std::int32_t literal) {
        return literal > 0 ? 2u * static_cast<std::size_t>(literal)
                           : 2u * static_cast<std::size_t>(-literal) + 1;
    }
    static std::size_t variable(std::int32_t literal) {
        return static_cast<std::size_t>(literal < 0 ? -literal : literal);
    }

    // Set the state to fails, with a reason.
    Check fail(std::string reason);
    // Add one clause of the formula. Returns false after the last clause.
    bool set_up();
    // Read one line of the proof. Returns false after a contradiction, at the end of the proof, and
    // after an error.
    bool read_step();
    // Read the literals of a line. Returns false after an error.
    bool read_literals(std::vector<std::int32_t>& literals);
    bool append_clause(const std::vector<std::int32_t>& clause_literals);
    void activate(Number clause);
    void watch(Number clause);
    void unwatch(Number clause);
    static bool remove_watch(std::vector<Watch>& watches, Number clause);
    std::uint64_t hash(const std::int32_t* first, std::size_t size) const;
    Number remove_from_bucket(const std::vector<std::int32_t>& clause_literals);
    void add_to_bucket(Number clause);
    void assign(std::int32_t literal, Number reason);
    // Unassign literals until the trail has this size.
    void backtrack(std::size_t trail_size);
    // The same for root literals. Those that later lemmas use become unit lemmas.
    void backtrack_root(std::size_t trail_size);
    void propagate();
    Number propagate_watches(std::int32_t literal, Watches& watches_by_literal, bool is_core);
    void derive_empty_clause(Number clause);
    // Undo the last step, and prove its lemma if it is needed. Returns false after the first step
    // and after an error.
    bool undo_step();
    // Prove a lemma by unit propagation and append its hints. Returns false, with an error, if the
    // lemma does not follow.
    bool prove(Number clause);
    void explain(Number conflict, std::size_t trail_begin);
    void mark_needed(Number clause) { clauses_[clause].is_core = true; }
    void write_lrat();

    std::string proof_;
    std::size_t num_variables_;
    std::size_t position_ = 0;
    std::size_t line_ = 0;
    std::size_t formula_size_ = 0;  // number of clauses of the formula
    std::size_t next_literal_ = 0;  // position in formula_ during setup
    std::vector<std::int32_t> formula_;
    Stage stage_ = Stage::setup;
    Check state_ = Check::unfinished;
    std::string fault_;
    std::uint64_t work_done_ = 0;
    std::size_t num_steps_done_ = 0;
    std::size_t num_steps_ = 1;
    std::size_t num_input_lemmas_ = 0;
    std::size_t num_output_lemmas_ = 0;

    std::vector<std::int32_t> arena_;  // literals of all clauses
    std::vector<Clause> clauses_;
    std::vector<Number> buckets_;  // hash table of active clauses: first clause of each bucket
    std::vector<Step> steps_;      // steps of the forward pass that are not yet undone
    Watches core_watches_, other_watches_;  // per watched literal
    std::vector<std::int8_t> values_;       // per literal: 1 true, -1 false, 0 unassigned
    std::vector<Number> reasons_;           // per variable: clause that implied its value
    std::vector<std::size_t> trail_index_;  // per variable: index on the trail
    std::vector<std::int32_t> trail_;       // assigned literals, in the order of assignment
    std::size_t root_trail_size_ = 0;       // number of root literals, which are first on the trail
    // Index on the trail of the next literal to propagate, by core watches and by other watches.
    std::size_t next_core_ = 0;
    std::size_t next_other_ = 0;
    Number conflict_ = kNone;                  // a clause whose literals are all false
    std::vector<char> marks_;                  // per variable; 0 between calls
    std::vector<char> is_needed_;              // per variable: whether a later lemma uses its unit
    std::vector<Number> unit_clause_;          // per variable: clause that is its unit, or kNone
    std::vector<Number> hints_;                // clauses, or ~variable for the unit of a variable
    std::vector<Lemma> output_lemmas_;         // the last lemma first
    std::vector<std::int32_t> line_literals_;  // literals of the current line
    std::string lrat_;
};

}  // namespace mmsat::proof
