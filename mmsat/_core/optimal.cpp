#include "optimal.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace mmsat::exact {

namespace {

constexpr int most_answers = 64;
constexpr int symmetric_depth = 2;         // down to which guesses that are alike are tried once
constexpr std::size_t least_symmetric = 5; // codes of a set that is remembered up to symmetry
constexpr std::size_t most_symmetric = 4000;
constexpr std::uint64_t long_work = 32;  // sets below it, for a set to be told to a checkpoint
constexpr std::size_t recent_bits = 16;

std::uint64_t mixed(std::uint64_t value) {
    value = (value ^ (value >> 32)) * 0xD6E8FEB86659FD93u;
    return value ^ (value >> 32);
}

// A candidate packs the bound, the squares of its classes and its number.
std::uint64_t packed(Total bound, std::uint64_t squares, std::uint64_t guess) {
    return static_cast<std::uint64_t>(bound) << 46 | squares << 16 | guess;
}

}  // namespace

struct Optimal::Class {
    std::size_t size;
    std::size_t begin;
    Total least;
    bool is_exact;
    bool is_known;
    bool has_key;
    Key plain;
    Key key;
};

struct Optimal::Worker {
    explicit Worker(const Optimal& search)
        : parts(search.answers_.stride),
          peaks(search.answers_.blocks()),
          bounds(search.answers_.stride),
          squares(search.answers_.stride),
          everything(search.answers_.stride, 1),
          recent(std::size_t{1} << recent_bits) {}

    struct Level {
        std::vector<std::uint64_t> candidates;
        std::vector<std::uint64_t> seen;
        std::vector<std::int32_t> classes;  // the codes of a guess's classes, one after the other
        std::vector<std::uint8_t> labels;
        std::vector<std::uint8_t> firsts;
        std::vector<std::uint8_t> blocks;
    };
    Level& level(int depth) {
        while (levels.size() <= static_cast<std::size_t>(depth))
            levels.push_back(std::make_unique<Level>());
        return *levels[static_cast<std::size_t>(depth)];
    }

    // What was found of a small set, by its codes in any order; no total if nothing was.
    Known& recently(const Key& plain, int left) {
        const std::uint64_t mark = plain.first + static_cast<std::uint64_t>(left);
        auto& place = recent[plain.second >> (64 - recent_bits)];
        if (place.first != mark) place = {mark, {}};
        return place.second;
    }

    std::vector<std::uint8_t> parts;
    std::vector<std::uint8_t> peaks;
    std::vector<std::uint32_t> bounds;
    std::vector<std::uint32_t> squares;
    std::vector<std::uint8_t> everything;
    std::vector<std::pair<std::uint64_t, Known>> recent;
    std::vector<std::unique_ptr<Level>> levels;
    std::vector<std::int32_t> history;
    std::atomic<std::uint64_t> sets{0};
};

// The guesses of one set, shared among threads.
struct Optimal::Split {
    Task task;
    Reach reach;
    const std::vector<std::uint64_t>* candidates;
    std::vector<std::int32_t> history;
    std::atomic<Total> bound;
    std::mutex mutex{};
    std::size_t next = 0;
    Total refuted = impossible;
    std::vector<std::uint64_t>* seen = nullptr;
    int active = 0;  // helpers inside; guarded by the search's mutex
};

Optimal::Optimal(Answers answers, Exchanges exchanges, Request request)
    : answers_(answers),
      exchanges_(std::move(exchanges)),
      request_(request),
      floors_(answers.codes, static_cast<int>(answers.answers), request.most_guesses),
      memo_(request.memo_bits),
      all_(answers.codes) {
    if (answers.answers > most_answers) throw std::invalid_argument("at most 64 answers");
    std::iota(all_.begin(), all_.end(), 0);
    for (std::size_t code = 0; code < answers.codes; ++code)
        plain_.push_back(contribution(code + (std::uint64_t{1} << 40)));
    for (int index = 0; index < std::max(1, request.threads); ++index)
        workers_.push_back(std::make_unique<Worker>(*this));
    for (int index = 1; index < request.threads; ++index)
        helpers_.emplace_back([this, index] { help(index); });
}

Optimal::~Optimal() {
    stop();
    {
        const std::lock_guard lock(mutex_);
        is_closing_ = true;
    }
    changed_.notify_all();
    for (std::thread& helper : helpers_) helper.join();
}

