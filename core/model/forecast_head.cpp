#include "model/forecast_head.h"

#include <torch/torch.h>

namespace casp::model {

at::Tensor forecast_head(const ParameterSet& parameters, const at::Tensor& hidden, std::int64_t ways) {
    const auto summed = hidden.reshape({hidden.size(0), ways, -1}).sum(1);
    return at::linear(summed, parameters.get("out_layer.weight"),
                      parameters.get("out_layer.bias") * static_cast<double>(ways));
}

}  // namespace casp::model
