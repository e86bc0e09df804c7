#include "counting/histograms.hpp"

#include <algorithm>
#include <map>
#include <new>

namespace mmsat::counting {

void Budget::take(std::size_t bytes) {
    if (bytes > limit_ - used_) throw std::bad_alloc();
    used_ += bytes;
    peak_ = std::max(peak_, used_);
}

namespace {

// Empty slot of an Index.
constexpr std::uint32_t kEmptySlot = ~std::uint32_t{0};

// Hash table of numbers that identify values stored elsewhere. Open addressing with linear probing;
// the table doubles when it is half full.
class Index {
public:
    explicit Index(Budget& budget) : slots_(1024, kEmptySlot), budget_(budget) {}
    Index(const Index&) = delete;
    Index& operator=(const Index&) = delete;
    ~Index() { budget_.give_back(charged_); }

    // Return the number for which `equal` is true, or store and return `next`. `rehash` returns the
    // hash of a stored number.
    template <class Equal, class Hash>
    std::uint32_t find_or_add(Word hash, std::uint32_t next, const Equal& equal,
                              const Hash& rehash) {
        if (2 * used_ >= slots_.size()) grow(rehash);
        std::size_t slot = hash & (slots_.size() - 1);
        while (slots_[slot] != kEmptySlot) {
            if (equal(slots_[slot])) return slots_[slot];
            slot = (slot + 1) & (slots_.size() - 1);
        }
        slots_[slot] = next;
        ++used_;
        return next;
    }

private:
    template <class Hash>
    void grow(const Hash& rehash) {
        budget_.take(8 * slots_.size());
        charged_ += 8 * slots_.size();
        std::vector<std::uint32_t> old(2 * slots_.size(), kEmptySlot);
        old.swap(slots_);
        for (std::uint32_t value : old) {
            if (value == kEmptySlot) continue;
            std::size_t slot = rehash(value) & (slots_.size() - 1);
            while (slots_[slot] != kEmptySlot) slot = (slot + 1) & (slots_.size() - 1);
            slots_[slot] = value;
        }
    }

