#include "optimal/lower_bounds.hpp"

#include <algorithm>

namespace mmsat::optimal {

namespace {

// The greatest convex function below the minimum totals of 1 to n codes, extended as n grows. For a
// convex function equal class sizes have the smallest sum.
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

    // Lower bound on the sum of the totals of `codes` codes in `classes` classes, none of which is
    // empty if there are enough codes. Returns -1 if the hull does not cover such sizes.
    std::int64_t shared(std::int64_t codes, std::int64_t classes) const {
        classes = std::min(classes, codes);
        if (codes == 0) return 0;
        const std::int64_t size = codes / classes;
        const std::int64_t larger = codes % classes;
        if (size + (larger > 0) > corners_.back().first) return -1;
        // Heights are rounded down, and the sum is rounded up.
        std::int64_t sum = (classes - larger) * height(size);
        if (larger) sum += larger * height(size + 1);
        return (sum + kUnit - 1) / kUnit;
    }

private:
    static constexpr std::int64_t kUnit = 1 << 20;

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

LowerBoundTable::LowerBoundTable(std::size_t codes, int answers, int guesses_left)
    : codes_(codes),
      answers_(answers),
      table_(static_cast<std::size_t>((guesses_left + 1) * (answers + 1) * (answers + 1))) {
    for (auto& entry : table_) entry.store(nullptr, std::memory_order_relaxed);
}

const LowerBounds& LowerBoundTable::of(int guesses_left, ClassLimits limits) {
    const auto side = answers_ + 1;
    auto& place = table_[static_cast<std::size_t>((guesses_left * side + limits.member) * side +
                                                  limits.other)];
    if (LowerBounds* known = place.load(std::memory_order_acquire)) return *known;
    const std::lock_guard lock(making_);
    if (LowerBounds* known = place.load(std::memory_order_acquire)) return *known;
    kept_.push_back(make(guesses_left, limits));
    place.store(kept_.back().get(), std::memory_order_release);
    return *place.load();
}

// The minimum total for n codes is at total n plus the sum of the totals of the classes, whose
// sizes are as equal as possible by convexity.
std::unique_ptr<LowerBounds> LowerBoundTable::make(int guesses_left, ClassLimits limits) {
    auto bounds = std::make_unique<LowerBounds>();
    auto& total = bounds->total;
    total.assign(codes_ + 1, kImpossible);
    total[0] = 0;
    total[1] = 1;
    Hull hull;
    const bool is_limited = guesses_left > 0;
    if (is_limited && guesses_left > 1) {
        const LowerBounds& next = of(guesses_left - 1, limits);
        for (std::size_t n = 1; n <= next.max_size; ++n)
            hull.add(static_cast<std::int64_t>(n), next.total[n]);
    }
    if (!is_limited) hull.add(1, 1);
    for (std::size_t size = 2; size <= codes_; ++size) {
        const auto n = static_cast<std::int64_t>(size);
        if (is_limited && guesses_left == 1) break;
        std::int64_t best = kImpossible;
        if (limits.member >= 2) {
            const auto rest = hull.shared(n - 1, limits.member - 1);
            if (rest >= 0) best = std::min(best, n + rest);
        }
        if (limits.other >= 2) {
            const auto rest = hull.shared(n, std::min(limits.other, answers_ - 1));
            if (rest >= 0) best = std::min(best, n + rest);
        }
        if (best >= kImpossible) break;
        total[size] = static_cast<Total>(best);
        if (!is_limited) hull.add(n, best);
    }
    bounds->max_size = codes_;
    while (bounds->max_size > 0 && total[bounds->max_size] >= kImpossible) --bounds->max_size;
    for (std::size_t n = 2; n < bounds->max_size; ++n) {
        const auto bend = (total[n + 1] - total[n]) - (total[n] - total[n - 1]);
        if (bend != 0) bounds->bends.push_back({static_cast<std::int32_t>(n), bend});
    }
    return bounds;
}

}  // namespace mmsat::optimal