template <class Work>
void Optimal::launch(Work work) {
    stop();
    is_stopped_ = false;
    is_done_ = false;
    main_ = std::thread([this, work] {
        try {
            work(*workers_.front());
        } catch (const Stopped&) {
            is_stopped_ = true;
        } catch (...) {
            fail();
        }
        const std::lock_guard lock(mutex_);
        is_done_ = true;
        changed_.notify_all();
    });
}

// End the work for an error, which is kept.
void Optimal::fail() {
    const std::lock_guard lock(mutex_);
    error_ = std::current_exception();
    is_stopped_ = true;
}

Optimal::Task Optimal::root() const {
    const int most = static_cast<int>(answers_.answers);
    const Reach reach{most, request_.consistent_only ? 0 : most - 1};
    return {all_.data(), all_.size(), request_.most_guesses, 0, reach};
}

void Optimal::start(Total bound) {
    launch([this, bound](Worker& worker) {
        width_ = 0;
        worker.history.clear();
        best_ = bound;
        total_ = solve(worker, root(), bound);
    });
}

void Optimal::start_beam(std::size_t width, std::size_t most_exact) {
    launch([this, width, most_exact](Worker& worker) {
        width_ = width;
        most_exact_ = most_exact;
        worker.history.clear();
        total_ = solve(worker, root(), impossible);
    });
}

void Optimal::start_tree(Total total) {
    launch([this, total](Worker& worker) {
        tree_.clear();
        worker.history.clear();
        grow(worker, root(), total);
    });
}

bool Optimal::wait(double seconds) {
    std::unique_lock lock(mutex_);
    const bool is_done = changed_.wait_for(lock, std::chrono::duration<double>(seconds),
                                           [this] { return is_done_; });
    lock.unlock();
    if (is_done && main_.joinable()) main_.join();
    if (is_done && error_) std::rethrow_exception(std::exchange(error_, nullptr));
    return is_done;
}

void Optimal::stop() {
    is_stopped_ = true;
    if (main_.joinable()) main_.join();
}

Standing Optimal::standing() const {
    std::uint64_t sets = 0;
    for (const auto& worker : workers_) sets += worker->sets.load(std::memory_order_relaxed);
    return {best_, bound_, done_, sets};
}

std::vector<Finding> Optimal::findings() {
    const std::lock_guard lock(findings_mutex_);
    return std::exchange(findings_, {});
}

void Optimal::recall(const std::vector<Finding>& findings) {
    for (const Finding& each : findings)
        memo_.put(each.key, each.known, ~std::uint64_t{0} >> 8);
}

Key Optimal::key_of(const Task& task) const {
    Key key;
    if (task.size >= least_symmetric && task.size <= most_symmetric) {
        key = exchanges_.key(task.set, task.size);
    } else {
        for (std::size_t each = 0; each < task.size; ++each) {
            const Key own = plain_[static_cast<std::size_t>(task.set[each])];
            key.first += own.first;
            key.second += own.second;
        }
    }
    const auto salt = static_cast<std::uint64_t>(task.left) +
                      (width_ > 0 && task.size > most_exact_ ? (width_ << 8) : 0);
    return {mixed(key.first + salt * 0x9E3779B97F4A7C15u), mixed(key.second + salt)};
}

bool Optimal::is_perfect(const std::int32_t* set, std::size_t size, std::int32_t guess) const {
    const std::uint8_t* const row = answers_.of_guess(static_cast<std::size_t>(guess));
    std::uint64_t seen = 0;
    for (std::size_t each = 0; each < size; ++each) {
        const std::uint64_t bit = std::uint64_t{1} << row[set[each]];
        if (seen & bit) return false;
        seen |= bit;
    }
    return true;
}

bool Optimal::has_perfect(const std::int32_t* set, std::size_t size) const {
    for (std::size_t each = 0; each < size; ++each)
        if (is_perfect(set, size, set[each])) return true;
    return false;
}

Allowed Optimal::allowed(Worker& worker, const Task& task) {
    if (task.depth > symmetric_depth) return {worker.everything.data(), worker.everything.data()};
    Worker::Level& level = worker.level(task.depth);
    if (task.depth == 0) {
        level.firsts.assign(answers_.stride, 0);
        exchanges_.firsts({}, level.firsts.data());
        level.blocks.assign(answers_.blocks(), 0);
        for (std::size_t guess = 0; guess < answers_.codes; ++guess)
            level.blocks[guess / Answers::block] |= level.firsts[guess];
    }
    return {level.firsts.data(), level.blocks.data()};
}

