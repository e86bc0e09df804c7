#include "optimal/response.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>

namespace mmsat::optimal {

namespace {

constexpr std::size_t kMostAnswers = 64;
constexpr std::size_t kMostKinds = 64;
constexpr std::size_t kSymmetricDepth = 2;  // largest depth at which equivalent guesses are skipped
// Minimum and maximum size of sets that are stored up to symmetry.
constexpr std::size_t kLeastSymmetric = 5;
constexpr std::size_t kMostSymmetric = 4000;
constexpr std::uint64_t kChecked = 1 << 8;  // sets searched between two checks for interruption

}  // namespace

Response::Response(Answers answers, Exchanges exchanges, std::vector<std::uint8_t> kinds,
                   std::vector<Cost> weights, Interrupt::Poll poll, int hash_bits)
    : answers_(answers),
      exchanges_(std::move(exchanges)),
      kinds_(std::move(kinds)),
      weights_(std::move(weights)),
      heaviest_(weights_.size()),
      interrupt_(std::move(poll)),
      all_(answers.codes),
      rooms_((kMostAnswers + 1) * (kMostAnswers + 1)),
      everything_(answers.stride, 1),
      parts_(answers.stride),
      peaks_(answers.blocks()),
      is_member_(answers.stride),
      counts_(kMostAnswers * kMostKinds),
      hash_mask_(high_bits(hash_bits)) {
    if (answers.answers > kMostAnswers) throw std::invalid_argument("at most 64 answers");
    if (weights_.size() > kMostKinds) throw std::invalid_argument("at most 64 kinds");
    std::iota(all_.begin(), all_.end(), 0);
    for (std::size_t code = 0; code < answers.codes; ++code)
        plain_.push_back(contribution(code + (std::uint64_t{1} << 40)));
    std::iota(heaviest_.begin(), heaviest_.end(), std::uint8_t{0});
    std::stable_sort(heaviest_.begin(), heaviest_.end(),
                     [&](auto one, auto other) { return weights_[one] > weights_[other]; });
}

Response::Level& Response::level(std::size_t depth) {
    while (levels_.size() <= depth) levels_.push_back(std::make_unique<Level>());
    return *levels_[depth];
}

Response::Task Response::root() const {
    const int most = static_cast<int>(answers_.answers);
    return {all_.data(), all_.size(), 0, {most, most - 1}};
}

bool Response::is_renamed(std::size_t size) const {
    return exchanges_.any() && size >= kLeastSymmetric && size <= kMostSymmetric;
}

Response::Label Response::label(const std::int32_t* set, std::size_t size) const {
    Label label{};
    if (is_renamed(size))
        label.key = exchanges_.key(set, size, &label.order);
    else
        for (std::size_t i = 0; i < size; ++i)
            label.key += plain_[static_cast<std::size_t>(set[i])];
    label.key.first &= hash_mask_;
    label.key.second &= hash_mask_;
    return label;
}

std::vector<std::uint16_t> Response::named(const std::int32_t* set, std::size_t size,
                                           const Label& label) const {
    if (is_renamed(size)) return exchanges_.renamed(set, size, label.order);
    return {set, set + size};
}

const Response::Known* Response::recall(const std::int32_t* set, std::size_t size,
                                        const Label& label) const {
    const auto found = memo_.find(label.key);
    if (found == memo_.end() || found->second.codes != named(set, size, label)) return nullptr;
    return &found->second;
}

// If the key is already used for another set, the new set replaces it.
void Response::remember(const Task& task, const Label& label, Cost cost, bool is_exact) {
    Known& known = memo_[label.key];
    std::vector<std::uint16_t> codes = named(task.set, task.size, label);
    if (!is_exact && known.codes == codes) cost = std::max(known.cost, cost);
    known = {cost, is_exact, std::move(codes)};
}

Response::Cost Response::weight(const std::int32_t* set, std::size_t size) const {
    Cost sum = 0;
    for (std::size_t each = 0; each < size; ++each) sum += weight(set[each]);
    return sum;
}

// In each step, a guess that can be the code finds that code, and in each of its other classes as
// many codes as before are found.
const std::vector<std::uint32_t>& Response::room(Reach reach) {
    auto& room = rooms_[static_cast<std::size_t>(reach.member) * (kMostAnswers + 1) +
                        static_cast<std::size_t>(reach.other)];
    if (!room.empty()) return room;
    std::uint64_t found = 1;
    while (found < answers_.codes) {
        room.push_back(static_cast<std::uint32_t>(found));
        const auto others = static_cast<std::uint64_t>(std::max(reach.member - 1, 0));
        const std::uint64_t more = found * static_cast<std::uint64_t>(reach.other);
        found = std::max(1 + others * found, more);
        if (found == room.back()) break;  // no larger set has such a reach
    }
    room.push_back(static_cast<std::uint32_t>(answers_.codes));
    return room;
}

Response::Cost Response::floor(const std::uint32_t* counts, Reach reach) {
    const std::vector<std::uint32_t>& room = this->room(reach);
    Cost cost = 0;
    std::size_t turn = 0;
    std::uint32_t found = 0;
    for (const std::uint8_t kind : heaviest_) {
        std::uint32_t left = counts[kind];
        while (left > 0) {
            while (room[turn] <= found) ++turn;
            const std::uint32_t taken = std::min(left, room[turn] - found);
            cost += static_cast<Cost>(taken) * static_cast<Cost>(turn + 1) * weights_[kind];
            left -= taken;
            found += taken;
        }
    }
    return cost;
}

Response::Cost Response::floor(const std::int32_t* set, std::size_t size, Reach reach) {
    std::array<std::uint32_t, kMostKinds> counts{};
    for (std::size_t each = 0; each < size; ++each)
        ++counts[kinds_[static_cast<std::size_t>(set[each])]];
    return floor(counts.data(), reach);
}

const std::uint8_t* Response::allowed(const Task& task) {
    if (task.depth > kSymmetricDepth) return everything_.data();
    Level& level = this->level(task.depth);
    level.firsts.assign(answers_.stride, 0);
    exchanges_.firsts(history_, level.firsts.data());
    return level.firsts.data();
}

Response::Cost Response::solve() {
    history_.clear();
    return solve(root(), kNever);
}

Response::Cost Response::solve(const Task& task, Cost bound) {
    const Cost least = floor(task.set, task.size, task.reach);
    if (task.size <= 2 || least >= bound) return least;
    if (++sets_ % kChecked == 0) interrupt_.check();
    const Label label = this->label(task.set, task.size);
    const Known* const known = recall(task.set, task.size, label);
    if (known && (known->is_exact || known->cost >= bound)) return known->cost;
    const Cost cost = search(task, bound);
    remember(task, label, cost, cost < bound);
    return cost;
}

Response::Cost Response::search(const Task& task, Cost bound) {
    Reach reach = task.reach;
    const Cost low = gather(task, bound, reach);
    if (low >= bound) return low;
    Level& level = this->level(task.depth);
    level.tried.clear(level.candidates.size());
    Cost best = bound;
    for (std::size_t each = 0; each < level.candidates.size(); ++each) {
        const Candidate candidate = level.candidates[each];
        if (candidate.bound >= best) break;
        if (task.size < answers_.codes && !is_new_partition(task, candidate.guess)) continue;
        best = std::min(best, evaluate(task, reach, candidate.guess, best));
    }
    return best;
}

// Add the partition of the set by a guess; return whether no tried guess has the same one. The hash
// identifies classes by their order of appearance, not by their answers, except for the win.
bool Response::is_new_partition(const Task& task, std::int32_t guess) {
    Level& level = this->level(task.depth);
    const std::uint8_t* const row = answers_.of_guess(static_cast<std::size_t>(guess));
    level.labels.resize(task.size);
    std::array<std::uint8_t, kMostAnswers> names{};
    std::uint8_t many = 0;
    std::uint64_t hash = 0;
    for (std::size_t i = 0; i < task.size; ++i) {
        const std::uint8_t answer = row[task.set[i]];
        level.labels[i] = answer;
        if (names[answer] == 0) names[answer] = ++many;
        const std::uint64_t name = answer == answers_.win() ? kMostAnswers + 1 : names[answer];
        hash = (hash ^ name) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 29;
    }
    return level.tried.add(hash & hash_mask_, guess, [&](std::int32_t other) {
        return have_same_partition(answers_, task.set, task.size, level.labels.data(), other);
    });
}

Response::Cost Response::gather(const Task& task, Cost bound, Reach& reach) {
    Level& level = this->level(task.depth);
    level.candidates.clear();
    int member = 0;
    int other = 0;
    for (std::size_t each = 0; each < task.size; ++each)
        is_member_[static_cast<std::size_t>(task.set[each])] = 1;
    if (task.size <= answers_.answers)
        gather_few(task, bound, level, member, other);
    else
        gather_many(task, bound, level, member, other);
    for (std::size_t each = 0; each < task.size; ++each)
        is_member_[static_cast<std::size_t>(task.set[each])] = 0;
    // A guess that can be the code for this set may not be in a subset; then the win is not one of
    // its classes.
    reach = {std::min(reach.member, member), std::min(reach.other, std::max(other, member - 1))};
    std::sort(level.candidates.begin(), level.candidates.end());
    return level.candidates.empty() ? bound : level.candidates.front().bound;
}

// With p parts, at most p codes are found within two guesses, and all others need three. The
// heaviest codes are assumed to be found first.
void Response::gather_few(const Task& task, Cost bound, Level& level, int& member, int& other) {
    const std::uint8_t* const first = allowed(task);
    const int all =
        // More than any guess has, so that the sweep does not stop.
        static_cast<int>(kMostAnswers) + 2;
    sweep_parts(answers_, task.set, task.size, {everything_.data(), everything_.data()}, all,
                parts_.data(), peaks_.data());
    std::array<Cost, kMostAnswers + 1> sorted{};
    for (std::size_t each = 0; each < task.size; ++each) sorted[each] = weight(task.set[each]);
    std::sort(sorted.begin(), sorted.begin() + task.size, std::greater<>());
    std::array<Cost, kMostAnswers + 1> within{};
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
                level.candidates.push_back({cost, static_cast<std::uint32_t>(kMostAnswers - parts),
                                            static_cast<std::int32_t>(guess)});
        }
    }
}

