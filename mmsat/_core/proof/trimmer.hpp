// Turns a solver's proof (DRUP) into one in LRAT that has only what is needed.
//
// Forward, the lemmas are read and only units are propagated, up to the contradiction. Backward
// from there, each lemma that is needed is shown to follow by unit propagation from the clauses
// that stood when it was learned, and what that takes is needed too. Clauses that are needed
// already are looked at first. What is known without assumptions becomes a lemma of one literal, so
// that no chain of such is told twice. After Goldberg and Novikov (2003) and Heule, Hunt and
// Wetzler (2013).
//
// Deletions are hints: a clause that something known rests on stays. Nothing here needs to be
// trusted, as the proof that comes out is checked on its own (lrat.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "proof/lrat.hpp"

namespace mmsat::proof {

class Trimmer {
public:
    // The clauses of the formula, each ended by 0, and the proof as text: `LITERALS 0` or
    // `d LITERALS 0` a line.
    Trimmer(std::size_t variables, const std::vector<std::int32_t>& formula, std::string proof);

    // Works until about so many literals were looked at. Holds once lrat() is complete; fails where
    // a lemma does not follow by unit propagation, or the proof shows no contradiction.
    Check advance(std::uint64_t work);

    const std::string& fault() const { return fault_; }
    const std::string& lrat() const { return lrat_; }
    std::size_t done() const { return done_; }  // steps, of twice as many as there are lines
    std::size_t steps() const { return total_; }
    std::size_t lemmas() const { return lemmas_; }  // of the proof that was read
    std::size_t kept() const { return kept_; }      // of the proof that came out

private:
    enum class Stage { setting_up, forward, backward, writing, over };
    using Number = std::int32_t;  // of a clause, from 0; those of the formula first
    static constexpr Number kNone = -1;

    struct Clause {
        std::size_t begin;
        std::uint32_t size;
        bool is_core;
        bool is_there;
        Number next;  // with the same hash
    };
    struct Step {
        Number clause;
        bool is_deletion;
        std::size_t trail;  // its length before the step
    };
    struct Watch {
        Number clause;
        std::int32_t other;  // a literal of it; where that is true, there is nothing to do
    };
    struct Lemma {  // to be written; a unit's number is none
        Number clause;
        std::int32_t unit;
        std::size_t begin;  // of its hints
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

    Check fail(std::string reason);
    bool set_up();
    bool read_step();
    bool read_literals(std::vector<std::int32_t>& found);
    bool begin_clause(const std::vector<std::int32_t>& stated);
    void add(Number clause);
    void watch(Number clause);
    void unwatch(Number clause);
    static bool drop(std::vector<Watch>& watches, Number clause);
    std::uint64_t hash(const std::int32_t* first, std::size_t size) const;
    Number find(const std::vector<std::int32_t>& stated);
    void index_clause(Number clause);
    void assign(std::int32_t literal, Number reason);
    void undo(std::size_t length);
    void undo_known(std::size_t length);
    void propagate();
    Number visit(std::int32_t literal, Watches& from, bool is_core);
    void contradict(Number clause);
    bool step_back();
    bool show(Number clause);
    void explain(Number conflict, std::size_t from);
    void need(Number clause) { clauses_[clause].is_core = true; }
    void write();

    std::string proof_;
    std::size_t variables_;
    std::size_t at_ = 0;
    std::size_t line_ = 0;
    std::size_t formula_size_ = 0;  // clauses
    std::size_t next_literal_ = 0;  // of the formula, while setting up
    std::vector<std::int32_t> formula_;
    Stage stage_ = Stage::setting_up;
    Check state_ = Check::going_on;
    std::string fault_;
    std::uint64_t looked_ = 0;
    std::size_t done_ = 0;
    std::size_t total_ = 1;
    std::size_t lemmas_ = 0;
    std::size_t kept_ = 0;

    std::vector<std::int32_t> arena_;
    std::vector<Clause> clauses_;
    std::vector<Number> buckets_;
    std::vector<Step> steps_;
    Watches core_, rest_;              // by the literal that they watch
    std::vector<std::int8_t> values_;  // by literal: 1 true, -1 false
    std::vector<Number> reasons_;      // by variable
    std::vector<std::size_t> places_;  // on the trail, by variable
    std::vector<std::int32_t> trail_;
    std::size_t known_ = 0;      // so much of the trail holds without assumptions
    std::size_t next_core_ = 0;  // of the trail, to propagate
    std::size_t next_rest_ = 0;
    Number conflict_ = kNone;
    std::vector<char> marks_;           // by variable
    std::vector<char> is_needed_;       // by variable: its unit is used later on
    std::vector<Number> stated_by_;     // by variable: the clause of one literal that is its unit
    std::vector<Number> hints_;         // clauses, or ~variable for its unit
    std::vector<Lemma> written_;        // from the last to the first
    std::vector<std::int32_t> stated_;  // the literals of a line
    std::string lrat_;
};

}  // namespace mmsat::proof
