#include "counting/diagram.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

#include "counting/frame.hpp"
#include "counting/histograms.hpp"
#include "counting/lists.hpp"
#include "counting/moves.hpp"
#include "counting/numbers.hpp"
#include "counting/sums.hpp"

namespace mmsat::counting {

namespace {

// The diagram for given sizes of keys and numbers. The members refer to each other, so it must not
// be moved; make() returns it in a unique_ptr.
template <int K, int W>
class DiagramOf : public Diagram {
public:
    DiagramOf(Layout layout, std::size_t memory, Width<W> words)
        : layout_(std::move(layout)),
          words_(words),
          budget_(memory),
          histograms_(layout_, budget_),
          adder_(budget_),
          layers_(layout_.pegs + 1) {}

    bool advance(std::uint64_t work) override {
        std::uint64_t done = 0;
        while (!is_done_ && done < work) {
            if (!frame_)
                done += prepare();
            else if (!is_back_)
                done += forward();
            else
                done += backward();
        }
        return is_done_;
    }

    Stage stage() const override {
        Stage stage;
        stage.pegs_done = is_back_ ? layout_.pegs : peg_;
        stage.nodes = histograms_.nodes();
        stage.peak_bytes = budget_.peak();
        for (const auto& lists : lists_)
            if (lists) stage.states += lists->size();
        for (const Layer& layer : layers_) stage.states += layer.keys.size();
        return stage;
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
        std::vector<Option> found;
        const std::size_t from = layers_[peg].start[state.node] + state.index;
        for (std::size_t label = 0; label < layout_.labels; ++label) {
            const std::int32_t to = histograms_.child(peg, state.node, label);
            if (to < 0) continue;
            const auto node = static_cast<std::size_t>(to);
            follow(peg, {node, frame_->peg(peg).kind[label], 1}, from, from + 1,
                   [&](std::size_t, std::size_t target) {
                       const Word* const ways = &layers_[peg + 1].ways[target * words_];
                       const std::size_t index = target - layers_[peg + 1].start[node];
                       found.push_back({label, {node, index}, {ways, ways + words_}});
                   });
        }
        return found;
    }

    std::vector<std::vector<Word>> profile(const std::vector<std::int32_t>& fixed) const override {
        if (fixed.size() != layout_.pegs) throw std::out_of_range("each peg is fixed or not");
        for (std::int32_t label : fixed)
            if (label >= static_cast<std::int64_t>(layout_.labels))
                throw std::out_of_range("there is no such label");
        const std::vector<std::vector<std::int32_t>> later = fixed_later(fixed);
        const bool is_free =
            std::all_of(fixed.begin(), fixed.end(), [](std::int32_t label) { return label < 0; });
        std::vector<std::vector<Word>> onward(layout_.pegs + 1);
        for (std::size_t peg = layout_.pegs + 1; !is_free && peg-- > 0;) {
            onward[peg].assign(layers_[peg].ways.size(), 0);
            if (peg == layout_.pegs) onward[peg] = layers_[peg].ways;
            each_step(peg, fixed, later,
                      [&](std::size_t, std::size_t from, std::size_t to, Word colors) {
                          add_times(&onward[peg][from * words_], &onward[peg + 1][to * words_],
                                    colors, words_);
                      });
        }
        std::vector<std::vector<Word>> found(layout_.pegs * layout_.labels,
                                             std::vector<Word>(words_, 0));
        std::vector<Word> so_far(layers_[0].ways.size(), 0), next;
        if (!so_far.empty()) so_far[0] = 1;
        for (std::size_t peg = 0; peg < layout_.pegs; ++peg) {
            const std::vector<Word>& rest = is_free ? layers_[peg + 1].ways : onward[peg + 1];
            next.assign(rest.size(), 0);
            each_step(peg, fixed, later,
                      [&](std::size_t label, std::size_t from, std::size_t to, Word colors) {
                          Word ways[Width<W>::most];
                          std::fill_n(ways, words_, 0);
                          add_times(ways, &so_far[from * words_], colors, words_);
                          add(&next[to * words_], ways, words_);
                          add_product(found[peg * layout_.labels + label].data(), ways,
                                      &rest[to * words_], words_);
                      });
            so_far.swap(next);
        }
        return found;
    }

private:
    using Key = Packed<K>;