// What is known of a small set, looked up by its codes and then by its key; no total if nothing is.
Known Optimal::recall_small(Worker& worker, const Task& task, Class& each) {
    Known& known = worker.recently(each.plain, task.left);
    if (known.total) return known;
    each.key = key_of(task);
    each.has_key = true;
    if (const auto found = memo_.find(each.key)) known = *found;
    return known;
}

// At least 3 times the codes less the parts of the guess that has most of them; not looked for
// beyond what `least` allows.
Known Optimal::parts_bound(Worker& worker, const Task& task, Total least) {
    const auto n = static_cast<Total>(task.size);
    const std::uint8_t* const all = worker.everything.data();
    const int peak = sweep_parts(answers_, task.set, task.size, {all, all}, 3 * n - least,
                                 worker.parts.data(), worker.peaks.data());
    const Total total = std::max(least, 3 * n - peak);
    return {total, total == 2 * n};
}

// What guesses do to a set, by a sweep over all of them.
Reach Optimal::reach_of(Worker& worker, const Task& task, Allowed allowed) {
    sweep_parts(answers_, task.set, task.size, allowed, most_answers + 1, worker.parts.data(),
                worker.peaks.data());
    int members = 1;
    for (std::size_t each = 0; each < task.size; ++each) {
        std::uint8_t& parts = worker.parts[static_cast<std::size_t>(task.set[each])];
        members = std::max(members, parts - 1);  // a win counts twice
        parts = 0;
    }
    const int others = *std::max_element(worker.parts.begin(), worker.parts.end());
    members = std::min(members, task.reach.member);
    return {members, std::max(std::min(others, task.reach.other), members - 1)};
}

