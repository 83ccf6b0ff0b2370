#pragma once
// How a run is asked to end before its time.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

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

    /// A pause holds the run between two steps, or two batches of a validation or an evaluation, until it is
    /// lifted or a stop is asked for.
    void pause(bool on) noexcept { paused_ = on; }
    [[nodiscard]] bool paused() const noexcept { return paused_.load(); }
    /// For the thread that runs: returns once nothing holds the run.
    void wait_while_paused() const {
        if (!paused()) return;
        const auto begin = std::chrono::steady_clock::now();
        while (paused() && request() == StopRequest::none)
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        held_nanoseconds_ += std::chrono::nanoseconds(std::chrono::steady_clock::now() - begin).count();
    }
    /// How long that has taken so far, all pauses together: no time of the run.
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
