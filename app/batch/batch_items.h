#pragma once
// What has become of the runs of a batch, and a worker's choice among them.

#include <set>
#include <utility>
#include <vector>

#include "config/experiment.h"

namespace casp::batch {

/// False also if the run's folder cannot be read.
[[nodiscard]] bool is_finished(const config::RunPlan& run);
[[nodiscard]] bool has_failed(const config::RunPlan& run);

/// The runs that a worker can take: unfinished, held by no process, and not taken by this worker before. Runs
/// that had failed when the worker started are tried once; those that fail later have failed for all workers.
class FreeRuns {
public:
    /// `runs` must outlive this object. `had_failed`: when the worker started.
    FreeRuns(const std::vector<config::RunPlan>& runs, std::set<const config::RunPlan*> had_failed)
        : runs_(runs), to_retry_(std::move(had_failed)) {}

    /// Takes the next free run after the last one taken, in the order of the sweep, which begins again after
    /// its end. Null: none is free now.
    [[nodiscard]] const config::RunPlan* take();
    /// The run was held by another process after all.
    void put_back(const config::RunPlan& run) { taken_.erase(&run); }
    /// After take() returned null: a process that holds a run may be dead, on another machine.
    [[nodiscard]] bool may_be_left() const { return may_be_left_; }

private:
    [[nodiscard]] bool is_free(const config::RunPlan& run);

    const std::vector<config::RunPlan>& runs_;
    std::set<const config::RunPlan*> to_retry_;
    std::set<const config::RunPlan*> taken_;  ///< or finished
    std::size_t next_ = 0;
    bool may_be_left_ = false;
};

}  // namespace casp::batch
