#pragma once
// Folder of a queued run: checks, marking as queued, and undoing that.

#include <optional>

#include "run/run.h"
#include "store/run_folder.h"

namespace casp::gui {

/// State of the folder before the run was queued.
struct QueuedFolder {
    std::optional<store::RunStatus> before;  ///< of a run to be resumed
};

/// Writes config.toml and a run.json with state "queued" to request.folder, which is created if necessary.
/// Throws an input Error and writes nothing if the folder contains a finished run, an unfinished one without
/// request.resume, other files, or a run of another process.
[[nodiscard]] QueuedFolder queue_in_folder(const run::RunRequest& request);

/// Undoes queue_in_folder: removes the folder of a run that never started, restores the state of a run to be
/// resumed. Never throws.
void take_from_folder(const run::RunRequest& request, const QueuedFolder& queued) noexcept;

}  // namespace casp::gui
