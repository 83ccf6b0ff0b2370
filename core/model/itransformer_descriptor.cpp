// iTransformer's settings and cost.

#include <algorithm>

#include "data/time_features.h"
#include "model/backbone_descriptor.h"
#include "model/descriptor.h"
#include "model/encoder_cost.h"

namespace casp::model {

namespace {

Capabilities capabilities_of_itransformer(const config::Config& /*config*/) {
    return {.mixes_channels = true, .time_features = true};
}

std::vector<config::Contradiction> check_itransformer(const config::Config& config) {
    std::vector<config::Contradiction> found;
    check_heads(config, "itransformer.d_model", "itransformer.n_heads", found);
    return found;
}

Estimate estimate_itransformer(const config::Config& config, const BatchShape& batch) {
    const auto& s = config.itransformer;
    const auto lookback = config.data.lookback, horizon = config.data.horizon, d = s.d_model;
    const auto channels = std::max<std::int64_t>(1, batch.channels);
    const auto tokens = channels + data::time_feature_count;  // of a window
    const auto encoder = encoder_cost(s.e_layers, d, s.d_ff, tokens, batch.on_gpu && s.dropout > 0);
    Estimate e;
    e.parameters_trainable = lookback * d + d + encoder.parameters + 2 * d + d * horizon + horizon;
    e.parameters_total = e.parameters_trainable;
    e.fixed_bytes = 4 * 4 * e.parameters_trainable;  // weights, gradients, two moments
    const auto per_row = [&](std::int64_t per_token) {
        return (tokens * per_token + channels - 1) / channels;
    };
    e.bytes_per_row = 4 * (per_row(encoder.kept_floats + encoder.temporary_floats + lookback + 3 * d) +
                           3 * lookback + 4 * horizon);
    e.evaluation_bytes_per_row = 4 * per_row(encoder.evaluation_floats + lookback);
    const double ends = 2.0 * static_cast<double>(d * (lookback + horizon));
    const double tokens_per_row = static_cast<double>(tokens) / static_cast<double>(channels);
    e.evaluation_flop_per_row = tokens_per_row * (encoder.forward_flop + ends);
    e.step_flop = static_cast<double>(batch.rows) * tokens_per_row *
                  (encoder.forward_flop + encoder.backward_flop + 3 * ends);
    return e;
}

}  // namespace

Descriptor describe_itransformer() {
    return {.capabilities = capabilities_of_itransformer,
            .estimate = estimate_itransformer,
            .check = check_itransformer};
}

}  // namespace casp::model
