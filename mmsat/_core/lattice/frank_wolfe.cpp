// The Frank-Wolfe test (frank_wolfe.hpp). A mixture has a weight for each choice of each peg. The
// residual is the known part minus the projection of the mixture. Variables named `residual` and
// `known` hold slopes: scalar products with each choice, relative to the center of the box.
#include "lattice/frank_wolfe.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "lattice/walk.hpp"
#include "machine.hpp"

namespace mmsat::lattice {

namespace {

// Levels below this fraction of all levels, which a walk visits last, are never tested.
constexpr double kUntestedFraction = 0.4;
// Of the next levels, below this fraction, only every kTestedLevelInterval-th level is tested.
constexpr double kSparselyTestedFraction = 0.5;
constexpr std::size_t kTestedLevelInterval = 4;
// Maximum number of bytes of all projections.
constexpr std::size_t kMaxProjectionBytes = 1 << 26;
// Maximum number of passes over all pegs in one test.
constexpr int kMaxSweeps = 20;
// Minimum fraction of the squared residual that a sweep must remove.
constexpr float kMinGain = 0.005F;
// Squared length of a residual that is too short to be worth a sweep.
constexpr float kNegligibleResidual = 5e-3F;
// Squared length of the projection of a move that is negligible.
constexpr float kNegligibleMove = 1e-6F;
// After a failure, one point is skipped for every this many consecutive failures.
constexpr std::size_t kFailuresPerSkip = 8;
// Number of steps of a walk that take as long as a sweep.
constexpr std::uint64_t kSweepWork = 16;

// For each peg, move weight of the mixture from the worst choice to the best choice with respect to
// the residual, by the optimal step, and update the residual. Returns a lower bound on the decrease
// of the squared residual.
MMSAT_MULTIVERSION float sweep(float* MMSAT_RESTRICT mix, float* MMSAT_RESTRICT residual,
                               const float* MMSAT_RESTRICT projection, const std::size_t width,
                               const std::size_t planes) {
    const std::size_t size = width * planes;
    float gain = 0;
    for (std::size_t lane_begin = 0; lane_begin < width; lane_begin += kLanes) {
        // Per peg: the best and the worst slope, and the offsets of their planes. The offsets are
        // as wide as the floats, for vectorization.
        float best_slope[kLanes];
        float worst_slope[kLanes];
        std::uint32_t best_at[kLanes];
        std::uint32_t worst_at[kLanes];
        std::fill_n(best_slope, kLanes, kNone);
        std::fill_n(worst_slope, kLanes, -kNone);
        std::fill_n(best_at, kLanes, static_cast<std::uint32_t>(lane_begin));
        std::fill_n(worst_at, kLanes, static_cast<std::uint32_t>(lane_begin));
        for (std::size_t from = lane_begin; from < size; from += width)
            for (std::size_t lane = 0; lane < kLanes; ++lane) {
                const float slope = residual[from + lane];
                const float used_slope = mix[from + lane] > 0 ? slope : -kNone;
                const auto offset = static_cast<std::uint32_t>(from);
                best_at[lane] = slope > best_slope[lane] ? offset : best_at[lane];
                best_slope[lane] = slope > best_slope[lane] ? slope : best_slope[lane];
                worst_at[lane] = used_slope < worst_slope[lane] ? offset : worst_at[lane];
                worst_slope[lane] = used_slope < worst_slope[lane] ? used_slope : worst_slope[lane];
            }
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
            const std::size_t best = best_at[lane] + lane;
            const std::size_t worst = worst_at[lane] + lane;
            // Recompute the slopes, because the moves of other pegs have changed the residual.
            const float slope_gain = residual[best] - residual[worst];
            const float* const up = projection + best * size;
            const float* const down = projection + worst * size;
            const float square = up[best] - down[best] - (up[worst] - down[worst]);
            if (slope_gain <= 0 || square < kNegligibleMove) continue;
            const float step = std::min(mix[worst], slope_gain / square);
            gain += step * slope_gain;
            mix[best] += step;
            mix[worst] -= step;
            for (std::size_t i = 0; i < size; ++i) residual[i] -= step * (up[i] - down[i]);
        }
    }
    return gain;
}

// Scalar products of the residual, the known part and the mixture.
struct Products {
    float residual_max;  // maximum of the product of the residual and a code, over all codes
    float residual_mix;  // product of the residual and the mixture
    float known_mix;     // product of the known part and the mixture
};

MMSAT_MULTIVERSION Products compute_products(const float* MMSAT_RESTRICT residual,
                                             const float* MMSAT_RESTRICT mix,
                                             const float* MMSAT_RESTRICT known,
                                             const std::size_t width, const std::size_t planes) {
    float residual_max[kLanes] = {};
    float residual_mix[kLanes] = {};
    float known_mix[kLanes] = {};
    for (std::size_t lane_begin = 0; lane_begin < width; lane_begin += kLanes) {
        float best[kLanes];
        std::fill_n(best, kLanes, kNone);
        for (std::size_t from = lane_begin; from < width * planes; from += width)
            for (std::size_t lane = 0; lane < kLanes; ++lane) {
                const float slope = residual[from + lane];
                best[lane] = slope > best[lane] ? slope : best[lane];
                residual_mix[lane] += slope * mix[from + lane];
                known_mix[lane] += known[from + lane] * mix[from + lane];
            }
        for (std::size_t lane = 0; lane < kLanes; ++lane) residual_max[lane] += best[lane];
    }
    Products products{};
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
        products.residual_max += residual_max[lane];
        products.residual_mix += residual_mix[lane];
        products.known_mix += known_mix[lane];
    }
    return products;
}

