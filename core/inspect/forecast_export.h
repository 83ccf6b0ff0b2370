#pragma once
// A run's stored test forecasts as files for other programs.

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <vector>

#include "util/progress.h"

namespace casp::inspect {

struct ExportedForecasts {
    std::int64_t windows = 0, horizon = 0, channels = 0;
    std::vector<std::filesystem::path> files;
};

/// Writes the test forecasts of a finished run to `pred.npy` and `true.npy` in `folder`: arrays
/// [windows, H, M] in C order, as public code of forecasters saves them. float32 in standard deviations of
/// the training split; of a collection of series float64 in original units.
///
/// Windows are in file order, some at a time in memory. The folder is created; existing files are replaced
/// whole, at the end. Progress in windows. Throws Cancelled, input Errors for a folder that is no run, a run
/// without stored test forecasts and damaged files, and run Errors for files that cannot be written.
ExportedForecasts export_arrays(const std::filesystem::path& run, const std::filesystem::path& folder,
                                const ProgressFn& progress = {}, const std::stop_token& stop = {});

/// Writes them to the CSV `file` in the long form `unique_id,ds,cutoff,y,MODEL`, in original units: a row per
/// window, channel and step. `unique_id` is the channel, or the id of the series; `ds` the time of the
/// forecast row, "2016-07-01 00:00:00" (all with milliseconds if one needs them; empty if it could not be
/// read); `cutoff` that of the last look-back row. Without dates both are numbers: of rows, counted from 0
/// without the header; in a collection of values of the series, from 1. MODEL is the run's model. Numbers
/// have the shortest form that reads back to the same double. Otherwise as export_arrays().
ExportedForecasts export_table(const std::filesystem::path& run, const std::filesystem::path& file,
                               const ProgressFn& progress = {}, const std::stop_token& stop = {});

}  // namespace casp::inspect
