// Branch and bound for strategies with minimum cost (response.hpp). The cost of a set is the sum of
// weight times number of guesses over its codes. A member is a guess in the set.
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
// Number of sets that are searched between two checks for interruption.
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
      all_codes_(answers.num_codes),
      max_found_((kMaxAnswers + 1) * (kMaxAnswers + 1)),
      all_guesses_(answers.stride, 1),
      class_counts_(answers.stride),
      max_class_counts_(answers.blocks()),
      is_member_(answers.stride),
      counts_(kMaxAnswers * kMaxKinds),
      hash_mask_(high_bits(hash_bits)) {
    if (answers.num_answers > kMaxAnswers) throw std::invalid_argument("at most 64 answers");
    if (weights_.size() > kMaxKinds) throw std::invalid_argument("at most 64 kinds");
    std::iota(all_codes_.begin(), all_codes_.end(), 0);
    std::iota(kinds_by_weight_.begin(), kinds_by_weight_.end(), std::uint8_t{0});
    std::stable_sort(kinds_by_weight_.begin(), kinds_by_weight_.end(),
                     [&](auto one, auto other) { return weights_[one] > weights_[other]; });
}

Response::Level& Response::level(std::size_t depth) {
    while (levels_.size() <= depth) levels_.push_back(std::make_unique<Level>());
    return *levels_[depth];
}

Response::Task Response::root() const {
    const int answers = static_cast<int>(answers_.num_answers);
    // A member can have a class for each answer, and any other guess for each but the win.
    return {all_codes_.data(), all_codes_.size(), 0, {answers, answers - 1}};
}

Response::CanonicalKey Response::key_of(const std::int32_t* set, std::size_t size) const {
    CanonicalKey canonical{};
    canonical.key = canonicalizer_.key(set, size, &canonical.order);
    canonical.key.first &= hash_mask_;
    canonical.key.second &= hash_mask_;
    return canonical;
}

const Response::Known* Response::look_up(const std::int32_t* set, std::size_t size,
                                         const CanonicalKey& canonical) const {
    const auto entry = memo_.find(canonical.key);
    if (entry == memo_.end() ||
        entry->second.codes != canonicalizer_.hashed_codes(set, size, canonical.order))
        return nullptr;
    return &entry->second;
}

// If the key is already used for another set, the new set replaces it.
void Response::store(const Task& task, const CanonicalKey& canonical, Cost cost, bool is_exact) {
    Known& known = memo_[canonical.key];
    std::vector<std::uint16_t> codes =
        canonicalizer_.hashed_codes(task.set, task.size, canonical.order);
    if (!is_exact && known.codes == codes) cost = std::max(known.cost, cost);
    known = {cost, is_exact, std::move(codes)};
}

Response::Cost Response::weight(const std::int32_t* set, std::size_t size) const {
    Cost sum = 0;
    for (std::size_t i = 0; i < size; ++i) sum += weight(set[i]);
    return sum;
}

// One guess finds at most one code. Suppose that t guesses find at most n codes of any set. With a
// member before them, t + 1 guesses find the member and at most n codes in each of its other
// classes. With another guess, they find at most n codes in each of its classes.
const std::vector<std::uint32_t>& Response::max_found(ClassLimits limits) {
    auto& max_found = max_found_[static_cast<std::size_t>(limits.member) * (kMaxAnswers + 1) +
                                 static_cast<std::size_t>(limits.other)];
    if (!max_found.empty()) return max_found;
    std::uint64_t num_found = 1;
    while (num_found < answers_.num_codes) {
        max_found.push_back(static_cast<std::uint32_t>(num_found));
        const auto open_classes = static_cast<std::uint64_t>(std::max(limits.member - 1, 0));
        const std::uint64_t found_by_other = num_found * static_cast<std::uint64_t>(limits.other);
        num_found = std::max(1 + open_classes * num_found, found_by_other);
        if (num_found == max_found.back()) break;  // no larger set has such limits
    }
    max_found.push_back(static_cast<std::uint32_t>(answers_.num_codes));
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
    if (task.depth > static_cast<std::size_t>(kSymmetricDepth)) return all_guesses_.data();
    Level& level = this->level(task.depth);
    level.guesses.assign(answers_.stride, 0);
    canonicalizer_.find_representatives(history_, level.guesses.data());
    return level.guesses.data();
}

Response::Cost Response::solve() {
    return solve(all_codes_, {});
}

Response::Cost Response::solve(const std::vector<std::int32_t>& codes,
                               std::vector<std::int32_t> guesses) {
    history_ = std::move(guesses);
    return solve({codes.data(), codes.size(), history_.size(), root().limits}, kInfiniteCost);
}

