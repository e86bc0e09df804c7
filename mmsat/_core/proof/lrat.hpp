// Checker for LRAT proofs, in which each lemma lists the clauses from which it follows, in order,
// so that no search is needed.
//
// The listed clauses are the hints of the lemma. It follows by unit propagation: assume that all of
// its literals are false. Then each hint has exactly one literal that is not false, and this
// literal is set to true; the last hint has no such literal. A line of the proof is `ID LITERALS 0
// HINTS 0`, or `ID d CLAUSES 0`, which deletes clauses. The clauses of the formula are numbered
// from 1, and lemmas continue this numbering. The last lemma is the goal: the empty clause, or a
// given unit clause. Lemmas that only preserve satisfiability (RAT) are rejected.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mmsat::proof {

// State of a check: more lines to read, proof accepted, or proof rejected.
enum class Check { unfinished, holds, fails };

constexpr std::uint64_t kMaxWork = std::uint64_t{1} << 62;  // in one call of advance()

// Resumable checker. An object owns copies of the formula and the proof. Not thread-safe: the
// bindings release the GIL in advance(), so callers must not use the same object in two threads at
// a time.
class LratChecker {
public:
    // `formula` has the literals of all clauses, and 0 after each clause. Variables are numbered
    // from 1 to `num_variables`. The last lemma is the literal `goal`, or the empty clause if
    // `goal` is 0.
    LratChecker(std::size_t num_variables, const std::vector<std::int32_t>& formula,
                std::string proof, std::int32_t goal = 0);

    // Check lines with about `work` literals.
    Check advance(std::uint64_t work);

    // Return the number of the last line read. Lines are numbered from 1.
    std::size_t line() const { return line_; }
    // Return the number of bytes of the proof read so far.
    std::size_t position() const { return position_; }
    // Return the number of lemmas checked so far.
    std::size_t num_lemmas() const { return num_lemmas_; }
    // Return the reason for the rejection, or an empty string.
    const std::string& fault() const { return fault_; }

private:
    struct Clause {
        std::size_t begin;  // index of its first literal in the arena
        std::uint32_t size;
        bool is_active;
    };

    // Set the state to fails, with a reason.
    Check fail(std::string reason);
    Check read_line();
    bool read_number(std::int64_t& value, char separator);
    bool read_literals();
    // Read the rest of a line, after the number and, in a deletion, `d`.
    Check read_lemma();
    Check read_deletion();
    void unassign_all();
    // Store the current lemma as a clause.
    void store_lemma();
    // Remove deleted clauses from the arena.
    void compact();
    std::int8_t value(std::int32_t literal) const {
        const std::int8_t variable_value = values_[literal < 0 ? -literal : literal];
        return literal < 0 ? static_cast<std::int8_t>(-variable_value) : variable_value;
    }
    void assign(std::int32_t literal);
    // Return whether the current lemma is the last one that the proof needs.
    bool is_goal() const {
        return goal_ == 0 ? lemma_.empty() : lemma_.size() == 1 && lemma_[0] == goal_;
    }

    std::string proof_;
    std::int32_t goal_;
    std::size_t position_ = 0;
    std::size_t line_ = 0;
    std::size_t num_lemmas_ = 0;
    std::uint64_t work_done_ = 0;  // total number of literals visited
    Check state_ = Check::unfinished;
    std::string fault_;
    std::vector<std::int32_t> arena_;       // literals of all clauses
    std::size_t num_deleted_literals_ = 0;  // literals of deleted clauses in the arena
    std::vector<Clause> clauses_;           // [number]; entry 0 is not used
    std::vector<std::int32_t> lemma_;       // literals of the current line
    std::vector<std::int8_t> values_;       // per variable: 1 true, -1 false, 0 unassigned
    std::vector<std::int32_t> assigned_;    // true literals
};

}  // namespace mmsat::proof