Total Optimal::solve(Worker& worker, const Task& task, Total bound, const Key* known_key) {
    const std::size_t size = task.size;
    const auto n = static_cast<Total>(size);
    if (size == 1) return 1;
    if (task.left == 1) return impossible;
    if (size == 2) return 3;
    const Floor& floor = floors_.of(task.left, task.reach);
    if (size > floor.most) return impossible;
    if (floor.least[size] >= bound) return floor.least[size];
    if (size <= answers_.answers) {
        if (has_perfect(task.set, size)) return 2 * n - 1;
        if (task.left != 2) {
            if (size == 3) return 6;
            if (2 * n >= bound) return 2 * n;
        }
    }
    if (is_stopped_.load(std::memory_order_relaxed)) throw Stopped();
    worker.sets.store(worker.sets.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    const Key key = known_key ? *known_key : key_of(task);
    Total known = 0;
    if (const auto found = memo_.find(key)) {
        if (found->is_exact || found->total >= bound) return found->total;
        known = found->total;
    }
    return search(worker, task, bound, key, known);
}

Total Optimal::search(Worker& worker, const Task& task, Total bound, Key key, Total known) {
    const std::uint64_t before = worker.sets.load(std::memory_order_relaxed);
    Reach reach = task.reach;
    bool is_exact = false;
    const Total low = gather(worker, task, bound, reach, is_exact);
    if (is_exact || low >= bound) {
        memo_.put(key, {std::max(low, known), is_exact}, 1);
        return std::max(low, known);
    }
    Total refuted = impossible;
    const Total best = run_through(worker, task, reach, bound, refuted);
    Known result{best, true};
    if (best >= bound) {
        // no candidate is below the bound, and those that were left out are not, either
        result.total = std::max({std::min(bound, refuted), std::min(low, bound), known});
        result.total = std::max(result.total, bound);
        result.is_exact = result.total >= impossible;
    }
    const std::uint64_t work = worker.sets.load(std::memory_order_relaxed) - before;
    memo_.put(key, result, work + 1);
    if (work >= long_work && width_ == 0) {
        const std::lock_guard lock(findings_mutex_);
        findings_.push_back({key, result});
    }
    return result.total;
}

Total Optimal::gather(Worker& worker, const Task& task, Total bound, Reach& reach, bool& is_exact) {
    const std::size_t size = task.size;
    const auto n = static_cast<Total>(size);
    const std::int32_t* const set = task.set;
    auto& candidates = worker.level(task.depth).candidates;
    candidates.clear();
    const Allowed allowed = this->allowed(worker, task);
    std::array<std::uint32_t, most_answers> counts;
    const auto squares_of = [&](std::size_t guess) {
        counts.fill(0);
        const Column column = column_of(guess, size);
        for (std::size_t each = 0; each < size; ++each) ++counts[column[set[each]]];
        std::uint64_t squares = 0;
        for (std::size_t each = 0; each + 1 < answers_.answers; ++each)
            squares += std::uint64_t{counts[each]} * counts[each];
        return squares;
    };
    if (request_.consistent_only) {
        const Floor* floor = task.left == 2 ? nullptr : &floors_.of(next(task.left), {task.reach.member, 0});
        if (!floor) {  // a perfect one was looked for
            is_exact = true;
            return impossible;
        }
        Total low = impossible;
        int most = 1;
        for (std::size_t each = 0; each < size; ++each) {
            const auto guess = static_cast<std::size_t>(set[each]);
            const std::uint64_t squares = squares_of(guess);
            Total total = n;
            int parts = 1;
            for (std::size_t answer = 0; answer + 1 < answers_.answers; ++answer) {
                parts += counts[answer] > 0;
                total += floor->least[counts[answer]];
                if (total >= impossible) total = impossible;
            }
            most = std::max(most, parts);
            low = std::min(low, total);
            if (total < bound && allowed.guesses[guess])
                candidates.push_back(packed(total, squares, guess));
        }
        reach = {std::min(reach.member, most), 0};
        return low;
    }
    if (size <= answers_.answers) {
        const int enough = task.left == 2 ? most_answers + 1 : static_cast<int>(size);
        const int peak = sweep_parts(answers_, set, size, allowed, enough, worker.parts.data(),
                                     worker.peaks.data());
        const Total low = 3 * n - peak;
        if (task.left == 2) {
            is_exact = true;
            for (std::size_t guess = 0; guess < answers_.codes; ++guess)
                if (worker.parts[guess] == size && std::find(set, set + size, static_cast<std::int32_t>(guess)) == set + size)
                    return 2 * n;
            return impossible;
        }
        if (peak == static_cast<int>(size)) {
            is_exact = true;
            return 2 * n;
        }
        if (low >= bound) return low;
        const int needed = std::max<Total>(2, 3 * n - bound + 1);
        for (std::size_t block = 0; block < answers_.blocks(); ++block) {
            if (worker.peaks[block] < needed) continue;
            const std::size_t end = std::min(answers_.codes, (block + 1) * Answers::block);
            for (std::size_t guess = block * Answers::block; guess < end; ++guess)
                if (worker.parts[guess] >= needed && allowed.guesses[guess])
                    candidates.push_back(packed(3 * n - worker.parts[guess], squares_of(guess), guess));
        }
        return low;
    }
    if (task.left == 2) {
        is_exact = true;
        return impossible;
    }
    reach = reach_of(worker, task, allowed);
    const Total least = floors_.of(task.left, reach).least[size];
    if (least >= bound) return least;
    const Floor& floor = floors_.of(next(task.left), reach);
    sweep_classes(answers_, set, size, floor, allowed,
                 {worker.bounds.data(), worker.squares.data(), worker.parts.data()});
    std::uint32_t low = impossible;
    const std::uint64_t all_in_one = std::uint64_t{size} * size;
    for (std::size_t block = 0; block < answers_.blocks(); ++block) {
        if (!allowed.blocks[block]) continue;
        const std::size_t end = std::min(answers_.codes, (block + 1) * Answers::block);
        for (std::size_t guess = block * Answers::block; guess < end; ++guess) {
            if (!allowed.guesses[guess] || worker.squares[guess] >= all_in_one) continue;
            const std::uint32_t total = static_cast<std::uint32_t>(n) + worker.bounds[guess];
            low = std::min(low, total);
            if (total < static_cast<std::uint32_t>(bound))
                candidates.push_back(packed(static_cast<Total>(total), worker.squares[guess], guess));
        }
    }
    return std::max(static_cast<Total>(low), least);
}

Total Optimal::run_through(Worker& worker, const Task& task, Reach reach, Total bound, Total& refuted) {
    Worker::Level& level = worker.level(task.depth);
    auto& candidates = level.candidates;
    std::sort(candidates.begin(), candidates.end());
    std::size_t space = 16;
    while (space < 2 * candidates.size()) space *= 2;
    level.seen.assign(space, 0);
    const bool is_narrow = width_ > 0 && task.size > most_exact_;
    Total best = impossible;
    if (task.depth == 1 && !helpers_.empty() && !is_narrow && candidates.size() > 1) {
        Split split{task, reach, &candidates, worker.history, {bound}};
        split.seen = &level.seen;
        {
            const std::lock_guard lock(mutex_);
            open_ = &split;
        }
        changed_.notify_all();
        const auto close = [&] {
            std::unique_lock lock(mutex_);
            open_ = nullptr;
            changed_.wait(lock, [&] { return split.active == 0; });
        };
        try {
            while (true) {
                std::size_t mine;
                {
                    const std::lock_guard lock(split.mutex);
                    mine = split.next++;
                }
                if (mine >= candidates.size()) break;
                const auto total = static_cast<Total>(candidates[mine] >> 46);
                const Total now = split.bound;
                if (total >= now) break;
                const Total found = evaluate(worker, task, reach, static_cast<std::int32_t>(candidates[mine] & 0xFFFF), now, &split);
                const std::lock_guard lock(split.mutex);
                if (found < split.bound) split.bound = found;
            }
        } catch (...) {
            is_stopped_ = true;
            close();
            throw;
        }
        close();
        if (is_stopped_) throw Stopped();
        return split.bound < bound ? split.bound.load() : impossible;
    }
    std::size_t tried = 0;
    std::size_t number = 0;
    for (const std::uint64_t candidate : candidates) {
        const auto total = static_cast<Total>(candidate >> 46);
        if (task.depth == 0) {
            bound_ = std::min(total, bound);
            share_ = 1.0 / static_cast<double>(candidates.size());
            done_ = share_ * static_cast<double>(number++);
        }
        if (total >= bound) {
            refuted = std::min(refuted, total);
            break;
        }
        if (is_narrow && best < impossible && tried >= width_) break;
        const Total found = evaluate(worker, task, reach, static_cast<std::int32_t>(candidate & 0xFFFF), bound, nullptr);
        if (found == -1) continue;  // its classes were tried
        ++tried;
        if (found >= bound) {
            refuted = std::min(refuted, found);
            continue;
        }
        best = bound = found;
        if (task.depth == 0) best_ = best;
        if (request_.any) break;
    }
    return best;
}

void Optimal::help(int index) {
    Worker& worker = *workers_[static_cast<std::size_t>(index)];
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [&] { return is_closing_ || (open_); });
        if (is_closing_) return;
        Split& split = *open_;
        ++split.active;
        lock.unlock();
        worker.history = split.history;
        try {
            while (!is_stopped_) {
                std::size_t mine;
                {
                    const std::lock_guard inner(split.mutex);
                    mine = split.next++;
                }
                if (mine >= split.candidates->size()) break;
                const std::uint64_t candidate = (*split.candidates)[mine];
                const Total now = split.bound;
                if (static_cast<Total>(candidate >> 46) >= now) break;
                const Total found = evaluate(worker, split.task, split.reach, static_cast<std::int32_t>(candidate & 0xFFFF), now, &split);
                const std::lock_guard inner(split.mutex);
                if (found >= 0 && found < split.bound) split.bound = found;
            }
        } catch (const Stopped&) {
            is_stopped_ = true;
        } catch (...) {
            fail();
        }
        lock.lock();
        --split.active;
        if (open_ == &split) open_ = nullptr;  // its candidates are taken
        changed_.notify_all();
    }
}

