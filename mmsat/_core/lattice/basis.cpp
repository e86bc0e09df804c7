#include "lattice/basis.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "machine.hpp"

namespace mmsat::lattice {

namespace {

constexpr double kLovasz = 0.99;
constexpr double kHalf = 0.5001;  // above 0.5, so that rounding errors cannot make a step oscillate
constexpr double kLargest = 1LL << 30;     // of the numbers in rows: their sums ...
constexpr double kMaxMultiples = 1 << 22;  // ... times at most this in total are exact in a double
constexpr int kPasses = 1000;              // for one row; a few are needed
constexpr long kNodes = 2'000'000;         // of the search for the shortest vector of a block

// Scalar product, summed in a fixed number of lanes, so that the result is the same on all
// machines.
MMSAT_MULTIVERSION_NO_FMA double product(const double* MMSAT_RESTRICT one,
                                         const double* MMSAT_RESTRICT other, std::size_t size) {
    constexpr std::size_t kLanes = 16;
    double sums[kLanes] = {};
    const std::size_t even = size / kLanes * kLanes;
    for (std::size_t at = 0; at < even; at += kLanes)
        for (std::size_t lane = 0; lane < kLanes; ++lane)
            sums[lane] += one[at + lane] * other[at + lane];
    for (std::size_t at = even; at < size; ++at) sums[at - even] += one[at] * other[at];
    double sum = 0;
    for (double lane_sum : sums) sum += lane_sum;
    return sum;
}

// vector -= times * other.
void subtract(Vector& vector, double times, const Vector& other) {
    for (std::size_t at = 0; at < vector.size(); ++at) vector[at] -= times * other[at];
}

void require_exact(const Vector& vector) {
    for (double number : vector)
        if (std::abs(number) > kLargest)
            throw std::overflow_error("the numbers of the lattice grew too large");
}

}  // namespace

Basis::Basis(std::vector<Vector> rows, Vector weights)
    : rows_(std::move(rows)), weights_(std::move(weights)) {
    parts_.assign(size(), std::vector<double>(size(), 0));
    products_ = parts_;
    for (std::size_t index = 0; index < size(); ++index) {
        require_exact(rows_[index]);
        orthogonalize(index);
    }
}

// Recompute row `index` of the Gram-Schmidt orthogonalization.
void Basis::orthogonalize(std::size_t index) {
    Vector weighed = rows_[index];
    for (std::size_t at = 0; at < weights_.size(); ++at) weighed[at] *= weights_[at];
    for (std::size_t other = 0; other <= index; ++other) {
        const double whole = product(weighed.data(), rows_[other].data(), weighed.size());
        const double left = whole - product(parts_[other].data(), products_[index].data(), other);
        products_[index][other] = left;
        if (other < index) parts_[index][other] = left / products_[other][other];
    }
}

// Size reduction: subtract integer multiples of the rows before from row `index`. Rounded
// coefficients may require several passes. The multiples are added to `multiples`, if given.
void Basis::shorten(std::size_t index, Vector* multiples) {
    for (int pass = 0; pass < kPasses; ++pass) {
        orthogonalize(index);
        bool is_short = true;
        double left = kMaxMultiples;
        for (std::size_t other = index; left > 0 && other-- > 0;) {
            if (std::abs(parts_[index][other]) <= kHalf) continue;
            const double times = std::clamp(std::round(parts_[index][other]), -left, left);
            left -= std::abs(times);
            subtract(rows_[index], times, rows_[other]);
            for (std::size_t below = 0; below < other; ++below)
                parts_[index][below] -= times * parts_[other][below];
            parts_[index][other] -= times;
            if (multiples) (*multiples)[other] += times;
            is_short = false;
        }
        require_exact(rows_[index]);
        if (is_short) return;
    }
    throw std::overflow_error("a row of the lattice cannot be made short");
}

void Basis::reduce(std::size_t from) {
    std::size_t at = std::max<std::size_t>(from, 1);
    while (at < size()) {
        shorten(at);
        const double part = parts_[at][at - 1];
        if (square(at) >= (kLovasz - part * part) * square(at - 1)) {
            ++at;
            continue;
        }
        std::swap(rows_[at], rows_[at - 1]);
        orthogonalize(at - 1);
        at = std::max<std::size_t>(at - 1, 1);
    }
}

void Basis::reduce_blocks(std::size_t block, std::size_t tours) {
    for (std::size_t tour = 0; tour < tours; ++tour) {
        bool is_done = true;
        for (std::size_t from = 0; from + 1 < size(); ++from) {
            Vector factors;
            if (!shortest(from, std::min(size(), from + block), factors)) continue;
            is_done = false;
            put_in_front(from, std::move(factors));
            reduce(from);
        }
        if (is_done) return;
    }
}

// Enumerate coefficients depth-first from the last row of the block, in order of distance (Schnorr
// and Euchner). In large blocks the bound decreases with the depth (linear pruning), so vectors
// that are unlikely to become short are skipped.
bool Basis::shortest(std::size_t from, std::size_t to, Vector& factors) const {
    const std::size_t size = to - from;
    double best = 0.99 * square(from);
    std::vector<double> bounds(size), center(size, 0), sum(size + 1, 0);
    const auto bound = [&] {
        for (std::size_t at = 0; at < size; ++at) {
            const double share = 1.05 * static_cast<double>(size - at) / static_cast<double>(size);
            bounds[at] = best * (size < 25 ? 1 : std::min(1.0, share));
        }
    };
    bound();
    Vector multiple(size, 0), step(size, 1);
    multiple[0] = 1;
    std::size_t at = 0, last = 0;
    bool is_found = false;
    for (long node = 0; node < kNodes; ++node) {
        const double offset = multiple[at] + center[at];
        const double square = sum[at + 1] + offset * offset * products_[from + at][from + at];
        if (square <= bounds[at]) {
            if (at > 0) {
                sum[at--] = square;
                double part = 0;
                for (std::size_t above = at + 1; above <= last; ++above)
                    part += multiple[above] * parts_[from + above][from + at];
                center[at] = part;
                multiple[at] = std::round(-part);
                step[at] = -part >= multiple[at] ? 1 : -1;
                continue;
            }
            best = 0.9999 * square;
            bound();
            factors = multiple;
            is_found = true;
        } else if (++at == size) {
            break;
        }
        // First nonzero coefficient: positive only, since v and -v are equivalent.
        if (at >= last) {
            last = at;
            ++multiple[at];
        } else {
            multiple[at] += step[at];
            step[at] = -step[at] + (step[at] > 0 ? -1 : 1);
        }
    }
    return is_found;
}

// Euclid's algorithm on pairs of factors: row operations keep the combination unchanged until it is
// the first row of the block.
void Basis::put_in_front(std::size_t from, Vector factors) {
    for (std::size_t at = factors.size(); --at > 0;) {
        while (factors[at] != 0) {
            const double times = std::trunc(factors[at - 1] / factors[at]);
            if (std::abs(times) > kMaxMultiples)
                throw std::overflow_error("the numbers of the lattice grew too large");
            factors[at - 1] -= times * factors[at];
            subtract(rows_[from + at], -times, rows_[from + at - 1]);
            require_exact(rows_[from + at]);
            std::swap(factors[at], factors[at - 1]);
            std::swap(rows_[from + at], rows_[from + at - 1]);
        }
    }
    for (std::size_t at = 0; at < factors.size(); ++at) orthogonalize(from + at);
}

Vector Basis::take_from(Vector& vector) const {
    Basis extended = *this;
    extended.rows_.push_back(std::move(vector));
    extended.parts_.emplace_back(size() + 1, 0);
    extended.products_.emplace_back(size() + 1, 0);
    Vector multiples(size(), 0);
    extended.shorten(size(), &multiples);
    vector = std::move(extended.rows_.back());
    return multiples;
}

}  // namespace mmsat::lattice
