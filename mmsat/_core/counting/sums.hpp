// The sums of the constraints with amounts (layout.hpp): the pegs at which each sum is open, and
// the field in which it is stored. A sum is open from the first to the last peg that changes it, or
// up to the last peg of all if the constraint is mixed (histograms.hpp). Then its field is reused.
// The open sums, packed into words (packed.hpp), are called a key.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "counting/histograms.hpp"
#include "counting/layout.hpp"
#include "counting/packed.hpp"

namespace mmsat::counting {

// Immutable after construction, and owns copies of all data that it uses.
class Sums {
public:
    // Maximum number of words for the sums that are open at the same time.
    static constexpr std::size_t kWords = 4;

    struct Constraint {
        std::int64_t low = 0, high = 0;
        std::size_t first_peg = 0, last_peg = 0;  // first and last peg that change the sum
        bool is_stored = false;                   // whether the sum has a field
        bool is_mixed = false;                    // whether its steps are added at the end
        Field field;

        // Return whether only one value of the sum is allowed.
        bool is_exact() const { return low == high; }
    };
    // Constraint indices, and the amounts added to their sums.
    using Contributions = std::vector<std::pair<std::size_t, std::int64_t>>;

    Sums(const Layout& layout, const Histograms& histograms);

    const std::vector<Constraint>& constraints() const { return constraints_; }
    const Contributions& contributions(std::size_t peg, std::size_t label) const {
        return contributions_[peg * labels_ + label];
    }
    // Return the constraints whose sums are open at this peg.
    const std::vector<std::size_t>& open(std::size_t peg) const { return open_[peg]; }
    // Return the number of words of a key.
    std::size_t num_words() const { return num_words_; }
    // Return whether all stored sums are exact.
    bool are_exact() const { return are_exact_; }
    // Return whether some constraint without steps cannot be satisfied.
    bool is_impossible() const { return is_impossible_; }

private:
    // Set the contributions, and all members of the constraints except the position of the field.
    void read(const Layout& layout);
    // Assign fields to the constraints.
    void assign_fields(const Layout& layout);

    std::size_t labels_;  // number of labels
    std::vector<Constraint> constraints_;
    std::vector<Contributions> contributions_;    // [peg * labels + label]
    std::vector<std::vector<std::size_t>> open_;  // per peg
    std::size_t num_words_ = 1;
    bool are_exact_ = true;
    bool is_impossible_ = false;
};

}  // namespace mmsat::counting
