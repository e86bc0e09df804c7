// Control of the search for optimal strategies (optimal.hpp): threads, progress and termination.
// The leader is the thread of one work; the helpers run as long as the object exists.
#include "optimal/optimal.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "optimal/worker.hpp"

namespace mmsat::optimal {

namespace {

// Work of a recalled finding: the maximum, so that other sets do not replace it in the memo.
constexpr std::uint64_t kFindingWork = ~std::uint64_t{0} >> 8;

}  // namespace

Optimal::Optimal(Answers answers, Canonicalizer canonicalizer, Request request,
                 std::vector<std::int32_t> possible, HardMode hard)
    : answers_(answers),
      canonicalizer_(std::move(canonicalizer)),
      request_(request),
      hard_(std::move(hard)),
      lower_bounds_(possible.size(), static_cast<int>(answers.num_answers), request.max_guesses),
      memo_(request.memo_bits, request.threads > 1),
      possible_(std::move(possible)),
      uses_symmetry_(possible_.size() == answers.num_codes && !hard_.is_active()) {
    if (answers.num_answers > kMaxAnswers) throw std::invalid_argument("at most 254 answers");
    if (hard_.is_active())
        for (std::size_t guess = 0; guess < answers.num_codes; ++guess)
            guess_keys_.push_back(contribution(kFirstAllowedValue + guess));
    for (int index = 0; index < std::max(1, request.threads); ++index)
        workers_.push_back(std::make_unique<Worker>(*this));
    for (int index = 1; index < request.threads; ++index)
        helpers_.emplace_back([this, index] { run_helper(index); });
}

Optimal::~Optimal() {
    stop();
    {
        const std::lock_guard lock(mutex_);
        is_closing_ = true;
    }
    wake_.notify_all();
    for (std::thread& helper : helpers_) helper.join();
}

template <class Work>
void Optimal::launch(Work work) {
    stop();
    interrupt_.restart();
    is_done_ = false;
    for (const auto& worker : workers_)
        worker->num_sets_before = worker->num_sets.load(std::memory_order_relaxed);
    leader_ = std::thread([this, work] {
        try {
            work(*workers_.front());
        } catch (const Stopped&) {
            interrupt_.stop();
        } catch (...) {
            fail();
        }
        const std::lock_guard lock(mutex_);
        is_done_ = true;
        wake_.notify_all();
    });
}

void Optimal::fail() {
    const std::lock_guard lock(mutex_);
    error_ = std::current_exception();
    interrupt_.stop();
}

Optimal::Task Optimal::root() const {
    const int answers = static_cast<int>(answers_.num_answers);
    // A guess in the set can have a class for each answer, and any other guess for each but the
    // win.
    const ClassLimits limits{answers, request_.consistent_only ? 0 : answers - 1};
    return {possible_.data(), possible_.size(), request_.max_guesses, 0, limits};
}

void Optimal::start(Total bound) {
    launch([this, bound](Worker& worker) {
        beam_width_ = 0;
        worker.history.clear();
        best_ = bound;
        total_ = kImpossible;
        max_sets_ = request_.max_sets;
        total_ = solve(worker, root(), bound);
    });
}

void Optimal::start_beam(std::size_t width, std::size_t exact_size, std::vector<Total> costs) {
    stop();
    beam_costs_.total = std::move(costs);
    beam_costs_.has_bends = false;
    launch([this, width, exact_size](Worker& worker) {
        beam_width_ = width;
        max_sets_ = 0;
        beam_exact_size_ = exact_size;
        ++num_beams_;
        best_ = kImpossible;
        worker.history.clear();
        total_ = solve(worker, root(), kImpossible);
    });
}

void Optimal::start_tree(Total total) {
    launch([this, total](Worker& worker) {
        tree_.clear();
        max_sets_ = 0;
        worker.history.clear();
        build_tree(worker, root(), total);
    });
}

bool Optimal::wait(double seconds) {
    std::unique_lock lock(mutex_);
    const bool is_done =
        wake_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return is_done_; });
    lock.unlock();
    if (is_done && leader_.joinable()) leader_.join();
    if (is_done && error_) std::rethrow_exception(std::exchange(error_, nullptr));
    return is_done;
}

void Optimal::stop() {
    interrupt_.stop();
    if (leader_.joinable()) leader_.join();
}

Progress Optimal::progress() const {
    std::uint64_t num_sets = 0;
    for (const auto& worker : workers_)
        num_sets += worker->num_sets.load(std::memory_order_relaxed);
    return {best_, bound_, fraction_done_, num_sets};
}

double Optimal::hash_error_bound() const {
    double comparisons = 0;
    for (const auto& worker : workers_)
        comparisons += static_cast<double>(worker->comparisons.load(std::memory_order_relaxed));
    return std::ldexp(comparisons, -Key::kTagBits);
}

std::vector<Finding> Optimal::findings() {
    const std::lock_guard lock(findings_mutex_);
    return std::exchange(findings_, {});
}

void Optimal::recall(const std::vector<Finding>& findings) {
    for (const Finding& finding : findings) memo_.put(finding.key, finding.known, kFindingWork);
}

}  // namespace mmsat::optimal
