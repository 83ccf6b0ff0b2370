#pragma once
// Requests to stop or pause a running run.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

#include "util/turns.h"

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
    /// Before the next run of a lane (batch/lanes.h): all requests concerned the previous one. Requests to
    /// the whole process are made again.
    void forget() noexcept {
        request_ = 0;
        paused_ = false;
    }
    [[nodiscard]] StopRequest request() const noexcept { return static_cast<StopRequest>(request_.load()); }
    /// Whether to cancel or interrupt.
    [[nodiscard]] bool must_stop() const noexcept { return request() >= StopRequest::cancel; }

    /// Pauses the run between two steps, or between two batches of a validation or evaluation, until resumed
    /// or stopped.
    void pause(bool on) noexcept { paused_ = on; }
    [[nodiscard]] bool paused() const noexcept { return paused_.load(); }
    /// Before the run starts: it computes in turns with other runs, and passes its turn on where it could be
    /// paused. The run's thread must hold a turn while the run is in progress.
    void take_turns(Turns& turns) noexcept { turns_ = &turns; }
    /// For the run's thread: whether wait_while_paused() would wait.
    [[nodiscard]] bool must_wait() const { return paused() || (turns_ != nullptr && turns_->wanted()); }
    /// For the run's thread: returns when the run is not paused and has its turn.
    void wait_while_paused() const {
        if (!must_wait()) return;
        const auto begin = std::chrono::steady_clock::now();
        if (turns_ != nullptr) turns_->give_back();
        while (paused() && request() == StopRequest::none)
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        if (turns_ != nullptr) turns_->take();
        held_nanoseconds_ += std::chrono::nanoseconds(std::chrono::steady_clock::now() - begin).count();
    }
    /// Total duration of all pauses and other runs' turns; not counted as time of the run.
    [[nodiscard]] double held_seconds() const noexcept {
        return static_cast<double>(held_nanoseconds_.load()) * 1e-9;
    }

private:
    std::atomic<int> request_{0};
    std::atomic<bool> paused_{false};
    Turns* turns_ = nullptr;
    mutable std::atomic<std::int64_t> held_nanoseconds_{0};
    static_assert(std::atomic<int>::is_always_lock_free);
};

}  // namespace casp::train
