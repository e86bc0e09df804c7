// Arrays of floats that start at a cache line, so that fewer vector loads cross the boundary of a
// line.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace mmsat::lattice {

// Allocator of such arrays.
template <class Number>
struct Aligned {
    using value_type = Number;
    static constexpr std::align_val_t kLine{64};

    Aligned() = default;
    template <class Other>
    Aligned(const Aligned<Other>&) {}  // the allocator has no state

    Number* allocate(std::size_t count) {
        return static_cast<Number*>(::operator new(count * sizeof(Number), kLine));
    }
    void deallocate(Number* numbers, std::size_t) { ::operator delete(numbers, kLine); }

    template <class Other>
    bool operator==(const Aligned<Other>&) const {
        return true;
    }
    template <class Other>
    bool operator!=(const Aligned<Other>&) const {
        return false;
    }
};

using Floats = std::vector<float, Aligned<float>>;

}  // namespace mmsat::lattice
