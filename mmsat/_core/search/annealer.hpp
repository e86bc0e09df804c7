// Simulated annealing over codes: a walk that looks for the codes which satisfy constraints, and
// that goes on from one to the next. It finds codes in games far too large to list; that there is
// none, it never tells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "search/search.hpp"

namespace mmsat::search {

// Chances are whole numbers out of this, so that every machine walks the same way.
constexpr std::uint64_t kSure = std::uint64_t{1} << 32;

class Annealer {
public:
    Annealer(std::size_t pegs, std::size_t colors, std::uint64_t seed);

    // One constraint more, of plain literals. The walk goes on where it stands.
    void add(const Constraint& constraint);

    // Start again at a code, or at any.
    void place(std::vector<std::uint16_t> code);
    void scatter();

    // Walks at most so many steps, or until a code satisfies everything, which is told. A step that
    // is worse by one is taken with a chance that falls, by equal factors, from hot to cold.
    bool cool(std::uint64_t steps, std::uint64_t hot, std::uint64_t cold);

    // Walks so many steps at one chance and returns the codes met that satisfy everything, each
    // once, at most so many; after each it goes at least `gap` steps before it looks again.
    std::vector<std::vector<std::uint16_t>> collect(std::uint64_t steps, std::uint64_t chance,
                                                    std::uint64_t gap, std::size_t most);

    const std::vector<std::uint16_t>& code() const { return code_; }
    // By how much the constraints are missed, added up.
    std::int64_t missed() const { return missed_; }

private:
    struct Change {
        std::int32_t constraint;
        std::int32_t amount;
    };
    using Changes = std::vector<Change>;

    std::uint64_t draw();
    std::size_t below(std::size_t bound) { return (draw() >> 32) * bound >> 32; }
    void set_chance(std::uint64_t chance);
    void step();
    void touch(const Changes& changes, std::int32_t sign);
    void recolor(std::size_t peg, std::uint16_t to);
    void recount(std::uint16_t from, std::uint16_t to);
    std::int32_t miss(std::int32_t constraint, std::int32_t sum) const {
        const std::int32_t under = low_[constraint] - sum, over = sum - high_[constraint];
        return under > 0 ? under : over > 0 ? over : 0;
    }
    bool settle();
    void refresh();
    bool is_worth(std::int64_t worse);
    void pack();
    void place_lanes();
    std::int64_t weigh(const std::uint8_t* const* gained, const std::uint8_t* const* lost,
                       std::size_t many, std::size_t lanes, std::uint8_t* sums) const;
    bool settle_packed(const std::uint8_t* const* gained, const std::uint8_t* const* lost,
                       std::size_t many, std::size_t lanes);
    const std::uint8_t* lanes_at(std::size_t peg, std::size_t color) const {
        return packed_at_.data() + (peg * colors_ + color) * lanes_;
    }
    const std::uint8_t* lanes_least(std::size_t color, std::size_t count) const {
        return packed_least_.data() + (color * pegs_ + count) * lanes_;
    }

    std::size_t pegs_, colors_;
    std::uint64_t state_;
    std::vector<Changes> at_;     // [peg * colors + color]: what the sums gain by it
    std::vector<Changes> least_;  // [color * pegs + count - 1]: likewise
    std::vector<std::int32_t> low_, high_, sums_,
        base_;                           // of each constraint; base: its denied literals
    std::vector<std::int32_t> pending_;  // of each constraint, what a step would add to its sum
    std::vector<std::int32_t> touched_;  // the constraints with something pending, or once had
    std::vector<char> is_touched_;
    std::vector<std::uint16_t> code_;
    std::vector<std::uint32_t> counts_;
    std::int64_t missed_ = 0;
    std::vector<std::uint64_t> chances_;  // [worse by]: of taking a step

    // The same in bytes, a lane a constraint, those about pegs first, where all sums fit: a step
    // then weighs sixteen constraints at once. Sums are counted from where a byte has room below.
    bool is_packed_ = false;
    bool is_packing_due_ = true;
    std::size_t lanes_ = 0;           // of all constraints, a multiple of sixteen
    std::size_t peg_lanes_ = 0;       // up to the last constraint about pegs, likewise
    std::vector<std::int32_t> lane_;  // of each constraint
    std::vector<std::uint8_t> packed_at_, packed_least_;  // as above, times lanes
    std::vector<std::uint8_t> packed_low_, packed_high_, packed_sums_, packed_next_;
};

}  // namespace mmsat::search
