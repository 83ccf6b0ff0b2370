#pragma once
// The season of a series, in rows, from the time between its rows.

#include <cstdint>

#include "data/calendar_step.h"

namespace casp::data {

/// Rows of one season: a day for steps of less than a day (24 for hours, 96 for 15 minutes), a week for days
/// (7) and business days (5), a year for weeks, months and quarters (52, 12, 4), 1 for years. 0 where the
/// step is not known or a season has no whole number of rows (steps of 7 hours, of 5 months).
[[nodiscard]] std::int64_t season_of(const Step& step);

}  // namespace casp::data
