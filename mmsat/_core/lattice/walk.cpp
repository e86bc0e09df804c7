// Enumeration of the points of a lattice in a box (walk.hpp defines box, level, known part and
// slope). Scalar products of slopes with a code are sums of one slope per peg.
#include "lattice/walk.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "machine.hpp"

namespace mmsat::lattice {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Lower bound on a probability, which limits the weights.
constexpr double kMinProbability = 0.01;
// Weights are integer multiples of 1 / kWeightUnits, so that they are the same on all machines.
constexpr double kWeightUnits = 64;
// Number of top levels that all walks visit. The subtrees below are divided among the walks.
constexpr std::size_t kSharedLevels = 12;

// Compute known = above + times * vector. Returns the maximum of the scalar product of `known` and
// a code, over all codes. For boxes with one plane per choice.
MMSAT_MULTIVERSION double move_planes(float* MMSAT_RESTRICT known,
                                      const float* MMSAT_RESTRICT above,
                                      const float* MMSAT_RESTRICT vector, float times,
                                      std::size_t width, std::size_t planes) {
    float sums[kLanes] = {};
    for (std::size_t lane_begin = 0; lane_begin < width; lane_begin += kLanes) {
        float best[kLanes];
        for (std::size_t lane = 0; lane < kLanes; ++lane) best[lane] = kNone;
        for (std::size_t from = lane_begin; from < width * planes; from += width)
            for (std::size_t lane = 0; lane < kLanes; ++lane) {
                const float moved = above[from + lane] + times * vector[from + lane];
                known[from + lane] = moved;
                best[lane] = moved > best[lane] ? moved : best[lane];
            }
        for (std::size_t lane = 0; lane < kLanes; ++lane) sums[lane] += best[lane];
    }
    double sum = 0;
    for (float lane_sum : sums) sum += static_cast<double>(lane_sum);
    return sum;
}

// The same for boxes with one coordinate per peg, half a unit to either side of the center.
MMSAT_MULTIVERSION double move_flat(float* MMSAT_RESTRICT known, const float* MMSAT_RESTRICT above,
                                    const float* MMSAT_RESTRICT vector, float times,
                                    std::size_t width) {
    float sums[kLanes] = {};
    for (std::size_t lane_begin = 0; lane_begin < width; lane_begin += kLanes)
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
            const float moved = above[lane_begin + lane] + times * vector[lane_begin + lane];
            known[lane_begin + lane] = moved;
            sums[lane] += std::fabs(moved);
        }
    double sum = 0;
    for (float lane_sum : sums) sum += static_cast<double>(lane_sum);
    return sum / 2;
}

}  // namespace

CodeBox::CodeBox(std::vector<std::size_t> num_choices, const std::vector<Vector>& probabilities)
    : choices(std::move(num_choices)) {
    const std::size_t max_choices =
        choices.empty() ? 1 : *std::max_element(choices.begin(), choices.end());
    width = (choices.size() + kLanes - 1) / kLanes * kLanes;
    is_flat = max_choices <= 2;
    planes = is_flat ? 1 : max_choices;
    const auto weight = [&](std::size_t peg, std::size_t choice) {
        if (probabilities.empty()) return 1.0;
        // Probability relative to a uniform choice.
        const double ratio = std::max(probabilities[peg][choice], kMinProbability) *
                             static_cast<double>(choices[peg]);
        return std::max(1.0, std::round(kWeightUnits / ratio)) / kWeightUnits;
    };
    weights.assign(size(), 0);
    for (std::size_t peg = 0; peg < pegs(); ++peg)
        for (std::size_t choice = 0; choice < choices[peg]; ++choice)
            weights[cell(peg, choice)] += weight(peg, choice) / (is_flat ? 2 : 1);
}

double CodeBox::max_square() const {
    double sum = 0;
    for (std::size_t peg = 0; peg < pegs(); ++peg) {
        const double center = is_flat ? 0.5 : 1 / static_cast<double>(choices[peg]);
        double max_increase = 0;
        for (std::size_t plane = 0; plane < planes_of(peg); ++plane) {
            const double weight = weights[cell(peg, plane)];
            sum += weight * center * center;
            max_increase = std::max(max_increase, weight * (1 - 2 * center));
        }
        sum += max_increase;
    }
    return sum;
}

Vector CodeBox::slopes(const Vector& vector) const {
    Vector result(size(), 0);
    for (std::size_t peg = 0; peg < pegs(); ++peg) {
        double sum = 0;
        for (std::size_t plane = 0; plane < planes_of(peg); ++plane) {
            const std::size_t index = cell(peg, plane);
            sum += result[index] = weights[index] * vector[index];
        }
        for (std::size_t plane = 0; plane < planes_of(peg) && !is_flat; ++plane)
            result[cell(peg, plane)] -= sum / static_cast<double>(choices[peg]);
    }
    return result;
}