    // The states of one layer, sorted by node and key.
    struct Layer {
        std::vector<std::size_t> start;  // per node: index of its first state
        std::vector<Key> keys;
        std::vector<Word> ways;
    };

    // Build the histograms step by step, then the frame and the first list.
    std::size_t prepare() {
        if (histograms_.advance()) return histograms_.nodes() * layout_.labels;
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
            moves_.emplace(histograms_, peg_, frame_->peg(peg_).kind);
            moves_->turn();
            next.start(histograms_.layer(peg_ + 1).nodes);
            node_ = 0;
        }
        std::size_t work = 1;
        if (node_ < next.nodes()) {
            work += move_forward<K, 0>(*frame_, peg_, node_, *moves_, *lists_[peg_], adder_,
                                       Width<0>(0));
            next.put(node_, adder_.keys(), nullptr, adder_.size());
            ++node_;
        }
        if (node_ >= next.nodes()) {
            moves_.reset();
            if (++peg_ == layout_.pegs) end();
        }
        return work;
    }

    // Every state of the last layer is one code.
    void end() {
        Layer& layer = layers_[peg_];
        const Lists<K, 0>& lists = *lists_[peg_];
        budget_.take(lists.size() * (sizeof(Key) + words_ * sizeof(Word)));
        layer.start.assign(1, 0);
        layer.keys.reserve(lists.size());
        for (std::size_t node = 0; node < lists.nodes(); ++node) {
            layer.keys.insert(layer.keys.end(), lists[node].keys,
                              lists[node].keys + lists[node].size);
            layer.start.push_back(layer.keys.size());
        }
        layer.ways.assign(layer.keys.size() * words_, 0);
        for (std::size_t state = 0; state < layer.keys.size(); ++state)
            layer.ways[state * words_] = 1;
        lists_[peg_].reset();
        is_back_ = true;
        node_ = 0;
    }

    // Keep the states of one node that lead to a code, with the number of codes.
    std::size_t backward() {
        const std::size_t peg = peg_ - 1;
        Layer& layer = layers_[peg];
        const Lists<K, 0>& lists = *lists_[peg];
        if (node_ == 0) {
            layer.start.assign(1, 0);
            moves_.emplace(histograms_, peg, frame_->peg(peg).kind);
        }
        std::size_t work = 1;
        if (node_ < lists.nodes()) {
            const List<K>& list = lists[node_];
            sums_of_node_.assign(list.size * words_, 0);
            for (const Move& move : moves_->out_of(node_)) {
                follow(peg, move, list.keys, list.keys + list.size,
                       [&](std::size_t from, std::size_t to) {
                           add_times(&sums_of_node_[from * words_],
                                     &layers_[peg + 1].ways[to * words_], move.colors, words_);
                       });
                work += list.size;
            }
            for (std::size_t i = 0; i < list.size; ++i)
                if (!is_zero(&sums_of_node_[i * words_], words_)) {
                    if (layer.keys.size() == layer.keys.capacity()) grow(layer, lists.size());
                    layer.keys.push_back(list.keys[i]);
                    layer.ways.insert(layer.ways.end(), &sums_of_node_[i * words_],
                                      &sums_of_node_[i * words_] + words_);
                }
            layer.start.push_back(layer.keys.size());
            ++node_;
        }
        if (node_ >= lists.nodes()) {
            lists_[peg].reset();
            node_ = 0;
            is_done_ = --peg_ == 0;
        }
        return work;
    }

    // Reserve space for half as many states again, but not for more than `most`.
    void grow(Layer& layer, std::size_t most) {
        const std::size_t before = layer.keys.capacity();
        const std::size_t room = std::min(most, std::max<std::size_t>(64, before + before / 2));
        const std::size_t bytes = sizeof(Key) + words_ * sizeof(Word);
        budget_.take(room * bytes);  // both buffers exist while states are moved
        layer.keys.reserve(room);
        layer.ways.reserve(room * words_);
        budget_.give_back(before * bytes);
    }

