#include "train/objective.h"

#include <stdexcept>

#include <torch/torch.h>

namespace casp::train {

namespace {

at::Tensor smape_loss(const at::Tensor& prediction, const at::Tensor& target, const at::Tensor& mask) {
    const auto denominator = prediction.detach().abs() + target.abs();
    auto ratio = (prediction - target).abs() / denominator.masked_fill(denominator == 0, 1);
    if (mask.defined()) ratio = ratio * mask;
    return 200 * ratio.mean();
}

}  // namespace

at::Tensor forecast_loss(const std::string& name, const at::Tensor& prediction, const at::Tensor& target,
                         const at::Tensor& mask) {
    if (name == "mse") return at::mse_loss(prediction, target);
    if (name == "mae") return at::l1_loss(prediction, target);
    if (name == "smape") return smape_loss(prediction, target, mask);
    throw std::invalid_argument("no forecast loss \"" + name + "\"");
}

Objective objective(const model::Forecast& forecast, const at::Tensor& target, const std::string& loss) {
    Objective result;
    result.forecast = forecast_loss(loss, forecast.prediction, target);
    result.total = forecast.forecast_weight == 1.0   ? result.forecast
                   : forecast.forecast_weight == 0.0 ? at::zeros_like(result.forecast)
                                                     : forecast.forecast_weight * result.forecast;
    for (const auto& term : forecast.terms) {
        // A term of weight 0 must not even multiply: 0·inf would poison the sum, and λ_cov = 0 costs nothing
        // this way.
        if (term.weight != 0.0) result.total = result.total + term.weight * term.value;
        result.terms.push_back({term.name, term.value.detach(), term.weight});
    }
    return result;
}

}  // namespace casp::train
