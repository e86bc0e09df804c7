#include "counting/counter.hpp"

#include <new>
#include <optional>
#include <utility>

#include "counting/frame.hpp"
#include "counting/histograms.hpp"
#include "counting/instances.hpp"
#include "counting/lists.hpp"
#include "counting/moves.hpp"
#include "counting/sums.hpp"

namespace mmsat::counting {

namespace {

// The count by lists, after the histograms are complete. `histograms`, `sums` and `budget` are
// members of CounterOf, and must outlive the object.
template <int K, int W>
class ListCounter {
public:
    ListCounter(const Histograms& histograms, const Sums& sums, Budget& budget, Width<W> words)
        : words_(words),
          histograms_(histograms),
          sums_(sums),
          frame_(histograms, sums, budget),
          pegs_(histograms.layout().pegs),
          left_(budget, words),
          right_(budget, words),
          next_(budget, words),
          right_layer_(pegs_),
          adder_(budget, words),
          total_(words, 0) {
        const Key zero{};
        const Word one[Width<W>::max_words] = {1};
        left_.start(1);
        left_.put(0, &zero, one, 1);
        right_.start(histograms.layer(pegs_).num_nodes);
        if (sums.are_exact())
            for (std::size_t node = 0; node < right_.num_nodes(); ++node) {
                const Key sums_of_code = frame_.final_sums(node);
                const auto& window = frame_.ahead(pegs_, node);
                const auto& step = frame_.peg(pegs_ - 1);
                // The window includes the sums that end at the last peg, so they are added.
                if (within(sums_of_code + step.ending, window.low, window.high, step.guards))
                    right_.put(node, &sums_of_code, one, 1);
            }
        budget.take(histograms.num_nodes() * words * sizeof(Word));
        count_paths();
    }

    bool advance(std::uint64_t work) {
        std::uint64_t work_done = 0;
        while (work_done < work) {
            if (is_done_) return true;
            if (!moves_) start_step();
            if (is_done_) return true;
            work_done += 1 + process_node();
        }
        return is_done_;
    }

    const std::vector<Word>& total() const { return total_; }

    // Set the progress of the lists. The upper bound counts all continuations of the left side with
    // possible histograms, whatever their sums are.
    void describe(CountProgress& progress) const {
        progress.num_pegs_done = left_layer_ + (pegs_ - right_layer_);
        progress.num_states = left_.size() + right_.size() + next_.size();
        progress.upper_bound.assign(words_, 0);
        for (std::size_t node = 0; node < left_.num_nodes(); ++node) {
            Word sum[Width<W>::max_words];
            std::fill_n(sum, words_, 0);
            for (std::size_t i = 0; i < left_[node].size; ++i)
                add(sum, left_[node].ways + i * words_, words_);
            add_product(progress.upper_bound.data(), sum, &paths_[left_layer_][node * words_],
                        words_);
        }
    }

private:
    using Key = Packed<K>;
    enum class Side { left, right, meeting };

    // Compute, for each node, the number of choices of colors for the remaining pegs that satisfy
    // the unmixed count constraints. These are the paths from the node to the last layer.
    void count_paths() {
        paths_.resize(pegs_ + 1);
        for (std::size_t peg = pegs_ + 1; peg-- > 0;) {
            const std::size_t nodes = histograms_.layer(peg).num_nodes;
            paths_[peg].assign(nodes * words_, 0);
            for (std::size_t node = 0; node < nodes; ++node) {
                Word* const num_paths = &paths_[peg][node * words_];
                if (peg == pegs_) {
                    num_paths[0] = 1;
                    continue;
                }
                for (std::size_t label = 0; label < histograms_.layout().labels; ++label) {
                    const std::int32_t to = histograms_.child(peg, node, label);
                    if (to >= 0)
                        add_times(num_paths, &paths_[peg + 1][to * words_],
                                  histograms_.colors(peg, node, label), words_);
                }
            }
        }
    }

    // Choose the next step: finish, meet, or extend the smaller side by one peg.
    void start_step() {
        node_ = 0;
        if (!sums_.are_exact() && left_layer_ == pegs_) {
            // The left side has reached the last layer, so its entries are codes.
            for (std::size_t node = 0; node < left_.num_nodes(); ++node)
                for (std::size_t i = 0; i < left_[node].size; ++i)
                    add(total_.data(), left_[node].ways + i * words_, words_);
            is_done_ = true;
            return;
        }
        if (sums_.are_exact() && left_layer_ + 1 == right_layer_)
            side_ = Side::meeting;
        else if (!sums_.are_exact() || left_.size() <= right_.size())
            side_ = Side::left;
        else
            side_ = Side::right;
        const std::size_t peg = side_ == Side::right ? right_layer_ - 1 : left_layer_;
        moves_.emplace(histograms_, peg, frame_.peg(peg).shift_indices);
        if (side_ == Side::left) moves_->sort_by_target();
        if (side_ != Side::meeting)
            next_.start(histograms_.layer(side_ == Side::left ? peg + 1 : peg).num_nodes);
    }

