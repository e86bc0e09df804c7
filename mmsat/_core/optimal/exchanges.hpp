// Codes that differ only in the order of pegs or the names of colors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mmsat::optimal {

// What may be exchanged without a change of the game.
struct Alike {
    bool pegs = false;    // the order of pegs
    bool colors = false;  // the names of colors
    // Whether an exchange of pegs changes no answer at all; else it may exchange answers.
    bool same_answers = false;
};

// 128 bits that stand for a set of codes.
struct Key {
    std::uint64_t first = 0;
    std::uint64_t second = 0;
};

// A code's own contribution to the key of a set, which is a sum.
inline Key contribution(std::uint64_t value) {
    const auto mixed = [](std::uint64_t z) {
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        return z ^ (z >> 31);
    };
    return {mixed((value + 1) * 0x9E3779B97F4A7C15u), mixed((value + 1) * 0xD6E8FEB86659FD93u)};
}

class Exchanges {
public:
    // `codes` has `pegs` colors for each code, one after the other. They are all codes that there
    // are, each once, and what is alike leads from each of them to one of them.
    Exchanges(const std::uint8_t* codes, std::size_t count, std::size_t pegs, std::size_t colors,
              Alike alike);

    // A key that only sets have which are the same but for exchanges. Not every two such sets have
    // the same: where pegs or colors can't be told apart by how often they occur, their order
    // decides.
    Key key(const std::int32_t* set, std::size_t size) const;

    // To `first` (a byte a code): whether a code comes first among those that the exchanges which
    // leave all `history` as it is make of it.
    void firsts(const std::vector<std::int32_t>& history, std::uint8_t* first) const;

    std::size_t pegs() const { return pegs_; }
    std::size_t colors() const { return colors_; }
    bool any() const { return alike_.pegs || alike_.colors; }

private:
    const std::uint8_t* code(std::int32_t index) const {
        return codes_.data() + static_cast<std::size_t>(index) * pegs_;
    }
    Key key_in_order(const std::int32_t* set, std::size_t size, const std::uint8_t* order,
                     const std::uint64_t* counts) const;

    std::vector<std::uint8_t> codes_;
    std::size_t count_;
    std::size_t pegs_;
    std::size_t colors_;
    Alike alike_;
    std::vector<std::uint8_t> orders_;  // of pegs, one after the other
    std::size_t many_orders_;
    std::vector<std::int32_t> index_;  // by value; -1 for what is no code
};

}  // namespace mmsat::optimal
