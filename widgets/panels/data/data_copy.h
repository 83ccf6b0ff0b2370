#pragma once
// A table as a plain CSV file, for files that only read rightly with corrections: runs read by content.

#include <filesystem>
#include <stop_token>

#include "data/table.h"
#include "util/progress.h"

namespace casp::widgets {

/// Writes UTF-8, commas, points, a header, LF; the time as "2016-07-01 00:00:00" in a first column "date";
/// numbers as short as they read back to the same double; missing cells empty. Written beside `path` and
/// renamed, so that a former file stays whole until then. Any thread; throws a run Error where it cannot be
/// written, and Cancelled.
void write_plain_csv(const data::Table& table, const std::filesystem::path& path,
                     const ProgressFn& progress = {}, const std::stop_token& stop = {});

}  // namespace casp::widgets