MMSAT_MULTIVERSION float product(const float* MMSAT_RESTRICT one, const float* MMSAT_RESTRICT other,
                                 const std::size_t size) {
    float sums[kLanes] = {};
    for (std::size_t lane_begin = 0; lane_begin < size; lane_begin += kLanes)
        for (std::size_t lane = 0; lane < kLanes; ++lane)
            sums[lane] += one[lane_begin + lane] * other[lane_begin + lane];
    float sum = 0;
    for (float lane_sum : sums) sum += lane_sum;
    return sum;
}

}  // namespace

ProjectionBound::ProjectionBound(const EnumerationContext& context) {
    const CodeBox& box = *context.box;
    const std::size_t levels = context.levels();
    const std::size_t size = box.size();
    const std::size_t max_projections = kMaxProjectionBytes / (size * size * sizeof(float) + 1);
    const auto fraction_of_levels = [&](double fraction) {
        return static_cast<std::size_t>(fraction * static_cast<double>(levels));
    };
    const std::size_t first_level =
        std::max(fraction_of_levels(kUntestedFraction), levels - std::min(levels, max_projections));
    projections.resize(levels);
    if (box.is_flat || first_level == levels) return;
    Vector projection;
    for (std::size_t i = 0; i < size; ++i) {
        Vector unit_vector(size, 0);
        unit_vector[i] = 1;
        const Vector slopes = box.slopes(unit_vector);
        projection.insert(projection.end(), slopes.begin(), slopes.end());
    }
    // At level 0 all multiples are chosen, so nothing is projected away. Each further level removes
    // one more direction.
    for (std::size_t level = 0; level < levels; ++level) {
        if (level >= first_level && (level >= fraction_of_levels(kSparselyTestedFraction) ||
                                     level % kTestedLevelInterval == 0))
            projections[level].assign(projection.begin(), projection.end());
        const float* const vector = context.orthogonal.data() + level * size;
        for (std::size_t i = 0; i < size; ++i) {
            const double times = static_cast<double>(vector[i]) / context.squares[level];
            for (std::size_t other = 0; times != 0 && other < size; ++other)
                projection[i * size + other] -= times * static_cast<double>(vector[other]);
        }
    }
}

FrankWolfeTest::FrankWolfeTest(const EnumerationContext& context)
    : context_(context),
      mixes_((context.levels() + 1) * context.box->size()),
      residuals_(mixes_.size()),
      is_computed_(context.levels() + 1),
      num_failures_(context.levels()),
      num_to_skip_(context.levels()) {
    const CodeBox& box = *context.box;
    // Above the last level, the mixture is the center of the box.
    const std::size_t top = context.levels() * box.size();
    for (std::size_t peg = 0; peg < box.pegs(); ++peg)
        for (std::size_t plane = 0; plane < box.planes_of(peg); ++plane)
            mixes_[top + box.cell(peg, plane)] = 1 / static_cast<float>(box.choices[peg]);
    std::copy(context.first.begin(), context.first.end(),
              residuals_.begin() + static_cast<std::ptrdiff_t>(top));
    is_computed_.back() = true;
}

bool FrankWolfeTest::is_separated(std::size_t level, const float* known, double square,
                                  const double* offsets) {
    if (context_.projection_bound.projections[level].empty()) return false;
    is_computed_[level] = num_to_skip_[level] == 0;
    if (!is_computed_[level]) {
        --num_to_skip_[level];
        return false;
    }
    std::size_t source = level + 1;
    while (!is_computed_[source]) ++source;
    const std::size_t size = context_.box->size();
    float* const mix = mixes_.data() + level * size;
    float* const residual = residuals_.data() + level * size;
    std::copy_n(mixes_.data() + source * size, size, mix);
    std::copy_n(residuals_.data() + source * size, size, residual);
    // The projection at each level has one dimension more than at the level above.
    while (source-- > level) {
        const float* const vector = context_.orthogonal.data() + source * size;
        const double vector_mix = static_cast<double>(product(vector, mix, size));
        const auto times =
            static_cast<float>(offsets[source] - vector_mix / context_.squares[source]);
        for (std::size_t i = 0; i < size; ++i) residual[i] += times * vector[i];
    }
    const bool is_separated = run_frank_wolfe(level, known, square);
    num_failures_[level] = is_separated ? 0 : num_failures_[level] + 1;
    num_to_skip_[level] = num_failures_[level] / kFailuresPerSkip;
    return is_separated;
}

// Sweep until the residual separates the known part from the box: its product with each code is
// less than with the known part. Returns false if sweeps no longer shorten the residual enough.
bool FrankWolfeTest::run_frank_wolfe(std::size_t level, const float* known, double square) {
    const CodeBox& box = *context_.box;
    float* const mix = mixes_.data() + level * box.size();
    float* const residual = residuals_.data() + level * box.size();
    const float* const projection = context_.projection_bound.projections[level].data();
    for (int num_sweeps = 0;; ++num_sweeps) {
        work_ += kSweepWork;
        const Products products = compute_products(residual, mix, known, box.width, box.planes);
        const float residual_known = static_cast<float>(square) - products.known_mix;
        const float residual_square = residual_known - products.residual_mix;
        if (products.residual_max - residual_known < -static_cast<float>(kRounding)) return true;
        if (num_sweeps == kMaxSweeps || residual_square < kNegligibleResidual) return false;
        if (sweep(mix, residual, projection, box.width, box.planes) < kMinGain * residual_square)
            return false;
    }
}

std::uint64_t FrankWolfeTest::take_work() {
    return std::exchange(work_, 0);
}

}  // namespace mmsat::lattice
