#pragma once
// Windows (look-back L, horizon H) of a scaled series of M channels, gathered in batches on the device.

#include <cstdint>

#include <ATen/core/Tensor.h>

#include "data/scaler.h"
#include "data/split.h"
#include "data/table.h"

namespace casp::data {

/// The series scaled in float64 and rounded to float32: [rows, M] on `device`.
[[nodiscard]] at::Tensor scaled_series(const Table& table, const Scaler& scaler, const at::Device& device);

/// The rows' time features (time_features.h): [rows, 4] fp32 on `device`; undefined without dates.
[[nodiscard]] at::Tensor time_series(const Table& table, const at::Device& device);

/// A batch of windows: model input and target.
struct WindowBatch {
    at::Tensor lookback;  ///< [n, L, M'] fp32; M' = M, or 1 with single-channel items
    at::Tensor target;    ///< [n, H, M'] fp32
    at::Tensor time;      ///< time features of both, [n, L + H, 4] fp32; undefined if the set has none
};

/// All windows (stride 1) of one split part, as items of batches.
///
/// Multi-channel: item i is window i with all M channels. Single-channel (as in S2IP-LLM's loaders for
/// Weather, Electricity and Traffic): with W windows, item i is channel i div W of window i mod W. The series
/// is shared on its device and batches are gathered there.
class WindowSet {
public:
    /// `time`: the rows' time features, [rows, 4] on the device of `series`; undefined: none.
    WindowSet(at::Tensor series, const SplitPart& part, std::int64_t lookback, std::int64_t horizon,
              bool single_channel, at::Tensor time = {});

    [[nodiscard]] at::Device device() const { return series_.device(); }
    /// Number of items: windows, or windows × channels for single-channel items.
    [[nodiscard]] std::int64_t size() const { return single_channel_ ? windows_ * channels_ : windows_; }
    [[nodiscard]] std::int64_t windows() const { return windows_; }
    [[nodiscard]] std::int64_t channels() const { return channels_; }
    [[nodiscard]] std::int64_t lookback() const { return lookback_; }
    [[nodiscard]] std::int64_t horizon() const { return horizon_; }
    /// Row of the file where window 0 begins.
    [[nodiscard]] std::int64_t first_row() const { return begin_; }

    /// Batch of the given items; `items`: [n] int64 on any device.
    [[nodiscard]] WindowBatch gather(const at::Tensor& items) const;
    /// Windows first .. first + count − 1 in file order with all channels, for either kind of items.
    [[nodiscard]] WindowBatch range(std::int64_t first, std::int64_t count) const;

private:
    [[nodiscard]] WindowBatch cut(const at::Tensor& rows) const;
    /// Time features of windows that begin at `rows` [n].
    [[nodiscard]] at::Tensor time_of(const at::Tensor& rows) const;

    at::Tensor series_;   ///< [rows, M]
    at::Tensor offsets_;  ///< 0 .. L + H − 1
    at::Tensor time_;     ///< [rows, 4], or undefined
    at::Tensor columns_;  ///< [M·rows], one channel after another; single-channel items only
    std::int64_t begin_, windows_, channels_, lookback_, horizon_;
    bool single_channel_;
};

}  // namespace casp::data