    // Return, for each layer and label, the number of later pegs at which the label is fixed.
    std::vector<std::vector<std::int32_t>> fixed_later(
        const std::vector<std::int32_t>& fixed) const {
        std::vector<std::vector<std::int32_t>> later(layout_.pegs + 1);
        later[layout_.pegs].assign(layout_.labels, 0);
        for (std::size_t peg = layout_.pegs; peg-- > 0;) {
            later[peg] = later[peg + 1];
            if (fixed[peg] >= 0) ++later[peg][fixed[peg]];
        }
        return later;
    }

    // Call `visit` with each label, state, next state, and the number of colors that the peg may
    // have there. Colors that are needed by later fixed pegs do not count if they may be used only
    // once.
    template <class Visit>
    void each_step(std::size_t peg, const std::vector<std::int32_t>& fixed,
                   const std::vector<std::vector<std::int32_t>>& later, const Visit& visit) const {
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
                    if (layout_.once[label]) colors -= later[peg + 1][label];
                    if (colors <= 0) continue;
                }
                const Move move{static_cast<std::size_t>(to), frame_->peg(peg).kind[label], 1};
                follow(peg, move, layer.start[node], layer.start[node + 1],
                       [&](std::size_t from, std::size_t target) {
                           visit(label, from, target, static_cast<Word>(colors));
                       });
            }
        }
    }

    template <class Visit>
    void follow(std::size_t peg, const Move& move, std::size_t first, std::size_t last,
                const Visit& visit) const {
        const Key* const keys = layers_[peg].keys.data();
        follow(peg, move, keys + first, keys + last,
               [&](std::size_t from, std::size_t to) { visit(first + from, to); });
    }

    // Call `visit` with the index (from 0) of each key from which the transition leads to a state
    // of the next layer, and with the index of that state. Keys and states are sorted, so the next
    // state is found by merging, or by binary search if there are many more states than keys.
    template <class Visit>
    void follow(std::size_t peg, const Move& move, const Key* first, const Key* last,
                const Visit& visit) const {
        const auto& step = frame_->peg(peg);
        const auto& window = frame_->ahead(peg + 1, move.node);
        const Layer& next = layers_[peg + 1];
        const Key shift = step.shift[move.kind];
        const Key* const keys = next.keys.data();
        const Key* const end = keys + next.start[move.node + 1];
        const Key* at = keys + next.start[move.node];
        const bool is_long = end - at > 8 * (last - first);
        for (const Key* mine = first; mine != last; ++mine) {
            Key key = *mine + shift;
            if (!within(key, window.low, window.high, step.guards)) continue;
            key = (key - step.ending).without(step.erased);
            if (step.erases)
                at = std::lower_bound(keys + next.start[move.node], end, key);
            else if (is_long)
                at = std::lower_bound(at, end, key);
            else
                while (at != end && *at < key) ++at;
            if (at != end && *at == key)
                visit(static_cast<std::size_t>(mine - first), static_cast<std::size_t>(at - keys));
        }
    }

    const Layout layout_;
    const Width<W> words_;
    Budget budget_;
    Histograms histograms_;
    std::optional<Sums> sums_;
    std::optional<Frame<K>> frame_;
    Adder<K, 0> adder_;
    std::vector<std::unique_ptr<Lists<K, 0>>> lists_;
    std::vector<Layer> layers_;
    std::optional<Moves> moves_;
    std::vector<Word> sums_of_node_;
    std::size_t peg_ = 0;
    std::size_t node_ = 0;
    bool is_back_ = false;
    bool is_done_ = false;
};

}  // namespace

std::unique_ptr<Diagram> Diagram::make(Layout layout, std::size_t bits, std::size_t memory) {
    const std::size_t keys = key_words(layout), words = number_words(bits);
    std::unique_ptr<Diagram> made;
    with_key_size(keys, [&](auto key) {
        if (words == 1)
            made = std::make_unique<DiagramOf<key(), 1>>(std::move(layout), memory, Width<1>(1));
        else
            made = std::make_unique<DiagramOf<key(), kAny>>(std::move(layout), memory,
                                                            Width<kAny>(words));
    });
    return made;
}

}  // namespace mmsat::counting
