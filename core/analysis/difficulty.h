#pragma once
// Difficulty of a window: how much of its look-back neither trend nor season explains. Does not include
// LibTorch's headers.

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "config/config.h"
#include "data/prepared.h"

namespace at {
class Tensor;
}

namespace casp::analysis {

/// Mean |R| over the look-back of each row, as in the paper's appendix on difficulty strata. R is the
/// residual of the classical decomposition (model/decomposition.h) with model.trend_length and
/// model.seasonal_length, at most the look-back. The lengths are a property of the cell, not of the model:
/// runs of different models with equal lengths have the same strata. rows [N, L] fp32, scaled;
/// [N] fp64. `scaled` = false, of a collection of series: each row is scaled first (to_unit_variance() in
/// data/look_backs.h).
[[nodiscard]] at::Tensor difficulty(const at::Tensor& rows, const config::Config& config, bool scaled = true);

/// difficulty() of the look-backs of all channels, on the CPU: [n·M], window-major, channel-minor. `start`:
/// [n] row of the file of the first look-back value. Throws an input Error for a look-back outside the
/// series, and Cancelled. Thread-safe.
[[nodiscard]] std::vector<float> difficulty_of_windows(const data::PreparedData& data,
                                                       const config::Config& config,
                                                       std::span<const std::int64_t> start,
                                                       const std::stop_token& stop = {});

}  // namespace casp::analysis
