// Sorted lists of keys with the number of ways to reach each of them, and addition of such lists.
//
// A key has the sums of all open constraints (sums.hpp), packed into K words. Numbers of ways have
// W words, lowest word first. With W = 0 no numbers of ways are stored. None of the classes is
// thread-safe.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "counting/layout.hpp"
#include "counting/packed.hpp"
#include "multiword.hpp"

namespace mmsat::counting {

// Value of the template parameter W if the number of words is known only at run time.
constexpr int kAny = -1;
constexpr std::size_t kMaxWords = 64;  // of a number, if W is kAny

// Number of words of a number: W, or a run-time value if W is kAny.
template <int W>
struct Width {
    explicit Width(std::size_t) {}
    constexpr operator std::size_t() const { return W; }
    static constexpr std::size_t max_words = W;
};
template <>
struct Width<kAny> {
    explicit Width(std::size_t num_words) : words(num_words) {}
    operator std::size_t() const { return words; }
    static constexpr std::size_t max_words = kMaxWords;
    std::size_t words;
};

// Allocates memory in large pieces, which are charged to the budget and freed together. `budget`
// must outlive the arena.
template <class T>
class Arena {
public:
    explicit Arena(Budget& budget) : budget_(&budget) {}
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;
    ~Arena() { clear(); }

    // Return uninitialized storage for `count` objects. It is valid until clear() or until the
    // arena is destroyed.
    T* take(std::size_t count) {
        if (count > num_free_) {
            const std::size_t size = std::max(count, kPieceSize);
            budget_->take(size * sizeof(T));
            bytes_ += size * sizeof(T);
            pieces_.emplace_back(new T[size]);
            free_ = pieces_.back().get();
            num_free_ = size;
        }
        T* const storage = free_;
        free_ += count;
        num_free_ -= count;
        return storage;
    }
    void clear() {
        pieces_.clear();
        budget_->give_back(bytes_);
        bytes_ = num_free_ = 0;
    }
    // Exchange all memory with an arena of the same budget. Pointers stay valid.
    void swap(Arena& other) {
        pieces_.swap(other.pieces_);
        std::swap(free_, other.free_);
        std::swap(num_free_, other.num_free_);
        std::swap(bytes_, other.bytes_);
    }

private:
    static constexpr std::size_t kPieceSize = std::size_t{1} << 14;
    Budget* budget_;
    std::vector<std::unique_ptr<T[]>> pieces_;
    T* free_ = nullptr;
    std::size_t num_free_ = 0;
    std::size_t bytes_ = 0;
};

// Keys in increasing order, with their numbers of ways. The pointers refer to the arenas of the
// Lists object that created the list.
template <int K>
struct List {
    Packed<K>* keys = nullptr;
    Word* ways = nullptr;
    std::size_t size = 0;
};

// The lists of the nodes of one layer.
template <int K, int W>
class Lists {
public:
    explicit Lists(Budget& budget, Width<W> words = Width<W>(0))
        : words_(words), keys_(budget), ways_(budget) {}

