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

constexpr double kUntestedFraction =
    0.4;  // fraction of the levels, from the first, that are never tested,
constexpr double kSparselyTestedFraction = 0.5;       // and fraction below which only some are
constexpr std::size_t kTestedLevelInterval = 4;       // in that range: every fourth level
constexpr std::size_t kMaxProjectionBytes = 1 << 26;  // for all projections
constexpr int kMaxSweeps = 20;                        // maximum number of passes over all pegs
// Minimum fraction of the squared rest that a sweep must remove.
constexpr float kMinGain = 0.005F;
constexpr float kNegligibleRest = 5e-3F;  // squared length of a rest that is not worth a sweep
constexpr float kNegligibleMove = 1e-6F;  // squared length of a move whose shadow is negligible
// Consecutive failures per point that is skipped after a failure.
constexpr std::size_t kFailuresPerSkip = 8;
constexpr std::uint64_t kSweepWork = 16;  // steps of a walk that take as long as a sweep

// For each peg, move the mixture from its worst choice to its best choice with respect to the rest,
// by the optimal step, and update the rest. Returns a lower bound on the decrease of the squared
// rest.
MMSAT_MULTIVERSION float sweep(float* MMSAT_RESTRICT mix, float* MMSAT_RESTRICT rest,
                               const float* MMSAT_RESTRICT projection, const std::size_t width,
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
                const float slope = rest[from + lane];
                const float held = mix[from + lane] > 0 ? slope : -kNone;
                const auto plane = static_cast<std::uint32_t>(from);
                high[lane] = slope > top[lane] ? plane : high[lane];
                top[lane] = slope > top[lane] ? slope : top[lane];
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
            if (more <= 0 || square < kNegligibleMove) continue;
            const float step = std::min(mix[worst], more / square);
            gain += step * more;
            mix[best] += step;
            mix[worst] -= step;
            for (std::size_t i = 0; i < size; ++i) rest[i] -= step * (up[i] - down[i]);
        }
    }
    return gain;
}

// Scalar product of the rest with the code that maximizes it, ...
struct Products {
    float best;
    float mix;    // ... with the mixture, ...
    float known;  // ... and of the known part with the mixture
};

MMSAT_MULTIVERSION Products measure(const float* MMSAT_RESTRICT rest,
                                    const float* MMSAT_RESTRICT mix,
                                    const float* MMSAT_RESTRICT known, const std::size_t width,
                                    const std::size_t planes) {
    float bests[kLanes] = {};
    float rests[kLanes] = {};
    float knowns[kLanes] = {};
    for (std::size_t at = 0; at < width; at += kLanes) {
        float best[kLanes];
        std::fill_n(best, kLanes, kNone);
        for (std::size_t from = at; from < width * planes; from += width)
            for (std::size_t lane = 0; lane < kLanes; ++lane) {
                const float slope = rest[from + lane];
                best[lane] = slope > best[lane] ? slope : best[lane];
                rests[lane] += slope * mix[from + lane];
                knowns[lane] += known[from + lane] * mix[from + lane];
            }
        for (std::size_t lane = 0; lane < kLanes; ++lane) bests[lane] += best[lane];
    }
    Products products{};
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
        products.best += bests[lane];
        products.mix += rests[lane];
        products.known += knowns[lane];
    }
    return products;
}

MMSAT_MULTIVERSION float product(const float* MMSAT_RESTRICT one, const float* MMSAT_RESTRICT other,
                                 const std::size_t size) {
    float sums[kLanes] = {};
    for (std::size_t at = 0; at < size; at += kLanes)
        for (std::size_t lane = 0; lane < kLanes; ++lane)
            sums[lane] += one[at + lane] * other[at + lane];
    float sum = 0;
    for (float lane_sum : sums) sum += lane_sum;
    return sum;
}

}  // namespace

