#pragma once
// The curves that a continued or forked run goes on from: run.h5 of the run itself, or of its parent. It may
// be lost or damaged where a checkpoint is not, and then must not take the checkpoint with it.

#include <cstdint>
#include <optional>

#include "store/run_folder.h"
#include "store/run_record.h"
#include "train/observer.h"

namespace casp::run {

/// The history that a resume goes on from. Where it cannot be read, the input Error says so and names the way
/// on: a fork from the checkpoint, which was found intact and is of step `checkpoint_step`.
[[nodiscard]] store::RunRecord history_of_run(const store::RunFolder& run, std::int64_t checkpoint_step);

/// The history that a fork goes on from; nothing, and a warning, where the parent's cannot be read.
[[nodiscard]] std::optional<store::RunRecord> history_of_parent(const store::RunFolder& parent,
                                                                train::TrainObserver& observer);

}  // namespace casp::run
