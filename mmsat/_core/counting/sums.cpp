#include "counting/sums.hpp"

#include <algorithm>
#include <tuple>

namespace mmsat::counting {

Sums::Sums(const Layout& layout, const Histograms& histograms)
    : labels_(layout.labels),
      constraints_(layout.ranges.size()),
      worths_(layout.pegs * layout.labels),
      open_(layout.pegs) {
    for (std::size_t constraint = 0; constraint < constraints_.size(); ++constraint) {
        constraints_[constraint].low = layout.ranges[constraint].low;
        constraints_[constraint].high = layout.ranges[constraint].high;
        constraints_[constraint].is_mixed = histograms.is_mixed(constraint);
        constraints_[constraint].first = layout.pegs;
    }
    read(layout);
    for (const Step& step : layout.steps)
        if (!constraints_[step.constraint].is_mixed) constraints_[step.constraint].is_kept = false;
    place(layout);
}

// At each peg the smallest amount of the allowed labels is subtracted from all amounts and from the
// bounds of the constraint, so that all amounts are at least 0 and sums never decrease.
void Sums::read(const Layout& layout) {
    std::vector<Amount> amounts = layout.amounts;
    std::sort(amounts.begin(), amounts.end(), [](const Amount& one, const Amount& other) {
        return std::tie(one.peg, one.constraint) < std::tie(other.peg, other.constraint);
    });
    std::vector<std::int64_t> most(constraints_.size(), 0), largest(constraints_.size(), 0);
    std::vector<std::int64_t> table(labels_);
    for (std::size_t next = 0; next < amounts.size();) {
        const auto peg = static_cast<std::size_t>(amounts[next].peg);
        const auto index = static_cast<std::size_t>(amounts[next].constraint);
        const std::size_t start = next;
        table.assign(labels_, 0);
        for (; next < amounts.size() && amounts[next].peg == amounts[start].peg &&
               amounts[next].constraint == amounts[start].constraint;
             ++next)
            table[amounts[next].label] += amounts[next].amount;
        Constraint& constraint = constraints_[index];
        std::int64_t least = INT64_MAX, highest = INT64_MIN;
        for (std::size_t label = 0; label < labels_; ++label)
            if (layout.allows(peg, label)) {
                least = std::min(least, table[label]);
                highest = std::max(highest, table[label]);
            }
        if (least > highest) continue;  // no label is allowed, so there is no code
        constraint.low -= least;
        constraint.high -= least;
        if (least == highest) continue;
        for (std::size_t label = 0; label < labels_; ++label)
            if (layout.allows(peg, label) && table[label] != least)
                worths_[peg * labels_ + label].emplace_back(index, table[label] - least);
        most[index] += highest - least;
        largest[index] = std::max(largest[index], highest - least);
        constraint.first = std::min(constraint.first, peg);
        constraint.last = peg;
        constraint.is_kept = true;
    }
    std::vector<std::uint8_t> is_counted(constraints_.size(), 0);
    for (const Step& step : layout.steps) is_counted[step.constraint] = 1;
    for (std::size_t index = 0; index < constraints_.size(); ++index) {
        Constraint& constraint = constraints_[index];
        if (constraint.is_mixed) {
            constraint.is_kept = true;
            constraint.first = std::min(constraint.first, layout.pegs - 1);
            constraint.last = layout.pegs - 1;
            constraint.field.width = bits_for(most[index] + largest[index]);
        } else if (!is_counted[index]) {
            if (constraint.low > most[index] || constraint.high < 0 ||
                constraint.low > constraint.high)
                is_impossible_ = true;
            constraint.low = std::max<std::int64_t>(constraint.low, 0);
            constraint.high = std::max(constraint.low, std::min(constraint.high, most[index]));
            constraint.field.width = bits_for(constraint.high + largest[index]);
        }
        if (constraint.is_kept && !constraint.is_exact()) are_exact_ = false;
    }
}

void Sums::place(const Layout& layout) {
    std::vector<std::vector<std::size_t>> starting(layout.pegs);
    for (std::size_t constraint = 0; constraint < constraints_.size(); ++constraint)
        if (constraints_[constraint].is_kept)
            starting[constraints_[constraint].first].push_back(constraint);
    Fields fields(kWords);
    std::vector<std::size_t> open;
    for (std::size_t peg = 0; peg < layout.pegs; ++peg) {
        for (std::size_t constraint : starting[peg]) {
            constraints_[constraint].field =
                fields.take((Word{1} << constraints_[constraint].field.width) - 1);
            open.push_back(constraint);
        }
        open_[peg] = open;
        const auto ends = [&](std::size_t constraint) {
            return constraints_[constraint].last == peg;
        };
        for (std::size_t constraint : open)
            if (ends(constraint)) fields.give_back(constraints_[constraint].field);
        open.erase(std::remove_if(open.begin(), open.end(), ends), open.end());
    }
    words_ = fields.words();
}

}  // namespace mmsat::counting
