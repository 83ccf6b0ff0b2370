#pragma once
// Calendar features of rows, the input of models that read times beside values.

#include <cstdint>
#include <vector>

#include "data/calendar_step.h"

namespace casp::data {

inline constexpr std::int64_t time_feature_count = 4;

/// Hour of day / 23, day of week / 6 (Monday: 0), day of month (from 0) / 30 and day of year (from 0) / 365,
/// each minus 0.5: [rows, 4] in [-0.5, 0.5], computed in float64 and rounded to float32 once.
///
/// The four of "timeF" encodings at hourly frequency (thuml/Time-Series-Library), whose scripts use them for
/// every data set. `seconds`: times of rows since 1970 (Table::time); a row without a time (NaN) continues
/// its neighbour's at `step`. In local time if the step's zone is known. Empty without times.
[[nodiscard]] std::vector<float> time_features(const std::vector<double>& seconds, const Step& step);

}  // namespace casp::data
