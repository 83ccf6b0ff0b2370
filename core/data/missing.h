#pragma once
// Treatment of missing cells and sentinel numbers (-9999).

#include <cstdint>
#include <string>
#include <vector>

#include "data/table.h"

namespace casp::data {

/// `data.missing`.
enum class MissingPolicy {
    error,        ///< reject a table with missing cells
    drop_column,  ///< leave out channels with missing cells
    interpolate,  ///< linear between the neighbours in row order; the nearest value at the ends
    keep          ///< keep sentinel numbers as they are (as the published benchmarks do)
};

/// Throws an input Error that suggests the nearest name.
[[nodiscard]] MissingPolicy parse_missing_policy(const std::string& text);

/// Settings of section [data] for missing values and columns.
struct CleaningOptions {
    MissingPolicy missing = MissingPolicy::error;  ///< data.missing
    std::vector<double> sentinels;                 ///< data.sentinels: values that count as missing
    std::vector<std::string> columns;              ///< data.columns: names, in file order; empty: all
};

/// A number far outside the other values of a channel that probably marks missing values.
struct SentinelHit {
    double value = 0;
    std::int64_t count = 0;
    std::int64_t first_row = 0;
};

/// Whether a number is one that loggers and archives write for "no value".
[[nodiscard]] bool looks_like_marker(double value);

/// Suspected sentinels of a channel (rules: docs/data.md); usually empty.
[[nodiscard]] std::vector<SentinelHit> find_sentinels(const std::vector<double>& values);

/// Channels of the given names, in file order, without warnings for the other channels. Throws an input Error
/// that suggests the nearest name.
[[nodiscard]] Table select_columns(Table table, const std::vector<std::string>& names);

/// Selects columns, marks listed sentinels as missing and applies the policy. Each change is added to the
/// warnings (kind `policy`), as is the effect of kept sentinels on the standard deviation of the first
/// `scaler_rows` rows (0: all rows). Warnings that a listed value looks like a sentinel are removed.
///
/// All values of the result are finite. Throws an input Error if cells are missing under `error` (column,
/// count, first line, other policies) or under `keep` (training cannot use NaN), if a channel has no value to
/// interpolate from, or if no channel is left.
[[nodiscard]] Table apply_missing_policy(Table table, const CleaningOptions& options,
                                         std::int64_t scaler_rows = 0);

}  // namespace casp::data