    std::vector<std::uint32_t> slots_;
    std::size_t used_ = 0;
    Budget& budget_;
    std::size_t charged_ = 0;
};

// Reserve space for `more` elements, growing by at least half, and charge the budget for it.
template <class T>
void make_room(std::vector<T>& values, std::size_t more, Budget& budget) {
    if (values.size() + more <= values.capacity()) return;
    const std::size_t before = values.capacity();
    const std::size_t room = std::max(values.size() + more, before + before / 2);
    budget.take(room * sizeof(T));  // both buffers exist while elements are moved
    values.reserve(room);
    budget.give_back(before * sizeof(T));
}

}  // namespace

Histograms::Histograms(const Layout& layout, Budget& budget) : layout_(layout), budget_(budget) {
    lay_out();
    raw_.resize(layout_.pegs + 1);
    layers_.resize(layout_.pegs + 1);
    Raw& root = raw_[0];
    root.nodes = 1;
    root.counts.resize(1);
    root.sums.resize(1);
    budget_.take(size(root));
    for (std::size_t constraint = 0; constraint < layout_.ranges.size(); ++constraint)
        if (counted_[constraint]) root.sums[0].set(sum_field_[constraint], bias_[constraint]);
}

void Histograms::lay_out() {
    const std::size_t labels = layout_.labels, constraints = layout_.ranges.size();
    counted_.assign(constraints, 0);
    mixed_.assign(constraints, 0);
    bias_.assign(constraints, 0);
    up_.assign(constraints, 0);
    down_.assign(constraints, 0);
    cap_.assign(labels, 0);
    once_index_.assign(labels, -1);
    std::vector<std::int32_t> most(constraints, 0);
    for (const Step& step : layout_.steps) {
        counted_[step.constraint] = 1;
        cap_[step.label] = std::max<std::uint32_t>(cap_[step.label], step.count);
        (step.amount > 0 ? most : bias_)[step.constraint] += std::abs(step.amount);
        up_[step.constraint] = std::max(up_[step.constraint], step.amount);
        down_[step.constraint] = std::max(down_[step.constraint], -step.amount);
    }
    for (const Amount& amount : layout_.amounts)
        if (amount.amount) mixed_[amount.constraint] = counted_[amount.constraint];
    Fields counts(kWords), sums(kWords);
    count_field_.resize(labels);
    gain_.resize(labels);
    loss_.resize(labels);
    for (std::size_t label = 0; label < labels; ++label) {
        if (layout_.once[label]) {
            once_index_[label] = static_cast<std::int32_t>(once_++);
            const std::size_t all = layout_.sizes[label];
            cap_[label] = static_cast<std::uint32_t>(std::min(all, layout_.pegs));
        }
        if (cap_[label]) {
            count_field_[label] = counts.take(cap_[label]);
            count_guards_.guard(count_field_[label]);
        }
        gain_[label].resize(cap_[label] + 1);
        loss_[label].resize(cap_[label] + 1);
    }
    sum_field_.resize(constraints);
    for (std::size_t constraint = 0; constraint < constraints; ++constraint)
        if (counted_[constraint]) {
            sum_field_[constraint] = sums.take(bias_[constraint] + most[constraint]);
            guards_.guard(sum_field_[constraint]);
        }
    for (const Step& step : layout_.steps) {
        // The count is never reached.
        if (static_cast<std::uint32_t>(step.count) > cap_[step.label]) continue;
        Counters& home = (step.amount > 0 ? gain_ : loss_)[step.label][step.count];
        const Field field = sum_field_[step.constraint];
        home.set(field, home.get(field) + std::abs(step.amount));
    }
}

// Enumerate all counts that satisfy the constraints on counts alone, label by label, pruned by
// bounds on the sums. If there are few, then counts that exceed all of them are dead, which the
// bounds on the sums would detect late.
void Histograms::find_last() {
    Search search;
    std::vector<std::uint8_t> has_steps(layout_.labels, 0);
    for (const Step& step : layout_.steps) has_steps[step.label] = 1;
    bool is_full = false;
    for (std::size_t label = 0; label < layout_.labels; ++label) {
        if (has_steps[label])
            search.labels.push_back(label);
        else {
            is_full = true;  // some pegs may have labels without influence on the sums
            if (cap_[label]) search.counts.set(count_field_[label], cap_[label]);
        }
    }
    if (search.labels.empty()) return;
    // For each suffix of the labels: how much it can add to the sum of each constraint. The bounds
    // also use how much a single peg can add.
    const std::size_t constraints = counted_.size();
    std::vector<std::int64_t> least(constraints, 0), most(constraints, 0);
    search.low.resize(search.labels.size() + 1);
    search.high.resize(search.labels.size() + 1);
    for (std::size_t next = search.labels.size() + 1; next-- > 0;) {
        if (next < search.labels.size()) {
            const std::size_t label = search.labels[next];
            for (std::size_t constraint = 0; constraint < constraints; ++constraint) {
                if (!counted_[constraint]) continue;
                std::int64_t sum = 0, low = 0, high = 0;
                for (std::uint32_t count = 1; count <= cap_[label]; ++count) {
                    sum +=
                        static_cast<std::int64_t>(gain_[label][count].get(sum_field_[constraint]));
                    sum -=
                        static_cast<std::int64_t>(loss_[label][count].get(sum_field_[constraint]));
                    low = std::min(low, sum);
                    high = std::max(high, sum);
                }
                least[constraint] += low;
                most[constraint] += high;
            }
        }
        for (std::size_t pegs = 0; pegs <= layout_.pegs; ++pegs) {
            Counters low, high;
            for (std::size_t constraint = 0; constraint < constraints; ++constraint) {
                if (!counted_[constraint]) continue;
                const auto rest = static_cast<std::int64_t>(pegs);
                const Field field = sum_field_[constraint];
                std::int64_t from = 0, to = static_cast<std::int64_t>(field.max_value());
                if (!mixed_[constraint]) {
                    const Range& range = layout_.ranges[constraint];
                    from = std::max(from, range.low + bias_[constraint] -
                                              std::min(most[constraint], rest * up_[constraint]));
                    to = std::min(to, range.high + bias_[constraint] -
                                          std::max(least[constraint], -rest * down_[constraint]));
                }
                if (from > to) from = 1, to = 0;
                low.set(field, std::min(static_cast<Word>(from), field.max_value()));
                high.set(field, static_cast<Word>(std::max<std::int64_t>(to, 0)));
            }
            search.low[next].push_back(low);
            search.high[next].push_back(high);
        }
    }
    Counters sums;
    for (std::size_t constraint = 0; constraint < constraints; ++constraint)
        if (counted_[constraint]) sums.set(sum_field_[constraint], bias_[constraint]);
    is_last_known_ = find_last(search, 0, layout_.pegs, sums, is_full);
    if (!is_last_known_) last_.clear();
}

// Returns whether the search was completed within its limits.
bool Histograms::find_last(Search& search, std::size_t next, std::size_t pegs, const Counters& sums,
                           bool is_full) {
    if (++search.steps > kSteps) return false;
    if (!within(sums, search.low[next][pegs], search.high[next][pegs], guards_)) return true;
    if (next == search.labels.size()) {
        if (pegs == 0 || is_full) last_.push_back(search.counts);
        return last_.size() <= kFew;
    }
    const std::size_t label = search.labels[next];
    const std::uint32_t cap = cap_[label];
    Counters now = sums;
    for (std::uint32_t count = 0; count <= cap && count <= pegs; ++count) {
        if (count > 0) now = now + gain_[label][count] - loss_[label][count];
        search.counts.set(count_field_[label], count);
        if (!find_last(search, next + 1, pegs - count, now, is_full || count == cap)) return false;
    }
    return true;
}

// Move-to-front keeps the counts that were used recently at the beginning.
bool Histograms::can_end(const Counters& counts) {
    const auto found = std::find_if(last_.begin(), last_.end(), [&](Counters last) {
        return subtract(last, counts, count_guards_);
    });
    if (found == last_.end()) return false;
    std::iter_swap(last_.begin(), found);
    return true;
}

// Each remaining peg changes one count by one, so it moves a sum by at most up_ or down_.
void Histograms::bound(std::size_t pegs) {
    const auto rest = static_cast<std::int64_t>(layout_.pegs - pegs);
    for (std::size_t constraint = 0; constraint < counted_.size(); ++constraint) {
        if (!counted_[constraint]) continue;
        const Field field = sum_field_[constraint];
        std::int64_t low = 0, high = static_cast<std::int64_t>(field.max_value());
        if (!mixed_[constraint]) {
            low = std::max(
                low, layout_.ranges[constraint].low + bias_[constraint] - rest * up_[constraint]);
            high = std::min(high, layout_.ranges[constraint].high + bias_[constraint] +
                                      rest * down_[constraint]);
        }
        if (low > high || low > static_cast<std::int64_t>(field.max_value())) low = 1, high = 0;
        low_.set(field, static_cast<Word>(low));
        high_.set(field, static_cast<Word>(std::max<std::int64_t>(high, 0)));
    }
}

std::size_t Histograms::size(const Raw& raw) const {
    return raw.counts.capacity() * sizeof(Counters) + raw.sums.capacity() * sizeof(Counters) +
           4 * (raw.child.capacity() + raw.left.capacity());
}

bool Histograms::advance() {
    if (done_) return false;
    if (!is_back_ && peg_ < layout_.pegs)
        forward();
    else if (!is_back_)
        end();
    else
        backward();
    return !done_;
}

void Histograms::forward() {
    Raw& here = raw_[peg_];
    Raw& next = raw_[peg_ + 1];
    const std::size_t labels = layout_.labels;
    if (peg_ == 0) find_last();
    bound(peg_ + 1);
    budget_.take(4 * here.nodes * (labels + once_));
    here.child.assign(here.nodes * labels, -1);
    here.left.resize(here.nodes * once_);
    Index index(budget_);
    const auto hash = [](const Counters& counts) { return counts.hash(); };
    for (std::size_t node = 0; node < here.nodes; ++node) {
        for (std::size_t label = 0; label < labels; ++label) {
            const std::int32_t which = once_index_[label];
            const Word count = cap_[label] ? here.counts[node].get(count_field_[label]) : 0;
            if (which >= 0)
                here.left[node * once_ + which] =
                    layout_.sizes[label] - static_cast<std::uint32_t>(count);
            if (!layout_.allows(peg_, label)) continue;
            if (which >= 0 && count == layout_.sizes[label]) continue;
            Counters counts = here.counts[node], sums = here.sums[node];
            if (count < cap_[label]) {
                counts.set(count_field_[label], count + 1);
                sums = sums + gain_[label][count + 1] - loss_[label][count + 1];
            }
            if (!within(sums, low_, high_, guards_)) continue;
            if (is_last_known_ && !can_end(counts)) continue;
            const std::uint32_t found = index.find_or_add(
                hash(counts), static_cast<std::uint32_t>(next.nodes),
                [&](std::uint32_t other) { return next.counts[other] == counts; },
                [&](std::uint32_t other) { return hash(next.counts[other]); });
            if (found == next.nodes) {
                if (next.nodes == INT32_MAX) throw std::bad_alloc();
                make_room(next.counts, 1, budget_);
                make_room(next.sums, 1, budget_);
                next.counts.push_back(counts);
                next.sums.push_back(sums);
                ++next.nodes;
            }
            here.child[node * labels + label] = static_cast<std::int32_t>(found);
        }
    }
    const std::size_t before = size(here);
    std::vector<Counters>().swap(here.counts);
    std::vector<Counters>().swap(here.sums);
    budget_.give_back(before - size(here));
    ++peg_;
}

// Keep the nodes of the last layer that satisfy all constraints on counts alone. Nodes with the
// same amounts for mixed constraints are merged.
void Histograms::end() {
    Raw& last = raw_[peg_];
    bound(peg_);
    std::map<std::vector<std::int32_t>, std::int32_t> known;
    budget_.take(4 * last.nodes);
    map_.assign(last.nodes, -1);
    for (std::size_t node = 0; node < last.nodes; ++node) {
        if (!within(last.sums[node], low_, high_, guards_)) continue;
        std::vector<std::int32_t> sums(counted_.size(), 0);
        for (std::size_t constraint = 0; constraint < counted_.size(); ++constraint)
            if (mixed_[constraint])
                sums[constraint] =
                    static_cast<std::int32_t>(last.sums[node].get(sum_field_[constraint])) -
                    bias_[constraint];
        const auto found = known.emplace(sums, static_cast<std::int32_t>(ends_.size()));
        if (found.second) ends_.push_back(sums);
        map_[node] = found.first->second;
    }
    layers_[peg_].nodes = ends_.size();
    const std::size_t before = size(last);
    last = Raw();
    budget_.give_back(before - size(last));
    is_back_ = true;
}

void Histograms::backward() {
    --peg_;
    Raw& raw = raw_[peg_];
    Layer& layer = layers_[peg_];
    const std::size_t labels = layout_.labels;
    budget_.take(4 * raw.nodes);
    std::vector<std::int32_t> map(raw.nodes, -1);
    std::vector<std::int32_t> child(labels);
    std::vector<std::uint32_t> left(once_);
    Index index(budget_);
    const auto hash_of = [&](const std::int32_t* children, const std::uint32_t* colors) {
        Word hash = kGoldenRatio64;
        for (std::size_t label = 0; label < labels; ++label)
            hash = append_hash(hash, static_cast<std::uint32_t>(children[label]));
        for (std::size_t which = 0; which < once_; ++which) hash = append_hash(hash, colors[which]);
        return hash;
    };
    for (std::size_t node = 0; node < raw.nodes; ++node) {
        bool is_alive = false;
        for (std::size_t label = 0; label < labels; ++label) {
            const std::int32_t to = raw.child[node * labels + label];
            child[label] = to < 0 ? -1 : map_[to];
            is_alive |= child[label] >= 0;
        }
        if (!is_alive) continue;
        for (std::size_t label = 0; label < labels; ++label)
            if (const std::int32_t which = once_index_[label]; which >= 0)
                left[which] = child[label] < 0 ? 0 : raw.left[node * once_ + which];
        const std::uint32_t found = index.find_or_add(
            hash_of(child.data(), left.data()), static_cast<std::uint32_t>(layer.nodes),
            [&](std::uint32_t other) {
                return std::equal(child.begin(), child.end(),
                                  layer.child.data() + other * labels) &&
                       std::equal(left.begin(), left.end(), layer.left.begin() + other * once_);
            },
            [&](std::uint32_t other) {
                return hash_of(layer.child.data() + other * labels,
                               layer.left.data() + other * once_);
            });
        if (found == layer.nodes) {
            make_room(layer.child, labels, budget_);
            make_room(layer.left, once_, budget_);
            layer.child.insert(layer.child.end(), child.begin(), child.end());
            layer.left.insert(layer.left.end(), left.begin(), left.end());
            ++layer.nodes;
        }
        map[node] = static_cast<std::int32_t>(found);
    }
    const std::size_t before = size(raw);
    raw = Raw();
    budget_.give_back(before - size(raw) + 4 * map_.size());
    map_.swap(map);
    done_ = peg_ == 0;
}

std::size_t Histograms::nodes() const {
    std::size_t sum = 0;
    for (std::size_t peg = 0; peg <= layout_.pegs; ++peg)
        sum += is_back_ ? layers_[peg].nodes : raw_[peg].nodes;
    return sum;
}

}  // namespace mmsat::counting
