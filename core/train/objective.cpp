#include "train/objective.h"

#include <torch/torch.h>

namespace casp::train {

Objective objective(const model::Forecast& forecast, const at::Tensor& target) {
    Objective result;
    result.forecast = at::mse_loss(forecast.prediction, target);
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
