#include "model/autoformer.h"

#include <memory>

#include <torch/torch.h>

#include "model/auto_correlation.h"
#include "model/factory.h"

namespace casp::model {

Autoformer::Autoformer(const config::Config& config, std::int64_t channels)
    : DecompositionTransformer(decomposition_shape(config, config.autoformer, channels), false,
                               static_cast<std::uint64_t>(config.train.seed)),
      factor_(config.autoformer.factor) {}

at::Tensor Autoformer::mix(Place /*place*/, const std::string& layer, const at::Tensor& x,
                           const at::Tensor& memory, const TrainingStep* step) const {
    return auto_correlation(project(layer, "query", x), project(layer, "key", memory),
                            project(layer, "value", memory), factor_, step != nullptr,
                            step != nullptr ? step->share : nullptr);
}

std::unique_ptr<Forecaster> make_autoformer(const config::Config& config, const DataShape& data) {
    require_all_channels(config, data);
    return std::make_unique<Autoformer>(config, data.channels);
}

}  // namespace casp::model
