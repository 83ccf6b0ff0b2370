#pragma once
// Windows (look-back L, horizon H) of M channels, gathered in batches on the device.

#include <cstdint>
#include <vector>

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
    at::Tensor lookback;   ///< [n, L, M'] fp32; M' = M, or 1 with single-channel items
    at::Tensor target;     ///< [n, H, T'] fp32; T' = T, or 1 with single-channel items
    at::Tensor time = {};  ///< time features of both, [n, L + H, 4] fp32; undefined if the set has none
    at::Tensor mask = {};  ///< [n, H, T'] fp32, 0 where the target is not known; undefined: all is known
    /// Channels of the look-back that the target holds, [T] int64 on the device; undefined: all, T = M.
    at::Tensor targets = {};
};

/// The windows of one split part, as items of batches.
class WindowSet {
public:
    virtual ~WindowSet() = default;

    [[nodiscard]] virtual at::Device device() const = 0;
    /// Number of items: windows, or windows × target channels for single-channel items.
    [[nodiscard]] virtual std::int64_t size() const = 0;
    [[nodiscard]] virtual std::int64_t windows() const = 0;
    /// M, that a model reads; T, that losses and errors are over.
    [[nodiscard]] virtual std::int64_t channels() const = 0;
    [[nodiscard]] virtual std::int64_t target_channels() const { return channels(); }
    [[nodiscard]] virtual std::int64_t lookback() const = 0;
    [[nodiscard]] virtual std::int64_t horizon() const = 0;
    /// Row where a window begins (of range(), in a collection; see series_windows.h).
    [[nodiscard]] virtual std::int64_t start_of(std::int64_t window) const = 0;
    /// Whether values are in standard deviations of the training split; false: in original units.
    [[nodiscard]] virtual bool scaled() const = 0;

    /// Draws what is random in each epoch; depends on `seed` only.
    virtual void start_epoch(std::uint64_t /*seed*/) {}

    /// Batch of the given items; `items`: [n] int64 on any device.
    [[nodiscard]] virtual WindowBatch gather(const at::Tensor& items) const = 0;
    /// Windows first .. first + count − 1 in order with all channels, for either kind of items. `float64`: in
    /// the precision that the set holds, where that is float64.
    [[nodiscard]] virtual WindowBatch range(std::int64_t first, std::int64_t count,
                                            bool float64 = false) const = 0;

protected:
    WindowSet() = default;
    WindowSet(const WindowSet&) = default;
    WindowSet& operator=(const WindowSet&) = default;
};

/// All windows (stride 1) of a part of a table.
///
/// Multi-channel: item i is window i with all M channels. Single-channel (as in S2IP-LLM's loaders for
/// Weather, Electricity and Traffic): with W windows, item i is target channel i div W of window i mod W. The
/// series is shared on its device and batches are gathered there.
class TableWindows final : public WindowSet {
public:
    /// `time`: the rows' time features, [rows, 4] on the device of `series`; undefined: none. `targets`:
    /// channels that the targets hold, in this order; empty: all.
    TableWindows(at::Tensor series, const SplitPart& part, std::int64_t lookback, std::int64_t horizon,
                 bool single_channel, at::Tensor time = {}, const std::vector<std::int64_t>& targets = {});

    [[nodiscard]] at::Device device() const override { return series_.device(); }
    [[nodiscard]] std::int64_t size() const override {
        return single_channel_ ? windows_ * target_channels() : windows_;
    }
    [[nodiscard]] std::int64_t windows() const override { return windows_; }
    [[nodiscard]] std::int64_t channels() const override { return channels_; }
    [[nodiscard]] std::int64_t target_channels() const override {
        return targets_.defined() ? targets_.size(0) : channels_;
    }
    [[nodiscard]] std::int64_t lookback() const override { return lookback_; }
    [[nodiscard]] std::int64_t horizon() const override { return horizon_; }
    [[nodiscard]] std::int64_t start_of(std::int64_t window) const override { return begin_ + window; }
    [[nodiscard]] bool scaled() const override { return true; }

    [[nodiscard]] WindowBatch gather(const at::Tensor& items) const override;
    [[nodiscard]] WindowBatch range(std::int64_t first, std::int64_t count,
                                    bool float64 = false) const override;

private:
    [[nodiscard]] WindowBatch cut(const at::Tensor& rows) const;
    /// Time features of windows that begin at `rows` [n].
    [[nodiscard]] at::Tensor time_of(const at::Tensor& rows) const;

    at::Tensor series_;   ///< [rows, M]
    at::Tensor offsets_;  ///< 0 .. L + H − 1
    at::Tensor time_;     ///< [rows, 4], or undefined
    at::Tensor targets_;  ///< [T], or undefined: all channels
    at::Tensor columns_;  ///< [M·rows], one channel after another; single-channel items only
    std::int64_t begin_, windows_, channels_, lookback_, horizon_;
    bool single_channel_;
};

}  // namespace casp::data
