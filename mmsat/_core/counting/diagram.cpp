#include "counting/diagram.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

#include "counting/frame.hpp"
#include "counting/histograms.hpp"
#include "counting/instances.hpp"
#include "counting/lists.hpp"
#include "counting/moves.hpp"
#include "counting/sums.hpp"

namespace mmsat::counting {

namespace {

// The diagram for given sizes of keys and numbers. Members refer to each other, so the object must
// not be moved, and make() returns a unique_ptr.
template <int K, int W>
class DiagramOf : public Diagram {
public:
    DiagramOf(Layout layout, std::size_t max_bytes, Width<W> words)
        : layout_(std::move(layout)),
          words_(words),
          budget_(max_bytes),
          histograms_(layout_, budget_),
          adder_(budget_),
          layers_(layout_.pegs + 1) {}

    bool advance(std::uint64_t work) override {
        std::uint64_t work_done = 0;
        while (!is_done_ && work_done < work) {
            if (!frame_)
                work_done += prepare();
            else if (!is_backward_)
                work_done += forward();
            else
                work_done += backward();
        }
        return is_done_;
    }

    CountProgress progress() const override {
        CountProgress progress;
        progress.num_pegs_done = is_backward_ ? layout_.pegs : peg_;
        progress.num_nodes = histograms_.num_nodes();
        progress.peak_bytes = budget_.peak();
        for (const auto& lists : lists_)
            if (lists) progress.num_states += lists->size();
        for (const Layer& layer : layers_) progress.num_states += layer.keys.size();
        return progress;
    }

    std::vector<Word> count() const override {
        if (layers_[0].keys.empty()) return {0};
        return {layers_[0].ways.begin(), layers_[0].ways.begin() + words_};
    }

    std::vector<Option> options(std::size_t peg, DiagramState state) const override {
        if (peg >= layout_.pegs || layers_[peg].start.size() < 2 ||
            state.node > layers_[peg].start.size() - 2 ||
            state.index >= layers_[peg].start[state.node + 1] - layers_[peg].start[state.node])
            throw std::out_of_range("there is no such state");
        std::vector<Option> options;
        const std::size_t from = layers_[peg].start[state.node] + state.index;
        for (std::size_t label = 0; label < layout_.labels; ++label) {
            const std::int32_t to = histograms_.child(peg, state.node, label);
            if (to < 0) continue;
            const auto node = static_cast<std::size_t>(to);
            follow(peg, {node, frame_->peg(peg).shift_indices[label], 1}, from, from + 1,
                   [&](std::size_t, std::size_t target) {
                       const Word* const ways = &layers_[peg + 1].ways[target * words_];
                       const std::size_t index = target - layers_[peg + 1].start[node];
                       options.push_back({label, {node, index}, {ways, ways + words_}});
                   });
        }
        return options;
    }

