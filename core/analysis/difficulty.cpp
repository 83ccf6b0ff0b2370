#include "analysis/difficulty.h"

#include <algorithm>
#include <iterator>

#include <torch/torch.h>

#include "data/look_backs.h"
#include "model/decomposition.h"
#include "util/error.h"

namespace casp::analysis {

at::Tensor difficulty(const at::Tensor& rows, const config::Config& config, bool scaled) {
    const auto length = rows.size(1);
    auto x = rows;
    if (!scaled) {
        x = rows.to(at::kCPU, at::kFloat, /*non_blocking=*/false, /*copy=*/true).contiguous();
        data::to_unit_variance({x.data_ptr<float>(), static_cast<std::size_t>(x.numel())}, length);
    }
    return model::decompose(x, std::min(config.model.trend_length, length),
                            std::min(config.model.seasonal_length, length))
        .residual.abs()
        .mean(1);
}

std::vector<float> difficulty_of_windows(const data::PreparedData& data, const config::Config& config,
                                         std::span<const std::int64_t> start, const std::stop_token& stop) {
    const torch::NoGradGuard no_gradient;
    const auto length = config.data.lookback;
    const auto channels = std::ssize(data.table.columns);
    constexpr std::size_t max_rows = 4096;
    const auto at_once = std::max<std::size_t>(1, max_rows / static_cast<std::size_t>(channels));
    std::vector<float> values;
    for (std::size_t first = 0; first < start.size(); first += at_once) {
        throw_if_stopped(stop);
        const auto part = start.subspan(first, std::min(at_once, start.size() - first));
        auto look_backs = data::look_backs(data, data.scaler, part, length);
        const auto rows = at::from_blob(look_backs.data(), {std::ssize(part), length, channels}, at::kFloat)
                              .transpose(1, 2)
                              .reshape({-1, length});
        const auto of_rows = difficulty(rows, config, data.collection == nullptr).to(at::kFloat).contiguous();
        values.insert(values.end(), of_rows.data_ptr<float>(), of_rows.data_ptr<float>() + of_rows.numel());
    }
    return values;
}

}  // namespace casp::analysis
