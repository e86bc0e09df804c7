// The sums of the constraints about pegs: at which pegs each sum is open, and in which field it is
// stored. A sum is open from the first to the last peg that changes it; fields are reused.
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
    // Maximum number of words for the sums that are open at the same time.
    static constexpr std::size_t kWords = 4;

    struct Constraint {
        std::int64_t low = 0, high = 0;
        std::size_t first = 0, last = 0;  // first and last peg that change the sum
        bool is_kept = false;             // whether the sum has a field
        bool is_mixed = false;            // whether color counts are added at the end
        Field field;

        // Whether the sum must have one value.
        bool is_exact() const { return low == high; }
    };
    // Constraint indices and amounts.
    using Worths = std::vector<std::pair<std::size_t, std::int64_t>>;

    Sums(const Layout& layout, const Histograms& histograms);

    const std::vector<Constraint>& constraints() const { return constraints_; }
    const Worths& worths(std::size_t peg, std::size_t label) const {
        return worths_[peg * labels_ + label];
    }
    // Constraints whose sums are open while this peg is placed.
    const std::vector<std::size_t>& open(std::size_t peg) const { return open_[peg]; }
    // Number of words of a key.
    std::size_t words() const { return words_; }
    // Whether all stored sums are exact.
    bool are_exact() const { return are_exact_; }
    // Whether some constraint without counts cannot be satisfied by any code.
    bool is_impossible() const { return is_impossible_; }

private:
    // Read the amounts and bounds of the constraints.
    void read(const Layout& layout);
    // Assign fields to the constraints.
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
