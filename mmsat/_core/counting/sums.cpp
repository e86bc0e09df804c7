#include "counting/sums.hpp"

#include <algorithm>
#include <tuple>

namespace mmsat::counting {

Sums::Sums(const Layout& layout, const Histograms& histograms)
    : labels_(layout.labels),
      constraints_(layout.ranges.size()),
      contributions_(layout.pegs * layout.labels),
      open_(layout.pegs) {
    for (std::size_t constraint = 0; constraint < constraints_.size(); ++constraint) {
        constraints_[constraint].low = layout.ranges[constraint].low;
        constraints_[constraint].high = layout.ranges[constraint].high;
        constraints_[constraint].is_mixed = histograms.is_mixed(constraint);
        constraints_[constraint].first_peg = layout.pegs;
    }
    read(layout);
    assign_fields(layout);
}

// For each peg and constraint, the smallest amount of an allowed label is subtracted from all
// amounts of the peg and from the bounds of the constraint. So all amounts are at least 0, and sums
// never decrease.
void Sums::read(const Layout& layout) {
    std::vector<Amount> amounts = layout.amounts;
    std::sort(amounts.begin(), amounts.end(), [](const Amount& one, const Amount& other) {
        return std::tie(one.peg, one.constraint) < std::tie(other.peg, other.constraint);
    });
    // Per constraint: largest sum, and largest amount of one peg.
    std::vector<std::int64_t> max_sums(constraints_.size(), 0), max_amounts(constraints_.size(), 0);
    std::vector<std::int64_t> label_amounts(labels_);
    // Each iteration processes the amounts of one peg for one constraint.
    for (std::size_t i = 0; i < amounts.size();) {
        const auto peg = static_cast<std::size_t>(amounts[i].peg);
        const auto index = static_cast<std::size_t>(amounts[i].constraint);
        const std::size_t group_start = i;
        label_amounts.assign(labels_, 0);
        for (; i < amounts.size() && amounts[i].peg == amounts[group_start].peg &&
               amounts[i].constraint == amounts[group_start].constraint;
             ++i)
            label_amounts[amounts[i].label] += amounts[i].amount;
        Constraint& constraint = constraints_[index];
        std::int64_t min_amount = INT64_MAX, max_amount = INT64_MIN;
        for (std::size_t label = 0; label < labels_; ++label)
            if (layout.allows(peg, label)) {
                min_amount = std::min(min_amount, label_amounts[label]);
                max_amount = std::max(max_amount, label_amounts[label]);
            }
        if (min_amount > max_amount) continue;  // no label is allowed, so no code exists
        constraint.low -= min_amount;
        constraint.high -= min_amount;
        if (min_amount == max_amount) continue;
        for (std::size_t label = 0; label < labels_; ++label)
            if (layout.allows(peg, label) && label_amounts[label] != min_amount)
                contributions_[peg * labels_ + label].emplace_back(
                    index, label_amounts[label] - min_amount);
        max_sums[index] += max_amount - min_amount;
        max_amounts[index] = std::max(max_amounts[index], max_amount - min_amount);
        constraint.first_peg = std::min(constraint.first_peg, peg);
        constraint.last_peg = peg;
        constraint.is_stored = true;
    }
    // A constraint with steps is mixed if it has amounts. Without amounts, its sum is only in the
    // histograms, and it is not stored here.
    std::vector<std::uint8_t> has_counts(constraints_.size(), 0);
    for (const Step& step : layout.steps) has_counts[step.constraint] = 1;
    for (std::size_t index = 0; index < constraints_.size(); ++index) {
        Constraint& constraint = constraints_[index];
        // Fields have space for one amount more, because a sum is compared with its bounds after
        // the amount is added.
        if (constraint.is_mixed) {
            constraint.is_stored = true;
            constraint.first_peg = std::min(constraint.first_peg, layout.pegs - 1);
            constraint.last_peg = layout.pegs - 1;
            constraint.field.width = bits_for(max_sums[index] + max_amounts[index]);
        } else if (!has_counts[index]) {
            if (constraint.low > max_sums[index] || constraint.high < 0 ||
                constraint.low > constraint.high)
                is_impossible_ = true;
            constraint.low = std::max<std::int64_t>(constraint.low, 0);
            constraint.high = std::max(constraint.low, std::min(constraint.high, max_sums[index]));
            constraint.field.width = bits_for(constraint.high + max_amounts[index]);
        }
        if (constraint.is_stored && !constraint.is_exact()) are_exact_ = false;
    }
}

void Sums::assign_fields(const Layout& layout) {
    std::vector<std::vector<std::size_t>> starting_here(layout.pegs);
    for (std::size_t constraint = 0; constraint < constraints_.size(); ++constraint)
        if (constraints_[constraint].is_stored)
            starting_here[constraints_[constraint].first_peg].push_back(constraint);
    Fields fields(kWords);
    std::vector<std::size_t> open;
    for (std::size_t peg = 0; peg < layout.pegs; ++peg) {
        for (std::size_t constraint : starting_here[peg]) {
            constraints_[constraint].field =
                fields.take((Word{1} << constraints_[constraint].field.width) - 1);
            open.push_back(constraint);
        }
        open_[peg] = open;
        const auto ends = [&](std::size_t constraint) {
            return constraints_[constraint].last_peg == peg;
        };
        for (std::size_t constraint : open)
            if (ends(constraint)) fields.give_back(constraints_[constraint].field);
        open.erase(std::remove_if(open.begin(), open.end(), ends), open.end());
    }
    num_words_ = fields.num_words();
}

}  // namespace mmsat::counting
