#include "counter.hpp"

#include <new>
#include <optional>
#include <utility>

#include "frame.hpp"
#include "histograms.hpp"
#include "lists.hpp"
#include "moves.hpp"
#include "numbers.hpp"
#include "sums.hpp"

namespace mmsat {

namespace {

template <int K, int W>
class Lister {
public:
    Lister(const Histograms& histograms, const Sums& sums, Budget& budget)
        : histograms_(histograms),
          sums_(sums),
          frame_(histograms, sums, budget),
          pegs_(histograms.layout().pegs),
          left_(budget),
          right_(budget),
          next_(budget),
          after_(pegs_),
          adder_(budget),
          total_(W, 0) {
        const Key zero{};
        const Word one[W] = {1};
        left_.start(1);
        left_.put(0, &zero, one, 1);
        right_.start(histograms.layer(pegs_).nodes);
        if (sums.are_exact())
            for (std::size_t node = 0; node < right_.nodes(); ++node) {
                const Key end = frame_.end(node);
                const auto& window = frame_.ahead(pegs_, node);
                const auto& step = frame_.peg(pegs_ - 1);
                // The window is what sums are before those that end are taken off.
                if (within(end + step.ending, window.low, window.high, step.guards))
                    right_.put(node, &end, one, 1);
            }
        budget.take(histograms.nodes() * W * sizeof(Word));
        count_paths();
    }

    bool advance(std::uint64_t work) {
        std::uint64_t done = 0;
        while (done < work) {
            if (is_done_) return true;
            if (!moves_) choose();
            if (is_done_) return true;
            done += 1 + step();
        }
        return is_done_;
    }

    const std::vector<Word>& total() const { return total_; }

    void tell(Stage& stage) const {
        stage.pegs_done = before_ + (pegs_ - after_);
        stage.states = left_.size() + right_.size() + next_.size();
        stage.most.assign(W, 0);
        for (std::size_t node = 0; node < left_.nodes(); ++node) {
            Word sum[W] = {};
            for (std::size_t i = 0; i < left_[node].size; ++i)
                add<W>(sum, left_[node].ways + i * W);
            add_product<W>(stage.most.data(), sum, &paths_[before_][node * W]);
        }
    }

private:
    using Key = Packed<K>;
    enum class Side { left, right, meeting };

    // The codes that the counts alone leave, from each node on.
    void count_paths() {
        paths_.resize(pegs_ + 1);
        for (std::size_t peg = pegs_ + 1; peg-- > 0;) {
            const std::size_t nodes = histograms_.layer(peg).nodes;
            paths_[peg].assign(nodes * W, 0);
            for (std::size_t node = 0; node < nodes; ++node) {
                Word* const home = &paths_[peg][node * W];
                if (peg == pegs_) {
                    home[0] = 1;
                    continue;
                }
                for (std::size_t label = 0; label < histograms_.layout().labels; ++label) {
                    const std::int32_t to = histograms_.child(peg, node, label);
                    if (to >= 0)
                        add_times<W>(home, &paths_[peg + 1][to * W],
                                     histograms_.colors(peg, node, label));
                }
            }
        }
    }

    void choose() {
        node_ = 0;
        if (!sums_.are_exact() && before_ == pegs_) {
            for (std::size_t node = 0; node < left_.nodes(); ++node)
                for (std::size_t i = 0; i < left_[node].size; ++i)
                    add<W>(total_.data(), left_[node].ways + i * W);
            is_done_ = true;
            return;
        }
        if (sums_.are_exact() && before_ + 1 == after_)
            side_ = Side::meeting;
        else if (!sums_.are_exact() || left_.size() <= right_.size())
            side_ = Side::left;
        else
            side_ = Side::right;
        const std::size_t peg = side_ == Side::right ? after_ - 1 : before_;
        moves_.emplace(histograms_, peg, frame_.peg(peg).kind);
        if (side_ == Side::left) moves_->turn();
        if (side_ != Side::meeting)
            next_.start(histograms_.layer(side_ == Side::left ? peg + 1 : peg).nodes);
    }