Response::Cost Response::solve(const Task& task, Cost bound) {
    const Cost low = lower_bound(task.set, task.size, task.limits);
    if (task.size <= 2 || low >= bound) return low;
    if (++num_sets_ % kCheckInterval == 0) interrupt_.check();
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
    for (const Candidate candidate : level.candidates) {
        if (candidate.bound() >= best) break;
        const Cost cost = evaluate(task, limits, candidate.guess(), best);
        if (cost != kSamePartition) best = std::min(best, cost);
    }
    return best;
}

// Find the partition of a guess and add the guess to the tried guesses; return false if a tried
// guess has the same partition. The hash identifies classes by their order of appearance, not by
// their answers, except for the win.
bool Response::is_new_partition(const Task& task, std::int32_t guess) {
    Level& level = this->level(task.depth);
    std::array<std::uint8_t, kMaxAnswers> class_numbers{};  // from 1, in order of appearance
    std::uint8_t num_classes = 0;
    std::uint64_t hash = kGoldenRatio64;
    level.partition.find(
        answers_, task.set, task.size, guess, [&](std::int32_t, std::uint8_t answer) {
            if (class_numbers[answer] == 0) class_numbers[answer] = ++num_classes;
            hash = append_hash(hash,
                               answer == answers_.win() ? kMaxAnswers + 1 : class_numbers[answer]);
        });
    return level.tried.add(hash & hash_mask_, guess, level.partition, answers_, task.set);
}

Response::Cost Response::collect_candidates(const Task& task, Cost bound, ClassLimits& limits) {
    Level& level = this->level(task.depth);
    level.candidates.clear();
    int member_limit = 0;
    int other_limit = 0;
    for (std::size_t i = 0; i < task.size; ++i)
        is_member_[static_cast<std::size_t>(task.set[i])] = 1;
    if (task.size <= answers_.num_answers)
        collect_for_small_set(task, bound, level, member_limit, other_limit);
    else
        collect_for_large_set(task, bound, level, member_limit, other_limit);
    for (std::size_t i = 0; i < task.size; ++i)
        is_member_[static_cast<std::size_t>(task.set[i])] = 0;
    limits = task.limits.of_subset(member_limit, other_limit);
    std::sort(level.candidates.begin(), level.candidates.end());
    return level.candidates.empty() ? bound : level.candidates.front().bound();
}

// With c classes, at most c codes are found within two guesses, and all others need at least three.
// The bound assumes that the heaviest codes are found first.
void Response::collect_for_small_set(const Task& task, Cost bound, Level& level, int& member_limit,
                                     int& other_limit) {
    const std::uint8_t* const must_try = guesses_to_try(task);
    // Sweep over all guesses of all blocks. No class count reaches `stop_count`, so the sweep does
    // not stop early.
    const int stop_count = static_cast<int>(kMaxAnswers) + 2;
    sweep_class_counts(answers_, task.set, task.size, {all_guesses_.data(), all_guesses_.data()},
                       stop_count, class_counts_.data(), max_class_counts_.data());
    std::array<Cost, kMaxAnswers + 1> weights{};
    for (std::size_t i = 0; i < task.size; ++i) weights[i] = weight(task.set[i]);
    std::sort(weights.begin(), weights.begin() + task.size, std::greater<>());
    std::array<Cost, kMaxAnswers + 1> heaviest{};  // [n]: weight of the n heaviest codes
    for (std::size_t n = 1; n <= task.size; ++n) heaviest[n] = heaviest[n - 1] + weights[n - 1];
    const Cost total_weight = heaviest[task.size];
    const std::size_t blocks = answers_.blocks();
    for (std::size_t block = 0; block < blocks; ++block) {
        const std::size_t end = std::min(answers_.num_codes, (block + 1) * Answers::kBlock);
        for (std::size_t guess = block * Answers::kBlock; guess < end; ++guess) {
            // The class count of the sweep counts the win twice. Here it is counted once.
            const int num_classes = class_counts_[guess] - is_member_[guess];
            int& limit = is_member_[guess] ? member_limit : other_limit;
            limit = std::max(limit, num_classes);
            if (num_classes < 2 || !must_try[guess]) continue;
            Cost cost = 3 * total_weight - heaviest[static_cast<std::size_t>(num_classes)];
            if (is_member_[guess]) cost -= weight(static_cast<std::int32_t>(guess));
            if (cost < bound)
                // Ties are broken by the number of classes, not by the sum of the squared sizes of
                // the classes as for large sets.
                level.candidates.emplace_back(
                    cost, kMaxAnswers - static_cast<std::size_t>(num_classes), guess);
        }
    }
}