// -1 where another guess had the same classes.
Total Optimal::evaluate(Worker& worker, const Task& task, Reach reach, std::int32_t guess, Total bound,
                        Split* split) {
    const std::size_t size = task.size;
    const int left = next(task.left);
    const Floor& floor = floors_.of(left, reach);
    Worker::Level& level = worker.level(task.depth);
    const Column row = column_of(static_cast<std::size_t>(guess), size);
    const std::size_t others = answers_.win();
    std::array<std::uint32_t, most_answers> counts{};
    std::array<Key, most_answers> sums{};
    level.labels.resize(size);
    for (std::size_t each = 0; each < size; ++each) {
        const auto code = static_cast<std::size_t>(task.set[each]);
        const std::uint8_t label = row[task.set[each]];
        level.labels[each] = label;
        ++counts[label];
        sums[label].first += plain_[code].first;
        sums[label].second += plain_[code].second;
    }
    Total low = static_cast<Total>(size);
    for (std::size_t answer = 0; answer < others; ++answer) {
        if (counts[answer] > floor.most) return impossible;
        low += floor.least[counts[answer]];
    }
    if (low >= bound) return low;
    // the same classes as those of an earlier guess?
    {
        std::uint64_t mark = 0;
        for (std::size_t answer = 0; answer <= others; ++answer)
            if (counts[answer]) mark += mixed(sums[answer].first + (answer == others ? 77 : 0));
        if (mark == 0) mark = 1;
        auto& seen = split ? *split->seen : level.seen;
        std::unique_lock<std::mutex> lock;
        if (split) lock = std::unique_lock(split->mutex);
        std::size_t place = mark & (seen.size() - 1);
        while (seen[place] != 0 && seen[place] != mark) place = (place + 1) & (seen.size() - 1);
        if (seen[place] == mark) return split ? impossible : -1;
        seen[place] = mark;
    }
    std::array<Class, most_answers> classes;
    std::size_t many = 0;
    {
        std::array<std::size_t, most_answers> places;
        std::size_t place = 0;
        for (std::size_t answer = 0; answer < others; ++answer) {
            places[answer] = place;
            if (counts[answer] >= 3) {
                classes[many++] = {counts[answer], place, floor.least[counts[answer]], false, false, false, sums[answer], {}};
            }
            place += counts[answer];
        }
        level.classes.resize(size);
        for (std::size_t each = 0; each < size; ++each)
            if (level.labels[each] != others)
                level.classes[places[level.labels[each]]++] = task.set[each];
    }
    const std::int32_t* const codes = level.classes.data();
    const auto raise = [&](Class& each, Total total) {
        if (total > each.least) {
            low += total - each.least;
            each.least = total;
        }
        return low >= bound;
    };
    std::sort(classes.begin(), classes.begin() + static_cast<std::ptrdiff_t>(many),
              [](const Class& one, const Class& other) {
                  return one.size != other.size ? one.size < other.size : one.begin < other.begin;
              });
    for (std::size_t index = 0; index < many; ++index) {
        Class& each = classes[index];
        if (each.size > answers_.answers) break;
        const auto n = static_cast<Total>(each.size);
        if (has_perfect(codes + each.begin, each.size)) {
            each.is_exact = true;
            if (raise(each, 2 * n - 1)) return low;
        } else {
            if (each.size == 3 && left != 2) each.is_exact = true;
            if (raise(each, 2 * n)) return low;
        }
    }
    const auto child = [&](const Class& each) {
        return Task{codes + each.begin, each.size, left, task.depth + 1, reach};
    };
    for (std::size_t index = 0; index < many; ++index) {
        Class& each = classes[index];
        if (each.is_exact) continue;
        if (each.size <= answers_.answers) {
            const Known known = recall_small(worker, child(each), each);
            each.is_exact = known.is_exact;
            each.is_known = known.total > 0;
            if (each.is_known && raise(each, known.total)) return low;
            continue;
        }
        if (left == 2) return impossible;
        each.key = key_of(child(each));
        each.has_key = true;
        if (const auto known = memo_.find(each.key)) {
            each.is_exact = known->is_exact;
            each.is_known = true;
            if (raise(each, known->total)) return low;
        }
    }
    for (std::size_t index = 0; index < many; ++index) {
        Class& each = classes[index];
        if (each.is_exact || each.is_known) continue;
        if (each.size <= answers_.answers) {
            if (left == 2 || request_.consistent_only) continue;
            const Known found = parts_bound(worker, child(each), each.least);
            memo_.put(each.key, found, 1);
            worker.recently(each.plain, left) = found;
            each.is_exact = found.is_exact;
            if (raise(each, found.total)) return low;
            continue;
        }
        if (request_.consistent_only) continue;
        const std::uint8_t* const all = worker.everything.data();
        const Reach own = reach_of(worker, child(each), {all, all});
        if (raise(each, floors_.of(left, own).least[each.size])) {
            memo_.put(each.key, {each.least, false}, 1);
            return low;
        }
        const Floor& below = floors_.of(next(left), own);
        sweep_classes(answers_, codes + each.begin, each.size, below, {all, all},
                     {worker.bounds.data(), worker.squares.data(), worker.parts.data()});
        std::uint32_t least = impossible;
        for (std::size_t other = 0; other < answers_.codes; ++other)
            least = std::min(least, worker.bounds[other]);
        const Total total = static_cast<Total>(least + each.size);
        memo_.put(each.key, {std::max(total, each.least), false}, 1);
        if (raise(each, total)) return low;
    }
    if (task.depth < symmetric_depth) {
        worker.history.resize(static_cast<std::size_t>(task.depth));
        worker.history.push_back(guess);
        Worker::Level& below = worker.level(task.depth + 1);
        below.firsts.assign(answers_.stride, 0);
        exchanges_.firsts(worker.history, below.firsts.data());
        below.blocks.assign(answers_.blocks(), 0);
        for (std::size_t other = 0; other < answers_.codes; ++other)
            below.blocks[other / Answers::block] |= below.firsts[other];
    }
    for (std::size_t index = 0; index < many; ++index) {
        Class& each = classes[index];
        if (each.is_exact) continue;
        const Total total = solve(worker, child(each), bound - (low - each.least), each.has_key ? &each.key : nullptr);
        if (raise(each, total)) return low;
        if (task.depth == 0)
            done_ = done_ + share_ * static_cast<double>(each.size) / static_cast<double>(size);
    }
    return low;
}