void Response::gather_many(const Task& task, Cost bound, Level& level, int& member, int& other) {
    const std::uint8_t* const first = allowed(task);
    const std::size_t many = answers_.answers;
    const std::size_t kinds = weights_.size();
    const Cost whole = weight(task.set, task.size);
    for (std::size_t guess = 0; guess < answers_.codes; ++guess) {
        if (!first[guess]) continue;
        std::fill(counts_.begin(), counts_.begin() + many * kinds, 0);
        const std::uint8_t* const row = answers_.of_guess(guess);
        for (std::size_t each = 0; each < task.size; ++each) {
            const auto code = static_cast<std::size_t>(task.set[each]);
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
            cost += floor(counts, task.reach);
        }
        int& most = is_member_[guess] ? member : other;
        most = std::max(most, parts);
        if (parts >= 2 && cost < bound)
            level.candidates.push_back({cost, squares, static_cast<std::int32_t>(guess)});
    }
}

void Response::divide(const Task& task, std::int32_t guess, Level& level) {
    const std::uint8_t* const row = answers_.of_guess(static_cast<std::size_t>(guess));
    std::array<std::size_t, kMostAnswers> places{};
    for (std::size_t each = 0; each < task.size; ++each) ++places[row[task.set[each]]];
    level.classes.clear();
    std::size_t begin = 0;
    for (std::size_t answer = 0; answer < answers_.answers; ++answer) {
        const std::size_t size = places[answer];
        places[answer] = begin;
        if (size > 0 && answer != answers_.win()) level.classes.push_back({begin, size, 0, false});
        begin += size;
    }
    level.codes.resize(task.size);
    for (std::size_t each = 0; each < task.size; ++each)
        level.codes[places[row[task.set[each]]]++] = task.set[each];
}

