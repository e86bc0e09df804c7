// Search for columns of signs without a nonempty signed sum of 0 (columns.hpp). A signed sum has a
// factor of -1, 0 or 1 for each column. A Sum holds one coordinate per row, as a digit of 5 bits. A
// prefix is a set of the first kPrefixSize columns.
#include "separation/columns.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <utility>

namespace mmsat::separation {

namespace {

constexpr unsigned kCoordinateBits = 5;  // bits of a coordinate in a Sum
// Number of sets between two checks for interruption.
constexpr std::uint64_t kColumnSetsPerCheck = 256;
// Number of columns of a prefix. Longer prefixes would be more selective, but each column triples
// the number of signed sums, which are stored.
constexpr std::size_t kPrefixSize = 6;

// Return 1 if row `row` of a column has another sign than row 0, else 0.
std::uint32_t has_other_sign(std::uint32_t column, std::size_t row) {
    return row == 0 ? 0 : column >> (row - 1) & 1;
}

}  // namespace

Columns::Columns(std::size_t num_rows)
    : num_rows_(num_rows), vectors_(std::size_t{1} << (num_rows - 1)) {
    for (std::size_t row = 0; row < num_rows; ++row) ones_ += Sum{1} << (kCoordinateBits * row);
    twos_ = 2 * ones_;
    for (Column column = 0; column < vectors_.size(); ++column)
        for (std::size_t row = 0; row < num_rows; ++row)
            vectors_[column] += (has_other_sign(column, row) ? Sum{-1} : Sum{1}) *
                                (Sum{1} << (kCoordinateBits * row));
    static_assert(kMaxRows - 1 <= 8, "a column fits in a byte of images_");
    std::vector<std::size_t> order(num_rows);
    std::iota(order.begin(), order.end(), 0);
    do {
        orders_.push_back(static_cast<Order>(orders_.size()));
        for (Column column = 0; column < vectors_.size(); ++column) {
            Column permuted = 0;
            for (std::size_t row = 1; row < num_rows; ++row)
                permuted |= (has_other_sign(column, order[row]) ^ has_other_sign(column, order[0]))
                            << (row - 1);
            images_.push_back(static_cast<std::uint8_t>(permuted));
        }
    } while (std::next_permutation(order.begin(), order.end()));
}

// Changing signs of rows maps any column to column 0, in which all signs are equal. So the set may
// be assumed to contain column 0. Permutations of rows map it to itself.
std::vector<std::uint32_t> Columns::find(std::size_t num_columns, std::uint64_t num_skipped,
                                         const Interrupt& interrupt) {
    interrupt_ = &interrupt;
    num_columns_ = num_columns;
    num_skipped_ = num_skipped;
    num_prefixes_ = 0;
    fraction_done_ = 0;
    set_ = {0};
    Set allowed(vectors_.size() - 1);
    std::iota(allowed.begin(), allowed.end(), 1);
    if (!extend(allowed, {0, vectors_[0], -vectors_[0]}, orders_, 1)) set_.clear();
    return set_;
}

// Extend the set by allowed columns, which are not signed sums of the set. `sums` has all signed
// sums of the set, and `share` is the fraction of find() that this call covers. Returns whether a
// set of num_columns_ columns is found.
bool Columns::extend(const Set& allowed, const std::vector<Sum>& sums, const Orders& orders,
                     double share) {
    count_node();
    if (set_.size() == num_columns_) return true;
    if (set_.size() == kPrefixSize) {
        if (num_prefixes_ >= num_skipped_ && extend_prefix(allowed, sums)) return true;
        ++num_prefixes_;
        fraction_done_ += share;
        return false;
    }
    const std::vector<Choice> choices = list_choices(allowed, orders);
    double total_weight = 0;
    for (const Choice& choice : choices) total_weight += choice.weight;
    if (choices.empty()) fraction_done_ += share;
    for (const Choice& choice : choices) {
        const Sum vector = vectors_[choice.column];
        const Bits are_sums = sums_with(sums, vector);
        Set new_allowed;
        for (const Column other : choice.following)
            if (!are_sums[other]) new_allowed.push_back(other);
        std::vector<Sum> new_sums;
        for (const Sum sum : sums)
            new_sums.insert(new_sums.end(), {sum, sum + vector, sum - vector});
        set_.push_back(choice.column);
        const double choice_share = share * choice.weight / total_weight;
        if (set_.size() + new_allowed.size() < num_columns_)
            fraction_done_ += choice_share;
        else if (extend(new_allowed, new_sums, choice.orders, choice_share))
            return true;
        set_.pop_back();
    }
    return false;
}

// Return one column of each orbit (columns that the remaining permutations of rows map to each
// other). Later choices need not consider columns of earlier orbits, because all sets with such
// columns have been searched up to symmetry.
std::vector<Columns::Choice> Columns::list_choices(const Set& allowed, const Orders& orders) const {
    assert(set_.size() < std::min(num_columns_, kPrefixSize));
    std::vector<Choice> choices;
    Set remaining = allowed;
    while (set_.size() + remaining.size() >= num_columns_) {  // so some column remains
        const Column column = remaining.front();
        Bits orbit;
        Orders stabilizer;
        for (const Order order : orders) {
            orbit.set(image(order, column));
            if (image(order, column) == column) stabilizer.push_back(order);
        }
        // Estimate: each later column of the prefix may be any remaining column, up to symmetry.
        const double num_sets = std::pow(remaining.size(), kPrefixSize - set_.size() - 1);
        const double weight = num_sets / static_cast<double>(stabilizer.size());
        choices.push_back(
            {column, {remaining.begin() + 1, remaining.end()}, std::move(stabilizer), weight});
        remaining.erase(std::remove_if(remaining.begin(), remaining.end(),
                                       [&](Column other) { return orbit[other]; }),
                        remaining.end());
    }
    return choices;
}

// Return the columns that are signed sums of the set and the vector `added`. `sums` has each signed
// sum of the set with both signs, so subtracting `added` would only change the sign. A sum of at
// most 14 columns has coordinates from -14 to 14, so those of `raised` are from -13 to 15. A number
// has only one representation in base 32 with such digits, so the test of its bits is exact
// although negative digits borrow.
Columns::Bits Columns::sums_with(const std::vector<Sum>& sums, Sum added) const {
    Bits columns;
    for (const Sum sum : sums) {
        const Sum raised = sum + added + ones_;  // coordinates -1 and 1 become 0 and 2
        if ((raised & ~twos_) != 0) continue;
        Column column = 0;
        const bool first_sign = (raised & 2) != 0;
        for (std::size_t row = 1; row < num_rows_; ++row) {
            const bool sign = (raised >> (kCoordinateBits * row) & 2) != 0;
            if (sign != first_sign) column |= Column{1} << (row - 1);
        }
        columns.set(column);
    }
    return columns;
}

// Search from a complete prefix. Its signed sums are stored once, so that is_sum() can look them
// up.
bool Columns::extend_prefix(const Set& allowed, const std::vector<Sum>& sums) {
    prefix_sums_ = sums;
    std::sort(prefix_sums_.begin(), prefix_sums_.end());
    prefix_hashes_.reset();
    for (const Sum sum : sums) prefix_hashes_.set(hash_of(sum));
    compatible_.assign(num_columns_ - kPrefixSize + 1, Pairs(vectors_.size()));
    Bits allowed_bits;
    for (const Column column : allowed) allowed_bits.set(column);
    for (Bits& row : compatible_[0]) row = allowed_bits;
    filter_pairs(allowed_bits, compatible_[0], {0});
    return extend_compatible(allowed_bits);
}

// Keep the pairs of `columns` that can be in one set: neither their sum nor their difference, plus
// any of the vectors in `added`, is a signed sum of the set.
void Columns::filter_pairs(const Bits& columns, Pairs& pairs, const std::vector<Sum>& added) const {
    for (Column one = 0; one < vectors_.size(); ++one) {
        if (!columns[one]) continue;
        pairs[one].reset(one);
        for (Column other = 0; other < one; ++other) {
            if (!columns[other] || !pairs[one][other]) continue;
            const bool is_compatible = std::none_of(added.begin(), added.end(), [&](Sum sum) {
                return is_sum(vectors_[one] + vectors_[other] + sum, set_.size()) ||
                       is_sum(vectors_[one] - vectors_[other] + sum, set_.size());
            });
            pairs[one].set(other, is_compatible);
            pairs[other].set(one, is_compatible);
        }
    }
}

// Extend the set by allowed columns that are compatible with each other.
bool Columns::extend_compatible(Bits allowed) {
    count_node();
    if (set_.size() == num_columns_) return true;
    const std::size_t num_missing = num_columns_ - set_.size();
    const Pairs& compatible = compatible_[set_.size() - kPrefixSize];
    Pairs& new_compatible = compatible_[set_.size() - kPrefixSize + 1];
    // Remove columns with too few compatible columns.
    for (bool is_changed = true; is_changed;) {
        is_changed = false;
        for (Column column = 0; column < vectors_.size(); ++column)
            if (allowed[column] && (allowed & compatible[column]).count() + 1 < num_missing) {
                allowed.reset(column);
                is_changed = true;
            }
    }
    for (Column column = 0; allowed.count() >= num_missing; ++column) {
        if (!allowed[column]) continue;
        allowed.reset(column);
        const Bits following = allowed & compatible[column];
        if (following.count() + 1 < num_missing) continue;
        for (Column other = 0; other < vectors_.size(); ++other)
            if (following[other]) new_compatible[other] = compatible[other] & following;
        // Sums without the new column have been excluded before, by the pairs in `compatible`.
        filter_pairs(following, new_compatible, {vectors_[column], -vectors_[column]});
        set_.push_back(column);
        if (extend_compatible(following)) return true;
        set_.pop_back();
    }
    return false;
}

// Return whether `sum` is a signed sum of the first `num_columns` columns of the set, which include
// the prefix. The number of lookups triples with each column after the prefix.
bool Columns::is_sum(Sum sum, std::size_t num_columns) const {
    if (num_columns == kPrefixSize) return is_prefix_sum(sum);
    const Sum vector = vectors_[set_[num_columns - 1]];
    return is_sum(sum, num_columns - 1) || is_sum(sum + vector, num_columns - 1) ||
           is_sum(sum - vector, num_columns - 1);
}

// Return whether a sum is one of the signed sums of the prefix. The hashes rule out most sums.
bool Columns::is_prefix_sum(Sum sum) const {
    return prefix_hashes_[hash_of(sum)] &&
           std::binary_search(prefix_sums_.begin(), prefix_sums_.end(), sum);
}

// Count a set. Every kColumnSetsPerCheck sets, check for interruption.
void Columns::count_node() {
    if (++num_nodes_ % kColumnSetsPerCheck == 0) interrupt_->check();
}

}  // namespace mmsat::separation
