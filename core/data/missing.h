#pragma once
// What to do with missing cells and with numbers that stand for missing ones (-9999).

#include <cstdint>
#include <string>
#include <vector>

#include "data/table.h"

namespace casp::data {

/// `data.missing`.
enum class MissingPolicy {
    error,        ///< refuse a table with missing cells
    drop_column,  ///< leave out channels that have any
    interpolate,  ///< linear between the neighbours in row order; the nearest value at the ends
    keep          ///< keep sentinel numbers as they are (what the published benchmarks do)
};

/// Throws an input Error with the nearest name.
[[nodiscard]] MissingPolicy parse_missing_policy(const std::string& text);
[[nodiscard]] const char* to_string(MissingPolicy policy);

/// Section [data], as far as it concerns the cells.
struct CleaningOptions {
    MissingPolicy missing = MissingPolicy::error;  ///< data.missing
    std::vector<double> sentinels;                 ///< data.sentinels: values that count as missing
    std::vector<std::string> columns;              ///< data.columns: names, in file order; empty: all
};

/// A number that repeats or stands alone far outside the rest of a channel and looks like a marker.
struct SentinelHit {
    double value = 0;
    std::int64_t count = 0;
    std::int64_t first_row = 0;
};

/// Suspicious sentinels of a channel (rules in docs/data.md); empty for nearly every channel.
[[nodiscard]] std::vector<SentinelHit> find_sentinels(const std::vector<double>& values);

/// Channels of the given names, in file order, without the warnings about the others. Throws an input Error
/// with the nearest name.
[[nodiscard]] Table select_columns(Table table, const std::vector<std::string>& names);

/// The table as it is trained on: columns selected, listed sentinels treated, the policy applied to what is
/// missing. Every change is added to the warnings (kind policy), also what kept sentinels do to the standard
/// deviation of the first `scaler_rows` rows (0: all rows); that a listed value looks like a marker is taken
/// off them.
///
/// Afterwards every value is finite. Throws an input Error: policy `error` and something is missing (column,
/// count, first line, the other policies); `keep` and cells are really missing (training cannot work with
/// NaN); a channel without any value; nothing left.
[[nodiscard]] Table apply_missing_policy(Table table, const CleaningOptions& options,
                                         std::int64_t scaler_rows = 0);

}  // namespace casp::data
