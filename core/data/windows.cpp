#include "data/windows.h"

#include <torch/torch.h>

namespace casp::data {

at::Tensor scaled_series(const Table& table, const Scaler& scaler, const at::Device& device) {
    const auto rows = table.rows();
    const auto channels = static_cast<std::int64_t>(table.columns.size());
    auto series = at::empty({rows, channels}, at::kFloat);
    auto* values = series.data_ptr<float>();
    for (std::int64_t c = 0; c < channels; ++c) {
        const auto& column = table.columns[static_cast<std::size_t>(c)].values;
        const double mean = scaler.mean[static_cast<std::size_t>(c)];
        const double deviation = scaler.std[static_cast<std::size_t>(c)];
        for (std::int64_t r = 0; r < rows; ++r)
            values[r * channels + c] =
                static_cast<float>((column[static_cast<std::size_t>(r)] - mean) / deviation);
    }
    return series.to(device);
}

WindowSet::WindowSet(at::Tensor series, const SplitPart& part, std::int64_t lookback, std::int64_t horizon,
                     bool single_channel)
    : series_(std::move(series)),
      offsets_(at::arange(lookback + horizon, at::TensorOptions(at::kLong).device(series_.device()))),
      begin_(part.begin),
      windows_(part.windows),
      channels_(series_.size(1)),
      lookback_(lookback),
      horizon_(horizon),
      single_channel_(single_channel) {
    if (single_channel_) columns_ = series_.t().contiguous().view({-1});
}

WindowBatch WindowSet::gather(const at::Tensor& items) const {
    const auto index = items.to(series_.device());
    if (!single_channel_) return cut(index + begin_);
    const auto channel = at::floor_divide(index, windows_);
    const auto start = index - channel * windows_ + begin_ + channel * series_.size(0);
    const auto positions = (start.unsqueeze(1) + offsets_).flatten();
    const auto values = columns_.index_select(0, positions).view({items.size(0), lookback_ + horizon_, 1});
    return {values.slice(1, 0, lookback_), values.slice(1, lookback_)};
}

WindowBatch WindowSet::range(std::int64_t first, std::int64_t count) const {
    return cut(at::arange(begin_ + first, begin_ + first + count, offsets_.options()));
}

WindowBatch WindowSet::cut(const at::Tensor& rows) const {
    const auto positions = (rows.unsqueeze(1) + offsets_).flatten();
    const auto values =
        series_.index_select(0, positions).view({rows.size(0), lookback_ + horizon_, channels_});
    return {values.slice(1, 0, lookback_), values.slice(1, lookback_)};
}

}  // namespace casp::data