    // Process one node of the current step. Returns the work done.
    std::size_t process_node() {
        if (side_ == Side::meeting) return meet();
        std::size_t work = 0;
        if (node_ < next_.num_nodes()) {
            work = side_ == Side::left ? move_forward<K, W>(frame_, left_layer_, node_, *moves_,
                                                            left_, adder_, words_)
                                       : move_back<K, W>(frame_, right_layer_ - 1, node_, *moves_,
                                                         right_, adder_, words_);
            next_.put(node_, adder_.keys(), adder_.ways(), adder_.size());
            ++node_;
        }
        if (node_ >= next_.num_nodes()) {
            (side_ == Side::left ? left_ : right_).swap(next_);
            next_.clear();
            if (side_ == Side::left)
                ++left_layer_;
            else
                --right_layer_;
            moves_.reset();
        }
        return work;
    }

    // Add to the total the codes that pass through one node of the last layer of the left side.
    // Both lists are sorted, so a merge finds the matching sums. Returns the work done.
    std::size_t meet() {
        std::size_t work = 0;
        const auto& step = frame_.peg(left_layer_);
        if (node_ < left_.num_nodes()) {
            const List<K>& left_list = left_[node_];
            // A code has left sums + shift = right sums + ending: the sums that end at this peg are
            // no longer in the right sums, and `ending` has their only allowed values.
            for (const Move& move : moves_->out_of(node_)) {
                const List<K>& right_list = right_[move.node];
                const Key shift = step.shifts[move.shift_index];
                Word sum[Width<W>::max_words];
                std::fill_n(sum, words_, 0);
                std::size_t left_index = 0;
                for (std::size_t i = 0; i < right_list.size && left_index < left_list.size; ++i) {
                    Key key = right_list.keys[i] + step.ending;
                    if (!subtract(key, shift, step.guards)) continue;
                    while (left_index < left_list.size && left_list.keys[left_index] < key)
                        ++left_index;
                    if (left_index < left_list.size && left_list.keys[left_index] == key)
                        add_product(sum, left_list.ways + left_index * words_,
                                    right_list.ways + i * words_, words_);
                }
                add_times(total_.data(), sum, move.num_colors, words_);
                work += left_list.size + right_list.size;
            }
            ++node_;
        }
        if (node_ >= left_.num_nodes()) is_done_ = true;
        return work;
    }

    const Width<W> words_;
    const Histograms& histograms_;
    const Sums& sums_;
    Frame<K> frame_;
    std::size_t pegs_;
    Lists<K, W> left_, right_, next_;
    std::size_t left_layer_ = 0, right_layer_;  // layers reached from the left and from the right
    Adder<K, W> adder_;
    std::optional<Moves> moves_;            // transitions of the current peg
    Side side_ = Side::left;                // the side that the current step extends
    std::size_t node_ = 0;                  // next node of the current step
    std::vector<std::vector<Word>> paths_;  // per layer: see count_paths()
    std::vector<Word> total_;
    bool is_done_ = false;
};

// The counter for given sizes of keys and numbers. Members refer to each other: histograms_ to
// layout_ and budget_, and list_counter_ to histograms_, sums_ and budget_. So the object must not
// be moved, and make() returns a unique_ptr.
template <int K, int W>
class CounterOf : public Counter {
public:
    CounterOf(Layout layout, std::size_t max_bytes, Width<W> words)
        : layout_(std::move(layout)),
          words_(words),
          budget_(max_bytes),
          histograms_(layout_, budget_) {}

    bool advance(std::uint64_t work) override {
        std::uint64_t work_done = 0;
        while (!list_counter_ && !is_done_ && work_done < work) {
            if (histograms_.advance()) {
                work_done += histograms_.num_nodes() * layout_.labels;
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
                list_counter_.emplace(histograms_, *sums_, budget_, words_);
        }
        if (is_done_ || work_done >= work) return is_done_;
        return list_counter_->advance(work - work_done);
    }

    const std::vector<Word>& count() const override {
        return list_counter_ ? list_counter_->total() : zero_;
    }

    CountProgress progress() const override {
        CountProgress progress;
        progress.num_nodes = histograms_.num_nodes();
        progress.peak_bytes = budget_.peak();
        if (list_counter_) list_counter_->describe(progress);
        return progress;
    }

private:
    const Layout layout_;
    const Width<W> words_;
    Budget budget_;
    Histograms histograms_;
    std::optional<Sums> sums_;
    std::optional<ListCounter<K, W>> list_counter_;
    bool is_done_ = false;
    const std::vector<Word> zero_{0};
};

}  // namespace

std::unique_ptr<Counter> Counter::make(Layout layout, std::size_t max_bits, std::size_t max_bytes) {
    const std::size_t num_key_words = key_words(layout), num_words = number_words(max_bits);
    std::unique_ptr<Counter> counter;
    with_sizes(num_key_words, num_words, [&](auto key_size, auto width) {
        counter = std::make_unique<CounterOf<key_size(), width()>>(std::move(layout), max_bytes,
                                                                   Width<width()>(num_words));
    });
    return counter;
}

}  // namespace mmsat::counting
