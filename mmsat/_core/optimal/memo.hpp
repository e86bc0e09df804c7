// What is known of sets of codes: a table of fixed size that threads share without locks.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <optional>

#include "optimal/exchanges.hpp"

namespace mmsat::optimal {

struct Known {
    std::int32_t total = 0;  // the least total, or no more than it
    bool is_exact = false;
};

// An entry is two words, the first of which is the key mixed with the second: a reader that meets
// an entry half written takes it for another key's. The other half of the key is the place.
class Memo {
public:
    explicit Memo(int bits)
        : mask_((std::size_t{1} << bits) - 1),
          entries_(static_cast<Entry*>(std::calloc(mask_ + 1, sizeof(Entry)))) {
        if (!entries_) throw std::bad_alloc();
    }

    std::optional<Known> find(Key key) const {
        const Entry* const entries = bucket(key);
        for (std::size_t each = 0; each < kWidth; ++each) {
            const std::uint64_t value = entries[each].value.load(std::memory_order_relaxed);
            const std::uint64_t mixed = entries[each].mixed.load(std::memory_order_relaxed);
            if (value != 0 && (mixed ^ value) == key.first) return unpack(value);
        }
        return std::nullopt;
    }

    // Work says what is lost if another entry takes the place.
    void put(Key key, Known known, std::uint64_t work) {
        Entry* const entries = bucket(key);
        std::size_t chosen = 0;
        std::uint64_t least = ~std::uint64_t{0};
        for (std::size_t each = 0; each < kWidth; ++each) {
            const std::uint64_t value = entries[each].value.load(std::memory_order_relaxed);
            const std::uint64_t mixed = entries[each].mixed.load(std::memory_order_relaxed);
            if (value == 0 || (mixed ^ value) == key.first) {
                if (value != 0) {
                    const Known old = unpack(value);
                    if (old.is_exact || (!known.is_exact && old.total >= known.total)) return;
                }
                chosen = each;
                break;
            }
            if ((value >> 32 & kWorkMask) < least) {
                least = value >> 32 & kWorkMask;
                chosen = each;
            }
        }
        int size = 1;  // the logarithm of the work, and never 0
        while (size < 60 && (work >> size) != 0) ++size;
        const std::uint64_t value = static_cast<std::uint32_t>(known.total) |
                                    static_cast<std::uint64_t>(size) << 32 |
                                    static_cast<std::uint64_t>(known.is_exact) << 63;
        entries[chosen].mixed.store(key.first ^ value, std::memory_order_relaxed);
        entries[chosen].value.store(value, std::memory_order_relaxed);
    }

private:
    struct Entry {
        std::atomic<std::uint64_t> mixed;
        std::atomic<std::uint64_t> value;
    };
    struct Free {
        void operator()(Entry* entries) const { std::free(entries); }
    };
    static constexpr std::size_t kWidth = 4;
    static constexpr std::uint64_t kWorkMask = 255;

    static Known unpack(std::uint64_t value) {
        return {static_cast<std::int32_t>(value & 0xFFFFFFFFu), value >> 63 != 0};
    }
    Entry* bucket(Key key) const { return entries_.get() + (key.second & mask_ & ~(kWidth - 1)); }

    std::size_t mask_;
    std::unique_ptr<Entry[], Free> entries_;
};

}  // namespace mmsat::optimal
