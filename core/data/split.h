#pragma once
// Split of a series into training, validation and test rows, and their window counts.

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "config/config.h"
#include "data/time_zone.h"

namespace casp::data {

/// The rule of `data.split`; "auto": `catalog_rule` (the rule of the matching catalogue entry), or ratio if
/// that is empty. Throws an input Error.
///
/// ett-hourly: 12, 4 and 4 months of 30 days, 8640, 2880 and 2880 rows; later rows are unused. ett-minutely:
/// the same at 15-minute steps, 34560, 11520 and 11520 rows. ratio: int(0.7 n) training, int(0.2 n) test, the
/// rows between them validation. rows: from the first row on. fractions: int(fraction n) each; if they add up
/// to 1, validation is what training and test leave. dates: validation and test begin with the first row at
/// or after their date; test goes to the end.
[[nodiscard]] config::SplitSetting split_rule(const config::SplitSetting& setting,
                                              const std::string& catalog_rule = {});

/// "ett-hourly", "ett-minutely", "ratio", or as in TOML: "[8640, 2880, 2880]", "[0.7, 0.1, 0.2]".
[[nodiscard]] std::string split_name(const config::SplitSetting& rule);

/// Training, validation or test part. Rows count from 0, without the header; ends are exclusive.
struct SplitPart {
    std::int64_t begin = 0;         ///< first row used by its windows: `lookback` rows before target_begin
    std::int64_t end = 0;           ///< one past the last row used by its windows
    std::int64_t target_begin = 0;  ///< first row of the first window's target
    std::int64_t windows = 0;  ///< end - begin - lookback - horizon + 1; window i begins at row begin + i
};

struct SplitPlan {
    config::SplitSetting rule;  ///< split_rule()
    std::int64_t rows = 0;      ///< rows of the file
    std::int64_t lookback = 0;
    std::int64_t horizon = 0;
    int percent = 100;
    std::array<std::int64_t, 3> part_rows{};  ///< rows assigned to training, validation and test
    std::int64_t scaler_rows =
        0;            ///< rows [0, scaler_rows) fit the scaler: all training rows, for any `percent`
    SplitPart train;  ///< few-shot: the oldest `percent` % after the lookback: end = (n_train - L) * percent
                      ///< div 100 + L
    SplitPart val;
    SplitPart test;

    /// Number of rows at the end that belong to no part.
    [[nodiscard]] std::int64_t unused_rows() const {
        return rows - part_rows[0] - part_rows[1] - part_rows[2];
    }
};

/// Times of a table's rows, for a split by dates, which are as LocalTime::shown().
struct RowTimes {
    std::span<const double> time;  ///< Table::time; empty: no time axis
    LocalTime local = {};          ///< Table::step.local
};

/// Borders and window counts for a file of `rows` rows, with window stride 1. `times`: needed for dates.
/// Throws an input Error if a part has no window (it names the rows needed and the longest horizon that
/// fits), or if a date is not within the file or its times are not in order.
[[nodiscard]] SplitPlan plan_split(const config::SplitSetting& rule, std::int64_t rows, std::int64_t lookback,
                                   std::int64_t horizon, int percent = 100, const RowTimes& times = {});

}  // namespace casp::data
