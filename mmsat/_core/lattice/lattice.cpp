// Codes that satisfy linear equations, as points of a lattice (lattice.hpp). Free pegs have more
// than one allowed color (choice); the other pegs have no coordinates. In the first code, each peg
// has its first allowed color.
//
// The box is the convex hull of all codes; a peg has one coordinate per choice in it. If no peg has
// more than two choices, the box is flat: the first choice has no coordinate, because it is the
// absence of the second one.
#include "lattice/lattice.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <thread>
#include <utility>

namespace mmsat::lattice {

namespace {

// Return base ** exponent modulo a prime.
std::int64_t power(std::int64_t base, std::int64_t exponent, std::int64_t prime) {
    std::int64_t result = 1;
    for (; exponent > 0; exponent >>= 1, base = base * base % prime)
        if (exponent & 1) result = result * base % prime;
    return result;
}

// Return whether vectors, which are integer multiples of `unit`, are linearly independent modulo a
// large prime. Then they are independent. The converse is true except by coincidence.
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
        const auto pivot_index = static_cast<std::size_t>(pivot - row.begin());
        const std::int64_t inverse = power(*pivot, kPrime - 2, kPrime);
        for (std::size_t other = index + 1; other < rows.size(); ++other) {
            const std::int64_t times = rows[other][pivot_index] * inverse % kPrime;
            if (times == 0) continue;
            for (std::size_t i = 0; i < row.size(); ++i)
                rows[other][i] = (rows[other][i] + (kPrime - times) * row[i]) % kPrime;
        }
    }
    return true;
}

// Return the pegs with more than one allowed color.
std::vector<std::size_t> list_free_pegs(const std::vector<std::vector<std::uint16_t>>& allowed) {
    std::vector<std::size_t> pegs;
    for (std::size_t peg = 0; peg < allowed.size(); ++peg)
        if (allowed[peg].size() > 1) pegs.push_back(peg);
    return pegs;
}

// Return the box of the free pegs, weighted by the probabilities if they are given.
CodeBox make_box(const std::vector<std::vector<std::uint16_t>>& allowed, std::size_t colors,
                 const Vector& probabilities) {
    std::vector<std::size_t> choices;
    std::vector<Vector> choice_probabilities;
    for (std::size_t peg : list_free_pegs(allowed)) {
        choices.push_back(allowed[peg].size());
        if (probabilities.empty()) continue;
        auto& peg_probabilities = choice_probabilities.emplace_back();
        for (std::size_t color : allowed[peg])
            peg_probabilities.push_back(probabilities[peg * colors + color]);
    }
    return CodeBox(std::move(choices), choice_probabilities);
}

}  // namespace

// `other`, which may be null, is a lattice whose reduced basis is reused if it has the same allowed
// colors.
Lattice::Lattice(std::size_t colors, std::vector<std::vector<std::uint16_t>> allowed,
                 const std::vector<Equation>& equations, const Lattice* other,
                 const Vector& probabilities)
    : allowed_(std::move(allowed)),
      free_pegs_(list_free_pegs(allowed_)),
      box_(make_box(allowed_, colors, probabilities)) {
    for (const auto& colors_of_peg : allowed_) code_.push_back(colors_of_peg.front());
    // Convert weights per color to weights per coordinate, relative to the first code.
    std::vector<std::vector<std::int32_t>> weights;
    std::vector<std::int64_t> totals;
    for (const Equation& equation : equations) {
        const auto weight = [&](std::size_t peg, std::size_t choice) {
            return equation.weights[peg * colors + allowed_[peg][choice]];
        };
        auto& coordinates = weights.emplace_back(box_.size(), 0);
        for (std::size_t free_index = 0; free_index < free_pegs_.size(); ++free_index)
            for (std::size_t choice = 1; choice < box_.choices[free_index]; ++choice)
                coordinates[box_.cell(free_index, choice)] =
                    weight(free_pegs_[free_index], choice) - weight(free_pegs_[free_index], 0);
        totals.push_back(equation.total);
        for (std::size_t peg = 0; peg < allowed_.size(); ++peg) totals.back() -= weight(peg, 0);
    }
    const bool has_same_box = other != nullptr && other->allowed_ == allowed_;
    reduce(weights, has_same_box ? other->reduced_changes() : changes());
    find_point(totals);
}

// `changes` span all differences of two codes. The effect of a change is the vector of the changes
// of the totals. Each row has a change and, multiplied by a large number, its effect. In the
// reduced rows, the effects are as short as possible. The rows without effect form a basis of the
// lattice, and the effects of the other rows (moves) are a basis of all effects.
void Lattice::reduce(const std::vector<std::vector<std::int32_t>>& weights,
                     const std::vector<Vector>& changes) {
    const std::size_t size = box_.size();
    for (unit_ = 1 << 10; unit_ < 1 << 24; unit_ *= 1 << 4) {
        std::vector<Vector> rows = changes;
        for (Vector& row : rows)
            for (const auto& weight : weights) {
                double sum = 0;
                for (std::size_t i = 0; i < size; ++i) sum += row[i] * weight[i];
                row.push_back(unit_ * sum);
            }
        Basis extended(std::move(rows));
        extended.reduce();
        std::vector<Vector> basis, effects;
        moves_.clear();
        for (const Vector& row : extended.rows()) {
            const auto effect = row.begin() + static_cast<std::ptrdiff_t>(size);
            const bool has_no_effect =
                std::all_of(effect, row.end(), [](double value) { return value == 0; });
            (has_no_effect ? basis : moves_).emplace_back(row.begin(), effect);
            if (!has_no_effect) effects.emplace_back(effect, row.end());
        }
        // If the effects are linearly dependent, some combination of the moves is in the lattice,
        // but is not spanned by `basis`. A larger unit makes effects cost more than long changes.
        if (!are_independent(effects, unit_)) continue;
        effects_ = Basis(std::move(effects));
        basis_ = Basis(std::move(basis), box_.weights);
        basis_.reduce();
        return;
    }
    throw std::overflow_error("the equations of the lattice cannot be kept apart");
}

