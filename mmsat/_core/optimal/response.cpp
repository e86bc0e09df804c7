#include "optimal/response.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <numeric>
#include <stdexcept>

#include "hash.hpp"

namespace mmsat::optimal {

namespace {

constexpr std::size_t kMaxAnswers = 64;
constexpr std::size_t kMaxKinds = 64;
constexpr std::size_t kSymmetricDepth = 2;  // largest depth at which equivalent guesses are skipped
// Number of sets searched between two checks for interruption.
constexpr std::uint64_t kCheckInterval = 256;

}  // namespace

Response::Response(Answers answers, Canonicalizer canonicalizer, std::vector<std::uint8_t> kinds,
                   std::vector<Cost> weights, Interrupt::Poll poll, int hash_bits)
    : answers_(answers),
      canonicalizer_(std::move(canonicalizer)),
      kinds_(std::move(kinds)),
      weights_(std::move(weights)),
      kinds_by_weight_(weights_.size()),
      interrupt_(std::move(poll)),
      all_codes_(answers.codes),
      max_found_((kMaxAnswers + 1) * (kMaxAnswers + 1)),
      all_guesses_(answers.stride, 1),
      parts_(answers.stride),
      max_parts_(answers.blocks()),
      is_member_(answers.stride),
      counts_(kMaxAnswers * kMaxKinds),
      hash_mask_(high_bits(hash_bits)) {
    if (answers.answers > kMaxAnswers) throw std::invalid_argument("at most 64 answers");
    if (weights_.size() > kMaxKinds) throw std::invalid_argument("at most 64 kinds");
    std::iota(all_codes_.begin(), all_codes_.end(), 0);
    for (std::size_t code = 0; code < answers.codes; ++code)
        code_keys_.push_back(contribution(code + (std::uint64_t{1} << 40)));
    std::iota(kinds_by_weight_.begin(), kinds_by_weight_.end(), std::uint8_t{0});
    std::stable_sort(kinds_by_weight_.begin(), kinds_by_weight_.end(),
                     [&](auto one, auto other) { return weights_[one] > weights_[other]; });
}

Response::Level& Response::level(std::size_t depth) {
    while (levels_.size() <= depth) levels_.push_back(std::make_unique<Level>());
    return *levels_[depth];
}

Response::Task Response::root() const {
    const int answers = static_cast<int>(answers_.answers);
    return {all_codes_.data(), all_codes_.size(), 0, {answers, answers - 1}};
}

Response::CanonicalKey Response::key_of(const std::int32_t* set, std::size_t size) const {
    CanonicalKey canonical{};
    if (canonicalizer_.applies_to(size))
        canonical.key = canonicalizer_.key(set, size, &canonical.order);
    else
        for (std::size_t i = 0; i < size; ++i)
            canonical.key += code_keys_[static_cast<std::size_t>(set[i])];
    canonical.key.first &= hash_mask_;
    canonical.key.second &= hash_mask_;
    return canonical;
}

std::vector<std::uint16_t> Response::canonical_codes(const std::int32_t* set, std::size_t size,
                                                     const CanonicalKey& canonical) const {
    if (canonicalizer_.applies_to(size)) return canonicalizer_.renamed(set, size, canonical.order);
    return {set, set + size};
}

const Response::Known* Response::look_up(const std::int32_t* set, std::size_t size,
                                         const CanonicalKey& canonical) const {
    const auto found = memo_.find(canonical.key);
    if (found == memo_.end() || found->second.codes != canonical_codes(set, size, canonical))
        return nullptr;
    return &found->second;
}

// If the key is already used for another set, the new set replaces it.
void Response::store(const Task& task, const CanonicalKey& canonical, Cost cost, bool is_exact) {
    Known& known = memo_[canonical.key];
    std::vector<std::uint16_t> codes = canonical_codes(task.set, task.size, canonical);
    if (!is_exact && known.codes == codes) cost = std::max(known.cost, cost);
    known = {cost, is_exact, std::move(codes)};
}

Response::Cost Response::weight(const std::int32_t* set, std::size_t size) const {
    Cost sum = 0;
    for (std::size_t i = 0; i < size; ++i) sum += weight(set[i]);
    return sum;
}

// In each step, a guess that can be the code finds that code, and in each of its other classes as
// many codes as before are found.
const std::vector<std::uint32_t>& Response::max_found(ClassLimits limits) {
    auto& max_found = max_found_[static_cast<std::size_t>(limits.member) * (kMaxAnswers + 1) +
                                 static_cast<std::size_t>(limits.other)];
    if (!max_found.empty()) return max_found;
    std::uint64_t found = 1;
    while (found < answers_.codes) {
        max_found.push_back(static_cast<std::uint32_t>(found));
        const auto others = static_cast<std::uint64_t>(std::max(limits.member - 1, 0));
        const std::uint64_t more = found * static_cast<std::uint64_t>(limits.other);
        found = std::max(1 + others * found, more);
        if (found == max_found.back()) break;  // no larger set has such limits
    }
    max_found.push_back(static_cast<std::uint32_t>(answers_.codes));
    return max_found;
}

Response::Cost Response::lower_bound(const std::uint32_t* counts, ClassLimits limits) {
    const std::vector<std::uint32_t>& max_found = this->max_found(limits);
    Cost cost = 0;
    std::size_t turn = 0;
    std::uint32_t num_found = 0;
    for (const std::uint8_t kind : kinds_by_weight_) {
        std::uint32_t remaining = counts[kind];
        while (remaining > 0) {
            while (max_found[turn] <= num_found) ++turn;
            assert(turn < max_found.size());
            const std::uint32_t newly_found = std::min(remaining, max_found[turn] - num_found);
            cost += static_cast<Cost>(newly_found) * static_cast<Cost>(turn + 1) * weights_[kind];
            remaining -= newly_found;
            num_found += newly_found;
        }
    }
    return cost;
}

Response::Cost Response::lower_bound(const std::int32_t* set, std::size_t size,
                                     ClassLimits limits) {
    std::array<std::uint32_t, kMaxKinds> counts{};
    for (std::size_t i = 0; i < size; ++i) ++counts[kinds_[static_cast<std::size_t>(set[i])]];
    return lower_bound(counts.data(), limits);
}

const std::uint8_t* Response::guesses_to_try(const Task& task) {
    if (task.depth > kSymmetricDepth) return all_guesses_.data();
    Level& level = this->level(task.depth);
    level.guesses.assign(answers_.stride, 0);
    canonicalizer_.find_representatives(history_, level.guesses.data());
    return level.guesses.data();
}

Response::Cost Response::solve() {
    history_.clear();
    return solve(root(), kInfiniteCost);
}

Response::Cost Response::solve(const Task& task, Cost bound) {
    const Cost least = lower_bound(task.set, task.size, task.limits);
    if (task.size <= 2 || least >= bound) return least;
    if (++sets_ % kCheckInterval == 0) interrupt_.check();
    const CanonicalKey canonical = key_of(task.set, task.size);
    const Known* const known = look_up(task.set, task.size, canonical);
    if (known && (known->is_exact || known->cost >= bound)) return known->cost;
    const Cost cost = search(task, bound);
    store(task, canonical, cost, cost < bound);
    return cost;
}

Response::Cost Response::search(const Task& task, Cost bound) {
    ClassLimits limits = task.limits;
    const Cost low = collect_candidates(task, bound, limits);
    if (low >= bound) return low;
    Level& level = this->level(task.depth);
    level.tried.clear(level.candidates.size());
    Cost best = bound;
    for (std::size_t i = 0; i < level.candidates.size(); ++i) {
        const Candidate candidate = level.candidates[i];
        if (candidate.bound >= best) break;
        if (task.size < answers_.codes && !is_new_partition(task, candidate.guess)) continue;
        best = std::min(best, evaluate(task, limits, candidate.guess, best));
    }
    return best;
}

// Add the partition of the set by a guess; return whether no tried guess has the same one. The hash
// identifies classes by their order of appearance, not by their answers, except for the win.
bool Response::is_new_partition(const Task& task, std::int32_t guess) {
    Level& level = this->level(task.depth);
    const std::uint8_t* const row = answers_.of_guess(static_cast<std::size_t>(guess));
    level.answers.resize(task.size);
    std::array<std::uint8_t, kMaxAnswers> names{};
    std::uint8_t num_classes = 0;
    std::uint64_t hash = kGoldenRatio64;
    for (std::size_t i = 0; i < task.size; ++i) {
        const std::uint8_t answer = row[task.set[i]];
        level.answers[i] = answer;
        if (names[answer] == 0) names[answer] = ++num_classes;
        const std::uint64_t name = answer == answers_.win() ? kMaxAnswers + 1 : names[answer];
        hash = append_hash(hash, name);
    }
    return level.tried.add(hash & hash_mask_, guess, [&](std::int32_t other) {
        return have_same_partition(answers_, task.set, task.size, level.answers.data(), other);
    });
}

Response::Cost Response::collect_candidates(const Task& task, Cost bound, ClassLimits& limits) {
    Level& level = this->level(task.depth);
    level.candidates.clear();
    int member = 0;
    int other = 0;
    for (std::size_t i = 0; i < task.size; ++i)
        is_member_[static_cast<std::size_t>(task.set[i])] = 1;
    if (task.size <= answers_.answers)
        collect_for_small_set(task, bound, level, member, other);
    else
        collect_for_large_set(task, bound, level, member, other);
    for (std::size_t i = 0; i < task.size; ++i)
        is_member_[static_cast<std::size_t>(task.set[i])] = 0;
    // A guess that can be the code for this set may not be in a subset; then the win is not one of
    // its classes.
    limits = {std::min(limits.member, member), std::min(limits.other, std::max(other, member - 1))};
    std::sort(level.candidates.begin(), level.candidates.end());
    return level.candidates.empty() ? bound : level.candidates.front().bound;
}

// With p parts, at most p codes are found within two guesses, and all others need three. The
// heaviest codes are assumed to be found first.
void Response::collect_for_small_set(const Task& task, Cost bound, Level& level, int& member,
                                     int& other) {
    const std::uint8_t* const first = guesses_to_try(task);
    const int all =
        // More than any guess has, so that the sweep does not stop.
        static_cast<int>(kMaxAnswers) + 2;
    sweep_parts(answers_, task.set, task.size, {all_guesses_.data(), all_guesses_.data()}, all,
                parts_.data(), max_parts_.data());
    std::array<Cost, kMaxAnswers + 1> sorted{};
    for (std::size_t i = 0; i < task.size; ++i) sorted[i] = weight(task.set[i]);
    std::sort(sorted.begin(), sorted.begin() + task.size, std::greater<>());
    std::array<Cost, kMaxAnswers + 1> within{};
    for (std::size_t parts = 1; parts <= task.size; ++parts)
        within[parts] = within[parts - 1] + sorted[parts - 1];
    const Cost whole = within[task.size];
    const std::size_t blocks = answers_.blocks();
    for (std::size_t block = 0; block < blocks; ++block) {
        const std::size_t end = std::min(answers_.codes, (block + 1) * Answers::kBlock);
        for (std::size_t guess = block * Answers::kBlock; guess < end; ++guess) {
            const int parts = parts_[guess] - is_member_[guess];  // the win counts twice
            int& most = is_member_[guess] ? member : other;
            most = std::max(most, parts);
            if (parts < 2 || !first[guess]) continue;
            Cost cost = 3 * whole - within[static_cast<std::size_t>(parts)];
            if (is_member_[guess]) cost -= weight(static_cast<std::int32_t>(guess));
            if (cost < bound)
                level.candidates.push_back({cost, static_cast<std::uint32_t>(kMaxAnswers - parts),
                                            static_cast<std::int32_t>(guess)});
        }
    }
}

void Response::collect_for_large_set(const Task& task, Cost bound, Level& level, int& member,
                                     int& other) {
    const std::uint8_t* const first = guesses_to_try(task);
    const std::size_t many = answers_.answers;
    const std::size_t kinds = weights_.size();
    const Cost whole = weight(task.set, task.size);
    for (std::size_t guess = 0; guess < answers_.codes; ++guess) {
        if (!first[guess]) continue;
        std::fill(counts_.begin(), counts_.begin() + many * kinds, 0);
        const std::uint8_t* const row = answers_.of_guess(guess);
        for (std::size_t i = 0; i < task.size; ++i) {
            const auto code = static_cast<std::size_t>(task.set[i]);
            ++counts_[row[code] * kinds + kinds_[code]];
        }
        Cost cost = whole;
        std::uint32_t squares = 0;
        int parts = is_member_[guess];
        for (std::size_t answer = 0; answer + 1 < many; ++answer) {
            const std::uint32_t* const counts = counts_.data() + answer * kinds;
            const std::uint32_t size = std::accumulate(counts, counts + kinds, 0u);
            if (size == 0) continue;
            ++parts;
            squares += size * size;
            cost += lower_bound(counts, task.limits);
        }
        int& most = is_member_[guess] ? member : other;
        most = std::max(most, parts);
        if (parts >= 2 && cost < bound)
            level.candidates.push_back({cost, squares, static_cast<std::int32_t>(guess)});
    }
}

void Response::make_classes(const Task& task, std::int32_t guess, Level& level) {
    const std::uint8_t* const row = answers_.of_guess(static_cast<std::size_t>(guess));
    std::array<std::size_t, kMaxAnswers> places{};
    for (std::size_t i = 0; i < task.size; ++i) ++places[row[task.set[i]]];
    level.classes.clear();
    std::size_t begin = 0;
    for (std::size_t answer = 0; answer < answers_.answers; ++answer) {
        const std::size_t size = places[answer];
        places[answer] = begin;
        if (size > 0 && answer != answers_.win()) level.classes.push_back({begin, size, 0, false});
        begin += size;
    }
    level.codes.resize(task.size);
    for (std::size_t i = 0; i < task.size; ++i)
        level.codes[places[row[task.set[i]]]++] = task.set[i];
}

Response::Cost Response::evaluate(const Task& task, ClassLimits limits, std::int32_t guess,
                                  Cost bound) {
    Level& level = this->level(task.depth);
    make_classes(task, guess, level);
    Cost sum = weight(task.set, task.size);
    for (Class& part : level.classes) {
        part.bound = lower_bound(level.codes.data() + part.begin, part.size, limits);
        part.is_exact = part.size <= 2;
        sum += part.bound;
    }
    for (Class& part : level.classes) {
        if (sum >= bound) return sum;
        if (part.is_exact) continue;
        const std::int32_t* const set = level.codes.data() + part.begin;
        const Known* const known = look_up(set, part.size, key_of(set, part.size));
        if (!known || known->cost < part.bound) continue;
        sum += known->cost - part.bound;
        part.bound = known->cost;
        part.is_exact = known->is_exact;
    }
    std::stable_sort(level.classes.begin(), level.classes.end(),
                     [](const Class& one, const Class& other) { return one.size < other.size; });
    history_.push_back(guess);
    for (std::size_t i = 0; i < level.classes.size() && sum < bound; ++i) {
        const Class part = level.classes[i];
        if (part.is_exact) continue;
        const Task next{level.codes.data() + part.begin, part.size, task.depth + 1, limits};
        sum += solve(next, bound - (sum - part.bound)) - part.bound;
    }
    history_.pop_back();
    return sum;
}

std::vector<std::int32_t> Response::tree() {
    history_.clear();
    tree_.clear();
    build_tree(root());
    return tree_;
}

void Response::build_tree(const Task& task) {
    std::int32_t chosen = task.set[0];
    ClassLimits limits = task.limits;
    if (task.size == 2 && weight(task.set[1]) > weight(chosen)) chosen = task.set[1];
    if (task.size > 2) {
        const Cost cost = solve(task, kInfiniteCost);
        collect_candidates(task, cost + 1, limits);
        const std::vector<Candidate> candidates = level(task.depth).candidates;
        const auto place =
            std::find_if(candidates.begin(), candidates.end(), [&](const auto& candidate) {
                return evaluate(task, limits, candidate.guess, cost + 1) == cost;
            });
        if (place == candidates.end()) throw std::logic_error("a cost that was found has a guess");
        chosen = place->guess;
    }
    tree_.push_back(chosen);
    Level own;
    make_classes(task, chosen, own);
    history_.push_back(chosen);
    for (const Class& part : own.classes)
        build_tree({own.codes.data() + part.begin, part.size, task.depth + 1, limits});
    history_.pop_back();
}

}  // namespace mmsat::optimal