Response::Cost Response::evaluate(const Task& task, Reach reach, std::int32_t guess, Cost bound) {
    Level& level = this->level(task.depth);
    divide(task, guess, level);
    Cost sum = weight(task.set, task.size);
    for (Class& each : level.classes) {
        each.least = floor(level.codes.data() + each.begin, each.size, reach);
        each.is_exact = each.size <= 2;
        sum += each.least;
    }
    for (Class& each : level.classes) {
        if (sum >= bound) return sum;
        if (each.is_exact) continue;
        const std::int32_t* const set = level.codes.data() + each.begin;
        const Known* const known = recall(set, each.size, label(set, each.size));
        if (!known || known->cost < each.least) continue;
        sum += known->cost - each.least;
        each.least = known->cost;
        each.is_exact = known->is_exact;
    }
    std::stable_sort(level.classes.begin(), level.classes.end(),
                     [](const Class& one, const Class& other) { return one.size < other.size; });
    history_.push_back(guess);
    for (std::size_t each = 0; each < level.classes.size() && sum < bound; ++each) {
        const Class part = level.classes[each];
        if (part.is_exact) continue;
        const Task next{level.codes.data() + part.begin, part.size, task.depth + 1, reach};
        sum += solve(next, bound - (sum - part.least)) - part.least;
    }
    history_.pop_back();
    return sum;
}

std::vector<std::int32_t> Response::tree() {
    history_.clear();
    tree_.clear();
    grow(root());
    return tree_;
}

void Response::grow(const Task& task) {
    std::int32_t chosen = task.set[0];
    Reach reach = task.reach;
    if (task.size == 2 && weight(task.set[1]) > weight(chosen)) chosen = task.set[1];
    if (task.size > 2) {
        const Cost cost = solve(task, kNever);
        gather(task, cost + 1, reach);
        const std::vector<Candidate> candidates = level(task.depth).candidates;
        const auto place = std::find_if(
            candidates.begin(), candidates.end(),
            [&](const auto& each) { return evaluate(task, reach, each.guess, cost + 1) == cost; });
        if (place == candidates.end()) throw std::logic_error("a cost that was found has a guess");
        chosen = place->guess;
    }
    tree_.push_back(chosen);
    Level own;
    divide(task, chosen, own);
    history_.push_back(chosen);
    for (const Class& part : own.classes)
        grow({own.codes.data() + part.begin, part.size, task.depth + 1, reach});
    history_.pop_back();
}

}  // namespace mmsat::optimal
