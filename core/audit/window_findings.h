#pragma once
// Findings about windows: which of the test split are there, in which order.

#include <vector>

#include "audit/audit.h"

namespace casp::audit {

/// Findings that the rows of `audit` show; empty: every test window is there once, in order.
[[nodiscard]] std::vector<Finding> window_findings(const Audit& audit, const data::PreparedData& data);

/// Findings for arrays without truths, from the number of windows or their numbers in a CSV file.
[[nodiscard]] std::vector<Finding> window_count_findings(const ForeignForecasts& forecasts,
                                                         std::int64_t expected);

}  // namespace casp::audit
