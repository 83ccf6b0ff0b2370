#pragma once
// Standardisation per channel, equivalent to sklearn's StandardScaler.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "data/table.h"

namespace casp::data {

struct Moments {
    double mean = 0;
    double std = 0;  ///< population (ddof 0); 0 if sklearn treats the values as constant
};

/// Mean and standard deviation: two passes, extended-precision accumulators. Values are constant by sklearn's
/// bound var <= n eps var + (n eps mean)^2. Zeros for n = 0.
[[nodiscard]] Moments moments(const double* values, std::size_t n);

/// The same in float64 with eight accumulators: much faster, and equal to about twelve digits. For display.
[[nodiscard]] Moments fast_moments(const double* values, std::size_t n);

struct Extremes {
    double least = std::numeric_limits<double>::infinity();
    double most = -std::numeric_limits<double>::infinity();
};

/// Ignores NaN; {inf, -inf} if there is no other value.
[[nodiscard]] Extremes extremes(const double* values, std::size_t n);

/// scaled = (value - mean) / std.
struct Scaler {
    std::vector<double> mean;  ///< [channels]
    std::vector<double> std;   ///< [channels] population (ddof 0); 1 for a constant channel
};

/// Moments of rows [0, rows) per channel. Throws std::invalid_argument if a value is not finite
/// (apply_missing_policy() ensures that all are) or `rows` is out of range.
[[nodiscard]] Scaler fit_scaler(const Table& table, std::int64_t rows);

/// (value - mean) / std in float64, rounded to float32: [rows, channels] row-major.
[[nodiscard]] std::vector<float> scaled_values(const Table& table, const Scaler& scaler);

}  // namespace casp::data
