#pragma once
// Loading of earlier training curves (run.h5) for a resumed run or a fork. They may be lost or damaged while
// the checkpoint is intact.

#include <cstdint>
#include <optional>

#include "store/run_folder.h"
#include "store/run_record.h"
#include "train/observer.h"

namespace casp::run {

/// History for resuming a run. If it cannot be read, throws an input Error that suggests a fork from the
/// intact checkpoint of step `checkpoint_step`.
[[nodiscard]] store::RunRecord history_of_run(const store::RunFolder& run, std::int64_t checkpoint_step);

/// History of a fork's parent; nothing, with a warning, if it cannot be read.
[[nodiscard]] std::optional<store::RunRecord> history_of_parent(const store::RunFolder& parent,
                                                                train::TrainObserver& observer);

}  // namespace casp::run
