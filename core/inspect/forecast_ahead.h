#pragma once
// Forecasts of the horizon after the last rows of a data file, with a trained model.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "inspect/forecast_csv.h"
#include "train/observer.h"
#include "train/stop.h"

namespace casp::inspect {

struct ForecastRequest {
    std::filesystem::path checkpoint;  ///< a run folder (its best.safetensors) or a .safetensors file
    std::string data;                  ///< CSV file or "catalog:NAME" that is continued
    std::vector<int> levels;           ///< of intervals, percent from 1 to 99; empty: no intervals
    std::vector<std::string> sets;     ///< KEY=VALUE, applied to the checkpoint's configuration
    std::int64_t origins = 1;          ///< N: forecasts after each of the file's last N rows
    /// Whether to apply run.threads, which changes the rounding of all work in the process.
    bool sets_threads = true;
};

/// The model's forecasts from the look-back rows up to each origin, equal to the bit to its forecast in an
/// evaluation of that window alone. Columns are the run's, by name; the scaler is the run's. Both come from
/// run.h5, where the checkpoint is a run folder or its best.safetensors; of another file, and for intervals,
/// the data set of the configuration is opened. Intervals: absolute errors on the validation windows; their
/// coverage on the test split is also reported as a message. `before_intervals`, if any, is passed the
/// forecast without them before they are computed, which can take minutes.
///
/// Throws input Errors: a checkpoint without weights, a run on a collection of series, a file with too few
/// rows (L + N − 1), without one of the columns, with missing values or irregular times in these rows, too
/// few validation windows for a level, or a data set that is no longer the run's. Throws Cancelled.
[[nodiscard]] AheadForecast forecast_ahead(const ForecastRequest& request, train::TrainObserver& observer,
                                           const train::StopControl& stop,
                                           const std::function<void(AheadForecast)>& before_intervals = {});

}  // namespace casp::inspect
