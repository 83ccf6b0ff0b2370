// PatchTST's settings and cost.

#include "model/backbone_descriptor.h"
#include "model/descriptor.h"
#include "model/encoder_cost.h"

namespace casp::model {

namespace {

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
                         "patchtst.patch_len = " + std::to_string(config.patchtst.patch_len) +
                             " is longer than the padded window: data.lookback = " +
                             std::to_string(config.data.lookback) +
                             " plus patchtst.stride = " + std::to_string(config.patchtst.stride),
                         "a patch_len of at most " + std::to_string(longest)});
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

}  // namespace casp::model
