// A checker of proofs in LRAT: each lemma names the clauses that make it follow, one after the
// other, so that nothing is searched for.
//
// A lemma follows from clauses by unit propagation: with all its literals false, each clause named
// has one literal left, which must then be true, and the last one has none left. A line of the
// proof is `ID LITERALS 0 CLAUSES 0`, or `ID d CLAUSES 0`, which lets go of clauses. The clauses of
// the formula are 1 to as many as there are, lemmas count on from there, and the last lemma is
// empty. Lemmas that only keep the formula satisfiable (RAT) are no part of this: they are refused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mmsat::proof {

enum class Check { going_on, holds, fails };

constexpr std::uint64_t kMostWork = std::uint64_t{1} << 62;  // at a time

class LratChecker {
public:
    // The clauses of the formula, each ended by 0; no literal is beyond the variables.
    LratChecker(std::size_t variables, const std::vector<std::int32_t>& formula, std::string proof);

    // Checks lines until about so many literals were looked at.
    Check advance(std::uint64_t work);

    std::size_t line() const { return line_; }      // the line read last, from 1
    std::size_t position() const { return at_; }    // bytes of the proof that were read
    std::size_t lemmas() const { return lemmas_; }  // checked so far
    const std::string& fault() const { return fault_; }

private:
    struct Span {
        std::size_t begin;
        std::uint32_t size;
        bool is_there;
    };

    Check fail(std::string reason);
    Check read_line();
    bool number(std::int64_t& value, char end);
    bool literals();
    Check lemma();
    Check deletion();
    void forget();
    void keep();
    void compact();
    std::int8_t value(std::int32_t literal) const {
        const std::int8_t known = values_[literal < 0 ? -literal : literal];
        return literal < 0 ? static_cast<std::int8_t>(-known) : known;
    }
    void assign(std::int32_t literal);

    std::string proof_;
    std::size_t at_ = 0;
    std::size_t line_ = 0;
    std::size_t lemmas_ = 0;
    std::uint64_t looked_ = 0;  // literals, all in all
    Check state_ = Check::going_on;
    std::string fault_;
    std::vector<std::int32_t> arena_;  // the literals of all clauses
    std::size_t wasted_ = 0;           // of the arena
    std::vector<Span> clauses_;        // by number, from 1
    std::vector<std::int32_t> lemma_;  // the literals of the line
    std::vector<std::int8_t> values_;  // by variable: 1 true, -1 false
    std::vector<std::int32_t> assigned_;
};

}  // namespace mmsat::proof
