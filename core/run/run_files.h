#pragma once
// The files that a run in progress writes.

#include <chrono>
#include <cstdint>
#include <string>
#include <tuple>

#include "run/active_run.h"
#include "train/evaluation.h"

namespace casp::run {

/// Writes run.json, run.h5, checkpoints and the best weights of a run, whose lock is checked before each. The
/// run's thread.
class RunFiles {
public:
    explicit RunFiles(const ActiveRun& run) : run_(run) {}

    /// From now on the folder has files of this start.
    void begin() { begun_ = true; }
    [[nodiscard]] bool has_begun() const { return begun_; }
    void write_status(store::RunState state, const Phrase& message = {});
    /// run.json and run.h5 of a run that failed; what fails in that is not reported. Nothing before begin().
    void note_failure(const Phrase& message);
    void write_record();
    /// Not more often than every 30 s, in the first minute more often.
    void write_record_if_due();
    /// Of the state after the last step, with the history up to it.
    void write_checkpoint();
    /// One sentence.
    [[nodiscard]] std::string last_good_checkpoint() const;
    /// Writes best.safetensors; returns its SHA-256.
    [[nodiscard]] std::string write_best();
    /// The run's row in results.csv.
    [[nodiscard]] store::ResultRow row(store::RunState state) const;

private:
    using Clock = std::chrono::steady_clock;
    void set_state(store::RunState state);
    void check_ours() const;

    const ActiveRun& run_;
    std::tuple<std::int64_t, std::int64_t, std::int64_t, bool> last_checkpoint_{-1, 0, 0, false};
    Clock::time_point created_ = Clock::now(), last_record_{};
    bool begun_ = false;
};

}  // namespace casp::run