    std::vector<std::vector<Word>> profile(const std::vector<std::int32_t>& fixed) const override {
        if (fixed.size() != layout_.pegs) throw std::out_of_range("each peg is fixed or not");
        for (std::int32_t label : fixed)
            if (label >= static_cast<std::int64_t>(layout_.labels))
                throw std::out_of_range("there is no such label");
        const std::vector<std::vector<std::int32_t>> num_fixed_later = count_fixed_later(fixed);
        const bool is_free =
            std::all_of(fixed.begin(), fixed.end(), [](std::int32_t label) { return label < 0; });
        // [layer]: number of completions of each state that have the fixed labels. It is not used
        // if no label is fixed, because the layers have these numbers.
        std::vector<std::vector<Word>> completions(layout_.pegs + 1);
        for (std::size_t peg = layout_.pegs + 1; !is_free && peg-- > 0;) {
            completions[peg].assign(layers_[peg].ways.size(), 0);
            if (peg == layout_.pegs) completions[peg] = layers_[peg].ways;
            for_each_step(peg, fixed, num_fixed_later,
                          [&](std::size_t, std::size_t from, std::size_t to, Word colors) {
                              add_times(&completions[peg][from * words_],
                                        &completions[peg + 1][to * words_], colors, words_);
                          });
        }
        std::vector<std::vector<Word>> counts(layout_.pegs * layout_.labels,
                                              std::vector<Word>(words_, 0));
        // Per state of the layer: number of ways to reach it.
        std::vector<Word> prefixes(layers_[0].ways.size(), 0), next_prefixes;
        if (!prefixes.empty()) prefixes[0] = 1;
        for (std::size_t peg = 0; peg < layout_.pegs; ++peg) {
            const std::vector<Word>& next_completions =
                is_free ? layers_[peg + 1].ways : completions[peg + 1];
            next_prefixes.assign(next_completions.size(), 0);
            for_each_step(peg, fixed, num_fixed_later,
                          [&](std::size_t label, std::size_t from, std::size_t to, Word colors) {
                              Word ways[Width<W>::max_words];
                              std::fill_n(ways, words_, 0);
                              add_times(ways, &prefixes[from * words_], colors, words_);
                              add(&next_prefixes[to * words_], ways, words_);
                              add_product(counts[peg * layout_.labels + label].data(), ways,
                                          &next_completions[to * words_], words_);
                          });
            prefixes.swap(next_prefixes);
        }
        return counts;
    }

private:
    using Key = Packed<K>;

    // The states of one layer, sorted by node and key.
    struct Layer {
        std::vector<std::size_t> start;  // per node: index of its first state
        std::vector<Key> keys;
        std::vector<Word> ways;  // per state: number of completions
    };

    // Build one layer of the histograms, or finally the frame and the first list. Like forward()
    // and backward(), returns the work done.
    std::size_t prepare() {
        if (histograms_.advance()) return histograms_.num_nodes() * layout_.labels;
        if (!histograms_.is_impossible()) {
            sums_.emplace(layout_, histograms_);
            if (!sums_->is_impossible()) {
                frame_.emplace(histograms_, *sums_, budget_);
                for (std::size_t peg = 0; peg <= layout_.pegs; ++peg)
                    lists_.push_back(std::make_unique<Lists<K, 0>>(budget_));
                const Key zero{};
                lists_[0]->start(1);
                lists_[0]->put(0, &zero, nullptr, 1);
                return 1;
            }
        }
        is_done_ = true;
        return 1;
    }

    // Compute the sums of one node of the next layer.
    std::size_t forward() {
        Lists<K, 0>& next = *lists_[peg_ + 1];
        if (!moves_) {
            moves_.emplace(histograms_, peg_, frame_->peg(peg_).shift_indices);
            moves_->sort_by_target();
            next.start(histograms_.layer(peg_ + 1).num_nodes);
            node_ = 0;
        }
        std::size_t work = 1;
        if (node_ < next.num_nodes()) {
            work += move_forward<K, 0>(*frame_, peg_, node_, *moves_, *lists_[peg_], adder_,
                                       Width<0>(0));
            next.put(node_, adder_.keys(), nullptr, adder_.size());
            ++node_;
        }
        if (node_ >= next.num_nodes()) {
            moves_.reset();
            if (++peg_ == layout_.pegs) start_backward();
        }
        return work;
    }

    // Start the backward pass: every state of the last layer has one completion.
    void start_backward() {
        Layer& layer = layers_[peg_];
        const Lists<K, 0>& lists = *lists_[peg_];
        budget_.take(lists.size() * (sizeof(Key) + words_ * sizeof(Word)));
        layer.start.assign(1, 0);
        layer.keys.reserve(lists.size());
        for (std::size_t node = 0; node < lists.num_nodes(); ++node) {
            layer.keys.insert(layer.keys.end(), lists[node].keys,
                              lists[node].keys + lists[node].size);
            layer.start.push_back(layer.keys.size());
        }
        layer.ways.assign(layer.keys.size() * words_, 0);
        for (std::size_t state = 0; state < layer.keys.size(); ++state)
            layer.ways[state * words_] = 1;
        lists_[peg_].reset();
        is_backward_ = true;
        node_ = 0;
    }

