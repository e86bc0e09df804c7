// The Frank-Wolfe test. Its notation: w is the known part, x the mixture, and the rest is w minus
// the shadow of x.
#include "lattice/shadow.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "lattice/walk.hpp"
#include "machine.hpp"

namespace mmsat::lattice {

namespace {

constexpr double kLow = 0.4;       // fraction of the levels, from the first, that are never tested,
constexpr double kMiddle = 0.5;    // and fraction below which only some are
constexpr std::size_t kEvery = 4;  // below kMiddle: every fourth level
constexpr std::size_t kMemory = 1 << 26;  // maximum number of bytes for projections
constexpr int kSweeps = 20;               // maximum number of passes over all pegs
// Minimum fraction of the squared rest that a sweep must remove.
constexpr float kLeastGain = 0.005F;
constexpr float kNear = 5e-3F;  // squared length of a rest that is not worth a sweep
constexpr float kFlat = 1e-6F;  // squared length of a move whose shadow is negligible
// Consecutive failures per point that is skipped after a failure.
constexpr std::size_t kPatience = 8;
constexpr std::uint64_t kSweepWork = 16;  // steps of a walk that take as long as a sweep

// For each peg, move the mixture from its worst choice to its best choice with respect to the rest,
// by the optimal step, and update the rest. Returns a lower bound on the decrease of the squared
// rest.
MMSAT_CLONES float sweep(float* MMSAT_APART mix, float* MMSAT_APART rest,
                         const float* MMSAT_APART projection, const std::size_t width,
                         const std::size_t planes) {
    const std::size_t size = width * planes;
    float gain = 0;
    for (std::size_t at = 0; at < width; at += kLanes) {
        float top[kLanes];
        float bottom[kLanes];
        std::uint32_t high[kLanes];  // same width as the floats, for vectorization
        std::uint32_t low[kLanes];
        std::fill_n(top, kLanes, kNone);
        std::fill_n(bottom, kLanes, -kNone);
        std::fill_n(high, kLanes, static_cast<std::uint32_t>(at));
        std::fill_n(low, kLanes, static_cast<std::uint32_t>(at));
        for (std::size_t from = at; from < size; from += width)
            for (std::size_t lane = 0; lane < kLanes; ++lane) {
                const float each = rest[from + lane];
                const float held = mix[from + lane] > 0 ? each : -kNone;
                const auto plane = static_cast<std::uint32_t>(from);
                high[lane] = each > top[lane] ? plane : high[lane];
                top[lane] = each > top[lane] ? each : top[lane];
                low[lane] = held < bottom[lane] ? plane : low[lane];
                bottom[lane] = held < bottom[lane] ? held : bottom[lane];
            }
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
            const std::size_t best = high[lane] + lane;
            const std::size_t worst = low[lane] + lane;
            // Recomputed, because other pegs have moved.
            const float more = rest[best] - rest[worst];
            const float* const up = projection + best * size;
            const float* const down = projection + worst * size;
            const float square = up[best] - down[best] - (up[worst] - down[worst]);
            if (more <= 0 || square < kFlat) continue;
            const float step = std::min(mix[worst], more / square);
            gain += step * more;
            mix[best] += step;
            mix[worst] -= step;
            for (std::size_t each = 0; each < size; ++each)
                rest[each] -= step * (up[each] - down[each]);
        }
    }
    return gain;
}

// Scalar product of the rest with the code that maximizes it, ...
struct Gifts {
    float best;
    float mix;    // ... with the mixture, ...
    float known;  // ... and of the known part with the mixture
};

MMSAT_CLONES Gifts measure(const float* MMSAT_APART rest, const float* MMSAT_APART mix,
                           const float* MMSAT_APART known, const std::size_t width,
                           const std::size_t planes) {
    float bests[kLanes] = {};
    float rests[kLanes] = {};
    float knowns[kLanes] = {};
    for (std::size_t at = 0; at < width; at += kLanes) {
        float best[kLanes];
        std::fill_n(best, kLanes, kNone);
        for (std::size_t from = at; from < width * planes; from += width)
            for (std::size_t lane = 0; lane < kLanes; ++lane) {
                const float each = rest[from + lane];
                best[lane] = each > best[lane] ? each : best[lane];
                rests[lane] += each * mix[from + lane];
                knowns[lane] += known[from + lane] * mix[from + lane];
            }
        for (std::size_t lane = 0; lane < kLanes; ++lane) bests[lane] += best[lane];
    }
    Gifts gifts{};
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
        gifts.best += bests[lane];
        gifts.mix += rests[lane];
        gifts.known += knowns[lane];
    }
    return gifts;
}

