// The sums of the constraints about places: from which peg to which each is open, and where it is
// kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "counting/histograms.hpp"
#include "counting/layout.hpp"
#include "counting/packed.hpp"

namespace mmsat::counting {

class Sums {
public:
    // The most words that the sums which are open at a time may take.
    static constexpr std::size_t kWords = 4;

    struct Constraint {
        std::int64_t low = 0, high = 0;
        std::size_t first = 0, last = 0;  // the pegs that change the sum
        bool is_kept = false;             // whether there is a sum to keep at all
        bool is_mixed = false;            // whether counts are added at the end
        Field field;

        bool is_exact() const { return low == high; }
    };
    using Worths = std::vector<std::pair<std::size_t, std::int64_t>>;  // constraints and amounts

    Sums(const Layout& layout, const Histograms& histograms);

    const std::vector<Constraint>& constraints() const { return constraints_; }
    const Worths& worths(std::size_t peg, std::size_t label) const {
        return worths_[peg * labels_ + label];
    }
    // The constraints whose sums are open while the peg is placed.
    const std::vector<std::size_t>& open(std::size_t peg) const { return open_[peg]; }
    std::size_t words() const { return words_; }
    bool are_exact() const { return are_exact_; }
    bool is_impossible() const { return is_impossible_; }

private:
    void read(const Layout& layout);
    void place(const Layout& layout);

    std::size_t labels_;
    std::vector<Constraint> constraints_;
    std::vector<Worths> worths_;  // [peg * labels + label]
    std::vector<std::vector<std::size_t>> open_;
    std::size_t words_ = 1;
    bool are_exact_ = true;
    bool is_impossible_ = false;
};

}  // namespace mmsat::counting