    // Keep the states of one node that lead to a code, with their numbers of completions.
    std::size_t backward() {
        const std::size_t peg = peg_ - 1;
        Layer& layer = layers_[peg];
        const Lists<K, 0>& lists = *lists_[peg];
        if (node_ == 0) {
            layer.start.assign(1, 0);
            moves_.emplace(histograms_, peg, frame_->peg(peg).shift_indices);
        }
        std::size_t work = 1;
        if (node_ < lists.num_nodes()) {
            const List<K>& list = lists[node_];
            // States without a completion are dropped, so the number of states to store is known
            // only after all transitions have been followed.
            completions_of_node_.assign(list.size * words_, 0);
            for (const Move& move : moves_->out_of(node_)) {
                follow(peg, move, list.keys, list.keys + list.size,
                       [&](std::size_t from, std::size_t to) {
                           add_times(&completions_of_node_[from * words_],
                                     &layers_[peg + 1].ways[to * words_], move.num_colors, words_);
                       });
                work += list.size;
            }
            for (std::size_t i = 0; i < list.size; ++i)
                if (!is_zero(&completions_of_node_[i * words_], words_)) {
                    if (layer.keys.size() == layer.keys.capacity()) grow(layer, lists.size());
                    layer.keys.push_back(list.keys[i]);
                    layer.ways.insert(layer.ways.end(), &completions_of_node_[i * words_],
                                      &completions_of_node_[i * words_] + words_);
                }
            layer.start.push_back(layer.keys.size());
            ++node_;
        }
        if (node_ >= lists.num_nodes()) {
            lists_[peg].reset();  // its states are in the layer now
            node_ = 0;
            is_done_ = --peg_ == 0;
        }
        return work;
    }

    // Increase the capacity by half, but not above `max_states`.
    void grow(Layer& layer, std::size_t max_states) {
        const std::size_t old_capacity = layer.keys.capacity();
        const std::size_t new_capacity =
            std::min(max_states, std::max<std::size_t>(64, old_capacity + old_capacity / 2));
        const std::size_t bytes = sizeof(Key) + words_ * sizeof(Word);
        budget_.take(new_capacity * bytes);  // both buffers exist while states are moved
        layer.keys.reserve(new_capacity);
        layer.ways.reserve(new_capacity * words_);
        budget_.give_back(old_capacity * bytes);
    }

    // Return, for each layer and label, the number of following pegs at which the label is fixed.
    std::vector<std::vector<std::int32_t>> count_fixed_later(
        const std::vector<std::int32_t>& fixed) const {
        std::vector<std::vector<std::int32_t>> counts(layout_.pegs + 1);
        counts[layout_.pegs].assign(layout_.labels, 0);
        for (std::size_t peg = layout_.pegs; peg-- > 0;) {
            counts[peg] = counts[peg + 1];
            if (fixed[peg] >= 0) ++counts[peg][fixed[peg]];
        }
        return counts;
    }

    // Call `visit` for each transition of this peg that agrees with `fixed`, with its label, its
    // state, the next state, and the number of colors. If each color of a label is used at most
    // once, this number excludes the colors for later pegs at which the label is fixed.
    template <class Visit>
    void for_each_step(std::size_t peg, const std::vector<std::int32_t>& fixed,
                       const std::vector<std::vector<std::int32_t>>& num_fixed_later,
                       const Visit& visit) const {
        if (peg == layout_.pegs) return;
        const Layer& layer = layers_[peg];
        for (std::size_t node = 0; node + 1 < layer.start.size(); ++node) {
            if (layer.start[node] == layer.start[node + 1]) continue;
            for (std::size_t label = 0; label < layout_.labels; ++label) {
                const std::int32_t to = histograms_.child(peg, node, label);
                if (to < 0 || (fixed[peg] >= 0 && fixed[peg] != static_cast<std::int32_t>(label)))
                    continue;
                std::int64_t colors = 1;
                if (fixed[peg] < 0) {
                    colors = histograms_.colors(peg, node, label);
                    if (layout_.once[label]) colors -= num_fixed_later[peg + 1][label];
                    if (colors <= 0) continue;
                }
                const Move move{static_cast<std::size_t>(to), frame_->peg(peg).shift_indices[label],
                                1};
                follow(peg, move, layer.start[node], layer.start[node + 1],
                       [&](std::size_t from, std::size_t target) {
                           visit(label, from, target, static_cast<Word>(colors));
                       });
            }
        }
    }

