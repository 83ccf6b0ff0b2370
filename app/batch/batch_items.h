#pragma once
// The runs of a batch, and a worker's choice among them.

#include <cstdint>
#include <filesystem>
#include <set>
#include <vector>

#include "config/experiment.h"
#include "run/preparation.h"

namespace casp::batch {

/// One run of a batch.
struct Item {
    config::RunPlan plan;
    std::filesystem::path folder;
    std::int64_t position = 0;  ///< within the sweep, from 0

    [[nodiscard]] run::PlannedRun planned() const {
        return {plan.config, folder, plan.run_name, plan.swept, position};
    }
    /// False also if the folder cannot be read.
    [[nodiscard]] bool is_finished() const;
    [[nodiscard]] bool has_failed() const;
};

/// The runs that a worker can take: unfinished, held by no process, and not taken by this worker before. Runs
/// that had failed when the worker started are tried once; those that fail later have failed for all workers.
class FreeItems {
public:
    /// `items` must outlive this object. `had_failed`: when the worker started.
    FreeItems(const std::vector<Item>& items, std::set<const Item*> had_failed)
        : items_(items), to_retry_(std::move(had_failed)) {}

    /// Takes the next free run after the last one taken, in the order of the sweep, which begins again after
    /// its end. Null: none is free now.
    [[nodiscard]] const Item* take();
    /// The run was held by another process after all.
    void put_back(const Item& item) { taken_.erase(&item); }
    /// After take() returned null: a process that holds a run may be dead, on another machine.
    [[nodiscard]] bool may_be_left() const { return may_be_left_; }

private:
    [[nodiscard]] bool is_free(const Item& item);

    const std::vector<Item>& items_;
    std::set<const Item*> to_retry_;
    std::set<const Item*> taken_;  ///< or finished
    std::size_t next_ = 0;
    bool may_be_left_ = false;
};

}  // namespace casp::batch
