// LLL and BKZ reduction of a lattice basis (basis.hpp). The coefficients of a row are its
// Gram-Schmidt coefficients along the orthogonalized earlier rows.
#include "lattice/basis.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "machine.hpp"

namespace mmsat::lattice {

namespace {

constexpr double kLovasz = 0.99;  // parameter of the Lovasz condition of LLL
// Coefficients up to this one are small. It is above 0.5, so that rounding errors cannot make a
// step oscillate.
constexpr double kHalf = 0.5001;
// Maximum absolute value of an entry of a row, and maximum sum of the multiples of other rows that
// are subtracted before it is checked. In between, entries are below 2**53, so doubles are exact.
constexpr double kMaxNumber = 1LL << 30;
constexpr double kMaxMultiples = 1 << 22;
// Maximum number of passes of size reduction for one row; a few are needed.
constexpr int kMaxPasses = 1000;
// Maximum number of nodes of the search for a shortest vector of a block.
constexpr long kMaxNodes = 2'000'000;

// Return the scalar product. It is summed in a fixed number of lanes, so that the result is the
// same on all machines.
MMSAT_MULTIVERSION_NO_FMA double product(const double* MMSAT_RESTRICT one,
                                         const double* MMSAT_RESTRICT other, std::size_t size) {
    constexpr std::size_t kLanes = 16;
    double sums[kLanes] = {};
    const std::size_t full_size = size / kLanes * kLanes;
    for (std::size_t i = 0; i < full_size; i += kLanes)
        for (std::size_t lane = 0; lane < kLanes; ++lane)
            sums[lane] += one[i + lane] * other[i + lane];
    for (std::size_t i = full_size; i < size; ++i) sums[i - full_size] += one[i] * other[i];
    double sum = 0;
    for (double lane_sum : sums) sum += lane_sum;
    return sum;
}

// vector -= times * other.
void subtract(Vector& vector, double times, const Vector& other) {
    for (std::size_t i = 0; i < vector.size(); ++i) vector[i] -= times * other[i];
}

void require_exact(const Vector& vector) {
    for (double number : vector)
        if (std::abs(number) > kMaxNumber)
            throw std::overflow_error("the numbers of the lattice grew too large");
}

}  // namespace

Basis::Basis(std::vector<Vector> rows, Vector weights)
    : rows_(std::move(rows)), weights_(std::move(weights)) {
    coefficients_.assign(size(), std::vector<double>(size(), 0));
    products_ = coefficients_;
    for (std::size_t index = 0; index < size(); ++index) {
        require_exact(rows_[index]);
        orthogonalize(index);
    }
}

// Recompute row `index` of the Gram-Schmidt orthogonalization.
void Basis::orthogonalize(std::size_t index) {
    Vector weighted_row = rows_[index];
    for (std::size_t i = 0; i < weights_.size(); ++i) weighted_row[i] *= weights_[i];
    for (std::size_t other = 0; other <= index; ++other) {
        const double row_product =
            product(weighted_row.data(), rows_[other].data(), weighted_row.size());
        const double orthogonal_product =
            row_product - product(coefficients_[other].data(), products_[index].data(), other);
        products_[index][other] = orthogonal_product;
        if (other < index)
            coefficients_[index][other] = orthogonal_product / products_[other][other];
    }
}

// Subtract integer multiples of the earlier rows from row `index`, until its coefficients are at
// most kHalf. Rounded coefficients may require several passes. The multiples are added to
// `multiples`, if it is given.
void Basis::size_reduce(std::size_t index, Vector* multiples) {
    for (int pass = 0; pass < kMaxPasses; ++pass) {
        orthogonalize(index);
        bool is_short = true;
        double max_multiple = kMaxMultiples;  // remaining in this pass
        for (std::size_t other = index; max_multiple > 0 && other-- > 0;) {
            if (std::abs(coefficients_[index][other]) <= kHalf) continue;
            const double times =
                std::clamp(std::round(coefficients_[index][other]), -max_multiple, max_multiple);
            max_multiple -= std::abs(times);
            subtract(rows_[index], times, rows_[other]);
            for (std::size_t lower = 0; lower < other; ++lower)
                coefficients_[index][lower] -= times * coefficients_[other][lower];
            coefficients_[index][other] -= times;
            if (multiples) (*multiples)[other] += times;
            is_short = false;
        }
        require_exact(rows_[index]);
        if (is_short) return;
    }
    throw std::overflow_error("a row of the lattice cannot be made short");
}

void Basis::reduce(std::size_t begin) {
    std::size_t index = std::max<std::size_t>(begin, 1);
    while (index < size()) {
        size_reduce(index);
        const double coefficient = coefficients_[index][index - 1];
        if (square(index) >= (kLovasz - coefficient * coefficient) * square(index - 1)) {
            ++index;
            continue;
        }
        std::swap(rows_[index], rows_[index - 1]);
        orthogonalize(index - 1);
        index = std::max<std::size_t>(index - 1, 1);
    }
}

void Basis::reduce_blocks(std::size_t block_size, std::size_t max_tours) {
    for (std::size_t tour = 0; tour < max_tours; ++tour) {
        bool is_changed = false;
        for (std::size_t begin = 0; begin + 1 < size(); ++begin) {
            Vector factors;
            if (!find_shorter(begin, std::min(size(), begin + block_size), factors)) continue;
            is_changed = true;
            move_to_front(begin, std::move(factors));
            reduce(begin);
        }
        if (!is_changed) return;
    }
}

// Enumerate the integer multiples of the rows depth-first, from the last row of the block to the
// first. For each row, the multiples are tried in the order of the length of the resulting vector
// (Schnorr and Euchner). In large blocks the bound on this length decreases with the depth (linear
// pruning), so vectors that are unlikely to become short are skipped.
bool Basis::find_shorter(std::size_t begin, std::size_t end, Vector& factors) const {
    const std::size_t size = end - begin;
    double max_square = 0.99 * square(begin);
    std::vector<double> bounds(size), centers(size, 0), sums(size + 1, 0);
    const auto update_bounds = [&] {
        for (std::size_t row = 0; row < size; ++row) {
            const double fraction =
                1.05 * static_cast<double>(size - row) / static_cast<double>(size);
            bounds[row] = max_square * (size < 25 ? 1 : std::min(1.0, fraction));
        }
    };
    update_bounds();
    Vector multiples(size, 0), steps(size, 1);
    multiples[0] = 1;
    std::size_t row = 0, last_row = 0;
    bool is_found = false;
    for (long node = 0; node < kMaxNodes; ++node) {
        const double offset = multiples[row] + centers[row];
        const double square = sums[row + 1] + offset * offset * products_[begin + row][begin + row];
        if (square <= bounds[row]) {
            if (row > 0) {
                sums[row--] = square;
                double new_center = 0;
                for (std::size_t above = row + 1; above <= last_row; ++above)
                    new_center += multiples[above] * coefficients_[begin + above][begin + row];
                centers[row] = new_center;
                multiples[row] = std::round(-new_center);
                steps[row] = -new_center >= multiples[row] ? 1 : -1;
                continue;
            }
            max_square = 0.9999 * square;
            update_bounds();
            factors = multiples;
            is_found = true;
        } else if (++row == size) {
            break;
        }
        // Of the last row, only positive multiples are tried, since v and -v are equivalent.
        if (row >= last_row) {
            last_row = row;
            ++multiples[row];
        } else {
            multiples[row] += steps[row];
            steps[row] = -steps[row] + (steps[row] > 0 ? -1 : 1);
        }
    }
    return is_found;
}

// Apply Euclid's algorithm to pairs of neighboring factors, and the corresponding operations to the
// rows, so that the combination does not change. At the end, it is the first row of the block.
void Basis::move_to_front(std::size_t begin, Vector factors) {
    for (std::size_t i = factors.size(); --i > 0;) {
        while (factors[i] != 0) {
            const double times = std::trunc(factors[i - 1] / factors[i]);
            if (std::abs(times) > kMaxMultiples)
                throw std::overflow_error("the numbers of the lattice grew too large");
            factors[i - 1] -= times * factors[i];
            subtract(rows_[begin + i], -times, rows_[begin + i - 1]);
            require_exact(rows_[begin + i]);
            std::swap(factors[i], factors[i - 1]);
            std::swap(rows_[begin + i], rows_[begin + i - 1]);
        }
    }
    for (std::size_t i = 0; i < factors.size(); ++i) orthogonalize(begin + i);
}

Vector Basis::subtract_from(Vector& vector) const {
    Basis extended = *this;
    extended.rows_.push_back(std::move(vector));
    extended.coefficients_.emplace_back(size() + 1, 0);
    extended.products_.emplace_back(size() + 1, 0);
    Vector multiples(size(), 0);
    extended.size_reduce(size(), &multiples);
    vector = std::move(extended.rows_.back());
    return multiples;
}

}  // namespace mmsat::lattice