EnumerationContext::EnumerationContext(const CodeBox& code_box, const Basis& lattice_basis,
                                       const Vector& lattice_point)
    : box(&code_box), basis(&lattice_basis), point(&lattice_point) {
    const std::size_t size = box->size();
    std::vector<Vector> orthogonalized = basis->rows();
    std::vector<Vector> slopes;
    for (std::size_t level = 0; level < basis->size(); ++level) {
        for (std::size_t below = 0; below < level; ++below)
            for (std::size_t i = 0; i < size; ++i)
                orthogonalized[level][i] -=
                    basis->coefficient(level, below) * orthogonalized[below][i];
        squares.push_back(basis->square(level));
        slopes.push_back(box->slopes(orthogonalized[level]));
        orthogonal.insert(orthogonal.end(), slopes[level].begin(), slopes[level].end());
    }
    // The point relative to the center; in the end, its component orthogonal to the basis.
    Vector component = *point;
    for (std::size_t peg = 0; peg < box->pegs(); ++peg)
        for (std::size_t plane = 0; plane < box->planes_of(peg); ++plane)
            component[box->cell(peg, plane)] -= 1 / static_cast<double>(box->choices[peg]);
    offsets.assign(levels(), 0);
    for (std::size_t level = levels(); level-- > 0;) {
        for (std::size_t i = 0; i < size; ++i) offsets[level] += component[i] * slopes[level][i];
        offsets[level] /= squares[level];
        for (std::size_t i = 0; i < size; ++i)
            component[i] -= offsets[level] * orthogonalized[level][i];
    }
    const Vector first_slopes = box->slopes(component);
    first.assign(first_slopes.begin(), first_slopes.end());
    first_square = 0;
    for (std::size_t i = 0; i < size; ++i) first_square += component[i] * first_slopes[i];
    max_squares.assign(levels(), box->max_square());
    for (std::size_t peg = 0; peg < box->pegs(); ++peg)
        for (std::size_t plane = box->planes_of(peg); plane < box->planes; ++plane)
            first[box->cell(peg, plane)] = kNone;
    projection_bound = ProjectionBound(*this);
}

void EnumerationContext::prune(const std::vector<double>& fractions) {
    for (std::size_t level = 0; level < levels(); ++level)
        max_squares[level] = first_square + fractions[level] * (box->max_square() - first_square);
}

Walk::Walk(const EnumerationContext& context, std::size_t walk_index, std::size_t num_walks)
    : context_(context),
      box_(*context.box),
      walk_index_(walk_index),
      num_walks_(num_walks),
      known_((context.levels() + 1) * context.box->size()),
      squares_(context.levels() + 1),
      sums_(context.levels() * (context.levels() + 1)),
      stale_(context.levels(), context.levels()),
      centers_(context.levels()),
      multiples_(context.levels()),
      offsets_(context.levels()),
      steps_(context.levels()),
      min_offsets_(context.levels()),
      max_offsets_(context.levels()),
      choices_(context.box->pegs()),
      frank_wolfe_(context) {
    const std::size_t levels = context_.levels();
    std::copy(context_.first.begin(), context_.first.end(),
              known_.end() - static_cast<std::ptrdiff_t>(box_.size()));
    squares_[levels] = context_.first_square;
    if (levels == 0) return;
    level_ = levels - 1;
    enter();
}

// Enter a level: choose the multiple for which the known part is shortest. Only the sums that have
// changed are recomputed.
void Walk::enter() {
    const std::size_t levels = context_.levels();
    double* const sums = sums_.data() + level_ * (levels + 1);  // the last sum is always 0
    for (std::size_t above = stale_[level_]; above-- > level_ + 1;)
        sums[above] =
            sums[above + 1] + multiples_[above] * context_.basis->coefficient(above, level_);
    if (level_ > 0) stale_[level_ - 1] = std::max(stale_[level_ - 1], stale_[level_]);
    stale_[level_] = level_ + 1;
    centers_[level_] = context_.offsets[level_] + sums[level_ + 1];
    multiples_[level_] = std::round(-centers_[level_]);
    steps_[level_] = -centers_[level_] >= multiples_[level_] ? 1 : -1;
    min_offsets_[level_] = -kInfinity;
    max_offsets_[level_] = kInfinity;
}

