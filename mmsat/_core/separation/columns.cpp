#include "separation/columns.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "hash.hpp"

namespace mmsat::separation {

namespace {

constexpr unsigned kCoordinateBits = 5;
constexpr int kHashBits = 16;                       // of the hash of a sum
constexpr std::uint64_t kColumnSetsPerCheck = 256;  // sets between two checks for interruption
// Number of columns of a beginning, whose signed sums are listed.
constexpr std::size_t kBeginningSize = 6;

// Return 1 if the sign of row `row` of a column differs from that of row 0, else 0.
std::uint32_t bit(std::uint32_t column, std::size_t row) {
    return row == 0 ? 0 : column >> (row - 1) & 1;
}

std::size_t hash_of(std::int64_t sum) {
    return fibonacci_hash(static_cast<std::uint64_t>(sum), kHashBits);
}

}  // namespace

Columns::Columns(std::size_t rows) : rows_(rows), vectors_(std::size_t{1} << (rows - 1)) {
    for (std::size_t row = 0; row < rows; ++row) ones_ += Sum{1} << (kCoordinateBits * row);
    signs_ = 2 * ones_;
    for (Column column = 0; column < vectors_.size(); ++column)
        for (std::size_t row = 0; row < rows; ++row)
            vectors_[column] +=
                (bit(column, row) ? Sum{-1} : Sum{1}) * (Sum{1} << (kCoordinateBits * row));
    std::vector<std::size_t> order(rows);
    std::iota(order.begin(), order.end(), 0);
    do {
        orders_.push_back(static_cast<Column>(orders_.size()));
        for (Column column = 0; column < vectors_.size(); ++column) {
            Column moved = 0;
            for (std::size_t row = 1; row < rows; ++row)
                moved |= (bit(column, order[row]) ^ bit(column, order[0])) << (row - 1);
            images_.push_back(static_cast<std::uint8_t>(moved));
        }
    } while (std::next_permutation(order.begin(), order.end()));
}

// Changing signs of rows maps any column to the one with equal signs, so this column may be assumed
// to be in the set. The permutations of rows keep it.
std::vector<std::uint32_t> Columns::find(std::size_t num_columns, std::uint64_t skipped,
                                         const Interrupt& interrupt) {
    interrupt_ = &interrupt;
    num_columns_ = num_columns;
    skipped_ = skipped;
    beginnings_ = 0;
    done_ = 0;
    set_ = {0};
    Set allowed(vectors_.size() - 1);
    std::iota(allowed.begin(), allowed.end(), 1);
    if (!extend(allowed, {0, vectors_[0], -vectors_[0]}, orders_, 1)) set_.clear();
    return set_;
}

// Extend the set by allowed columns, that is, columns that are not signed sums of the set. Returns
// whether a set of num_columns_ columns is found.
bool Columns::extend(const Set& allowed, const std::vector<Sum>& sums, const Set& orders,
                     double share) {
    count_node();
    if (set_.size() == num_columns_) return true;
    if (set_.size() == kBeginningSize) {
        if (beginnings_ >= skipped_ && finish(allowed, sums)) return true;
        ++beginnings_;
        done_ += share;
        return false;
    }
    const std::vector<Choice> tried = choices(allowed, orders);
    double whole = 0;
    for (const Choice& choice : tried) whole += choice.weight;
    if (tried.empty()) done_ += share;
    for (const Choice& choice : tried) {
        const Sum vector = vectors_[choice.column];
        const Bits are_sums = sums_with(sums, vector);
        Set allowed_then;
        for (const Column other : choice.following)
            if (!are_sums[other]) allowed_then.push_back(other);
        std::vector<Sum> sums_then;
        for (const Sum sum : sums)
            sums_then.insert(sums_then.end(), {sum, sum + vector, sum - vector});
        set_.push_back(choice.column);
        const double part = share * choice.weight / whole;
        if (set_.size() + allowed_then.size() < num_columns_)
            done_ += part;
        else if (extend(allowed_then, sums_then, choice.orders, part))
            return true;
        set_.pop_back();
    }
    return false;
}

// Choose one column of each orbit under the remaining permutations of rows. Later choices need not
// consider columns of earlier orbits, because all sets with such columns have been searched up to
// symmetry.
std::vector<Columns::Choice> Columns::choices(const Set& allowed, const Set& orders) const {
    std::vector<Choice> found;
    Set left = allowed;
    while (set_.size() + left.size() >= num_columns_) {
        const Column column = left.front();
        Bits are_alike;
        Set kept;
        for (const Column order : orders) {
            are_alike.set(image(order, column));
            if (image(order, column) == column) kept.push_back(order);
        }
        const double sets = std::pow(left.size(), kBeginningSize - set_.size() - 1);
        const double weight = sets / static_cast<double>(kept.size());
        found.push_back({column, {left.begin() + 1, left.end()}, std::move(kept), weight});
        left.erase(std::remove_if(left.begin(), left.end(),
                                  [&](Column other) { return are_alike[other]; }),
                   left.end());
    }
    return found;
}

// Return the columns that are signed sums if `added` is included. Sums occur with both signs, so it
// is enough to add it.
Columns::Bits Columns::sums_with(const std::vector<Sum>& sums, Sum added) const {
    Bits found;
    for (const Sum sum : sums) {
        const Sum raised = sum + added + ones_;  // coordinates -1 and 1 become 0 and 2
        if ((raised & ~signs_) != 0) continue;
        Column column = 0;
        const bool first = (raised & 2) != 0;
        for (std::size_t row = 1; row < rows_; ++row) {
            const bool other = (raised >> (kCoordinateBits * row) & 2) != 0;
            if (other != first) column |= Column{1} << (row - 1);
        }
        found.set(column);
    }
    return found;
}

// Search from a complete beginning: its signed sums are stored once, and sums with further columns
// are looked up.
bool Columns::finish(const Set& allowed, const std::vector<Sum>& sums) {
    kept_ = sums;
    std::sort(kept_.begin(), kept_.end());
    kept_hashes_.reset();
    for (const Sum sum : sums) kept_hashes_.set(hash_of(sum));
    apart_.assign(num_columns_ - kBeginningSize + 1, Pairs(vectors_.size()));
    Bits left;
    for (const Column column : allowed) left.set(column);
    for (Bits& row : apart_[0]) row = left;
    part(left, apart_[0], {0});
    return finish_with(left);
}

// Among `columns`, keep those pairs for which no signed sum with one of the vectors `added` is a
// signed sum of the set.
void Columns::part(const Bits& columns, Pairs& pairs, const std::vector<Sum>& added) const {
    for (Column one = 0; one < vectors_.size(); ++one) {
        if (!columns[one]) continue;
        pairs[one].reset(one);
        for (Column other = 0; other < one; ++other) {
            if (!columns[other] || !pairs[one][other]) continue;
            const bool is_apart = std::none_of(added.begin(), added.end(), [&](Sum sum) {
                return is_sum(vectors_[one] + vectors_[other] + sum, set_.size()) ||
                       is_sum(vectors_[one] - vectors_[other] + sum, set_.size());
            });
            pairs[one].set(other, is_apart);
            pairs[other].set(one, is_apart);
        }
    }
}

bool Columns::finish_with(Bits left) {
    count_node();
    if (set_.size() == num_columns_) return true;
    const std::size_t more = num_columns_ - set_.size();
    const Pairs& apart = apart_[set_.size() - kBeginningSize];
    Pairs& apart_then = apart_[set_.size() - kBeginningSize + 1];
    for (bool is_less = true; is_less;) {  // columns with too few compatible columns are useless
        is_less = false;
        for (Column column = 0; column < vectors_.size(); ++column)
            if (left[column] && (left & apart[column]).count() + 1 < more) {
                left.reset(column);
                is_less = true;
            }
    }
    for (Column column = 0; left.count() >= more; ++column) {
        if (!left[column]) continue;
        left.reset(column);
        const Bits following = left & apart[column];
        if (following.count() + 1 < more) continue;
        for (Column other = 0; other < vectors_.size(); ++other)
            if (following[other]) apart_then[other] = apart[other] & following;
        part(following, apart_then, {vectors_[column], -vectors_[column]});
        set_.push_back(column);
        if (finish_with(following)) return true;
        set_.pop_back();
    }
    return false;
}

// Return whether `from` is a signed sum of the first `last` columns of the set.
bool Columns::is_sum(Sum from, std::size_t last) const {
    if (last == kBeginningSize) return is_kept(from);
    const Sum vector = vectors_[set_[last - 1]];
    return is_sum(from, last - 1) || is_sum(from + vector, last - 1) ||
           is_sum(from - vector, last - 1);
}

// Return whether a sum is one of the signed sums of the beginning.
bool Columns::is_kept(Sum sum) const {
    return kept_hashes_[hash_of(sum)] && std::binary_search(kept_.begin(), kept_.end(), sum);
}

// Count a set and check for interruption.
void Columns::count_node() {
    if (++nodes_ % kColumnSetsPerCheck == 0) interrupt_->check();
}

}  // namespace mmsat::separation
