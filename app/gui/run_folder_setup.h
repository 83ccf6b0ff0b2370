#pragma once
// The folder of a run that waits in the queue: checked, marked as queued, and taken back.

#include <optional>

#include "run/run.h"
#include "store/run_folder.h"

namespace casp::gui {

/// What was in the folder before the run was queued.
struct QueuedFolder {
    std::optional<store::RunStatus> before;  ///< of a run that is to be continued
};

/// Writes config.toml and a run.json of state "queued" into request.folder, which is made if it is not there.
/// Throws an input Error, and writes nothing, where the folder holds a finished run, an unfinished one
/// without request.resume, files that belong to no run, or a run that another process writes.
[[nodiscard]] QueuedFolder queue_in_folder(const run::RunRequest& request);

/// Undoes queue_in_folder: a run that never began leaves no folder, one that was to be continued its former
/// state. Never throws.
void take_from_folder(const run::RunRequest& request, const QueuedFolder& queued) noexcept;

}  // namespace casp::gui
