#pragma once
// A forecast of the rows after the last one of a data file, and the file of --forecast.

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
    data::FutureTimes times;            ///< of H rows
    std::vector<std::string> channels;  ///< [M]
    std::vector<double> values;         ///< [H, M] original units
    std::vector<ForecastInterval> intervals;
    std::vector<double> lookback;          ///< [L, M] original units: the rows that the model has read
    std::vector<double> lookback_seconds;  ///< [L] as Table::time; empty without a time axis
    std::int64_t first_row = 0;            ///< number of the first look-back row in the file, from 0
};

/// CSV with a header: the time columns, then per channel its forecast and, for each interval, the columns
/// NAME-lo-80 and NAME-hi-80. Numbers have the shortest form that reads back to the same double.
[[nodiscard]] std::string forecast_csv(const AheadForecast& forecast);

}  // namespace casp::inspect
