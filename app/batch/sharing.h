#pragma once
// How the runs of a batch share its process: run.together.

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "batch/console.h"
#include "batch/runs_at_once.h"
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

    /// Runs at once, now: with "auto" on a GPU, this changes while they are in progress.
    [[nodiscard]] std::int64_t wanted() const;
    [[nodiscard]] Turns& turns() { return turns_; }
    /// Waits for a turn and makes the run with what it shares. Throws Cancelled if `all` must stop before it
    /// begins; `own`: its requests, as Turns's user.
    store::ResultRow run(run::RunRequest request, train::StopControl& own, const train::StopControl& all);

private:
    class Watched;

    void say(const std::string& text);
    void decide_after_lack_of_memory();
    void wait_for_room(RunsAtOnce::Run run, const std::string& name, std::int64_t bytes,
                       const std::string& device, train::StopControl& own);

    Console& console_;
    bool is_auto_;
    std::int64_t most_;
    Turns turns_;
    train::SharedParts parts_;
    mutable std::mutex mutex_;  ///< for everything below
    std::optional<RunsAtOnce> rule_;
    RunsAtOnce::Run next_ = 0;
    /// With "auto", memory of each run: the estimate of a step, after its first epoch its part of what the
    /// process has.
    std::map<RunsAtOnce::Run, std::int64_t> takes_;
};

}  // namespace casp::batch
