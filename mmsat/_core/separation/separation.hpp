// Sets of guesses whose combined answers distinguish all codes (separating sets): the classes left
// by a set, local search for separating sets, and complete search.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "interrupt.hpp"

namespace mmsat::separation {

using Answer = std::uint16_t;
using Guesses = std::vector<std::uint32_t>;
using Codes = std::vector<std::uint32_t>;

// A set of guesses, one bit per guess.
using Bits = std::vector<std::uint64_t>;

// The answers of codes to guesses, and searches for separating sets. It owns a copy of the answers.
//
// The const methods, among them anneal(), have no hidden state and may run in several threads.
// complete() changes the object, so nothing else may use it during the call. The bindings release
// the GIL in anneal() and complete(). The callback of the interrupt may call nodes() and done().
class Separation {
public:
    // `answers` has the answers of all codes to guess 0, then to guess 1, and so on. It only
    // matters which answers to the same guess are equal.
    Separation(std::vector<Answer> answers, std::size_t guesses, std::size_t codes);

    std::size_t guesses() const { return guesses_; }
    std::size_t codes() const { return codes_; }

    // The number of different answers to each guess.
    const std::vector<std::size_t>& parts() const { return parts_; }

    // Return for each guess the first guess that distinguishes the same codes, and for each code
    // the first code that no guess distinguishes from it.
    std::vector<std::uint32_t> first_guesses() const;
    std::vector<std::uint32_t> first_codes() const;

    // Return the classes of two or more codes that the set does not separate, largest first.
    std::vector<Codes> together(const Guesses& set) const;

    // Return whether the renamed guess distinguishes the renamed codes exactly if the guess
    // distinguishes the codes, for all guesses and codes.
    bool is_kept(const Guesses& guess_images, const Codes& code_images) const;

    // Search for a set of `size` guesses with few unseparated pairs of codes: random guesses are
    // exchanged unless this increases the number of pairs too much compared with the best set
    // (record-to-record travel, Dueck 1993). Ends after `steps` steps, or when all codes are
    // separated. The result is determined by the seed.
    Guesses anneal(std::size_t size, std::uint64_t steps, std::uint64_t seed,
                   const Interrupt& interrupt) const;

    // Return a separating set that consists of `chosen` and at most `more` of the allowed guesses.
    // The result is empty if a complete search has found none. It is also empty if `chosen` is
    // empty and there is only one code.
    Guesses complete(const Guesses& chosen, std::size_t more, const Guesses& allowed,
                     const Interrupt& interrupt);

    // Number of sets of guesses visited by complete().
    std::uint64_t nodes() const { return nodes_; }
    // Fraction of the current complete() that is done, from 0 to 1.
    double done() const { return done_; }

private:
    // The classes of two or more codes, one after the other.
    struct Classes {
        Codes codes;
        std::vector<std::uint32_t> starts;  // start of each class, and the end
        std::size_t largest = 1;
        bool are_single() const { return codes.empty(); }
    };

    const Answer* answers(std::size_t guess) const { return by_guess_.data() + guess * codes_; }
    Classes all() const;
    Classes refine(const Classes& classes, std::size_t guess) const;
    Bits separators(std::uint32_t one, std::uint32_t other) const;
    std::vector<Bits> hard_pairs(const Classes& classes, const Bits& allowed) const;
    bool extend(const Classes& classes, std::size_t more, Bits allowed, double weight);
    bool add_two(const Classes& classes, std::vector<Bits> pairs, Bits allowed);
    void count_node();

    std::size_t guesses_, codes_, words_;
    std::vector<Answer> by_guess_, by_code_;
    std::vector<std::size_t> parts_;
    std::size_t max_parts_ = 1;
    const Interrupt* interrupt_ = nullptr;  // of the current complete()
    Guesses set_;
    std::uint64_t nodes_ = 0;
    double done_ = 0;
};

}  // namespace mmsat::separation
