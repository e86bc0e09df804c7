// All guesses against all codes that are possible: how many codes get each answer, and the best.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "strategy/form.hpp"
#include "strategy/keys.hpp"

namespace mmsat::strategy {

// The guesses of one scan, by their numbers: in columns, or else in the rows of a table. The first
// is at the start of a vector.
struct Guesses {
    const Columns* columns;
    std::size_t first;
    std::size_t last;
};

// One of the codes of a scan.
struct Asked {
    const std::uint32_t* record;        // of its form, or
    const std::uint8_t* row = nullptr;  // of a table: the answer to each guess, in 1 or 2 bytes
};
using Codes = std::vector<Asked>;

struct Best {
    static constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t key = kNone;
    std::size_t guess = 0;
    Sizes sizes;  // of the parts, for entropy
    bool is_new = false;
};

// Finds the first guess whose key is below that of `best`, and below those of all others; stops at
// a guess that tells all codes apart. Returns whether one was found.
bool scan(const Form& form, const Guesses& guesses, const Codes& codes, Heuristic heuristic,
          const Logs& logs, Best& best);

// Writes how many of the codes get form.answers[a] from guess g to out[g * answers + a].
void histograms(const Form& form, const Guesses& guesses, const Codes& codes, std::uint32_t* out);

// Writes the answer that the code of a record gets from each guess, or each code from that guess.
void answers(const Form& form, const Columns& columns, const std::uint32_t* record,
             std::uint16_t* out);

// The same, where an answer is a byte; `out` has the room of a column.
void answers(const Form& form, const Columns& columns, const std::uint32_t* record,
             std::uint8_t* out);

}  // namespace mmsat::strategy
