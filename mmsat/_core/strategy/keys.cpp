// Sums of n log2 n over the class sizes n of a partition (keys.hpp): rounded, and compared exactly.
#include "strategy/keys.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "multiword.hpp"

namespace mmsat::strategy {

constexpr double kMaxSum = 4e18;  // maximum scaled sum of a partition; below 2**62
// In double, n * log2(n) has a relative error of a few times 2**-53. 1 / kPrecision is more than
// the sum of the errors of two such numbers.
constexpr std::int64_t kPrecision = std::int64_t{1} << 48;

Logs::Logs(std::size_t max_size) : table_(std::max<std::size_t>(max_size, 2) + 1, 0) {
    const double max_n = static_cast<double>(table_.size());
    unit_ = std::exp2(std::floor(std::log2(kMaxSum / (max_n * std::log2(max_n)))));
    unit_ = std::min(unit_, std::exp2(32));
    for (std::size_t size = 2; size < table_.size(); ++size) {
        const double n = static_cast<double>(size);
        table_[size] = std::llround(n * std::log2(n) * unit_);
    }
}

// Each term is rounded by at most 1 / 2. A bound that is too large only costs exact comparisons.
std::int64_t Logs::uncertainty(std::int64_t sum, std::size_t num_terms) const {
    return sum / kPrecision + 2 * static_cast<std::int64_t>(num_terms) + 2;
}

std::size_t Logs::min_num_classes(std::int64_t sum, std::size_t size) const {
    // By convexity, k classes of n codes have a sum of at least n log2(n / k). The bound is one
    // less, to allow for rounding.
    const double n = static_cast<double>(size);
    const double min_classes = n * std::exp2(-static_cast<double>(sum) / unit_ / n);
    return min_classes < 2 ? 1 : static_cast<std::size_t>(min_classes) - 1;
}

namespace {

// A natural number without leading zeros.
using Natural = std::vector<Word>;

void multiply(Natural& number, std::uint32_t factor) {
    const Word carry = mmsat::multiply(number.data(), factor, number.size());
    if (carry) number.push_back(carry);
}

}  // namespace

// Factor the sizes into primes and cancel common exponents, then compare the remaining products as
// natural numbers.
int compare_powers(const Sizes& one, const Sizes& other) {
    std::map<std::uint32_t, std::int64_t> differences;  // by size: its number in one minus in other
    for (std::uint32_t size : one) ++differences[size];
    for (std::uint32_t size : other) --differences[size];
    std::map<std::uint32_t, std::int64_t> exponents;  // by prime: in the quotient of the products
    for (const auto& [size, times] : differences) {
        std::uint32_t remaining = size < 2 || times == 0 ? 1 : size;
        for (std::uint32_t prime = 2; remaining > 1; ++prime) {
            // If no smaller factor is left, `remaining` is prime.
            if (prime * std::uint64_t{prime} > remaining) prime = remaining;
            for (; remaining % prime == 0; remaining /= prime)
                exponents[prime] += times * std::int64_t{size};
        }
    }
    // A common divisor of the exponents does not change the order.
    std::int64_t common = 0;
    for (const auto& [prime, exponent] : exponents) common = std::gcd(common, exponent);
    if (common == 0) return 0;  // all exponents are 0
    Natural numerator{1};
    Natural denominator{1};
    for (const auto& [prime, exponent] : exponents)
        for (std::int64_t times = std::abs(exponent) / common; times > 0; --times)
            multiply(exponent > 0 ? numerator : denominator, prime);
    if (numerator.size() != denominator.size())
        return numerator.size() < denominator.size() ? -1 : 1;
    // They differ, because they have no common prime.
    return is_less(numerator, denominator) ? -1 : 1;
}

}  // namespace mmsat::strategy
