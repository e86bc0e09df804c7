#include "sums.hpp"

#include <algorithm>
#include <tuple>

namespace mmsat {

Sums::Sums(const Layout& layout, const Histograms& histograms)
    : labels_(layout.labels),
      claims_(layout.ranges.size()),
      worths_(layout.pegs * layout.labels),
      open_(layout.pegs) {
    for (std::size_t claim = 0; claim < claims_.size(); ++claim) {
        claims_[claim].low = layout.ranges[claim].low;
        claims_[claim].high = layout.ranges[claim].high;
        claims_[claim].is_mixed = histograms.is_mixed(claim);
        claims_[claim].first = layout.pegs;
    }
    read(layout);
    for (const Step& step : layout.steps)
        if (!claims_[step.claim].is_mixed) claims_[step.claim].is_kept = false;
    place(layout);
}

// At each peg the least that a label is worth is taken off all of them, and off the claim's bounds:
// then no sum ever falls.
void Sums::read(const Layout& layout) {
    std::vector<Amount> amounts = layout.amounts;
    std::sort(amounts.begin(), amounts.end(), [](const Amount& one, const Amount& other) {
        return std::tie(one.peg, one.claim) < std::tie(other.peg, other.claim);
    });
    std::vector<std::int64_t> most(claims_.size(), 0), largest(claims_.size(), 0);
    std::vector<std::int64_t> table(labels_);
    for (std::size_t next = 0; next < amounts.size();) {
        const auto peg = static_cast<std::size_t>(amounts[next].peg);
        const auto index = static_cast<std::size_t>(amounts[next].claim);
        const std::size_t start = next;
        table.assign(labels_, 0);
        for (; next < amounts.size() && amounts[next].peg == amounts[start].peg &&
               amounts[next].claim == amounts[start].claim;
             ++next)
            table[amounts[next].label] += amounts[next].amount;
        Claim& claim = claims_[index];
        std::int64_t least = INT64_MAX, highest = INT64_MIN;
        for (std::size_t label = 0; label < labels_; ++label)
            if (layout.allows(peg, label)) {
                least = std::min(least, table[label]);
                highest = std::max(highest, table[label]);
            }
        if (least > highest) continue;  // no label fits: then there is no code at all
        claim.low -= least;
        claim.high -= least;
        if (least == highest) continue;
        for (std::size_t label = 0; label < labels_; ++label)
            if (layout.allows(peg, label) && table[label] != least)
                worths_[peg * labels_ + label].emplace_back(index, table[label] - least);
        most[index] += highest - least;
        largest[index] = std::max(largest[index], highest - least);
        claim.first = std::min(claim.first, peg);
        claim.last = peg;
        claim.is_kept = true;
    }
    std::vector<std::uint8_t> is_counted(claims_.size(), 0);
    for (const Step& step : layout.steps) is_counted[step.claim] = 1;
    for (std::size_t index = 0; index < claims_.size(); ++index) {
        Claim& claim = claims_[index];
        if (claim.is_mixed) {
            claim.is_kept = true;
            claim.first = std::min(claim.first, layout.pegs - 1);
            claim.last = layout.pegs - 1;
            claim.field.width = bits_for(most[index] + largest[index]);
        } else if (!is_counted[index]) {
            if (claim.low > most[index] || claim.high < 0 || claim.low > claim.high)
                is_impossible_ = true;
            claim.low = std::max<std::int64_t>(claim.low, 0);
            claim.high = std::max(claim.low, std::min(claim.high, most[index]));
            claim.field.width = bits_for(claim.high + largest[index]);
        }
        if (claim.is_kept && !claim.is_exact()) are_exact_ = false;
    }
}

void Sums::place(const Layout& layout) {
    std::vector<std::vector<std::size_t>> starting(layout.pegs);
    for (std::size_t claim = 0; claim < claims_.size(); ++claim)
        if (claims_[claim].is_kept) starting[claims_[claim].first].push_back(claim);
    Fields fields(WORDS);
    std::vector<std::size_t> open;
    for (std::size_t peg = 0; peg < layout.pegs; ++peg) {
        for (std::size_t claim : starting[peg]) {
            claims_[claim].field = fields.take((Word{1} << claims_[claim].field.width) - 1);
            open.push_back(claim);
        }
        open_[peg] = open;
        const auto ends = [&](std::size_t claim) { return claims_[claim].last == peg; };
        for (std::size_t claim : open)
            if (ends(claim)) fields.give_back(claims_[claim].field);
        open.erase(std::remove_if(open.begin(), open.end(), ends), open.end());
    }
    words_ = fields.words();
}

}  // namespace mmsat
