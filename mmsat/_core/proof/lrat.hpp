// Checker for LRAT proofs, in which each lemma lists the clauses from which it follows, in order,
// so that no search is needed.
//
// A lemma follows by unit propagation: if all of its literals are false, then each listed clause
// has exactly one literal that is not false, which is then set to true, and the last one has none.
// A line of the proof is `ID LITERALS 0 CLAUSES 0`, or `ID d CLAUSES 0`, which deletes clauses. The
// clauses of the formula are numbered from 1, lemmas continue this numbering, and the last lemma is
// the empty clause. Lemmas that only preserve satisfiability (RAT) are not supported and rejected.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mmsat::proof {

// State of a check: more lines to read, proof accepted, or proof rejected.
enum class Check { going_on, holds, fails };

constexpr std::uint64_t kMaxWork = std::uint64_t{1} << 62;  // per call of advance()

// Resumable checker. It owns copies of the formula and the proof. Not thread-safe: the bindings
// release the GIL in advance(), so callers must not use the same object in two threads at a time.
class LratChecker {
public:
    // The clauses of `formula` end with 0 each; the absolute values of literals are at most
    // `variables`.
    LratChecker(std::size_t variables, const std::vector<std::int32_t>& formula, std::string proof);

    // Check lines until about `work` literals were visited.
    Check advance(std::uint64_t work);

    std::size_t line() const { return line_; }  // number of the line read last, from 1
    std::size_t position() const {
        return position_;
    }  // number of bytes of the proof that were read
    std::size_t lemmas() const { return lemmas_; }  // number of lemmas checked so far
    // Reason for the rejection, or an empty string.
    const std::string& fault() const { return fault_; }

private:
    struct Span {
        std::size_t begin;
        std::uint32_t size;
        bool is_active;
    };

    // Set the state to fails, with a reason.
    Check fail(std::string reason);
    Check read_line();
    bool number(std::int64_t& value, char end);
    bool literals();
    // Read a line after its number.
    Check lemma();
    Check deletion();
    // Unassign all variables.
    void unassign_all();
    // Store the lemma as a clause.
    void store_lemma();
    void compact();
    std::int8_t value(std::int32_t literal) const {
        const std::int8_t known = values_[literal < 0 ? -literal : literal];
        return literal < 0 ? static_cast<std::int8_t>(-known) : known;
    }
    void assign(std::int32_t literal);

    std::string proof_;
    std::size_t position_ = 0;
    std::size_t line_ = 0;
    std::size_t lemmas_ = 0;
    std::uint64_t work_done_ = 0;  // total number of literals visited
    Check state_ = Check::going_on;
    std::string fault_;
    std::vector<std::int32_t> arena_;       // literals of all clauses
    std::size_t num_deleted_literals_ = 0;  // literals of deleted clauses in the arena
    std::vector<Span> clauses_;             // by number, from 1; entry 0 is unused
    std::vector<std::int32_t> lemma_;       // literals of the current line
    std::vector<std::int8_t> values_;       // per variable: 1 true, -1 false, 0 unassigned
    std::vector<std::int32_t> assigned_;
};

}  // namespace mmsat::proof
