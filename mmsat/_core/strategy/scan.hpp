// Scans of all guesses for all possible codes: histograms of answers, and the best guess. All
// functions write only to arguments of the caller, so they may run in several threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "strategy/form.hpp"
#include "strategy/keys.hpp"

namespace mmsat::strategy {

// A range of guesses, given by index, in columns, or in the rows of a table if `columns` is null.
// `first` must be a multiple of the vector size. Not owned.
struct Guesses {
    const Columns* columns;
    std::size_t first;
    std::size_t last;
};

// A code of a scan. The arrays are not owned.
struct Asked {
    const std::uint32_t* record;  // its record, or
    // Its row of a table: the answer to each guess, in 1 or 2 bytes.
    const std::uint8_t* row = nullptr;
};
using Codes = std::vector<Asked>;

// The best guess so far.
struct Best {
    static constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t key = kNone;
    std::size_t guess = 0;
    Sizes sizes;  // class sizes, for entropy only
    bool is_new = false;
};

// Find the first guess with the smallest key, if that is less than the key of `best`, and store it
// in `best`. The scan stops at a guess that distinguishes all codes. Returns whether a better guess
// was found.
bool scan(const Form& form, const Guesses& guesses, const Codes& codes, Heuristic heuristic,
          const Logs& logs, Best& best);

// Write to out[g * answers + a] the number of codes for which guess g gets form.answers[a].
void histograms(const Form& form, const Guesses& guesses, const Codes& codes, std::uint32_t* out);

// Write the answers of all codes in `columns` to the code of the record. Answers are symmetric, so
// code and guess can be exchanged.
void answers(const Form& form, const Columns& columns, const std::uint32_t* record,
             std::uint16_t* out);

// The same if answers fit in bytes. `out` must have space for a whole column.
void answers(const Form& form, const Columns& columns, const std::uint32_t* record,
             std::uint8_t* out);

}  // namespace mmsat::strategy
