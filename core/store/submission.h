#pragma once
// Forecasts of a collection as the M4 competition takes them.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace casp::store {

/// A line per series, `id,F1,…,F48`; NA beyond H. `forecasts`: [series, H]. Numbers have the shortest form
/// that reads back to the same double.
[[nodiscard]] std::string submission_csv(const std::vector<std::string>& ids, std::int64_t horizon,
                                         std::span<const double> forecasts);

}  // namespace casp::store
