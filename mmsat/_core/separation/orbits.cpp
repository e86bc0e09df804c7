// Canonical forms (keys) of sets of guesses under symmetries (orbits.hpp). A symmetry permutes
// columns that are alike and renames the values of cells. An orbit is a class of equivalent sets.
#include "separation/orbits.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace mmsat::separation {

namespace {

constexpr std::uint8_t kNone = 255;  // not a value: there are at most 255, from 0

// Return the factorial, or SIZE_MAX if it is too large.
std::size_t factorial(std::size_t number) {
    if (number > 20) return SIZE_MAX;
    return number < 2 ? 1 : number * factorial(number - 1);
}

// Return the numbers 0, 1, ..., size - 1.
std::vector<std::uint8_t> first_numbers(std::size_t size) {
    std::vector<std::uint8_t> numbers(size);
    std::iota(numbers.begin(), numbers.end(), 0);
    return numbers;
}

}  // namespace

Orbits::Orbits(std::vector<std::uint8_t> cells, std::size_t num_columns, std::size_t num_values,
               bool are_columns_alike, Renaming renaming)
    : cells_(std::move(cells)),
      num_columns_(num_columns),
      num_values_(num_values),
      are_columns_alike_(are_columns_alike),
      renaming_(renaming) {
    // If the columns are alike and share a renaming, only the shorter list is permuted: that of the
    // columns, or that of the values. The other one is normalized: the values are renamed in the
    // order of first occurrence, and the columns are sorted.
    if (renaming_ == Renaming::shared && are_columns_alike_) {
        permutes_values_ = num_values_ < num_columns_;
        permutes_columns_ = !permutes_values_;
        num_renamings_ = factorial(std::min(num_values_, num_columns_));
    }
    std::map<std::string, std::uint32_t> orbits;
    for (std::uint32_t guess = 0; guess < cells_.size() / num_columns_; ++guess)
        orbit_of_guess_.push_back(
            orbits.emplace(key({guess}, true), static_cast<std::uint32_t>(orbits.size()))
                .first->second);
}

// Return the cells of the set, column by column in the given order, with values renamed:
// `new_values` has the new value of each value, or kNone. Values with kNone are numbered in the
// order of first occurrence. If the columns are alike and key() does not permute them, they are
// sorted here.
std::string Orbits::rename(const Guesses& set, const std::vector<std::uint8_t>& column_order,
                           std::vector<std::uint8_t> new_values) const {
    std::vector<std::string> renamed_columns;
    std::uint8_t next_value = 0;
    for (const std::uint8_t column : column_order) {
        if (renaming_ == Renaming::per_column) {
            std::fill(new_values.begin(), new_values.end(), kNone);
            next_value = 0;
        }
        renamed_columns.emplace_back();
        for (const std::uint32_t guess : set) {
            std::uint8_t& value = new_values[cells_[guess * num_columns_ + column]];
            if (value == kNone) value = next_value++;
            renamed_columns.back() += static_cast<char>(value);
        }
    }
    if (are_columns_alike_ && !permutes_columns_)
        std::sort(renamed_columns.begin(), renamed_columns.end());
    std::string key;
    for (const std::string& column : renamed_columns) key += column;
    return key;
}

// Return an invariant of a guess in a set: symmetries do not change it. It is a sorted list with a
// number for each guess of the set. The number combines two counts: the columns in which the two
// guesses have the same value and, unless each column has its own renaming, the values in common.
std::vector<std::size_t> Orbits::signature(const Guesses& set, std::uint32_t guess) const {
    std::vector<std::size_t> numbers_in_common;
    const std::uint8_t* const row = cells_.data() + guess * num_columns_;
    for (const std::uint32_t other : set) {
        const std::uint8_t* const other_row = cells_.data() + other * num_columns_;
        std::vector<int> counts(num_values_, 0);
        std::size_t num_equal_cells = 0, num_common_values = 0;
        for (std::size_t column = 0; column < num_columns_; ++column) {
            num_equal_cells += row[column] == other_row[column];
            ++counts[row[column]];
        }
        for (std::size_t column = 0; column < num_columns_; ++column)
            num_common_values += counts[other_row[column]]-- > 0;
        numbers_in_common.push_back(num_equal_cells * (num_columns_ + 1) +
                                    (renaming_ == Renaming::per_column ? 0 : num_common_values));
    }
    std::sort(numbers_in_common.begin(), numbers_in_common.end());
    return numbers_in_common;
}

std::string Orbits::key(const Guesses& set, bool is_order_kept) const {
    // Sort the guesses by signature. Guesses with equal signatures are tried in every order. If the
    // order is kept, the signatures are ascending numbers, so that sorting changes nothing.
    std::vector<std::pair<std::vector<std::size_t>, std::uint32_t>> ranked;
    for (const std::uint32_t guess : set)
        ranked.emplace_back(is_order_kept ? std::vector{ranked.size()} : signature(set, guess),
                            guess);
    std::sort(ranked.begin(), ranked.end());
    std::vector<std::size_t> group_ends;  // of the groups with equal signatures
    for (std::size_t i = 1; i <= ranked.size(); ++i)
        if (i == ranked.size() || ranked[i].first != ranked[i - 1].first) group_ends.push_back(i);
    Guesses ordered;
    for (const auto& entry : ranked) ordered.push_back(entry.second);
    std::string least_key;
    bool has_next_order = true;
    while (has_next_order) {
        std::vector<std::uint8_t> column_order = first_numbers(num_columns_);
        std::vector<std::uint8_t> new_values = first_numbers(num_values_);
        if (renaming_ != Renaming::none && !permutes_values_)
            std::fill(new_values.begin(), new_values.end(), kNone);
        do {
            std::string key = rename(ordered, column_order, new_values);
            if (least_key.empty() || key < least_key) least_key.swap(key);
        } while (permutes_columns_ ? std::next_permutation(column_order.begin(), column_order.end())
                                   : permutes_values_ && std::next_permutation(new_values.begin(),
                                                                               new_values.end()));
        // Go to the next order of the guesses, like a counter with one digit per group: at the last
        // order of a group, next_permutation resets the group and returns false, and the next group
        // advances.
        has_next_order = false;
        for (std::size_t group = 0, first = 0; group < group_ends.size() && !has_next_order;
             ++group) {
            has_next_order =
                std::next_permutation(ordered.begin() + first, ordered.begin() + group_ends[group]);
            first = group_ends[group];
        }
    }
    return least_key;
}

std::vector<Guesses> Orbits::extend(const std::vector<Guesses>& sets,
                                    const Interrupt& interrupt) const {
    std::map<std::string, Guesses> representatives;  // by key
    for (const Guesses& set : sets) {
        interrupt.check();
        std::set<std::string> ordered_keys;  // cheaper than key(..., false); detect most duplicates
        for (std::uint32_t guess = 0; guess < orbit_of_guess_.size(); ++guess) {
            // The guesses of a set are in the order of their orbits, so each set is built once.
            if (!set.empty() && orbit_of_guess_[guess] < orbit_of_guess_[set.back()]) continue;
            if (std::find(set.begin(), set.end(), guess) != set.end()) continue;
            Guesses extended_set = set;
            extended_set.push_back(guess);
            if (ordered_keys.insert(key(extended_set, true)).second)
                representatives.emplace(key(extended_set, false), std::move(extended_set));
        }
    }
    std::vector<Guesses> extended_sets;
    for (auto& entry : representatives) extended_sets.push_back(std::move(entry.second));
    return extended_sets;
}

}  // namespace mmsat::separation
