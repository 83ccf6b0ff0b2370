#include "data/windows.h"

#include <algorithm>

#include <torch/torch.h>

#include "data/time_features.h"

namespace casp::data {

at::Tensor scaled_series(const Table& table, const Scaler& scaler, const at::Device& device) {
    const auto values = scaled_values(table, scaler);
    auto series = at::empty({table.rows(), std::ssize(table.columns)}, at::kFloat);
    std::copy(values.begin(), values.end(), series.data_ptr<float>());
    return series.to(device);
}

at::Tensor time_series(const Table& table, const at::Device& device) {
    const auto features = time_features(table.time, table.step);
    if (features.empty()) return {};
    auto series = at::empty({table.rows(), time_feature_count}, at::kFloat);
    std::copy(features.begin(), features.end(), series.data_ptr<float>());
    return series.to(device);
}

TableWindows::TableWindows(at::Tensor series, const SplitPart& part, std::int64_t lookback,
                           std::int64_t horizon, bool single_channel, at::Tensor time,
                           const std::vector<std::int64_t>& targets)
    : series_(std::move(series)),
      offsets_(at::arange(lookback + horizon, at::TensorOptions(at::kLong).device(series_.device()))),
      time_(std::move(time)),
      begin_(part.begin),
      windows_(part.windows),
      channels_(series_.size(1)),
      lookback_(lookback),
      horizon_(horizon),
      single_channel_(single_channel) {
    if (!targets.empty()) targets_ = at::tensor(targets, at::kLong).to(series_.device());
    if (single_channel_) columns_ = series_.t().contiguous().view({-1});
}

WindowBatch TableWindows::gather(const at::Tensor& items) const {
    const auto index = items.to(series_.device());
    if (!single_channel_) return cut(index + begin_);
    const auto number = at::floor_divide(index, windows_);
    const auto row = index - number * windows_ + begin_;
    const auto channel = targets_.defined() ? targets_.index_select(0, number) : number;
    const auto start = row + channel * series_.size(0);
    const auto positions = (start.unsqueeze(1) + offsets_).flatten();
    const auto values = columns_.index_select(0, positions).view({items.size(0), lookback_ + horizon_, 1});
    return {values.slice(1, 0, lookback_), values.slice(1, lookback_), time_of(row)};
}

WindowBatch TableWindows::range(std::int64_t first, std::int64_t count, bool /*float64*/) const {
    return cut(at::arange(begin_ + first, begin_ + first + count, offsets_.options()));
}

WindowBatch TableWindows::cut(const at::Tensor& rows) const {
    const auto positions = (rows.unsqueeze(1) + offsets_).flatten();
    const auto values =
        series_.index_select(0, positions).view({rows.size(0), lookback_ + horizon_, channels_});
    auto target = values.slice(1, lookback_);
    if (targets_.defined()) target = target.index_select(2, targets_);
    return {values.slice(1, 0, lookback_), target, time_of(rows), {}, targets_};
}

at::Tensor TableWindows::time_of(const at::Tensor& rows) const {
    if (!time_.defined()) return {};
    const auto positions = (rows.unsqueeze(1) + offsets_).flatten();
    return time_.index_select(0, positions).view({rows.size(0), lookback_ + horizon_, time_feature_count});
}

}  // namespace casp::data
