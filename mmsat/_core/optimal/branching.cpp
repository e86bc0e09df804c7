// The recursion: from a set to its guesses, from a guess to its classes, and back.
#include <algorithm>
#include <array>

#include "optimal/optimal.hpp"
#include "optimal/worker.hpp"

namespace mmsat::optimal {

namespace {

// Minimum number of sets searched below a set that is reported as a finding.
constexpr std::uint64_t kLongWork = 32;

}  // namespace

Total Optimal::solve(Worker& worker, const Task& task, Total bound, const Key* known_key) {
    const std::size_t size = task.size;
    const auto n = static_cast<Total>(size);
    if (size == 1) return 1;
    if (task.left == 1) return kImpossible;
    if (size == 2) return 3;
    const Floor& floor = floors_.of(task.left, task.reach);
    if (size > floor.most) return kImpossible;
    if (floor.least[size] >= bound) return floor.least[size];
    // A guess that distinguishes all codes of a small set and is one of them has total 2n - 1, and
    // any other guess needs at least 2n.
    if (size <= answers_.answers) {
        if (has_perfect(task.set, size)) return 2 * n - 1;
        if (task.left != 2) {
            if (size == 3) return 6;
            if (2 * n >= bound) return 2 * n;
        }
    }
    interrupt_.check();
    worker.sets.store(worker.sets.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    if (most_sets_ && worker.sets > most_sets_) throw Stopped();
    const Key key = known_key ? *known_key : key_of(task);
    Total known = 0;
    if (const auto found = worker.look_up(memo_, key)) {
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
    Total refuted = kImpossible;
    const Total best = run_through(worker, task, reach, bound, refuted);
    Known result{best, true};
    if (best >= bound) {
        // No candidate is below the bound, and neither are the guesses that were not candidates.
        result.total = std::max({std::min(bound, refuted), std::min(low, bound), known});
        result.total = std::max(result.total, bound);
        result.is_exact = result.total >= kImpossible;
    }
    const std::uint64_t work = worker.sets.load(std::memory_order_relaxed) - before;
    memo_.put(key, result, work + 1);
    if (work >= kLongWork && width_ == 0) {
        const std::lock_guard lock(findings_mutex_);
        findings_.push_back({key, result});
    }
    return result.total;
}

Total Optimal::run_through(Worker& worker, const Task& task, Reach reach, Total bound,
                           Total& refuted) {
    Worker::Level& level = worker.level(task.depth);
    auto& candidates = level.candidates;
    std::sort(candidates.begin(), candidates.end());
    level.tried.clear(candidates.size());
    const bool is_narrow = this->is_narrow(task);
    Total best = kImpossible;
    // The sets after the first guess are large, so their candidates are shared with the helpers.
    if (task.depth == 1 && !helpers_.empty() && !is_narrow && candidates.size() > 1) {
        Split split{task, reach, &candidates, worker.history, {bound}};
        split.tried = &level.tried;
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
                const Total found =
                    evaluate(worker, task, reach,
                             static_cast<std::int32_t>(candidates[mine] & 0xFFFF), now, &split);
                const std::lock_guard lock(split.mutex);
                if (found < split.bound) split.bound = found;
            }
        } catch (...) {
            interrupt_.stop();
            close();
            throw;
        }
        close();
        interrupt_.check();
        return split.bound < bound ? split.bound.load() : kImpossible;
    }
    std::size_t tried = 0;
    std::size_t number = 0;
    for (const std::uint64_t candidate : candidates) {
        const Total total = is_narrow ? 0 : static_cast<Total>(candidate >> 46);
        if (task.depth == 0) {
            // A beam search skips guesses, so it has no bound.
            if (width_ == 0) bound_ = std::min(total, bound);
            share_ = 1.0 / static_cast<double>(candidates.size());
            done_ = share_ * static_cast<double>(number++);
        }
        if (total >= bound) {
            refuted = std::min(refuted, total);
            break;
        }
        if (is_narrow && std::min(best, refuted) < kImpossible && tried >= width_) break;
        const Total found = evaluate(worker, task, reach,
                                     static_cast<std::int32_t>(candidate & 0xFFFF), bound, nullptr);
        if (found == -1) continue;  // an earlier guess had the same classes
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
            while (!interrupt_.is_stopped()) {
                std::size_t mine;
                {
                    const std::lock_guard inner(split.mutex);
                    mine = split.next++;
                }
                if (mine >= split.candidates->size()) break;
                const std::uint64_t candidate = (*split.candidates)[mine];
                const Total now = split.bound;
                if (static_cast<Total>(candidate >> 46) >= now) break;
                const Total found =
                    evaluate(worker, split.task, split.reach,
                             static_cast<std::int32_t>(candidate & 0xFFFF), now, &split);
                const std::lock_guard inner(split.mutex);
                if (found >= 0 && found < split.bound) split.bound = found;
            }
        } catch (const Stopped&) {
            interrupt_.stop();
        } catch (...) {
            fail();
        }
        lock.lock();
        --split.active;
        if (open_ == &split) open_ = nullptr;  // all of its candidates are taken
        changed_.notify_all();
    }
}

