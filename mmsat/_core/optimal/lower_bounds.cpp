// Lower bounds on totals by the number of codes (lower_bounds.hpp). A class consists of the codes
// with the same answer to a guess. The class limits bound the number of classes of a guess.
#include "optimal/lower_bounds.hpp"

#include <algorithm>

namespace mmsat::optimal {

namespace {

// The greatest convex function that is nowhere above the minimum totals of 1 to n codes. It is
// extended as n grows.
class Hull {
public:
    void add(std::int64_t codes, std::int64_t total) {
        while (corners_.size() >= 2) {
            const auto& [x1, y1] = corners_[corners_.size() - 2];
            const auto& [x2, y2] = corners_.back();
            if ((y2 - y1) * (codes - x1) < (total - y1) * (x2 - x1)) break;
            corners_.pop_back();
        }
        corners_.push_back({codes, total});
    }

    // Return a lower bound on the sum of the totals of `classes` classes with `codes` codes in all.
    // With fewer codes than classes, the remaining classes are empty; otherwise no class is empty.
    // Returns -1 if a class is larger than the hull covers.
    std::int64_t min_sum(std::int64_t codes, std::int64_t classes) const {
        classes = std::min(classes, codes);
        if (codes == 0) return 0;
        const std::int64_t size = codes / classes;
        const std::int64_t num_larger = codes % classes;
        if (size + (num_larger > 0) > corners_.back().first) return -1;
        // The heights are rounded down, so their sum is still a lower bound. It is rounded up,
        // because totals are whole.
        std::int64_t sum = (classes - num_larger) * height(size);
        if (num_larger) sum += num_larger * height(size + 1);
        return (sum + kUnit - 1) / kUnit;
    }

private:
    static constexpr std::int64_t kUnit = 1 << 20;

    // Return the height of the hull in units of 1 / kUnit, rounded down.
    std::int64_t height(std::int64_t codes) const {
        const auto right = std::lower_bound(
            corners_.begin(), corners_.end(), codes,
            [](const auto& corner, std::int64_t value) { return corner.first < value; });
        if (right->first == codes) return right->second * kUnit;
        const auto left = right - 1;
        return left->second * kUnit + (right->second - left->second) * kUnit *
                                          (codes - left->first) / (right->first - left->first);
    }

    std::vector<std::pair<std::int64_t, std::int64_t>> corners_;
};

}  // namespace

LowerBoundTable::LowerBoundTable(std::size_t num_codes, int num_answers, int max_guesses)
    : num_codes_(num_codes),
      num_answers_(num_answers),
      table_(static_cast<std::size_t>((max_guesses + 1) * (num_answers + 1) * (num_answers + 1))) {
    for (auto& entry : table_) entry.store(nullptr, std::memory_order_relaxed);
}

const LowerBounds& LowerBoundTable::get(int max_guesses, ClassLimits limits) {
    const auto num_limits = num_answers_ + 1;
    auto& entry = table_[static_cast<std::size_t>(
        (max_guesses * num_limits + limits.member) * num_limits + limits.other)];
    if (LowerBounds* stored = entry.load(std::memory_order_acquire)) return *stored;
    const std::lock_guard lock(mutex_);
    if (LowerBounds* stored = entry.load(std::memory_order_acquire)) return *stored;
    stored_.push_back(make(max_guesses, limits));
    entry.store(stored_.back().get(), std::memory_order_release);
    return *entry.load();
}

// A guess costs n codes n guesses plus the totals of its classes. Their sum is smallest if the
// class sizes are as equal as possible, because the hull of the totals is convex.
std::unique_ptr<LowerBounds> LowerBoundTable::make(int max_guesses, ClassLimits limits) {
    auto bounds = std::make_unique<LowerBounds>();
    auto& total = bounds->total;
    total.assign(num_codes_ + 1, kImpossible);
    total[0] = 0;
    total[1] = 1;
    Hull hull;
    const bool is_limited = max_guesses > 0;
    if (is_limited && max_guesses > 1) {
        const LowerBounds& next = get(max_guesses - 1, limits);
        for (std::size_t n = 1; n <= next.max_size; ++n)
            hull.add(static_cast<std::int64_t>(n), next.total[n]);
    }
    if (!is_limited) hull.add(1, 1);
    for (std::size_t size = 2; size <= num_codes_; ++size) {
        const auto n = static_cast<std::int64_t>(size);
        if (is_limited && max_guesses == 1) break;
        std::int64_t best = kImpossible;
        // A guess in the set wins against one code and leaves n - 1 codes for its other classes.
        // Any other guess has no win among its classes.
        if (limits.member >= 2) {
            const auto classes_total = hull.min_sum(n - 1, limits.member - 1);
            if (classes_total >= 0) best = std::min(best, n + classes_total);
        }
        if (limits.other >= 2) {
            const auto classes_total = hull.min_sum(n, std::min(limits.other, num_answers_ - 1));
            if (classes_total >= 0) best = std::min(best, n + classes_total);
        }
        if (best >= kImpossible) break;
        total[size] = static_cast<Total>(best);
        if (!is_limited) hull.add(n, best);
    }
    bounds->max_size = num_codes_;
    while (bounds->max_size > 0 && total[bounds->max_size] >= kImpossible) --bounds->max_size;
    // The bends are the second differences (LowerBounds::Bend).
    for (std::size_t n = 2; n < bounds->max_size; ++n) {
        const auto change = (total[n + 1] - total[n]) - (total[n] - total[n - 1]);
        if (change != 0) bounds->bends.push_back({static_cast<std::int32_t>(n), change});
    }
    return bounds;
}

}  // namespace mmsat::optimal
