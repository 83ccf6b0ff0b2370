#pragma once
// A row of the list of runs; for the sources of FileRunLibrary only.

#include <memory>

#include <QString>

#include "state/file_run_data.h"

namespace casp::widgets {

struct RunRow {
    std::shared_ptr<RunSummary> shared = std::make_shared<RunSummary>();
    RunSummary& summary = *shared;      ///< `data`, which a view may still use, can outlive the row
    std::unique_ptr<FileRunData> data;  ///< made on first request
    int index = 0;
    int task = -1;             ///< what its errors compare with (BestRuns)
    bool queued_here = false;  ///< waits in this process's queue
    int colour_index = -1;     ///< in the palette of runs; −1: none given yet
    QString own_colour;        ///< chosen by the user
    bool marks_known = false;  ///< marks.json has been read, or is being written
    bool on_disk = false;      ///< its run.json has been read, or its worker has written one
    bool scanned = false;      ///< the scanner has found it, and reports when it is gone

    /// A run of this process that the scanner has not found yet and therefore does not miss.
    [[nodiscard]] bool unwatched() const { return on_disk && !scanned && !summary.ours && !queued_here; }
    /// Whether its run.h5 may hold what its worker did not report.
    [[nodiscard]] bool follows_files() const { return !summary.ours || data->has_gap(); }
};

}  // namespace casp::widgets