// Return the changes from the first color of each free peg to each of its other colors.
std::vector<Vector> Lattice::changes() const {
    std::vector<Vector> rows;
    for (std::size_t free_index = 0; free_index < free_pegs_.size(); ++free_index)
        for (std::size_t choice = 1; choice < box_.choices[free_index]; ++choice) {
            Vector& row = rows.emplace_back(box_.size(), 0);
            if (!box_.is_flat) row[box_.cell(free_index, 0)] = -1;
            row[box_.cell(free_index, choice)] = 1;
        }
    return rows;
}

// Return reduced vectors that span all changes: the basis of the lattice and moves_.
std::vector<Vector> Lattice::reduced_changes() const {
    std::vector<Vector> rows = basis_.rows();
    rows.insert(rows.end(), moves_.begin(), moves_.end());
    return rows;
}

// Set point_ to an integer vector whose totals exceed the totals of the first code by `totals`. Set
// is_solvable_ to false if there is no such vector.
void Lattice::find_point(const std::vector<std::int64_t>& totals) {
    Vector target;
    for (std::int64_t total : totals) target.push_back(unit_ * static_cast<double>(total));
    // This changes `target`: it becomes 0 if and only if it is an integer combination of effects.
    const Vector multiples = effects_.subtract_from(target);
    is_solvable_ =
        std::all_of(target.begin(), target.end(), [](double value) { return value == 0; });
    point_.assign(box_.size(), 0);
    for (std::size_t free_index = 0; free_index < free_pegs_.size() && !box_.is_flat; ++free_index)
        point_[box_.cell(free_index, 0)] = 1;
    for (std::size_t index = 0; index < moves_.size(); ++index)
        for (std::size_t i = 0; i < point_.size(); ++i)
            point_[i] += multiples[index] * moves_[index][i];
}

void Lattice::reduce_blocks(std::size_t block_size, std::size_t max_tours) {
    reset_search();
    basis_.reduce_blocks(block_size, max_tours);
}

// Discard the state of the search.
void Lattice::reset_search() {
    walks_.clear();
    context_.reset();
    pending_choices_.clear();
}

void Lattice::prune(const std::vector<double>& fractions) {
    reset_search();
    context_.emplace(box_, basis_, point_);
    context_->prune(fractions);
}

// All walks advance at the same time. The codes that they find are returned by this call and the
// next ones.
SearchStatus Lattice::advance(std::uint64_t max_steps, std::size_t num_threads) {
    if (!is_solvable_) return SearchStatus::exhausted;
    if (!context_) context_.emplace(box_, basis_, point_);
    if (walks_.empty()) {
        for (std::size_t index = 0; index < num_threads; ++index)
            walks_.emplace_back(*context_, index, num_threads);
    }
    // While found codes remain, the walks do not advance, and their statuses are not needed.
    std::vector<SearchStatus> statuses(walks_.size(), SearchStatus::exhausted);
    if (pending_choices_.empty()) {
        std::vector<std::thread> threads;
        const auto walk = [&](std::size_t index) {
            statuses[index] = walks_[index].advance(max_steps);
        };
        for (std::size_t index = 1; index < walks_.size(); ++index)
            threads.emplace_back(walk, index);
        walk(0);
        for (std::thread& thread : threads) thread.join();
        // In reverse, because codes are taken from the end: they are returned in the order of the
        // walks, whichever thread was first.
        for (std::size_t index = walks_.size(); index-- > 0;)
            if (statuses[index] == SearchStatus::code_found)
                pending_choices_.push_back(walks_[index].choices());
    }
    if (!pending_choices_.empty()) {
        decode_choices(pending_choices_.back());
        pending_choices_.pop_back();
        return SearchStatus::code_found;
    }
    const auto is_exhausted = [](SearchStatus status) { return status == SearchStatus::exhausted; };
    return std::all_of(statuses.begin(), statuses.end(), is_exhausted) ? SearchStatus::exhausted
                                                                       : SearchStatus::budget_spent;
}

void Lattice::decode_choices(const std::vector<std::uint16_t>& choices) {
    for (std::size_t free_index = 0; free_index < free_pegs_.size(); ++free_index)
        code_[free_pegs_[free_index]] = allowed_[free_pegs_[free_index]][choices[free_index]];
}

}  // namespace mmsat::lattice
