// What a board says, in the form that is walked peg by peg.
//
// Colors that no constraint tells apart are one label. A code takes a label at each peg;
// constraints are sums of what labels are worth at pegs, and of what it is worth that a label
// reaches a count.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mmsat::counting {

// A label at a peg adds an amount to a constraint's sum.
struct Amount {
    std::int32_t peg;
    std::int32_t label;
    std::int32_t constraint;
    std::int32_t amount;
};

// A label's count that reaches `count` adds an amount to a constraint's sum.
struct Step {
    std::int32_t label;
    std::int32_t count;
    std::int32_t constraint;
    std::int32_t amount;
};

struct Range {
    std::int32_t low;
    std::int32_t high;
};

struct Layout {
    std::size_t pegs;
    std::size_t labels;
    std::vector<std::uint32_t> sizes;   // of each label: the colors that it stands for
    std::vector<std::uint8_t> once;     // and whether each of them may be in a code once only
    std::vector<std::uint8_t> allowed;  // [peg * labels + label]
    std::vector<Amount> amounts;
    std::vector<Step> steps;
    std::vector<Range> ranges;  // of each constraint

    bool allows(std::size_t peg, std::size_t label) const {
        return allowed[peg * labels + label] != 0;
    }
};

// Bytes in use, held below a limit: whoever takes too many gets bad_alloc, and nothing is lost.
class Budget {
public:
    explicit Budget(std::size_t limit) : limit_(limit) {}
    void take(std::size_t bytes);
    void give_back(std::size_t bytes) { used_ -= bytes; }
    std::size_t used() const { return used_; }
    std::size_t peak() const { return peak_; }

private:
    std::size_t limit_;
    std::size_t used_ = 0;
    std::size_t peak_ = 0;
};

}  // namespace mmsat::counting