// A guess that has the total, the first in the order of the search.
std::int32_t Optimal::choose(Worker& worker, const Task& task, Total total) {
    if (task.size <= 2) return task.set[0];
    if (task.size <= answers_.answers)
        for (std::size_t each = 0; each < task.size; ++each)
            if (is_perfect(task.set, task.size, task.set[each])) return task.set[each];
    Reach reach = task.reach;
    bool is_exact = false;
    auto& level = worker.level(task.depth);
    const Total bound = request_.any ? impossible : total + 1;
    gather(worker, task, bound, reach, is_exact);
    if (is_exact) {  // one that makes a class of each code, or of all but one and itself
        for (std::size_t guess = 0; guess < answers_.codes; ++guess)
            if (worker.parts[guess] == task.size &&
                (task.left != 2 || std::find(task.set, task.set + task.size, static_cast<std::int32_t>(guess)) ==
                                       task.set + task.size))
                return static_cast<std::int32_t>(guess);
    }
    std::sort(level.candidates.begin(), level.candidates.end());
    const bool is_narrow = width_ > 0 && task.size > most_exact_;
    std::int32_t best = -1;
    Total least = impossible;
    std::size_t tried = 0;
    const std::vector<std::uint64_t> candidates = level.candidates;
    for (const std::uint64_t candidate : candidates) {
        const auto guess = static_cast<std::int32_t>(candidate & 0xFFFF);
        level.seen.assign(16, 0);
        const Total found = evaluate(worker, task, reach, guess, is_narrow ? impossible : bound, nullptr);
        if (found < least) {
            least = found;
            best = guess;
        }
        if (least < impossible && (request_.any || least <= total || (is_narrow && ++tried > width_)))
            break;
    }
    if (best < 0) throw std::logic_error("no guess has the total that was found");
    return best;
}

