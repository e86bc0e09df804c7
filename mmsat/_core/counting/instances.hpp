// Selection of a compiled template instance by the number of words of a key, which has the open
// sums (sums.hpp), and the number of words of a number of codes.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <type_traits>

#include "counting/histograms.hpp"
#include "counting/layout.hpp"
#include "counting/lists.hpp"
#include "counting/sums.hpp"

namespace mmsat::counting {

// A size that is known at compile time.
template <int N>
using Size = std::integral_constant<int, N>;

// Return the number of words that the sums of a layout need. Throws overflow_error if it is above
// Sums::kWords.
inline std::size_t key_words(const Layout& layout) {
    Budget unlimited(static_cast<std::size_t>(-1));
    const Histograms histograms(layout, unlimited);
    return Sums(layout, histograms).num_words();
}

// Return the number of words for numbers of up to `bits` bits, with at least one spare bit.
inline std::size_t number_words(std::size_t bits) {
    const std::size_t words = bits / kWordBits + 1;
    if (words > kMaxWords) throw std::overflow_error("the number of codes does not fit");
    return words;
}

// Call the function with the smallest compiled key size that is large enough.
template <class Function>
void with_key_size(std::size_t num_key_words, const Function& function) {
    if (num_key_words <= 1) return function(Size<1>());
    if (num_key_words <= 2) return function(Size<2>());
    return function(Size<4>());
}

// Call the function with the smallest compiled sizes of keys and numbers that are large enough.
template <class Function>
void with_sizes(std::size_t num_key_words, std::size_t num_words, const Function& function) {
    with_key_size(num_key_words, [&](auto key_size) {
        if (num_words <= 1) return function(key_size, Size<1>());
        if (num_words <= 2) return function(key_size, Size<2>());
        return function(key_size, Size<kAny>());
    });
}

}  // namespace mmsat::counting
