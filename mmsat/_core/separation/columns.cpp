#include "separation/columns.hpp"

#include <algorithm>
#include <numeric>

namespace mmsat::separation {

namespace {

constexpr unsigned kBits = 5;
constexpr std::uint64_t kLook = 256;  // sets between two looks at the interrupt

// What row r has, as a bit, in a column.
std::uint32_t bit(std::uint32_t column, std::size_t row) {
    return row == 0 ? 0 : column >> (row - 1) & 1;
}

}  // namespace

Columns::Columns(std::size_t rows) : rows_(rows), vectors_(std::size_t{1} << (rows - 1)) {
    for (std::size_t row = 0; row < rows; ++row) ones_ += Sum{1} << (kBits * row);
    signs_ = 2 * ones_;
    for (std::uint32_t column = 0; column < vectors_.size(); ++column)
        for (std::size_t row = 0; row < rows; ++row)
            vectors_[column] += (bit(column, row) ? Sum{-1} : Sum{1}) * (Sum{1} << (kBits * row));
    std::vector<std::size_t> order(rows);
    std::iota(order.begin(), order.end(), 0);
    do {
        ++orders_;
        for (std::uint32_t column = 0; column < vectors_.size(); ++column) {
            std::uint32_t moved = 0;
            for (std::size_t row = 1; row < rows; ++row)
                moved |= (bit(column, order[row]) ^ bit(column, order[0])) << (row - 1);
            images_.push_back(moved);
        }
    } while (std::next_permutation(order.begin(), order.end()));
}

// The signs of rows map any column to the one whose signs are all alike, so that this one is in the
// set; the orders of rows keep it.
std::vector<std::uint32_t> Columns::find(std::size_t many, const Interrupt& interrupt) {
    interrupt_ = &interrupt;
    many_ = many;
    set_.clear();
    Set allowed(vectors_.size() - 1), orders(orders_);
    std::iota(allowed.begin(), allowed.end(), 1);
    std::iota(orders.begin(), orders.end(), 0);
    std::vector<Flags> is_sum(vectors_.size(), 0);
    set_.push_back(0);
    const std::vector<Sum> sums = {0, vectors_[0], -vectors_[0]};
    mark({0}, vectors_[0], is_sum);
    if (!extend(allowed, sums, is_sum, orders)) set_.clear();
    return set_;
}

// Whether columns that are allowed can be added. Of those that the orders left map to each other
// one is tried; sets with any of them have then been looked at, up to order.
bool Columns::extend(const Set& allowed, const std::vector<Sum>& sums,
                     const std::vector<Flags>& is_sum, const Set& orders) {
    if (++nodes_ % kLook == 0) interrupt_->check();
    if (set_.size() == many_) return true;
    Set left = allowed;
    while (set_.size() + left.size() >= many_) {
        const std::uint32_t column = left.front();
        const Sum vector = vectors_[column];
        left.erase(left.begin());
        std::vector<Flags> is_sum_then = is_sum;
        mark(sums, vector, is_sum_then);
        Set allowed_then, orders_then;
        for (const std::uint32_t other : left)
            if (!is_sum_then[other]) allowed_then.push_back(other);
        std::vector<Flags> is_alike(vectors_.size(), 0);
        for (const std::uint32_t order : orders) {
            is_alike[image(order, column)] = 1;
            if (image(order, column) == column) orders_then.push_back(order);
        }
        set_.push_back(column);
        if (set_.size() + allowed_then.size() >= many_) {
            std::vector<Sum> sums_then;
            sums_then.reserve(3 * sums.size());
            for (const Sum sum : sums)
                for (const Sum each : {sum, sum + vector, sum - vector}) sums_then.push_back(each);
            if (extend(allowed_then, sums_then, is_sum_then, orders_then)) return true;
        }
        set_.pop_back();
        left.erase(std::remove_if(left.begin(), left.end(),
                                  [&](std::uint32_t other) { return is_alike[other] != 0; }),
                   left.end());
    }
    return false;
}

// Tell which columns are sums with one column more. Sums come with both signs, so it is only added.
void Columns::mark(const std::vector<Sum>& sums, Sum added, std::vector<Flags>& is_sum) const {
    for (const Sum sum : sums) {
        const Sum raised = sum + added + ones_;  // 2 and 0 where there were signs
        if ((raised & ~signs_) != 0) continue;
        std::uint32_t column = 0;
        const bool first = (raised & 2) != 0;
        for (std::size_t row = 1; row < rows_; ++row) {
            const bool other = (raised >> (kBits * row) & 2) != 0;
            if (other != first) column |= std::uint32_t{1} << (row - 1);
        }
        is_sum[column] = 1;
    }
}

}  // namespace mmsat::separation