    // Replace all lists by empty lists for `num_nodes` nodes.
    void start(std::size_t num_nodes) {
        clear();
        lists_.resize(num_nodes);
    }
    void clear() {
        keys_.clear();
        ways_.clear();
        std::vector<List<K>>().swap(lists_);
        size_ = 0;
    }
    void swap(Lists& other) {
        keys_.swap(other.keys_);
        ways_.swap(other.ways_);
        lists_.swap(other.lists_);
        std::swap(size_, other.size_);
    }
    // Store a copy of a list at a node.
    void put(std::size_t node, const Packed<K>* keys, const Word* ways, std::size_t size) {
        List<K>& list = lists_[node];
        list.size = size;
        list.keys = keys_.take(size);
        std::copy(keys, keys + size, list.keys);
        if constexpr (W != 0) {
            list.ways = ways_.take(size * words_);
            std::copy(ways, ways + size * words_, list.ways);
        }
        size_ += size;
    }
    const List<K>& operator[](std::size_t node) const { return lists_[node]; }
    List<K>& operator[](std::size_t node) { return lists_[node]; }
    std::size_t num_nodes() const { return lists_.size(); }
    std::size_t size() const { return size_; }  // number of entries of all lists

private:
    Width<W> words_;
    Arena<Packed<K>> keys_;
    Arena<Word> ways_;
    std::vector<List<K>> lists_;
    std::size_t size_ = 0;
};

// Return the indices of the keys, sorted by key.
template <int K>
std::vector<std::size_t> order_of(const Packed<K>* keys, std::size_t size) {
    std::vector<std::size_t> order(size);
    for (std::size_t i = 0; i < size; ++i) order[i] = i;
    std::sort(order.begin(), order.end(),
              [keys](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
    return order;
}

// Adds lists: the sum has each key of any of them, with the total number of ways. push() and
// end_list() append the lists one after the other. Then merge() merges pairs of neighboring lists
// until one list remains. `budget` must outlive the object. The pointers of keys() and ways() are
// valid until the next call of start(), reserve(), merge() or sort().
template <int K, int W>
class Adder {
public:
    using Key = Packed<K>;

    explicit Adder(Budget& budget, Width<W> words = Width<W>(0))
        : words_(words), budget_(&budget) {}
    Adder(const Adder&) = delete;
    Adder& operator=(const Adder&) = delete;
    ~Adder() { budget_->give_back(bytes_); }

    // Remove all entries and lists.
    void start() {
        size_ = 0;
        list_bounds_.assign(1, 0);
    }

    // Allocate space for `num_entries` more entries.
    void reserve(std::size_t num_entries) {
        const std::size_t needed_size = size_ + num_entries;
        if (keys_.size() < needed_size) {
            const std::size_t new_size = std::max(needed_size, keys_.size() + keys_.size() / 2);
            charge(new_size - keys_.size());
            keys_.resize(new_size);
            ways_.resize(new_size * words_);
        }
    }
    // Append an entry with `factor` times the number of ways. Its space must be reserved.
    void push(const Key& key, const Word* ways, Word factor) {
        keys_[size_] = key;
        if constexpr (W != 0) {
            Word* const target = &ways_[size_ * words_];
            std::fill(target, target + words_, 0);
            add_times(target, ways, factor, words_);
        }
        ++size_;
    }
    // Mark the end of a sorted list.
    void end_list() {
        if (list_bounds_.back() != size_) list_bounds_.push_back(size_);
    }

    // Merge all lists into one; equal keys become one entry.
    void merge() {
        while (list_bounds_.size() > 2) merge_pairs();
    }

    // Sort all entries and merge equal keys. The lists need not be sorted.
    void sort() {
        const std::vector<std::size_t> order = order_of(keys_.data(), size_);
        grow_other();
        std::size_t out = 0;
        for (std::size_t index : order) {
            if (out > 0 && other_keys_[out - 1] == keys_[index]) {
                if constexpr (W != 0)
                    add(&other_ways_[(out - 1) * words_], &ways_[index * words_], words_);
                continue;
            }
            copy(index, out++);
        }
        swap_buffers(out);
        list_bounds_.assign({0, out});
    }

    const Key* keys() const { return keys_.data(); }
    const Word* ways() const { return ways_.data(); }
    std::size_t size() const { return size_; }

private:
    // Make the second buffer as large as the first.
    void grow_other() {
        if (other_keys_.size() < keys_.size()) {
            charge(keys_.size() - other_keys_.size());
            other_keys_.resize(keys_.size());
            other_ways_.resize(ways_.size());
        }
    }
    // Charge the budget for this number of entries.
    void charge(std::size_t num_entries) {
        const std::size_t bytes = num_entries * (sizeof(Key) + words_ * sizeof(Word));
        budget_->take(bytes);
        bytes_ += bytes;
    }
    // Exchange the two buffers; the new first one has `size` entries.
    void swap_buffers(std::size_t size) {
        keys_.swap(other_keys_);
        ways_.swap(other_ways_);
        size_ = size;
    }
    // Copy an entry of the first buffer to the second.
    void copy(std::size_t from, std::size_t to) {
        other_keys_[to] = keys_[from];
        for (std::size_t i = 0; i < words_; ++i)
            other_ways_[to * words_ + i] = ways_[from * words_ + i];
    }
    void copy_all(std::size_t from, std::size_t end, std::size_t to) {
        std::copy(keys_.begin() + from, keys_.begin() + end, other_keys_.begin() + to);
        std::copy(ways_.begin() + from * words_, ways_.begin() + end * words_,
                  other_ways_.begin() + to * words_);
    }

    // Merge neighboring pairs of lists. If their number is odd, the last list is copied.
    void merge_pairs() {
        grow_other();
        new_list_bounds_.assign(1, 0);
        std::size_t out = 0;
        for (std::size_t i = 0; i + 1 < list_bounds_.size(); i += 2) {
            std::size_t a = list_bounds_[i];
            const std::size_t a_end = list_bounds_[i + 1];
            if (i + 2 == list_bounds_.size()) {
                copy_all(a, a_end, out);
                out += a_end - a;
            } else {
                std::size_t b = a_end;
                const std::size_t b_end = list_bounds_[i + 2];
                while (a < a_end && b < b_end) {
                    const bool is_less = keys_[a] < keys_[b];
                    const bool is_equal = keys_[a] == keys_[b];
                    copy(is_less ? a : b, out);
                    if (is_equal) {
                        if constexpr (W != 0)
                            add(&other_ways_[out * words_], &ways_[a * words_], words_);
                    }
                    // Equal keys advance both lists. The sums avoid unpredictable branches.
                    a += is_less | is_equal;
                    b += !is_less;
                    ++out;
                }
                copy_all(a, a_end, out);
                out += a_end - a;
                copy_all(b, b_end, out);
                out += b_end - b;
            }
            new_list_bounds_.push_back(out);
        }
        list_bounds_.swap(new_list_bounds_);
        swap_buffers(out);
    }

    Width<W> words_;
    std::vector<Key> keys_, other_keys_;
    std::vector<Word> ways_, other_ways_;
    // List i has the entries list_bounds_[i] to list_bounds_[i + 1] - 1.
    std::vector<std::size_t> list_bounds_{0}, new_list_bounds_;
    std::size_t size_ = 0;
    Budget* budget_;
    std::size_t bytes_ = 0;
};

}  // namespace mmsat::counting