    std::size_t step() {
        if (side_ == Side::meeting) return meet();
        std::size_t work = 0;
        if (node_ < next_.nodes()) {
            work = side_ == Side::left
                       ? move_forward<K, W>(frame_, before_, node_, *moves_, left_, adder_)
                       : move_back<K, W>(frame_, after_ - 1, node_, *moves_, right_, adder_);
            next_.put(node_, adder_.keys(), adder_.ways(), adder_.size());
            ++node_;
        }
        if (node_ >= next_.nodes()) {
            (side_ == Side::left ? left_ : right_).swap(next_);
            next_.clear();
            if (side_ == Side::left)
                ++before_;
            else
                --after_;
            moves_.reset();
        }
        return work;
    }

    // Adds the codes through one node of the last layer from the left.
    std::size_t meet() {
        std::size_t work = 0;
        const auto& step = frame_.peg(before_);
        if (node_ < left_.nodes()) {
            const List<K>& mine = left_[node_];
            for (const Move& move : moves_->out_of(node_)) {
                const List<K>& theirs = right_[move.node];
                const Key shift = step.shift[move.kind];
                Word sum[W] = {};
                std::size_t at = 0;
                for (std::size_t i = 0; i < theirs.size && at < mine.size; ++i) {
                    Key key = theirs.keys[i] + step.ending;
                    if (!subtract(key, shift, step.guards)) continue;
                    while (at < mine.size && mine.keys[at] < key) ++at;
                    if (at < mine.size && mine.keys[at] == key)
                        add_product<W>(sum, mine.ways + at * W, theirs.ways + i * W);
                }
                add_times<W>(total_.data(), sum, move.colors);
                work += mine.size + theirs.size;
            }
            ++node_;
        }
        if (node_ >= left_.nodes()) is_done_ = true;
        return work;
    }

    const Histograms& histograms_;
    const Sums& sums_;
    Frame<K> frame_;
    std::size_t pegs_;
    Lists<K, W> left_, right_, next_;
    std::size_t before_ = 0, after_;  // the layers that the sides have reached
    Adder<K, W> adder_;
    std::optional<Moves> moves_;  // of the peg that is worked on
    Side side_ = Side::left;
    std::size_t node_ = 0;
    std::vector<std::vector<Word>> paths_;
    std::vector<Word> total_;
    bool is_done_ = false;
};

template <int K, int W>
class CounterOf : public Counter {
public:
    CounterOf(Layout layout, std::size_t memory)
        : layout_(std::move(layout)), budget_(memory), histograms_(layout_, budget_) {}

    bool advance(std::uint64_t work) override {
        std::uint64_t done = 0;
        while (!lister_ && !is_done_ && done < work) {
            if (histograms_.advance()) {
                done += histograms_.nodes() * layout_.labels;
                continue;
            }
            if (histograms_.is_impossible()) {
                is_done_ = true;
                break;
            }
            sums_.emplace(layout_, histograms_);
            if (sums_->is_impossible())
                is_done_ = true;
            else
                lister_.emplace(histograms_, *sums_, budget_);
        }
        if (is_done_ || done >= work) return is_done_;
        return lister_->advance(work - done);
    }

    const std::vector<Word>& count() const override { return lister_ ? lister_->total() : zero_; }

    Stage stage() const override {
        Stage stage;
        stage.nodes = histograms_.nodes();
        stage.peak_bytes = budget_.peak();
        if (lister_) lister_->tell(stage);
        return stage;
    }

private:
    const Layout layout_;
    Budget budget_;
    Histograms histograms_;
    std::optional<Sums> sums_;
    std::optional<Lister<K, W>> lister_;
    bool is_done_ = false;
    const std::vector<Word> zero_{0};
};

}  // namespace

std::unique_ptr<Counter> Counter::make(Layout layout, std::size_t bits, std::size_t memory) {
    const std::size_t keys = key_words(layout), words = number_words(bits);
    std::unique_ptr<Counter> made;
    with_sizes(keys, words, [&](auto key, auto word) {
        made = std::make_unique<CounterOf<key(), word()>>(std::move(layout), memory);
    });
    return made;
}

}  // namespace mmsat
