#include "lattice/lattice.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <thread>
#include <utility>

namespace mmsat::lattice {

namespace {

// Return base ** exponent modulo the prime.
std::int64_t power(std::int64_t base, std::int64_t exponent, std::int64_t kPrime) {
    std::int64_t result = 1;
    for (; exponent > 0; exponent >>= 1, base = base * base % kPrime)
        if (exponent & 1) result = result * base % kPrime;
    return result;
}

// Return whether vectors, which are integer multiples of `unit`, are linearly independent modulo a
// large prime. If true, they are independent; false may be wrong.
bool are_independent(const std::vector<Vector>& vectors, double unit) {
    constexpr std::int64_t kPrime = 2147483647;
    std::vector<std::vector<std::int64_t>> rows;
    for (const Vector& vector : vectors) {
        auto& row = rows.emplace_back();
        for (double number : vector)
            row.push_back((static_cast<std::int64_t>(number / unit) % kPrime + kPrime) % kPrime);
    }
    for (std::size_t index = 0; index < rows.size(); ++index) {
        const auto& row = rows[index];
        const auto pivot =
            std::find_if(row.begin(), row.end(), [](auto value) { return value != 0; });
        if (pivot == row.end()) return false;
        const auto at = static_cast<std::size_t>(pivot - row.begin());
        const std::int64_t inverse = power(*pivot, kPrime - 2, kPrime);
        for (std::size_t other = index + 1; other < rows.size(); ++other) {
            const std::int64_t times = rows[other][at] * inverse % kPrime;
            if (times == 0) continue;
            for (std::size_t i = 0; i < row.size(); ++i)
                rows[other][i] = (rows[other][i] + (kPrime - times) * row[i]) % kPrime;
        }
    }
    return true;
}

// Return the pegs with more than one allowed color.
std::vector<std::size_t> free_pegs(const std::vector<std::vector<std::uint16_t>>& allowed) {
    std::vector<std::size_t> pegs;
    for (std::size_t peg = 0; peg < allowed.size(); ++peg)
        if (allowed[peg].size() > 1) pegs.push_back(peg);
    return pegs;
}

// Return the box of the free pegs, weighted by the probabilities if there are any.
CodeBox box_of(const std::vector<std::vector<std::uint16_t>>& allowed, std::size_t colors,
               const Vector& likely) {
    std::vector<std::size_t> choices;
    std::vector<Vector> shares;
    for (std::size_t peg : free_pegs(allowed)) {
        choices.push_back(allowed[peg].size());
        if (likely.empty()) continue;
        auto& own = shares.emplace_back();
        for (std::size_t color : allowed[peg]) own.push_back(likely[peg * colors + color]);
    }
    return CodeBox(std::move(choices), shares);
}

}  // namespace

Lattice::Lattice(std::size_t colors, std::vector<std::vector<std::uint16_t>> allowed,
                 const std::vector<Equation>& equations, const Lattice* other, const Vector& likely)
    : allowed_(std::move(allowed)),
      free_(free_pegs(allowed_)),
      box_(box_of(allowed_, colors, likely)) {
    for (const auto& colors_of_peg : allowed_) code_.push_back(colors_of_peg.front());
    // Convert weights per color to weights per coordinate, relative to the code of first colors.
    std::vector<std::vector<std::int32_t>> weights;
    std::vector<std::int64_t> totals;
    for (const Equation& equation : equations) {
        const auto weight = [&](std::size_t peg, std::size_t choice) {
            return equation.weights[peg * colors + allowed_[peg][choice]];
        };
        auto& own = weights.emplace_back(box_.size(), 0);
        for (std::size_t free = 0; free < free_.size(); ++free)
            for (std::size_t choice = 1; choice < box_.choices[free]; ++choice)
                own[box_.cell(free, choice)] = weight(free_[free], choice) - weight(free_[free], 0);
        totals.push_back(equation.total);
        for (std::size_t peg = 0; peg < allowed_.size(); ++peg) totals.back() -= weight(peg, 0);
    }
    const bool is_alike = other != nullptr && other->allowed_ == allowed_;
    reduce(weights, is_alike ? other->reduced_changes() : changes());
    find_point(totals);
}

// Build rows from changes that span all changes, with their effects on the equations appended,
// multiplied by a large number. After reduction, rows without effect come first: they are the basis
// of the lattice. The effects of the other rows span all values that the equations can take.
void Lattice::reduce(const std::vector<std::vector<std::int32_t>>& weights,
                     const std::vector<Vector>& changes) {
    const std::size_t size = box_.size();
    for (unit_ = 1 << 10; unit_ < 1 << 24; unit_ *= 1 << 4) {
        std::vector<Vector> rows = changes;
        for (Vector& row : rows)
            for (const auto& weight : weights) {
                double sum = 0;
                for (std::size_t at = 0; at < size; ++at) sum += row[at] * weight[at];
                row.push_back(unit_ * sum);
            }
        Basis all(std::move(rows));
        all.reduce();
        std::vector<Vector> kept, images;
        moves_.clear();
        for (const Vector& row : all.rows()) {
            const auto image = row.begin() + static_cast<std::ptrdiff_t>(size);
            const bool is_kept =
                std::all_of(image, row.end(), [](double value) { return value == 0; });
            (is_kept ? kept : moves_).emplace_back(row.begin(), image);
            if (!is_kept) images.emplace_back(image, row.end());
        }
        // If the images are linearly dependent, some combination of them is in the lattice but not
        // in `kept`.
        if (!are_independent(images, unit_)) continue;
        images_ = Basis(std::move(images));
        basis_ = Basis(std::move(kept), box_.weights);
        basis_.reduce();
        return;
    }
    throw std::overflow_error("the equations of the lattice cannot be kept apart");
}

// Return the changes from the first color of each free peg to each of its other colors.
std::vector<Vector> Lattice::changes() const {
    std::vector<Vector> rows;
    for (std::size_t free = 0; free < free_.size(); ++free)
        for (std::size_t choice = 1; choice < box_.choices[free]; ++choice) {
            Vector& row = rows.emplace_back(box_.size(), 0);
            if (!box_.is_flat) row[box_.cell(free, 0)] = -1;
            row[box_.cell(free, choice)] = 1;
        }
    return rows;
}

// Return vectors that span the same changes, already reduced: the basis of the lattice and moves_.
std::vector<Vector> Lattice::reduced_changes() const {
    std::vector<Vector> rows = basis_.rows();
    rows.insert(rows.end(), moves_.begin(), moves_.end());
    return rows;
}

// Set point_ to an integer vector whose totals exceed those of the code of first colors by
// `totals`. Set is_solvable_ to false if no such vector exists.
void Lattice::find_point(const std::vector<std::int64_t>& totals) {
    Vector target;
    for (std::int64_t total : totals) target.push_back(unit_ * static_cast<double>(total));
    const Vector multiples = images_.take_from(target);
    is_solvable_ =
        std::all_of(target.begin(), target.end(), [](double value) { return value == 0; });
    point_.assign(box_.size(), 0);
    for (std::size_t free = 0; free < free_.size() && !box_.is_flat; ++free)
        point_[box_.cell(free, 0)] = 1;
    for (std::size_t index = 0; index < moves_.size(); ++index)
        for (std::size_t at = 0; at < point_.size(); ++at)
            point_[at] += multiples[index] * moves_[index][at];
}

void Lattice::reduce_blocks(std::size_t block, std::size_t tours) {
    reset_search();
    basis_.reduce_blocks(block, tours);
}

// Discard the state of the search.
void Lattice::reset_search() {
    walks_.clear();
    context_.reset();
    found_.clear();
}

void Lattice::prune(const std::vector<double>& shares) {
    reset_search();
    context_.emplace(box_, basis_, point_);
    context_->prune(shares);
}

// The vectors in `kept` that span the same volume span the whole lattice.
SearchStatus Lattice::advance(std::uint64_t steps, std::size_t threads) {
    if (!is_solvable_) return SearchStatus::exhausted;
    if (!context_) context_.emplace(box_, basis_, point_);
    if (walks_.empty()) {
        for (std::size_t share = 0; share < threads; ++share)
            walks_.emplace_back(*context_, share, threads);
    }
    std::vector<SearchStatus> status(walks_.size(), SearchStatus::exhausted);
    if (found_.empty()) {
        std::vector<std::thread> others;
        const auto walk = [&](std::size_t index) { status[index] = walks_[index].advance(steps); };
        for (std::size_t index = 1; index < walks_.size(); ++index)
            others.emplace_back(walk, index);
        walk(0);
        for (std::thread& other : others) other.join();
        for (std::size_t index = walks_.size(); index-- > 0;)
            if (status[index] == SearchStatus::code_found)
                found_.push_back(walks_[index].choices());
    }
    if (!found_.empty()) {
        decode_choices(found_.back());
        found_.pop_back();
        return SearchStatus::code_found;
    }
    const auto is_done = [](SearchStatus walk) { return walk == SearchStatus::exhausted; };
    return std::all_of(status.begin(), status.end(), is_done) ? SearchStatus::exhausted
                                                              : SearchStatus::budget_spent;
}

void Lattice::decode_choices(const std::vector<std::uint16_t>& choices) {
    for (std::size_t free = 0; free < free_.size(); ++free)
        code_[free_[free]] = allowed_[free_[free]][choices[free]];
}

}  // namespace mmsat::lattice
