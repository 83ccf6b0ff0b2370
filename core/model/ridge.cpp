#include "model/ridge.h"

#include <cmath>

#include <torch/torch.h>

#include "model/factory.h"

namespace casp::model {

namespace {

/// [n, T, M] -> [n·M, T] in float64.
at::Tensor rows_of(const at::Tensor& windows) {
    return windows.transpose(1, 2).reshape({-1, windows.size(1)}).to(at::kDouble);
}

}  // namespace

Ridge::Ridge(std::int64_t lookback, std::int64_t horizon, double alpha)
    : alpha_(alpha), weight_(at::zeros({horizon, lookback})), bias_(at::zeros({horizon})) {}

Forecast Ridge::forward(const ModelInput& input, const TrainingStep* /*step*/, bool /*trace*/) {
    const auto rows = input.lookback.transpose(1, 2);
    const auto mean = rows.mean(2, true);
    Forecast forecast;
    forecast.prediction = (at::linear(rows - mean, weight_, bias_) + mean).transpose(1, 2);
    return forecast;
}

NamedTensors Ridge::trainable() const { return {{"weight", weight_}, {"bias", bias_}}; }

void Ridge::to(const at::Device& device) {
    weight_ = weight_.to(device);
    bias_ = bias_.to(device);
}

void Ridge::begin_fit() {
    const auto options = weight_.options().dtype(at::kDouble);
    const auto rows = weight_.size(1) + 1;
    squares_ = at::zeros({rows, rows}, options);
    products_ = at::zeros({rows, weight_.size(0)}, options);
}

void Ridge::add(const at::Tensor& lookback, const at::Tensor& target) {
    const auto x = rows_of(lookback);
    const auto mean = x.mean(1, true);
    const auto z = at::cat({x - mean, at::ones_like(mean)}, 1);
    squares_.addmm_(z.t(), z);
    products_.addmm_(z.t(), rows_of(target) - mean);
}

std::vector<double> Ridge::penalties() const {
    if (alpha_ > 0) return {alpha_};
    const double rows = squares_[-1][-1].item<double>();
    std::vector<double> all;
    for (int exponent = -6; exponent <= 1; ++exponent) all.push_back(rows * std::pow(10.0, exponent));
    return all;
}

bool Ridge::solve(double penalty) {
    const auto length = weight_.size(1);
    const auto rows = squares_[-1][-1];
    const auto x_mean = squares_[-1].narrow(0, 0, length) / rows;
    const auto y_mean = products_[-1] / rows;
    auto matrix = squares_.narrow(0, 0, length).narrow(1, 0, length) - rows * at::outer(x_mean, x_mean);
    matrix.diagonal().add_(penalty);
    const auto right = products_.narrow(0, 0, length) - rows * at::outer(x_mean, y_mean);
    const auto [factor, failed] = at::linalg_cholesky_ex(matrix);
    if (failed.item<int>() != 0) return false;
    const auto solution = at::cholesky_solve(right, factor);
    if (!solution.isfinite().all().item<bool>()) return false;
    weight_.copy_(solution.t());
    bias_.copy_(y_mean - at::matmul(x_mean, solution));
    return true;
}

std::unique_ptr<Forecaster> make_ridge(const config::Config& config, const DataShape& /*data*/) {
    return std::make_unique<Ridge>(config.data.lookback, config.data.horizon, config.ridge.alpha);
}

}  // namespace casp::model
