#include "strategy/keys.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace mmsat::strategy {

constexpr double kLargestSum = 4e18;  // below 2 ** 62
// Relative error bound of a product with a logarithm in double.
constexpr std::int64_t kPrecision = std::int64_t{1} << 48;

Logs::Logs(std::size_t most) : table_(std::max<std::size_t>(most, 2) + 1, 0) {
    const double whole = static_cast<double>(table_.size());
    unit_ = std::exp2(std::floor(std::log2(kLargestSum / (whole * std::log2(whole)))));
    unit_ = std::min(unit_, std::exp2(32));
    for (std::size_t size = 2; size < table_.size(); ++size) {
        const double n = static_cast<double>(size);
        table_[size] = std::llround(n * std::log2(n) * unit_);
    }
}

std::int64_t Logs::uncertainty(std::int64_t sum, std::size_t terms) const {
    return sum / kPrecision + 2 * static_cast<std::int64_t>(terms) + 2;
}

std::size_t Logs::min_parts(std::int64_t sum, std::size_t size) const {
    // By convexity, k parts have a sum of at least n log2(n / k). One part less is required, to
    // allow for rounding.
    const double n = static_cast<double>(size);
    const double least = n * std::exp2(-static_cast<double>(sum) / unit_ / n);
    return least < 2 ? 1 : static_cast<std::size_t>(least) - 1;
}

namespace {

using Natural = std::vector<std::uint32_t>;  // digits in base 2**32, least significant first

void multiply(Natural& number, std::uint32_t factor) {
    std::uint64_t carry = 0;
    for (std::uint32_t& digit : number) {
        carry += std::uint64_t{digit} * factor;
        digit = static_cast<std::uint32_t>(carry);
        carry >>= 32;
    }
    if (carry) number.push_back(static_cast<std::uint32_t>(carry));
}

}  // namespace

// Factor the sizes into primes and cancel common powers, then compare the remaining products as
// natural numbers.
int compare_powers(const Sizes& one, const Sizes& other) {
    std::map<std::uint32_t, std::int64_t> balance;  // exponents by size, then by prime
    for (std::uint32_t size : one) ++balance[size];
    for (std::uint32_t size : other) --balance[size];
    std::map<std::uint32_t, std::int64_t> powers;
    for (const auto& [size, times] : balance) {
        std::uint32_t left = size < 2 || times == 0 ? 1 : size;
        for (std::uint32_t prime = 2; left > 1; ++prime) {
            if (prime * std::uint64_t{prime} > left) prime = left;
            for (; left % prime == 0; left /= prime) powers[prime] += times * std::int64_t{size};
        }
    }
    std::int64_t common = 0;
    for (const auto& [prime, power] : powers) common = std::gcd(common, power);
    if (common == 0) return 0;  // all exponents are 0
    Natural more{1};
    Natural less{1};
    for (const auto& [prime, power] : powers)
        for (std::int64_t times = std::abs(power) / common; times > 0; --times)
            multiply(power > 0 ? more : less, prime);
    if (more.size() != less.size()) return more.size() < less.size() ? -1 : 1;
    for (std::size_t digit = more.size(); digit-- > 0;)
        if (more[digit] != less[digit]) return more[digit] < less[digit] ? -1 : 1;
    return 0;
}

}  // namespace mmsat::strategy