ProjectionBound::ProjectionBound(const EnumerationContext& context) {
    const CodeBox& box = *context.box;
    const std::size_t levels = context.levels();
    const std::size_t size = box.size();
    const std::size_t most = kMaxProjectionBytes / (size * size * sizeof(float) + 1);
    const auto share = [&](double part) {
        return static_cast<std::size_t>(part * static_cast<double>(levels));
    };
    const std::size_t lowest = std::max(share(kUntestedFraction), levels - std::min(levels, most));
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
        if (level >= lowest &&
            (level >= share(kSparselyTestedFraction) || level % kTestedLevelInterval == 0))
            projections[level].assign(projection.begin(), projection.end());
        const float* const vector = context.orthogonal.data() + level * size;
        for (std::size_t at = 0; at < size; ++at) {
            const double times = static_cast<double>(vector[at]) / context.squares[level];
            for (std::size_t other = 0; times != 0 && other < size; ++other)
                projection[at * size + other] -= times * static_cast<double>(vector[other]);
        }
    }
}

FrankWolfeTest::FrankWolfeTest(const EnumerationContext& context)
    : context_(context),
      mixes_((context.levels() + 1) * context.box->size()),
      rests_(mixes_.size()),
      is_made_(context.levels() + 1),
      failures_(context.levels()),
      num_to_skip_(context.levels()) {
    const CodeBox& box = *context.box;
    const std::size_t top = context.levels() * box.size();
    for (std::size_t peg = 0; peg < box.pegs(); ++peg)
        for (std::size_t plane = 0; plane < box.planes_of(peg); ++plane)
            mixes_[top + box.cell(peg, plane)] = 1 / static_cast<float>(box.choices[peg]);
    std::copy(context.first.begin(), context.first.end(),
              rests_.begin() + static_cast<std::ptrdiff_t>(top));
    is_made_.back() = true;
}

bool FrankWolfeTest::is_apart(std::size_t level, const float* known, double square,
                              const double* offsets) {
    if (context_.projection_bound.projections[level].empty()) return false;
    is_made_[level] = num_to_skip_[level] == 0;
    if (!is_made_[level]) {
        --num_to_skip_[level];
        return false;
    }
    std::size_t from = level + 1;
    while (!is_made_[from]) ++from;
    const std::size_t size = context_.box->size();
    float* const mix = mixes_.data() + level * size;
    float* const rest = rests_.data() + level * size;
    std::copy_n(mixes_.data() + from * size, size, mix);
    std::copy_n(rests_.data() + from * size, size, rest);
    // The shadow of this level has one dimension more than that of the level above.
    while (from-- > level) {
        const float* const vector = context_.orthogonal.data() + from * size;
        const double along = static_cast<double>(product(vector, mix, size));
        const auto times = static_cast<float>(offsets[from] - along / context_.squares[from]);
        for (std::size_t at = 0; at < size; ++at) rest[at] += times * vector[at];
    }
    const bool is_apart = run_frank_wolfe(level, known, square);
    failures_[level] = is_apart ? 0 : failures_[level] + 1;
    num_to_skip_[level] = failures_[level] / kFailuresPerSkip;
    return is_apart;
}

// With the notation above, `own` is rest.w and `left` is |rest|^2. If rest.v < rest.w for all codes
// v, then the rest separates w from the box.
bool FrankWolfeTest::run_frank_wolfe(std::size_t level, const float* known, double square) {
    const CodeBox& box = *context_.box;
    float* const mix = mixes_.data() + level * box.size();
    float* const rest = rests_.data() + level * box.size();
    const float* const projection = context_.projection_bound.projections[level].data();
    for (int sweeps = 0;; ++sweeps) {
        work_ += kSweepWork;
        const Products products = measure(rest, mix, known, box.width, box.planes);
        const float own = static_cast<float>(square) - products.known;
        const float left = own - products.mix;
        if (products.best - own < -static_cast<float>(kRounding)) return true;
        if (sweeps == kMaxSweeps || left < kNegligibleRest) return false;
        if (sweep(mix, rest, projection, box.width, box.planes) < kMinGain * left) return false;
    }
}

std::uint64_t FrankWolfeTest::take_work() {
    return std::exchange(work_, 0);
}

}  // namespace mmsat::lattice
