#include "lattice/walk.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "machine.hpp"

namespace mmsat::lattice {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kMinShare = 0.01;  // lower bound on a probability, which limits the weights
// Weights are integer multiples of 1 / kFractions: the same on all machines.
constexpr double kFractions = 64;
// All walks visit these top levels; the subtrees below are divided among the walks.
constexpr std::size_t kSharedLevels = 12;

// known = above + times * vector. Returns the maximum of its scalar product over all codes, with
// one plane per color.
MMSAT_MULTIVERSION double move_planes(float* MMSAT_RESTRICT known,
                                      const float* MMSAT_RESTRICT above,
                                      const float* MMSAT_RESTRICT vector, float times,
                                      std::size_t width, std::size_t planes) {
    float sums[kLanes] = {};
    for (std::size_t at = 0; at < width; at += kLanes) {
        float best[kLanes];
        for (std::size_t lane = 0; lane < kLanes; ++lane) best[lane] = kNone;
        for (std::size_t from = at; from < width * planes; from += width)
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

// The same for one coordinate per peg, half a unit to either side of the center.
MMSAT_MULTIVERSION double move_flat(float* MMSAT_RESTRICT known, const float* MMSAT_RESTRICT above,
                                    const float* MMSAT_RESTRICT vector, float times,
                                    std::size_t width) {
    float sums[kLanes] = {};
    for (std::size_t at = 0; at < width; at += kLanes)
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
            const float moved = above[at + lane] + times * vector[at + lane];
            known[at + lane] = moved;
            sums[lane] += std::fabs(moved);
        }
    double sum = 0;
    for (float lane_sum : sums) sum += static_cast<double>(lane_sum);
    return sum / 2;
}

}  // namespace

CodeBox::CodeBox(std::vector<std::size_t> list, const std::vector<Vector>& shares)
    : choices(std::move(list)) {
    const std::size_t most =
        choices.empty() ? 1 : *std::max_element(choices.begin(), choices.end());
    width = (choices.size() + kLanes - 1) / kLanes * kLanes;
    is_flat = most <= 2;
    planes = is_flat ? 1 : most;
    const auto weight = [&](std::size_t peg, std::size_t choice) {
        if (shares.empty()) return 1.0;
        const double times = std::max(shares[peg][choice], kMinShare) *
                             static_cast<double>(choices[peg]);  // relative to a uniform choice
        return std::max(1.0, std::round(kFractions / times)) / kFractions;
    };
    weights.assign(size(), 0);
    for (std::size_t peg = 0; peg < pegs(); ++peg)
        for (std::size_t choice = 0; choice < choices[peg]; ++choice)
            weights[cell(peg, choice)] += weight(peg, choice) / (is_flat ? 2 : 1);
}

double CodeBox::farthest() const {
    double sum = 0;
    for (std::size_t peg = 0; peg < pegs(); ++peg) {
        const double even = is_flat ? 0.5 : 1 / static_cast<double>(choices[peg]);
        double most = 0;
        for (std::size_t plane = 0; plane < planes_of(peg); ++plane) {
            const double weight = weights[cell(peg, plane)];
            sum += weight * even * even;
            most = std::max(most, weight * (1 - 2 * even));
        }
        sum += most;
    }
    return sum;
}

Vector CodeBox::slopes(const Vector& vector) const {
    Vector made(size(), 0);
    for (std::size_t peg = 0; peg < pegs(); ++peg) {
        double sum = 0;
        for (std::size_t plane = 0; plane < planes_of(peg); ++plane) {
            const std::size_t at = cell(peg, plane);
            sum += made[at] = weights[at] * vector[at];
        }
        for (std::size_t plane = 0; plane < planes_of(peg) && !is_flat; ++plane)
            made[cell(peg, plane)] -= sum / static_cast<double>(choices[peg]);
    }
    return made;
}

EnumerationContext::EnumerationContext(const CodeBox& whole, const Basis& vectors,
                                       const Vector& somewhere)
    : box(&whole), basis(&vectors), point(&somewhere) {
    const std::size_t size = box->size();
    std::vector<Vector> apart = basis->rows();  // orthogonalized
    std::vector<Vector> slopes;
    for (std::size_t level = 0; level < basis->size(); ++level) {
        for (std::size_t below = 0; below < level; ++below)
            for (std::size_t at = 0; at < size; ++at)
                apart[level][at] -= basis->part(level, below) * apart[below][at];
        squares.push_back(basis->square(level));
        slopes.push_back(box->slopes(apart[level]));
        orthogonal.insert(orthogonal.end(), slopes[level].begin(), slopes[level].end());
    }
    Vector seen = *point;  // relative to the center
    for (std::size_t peg = 0; peg < box->pegs(); ++peg)
        for (std::size_t plane = 0; plane < box->planes_of(peg); ++plane)
            seen[box->cell(peg, plane)] -= 1 / static_cast<double>(box->choices[peg]);
    offsets.assign(levels(), 0);
    for (std::size_t level = levels(); level-- > 0;) {
        for (std::size_t at = 0; at < size; ++at) offsets[level] += seen[at] * slopes[level][at];
        offsets[level] /= squares[level];
        for (std::size_t at = 0; at < size; ++at) seen[at] -= offsets[level] * apart[level][at];
    }
    const Vector rest = box->slopes(seen);
    first.assign(rest.begin(), rest.end());
    first_square = 0;
    for (std::size_t at = 0; at < size; ++at) first_square += seen[at] * rest[at];
    farthest.assign(levels(), box->farthest());
    for (std::size_t peg = 0; peg < box->pegs(); ++peg)
        for (std::size_t plane = box->planes_of(peg); plane < box->planes; ++plane)
            first[box->cell(peg, plane)] = kNone;
    projection_bound = ProjectionBound(*this);
}

void EnumerationContext::prune(const std::vector<double>& shares) {
    for (std::size_t level = 0; level < levels(); ++level)
        farthest[level] = first_square + shares[level] * (box->farthest() - first_square);
}

Walk::Walk(const EnumerationContext& context, std::size_t share, std::size_t shares)
    : context_(context),
      box_(*context.box),
      share_(share),
      shares_(shares),
      known_((context.levels() + 1) * context.box->size()),
      squares_(context.levels() + 1),
      sums_(context.levels() * (context.levels() + 1)),
      stale_(context.levels(), context.levels()),
      centers_(context.levels()),
      multiples_(context.levels()),
      offsets_(context.levels()),
      steps_(context.levels()),
      lowest_(context.levels()),
      highest_(context.levels()),
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

// Enter a level with the multiple of its vector that is nearest to the center. Only the sums that
// have changed are recomputed.
void Walk::enter() {
    const std::size_t levels = context_.levels();
    double* const sums = sums_.data() + level_ * (levels + 1);  // the last one is always 0
    for (std::size_t above = stale_[level_]; above-- > level_ + 1;)
        sums[above] = sums[above + 1] + multiples_[above] * context_.basis->part(above, level_);
    if (level_ > 0) stale_[level_ - 1] = std::max(stale_[level_ - 1], stale_[level_]);
    stale_[level_] = level_ + 1;
    centers_[level_] = context_.offsets[level_] + sums[level_ + 1];
    multiples_[level_] = std::round(-centers_[level_]);
    steps_[level_] = -centers_[level_] >= multiples_[level_] ? 1 : -1;
    lowest_[level_] = -kInfinity;
    highest_[level_] = kInfinity;
}

// Go to the next nearest multiple that is not excluded, or one level up if all are excluded.
void Walk::step() {
    for (; level_ < context_.levels(); ++level_)
        for (int side = 0; side < 2; ++side) {
            multiples_[level_] += steps_[level_];
            steps_[level_] = -steps_[level_] + (steps_[level_] > 0 ? -1 : 1);
            const double offset = multiples_[level_] + centers_[level_];
            if (offset < lowest_[level_] || offset > highest_[level_]) continue;
            if (level_ > 0) stale_[level_ - 1] = std::max(stale_[level_ - 1], level_ + 1);
            return;
        }
    is_open_ = false;
}

SearchStatus Walk::advance(std::uint64_t steps) {
    const std::size_t levels = context_.levels();
    if (levels == 0) {  // there is only one point
        const bool is_code = is_open_ && share_ == 0 && read();
        is_open_ = false;
        return is_code ? SearchStatus::code_found : SearchStatus::exhausted;
    }
    while (is_open_ && steps > 0) {
        --steps;
        if (!is_near()) {
            ++level_;  // all further multiples are farther away
            step();
        } else if (!is_in_box() || is_others() || is_apart(steps)) {
            step();
        } else if (level_ > 0) {
            --level_;
            enter();
        } else {
            const bool is_code = read();
            step();
            if (is_code) return SearchStatus::code_found;
        }
    }
    return is_open_ ? SearchStatus::budget_spent : SearchStatus::exhausted;
}

// Return whether the known part is at most as far from the center as a code can be.
bool Walk::is_near() {
    const double offset = offsets_[level_] = multiples_[level_] + centers_[level_];
    squares_[level_] = squares_[level_ + 1] + offset * offset * context_.squares[level_];
    return squares_[level_] <= context_.farthest[level_] + kRounding;
}

// Return whether |w|^2 is at most the maximum of w.v over all codes v. Also compute the offset up
// to which other known parts of this level satisfy the corresponding inequality.
bool Walk::is_in_box() {
    const std::size_t size = box_.size();
    float* const known = known_.data() + level_ * size;
    const float* const vector = context_.orthogonal.data() + level_ * size;
    const double offset = offsets_[level_];
    const auto times = static_cast<float>(offset);
    const double best =
        box_.is_flat ? move_flat(known, known + size, vector, times, box_.width)
                     : move_planes(known, known + size, vector, times, box_.width, box_.planes);
    const double most = best + kRounding;
    const double limit = (most - squares_[level_ + 1]) / (offset * context_.squares[level_]);
    if (offset > 0) highest_[level_] = std::min(highest_[level_], limit);
    if (offset < 0) lowest_[level_] = std::max(lowest_[level_], limit);
    return squares_[level_] <= most;
}

// Return whether the subtree belongs to another walk.
bool Walk::is_others() {
    const std::size_t levels = context_.levels();
    const std::size_t parting = levels > kSharedLevels ? levels - kSharedLevels : 0;
    return level_ == parting && turn_++ % shares_ != share_;
}

// Run the Frank-Wolfe test and charge its work to the steps. Returns whether the subtree contains
// no code.
bool Walk::is_apart(std::uint64_t& steps) {
    const bool is_apart = frank_wolfe_.is_apart(level_, known_.data() + level_ * box_.size(),
                                                squares_[level_], offsets_.data());
    steps -= std::min(steps, frank_wolfe_.take_work());
    return is_apart;
}

// Return whether the point is a code, with exactly one coordinate of 1 per peg, and store its
// choices.
bool Walk::read() {
    Vector whole = *context_.point;
    for (std::size_t level = 0; level < context_.levels(); ++level)
        for (std::size_t at = 0; at < whole.size(); ++at)
            whole[at] += multiples_[level] * context_.basis->row(level)[at];
    for (std::size_t peg = 0; peg < box_.pegs(); ++peg) {
        std::size_t found = 0;
        for (std::size_t plane = 0; plane < box_.planes_of(peg); ++plane) {
            const double number = whole[box_.cell(peg, plane)];
            if (number != 0 && number != 1) return false;
            if (number == 0) continue;
            ++found;
            choices_[peg] = static_cast<std::uint16_t>(box_.is_flat ? 1 : plane);
        }
        if (box_.is_flat && found == 0)
            choices_[peg] = 0;
        else if (found != 1)
            return false;
    }
    return true;
}

}  // namespace mmsat::lattice
