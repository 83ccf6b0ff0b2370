#pragma once
// How the runs of a batch share its process, each in a thread: run.together.

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "batch/console.h"
#include "config/experiment.h"
#include "run/run.h"
#include "util/turns.h"

namespace casp::batch {

/// Throws an input Error if the settings of a batch's runs contradict run.together.
void check_together(const config::Config& base, const std::vector<config::RunPlan>& sweep);

/// Nothing: the runs share the process, or those of run.devices. Else they are made one after another, for
/// this reason; empty: because run.together is 1.
[[nodiscard]] std::optional<std::string> why_alone(const config::Config& base);

/// Runs at the same time, each in its own thread. Thread-safe.
class Sharing {
public:
    /// `left`: runs that are not finished. Reports how many runs there will be at once.
    Sharing(const config::Config& base, std::int64_t left, Console& console);

    /// Runs at once, at most; with "auto", one less after each that ran out of memory.
    [[nodiscard]] std::int64_t wanted() const;
    [[nodiscard]] Turns& turns() { return turns_; }
    /// Waits for a turn and makes the run with what it shares. Throws Cancelled if `all` must stop before it
    /// begins; `own`: its requests, as Turns's user.
    store::ResultRow run(run::RunRequest request, train::StopControl& own, const train::StopControl& all);

private:
    class Watched;

    void say(const std::string& text);
    void take_one_back();
    void wait_for_room(std::int64_t run, const std::string& name, std::int64_t bytes,
                       const std::string& device, train::StopControl& own);

    Console& console_;
    bool is_auto_;
    Turns turns_;
    train::SharedParts parts_;
    mutable std::mutex mutex_;  ///< for everything below
    std::int64_t wanted_;
    std::int64_t next_ = 0;  ///< number of the next run
    /// With "auto", memory of each run: the estimate of a step, after its first epoch its part of what the
    /// process has.
    std::map<std::int64_t, std::int64_t> takes_;
};

/// Calls `work` in `number` threads at the same time, each with its own StopControl, and returns when all
/// have ended. The first thread starts immediately, the others as soon as `others_may_begin()` returns true;
/// they never start if the first has ended before, or if the system has no more threads. Requests to `stop`
/// are passed on to all, repeatedly; a request to finish early is then forgotten in `stop`. If a thread
/// throws, the others are asked to interrupt their work, and the first exception is rethrown when all have
/// ended.
void work_in_lanes(std::int64_t number, train::StopControl& stop,
                   const std::function<bool()>& others_may_begin,
                   const std::function<void(train::StopControl& own)>& work);

}  // namespace casp::batch
