#pragma once
// Findings about windows: which of the test split are there, in which order.

#include <vector>

#include "audit/audit.h"

namespace casp::audit {

/// Findings that the rows of `audit` show; empty: every test window is there once, in order. `batch_sizes`:
/// as ForeignForecasts::batch_sizes.
[[nodiscard]] std::vector<Finding> window_findings(const Audit& audit, const data::PreparedData& data,
                                                   const std::vector<std::int64_t>& batch_sizes);

/// Findings for arrays without truths, from the number of windows or their numbers in a CSV file.
[[nodiscard]] std::vector<Finding> window_count_findings(const ForeignForecasts& forecasts,
                                                         std::int64_t expected);

}  // namespace casp::audit
