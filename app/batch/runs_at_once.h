#pragma once
// The rule of run.together = "auto" on a GPU: how many runs share it.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "util/device_use.h"

namespace casp::batch {

/// Begins with one run and adds another as long as the device has memory for it and the last addition paid,
/// measured by the training steps of the runs themselves. An addition that did not pay is taken back, and
/// then the number stays. A function of what it is told, without threads or a clock: times are seconds of any
/// clock that does not go back. Not thread-safe.
class RunsAtOnce {
public:
    using Run = std::int64_t;  ///< any number from 0 that no other run has

    /// `most`: runs at once, from 1; `room`: the memory of a device.
    RunsAtOnce(std::int64_t most, std::function<DeviceRoom(const std::string& device)> room)
        : most_(most), room_(std::move(room)) {}

    /// How many runs should be in progress; a smaller number than before takes effect as runs end.
    [[nodiscard]] std::int64_t wanted() const { return wanted_; }

    /// A run is about to make its first step. Runs of one `kind` have steps of about equal cost.
    void begun(Run run, const std::string& kind, const std::string& device, double now);
    /// A run has made `steps` more steps in `seconds` of training, without its validations. Returns a
    /// decision in words, or "".
    [[nodiscard]] std::string stepped(Run run, std::int64_t steps, double seconds, double now);
    /// A run has ended an epoch with its validation.
    void epoch_ended(Run run, double now);
    /// No effect for a run that has not begun.
    void ended(Run run, double now);
    /// A run has failed for lack of memory. Returns a decision in words, or "".
    [[nodiscard]] std::string ran_out_of_memory();

private:
    struct Running {
        std::string kind, device;
        std::int64_t reports = 0;
        double last = 0, interval = 0;  ///< time of the last report, and its seconds
    };
    struct Rate {
        std::string kind;
        double steps = 0, seconds = 0;
        [[nodiscard]] double per_second() const { return steps / seconds; }
    };
    using Rates = std::map<Run, Rate>;

    /// A report, counted when all runs have made one since: none was paused meanwhile.
    struct Report {
        Run run;
        double steps, seconds, now;
    };

    void look(double now);
    void count_reports();
    [[nodiscard]] std::optional<double> former_rate(Run run, const std::string& kind) const;
    [[nodiscard]] std::optional<double> gain() const;
    [[nodiscard]] std::string decide();
    [[nodiscard]] std::string add_one();

    std::int64_t most_;
    std::function<DeviceRoom(const std::string& device)> room_;
    std::int64_t wanted_ = 1;
    bool final_ = false;
    std::map<Run, Running> running_;
    static constexpr Run none = -1;
    Run newest_ = none;             ///< that made them as many as wanted
    bool newest_is_known_ = false;  ///< in memory and kernels: it has ended an epoch
    std::vector<Report> reports_;   ///< not in `rates_` yet
    std::int64_t rounds_ = 0;       ///< of reports of all runs, in `rates_`
    Rates rates_;                   ///< with `wanted_` runs
    Rates former_;                  ///< with one run less
    std::optional<double> since_;   ///< all wanted runs are training, none is paused, validates or evaluates
    double measured_ = 0;           ///< seconds of that before
};

}  // namespace casp::batch
