#pragma once
// Which rows train, validate and test, and how many windows they hold (protocol A.1, A.2, A.7).

#include <array>
#include <cstdint>
#include <string>

namespace casp::data {

enum class SplitKind {
    ett_hourly,    ///< 12, 4 and 4 months of 30 days of hours: 8640, 2880, 2880 rows; the rest is never used
    ett_minutely,  ///< the same of quarters of an hour: 34560, 11520, 11520 rows
    ratio,         ///< int(0.7 n) train, int(0.2 n) test, the rest between them validation
    rows           ///< as many rows as given, from the first one on
};

struct SplitRule {
    SplitKind kind = SplitKind::ratio;
    std::array<std::int64_t, 3> rows{};  ///< train, validation, test; of SplitKind::rows only

    /// "ett-hourly", "ett-minutely", "ratio" or "[8640, 2880, 2880]".
    [[nodiscard]] std::string name() const;
};

/// Reads `data.split`: one of the names above or "[train, val, test]". "auto" takes `catalog_rule`, the rule
/// of the catalogue entry whose digest matched, or ratio where that is empty. Throws an input Error.
[[nodiscard]] SplitRule parse_split_rule(const std::string& text, const std::string& catalog_rule = {});

/// One of train, validation and test. Rows count from 0, the header is no row, ends are exclusive.
struct SplitPart {
    std::int64_t begin = 0;         ///< first row its windows touch: `lookback` rows before target_begin
    std::int64_t end = 0;           ///< one past the last row its windows touch
    std::int64_t target_begin = 0;  ///< the first window's target begins here
    std::int64_t windows = 0;  ///< end - begin - lookback - horizon + 1; window i begins at row begin + i

    [[nodiscard]] std::int64_t target_rows() const { return end - target_begin; }
};

struct SplitPlan {
    SplitRule rule;
    std::int64_t rows = 0;  ///< in the file
    std::int64_t lookback = 0;
    std::int64_t horizon = 0;
    int percent = 100;
    std::array<std::int64_t, 3> part_rows{};  ///< rows that the rule gives to train, validation and test
    std::int64_t scaler_rows = 0;  ///< the scaler is fitted on rows [0, scaler_rows): all train rows,
                                   ///< also when percent < 100
    SplitPart train;               ///< few-shot: only the first (oldest) `percent` % of the rows after
                                   ///< the lookback: end = (n_train - L) * percent div 100 + L
    SplitPart val;
    SplitPart test;

    /// Rows at the end that no part uses.
    [[nodiscard]] std::int64_t unused_rows() const {
        return rows - part_rows[0] - part_rows[1] - part_rows[2];
    }
};

/// Borders and window counts for a file of `rows` rows; windows have stride 1.
/// Throws an input Error where a part has no window: how many rows it would take, and the longest horizon
/// that fits.
[[nodiscard]] SplitPlan plan_split(const SplitRule& rule, std::int64_t rows, std::int64_t lookback,
                                   std::int64_t horizon, int percent = 100);

}  // namespace casp::data
