#include "model/target_channels.h"

#include <torch/torch.h>

namespace casp::model {

at::Tensor of_channels(const at::Tensor& tensor, std::int64_t axis, const at::Tensor& channels) {
    return channels.defined() && tensor.defined() ? tensor.index_select(axis, channels) : tensor;
}

Forecast of_channels(Forecast forecast, const at::Tensor& channels, std::int64_t windows) {
    if (!channels.defined()) return forecast;
    const auto rows = [&](at::Tensor& tensor) {
        if (tensor.defined())
            tensor = of_channels(tensor.unflatten(0, {windows, -1}), 1, channels).flatten(0, 1);
    };
    forecast.prediction = of_channels(forecast.prediction, 2, channels);
    rows(forecast.retrieved);
    rows(forecast.key_cosine);
    if (forecast.trace)
        for (auto* part : {&forecast.trace->similarity, &forecast.trace->query, &forecast.trace->prompt,
                           &forecast.trace->patches, &forecast.trace->prefix})
            rows(*part);
    return forecast;
}

}  // namespace casp::model
