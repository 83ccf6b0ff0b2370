#pragma once
// The time from one row of a table to the next: seconds, calendar months or business days.

#include <cstdint>
#include <span>
#include <string>

#include "data/time_zone.h"
#include "util/phrase.h"

namespace casp::data {

/// From one row to the next. Times are seconds since 1970.
struct Step {
    double seconds = 0;       ///< most frequent difference; 0: not known
    std::int64_t months = 0;  ///< > 0: calendar months instead (quarters: 3, years: 12)
    unsigned day = 1;         ///< of months: day of the month, or the last one of a shorter month
    /// Monday to Friday. With `months`: if `day` is on a weekend, the nearest business day of the month.
    bool business_days = false;
    bool clocks = false;  ///< times of day, which begin anew at midnight
    LocalTime local = {};

    [[nodiscard]] bool is_known() const { return seconds > 0; }
    [[nodiscard]] bool is_calendar() const { return months > 0 || business_days; }

    /// Time of the row `rows` after the one at `time` (before it, if negative), in milliseconds precision.
    [[nodiscard]] double after(double time, std::int64_t rows = 1) const;

    /// Whether `to` is the time of the row after the one at `from`; false for NaN.
    [[nodiscard]] bool leads(double from, double to) const;

    /// Steps between two times, whole on the grid of the step: 2 where one row is missing.
    [[nodiscard]] double steps_between(double from, double to) const;
};

/// Rows missing between two rows at these times, at least 0; −1 if no whole number of steps is between them.
[[nodiscard]] std::int64_t missing_rows(const Step& step, double from, double to);

/// Whether rows are equally often in both: days of the month, hours and zones may differ.
[[nodiscard]] bool same_frequency(const Step& a, const Step& b);

/// The step of rows at these times; NaN are skipped, `local` and `clocks` are taken over. Calendar months,
/// on a day or at the end of the month, if they lead from row to row at least as often as the most frequent
/// number of seconds, gaps of several steps included; business days if rows are a day apart and none is on a
/// weekend (one in 50 may be) while weekends are between them. Where no difference is that of most rows, as
/// by a clock that is not exact: the second, minute, hour or day that most of them are near to.
[[nodiscard]] Step detect_step(std::span<const double> times, const LocalTime& local = {},
                               bool clocks = false);

/// "1 hour", "15 minutes", "1 day", "1.5 seconds", "1 month", "3 months", "1 year", "1 business day";
/// "unknown" for 0.
[[nodiscard]] Phrase frequency_name(const Step& step);
[[nodiscard]] Phrase frequency_name(double step_seconds);

/// Most frequent difference of neighbouring times, in milliseconds precision. NaN are skipped.
struct UsualStep {
    double seconds = 0;
    std::int64_t count = 0;   ///< number of differences equal to it
    std::int64_t rising = 0;  ///< number of differences above 0
};
[[nodiscard]] UsualStep usual_step(std::span<const double> time);

/// Whether it is a time within three millennia from 1970; false for NaN.
[[nodiscard]] bool is_time(double seconds);

/// Rows of one season: a day for steps of less than a day (24 for hours, 96 for 15 minutes), a week for days
/// (7) and business days (5), a year for weeks, months and quarters (52, 12, 4), 1 for years. 0 where the
/// step is not known or a season has no whole number of rows (steps of 7 hours, of 5 months).
[[nodiscard]] std::int64_t season_of(const Step& step);

}  // namespace casp::data