void Optimal::grow(Worker& worker, const Task& task, Total total) {
    const std::int32_t guess = choose(worker, task, total);
    tree_.push_back(guess);
    std::vector<std::vector<std::int32_t>> classes(answers_.win());
    const std::uint8_t* const row = answers_.of_guess(static_cast<std::size_t>(guess));
    for (std::size_t each = 0; each < task.size; ++each)
        if (row[task.set[each]] != answers_.win()) classes[row[task.set[each]]].push_back(task.set[each]);
    for (const auto& codes : classes) {
        if (codes.empty()) continue;
        worker.history.resize(std::min<std::size_t>(worker.history.size(), static_cast<std::size_t>(task.depth)));
        if (task.depth < symmetric_depth) {
            worker.history.push_back(guess);
            Worker::Level& below = worker.level(task.depth + 1);
            below.firsts.assign(answers_.stride, 0);
            exchanges_.firsts(worker.history, below.firsts.data());
            below.blocks.assign(answers_.blocks(), 0);
            for (std::size_t other = 0; other < answers_.codes; ++other)
                below.blocks[other / Answers::block] |= below.firsts[other];
        }
        const Task child{codes.data(), codes.size(), next(task.left), task.depth + 1, task.reach};
        grow(worker, child, solve(worker, child, impossible));
    }
}

}  // namespace mmsat::exact
