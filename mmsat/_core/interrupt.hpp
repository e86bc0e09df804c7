// How long work is ended from outside: it calls check() now and then.
#pragma once

#include <atomic>
#include <functional>
#include <utility>

namespace mmsat {

// Thrown by work that was stopped.
struct Stopped {};

class Interrupt {
public:
    // What check() calls in the thread of the work; it may throw to end it (see check_signals in
    // bindings.hpp).
    using Poll = std::function<void()>;

    explicit Interrupt(Poll poll = {}) : poll_(std::move(poll)) {}

    // From any thread.
    void stop() { is_stopped_.store(true, std::memory_order_relaxed); }
    void restart() { is_stopped_.store(false, std::memory_order_relaxed); }
    bool is_stopped() const { return is_stopped_.load(std::memory_order_relaxed); }

    void check() const {
        if (is_stopped()) throw Stopped();
        if (poll_) poll_();
    }

private:
    std::atomic<bool> is_stopped_{false};
    Poll poll_;
};

}  // namespace mmsat
