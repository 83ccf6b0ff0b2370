#pragma once
// Windows of a scaled series, gathered on the device that computes.

#include <cstdint>

#include <ATen/core/Tensor.h>

#include "data/scaler.h"
#include "data/split.h"
#include "data/table.h"

namespace casp::data {

/// The table scaled in float64 and rounded to float32: [rows, M] on `device`.
[[nodiscard]] at::Tensor scaled_series(const Table& table, const Scaler& scaler, const at::Device& device);

/// Some windows: what a model sees and what it should say.
struct WindowBatch {
    at::Tensor lookback;  ///< [n, L, M'] fp32; M' = M, or 1 with single-channel items
    at::Tensor target;    ///< [n, H, M'] fp32
};

/// The windows of one split part (stride 1), as items that batches are made of.
///
/// Multi-channel: item i is window i with all M channels. Single-channel (the S2IP-LLM loaders of Weather,
/// Electricity and Traffic): item i is channel i div W of window i mod W, W windows. The series stays on its
/// device and is shared, batches are gathered there.
class WindowSet {
public:
    WindowSet(at::Tensor series, const SplitPart& part, std::int64_t lookback, std::int64_t horizon,
              bool single_channel);

    [[nodiscard]] at::Device device() const { return series_.device(); }
    /// Number of items: windows, or windows × channels.
    [[nodiscard]] std::int64_t size() const { return single_channel_ ? windows_ * channels_ : windows_; }
    [[nodiscard]] std::int64_t windows() const { return windows_; }
    [[nodiscard]] std::int64_t channels() const { return channels_; }
    [[nodiscard]] std::int64_t lookback() const { return lookback_; }
    [[nodiscard]] std::int64_t horizon() const { return horizon_; }
    /// Row of the file at which window 0 begins.
    [[nodiscard]] std::int64_t first_row() const { return begin_; }

    /// Items by number; `items` [n] int64 on any device.
    [[nodiscard]] WindowBatch gather(const at::Tensor& items) const;
    /// Windows first .. first + count − 1 in file order with all channels, also of a single-channel set.
    [[nodiscard]] WindowBatch range(std::int64_t first, std::int64_t count) const;

private:
    [[nodiscard]] WindowBatch cut(const at::Tensor& rows) const;

    at::Tensor series_;   ///< [rows, M]
    at::Tensor offsets_;  ///< 0 .. L + H − 1
    at::Tensor columns_;  ///< [M·rows], channel after channel; single-channel items only
    std::int64_t begin_, windows_, channels_, lookback_, horizon_;
    bool single_channel_;
};

}  // namespace casp::data
