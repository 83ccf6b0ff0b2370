#pragma once
// How a run is asked to end before its time.

#include <atomic>

namespace casp::train {

/// What somebody wants of a run that is going on.
enum class StopRequest : int {
    none = 0,
    finish_early,  ///< stop training now, evaluate and keep what there is
    cancel,        ///< stop after this step, keep a checkpoint; state "cancelled"
    interrupt      ///< the same for a signal or a closing window; state "interrupted"
};

/// Shared between the thread that runs and those that may ask it to stop. Any thread may call any function;
/// ask() is also safe in a signal handler. A stronger request replaces a weaker one.
class StopControl {
public:
    void ask(StopRequest request) noexcept {
        int current = request_.load();
        while (current < static_cast<int>(request) &&
               !request_.compare_exchange_weak(current, static_cast<int>(request))) {
        }
    }
    /// Before the next run of a batch: what was asked to finish early was the one before.
    void forget_finish_early() noexcept {
        int early = static_cast<int>(StopRequest::finish_early);
        request_.compare_exchange_strong(early, 0);
    }
    [[nodiscard]] StopRequest request() const noexcept { return static_cast<StopRequest>(request_.load()); }
    /// Cancel or interrupt: nothing more is to be computed.
    [[nodiscard]] bool must_stop() const noexcept { return request() >= StopRequest::cancel; }

    /// A pause holds the run between two steps until it is lifted or a stop is asked for.
    void pause(bool on) noexcept { paused_ = on; }
    [[nodiscard]] bool paused() const noexcept { return paused_.load(); }

private:
    std::atomic<int> request_{0};
    std::atomic<bool> paused_{false};
    static_assert(std::atomic<int>::is_always_lock_free);
};

}  // namespace casp::train
