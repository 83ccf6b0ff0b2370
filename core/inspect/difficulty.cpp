#include "inspect/difficulty.h"

#include <algorithm>

#include <torch/torch.h>

#include "model/decomposition.h"

namespace casp::inspect {

at::Tensor difficulty(const at::Tensor& rows, const config::Config& config) {
    const auto length = rows.size(1);
    return model::decompose(rows, std::min(config.model.trend_length, length),
                            std::min(config.model.seasonal_length, length))
        .residual.abs()
        .mean(1);
}

}  // namespace casp::inspect
