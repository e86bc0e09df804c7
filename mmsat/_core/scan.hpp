// All guesses against all codes that are possible: how many codes get each answer, and the best.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "form.hpp"
#include "keys.hpp"

namespace mmsat {

// Rows of a table of answers: row[code][guess], one byte each, padded like columns.
struct Table8 {
    const std::uint8_t* cells = nullptr;
    std::size_t stride = 0;
};

// The guesses of one scan: in columns, or as columns of a table.
struct Guesses {
    const Columns* columns = nullptr;
    Table8 table;
    std::size_t size = 0;
};

// The codes of one scan, each by its record or its row in the table.
using Codes = std::vector<const std::uint8_t*>;

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
void answers(const Form& form, const Columns& columns, const std::uint8_t* record,
             std::uint16_t* out);

// The same, where an answer is a byte; `out` has the room of a column.
void answers(const Form& form, const Columns& columns, const std::uint8_t* record,
             std::uint8_t* out);

}  // namespace mmsat
