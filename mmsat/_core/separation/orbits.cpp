#include "separation/orbits.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace mmsat::separation {

namespace {

constexpr std::uint8_t kNone = 255;

// Return the factorial, or SIZE_MAX if it is too large.
std::size_t factorial(std::size_t number) {
    if (number > 20) return SIZE_MAX;
    return number < 2 ? 1 : number * factorial(number - 1);
}

// Return the numbers 0, 1, ..., many - 1.
std::vector<std::uint8_t> count_up(std::size_t many) {
    std::vector<std::uint8_t> numbers(many);
    std::iota(numbers.begin(), numbers.end(), 0);
    return numbers;
}

}  // namespace

Orbits::Orbits(std::vector<std::uint8_t> cells, std::size_t columns, std::size_t colors,
               bool are_columns_alike, Names names)
    : cells_(std::move(cells)),
      columns_(columns),
      colors_(colors),
      are_columns_alike_(are_columns_alike),
      names_(names) {
    if (names_ == Names::shared && are_columns_alike_) {
        permutes_names_ = colors_ < columns_;
        permutes_columns_ = !permutes_names_;
        renamings_ = factorial(std::min(colors_, columns_));
    }
    std::map<std::string, std::uint32_t> found;
    for (std::uint32_t guess = 0; guess < cells_.size() / columns_; ++guess)
        kinds_.push_back(found.emplace(key({guess}, true), static_cast<std::uint32_t>(found.size()))
                             .first->second);
}

// Write the cells of the set column by column in the order `places`, with renamed cells. Names that
// are kNone are assigned in the order of their first occurrence.
std::string Orbits::rename(const Guesses& set, const std::vector<std::uint8_t>& places,
                           std::vector<std::uint8_t> names) const {
    std::vector<std::string> written;
    std::uint8_t next = 0;
    for (const std::uint8_t place : places) {
        if (names_ == Names::own) {
            std::fill(names.begin(), names.end(), kNone);
            next = 0;
        }
        written.emplace_back();
        for (const std::uint32_t guess : set) {
            std::uint8_t& name = names[cells_[guess * columns_ + place]];
            if (name == kNone) name = next++;
            written.back() += static_cast<char>(name);
        }
    }
    if (are_columns_alike_ && !permutes_columns_) std::sort(written.begin(), written.end());
    std::string key;
    for (const std::string& column : written) key += column;
    return key;
}

// Return an invariant of a guess in a set: the sorted numbers of cells, and of names if these are
// shared, that it has in common with each guess.
std::vector<std::size_t> Orbits::signature(const Guesses& set, std::uint32_t guess) const {
    std::vector<std::size_t> common;
    const std::uint8_t* const row = cells_.data() + guess * columns_;
    for (const std::uint32_t other : set) {
        const std::uint8_t* const beside = cells_.data() + other * columns_;
        std::vector<int> counts(colors_, 0);
        std::size_t equal = 0, names = 0;
        for (std::size_t column = 0; column < columns_; ++column) {
            equal += row[column] == beside[column];
            ++counts[row[column]];
        }
        for (std::size_t column = 0; column < columns_; ++column)
            names += counts[beside[column]]-- > 0;
        common.push_back(equal * (columns_ + 1) + (names_ == Names::own ? 0 : names));
    }
    std::sort(common.begin(), common.end());
    return common;
}

std::string Orbits::key(const Guesses& set, bool is_order_kept) const {
    // Sort the guesses by signature; those with equal signatures are tried in every order.
    std::vector<std::pair<std::vector<std::size_t>, std::uint32_t>> ranked;
    for (const std::uint32_t guess : set)
        ranked.emplace_back(is_order_kept ? std::vector{ranked.size()} : signature(set, guess),
                            guess);
    std::sort(ranked.begin(), ranked.end());
    std::vector<std::size_t> ends;  // ends of groups with equal signatures
    for (std::size_t place = 1; place <= ranked.size(); ++place)
        if (place == ranked.size() || ranked[place].first != ranked[place - 1].first)
            ends.push_back(place);
    Guesses ordered;
    for (const auto& entry : ranked) ordered.push_back(entry.second);
    std::string least;
    bool is_more = true;
    while (is_more) {
        std::vector<std::uint8_t> places = count_up(columns_);
        std::vector<std::uint8_t> names = count_up(colors_);
        if (names_ != Names::none && !permutes_names_) std::fill(names.begin(), names.end(), kNone);
        do {
            std::string key = rename(ordered, places, names);
            if (least.empty() || key < least) least.swap(key);
        } while (permutes_columns_
                     ? std::next_permutation(places.begin(), places.end())
                     : permutes_names_ && std::next_permutation(names.begin(), names.end()));
        is_more = false;
        for (std::size_t group = 0, first = 0; group < ends.size() && !is_more; ++group) {
            is_more = std::next_permutation(ordered.begin() + first, ordered.begin() + ends[group]);
            first = ends[group];
        }
    }
    return least;
}

std::vector<Guesses> Orbits::extend(const std::vector<Guesses>& sets,
                                    const Interrupt& interrupt) const {
    std::map<std::string, Guesses> found;
    for (const Guesses& set : sets) {
        interrupt.check();
        std::set<std::string> seen;  // a cheaper key that finds most duplicates
        for (std::uint32_t guess = 0; guess < kinds_.size(); ++guess) {
            if (!set.empty() && kinds_[guess] < kinds_[set.back()]) continue;
            if (std::find(set.begin(), set.end(), guess) != set.end()) continue;
            Guesses longer = set;
            longer.push_back(guess);
            if (seen.insert(key(longer, true)).second)
                found.emplace(key(longer, false), std::move(longer));
        }
    }
    std::vector<Guesses> kept;
    for (auto& entry : found) kept.push_back(std::move(entry.second));
    return kept;
}

}  // namespace mmsat::separation
