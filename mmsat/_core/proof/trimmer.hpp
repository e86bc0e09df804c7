// Conversion of a solver's proof (DRUP) to an LRAT proof with only the lemmas that are needed.
//
// Forward, the lemmas are read and only root-level units are propagated, until a contradiction.
// Backward from there, each needed lemma is proved by unit propagation from the clauses that
// existed when it was learned, and the clauses used for it are needed, too. Propagation prefers
// clauses that are already needed (core first). Root literals that are used become unit lemmas, so
// that chains of propagations are not repeated. See Goldberg and Novikov (2003) and Heule, Hunt and
// Wetzler (2013).
//
// Deletions are hints: a clause that is the reason of a root literal is kept. This code need not be
// trusted, because its output is checked independently (lrat.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "proof/lrat.hpp"

namespace mmsat::proof {

// Resumable conversion. It owns copies of the formula and the proof. Not thread-safe: the bindings
// release the GIL in advance(), so callers must not use the same object in two threads at a time.
class Trimmer {
public:
    // The clauses of `formula` end with 0 each. `proof` has one step per line: `LITERALS 0` or `d
    // LITERALS 0`.
    Trimmer(std::size_t variables, const std::vector<std::int32_t>& formula, std::string proof);

    // Work until about `work` literals were visited. Returns holds once lrat() is complete, and
    // fails if a lemma does not follow by unit propagation or the proof derives no contradiction.
    Check advance(std::uint64_t work);

    // Reason for the failure, or an empty string.
    const std::string& fault() const { return fault_; }
    // The LRAT proof once advance() has returned holds. The reference is valid as long as this
    // object.
    const std::string& lrat() const { return lrat_; }
    // Steps done of steps(), at most twice the number of lines.
    std::size_t done() const { return done_; }
    std::size_t steps() const { return total_; }
    std::size_t lemmas() const { return lemmas_; }     // in the input
    std::size_t kept() const { return num_written_; }  // in the output

private:
    enum class Stage { setting_up, forward, backward, writing, over };
    using Number = std::int32_t;  // of a clause, from 0; the clauses of the formula come first
    static constexpr Number kNone = -1;

    struct Clause {
        std::size_t begin;
        std::uint32_t size;
        bool is_core;
        bool is_active;
        Number next;  // next clause in the same bucket
    };
    struct Step {
        Number clause;
        bool is_deletion;
        std::size_t trail;  // length of the trail before the step
    };
    struct Watch {
        Number clause;
        // Another literal of the clause; if it is true, nothing needs to be done.
        std::int32_t other;
    };
    struct Lemma {  // lemma to be written: a clause, or a unit (then `clause` is kNone)
        Number clause;
        std::int32_t unit;
        std::size_t begin;  // range of its hints
        std::size_t end;
    };
    using Watches = std::vector<std::vector<Watch>>;

    std::int32_t* literals(Number clause) { return arena_.data() + clauses_[clause].begin; }
    static std::size_t index(std::int32_t literal) {
        return literal > 0 ? 2u * static_cast<std::size_t>(literal)
                           : 2u * static_cast<std::size_t>(-literal) + 1;
    }
    static std::size_t variable(std::int32_t literal) {
        return static_cast<std::size_t>(literal < 0 ? -literal : literal);
    }

    // Set the state to fails, with a reason.
    Check fail(std::string reason);
    bool set_up();
    bool read_step();
    bool read_literals(std::vector<std::int32_t>& found);
    bool begin_clause(const std::vector<std::int32_t>& line);
    void add(Number clause);
    void watch(Number clause);
    void unwatch(Number clause);
    static bool remove_watch(std::vector<Watch>& watches, Number clause);
    std::uint64_t hash(const std::int32_t* first, std::size_t size) const;
    Number take_clause(const std::vector<std::int32_t>& wanted);
    void index_clause(Number clause);
    void assign(std::int32_t literal, Number reason);
    // Unassign literals down to this trail length.
    void backtrack(std::size_t length);
    void backtrack_root(std::size_t length);
    void propagate();
    Number propagate_watches(std::int32_t literal, Watches& from, bool is_core);
    void derive_empty_clause(Number clause);
    bool step_back();
    bool prove(Number clause);
    void explain(Number conflict, std::size_t from);
    // Mark a clause as needed.
    void need(Number clause) { clauses_[clause].is_core = true; }
    void write_lrat();

    std::string proof_;
    std::size_t variables_;
    std::size_t position_ = 0;
    std::size_t line_ = 0;
    std::size_t formula_size_ = 0;  // number of clauses
    std::size_t next_literal_ = 0;  // position in the formula, while setting up
    std::vector<std::int32_t> formula_;
    Stage stage_ = Stage::setting_up;
    Check state_ = Check::going_on;
    std::string fault_;
    std::uint64_t work_done_ = 0;
    std::size_t done_ = 0;
    std::size_t total_ = 1;
    std::size_t lemmas_ = 0;
    std::size_t num_written_ = 0;

    std::vector<std::int32_t> arena_;
    std::vector<Clause> clauses_;
    std::vector<Number> buckets_;
    std::vector<Step> steps_;
    Watches core_watches_, other_watches_;  // per watched literal
    std::vector<std::int8_t> values_;       // per literal: 1 true, -1 false, 0 unassigned
    std::vector<Number> reasons_;           // per variable: clause that implied it
    std::vector<std::size_t> trail_index_;  // per variable: index on the trail
    std::vector<std::int32_t> trail_;
    std::size_t root_trail_size_ = 0;  // number of literals on the trail at the root
    std::size_t next_core_ = 0;        // index on the trail of the next literal to propagate
    std::size_t next_rest_ = 0;
    Number conflict_ = kNone;
    std::vector<char> marks_;                  // per variable
    std::vector<char> is_needed_;              // per variable: whether its unit is used later
    std::vector<Number> unit_clause_;          // per variable: the unit clause that states it
    std::vector<Number> hints_;                // clauses, or ~variable for its unit
    std::vector<Lemma> written_;               // last lemma first
    std::vector<std::int32_t> line_literals_;  // literals of the current line
    std::string lrat_;
};

}  // namespace mmsat::proof
