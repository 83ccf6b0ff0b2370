#pragma once
// Forecasts of the rows after the last one of a data file, or after each of its last ones, and the file of
// --forecast.

#include <string>
#include <vector>

#include "data/future_times.h"

namespace casp::inspect {

/// Split-conformal intervals of one level, symmetric around the forecast.
struct ForecastInterval {
    int percent = 80;              ///< nominal coverage
    std::vector<double> offsets;   ///< [H, M] original units
    double coverage = 0;           ///< fraction of the run's test values inside
    std::int64_t calibration = 0;  ///< number of validation windows
    std::int64_t tested = 0;       ///< number of test windows
};

struct AheadForecast {
    std::int64_t origins = 1;           ///< N: forecasts begin after each of the file's last N rows
    std::int64_t first_origin = 0;      ///< row of the file, from 0 without the header
    data::FutureTimes times;            ///< of the N origins and the H rows after the last one
    std::vector<std::string> channels;  ///< [M]
    std::vector<double> values;         ///< [N, H, M] original units
    std::vector<ForecastInterval> intervals;
    std::vector<double> lookback;  ///< [L + N − 1, M] original units: the rows that the model has read
    std::vector<double> lookback_seconds;  ///< [L + N − 1], local in a known zone; empty without times
    std::int64_t first_row = 0;            ///< number of the first of these rows in the file, from 0
};

/// CSV with a header: the time columns, then per channel its forecast and, for each interval, the columns
/// NAME-lo-80 and NAME-hi-80. Numbers have the shortest form that reads back to the same double. Of several
/// origins, one after another with a first column `cutoff`: the time of the origin (its row without times).
[[nodiscard]] std::string forecast_csv(const AheadForecast& forecast);

}  // namespace casp::inspect
