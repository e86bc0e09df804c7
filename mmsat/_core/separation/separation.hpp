// Sets of guesses whose combined answers distinguish all codes (separating sets). A set separates
// two codes if some guess of the set has different answers for them. Codes with equal answers to
// all guesses form a class. Separating sets are found by local search, or by complete search.
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

// The answers of codes to guesses, and searches for separating sets. An object owns a copy of the
// answers.
//
// The const methods, among them anneal(), have no hidden state, so several threads may call them.
// complete() changes the object, so no other thread may use the object during the call. The
// bindings release the GIL in anneal() and complete(). The callback of the interrupt may call
// num_nodes() and fraction_done().
class Separation {
public:
    // `answers` has the answers of all codes to guess 0, then to guess 1, and so on. It only
    // matters which answers to the same guess are equal.
    Separation(std::vector<Answer> answers, std::size_t num_guesses, std::size_t num_codes);

    std::size_t num_guesses() const { return num_guesses_; }
    std::size_t num_codes() const { return num_codes_; }

    // Return the number of different answers to each guess.
    const std::vector<std::size_t>& num_answers() const { return num_answers_; }

    // Return, for each guess, the first guess that separates the same codes.
    std::vector<std::uint32_t> first_guesses() const;
    // Return, for each code, the first code that no guess separates from it.
    std::vector<std::uint32_t> first_codes() const;

    // Return the classes of two or more codes that the set does not separate, the largest first.
    std::vector<Codes> unseparated(const Guesses& set) const;

    // Return whether the renaming is a symmetry: the image of each guess separates the images of
    // two codes exactly if the guess separates the codes.
    bool is_symmetry(const Guesses& guess_images, const Codes& code_images) const;

    // Search for a set of `size` guesses with few unseparated pairs of codes, and return the best
    // set. Each step replaces a random guess, unless the new set has many more unseparated pairs
    // than the best set (record-to-record travel, Dueck 1993). Ends after `steps` steps, or when
    // all codes are separated. The seed determines the result.
    Guesses anneal(std::size_t size, std::uint64_t steps, std::uint64_t seed,
                   const Interrupt& interrupt) const;

    // Return a separating set that consists of `chosen` and at most `max_added` of the allowed
    // guesses. The result is empty if there is no such set. It is also empty if `chosen` is empty
    // and there is only one code.
    Guesses complete(const Guesses& chosen, std::size_t max_added, const Guesses& allowed,
                     const Interrupt& interrupt);

    // Return the number of sets of guesses that complete() has visited.
    std::uint64_t num_nodes() const { return num_nodes_; }
    // Return the fraction of the current complete() that is done, from 0 to 1.
    double fraction_done() const { return fraction_done_; }

private:
    // The classes of two or more codes that are not separated, one after the other.
    struct Classes {
        Codes codes;
        std::vector<std::uint32_t> starts;  // start of each class, and the end
        std::size_t largest_size = 1;
        bool are_separated() const { return codes.empty(); }
    };

    const Answer* answers(std::size_t guess) const { return by_guess_.data() + guess * num_codes_; }
    Classes no_guess() const;
    Classes refine(const Classes& classes, std::size_t guess) const;
    Bits separators(std::uint32_t one, std::uint32_t other) const;
    std::vector<Bits> hard_pairs(const Classes& classes, const Bits& allowed) const;
    bool extend(const Classes& classes, std::size_t max_added, Bits allowed, double weight);
    bool add_two(const Classes& classes, std::vector<Bits> pairs, Bits allowed);
    void count_node();

    std::size_t num_guesses_, num_codes_;
    std::size_t num_words_;                 // number of words of a bit set of guesses
    std::vector<Answer> by_guess_;          // [guess * num_codes_ + code]
    std::vector<Answer> by_code_;           // [code * num_guesses_ + guess]
    std::vector<std::size_t> num_answers_;  // per guess: number of different answers
    std::size_t max_answers_ = 1;           // maximum of num_answers_
    const Interrupt* interrupt_ = nullptr;  // argument of the current complete()
    Guesses set_;                           // set that complete() extends
    std::uint64_t num_nodes_ = 0;
    double fraction_done_ = 0;
};

}  // namespace mmsat::separation
