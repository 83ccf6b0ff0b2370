#pragma once
// Standardisation per channel, as sklearn's StandardScaler does it (protocol A.3).

#include <cstddef>
#include <cstdint>
#include <vector>

#include "data/table.h"

namespace casp::data {

struct Moments {
    double mean = 0;
    double std = 0;  ///< population (ddof 0); 0 where sklearn would call the values constant
};

/// Two passes with extended accumulators. Values count as constant by sklearn's bound:
/// var <= n eps var + (n eps mean)^2. Zeros for n = 0.
[[nodiscard]] Moments moments(const double* values, std::size_t n);

/// scaled = (value - mean) / std.
struct Scaler {
    std::vector<double> mean;  ///< [channels]
    std::vector<double> std;   ///< [channels] population (ddof 0); 1 for a channel that does not vary
};

/// Mean and population standard deviation of rows [0, rows) in float64. Two passes with extended
/// accumulators; a channel counts as constant by sklearn's bound: var <= n eps var + (n eps mean)^2. The
/// table must hold finite numbers there (apply_missing_policy sees to it); throws std::invalid_argument.
[[nodiscard]] Scaler fit_scaler(const Table& table, std::int64_t rows);

}  // namespace casp::data