    // Call `visit` with each state of the layer from `first` to `last` (excluded) from which the
    // transition leads to a state of the next layer, and with this next state.
    template <class Visit>
    void follow(std::size_t peg, const Move& move, std::size_t first, std::size_t last,
                const Visit& visit) const {
        const Key* const keys = layers_[peg].keys.data();
        follow(peg, move, keys + first, keys + last,
               [&](std::size_t from, std::size_t to) { visit(first + from, to); });
    }

    // The same for keys from `first` to `last`, which need not be in a layer yet; `visit` gets the
    // index of the key, from 0. Keys and states are sorted, so the next states are found by
    // merging, or by binary search if there are many more states than keys.
    template <class Visit>
    void follow(std::size_t peg, const Move& move, const Key* first, const Key* last,
                const Visit& visit) const {
        const auto& step = frame_->peg(peg);
        const auto& window = frame_->ahead(peg + 1, move.node);
        const Layer& next = layers_[peg + 1];
        const Key shift = step.shifts[move.shift_index];
        const Key* const keys = next.keys.data();
        const Key* const end = keys + next.start[move.node + 1];
        const Key* target = keys + next.start[move.node];
        const bool uses_binary_search = end - target > 8 * (last - first);
        for (const Key* source = first; source != last; ++source) {
            Key key = *source + shift;
            if (!within(key, window.low, window.high, step.guards)) continue;
            key = (key - step.ending).without(step.erased);
            if (step.erases)  // the next keys are not in increasing order
                target = std::lower_bound(keys + next.start[move.node], end, key);
            else if (uses_binary_search)
                target = std::lower_bound(target, end, key);
            else
                while (target != end && *target < key) ++target;
            if (target != end && *target == key)
                visit(static_cast<std::size_t>(source - first),
                      static_cast<std::size_t>(target - keys));
        }
    }

    const Layout layout_;
    const Width<W> words_;
    Budget budget_;
    Histograms histograms_;
    std::optional<Sums> sums_;
    std::optional<Frame<K>> frame_;
    Adder<K, 0> adder_;
    std::vector<std::unique_ptr<Lists<K, 0>>> lists_;  // [layer]: states of the forward pass
    std::vector<Layer> layers_;                        // [layer]: states of the backward pass
    std::optional<Moves> moves_;
    std::vector<Word> completions_of_node_;  // per state of the node of backward()
    std::size_t peg_ = 0;                    // layer that was reached
    std::size_t node_ = 0;                   // next node of the layer
    bool is_backward_ = false;               // whether the backward pass has started
    bool is_done_ = false;
};

}  // namespace

std::unique_ptr<Diagram> Diagram::make(Layout layout, std::size_t max_bits, std::size_t max_bytes) {
    const std::size_t num_key_words = key_words(layout), num_words = number_words(max_bits);
    std::unique_ptr<Diagram> diagram;
    with_key_size(num_key_words, [&](auto key_size) {
        if (num_words == 1)
            diagram = std::make_unique<DiagramOf<key_size(), 1>>(std::move(layout), max_bytes,
                                                                 Width<1>(1));
        else
            diagram = std::make_unique<DiagramOf<key_size(), kAny>>(std::move(layout), max_bytes,
                                                                    Width<kAny>(num_words));
    });
    return diagram;
}

}  // namespace mmsat::counting
