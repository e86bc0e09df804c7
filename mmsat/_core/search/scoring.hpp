// Scoring and partition kernels: plain loops over codes stored row by row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mmsat {

// How many pegs of a code and a guess agree in place (black), and how many more agree in color only
// (white).
struct BlackWhite {
    std::uint32_t black;
    std::uint32_t white;
};

// Scores one guess against many codes. Built once a guess: the guess's color counts are kept.
class Scorer {
public:
    Scorer(const std::uint16_t* guess, std::size_t pegs, std::size_t colors);

    BlackWhite score(const std::uint16_t* code);

    // blacks and whites of `count` codes, written as pairs to `out`.
    void score_all(const std::uint16_t* codes, std::size_t count, std::uint16_t* out);

    // Adds 1 to histogram[black * (pegs + 1) + white] for each of `count` codes.
    void partition(const std::uint16_t* codes, std::size_t count, std::uint64_t* histogram);

private:
    std::vector<std::uint16_t> guess_;
    std::vector<std::int32_t> owed_;  // of each color, pegs of the guess that none has met yet
};

}  // namespace mmsat
