// Settings and cost of PatchTST and iTransformer, which share an encoder (transformer_encoder.h).

#include <algorithm>
#include <cstdint>

#include "data/time_features.h"
#include "model/backbone_descriptor.h"
#include "model/descriptor.h"
#include "util/phrase.h"

namespace casp::model {

namespace {

/// Parameters, memory and operations of the encoder.
struct EncoderCost {
    std::int64_t parameters = 0;
    std::int64_t kept_floats = 0;        ///< per token, for the backward pass
    std::int64_t temporary_floats = 0;   ///< per token, while a layer is computed forward and backward
    std::int64_t evaluation_floats = 0;  ///< per token, without a backward pass
    double forward_flop = 0;             ///< per token
    double backward_flop = 0;            ///< per token
};

/// `tokens`: that attend to each other. With `masks`, dropout keeps byte masks.
EncoderCost encoder_cost(std::int64_t layers, std::int64_t width, std::int64_t inner, std::int64_t tokens,
                         bool masks) {
    EncoderCost cost;
    cost.parameters = layers * (4 * (width * width + width) + 2 * width * inner + inner + width + 4 * width);
    // Inputs of the projections and of both norms, Q, K, V, the attended values; the input of GELU. Attention
    // and feed-forward network compute the rest again.
    cost.kept_floats = layers * (9 * width + inner + (masks ? (2 * width + inner) / 4 : 0));
    cost.temporary_floats = 10 * width;
    cost.evaluation_floats = 6 * width;
    const auto d = static_cast<double>(width);
    const auto products = 8 * d * d + 4 * d * static_cast<double>(inner);
    const auto attention = 4 * d * static_cast<double>(tokens);
    cost.forward_flop = static_cast<double>(layers) * (products + attention);
    cost.backward_flop = static_cast<double>(layers) * (2 * products + 3 * attention);
    return cost;
}

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

std::int64_t patches_of_patchtst(const config::Config& config) {
    return (config.data.lookback + config.patchtst.stride - config.patchtst.patch_len) /
               config.patchtst.stride +
           1;
}

Capabilities capabilities_of_patchtst(const config::Config& /*config*/) { return {}; }

std::vector<config::Contradiction> check_patchtst(const config::Config& config) {
    std::vector<config::Contradiction> found;
    check_heads(config, "patchtst.d_model", "patchtst.n_heads", found);
    const auto longest = config.data.lookback + config.patchtst.stride;
    if (config.patchtst.patch_len > longest)
        found.push_back({{"patchtst.patch_len", "data.lookback", "patchtst.stride"},
                         Phrase("patchtst.patch_len = %1 is longer than the padded window: data.lookback = "
                                "%2 plus patchtst.stride = %3",
                                config.patchtst.patch_len, config.data.lookback, config.patchtst.stride),
                         Phrase("a patch_len of at most %1", longest)});
    return found;
}

Estimate estimate_patchtst(const config::Config& config, const BatchShape& batch) {
    const auto& s = config.patchtst;
    const auto lookback = config.data.lookback, horizon = config.data.horizon, d = s.d_model;
    const auto patches = patches_of_patchtst(config);
    const auto encoder = encoder_cost(s.e_layers, d, s.d_ff, patches, batch.on_gpu && s.dropout > 0);
    Estimate e;
    e.patches = e.tokens = patches;
    const auto head = patches * d * horizon;
    e.parameters_trainable = s.patch_len * d + encoder.parameters + 2 * d + head + horizon;
    e.parameters_total = e.parameters_trainable;
    e.fixed_bytes = 4 * 4 * e.parameters_trainable;  // weights, gradients, two moments
    // Besides the encoder: patches, embedding, input and output of the batch norm, input of the head.
    const auto rest = patches * (s.patch_len + 4 * d) + 3 * lookback + 4 * horizon;
    e.bytes_per_row = 4 * (patches * (encoder.kept_floats + encoder.temporary_floats) + rest);
    e.evaluation_bytes_per_row = 4 * patches * encoder.evaluation_floats;
    const double ends = 2.0 * static_cast<double>(patches * s.patch_len * d + head);
    const auto tokens = static_cast<double>(patches);
    e.evaluation_flop_per_row = tokens * encoder.forward_flop + ends;
    e.step_flop = static_cast<double>(batch.rows) *
                  (tokens * (encoder.forward_flop + encoder.backward_flop) + 3 * ends);
    return e;
}

}  // namespace

Descriptor describe_patchtst() {
    return {.capabilities = capabilities_of_patchtst, .estimate = estimate_patchtst, .check = check_patchtst};
}

Descriptor describe_itransformer() {
    return {.capabilities = capabilities_of_itransformer,
            .estimate = estimate_itransformer,
            .check = check_itransformer};
}

}  // namespace casp::model
