#include "counting/frame.hpp"

namespace mmsat::counting {

// Bounds on the sums at the nodes of one layer: [node * num_constraints + constraint].
using Bounds = std::vector<std::int64_t>;

// From the last peg to the first, compute the smallest and largest amounts that this peg and the
// later pegs can add to each open sum.
void look_ahead(const Histograms& histograms, const Sums& sums, const SetWindow& set) {
    const std::size_t pegs = histograms.layout().pegs;
    const std::size_t num_constraints = sums.constraints().size();
    const std::size_t num_labels = histograms.layout().labels;
    const std::size_t num_ends = histograms.layer(pegs).num_nodes;
    Bounds min_amounts(num_ends * num_constraints, 0), max_amounts(num_ends * num_constraints, 0),
        new_min_amounts, new_max_amounts;
    for (std::size_t node = 0; node < num_ends; ++node)
        for (std::size_t constraint = 0; constraint < num_constraints; ++constraint)
            min_amounts[node * num_constraints + constraint] =
                max_amounts[node * num_constraints + constraint] =
                    histograms.final_amounts()[node][constraint];
    for (std::size_t peg = pegs; peg-- > 0;) {
        const std::vector<std::size_t>& open = sums.open(peg);
        const std::size_t num_targets = histograms.layer(peg + 1).num_nodes;
        for (std::size_t node = 0; node < num_targets; ++node)
            for (std::size_t index : open)
                set(peg + 1, node, index,
                    sums.constraints()[index].low - max_amounts[node * num_constraints + index],
                    sums.constraints()[index].high - min_amounts[node * num_constraints + index]);
        const std::size_t num_nodes = histograms.layer(peg).num_nodes;
        new_min_amounts.assign(num_nodes * num_constraints, 0);
        new_max_amounts.assign(num_nodes * num_constraints, 0);
        std::vector<std::int64_t> low(num_constraints), high(num_constraints),
            amounts(num_constraints, 0);
        for (std::size_t node = 0; node < num_nodes; ++node) {
            for (std::size_t index : open) low[index] = INT64_MAX, high[index] = INT64_MIN;
            for (std::size_t label = 0; label < num_labels; ++label) {
                const std::int32_t child = histograms.child(peg, node, label);
                if (child < 0) continue;
                const Sums::Contributions& contributions = sums.contributions(peg, label);
                for (const auto& [index, amount] : contributions) amounts[index] = amount;
                for (std::size_t index : open) {
                    low[index] = std::min(
                        low[index], min_amounts[child * num_constraints + index] + amounts[index]);
                    high[index] = std::max(
                        high[index], max_amounts[child * num_constraints + index] + amounts[index]);
                }
                for (const auto& entry : contributions) amounts[entry.first] = 0;
            }
            for (std::size_t index : open) {
                new_min_amounts[node * num_constraints + index] = low[index];
                new_max_amounts[node * num_constraints + index] = high[index];
            }
        }
        // A sum that starts at this peg is 0 before it.
        min_amounts.swap(new_min_amounts);
        max_amounts.swap(new_max_amounts);
        if (peg > 0)
            for (std::size_t index : open)
                if (sums.constraints()[index].first_peg == peg)
                    for (std::size_t node = 0; node < num_nodes; ++node)
                        min_amounts[node * num_constraints + index] =
                            max_amounts[node * num_constraints + index] = 0;
    }
}

// From the first peg to the last, compute the smallest and largest amounts that the pegs so far can
// have added to each open sum.
void look_back(const Histograms& histograms, const Sums& sums, const SetWindow& set) {
    const std::size_t pegs = histograms.layout().pegs;
    const std::size_t num_constraints = sums.constraints().size();
    const std::size_t num_labels = histograms.layout().labels;
    Bounds min_amounts(num_constraints, 0), max_amounts(num_constraints, 0), new_min_amounts,
        new_max_amounts;
    std::vector<std::int64_t> amounts(num_constraints, 0);
    for (std::size_t peg = 0; peg < pegs; ++peg) {
        const std::vector<std::size_t>& open = sums.open(peg);
        const std::size_t num_nodes = histograms.layer(peg).num_nodes;
        const std::size_t num_targets = histograms.layer(peg + 1).num_nodes;
        new_min_amounts.assign(num_targets * num_constraints, 0);
        new_max_amounts.assign(num_targets * num_constraints, 0);
        for (std::size_t node = 0; node < num_targets; ++node)
            for (std::size_t index : open) {
                new_min_amounts[node * num_constraints + index] = INT64_MAX;
                new_max_amounts[node * num_constraints + index] = INT64_MIN;
            }
        for (std::size_t node = 0; node < num_nodes; ++node)
            for (std::size_t label = 0; label < num_labels; ++label) {
                const std::int32_t child = histograms.child(peg, node, label);
                if (child < 0) continue;
                const Sums::Contributions& contributions = sums.contributions(peg, label);
                for (const auto& [index, amount] : contributions) amounts[index] = amount;
                for (std::size_t index : open) {
                    auto& low = new_min_amounts[child * num_constraints + index];
                    auto& high = new_max_amounts[child * num_constraints + index];
                    low =
                        std::min(low, min_amounts[node * num_constraints + index] + amounts[index]);
                    high = std::max(high,
                                    max_amounts[node * num_constraints + index] + amounts[index]);
                }
                for (const auto& entry : contributions) amounts[entry.first] = 0;
            }
        min_amounts.swap(new_min_amounts);
        max_amounts.swap(new_max_amounts);
        // A sum that ends at this peg is removed from the key, so it is 0 afterwards.
        for (std::size_t index : open) {
            const Sums::Constraint& constraint = sums.constraints()[index];
            const bool stays_open = constraint.last_peg > peg || constraint.is_mixed;
            for (std::size_t node = 0; node < num_targets; ++node) {
                if (!stays_open)
                    min_amounts[node * num_constraints + index] =
                        max_amounts[node * num_constraints + index] = 0;
                else
                    set(peg + 1, node, index, min_amounts[node * num_constraints + index],
                        max_amounts[node * num_constraints + index]);
            }
        }
    }
}

}  // namespace mmsat::counting