// The lower bound of the guess is raised in steps of increasing cost: floors by class size, perfect
// guesses for small classes, known totals, a sweep over the guesses of each class, and recursion.
Total Optimal::evaluate(Worker& worker, const Task& task, Reach reach, std::int32_t guess,
                        Total bound, Split* split) {
    const std::size_t size = task.size;
    const int left = next(task.left);
    const Floor& floor = floors_.of(left, reach);
    Worker::Level& level = worker.level(task.depth);
    const Answers::Column row = answers_.column(guess, size);
    const std::size_t others = answers_.win();
    std::array<std::uint32_t, kMostAnswers> counts;
    std::vector<Key>& sums = level.sums;
    std::fill_n(counts.begin(), answers_.answers, 0);
    sums.assign(answers_.answers, {});
    level.labels.resize(size);
    for (std::size_t each = 0; each < size; ++each) {
        const auto code = static_cast<std::size_t>(task.set[each]);
        const std::uint8_t label = row[task.set[each]];
        level.labels[each] = label;
        ++counts[label];
        sums[label] += plain_[code];
    }
    Total low = static_cast<Total>(size);
    for (std::size_t answer = 0; answer < others; ++answer) {
        if (counts[answer] > floor.most) return kImpossible;
        low += floor.least[counts[answer]];
    }
    // Skip a guess with the same partition as an earlier guess. Not in hard mode, because the
    // guesses allowed afterwards may differ.
    if (!hard_.follows) {
        std::uint64_t hash = 0;
        for (std::size_t answer = 0; answer <= others; ++answer)
            if (counts[answer]) hash += mixed(sums[answer].first + (answer == others ? 77 : 0));
        hash &= high_bits(request_.partition_hash_bits);
        const auto has_same_partition = [&](std::int32_t other) {
            return have_same_partition(answers_, task.set, size, level.labels.data(), other);
        };
        std::unique_lock<std::mutex> lock;
        if (split) lock = std::unique_lock(split->mutex);
        if (!(split ? *split->tried : level.tried).add(hash, guess, has_same_partition))
            return split ? kImpossible : -1;
    }
    if (low >= bound) return low;
    Class* const classes = level.parts.data();
    std::size_t many = 0;
    {
        std::array<std::size_t, kMostAnswers> places;
        std::size_t place = 0;
        for (std::size_t answer = 0; answer < others; ++answer) {
            places[answer] = place;
            if (counts[answer] >= 3) {
                Class& each = classes[many++];
                each = {};
                each.size = counts[answer];
                each.begin = place;
                each.answer = answer;
                each.least = floor.least[counts[answer]];
                each.plain = sums[answer];
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
    std::sort(classes, classes + many, [](const Class& one, const Class& other) {
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
        return Task{codes + each.begin, each.size, left, task.depth + 1, reach, {}, each.open};
    };
    const auto opened = [&](const Class& each) {
        Task below = child(each);
        if (hard_.follows) below.open = narrow(worker, task, guess, each.answer);
        return below;
    };
    for (std::size_t index = 0; index < many; ++index) {
        Class& each = classes[index];
        if (each.is_exact) continue;
        if (hard_.follows) {
            each.open = key_of(opened(each).open);
            each.plain += each.open;
        }
        if (each.size <= answers_.answers) {
            const Known known = recall_small(worker, child(each), each);
            each.is_exact = known.is_exact;
            each.is_known = known.total > 0;
            if (each.is_known && raise(each, known.total)) return low;
            continue;
        }
        if (left == 2) return kImpossible;
        each.key = key_of(child(each));
        each.has_key = true;
        if (const auto known = worker.look_up(memo_, each.key)) {
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
            const Task below = opened(each);
            const Known found = parts_bound(worker, below, each.least);
            memo_.put(each.key, found, 1);
            worker.recently(each.plain, salt_of(below)) = found;
            each.is_exact = found.is_exact;
            if (raise(each, found.total)) return low;
            continue;
        }
        if (request_.consistent_only) continue;
        const Task below_it = opened(each);
        const Allowed open = this->open(worker, below_it);
        const Reach own = reach_of(worker, below_it, open);
        if (raise(each, floors_.of(left, own).least[each.size])) {
            memo_.put(each.key, {each.least, false}, 1);
            return low;
        }
        const Floor& below = floors_.of(next(left), own);
        sweep_classes(answers_, codes + each.begin, each.size, below, open,
                      {worker.bounds.data(), worker.squares.data(), worker.parts.data()});
        std::uint32_t least = kImpossible;
        for (std::size_t other = 0; other < answers_.codes; ++other)
            if (open.guesses[other]) least = std::min(least, worker.bounds[other]);
        const Total total = static_cast<Total>(least + each.size);
        memo_.put(each.key, {std::max(total, each.least), false}, 1);
        if (raise(each, total)) return low;
    }
    if (is_whole_ && task.depth < kSymmetricDepth) {
        worker.history.resize(static_cast<std::size_t>(task.depth));
        worker.history.push_back(guess);
        find_firsts(worker, task.depth + 1);
    }
    for (std::size_t index = 0; index < many; ++index) {
        Class& each = classes[index];
        if (each.is_exact) continue;
        const Total total = solve(worker, opened(each), bound - (low - each.least),
                                  each.has_key ? &each.key : nullptr);
        if (raise(each, total)) return low;
        if (task.depth == 0)
            done_ = done_ + share_ * static_cast<double>(each.size) / static_cast<double>(size);
    }
    return low;
}

}  // namespace mmsat::optimal