// The bound of a guess is the weight of the set plus the lower bounds of the classes. The limits
// include guesses whose bound is too large, because they may be tried for a subset.
void Response::collect_for_large_set(const Task& task, Cost bound, Level& level, int& member_limit,
                                     int& other_limit) {
    const std::uint8_t* const must_try = guesses_to_try(task);
    const std::size_t num_answers = answers_.num_answers;
    const std::size_t num_kinds = weights_.size();
    const Cost total_weight = weight(task.set, task.size);
    for (std::size_t guess = 0; guess < answers_.num_codes; ++guess) {
        if (!must_try[guess]) continue;
        std::fill(counts_.begin(), counts_.begin() + num_answers * num_kinds, 0);
        const std::uint8_t* const row = answers_.of_guess(guess);
        for (std::size_t i = 0; i < task.size; ++i) {
            const auto code = static_cast<std::size_t>(task.set[i]);
            ++counts_[row[code] * num_kinds + kinds_[code]];
        }
        Cost cost = total_weight;
        std::uint32_t squares = 0;
        int num_classes = is_member_[guess];
        for (std::size_t answer = 0; answer + 1 < num_answers; ++answer) {
            const std::uint32_t* const counts = counts_.data() + answer * num_kinds;
            const std::uint32_t size = std::accumulate(counts, counts + num_kinds, 0u);
            if (size == 0) continue;
            ++num_classes;
            squares += size * size;
            cost += lower_bound(counts, task.limits);
        }
        int& limit = is_member_[guess] ? member_limit : other_limit;
        limit = std::max(limit, num_classes);
        if (num_classes >= 2 && cost < bound) level.candidates.emplace_back(cost, squares, guess);
    }
}

// The lower bound of the guess is raised by known costs of its classes, and then by recursion, the
// smallest classes first, because they are solved quickly.
Response::Cost Response::evaluate(const Task& task, ClassLimits limits, std::int32_t guess,
                                  Cost bound) {
    Level& level = this->level(task.depth);
    if (!is_new_partition(task, guess)) return kSamePartition;
    level.partition.sort_codes(answers_, task.set);
    level.classes.clear();
    GuessBound<Cost> cost{bound, weight(task.set, task.size)};
    for (std::size_t answer = 0; answer < answers_.win(); ++answer) {
        const std::size_t size = level.partition.sizes[answer];
        if (size == 0) continue;
        const std::int32_t* const set =
            level.partition.codes.data() + level.partition.begins[answer];
        level.classes.push_back({set, size, lower_bound(set, size, limits), size <= 2});
        cost.bound += level.classes.back().bound;
    }
    if (cost.bound >= bound) return cost.bound;
    for (Class& answer_class : level.classes) {
        if (answer_class.is_exact) continue;
        const Known* const known = look_up(answer_class.set, answer_class.size,
                                           key_of(answer_class.set, answer_class.size));
        if (!known || known->cost < answer_class.bound) continue;
        answer_class.is_exact = known->is_exact;
        if (cost.raise(answer_class.bound, known->cost)) return cost.bound;
    }
    std::stable_sort(level.classes.begin(), level.classes.end(),
                     [](const Class& one, const Class& other) { return one.size < other.size; });
    history_.push_back(guess);
    for (Class& answer_class : level.classes) {
        if (answer_class.is_exact) continue;
        const Task next{answer_class.set, answer_class.size, task.depth + 1, limits};
        if (cost.raise(answer_class.bound, solve(next, cost.limit_of(answer_class.bound)))) break;
    }
    history_.pop_back();
    return cost.bound;
}

std::vector<std::int32_t> Response::tree() {
    history_.clear();
    tree_.clear();
    build_tree(root());
    return tree_;
}

void Response::build_tree(const Task& task) {
    std::int32_t guess = task.set[0];
    ClassLimits limits = task.limits;
    if (task.size == 2 && weight(task.set[1]) > weight(guess)) guess = task.set[1];
    if (task.size > 2) {
        const Cost cost = solve(task, kInfiniteCost);
        collect_candidates(task, cost + 1, limits);
        Level& level = this->level(task.depth);
        level.tried.clear(level.candidates.size());
        const auto best = std::find_if(
            level.candidates.begin(), level.candidates.end(), [&](const Candidate candidate) {
                return evaluate(task, limits, candidate.guess(), cost + 1) == cost;
            });
        if (best == level.candidates.end()) throw std::logic_error("no guess has the minimum cost");
        guess = best->guess();
    }
    tree_.push_back(guess);
    Partition partition;  // not that of the level, which the recursion overwrites
    partition.find(answers_, task.set, task.size, guess);
    partition.sort_codes(answers_, task.set);
    history_.push_back(guess);
    for (std::size_t answer = 0; answer < answers_.win(); ++answer)
        if (partition.sizes[answer] > 0)
            build_tree({partition.codes.data() + partition.begins[answer], partition.sizes[answer],
                        task.depth + 1, limits});
    history_.pop_back();
}

}  // namespace mmsat::optimal
