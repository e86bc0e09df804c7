// Scans of all guesses for all possible codes: histograms of answers, and the best guess. Codes are
// scored with columns and records (form.hpp). All functions write only to their arguments, so
// several threads may run them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "strategy/form.hpp"
#include "strategy/keys.hpp"

namespace mmsat::strategy {

// A range of guesses by index. If `columns` is null, the guesses are the columns of a table of
// answers, whose rows are in ScannedCode. `columns` is not owned. `first` must be a multiple of
// kLanes (lanes.hpp), and `last` is excluded.
struct Guesses {
    const Columns* columns;
    std::size_t first;
    std::size_t last;
};

// A possible code in a scan: its record, or its row of a table with the answer to each guess, in 1
// or 2 bytes. The arrays are not owned.
struct ScannedCode {
    const std::uint32_t* record;
    const std::uint8_t* row = nullptr;
};
using Codes = std::vector<ScannedCode>;

// The best guess so far.
struct Best {
    static constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t key = kNone;
    std::size_t guess = 0;
    Sizes sizes;          // class sizes, for entropy only
    bool is_new = false;  // whether the last scan() replaced the guess
};

// Find the first guess with the smallest key (keys.hpp). If the key is less than that of `best`,
// store the guess in `best`. The scan stops at a guess that distinguishes all codes. Returns
// whether a better guess was found.
bool scan(const Form& form, const Guesses& guesses, const Codes& codes, Heuristic heuristic,
          const Logs& logs, Best& best);

// Write to out[g * form.answers.size() + i] the number of codes that give guess g form.answers[i].
void histograms(const Form& form, const Guesses& guesses, const Codes& codes, std::uint32_t* out);

// Write the answers to the code of the record, as a guess, for each code in `columns`. Answers are
// symmetric, so either of the two codes can be the guess.
void answers(const Form& form, const Columns& columns, const std::uint32_t* record,
             std::uint16_t* out);

// The same for answers that fit in bytes. `out` must have space for `columns.stride` answers.
void answers(const Form& form, const Columns& columns, const std::uint32_t* record,
             std::uint8_t* out);

}  // namespace mmsat::strategy
