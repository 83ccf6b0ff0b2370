#include "model/forecast_head.h"

#include <torch/torch.h>

#include "model/initialisation.h"

namespace casp::model {

ForecastHead::ForecastHead(std::int64_t tokens, std::int64_t width, std::int64_t horizon, std::int64_t ways,
                           std::uint64_t seed)
    : weight(uniform_parameter({horizon, tokens * width / ways}, tokens * width / ways, seed,
                               "out_layer.weight")),
      bias(uniform_parameter({horizon}, tokens * width / ways, seed, "out_layer.bias")),
      ways_(ways) {}

at::Tensor ForecastHead::forward(const at::Tensor& hidden) const {
    const auto summed = hidden.reshape({hidden.size(0), ways_, -1}).sum(1);
    return at::linear(summed, weight, bias * static_cast<double>(ways_));
}

}  // namespace casp::model
