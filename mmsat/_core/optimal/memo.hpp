// Memo of the known totals of sets of codes. Its size is fixed, and threads may share it.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <new>
#include <optional>

#include "optimal/canonicalizer.hpp"

namespace mmsat::optimal {

// Known total of a set.
struct Known {
    std::int32_t total = 0;  // the minimum total, or a lower bound on it
    bool is_exact = false;
};

// The sets themselves are not stored. The low bits of a key choose a bucket, and the 92 bits of
// its tag are compared with those of the entries in the bucket: two sets are confused if their
// tags are equal, with probability 2**-92 per comparison (see Key).
class Memo {
public:
    static constexpr std::size_t kBucketEntries = 4;  // one cache line

    // If the memo is shared, find() and put() may be called by several threads; each bucket is
    // locked during a call.
    Memo(int bits, bool is_shared)
        : is_shared_(is_shared),
          mask_((std::size_t{1} << bits) - 1),
          entries_(static_cast<Entry*>(std::calloc(mask_ + 1, sizeof(Entry)))) {
        if (!entries_) throw std::bad_alloc();
    }

    std::optional<Known> find(Key key) const {
        const std::unique_lock lock = lock_bucket(key);
        const Entry* const entries = bucket(key);
        for (std::size_t i = 0; i < kBucketEntries; ++i)
            if (entries[i].is_used() && entries[i].has_tag(key)) return entries[i].known();
        return std::nullopt;
    }

    // Store a total unless the memo has a better one. If the bucket is full, the entry with the
    // least work is replaced.
    void put(Key key, Known known, std::uint64_t work) {
        assert(known.total >= 0 && static_cast<std::uint64_t>(known.total) <= kTotalMask);
        const std::unique_lock lock = lock_bucket(key);
        Entry* const entries = bucket(key);
        Entry* target = entries;
        for (std::size_t i = 0; i < kBucketEntries; ++i) {
            if (!entries[i].is_used() || entries[i].has_tag(key)) {
                target = entries + i;
                if (target->is_used()) {
                    const Known stored = target->known();
                    if (stored.is_exact || (!known.is_exact && stored.total >= known.total)) return;
                }
                break;
            }
            if (entries[i].log_work < target->log_work) target = entries + i;
        }
        unsigned log_work = 1;
        while (log_work < 60 && (work >> log_work) != 0) ++log_work;
        target->first = key.first;
        const std::uint64_t second_tag = key.second >> Key::kPlaceBits;
        target->second_tag = second_tag & kSecondTagMask;
        target->total = static_cast<std::uint64_t>(known.total) & kTotalMask;
        target->log_work = log_work & 63u;
        target->is_exact = known.is_exact;
    }

private:
    // Totals are at most 2**28.
    static constexpr std::uint64_t kTotalMask = (std::uint64_t{1} << 29) - 1;
    static constexpr std::uint64_t kSecondTagMask = (std::uint64_t{1} << 28) - 1;

    struct Entry {
        std::uint64_t first;
        std::uint64_t second_tag : 28;
        std::uint64_t total : 29;
        std::uint64_t log_work : 6;  // 0 only if the entry is not used
        std::uint64_t is_exact : 1;

        bool is_used() const { return log_work != 0; }
        bool has_tag(Key key) const {
            return first == key.first && second_tag == key.second >> Key::kPlaceBits;
        }
        Known known() const { return {static_cast<std::int32_t>(total), is_exact != 0}; }
    };
    static_assert(sizeof(Entry) == 16 && Key::kPlaceBits == 64 - 28);

    struct FreeEntries {
        void operator()(Entry* entries) const { std::free(entries); }
    };

    std::size_t bucket_index(Key key) const {
        return static_cast<std::size_t>(key.second) & mask_ & ~(kBucketEntries - 1);
    }
    Entry* bucket(Key key) const { return entries_.get() + bucket_index(key); }
    std::unique_lock<std::mutex> lock_bucket(Key key) const {
        if (!is_shared_) return {};
        return std::unique_lock(mutexes_[bucket_index(key) / kBucketEntries % mutexes_.size()]);
    }

    bool is_shared_;
    std::size_t mask_;
    std::unique_ptr<Entry[], FreeEntries> entries_;
    mutable std::array<std::mutex, 256> mutexes_;
};

}  // namespace mmsat::optimal
