#include "inspect/difficulty.h"

#include <algorithm>
#include <stdexcept>

#include <torch/torch.h>

#include "data/windows.h"
#include "model/decomposition.h"
#include "util/progress.h"

namespace casp::inspect {

at::Tensor difficulty(const at::Tensor& rows, const config::Config& config) {
    const auto length = rows.size(1);
    return model::decompose(rows, std::min(config.model.trend_length, length),
                            std::min(config.model.seasonal_length, length))
        .residual.abs()
        .mean(1);
}

std::vector<float> difficulty_of_windows(const data::PreparedData& data, const config::Config& config,
                                         std::span<const std::int64_t> start, const std::stop_token& stop) {
    const torch::NoGradGuard no_gradient;
    const auto series = data::scaled_series(data.table, data.scaler, at::kCPU);
    const auto length = config.data.lookback;
    constexpr std::int64_t most_rows = 4096;
    const auto at_once = std::max<std::int64_t>(1, most_rows / series.size(1));
    std::vector<float> values;
    for (std::int64_t first = 0; first < std::ssize(start); first += at_once) {
        throw_if_stopped(stop);
        std::vector<at::Tensor> rows;
        for (auto i = first; i < std::min(first + at_once, std::ssize(start)); ++i) {
            const auto begin = start[static_cast<std::size_t>(i)];
            if (begin < 0 || begin + length > series.size(0))
                throw std::invalid_argument("difficulty_of_windows: a look-back is outside the series");
            rows.push_back(series.narrow(0, begin, length).t());
        }
        const auto part = difficulty(at::cat(rows), config).to(at::kFloat).contiguous();
        values.insert(values.end(), part.data_ptr<float>(), part.data_ptr<float>() + part.numel());
    }
    return values;
}

}  // namespace casp::inspect
