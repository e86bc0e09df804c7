#include "counting/frame.hpp"

namespace mmsat::counting {

using Bounds = std::vector<std::int64_t>;  // [node * constraints + constraint]

// Compute the smallest and largest amounts that this peg and the pegs after it add to each open
// sum, from the last peg to the first.
void look_ahead(const Histograms& histograms, const Sums& sums, const SetWindow& set) {
    const std::size_t pegs = histograms.layout().pegs;
    const std::size_t constraints = sums.constraints().size();
    const std::size_t labels = histograms.layout().labels;
    const std::size_t ends = histograms.layer(pegs).nodes;
    Bounds least(ends * constraints, 0), most(ends * constraints, 0), new_least, new_most;
    for (std::size_t node = 0; node < ends; ++node)
        for (std::size_t constraint = 0; constraint < constraints; ++constraint)
            least[node * constraints + constraint] = most[node * constraints + constraint] =
                histograms.ends()[node][constraint];
    for (std::size_t peg = pegs; peg-- > 0;) {
        const std::vector<std::size_t>& open = sums.open(peg);
        const std::size_t targets = histograms.layer(peg + 1).nodes;
        for (std::size_t node = 0; node < targets; ++node)
            for (std::size_t index : open)
                set(peg + 1, node, index,
                    sums.constraints()[index].low - most[node * constraints + index],
                    sums.constraints()[index].high - least[node * constraints + index]);
        const std::size_t nodes = histograms.layer(peg).nodes;
        new_least.assign(nodes * constraints, 0);
        new_most.assign(nodes * constraints, 0);
        std::vector<std::int64_t> low(constraints), high(constraints), worth(constraints, 0);
        for (std::size_t node = 0; node < nodes; ++node) {
            for (std::size_t index : open) low[index] = INT64_MAX, high[index] = INT64_MIN;
            for (std::size_t label = 0; label < labels; ++label) {
                const std::int32_t child = histograms.child(peg, node, label);
                if (child < 0) continue;
                const Sums::Worths& worths = sums.worths(peg, label);
                for (const auto& [index, amount] : worths) worth[index] = amount;
                for (std::size_t index : open) {
                    low[index] =
                        std::min(low[index], least[child * constraints + index] + worth[index]);
                    high[index] =
                        std::max(high[index], most[child * constraints + index] + worth[index]);
                }
                for (const auto& entry : worths) worth[entry.first] = 0;
            }
            for (std::size_t index : open) {
                new_least[node * constraints + index] = low[index];
                new_most[node * constraints + index] = high[index];
            }
        }
        // A sum that starts at this peg is 0 before it.
        least.swap(new_least);
        most.swap(new_most);
        if (peg > 0)
            for (std::size_t index : open)
                if (sums.constraints()[index].first == peg)
                    for (std::size_t node = 0; node < nodes; ++node)
                        least[node * constraints + index] = most[node * constraints + index] = 0;
    }
}

// Compute the smallest and largest amounts that the pegs before have added to each open sum.
void look_back(const Histograms& histograms, const Sums& sums, const SetWindow& set) {
    const std::size_t pegs = histograms.layout().pegs;
    const std::size_t constraints = sums.constraints().size();
    const std::size_t labels = histograms.layout().labels;
    Bounds least(constraints, 0), most(constraints, 0), new_least, new_most;
    std::vector<std::int64_t> worth(constraints, 0);
    for (std::size_t peg = 0; peg < pegs; ++peg) {
        const std::vector<std::size_t>& open = sums.open(peg);
        const std::size_t nodes = histograms.layer(peg).nodes;
        const std::size_t targets = histograms.layer(peg + 1).nodes;
        new_least.assign(targets * constraints, 0);
        new_most.assign(targets * constraints, 0);
        for (std::size_t node = 0; node < targets; ++node)
            for (std::size_t index : open) {
                new_least[node * constraints + index] = INT64_MAX;
                new_most[node * constraints + index] = INT64_MIN;
            }
        for (std::size_t node = 0; node < nodes; ++node)
            for (std::size_t label = 0; label < labels; ++label) {
                const std::int32_t child = histograms.child(peg, node, label);
                if (child < 0) continue;
                const Sums::Worths& worths = sums.worths(peg, label);
                for (const auto& [index, amount] : worths) worth[index] = amount;
                for (std::size_t index : open) {
                    auto& low = new_least[child * constraints + index];
                    auto& high = new_most[child * constraints + index];
                    low = std::min(low, least[node * constraints + index] + worth[index]);
                    high = std::max(high, most[node * constraints + index] + worth[index]);
                }
                for (const auto& entry : worths) worth[entry.first] = 0;
            }
        least.swap(new_least);
        most.swap(new_most);
        for (std::size_t index : open) {
            const Sums::Constraint& constraint = sums.constraints()[index];
            const bool goes_on = constraint.last > peg || constraint.is_mixed;
            for (std::size_t node = 0; node < targets; ++node) {
                if (!goes_on)
                    least[node * constraints + index] = most[node * constraints + index] = 0;
                if (goes_on)
                    set(peg + 1, node, index, least[node * constraints + index],
                        most[node * constraints + index]);
            }
        }
    }
}

}  // namespace mmsat::counting
