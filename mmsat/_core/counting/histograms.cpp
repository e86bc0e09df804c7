#include "counting/histograms.hpp"

#include <algorithm>
#include <map>
#include <new>

namespace mmsat::counting {

namespace {

// Empty slot of a HashIndex.
constexpr std::uint32_t kEmptySlot = ~std::uint32_t{0};

// Hash table of indices of values that are stored elsewhere. It uses open addressing with linear
// probing. The size of the table doubles when it is half full.
class HashIndex {
public:
    // The budget is not charged for the first slots, because their number is constant.
    explicit HashIndex(Budget& budget) : slots_(1024, kEmptySlot), budget_(budget) {}
    HashIndex(const HashIndex&) = delete;
    HashIndex& operator=(const HashIndex&) = delete;
    ~HashIndex() { budget_.give_back(charged_bytes_); }

    // Return the stored index for which `equal` is true. If there is none, store and return `next`.
    // `hash` is the hash of the value, and `rehash` returns that of the value at a stored index.
    template <class Equal, class Hash>
    std::uint32_t find_or_add(Word hash, std::uint32_t next, const Equal& equal,
                              const Hash& rehash) {
        if (2 * num_used_ >= slots_.size()) grow(rehash);
        std::size_t slot = hash & (slots_.size() - 1);
        while (slots_[slot] != kEmptySlot) {
            if (equal(slots_[slot])) return slots_[slot];
            slot = (slot + 1) & (slots_.size() - 1);
        }
        slots_[slot] = next;
        ++num_used_;
        return next;
    }

private:
    template <class Hash>
    void grow(const Hash& rehash) {
        const std::size_t bytes = 2 * slots_.size() * sizeof(std::uint32_t);
        budget_.take(bytes);
        charged_bytes_ += bytes;
        std::vector<std::uint32_t> old_slots(2 * slots_.size(), kEmptySlot);
        old_slots.swap(slots_);
        for (std::uint32_t index : old_slots) {
            if (index == kEmptySlot) continue;
            std::size_t slot = rehash(index) & (slots_.size() - 1);
            while (slots_[slot] != kEmptySlot) slot = (slot + 1) & (slots_.size() - 1);
            slots_[slot] = index;
        }
    }

