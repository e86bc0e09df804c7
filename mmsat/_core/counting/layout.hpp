// The constraints of a board as bounds on sums, which are computed peg by peg.
//
// Colors that no constraint distinguishes share one label, so there may be fewer labels than
// colors. A code has a label at each peg, and the count of a label is the number of pegs that have
// it. The sum of a constraint has two kinds of terms: an `Amount` depends on the label of one peg,
// and a `Step` on the count of one label. A code satisfies the constraint if its sum is in `Range`.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

namespace mmsat::counting {

// Amount added to the sum of a constraint if a peg has a label.
struct Amount {
    std::int32_t peg;
    std::int32_t label;
    std::int32_t constraint;
    std::int32_t amount;
};

// Amount added to the sum of a constraint if the count of the label is at least `count`.
struct Step {
    std::int32_t label;
    std::int32_t count;
    std::int32_t constraint;
    std::int32_t amount;
};

// Inclusive bounds of a constraint's sum.
struct Range {
    std::int32_t low;
    std::int32_t high;
};

// The labels and the constraints. Constraints are numbered from 0, as indices of `ranges`.
struct Layout {
    std::size_t pegs;                  // number of pegs
    std::size_t labels;                // number of labels
    std::vector<std::uint32_t> sizes;  // per label: number of its colors
    // Per label: whether each of its colors occurs at most once in a code.
    std::vector<std::uint8_t> once;
    // [peg * labels + label]: whether the peg may have the label.
    std::vector<std::uint8_t> allowed;
    std::vector<Amount> amounts;
    std::vector<Step> steps;
    std::vector<Range> ranges;  // per constraint

    bool allows(std::size_t peg, std::size_t label) const {
        return allowed[peg * labels + label] != 0;
    }
};

// A limit on the number of bytes in use. If take() would exceed the limit, it throws bad_alloc and
// changes nothing. Only memory that grows with the input is counted. Not thread-safe.
class Budget {
public:
    explicit Budget(std::size_t limit) : limit_(limit) {}
    void take(std::size_t bytes) {
        if (bytes > limit_ - used_) throw std::bad_alloc();
        used_ += bytes;
        peak_ = std::max(peak_, used_);
    }
    void give_back(std::size_t bytes) {
        assert(bytes <= used_);
        used_ -= bytes;
    }
    std::size_t used() const { return used_; }
    std::size_t peak() const { return peak_; }

private:
    std::size_t limit_;
    std::size_t used_ = 0;
    std::size_t peak_ = 0;
};

}  // namespace mmsat::counting
