// Sets of guesses whose answers, all together, tell codes apart: what a set leaves together, sets
// found by local search, and the search that tells that there is none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "interrupt.hpp"

namespace mmsat::separation {

using Answer = std::uint16_t;
using Guesses = std::vector<std::uint32_t>;
using Codes = std::vector<std::uint32_t>;

// Guesses, a bit each.
using Bits = std::vector<std::uint64_t>;

class Separation {
public:
    // The answer of each code to each guess, guess by guess. Of the answers to a guess only counts
    // which are equal.
    Separation(std::vector<Answer> answers, std::size_t guesses, std::size_t codes);

    std::size_t guesses() const { return guesses_; }
    std::size_t codes() const { return codes_; }

    // For each guess, how many different answers there are.
    const std::vector<std::size_t>& parts() const { return parts_; }

    // For each guess, the first that tells the same codes apart; for each code, the first that no
    // guess tells apart from it.
    std::vector<std::uint32_t> first_guesses() const;
    std::vector<std::uint32_t> first_codes() const;

    // The codes by what a set leaves together: each class of two or more, the largest first.
    std::vector<Codes> together(const Guesses& set) const;

    // Whether codes that a guess tells apart are told apart, once renamed, by the renamed guess, and
    // no others.
    bool is_kept(const Guesses& guess_images, const Codes& code_images) const;

    // A set of so many guesses that tells many codes apart, by local search: one guess after the
    // other is exchanged unless that leaves many more pairs together than the best set did
    // (record-to-record travel, Dueck 1993). It ends with the steps, or with a set that tells all
    // apart. The same seed gives the same set.
    Guesses anneal(std::size_t size, std::uint64_t steps, std::uint64_t seed,
                   const Interrupt& interrupt) const;

    // A set that tells all codes apart: `chosen`, and at most `more` guesses out of those allowed.
    // Empty where there is none, which a complete search has shown; or where one code is all.
    Guesses complete(const Guesses& chosen, std::size_t more, const Guesses& allowed,
                     const Interrupt& interrupt);

    // Sets of guesses looked at by complete().
    std::uint64_t nodes() const { return nodes_; }
    // The share of the present complete() that is done, from 0 to 1.
    double done() const { return done_; }

private:
    // Codes class by class, those of two or more.
    struct Classes {
        Codes codes;
        std::vector<std::uint32_t> starts;  // and the end
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
    void look();

    std::size_t guesses_, codes_, words_;
    std::vector<Answer> by_guess_, by_code_;
    std::vector<std::size_t> parts_;
    std::size_t most_parts_ = 1;
    const Interrupt* interrupt_ = nullptr;  // of the present complete()
    Guesses set_;
    std::uint64_t nodes_ = 0;
    double done_ = 0;
};

}  // namespace mmsat::separation
