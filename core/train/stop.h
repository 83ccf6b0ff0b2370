#pragma once
// Requests to stop or pause a running run.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

namespace casp::train {

/// Requests to a running run, weakest first.
enum class StopRequest : int {
    none = 0,
    finish_early,  ///< stop training now, evaluate, and keep the results
    cancel,        ///< stop after this step, keep a checkpoint; state "cancelled"
    interrupt      ///< the same for a signal or a closing window; state "interrupted"
};

/// Shared between a run's thread and the threads that control it. Thread-safe; ask() is also safe in a signal
/// handler. A stronger request replaces a weaker one.
class StopControl {
public:
    void ask(StopRequest request) noexcept {
        int current = request_.load();
        while (current < static_cast<int>(request) &&
               !request_.compare_exchange_weak(current, static_cast<int>(request))) {
        }
    }
    /// Before the next run of a batch: the request concerned the previous one.
    void forget_finish_early() noexcept {
        int early = static_cast<int>(StopRequest::finish_early);
        request_.compare_exchange_strong(early, 0);
    }
    [[nodiscard]] StopRequest request() const noexcept { return static_cast<StopRequest>(request_.load()); }
    /// Whether to cancel or interrupt.
    [[nodiscard]] bool must_stop() const noexcept { return request() >= StopRequest::cancel; }

    /// Pauses the run between two steps, or between two batches of a validation or evaluation, until resumed
    /// or stopped.
    void pause(bool on) noexcept { paused_ = on; }
    [[nodiscard]] bool paused() const noexcept { return paused_.load(); }
    /// For the run's thread: returns when the run is not paused.
    void wait_while_paused() const {
        if (!paused()) return;
        const auto begin = std::chrono::steady_clock::now();
        while (paused() && request() == StopRequest::none)
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        held_nanoseconds_ += std::chrono::nanoseconds(std::chrono::steady_clock::now() - begin).count();
    }
    /// Total duration of all pauses; not counted as time of the run.
    [[nodiscard]] double held_seconds() const noexcept {
        return static_cast<double>(held_nanoseconds_.load()) * 1e-9;
    }

private:
    std::atomic<int> request_{0};
    std::atomic<bool> paused_{false};
    mutable std::atomic<std::int64_t> held_nanoseconds_{0};
    static_assert(std::atomic<int>::is_always_lock_free);
};

}  // namespace casp::train
