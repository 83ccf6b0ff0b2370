// What the settings and costs of Autoformer and FEDformer have in common.

#include "model/decomposition_transformer_shape.h"

#include "model/backbone_descriptor.h"

namespace casp::model {

std::vector<config::Contradiction> check_decomposition(const config::Config& config,
                                                       const std::string& section) {
    std::vector<config::Contradiction> found;
    check_heads(config, section + ".d_model", section + ".n_heads", found);
    check_at_most(config, section + ".label_len", "data.lookback", "is longer than", found);
    return found;
}

Estimate estimate_decomposition_transformer(const DecompositionShape& s, const BatchShape& batch,
                                            std::int64_t more_parameters) {
    const auto d = s.d_model, m = batch.channels;
    const auto embeddings = 2 * (3 * m * d + 4 * d);
    const auto projections = 4 * (d * d + d);
    const auto feed_forward = 2 * d * s.d_ff;
    Estimate e;
    e.parameters_trainable = embeddings + s.e_layers * (projections + feed_forward) +
                             s.d_layers * (2 * projections + feed_forward + 3 * d * m) + 4 * d + d * m + m +
                             more_parameters;
    e.parameters_total = e.parameters_trainable;
    e.fixed_bytes = 4 * 4 * e.parameters_trainable;  // weights, gradients, two moments

    // Per step and layer: queries, keys, values and their spectra, residuals, parts of the decompositions,
    // and in and out of GELU. A window's channels share them.
    const auto masks = batch.on_gpu && s.dropout > 0 ? s.d_ff + 2 * d : 0;
    const auto steps = s.lookback * s.e_layers + s.decoder_steps() * s.d_layers * 2;
    const auto window = 4 * steps * (14 * d + 3 * s.d_ff) + steps * masks;
    const auto widest = 4 * s.lookback * (4 * d + 2 * s.d_ff);
    e.bytes_per_row = window / m + 4 * 4 * (s.lookback + s.horizon);
    e.evaluation_bytes_per_row = widest / m;

    const auto decoder = s.decoder_steps() * s.d_layers;
    const double weights_times_steps =
        static_cast<double>(s.lookback * s.e_layers * (projections + feed_forward)) +
        static_cast<double>(decoder * (6 * d * d + feed_forward)) +
        static_cast<double>(2 * s.lookback * s.d_layers * d * d);
    e.evaluation_flop_per_row = 2 * weights_times_steps / static_cast<double>(m);
    e.step_flop = 3 * e.evaluation_flop_per_row * static_cast<double>(batch.rows);
    return e;
}

}  // namespace casp::model