MMSAT_CLONES float product(const float* MMSAT_APART one, const float* MMSAT_APART other,
                           const std::size_t size) {
    float sums[kLanes] = {};
    for (std::size_t at = 0; at < size; at += kLanes)
        for (std::size_t lane = 0; lane < kLanes; ++lane)
            sums[lane] += one[at + lane] * other[at + lane];
    float sum = 0;
    for (float each : sums) sum += each;
    return sum;
}

}  // namespace

Shadow::Shadow(const Terrain& terrain) {
    const Box& box = *terrain.box;
    const std::size_t levels = terrain.levels();
    const std::size_t size = box.size();
    const std::size_t most = kMemory / (size * size * sizeof(float) + 1);
    const auto share = [&](double part) {
        return static_cast<std::size_t>(part * static_cast<double>(levels));
    };
    const std::size_t lowest = std::max(share(kLow), levels - std::min(levels, most));
    projections.resize(levels);
    if (box.is_flat || lowest == levels) return;
    Vector projection;
    for (std::size_t at = 0; at < size; ++at) {
        Vector corner(size, 0);
        corner[at] = 1;
        const Vector slopes = box.slopes(corner);
        projection.insert(projection.end(), slopes.begin(), slopes.end());
    }
    for (std::size_t level = 0; level < levels; ++level) {
        if (level >= lowest && (level >= share(kMiddle) || level % kEvery == 0))
            projections[level].assign(projection.begin(), projection.end());
        const float* const vector = terrain.orthogonal.data() + level * size;
        for (std::size_t at = 0; at < size; ++at) {
            const double times = static_cast<double>(vector[at]) / terrain.squares[level];
            for (std::size_t other = 0; times != 0 && other < size; ++other)
                projection[at * size + other] -= times * static_cast<double>(vector[other]);
        }
    }
}

Approach::Approach(const Terrain& terrain)
    : terrain_(terrain),
      mixes_((terrain.levels() + 1) * terrain.box->size()),
      rests_(mixes_.size()),
      is_made_(terrain.levels() + 1),
      failures_(terrain.levels()),
      left_out_(terrain.levels()) {
    const Box& box = *terrain.box;
    const std::size_t top = terrain.levels() * box.size();
    for (std::size_t peg = 0; peg < box.pegs(); ++peg)
        for (std::size_t plane = 0; plane < box.planes_of(peg); ++plane)
            mixes_[top + box.cell(peg, plane)] = 1 / static_cast<float>(box.choices[peg]);
    std::copy(terrain.first.begin(), terrain.first.end(),
              rests_.begin() + static_cast<std::ptrdiff_t>(top));
    is_made_.back() = true;
}

bool Approach::is_apart(std::size_t level, const float* known, double square,
                        const double* offsets) {
    if (terrain_.shadow.projections[level].empty()) return false;
    is_made_[level] = left_out_[level] == 0;
    if (!is_made_[level]) {
        --left_out_[level];
        return false;
    }
    std::size_t from = level + 1;
    while (!is_made_[from]) ++from;
    const std::size_t size = terrain_.box->size();
    float* const mix = mixes_.data() + level * size;
    float* const rest = rests_.data() + level * size;
    std::copy_n(mixes_.data() + from * size, size, mix);
    std::copy_n(rests_.data() + from * size, size, rest);
    // The shadow of this level has one dimension more than that of the level above.
    while (from-- > level) {
        const float* const vector = terrain_.orthogonal.data() + from * size;
        const double along = static_cast<double>(product(vector, mix, size));
        const auto times = static_cast<float>(offsets[from] - along / terrain_.squares[from]);
        for (std::size_t at = 0; at < size; ++at) rest[at] += times * vector[at];
    }
    const bool is_apart = approach(level, known, square);
    failures_[level] = is_apart ? 0 : failures_[level] + 1;
    left_out_[level] = failures_[level] / kPatience;
    return is_apart;
}

// With the notation above, `own` is rest.w and `left` is |rest|^2. If rest.v < rest.w for all codes
// v, then the rest separates w from the box.
bool Approach::approach(std::size_t level, const float* known, double square) {
    const Box& box = *terrain_.box;
    float* const mix = mixes_.data() + level * box.size();
    float* const rest = rests_.data() + level * box.size();
    const float* const projection = terrain_.shadow.projections[level].data();
    for (int sweeps = 0;; ++sweeps) {
        work_ += kSweepWork;
        const Gifts gifts = measure(rest, mix, known, box.width, box.planes);
        const float own = static_cast<float>(square) - gifts.known;
        const float left = own - gifts.mix;
        if (gifts.best - own < -static_cast<float>(kRounding)) return true;
        if (sweeps == kSweeps || left < kNear) return false;
        if (sweep(mix, rest, projection, box.width, box.planes) < kLeastGain * left) return false;
    }
}

std::uint64_t Approach::take_work() {
    return std::exchange(work_, 0);
}

}  // namespace mmsat::lattice
