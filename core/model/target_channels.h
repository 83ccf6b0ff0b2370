#pragma once
// The part of a forecast that counts where data.targets names some of the channels.

#include <ATen/core/Tensor.h>

#include "model/forecaster.h"

namespace casp::model {

/// The given channels ([T] int64, on the tensor's device) of `tensor` along `axis`; undefined: all of them.
[[nodiscard]] at::Tensor of_channels(const at::Tensor& tensor, std::int64_t axis, const at::Tensor& channels);

/// The forecast with only the given channels of each of its `windows` windows: prediction [B, H, T], and rows
/// b·T + t of what is per row. Loss terms and counts are those of all channels. Undefined channels:
/// unchanged.
[[nodiscard]] Forecast of_channels(Forecast forecast, const at::Tensor& channels, std::int64_t windows);

}  // namespace casp::model