// Choose the next multiple that is not excluded: on both sides of the first one, in the order of
// the length of the known part. If all multiples of a level are excluded, go up one level.
void Walk::step() {
    for (; level_ < context_.levels(); ++level_)
        for (int side = 0; side < 2; ++side) {
            multiples_[level_] += steps_[level_];
            steps_[level_] = -steps_[level_] + (steps_[level_] > 0 ? -1 : 1);
            const double offset = multiples_[level_] + centers_[level_];
            if (offset < min_offsets_[level_] || offset > max_offsets_[level_]) continue;
            if (level_ > 0) stale_[level_ - 1] = std::max(stale_[level_ - 1], level_ + 1);
            return;
        }
    is_exhausted_ = true;
}

SearchStatus Walk::advance(std::uint64_t max_steps) {
    const std::size_t levels = context_.levels();
    if (levels == 0) {  // there is only one point
        const bool is_code = !is_exhausted_ && walk_index_ == 0 && read_code();
        is_exhausted_ = true;
        return is_code ? SearchStatus::code_found : SearchStatus::exhausted;
    }
    while (!is_exhausted_ && max_steps > 0) {
        --max_steps;
        if (!is_near()) {
            ++level_;  // all further multiples have longer known parts
            step();
        } else if (!is_in_box() || belongs_to_other_walk() || is_separated(max_steps)) {
            step();
        } else if (level_ > 0) {
            --level_;
            enter();
        } else {
            const bool is_code = read_code();
            step();
            if (is_code) return SearchStatus::code_found;
        }
    }
    return is_exhausted_ ? SearchStatus::exhausted : SearchStatus::budget_spent;
}

// Compute the offset and the squared length of the known part. Returns whether the length is within
// the limit of this level.
bool Walk::is_near() {
    const double offset = offsets_[level_] = multiples_[level_] + centers_[level_];
    squares_[level_] = squares_[level_ + 1] + offset * offset * context_.squares[level_];
    return squares_[level_] <= context_.max_squares[level_] + kRounding;
}

// Compute the slopes of the known part w. Returns whether |w|^2 is at most the maximum of w.v over
// all codes v. Also limit the offsets of this level to those whose known parts w' have a product
// w.w' of at most this maximum.
bool Walk::is_in_box() {
    const std::size_t size = box_.size();
    float* const known = known_.data() + level_ * size;
    const float* const vector = context_.orthogonal.data() + level_ * size;
    const double offset = offsets_[level_];
    const auto times = static_cast<float>(offset);
    const double max_product =
        box_.is_flat ? move_flat(known, known + size, vector, times, box_.width)
                     : move_planes(known, known + size, vector, times, box_.width, box_.planes);
    const double max_square = max_product + kRounding;
    const double limit = (max_square - squares_[level_ + 1]) / (offset * context_.squares[level_]);
    if (offset > 0) max_offsets_[level_] = std::min(max_offsets_[level_], limit);
    if (offset < 0) min_offsets_[level_] = std::max(min_offsets_[level_], limit);
    return squares_[level_] <= max_square;
}

// Return whether the subtree belongs to another walk.
bool Walk::belongs_to_other_walk() {
    const std::size_t levels = context_.levels();
    const std::size_t dividing_level = levels > kSharedLevels ? levels - kSharedLevels : 0;
    return level_ == dividing_level && num_subtrees_++ % num_walks_ != walk_index_;
}

// Run the Frank-Wolfe test, and subtract its work from the remaining steps. Returns whether the
// test shows that the subtree contains no code.
bool Walk::is_separated(std::uint64_t& remaining_steps) {
    const bool is_separated = frank_wolfe_.is_separated(
        level_, known_.data() + level_ * box_.size(), squares_[level_], offsets_.data());
    remaining_steps -= std::min(remaining_steps, frank_wolfe_.take_work());
    return is_separated;
}

// Return whether the point is a code, which has one choice per peg. If so, choices_ holds it.
bool Walk::read_code() {
    Vector point = *context_.point;
    for (std::size_t level = 0; level < context_.levels(); ++level)
        for (std::size_t i = 0; i < point.size(); ++i)
            point[i] += multiples_[level] * context_.basis->row(level)[i];
    for (std::size_t peg = 0; peg < box_.pegs(); ++peg) {
        std::size_t num_ones = 0;
        for (std::size_t plane = 0; plane < box_.planes_of(peg); ++plane) {
            const double number = point[box_.cell(peg, plane)];
            if (number != 0 && number != 1) return false;
            if (number == 0) continue;
            ++num_ones;
            choices_[peg] = static_cast<std::uint16_t>(box_.is_flat ? 1 : plane);
        }
        if (box_.is_flat && num_ones == 0)
            choices_[peg] = 0;
        else if (num_ones != 1)
            return false;
    }
    return true;
}

}  // namespace mmsat::lattice
