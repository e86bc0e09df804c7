// Interruption of long computations. The computation calls Interrupt::check() at intervals, and
// check() throws to end it.
#pragma once

#include <atomic>
#include <functional>
#include <utility>

namespace mmsat {

// Thrown by Interrupt::check() after stop().
struct Stopped {};

// A stop flag and an optional callback. stop(), restart() and is_stopped() may be called from any
// thread. check() runs the callback in the thread that calls check().
class Interrupt {
public:
    // Callback of check(). It ends the computation by throwing (see check_signals in bindings.hpp).
    using Poll = std::function<void()>;

    explicit Interrupt(Poll poll = {}) : poll_(std::move(poll)) {}

    // Set or clear the stop flag.
    void stop() { is_stopped_.store(true, std::memory_order_relaxed); }
    void restart() { is_stopped_.store(false, std::memory_order_relaxed); }
    bool is_stopped() const { return is_stopped_.load(std::memory_order_relaxed); }

    // Throw Stopped if the flag is set; otherwise run the callback.
    void check() const {
        if (is_stopped()) throw Stopped();
        if (poll_) poll_();
    }

private:
    std::atomic<bool> is_stopped_{false};
    Poll poll_;
};

}  // namespace mmsat
