#include "train/objective.h"

#include <cmath>
#include <stdexcept>

#include <torch/torch.h>

#include "model/forecast_losses.h"

namespace casp::train {

at::Tensor forecast_loss(const std::string& name, const at::Tensor& prediction, const at::Tensor& target,
                         const at::Tensor& mask) {
    const auto known = [&](const at::Tensor& values) { return mask.defined() ? values * mask : values; };
    if (name == "mse") return at::mse_loss(known(prediction), known(target));
    if (name == "mae") return at::l1_loss(known(prediction), known(target));
    if (name == "smape") return model::smape_loss(prediction, target, mask);
    throw std::invalid_argument("no forecast loss \"" + name + "\"");
}

Objective objective(const model::Forecast& forecast, const at::Tensor& target, const std::string& loss,
                    const at::Tensor& mask) {
    Objective result;
    result.forecast = forecast_loss(loss, forecast.prediction, target, mask);
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

std::vector<store::LossValue> gradient_norms(const at::Tensor& forecast_loss, const model::Forecast& forecast,
                                             const model::NamedTensors& trainable) {
    std::vector<at::Tensor> parameters;
    for (const auto& tensor : trainable) parameters.push_back(tensor.value);
    std::vector<store::LossValue> norms;
    const auto add = [&](const std::string& name, const at::Tensor& value, double weight) {
        at::Tensor sum = at::zeros({}, at::TensorOptions(at::kDouble).device(value.device()));
        if (weight != 0 && value.requires_grad())
            for (const auto& gradient : torch::autograd::grad({value}, parameters, {}, /*retain_graph=*/true,
                                                              /*create_graph=*/false, /*allow_unused=*/true))
                if (gradient.defined()) sum += gradient.to(at::kDouble).square().sum();
        norms.push_back({name, std::abs(weight) * std::sqrt(sum.item<double>())});
    };
    add("forecast", forecast_loss, forecast.forecast_weight);
    for (const auto& term : forecast.terms) add(term.name, term.value, term.weight);
    return norms;
}

}  // namespace casp::train
