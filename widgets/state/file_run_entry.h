#pragma once
// A row of FileRunLibrary; for its sources only.

#include "state/file_run_library.h"

namespace casp::widgets {

struct FileRunLibrary::Entry {
    std::shared_ptr<RunSummary> shared = std::make_shared<RunSummary>();
    RunSummary& summary = *shared;      ///< `data`, which a view may still look at, can outlive the row
    std::unique_ptr<FileRunData> data;  ///< made on first request
    int index = 0;
    int task = -1;             ///< number of its task, for "best"
    bool queued_here = false;  ///< waits in this process's queue
    int colour_index = -1;     ///< in the palette of runs; −1: none given yet
    QString own_colour;        ///< of the user's choice
    int marks_writes = 0;      ///< on their way to the disk
    quint64 marks_scan = 0;    ///< looks at the files up to this one may have seen older marks
};

}  // namespace casp::widgets