    std::vector<std::uint32_t> slots_;
    std::size_t num_used_ = 0;
    Budget& budget_;
    std::size_t charged_bytes_ = 0;
};

// Reserve space for `num_more` more elements, growing by at least half, and charge the budget for
// it.
template <class T>
void reserve_more(std::vector<T>& values, std::size_t num_more, Budget& budget) {
    if (values.size() + num_more <= values.capacity()) return;
    const std::size_t old_capacity = values.capacity();
    const std::size_t new_capacity =
        std::max(values.size() + num_more, old_capacity + old_capacity / 2);
    budget.take(new_capacity * sizeof(T));  // both buffers exist while elements are moved
    values.reserve(new_capacity);
    budget.give_back(old_capacity * sizeof(T));
}

}  // namespace

Histograms::Histograms(const Layout& layout, Budget& budget) : layout_(layout), budget_(budget) {
    assign_fields();
    raw_layers_.resize(layout_.pegs + 1);
    layers_.resize(layout_.pegs + 1);
    RawLayer& root = raw_layers_[0];
    root.num_nodes = 1;
    root.counts.resize(1);
    root.sums.resize(1);
    budget_.take(num_bytes(root));
    for (std::size_t constraint = 0; constraint < layout_.ranges.size(); ++constraint)
        if (has_counts_[constraint]) root.sums[0].set(sum_field_[constraint], bias_[constraint]);
}

// Choose the fields of counts and sums, and convert the steps to packed gains and losses. Sums
// start at `bias_`, the total of all losses, so that they never become negative.
void Histograms::assign_fields() {
    const std::size_t num_labels = layout_.labels, num_constraints = layout_.ranges.size();
    has_counts_.assign(num_constraints, 0);
    is_mixed_.assign(num_constraints, 0);
    bias_.assign(num_constraints, 0);
    max_increase_.assign(num_constraints, 0);
    max_decrease_.assign(num_constraints, 0);
    max_count_.assign(num_labels, 0);
    once_index_.assign(num_labels, -1);
    std::vector<std::int32_t> max_sums(num_constraints, 0);
    for (const Step& step : layout_.steps) {
        has_counts_[step.constraint] = 1;
        max_count_[step.label] = std::max<std::uint32_t>(max_count_[step.label], step.count);
        (step.amount > 0 ? max_sums : bias_)[step.constraint] += std::abs(step.amount);
        max_increase_[step.constraint] = std::max(max_increase_[step.constraint], step.amount);
        max_decrease_[step.constraint] = std::max(max_decrease_[step.constraint], -step.amount);
    }
    for (const Amount& amount : layout_.amounts)
        if (amount.amount) is_mixed_[amount.constraint] = has_counts_[amount.constraint];
    Fields counts(kWords), sums(kWords);
    count_field_.resize(num_labels);
    gain_.resize(num_labels);
    loss_.resize(num_labels);
    for (std::size_t label = 0; label < num_labels; ++label) {
        if (layout_.once[label]) {
            // The number of unused colors depends on every count up to the number of colors.
            once_index_[label] = static_cast<std::int32_t>(num_once_labels_++);
            const std::size_t num_colors = layout_.sizes[label];
            max_count_[label] = static_cast<std::uint32_t>(std::min(num_colors, layout_.pegs));
        }
        if (max_count_[label]) {
            count_field_[label] = counts.take(max_count_[label]);
            count_guards_.guard(count_field_[label]);
        }
        gain_[label].resize(max_count_[label] + 1);
        loss_[label].resize(max_count_[label] + 1);
    }
    sum_field_.resize(num_constraints);
    for (std::size_t constraint = 0; constraint < num_constraints; ++constraint)
        if (has_counts_[constraint]) {
            sum_field_[constraint] = sums.take(bias_[constraint] + max_sums[constraint]);
            guards_.guard(sum_field_[constraint]);
        }
    for (const Step& step : layout_.steps) {
        // Skip a step whose count is never reached.
        if (static_cast<std::uint32_t>(step.count) > max_count_[step.label]) continue;
        Counters& target = (step.amount > 0 ? gain_ : loss_)[step.label][step.count];
        const Field field = sum_field_[step.constraint];
        target.set(field, target.get(field) + std::abs(step.amount));
    }
}

// Search for all final counts, label by label, pruned by bounds on the sums. If there are few,
// can_end() compares counts with them, which detects dead ends earlier than set_bounds() does.
void Histograms::find_final_counts() {
    Search search;
    std::vector<std::uint8_t> has_steps(layout_.labels, 0);
    for (const Step& step : layout_.steps) has_steps[step.label] = 1;
    bool is_full = false;
    for (std::size_t label = 0; label < layout_.labels; ++label) {
        if (has_steps[label])
            search.labels.push_back(label);
        else {
            is_full = true;  // pegs may have a label that does not change the sums
            if (max_count_[label]) search.counts.set(count_field_[label], max_count_[label]);
        }
    }
    if (search.labels.empty()) return;
    // From the last label to the first: `min_amounts` and `max_amounts` have, per constraint, the
    // smallest and largest amounts that the labels from index `next` on can add to the sum. The
    // remaining pegs bound these amounts, too, because one peg adds at most max_increase_ and
    // subtracts at most max_decrease_.
    const std::size_t num_constraints = has_counts_.size();
    std::vector<std::int64_t> min_amounts(num_constraints, 0), max_amounts(num_constraints, 0);
    search.low.resize(search.labels.size() + 1);
    search.high.resize(search.labels.size() + 1);
    for (std::size_t next = search.labels.size() + 1; next-- > 0;) {
        if (next < search.labels.size()) {
            const std::size_t label = search.labels[next];
            for (std::size_t constraint = 0; constraint < num_constraints; ++constraint) {
                if (!has_counts_[constraint]) continue;
                std::int64_t sum = 0, low = 0, high = 0;
                for (std::uint32_t count = 1; count <= max_count_[label]; ++count) {
                    sum +=
                        static_cast<std::int64_t>(gain_[label][count].get(sum_field_[constraint]));
                    sum -=
                        static_cast<std::int64_t>(loss_[label][count].get(sum_field_[constraint]));
                    low = std::min(low, sum);
                    high = std::max(high, sum);
                }
                min_amounts[constraint] += low;
                max_amounts[constraint] += high;
            }
        }
        for (std::size_t pegs = 0; pegs <= layout_.pegs; ++pegs) {
            Counters low, high;
            for (std::size_t constraint = 0; constraint < num_constraints; ++constraint) {
                if (!has_counts_[constraint]) continue;
                const auto num_pegs = static_cast<std::int64_t>(pegs);
                const Field field = sum_field_[constraint];
                std::int64_t min_sum = 0, max_sum = static_cast<std::int64_t>(field.max_value());
                if (!is_mixed_[constraint]) {
                    const Range& range = layout_.ranges[constraint];
                    min_sum = std::max(min_sum, range.low + bias_[constraint] -
                                                    std::min(max_amounts[constraint],
                                                             num_pegs * max_increase_[constraint]));
                    max_sum =
                        std::min(max_sum, range.high + bias_[constraint] -
                                              std::max(min_amounts[constraint],
                                                       -num_pegs * max_decrease_[constraint]));
                }
                if (min_sum > max_sum) min_sum = 1, max_sum = 0;  // no sum is within the bounds
                low.set(field, std::min(static_cast<Word>(min_sum), field.max_value()));
                high.set(field, static_cast<Word>(std::max<std::int64_t>(max_sum, 0)));
            }
            search.low[next].push_back(low);
            search.high[next].push_back(high);
        }
    }
    Counters sums;
    for (std::size_t constraint = 0; constraint < num_constraints; ++constraint)
        if (has_counts_[constraint]) sums.set(sum_field_[constraint], bias_[constraint]);
    has_final_counts_ = find_final_counts(search, 0, layout_.pegs, sums, is_full);
    if (!has_final_counts_) final_counts_.clear();
}

bool Histograms::find_final_counts(Search& search, std::size_t next, std::size_t remaining_pegs,
                                   const Counters& sums, bool is_full) {
    if (++search.num_steps > kMaxSearchSteps) return false;
    if (!within(sums, search.low[next][remaining_pegs], search.high[next][remaining_pegs], guards_))
        return true;
    if (next == search.labels.size()) {
        if (remaining_pegs == 0 || is_full) final_counts_.push_back(search.counts);
        return final_counts_.size() <= kMaxFinalCounts;
    }
    const std::size_t label = search.labels[next];
    const std::uint32_t max_count = max_count_[label];
    Counters new_sums = sums;
    for (std::uint32_t count = 0; count <= max_count && count <= remaining_pegs; ++count) {
        if (count > 0) new_sums = new_sums + gain_[label][count] - loss_[label][count];
        search.counts.set(count_field_[label], count);
        if (!find_final_counts(search, next + 1, remaining_pegs - count, new_sums,
                               is_full || count == max_count))
            return false;
    }
    return true;
}

// The final counts that are found are moved to the front, because they are likely to be found
// again.
bool Histograms::can_end(const Counters& counts) {
    const auto match = std::find_if(final_counts_.begin(), final_counts_.end(), [&](Counters last) {
        return subtract(last, counts, count_guards_);  // whether no count exceeds that of `last`
    });
    if (match == final_counts_.end()) return false;
    std::iter_swap(final_counts_.begin(), match);
    return true;
}

// Each remaining peg changes one count by 1, so it changes a sum by at most max_increase_ or
// max_decrease_.
void Histograms::set_bounds(std::size_t num_pegs) {
    const auto num_remaining = static_cast<std::int64_t>(layout_.pegs - num_pegs);
    for (std::size_t constraint = 0; constraint < has_counts_.size(); ++constraint) {
        if (!has_counts_[constraint]) continue;
        const Field field = sum_field_[constraint];
        std::int64_t low = 0, high = static_cast<std::int64_t>(field.max_value());
        if (!is_mixed_[constraint]) {
            low = std::max(low, layout_.ranges[constraint].low + bias_[constraint] -
                                    num_remaining * max_increase_[constraint]);
            high = std::min(high, layout_.ranges[constraint].high + bias_[constraint] +
                                      num_remaining * max_decrease_[constraint]);
        }
        if (low > high || low > static_cast<std::int64_t>(field.max_value())) low = 1, high = 0;
        low_.set(field, static_cast<Word>(low));
        high_.set(field, static_cast<Word>(std::max<std::int64_t>(high, 0)));
    }
}

std::size_t Histograms::num_bytes(const RawLayer& raw) const {
    return raw.counts.capacity() * sizeof(Counters) + raw.sums.capacity() * sizeof(Counters) +
           4 * (raw.child.capacity() + raw.num_unused.capacity());
}

bool Histograms::advance() {
    if (is_done_) return false;
    if (!is_backward_ && peg_ < layout_.pegs)
        forward();
    else if (!is_backward_)
        start_backward();
    else
        backward();
    return !is_done_;
}

// Nodes with the same counts are the same node. A count that has reached max_count_ is not
// increased further, because larger counts have the same effect.
void Histograms::forward() {
    RawLayer& raw = raw_layers_[peg_];
    RawLayer& next = raw_layers_[peg_ + 1];
    const std::size_t num_labels = layout_.labels;
    if (peg_ == 0) find_final_counts();
    set_bounds(peg_ + 1);
    budget_.take(4 * raw.num_nodes * (num_labels + num_once_labels_));
    raw.child.assign(raw.num_nodes * num_labels, -1);
    raw.num_unused.resize(raw.num_nodes * num_once_labels_);
    HashIndex index(budget_);
    const auto hash = [](const Counters& counts) { return counts.hash(); };
    for (std::size_t node = 0; node < raw.num_nodes; ++node) {
        for (std::size_t label = 0; label < num_labels; ++label) {
            const std::int32_t once_index = once_index_[label];
            const Word count = max_count_[label] ? raw.counts[node].get(count_field_[label]) : 0;
            if (once_index >= 0)
                raw.num_unused[node * num_once_labels_ + once_index] =
                    layout_.sizes[label] - static_cast<std::uint32_t>(count);
            if (!layout_.allows(peg_, label)) continue;
            if (once_index >= 0 && count == layout_.sizes[label]) continue;  // all colors are used
            Counters counts = raw.counts[node], sums = raw.sums[node];
            if (count < max_count_[label]) {
                counts.set(count_field_[label], count + 1);
                sums = sums + gain_[label][count + 1] - loss_[label][count + 1];
            }
            if (!within(sums, low_, high_, guards_)) continue;
            if (has_final_counts_ && !can_end(counts)) continue;
            const std::uint32_t child = index.find_or_add(
                hash(counts), static_cast<std::uint32_t>(next.num_nodes),
                [&](std::uint32_t other) { return next.counts[other] == counts; },
                [&](std::uint32_t other) { return hash(next.counts[other]); });
            if (child == next.num_nodes) {
                if (next.num_nodes == INT32_MAX) throw std::bad_alloc();
                reserve_more(next.counts, 1, budget_);
                reserve_more(next.sums, 1, budget_);
                next.counts.push_back(counts);
                next.sums.push_back(sums);
                ++next.num_nodes;
            }
            raw.child[node * num_labels + label] = static_cast<std::int32_t>(child);
        }
    }
    // The backward pass needs only the children and the numbers of unused colors.
    const std::size_t old_bytes = num_bytes(raw);
    std::vector<Counters>().swap(raw.counts);
    std::vector<Counters>().swap(raw.sums);
    budget_.give_back(old_bytes - num_bytes(raw));
    ++peg_;
}

// Keep the nodes of the last layer that satisfy all unmixed count constraints. Nodes with the same
// sums of mixed constraints are merged.
void Histograms::start_backward() {
    RawLayer& last = raw_layers_[peg_];
    set_bounds(peg_);
    std::map<std::vector<std::int32_t>, std::int32_t> nodes_by_sums;
    budget_.take(4 * last.num_nodes);
    merged_nodes_.assign(last.num_nodes, -1);
    for (std::size_t node = 0; node < last.num_nodes; ++node) {
        if (!within(last.sums[node], low_, high_, guards_)) continue;
        std::vector<std::int32_t> sums(has_counts_.size(), 0);
        for (std::size_t constraint = 0; constraint < has_counts_.size(); ++constraint)
            if (is_mixed_[constraint])
                sums[constraint] =
                    static_cast<std::int32_t>(last.sums[node].get(sum_field_[constraint])) -
                    bias_[constraint];
        const auto [entry, is_new] =
            nodes_by_sums.emplace(sums, static_cast<std::int32_t>(final_amounts_.size()));
        if (is_new) final_amounts_.push_back(sums);
        merged_nodes_[node] = entry->second;
    }
    layers_[peg_].num_nodes = final_amounts_.size();
    const std::size_t old_bytes = num_bytes(last);
    last = RawLayer();
    budget_.give_back(old_bytes - num_bytes(last));
    is_backward_ = true;
}

// Two nodes have the same continuations if they have the same merged children and, for labels that
// lead to a child, the same numbers of unused colors.
void Histograms::backward() {
    --peg_;
    RawLayer& raw = raw_layers_[peg_];
    Layer& layer = layers_[peg_];
    const std::size_t num_labels = layout_.labels;
    budget_.take(4 * raw.num_nodes);
    std::vector<std::int32_t> new_merged_nodes(raw.num_nodes, -1);
    std::vector<std::int32_t> child(num_labels);
    std::vector<std::uint32_t> num_unused(num_once_labels_);
    HashIndex index(budget_);
    const auto hash_of = [&](const std::int32_t* children, const std::uint32_t* num_colors) {
        Word hash = kGoldenRatio64;
        for (std::size_t label = 0; label < num_labels; ++label)
            hash = append_hash(hash, static_cast<std::uint32_t>(children[label]));
        for (std::size_t i = 0; i < num_once_labels_; ++i) hash = append_hash(hash, num_colors[i]);
        return hash;
    };
    for (std::size_t node = 0; node < raw.num_nodes; ++node) {
        bool has_child = false;
        for (std::size_t label = 0; label < num_labels; ++label) {
            const std::int32_t to = raw.child[node * num_labels + label];
            child[label] = to < 0 ? -1 : merged_nodes_[to];
            has_child |= child[label] >= 0;
        }
        if (!has_child) continue;  // no continuation satisfies the constraints on counts
        for (std::size_t label = 0; label < num_labels; ++label)
            if (const std::int32_t once_index = once_index_[label]; once_index >= 0)
                num_unused[once_index] =
                    child[label] < 0 ? 0 : raw.num_unused[node * num_once_labels_ + once_index];
        const std::uint32_t merged = index.find_or_add(
            hash_of(child.data(), num_unused.data()), static_cast<std::uint32_t>(layer.num_nodes),
            [&](std::uint32_t other) {
                return std::equal(child.begin(), child.end(),
                                  layer.child.data() + other * num_labels) &&
                       std::equal(num_unused.begin(), num_unused.end(),
                                  layer.num_unused.begin() + other * num_once_labels_);
            },
            [&](std::uint32_t other) {
                return hash_of(layer.child.data() + other * num_labels,
                               layer.num_unused.data() + other * num_once_labels_);
            });
        if (merged == layer.num_nodes) {
            reserve_more(layer.child, num_labels, budget_);
            reserve_more(layer.num_unused, num_once_labels_, budget_);
            layer.child.insert(layer.child.end(), child.begin(), child.end());
            layer.num_unused.insert(layer.num_unused.end(), num_unused.begin(), num_unused.end());
            ++layer.num_nodes;
        }
        new_merged_nodes[node] = static_cast<std::int32_t>(merged);
    }
    const std::size_t old_bytes = num_bytes(raw);
    raw = RawLayer();
    budget_.give_back(old_bytes - num_bytes(raw) + 4 * merged_nodes_.size());
    merged_nodes_.swap(new_merged_nodes);
    is_done_ = peg_ == 0;
}

std::size_t Histograms::num_nodes() const {
    std::size_t sum = 0;
    for (std::size_t peg = 0; peg <= layout_.pegs; ++peg)
        sum += is_backward_ ? layers_[peg].num_nodes : raw_layers_[peg].num_nodes;
    return sum;
}

}  // namespace mmsat::counting
