#include "optimal/floors.hpp"

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
        const std::int64_t each = codes / classes;
        const std::int64_t larger = codes % classes;
        if (each + (larger > 0) > corners_.back().first) return -1;
        // Heights are rounded down, and the sum is rounded up.
        std::int64_t sum = (classes - larger) * height(each);
        if (larger) sum += larger * height(each + 1);
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

Floors::Floors(std::size_t codes, int answers, int left)
    : codes_(codes),
      answers_(answers),
      table_(static_cast<std::size_t>((left + 1) * (answers + 1) * (answers + 1))) {
    for (auto& each : table_) each.store(nullptr, std::memory_order_relaxed);
}

const Floor& Floors::of(int left, Reach reach) {
    const auto side = answers_ + 1;
    auto& place =
        table_[static_cast<std::size_t>((left * side + reach.member) * side + reach.other)];
    if (Floor* known = place.load(std::memory_order_acquire)) return *known;
    const std::lock_guard lock(making_);
    if (Floor* known = place.load(std::memory_order_acquire)) return *known;
    kept_.push_back(make(left, reach));
    place.store(kept_.back().get(), std::memory_order_release);
    return *place.load();
}

// The minimum total for n codes is at least n plus the sum of the totals of the classes, whose
// sizes are as equal as possible by convexity.
std::unique_ptr<Floor> Floors::make(int left, Reach reach) {
    auto floor = std::make_unique<Floor>();
    auto& least = floor->least;
    least.assign(codes_ + 1, kImpossible);
    least[0] = 0;
    least[1] = 1;
    Hull hull;
    const bool is_limited = left > 0;
    if (is_limited && left > 1) {
        const Floor& next = of(left - 1, reach);
        for (std::size_t n = 1; n <= next.most; ++n)
            hull.add(static_cast<std::int64_t>(n), next.least[n]);
    }
    if (!is_limited) hull.add(1, 1);
    for (std::size_t size = 2; size <= codes_; ++size) {
        const auto n = static_cast<std::int64_t>(size);
        if (is_limited && left == 1) break;
        std::int64_t best = kImpossible;
        if (reach.member >= 2) {
            const auto rest = hull.shared(n - 1, reach.member - 1);
            if (rest >= 0) best = std::min(best, n + rest);
        }
        if (reach.other >= 2) {
            const auto rest = hull.shared(n, std::min(reach.other, answers_ - 1));
            if (rest >= 0) best = std::min(best, n + rest);
        }
        if (best >= kImpossible) break;
        least[size] = static_cast<Total>(best);
        if (!is_limited) hull.add(n, best);
    }
    floor->most = codes_;
    while (floor->most > 0 && least[floor->most] >= kImpossible) --floor->most;
    for (std::size_t n = 2; n < floor->most; ++n) {
        const auto bend = (least[n + 1] - least[n]) - (least[n] - least[n - 1]);
        if (bend != 0) floor->bends.push_back({static_cast<std::int32_t>(n), bend});
    }
    return floor;
}

}  // namespace mmsat::optimal
