#include "scoring.hpp"

namespace mmsat {

Scorer::Scorer(const std::uint16_t* guess, std::size_t pegs, std::size_t colors)
    : guess_(guess, guess + pegs), owed_(colors, 0) {
    for (std::uint16_t color : guess_) ++owed_[color];
}

BlackWhite Scorer::score(const std::uint16_t* code) {
    const std::size_t pegs = guess_.size();
    std::uint32_t black = 0;
    std::uint32_t common = 0;
    for (std::size_t peg = 0; peg < pegs; ++peg) {
        black += code[peg] == guess_[peg];
        common += owed_[code[peg]]-- > 0;
    }
    for (std::size_t peg = 0; peg < pegs; ++peg) ++owed_[code[peg]];
    return {black, common - black};
}

void Scorer::score_all(const std::uint16_t* codes, std::size_t count, std::uint16_t* out) {
    const std::size_t pegs = guess_.size();
    for (std::size_t index = 0; index < count; ++index) {
        const BlackWhite answer = score(codes + index * pegs);
        out[2 * index] = static_cast<std::uint16_t>(answer.black);
        out[2 * index + 1] = static_cast<std::uint16_t>(answer.white);
    }
}

void Scorer::partition(const std::uint16_t* codes, std::size_t count, std::uint64_t* histogram) {
    const std::size_t pegs = guess_.size();
    for (std::size_t index = 0; index < count; ++index) {
        const BlackWhite answer = score(codes + index * pegs);
        ++histogram[answer.black * (pegs + 1) + answer.white];
    }
}

}  // namespace mmsat
