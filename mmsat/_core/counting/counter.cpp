#include "counting/counter.hpp"

#include <new>
#include <optional>
#include <utility>

#include "counting/frame.hpp"
#include "counting/histograms.hpp"
#include "counting/lists.hpp"
#include "counting/moves.hpp"
#include "counting/numbers.hpp"
#include "counting/sums.hpp"

namespace mmsat::counting {

namespace {

// The lists of a counter once the histograms are complete. It keeps references to `histograms`,
// `sums` and `budget`, which are members of CounterOf.
template <int K, int W>
class Lister {
public:
    Lister(const Histograms& histograms, const Sums& sums, Budget& budget, Width<W> words)
        : words_(words),
          histograms_(histograms),
          sums_(sums),
          frame_(histograms, sums, budget),
          pegs_(histograms.layout().pegs),
          left_(budget, words),
          right_(budget, words),
          next_(budget, words),
          after_(pegs_),
          adder_(budget, words),
          total_(words, 0) {
        const Key zero{};
        const Word one[Width<W>::most] = {1};
        left_.start(1);
        left_.put(0, &zero, one, 1);
        right_.start(histograms.layer(pegs_).nodes);
        if (sums.are_exact())
            for (std::size_t node = 0; node < right_.nodes(); ++node) {
                const Key end = frame_.end(node);
                const auto& window = frame_.ahead(pegs_, node);
                const auto& step = frame_.peg(pegs_ - 1);
                // The window holds for the sums before the ended ones are removed, so these are
                // added.
                if (within(end + step.ending, window.low, window.high, step.guards))
                    right_.put(node, &end, one, 1);
            }
        budget.take(histograms.nodes() * words * sizeof(Word));
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

    void describe(Stage& stage) const {
        stage.pegs_done = before_ + (pegs_ - after_);
        stage.states = left_.size() + right_.size() + next_.size();
        stage.most.assign(words_, 0);
        for (std::size_t node = 0; node < left_.nodes(); ++node) {
            Word sum[Width<W>::most];
            std::fill_n(sum, words_, 0);
            for (std::size_t i = 0; i < left_[node].size; ++i)
                add(sum, left_[node].ways + i * words_, words_);
            add_product(stage.most.data(), sum, &paths_[before_][node * words_], words_);
        }
    }

private:
    using Key = Packed<K>;
    enum class Side { left, right, meeting };

    // Compute the number of codes from each node on that the color counts alone allow.
    void count_paths() {
        paths_.resize(pegs_ + 1);
        for (std::size_t peg = pegs_ + 1; peg-- > 0;) {
            const std::size_t nodes = histograms_.layer(peg).nodes;
            paths_[peg].assign(nodes * words_, 0);
            for (std::size_t node = 0; node < nodes; ++node) {
                Word* const home = &paths_[peg][node * words_];
                if (peg == pegs_) {
                    home[0] = 1;
                    continue;
                }
                for (std::size_t label = 0; label < histograms_.layout().labels; ++label) {
                    const std::int32_t to = histograms_.child(peg, node, label);
                    if (to >= 0)
                        add_times(home, &paths_[peg + 1][to * words_],
                                  histograms_.colors(peg, node, label), words_);
                }
            }
        }
    }

    // Choose the next step: finish, meet, or extend the smaller side by one peg.
    void choose() {
        node_ = 0;
        if (!sums_.are_exact() && before_ == pegs_) {
            for (std::size_t node = 0; node < left_.nodes(); ++node)
                for (std::size_t i = 0; i < left_[node].size; ++i)
                    add(total_.data(), left_[node].ways + i * words_, words_);
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

    // Process one node of the current step and return the work done.
    std::size_t step() {
        if (side_ == Side::meeting) return meet();
        std::size_t work = 0;
        if (node_ < next_.nodes()) {
            work =
                side_ == Side::left
                    ? move_forward<K, W>(frame_, before_, node_, *moves_, left_, adder_, words_)
                    : move_back<K, W>(frame_, after_ - 1, node_, *moves_, right_, adder_, words_);
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

    // Add to the total the codes that pass through one node of the last layer of the left side.
    // Both lists are sorted, so a merge finds the matching sums.
    std::size_t meet() {
        std::size_t work = 0;
        const auto& step = frame_.peg(before_);
        if (node_ < left_.nodes()) {
            const List<K>& mine = left_[node_];
            for (const Move& move : moves_->out_of(node_)) {
                const List<K>& theirs = right_[move.node];
                const Key shift = step.shift[move.kind];
                Word sum[Width<W>::most];
                std::fill_n(sum, words_, 0);
                std::size_t at = 0;
                for (std::size_t i = 0; i < theirs.size && at < mine.size; ++i) {
                    Key key = theirs.keys[i] + step.ending;
                    if (!subtract(key, shift, step.guards)) continue;
                    while (at < mine.size && mine.keys[at] < key) ++at;
                    if (at < mine.size && mine.keys[at] == key)
                        add_product(sum, mine.ways + at * words_, theirs.ways + i * words_, words_);
                }
                add_times(total_.data(), sum, move.colors, words_);
                work += mine.size + theirs.size;
            }
            ++node_;
        }
        if (node_ >= left_.nodes()) is_done_ = true;
        return work;
    }

    const Width<W> words_;
    const Histograms& histograms_;
    const Sums& sums_;
    Frame<K> frame_;
    std::size_t pegs_;
    Lists<K, W> left_, right_, next_;
    std::size_t before_ = 0, after_;  // layers reached from the left and from the right
    Adder<K, W> adder_;
    std::optional<Moves> moves_;  // transitions of the current peg
    Side side_ = Side::left;
    std::size_t node_ = 0;
    std::vector<std::vector<Word>> paths_;
    std::vector<Word> total_;
    bool is_done_ = false;
};

// The counter for given sizes of keys and numbers. The members refer to each other in this order:
// histograms_ to layout_ and budget_, lister_ to histograms_, sums_ and budget_. So it must not be
// moved; make() returns it in a unique_ptr.
template <int K, int W>
class CounterOf : public Counter {
public:
    CounterOf(Layout layout, std::size_t memory, Width<W> words)
        : layout_(std::move(layout)),
          words_(words),
          budget_(memory),
          histograms_(layout_, budget_) {}

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
                lister_.emplace(histograms_, *sums_, budget_, words_);
        }
        if (is_done_ || done >= work) return is_done_;
        return lister_->advance(work - done);
    }

    const std::vector<Word>& count() const override { return lister_ ? lister_->total() : zero_; }

    Stage stage() const override {
        Stage stage;
        stage.nodes = histograms_.nodes();
        stage.peak_bytes = budget_.peak();
        if (lister_) lister_->describe(stage);
        return stage;
    }

private:
    const Layout layout_;
    const Width<W> words_;
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
    with_sizes(keys, words, [&](auto key, auto width) {
        made = std::make_unique<CounterOf<key(), width()>>(std::move(layout), memory,
                                                           Width<width()>(words));
    });
    return made;
}

}  // namespace mmsat::counting
