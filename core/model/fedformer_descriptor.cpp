// FEDformer's settings and cost.

#include "model/decomposition_transformer_shape.h"
#include "model/descriptor.h"

namespace casp::model {

namespace {

Capabilities capabilities_of_fedformer(const config::Config& /*config*/) {
    return {.mixes_channels = true, .time_features = true};
}

std::vector<config::Contradiction> check_fedformer(const config::Config& config) {
    auto found = check_decomposition(config, "fedformer");
    if (config.data.lookback < 2)
        found.push_back(
            {{"data.lookback", "fedformer.modes"},
             "data.lookback = " + std::to_string(config.data.lookback) +
                 " has no frequencies for fedformer.modes = " + std::to_string(config.fedformer.modes),
             "a look-back of at least 2 rows"});
    return found;
}

Estimate estimate_fedformer(const config::Config& config, const BatchShape& batch) {
    const auto shape = decomposition_shape(config, config.fedformer, batch.channels);
    const auto modes = config.fedformer.modes;
    // Complex weights of the encoder's block and of the decoder's two.
    const auto frequencies =
        fourier_modes(modes, shape.lookback) + 2 * fourier_modes(modes, shape.lookback / 2 + shape.horizon);
    const auto width = shape.d_model / shape.n_heads;
    return estimate_decomposition_transformer(shape, batch, 2 * frequencies * shape.n_heads * width * width);
}

}  // namespace

Descriptor describe_fedformer() {
    return {
        .capabilities = capabilities_of_fedformer, .estimate = estimate_fedformer, .check = check_fedformer};
}

}  // namespace casp::model
