#pragma once
// The last rows of a data file, as a model reads them, and the times after them.

#include <string>
#include <vector>

#include "config/config.h"
#include "data/future_times.h"
#include "data/table.h"
#include "train/observer.h"
#include "train/stop.h"

namespace casp::inspect {

/// What a run expects of the file.
struct ExpectedRows {
    std::vector<std::string> channels;
    data::Step step;           ///< of the run's data; not known: they have no times
    bool reads_times = false;  ///< the model reads time features
};

struct ForecastRows {
    /// Channels as expected: L + N − 1 rows, then H rows of NaN. With time if the model reads it, that of the
    /// H rows included.
    data::Table window;
    data::Step step;                   ///< of the file
    data::FutureTimes times;           ///< of the N origins, the file's last rows, and of the H rows
    std::int64_t first_origin = 0;     ///< row of the file, from 0 without the header
    std::vector<double> past_seconds;  ///< of the L + N − 1 rows, as Table::time; empty without a time axis
    std::int64_t first = 0;            ///< number of the first of these rows in the file, from 0
};

/// Reads the file as the configuration describes ([data.csv], data.missing, data.sentinels): missing values
/// in the last L + N − 1 rows are an error, unless data.missing = "interpolate"; at an origin before the last
/// one always, since later values would fill them. `data`: file or "catalog:NAME". `origins`: N.
/// Warns if the file's step is not the run's. Throws input Errors (see forecast_ahead.h) and Cancelled.
[[nodiscard]] ForecastRows read_forecast_rows(const std::string& data, const config::Config& config,
                                              const ExpectedRows& expected, std::int64_t origins,
                                              train::TrainObserver& observer, const train::StopControl& stop);

}  // namespace casp::inspect
