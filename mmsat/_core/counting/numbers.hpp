// Which sizes of keys and of numbers the kernels are compiled for.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <type_traits>

#include "histograms.hpp"
#include "layout.hpp"
#include "sums.hpp"

namespace mmsat {

template <int N>
using Size = std::integral_constant<int, N>;

// The words that the sums of a layout need; throws overflow_error where they are too many.
inline std::size_t key_words(const Layout& layout) {
    Budget none(static_cast<std::size_t>(-1));
    const Histograms histograms(layout, none);
    return Sums(layout, histograms).words();
}

// The words of a number of so many bits, with one to spare.
inline std::size_t number_words(std::size_t bits) {
    return bits / WORD_BITS + 1;
}

// Calls the function with the smallest compiled sizes that are enough.
template <class Function>
void with_sizes(std::size_t keys, std::size_t words, const Function& function) {
    const auto with_key = [&](auto key) {
        if (words <= 1) return function(key, Size<1>());
        if (words <= 2) return function(key, Size<2>());
        if (words <= 4) return function(key, Size<4>());
        if (words <= 16) return function(key, Size<16>());
        if (words <= 64) return function(key, Size<64>());
        throw std::overflow_error("the number of codes does not fit");
    };
    if (keys <= 1) return with_key(Size<1>());
    if (keys <= 2) return with_key(Size<2>());
    return with_key(Size<4>());
}

}  // namespace mmsat
