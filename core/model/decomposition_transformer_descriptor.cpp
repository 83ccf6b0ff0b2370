// Settings and costs of Autoformer and FEDformer, and what they have in common.
#include "model/decomposition_transformer_shape.h"

#include "model/backbone_descriptor.h"
#include "model/descriptor.h"
#include "util/phrase.h"

namespace casp::model {

namespace {

Capabilities capabilities_of_fedformer(const config::Config& /*config*/) {
    return {.mixes_channels = true, .time_features = true};
}

std::vector<config::Contradiction> check_fedformer(const config::Config& config) {
    auto found = check_decomposition(config, "fedformer");
    if (config.data.lookback < 2)
        found.push_back({{"data.lookback", "fedformer.modes"},
                         Phrase("data.lookback = %1 has no frequencies for fedformer.modes = %2",
                                config.data.lookback, config.fedformer.modes),
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

Capabilities capabilities_of_autoformer(const config::Config& /*config*/) {
    return {.mixes_channels = true, .time_features = true};
}

std::vector<config::Contradiction> check_autoformer(const config::Config& config) {
    const auto shape = decomposition_shape(config, config.autoformer, 1);
    auto found = check_decomposition(config, "autoformer");
    const auto check = [&](std::int64_t steps, const std::vector<std::string>& keys, const Phrase& what) {
        const auto kept = delay_count(config.autoformer.factor, steps);
        if (kept >= 1 && kept <= delays_available(steps)) return;
        auto all = keys;
        all.insert(all.begin(), "autoformer.factor");
        found.push_back({std::move(all),
                         Phrase("autoformer.factor = %1 keeps %2 of the %3 lags of the %4 rows of %5",
                                config.autoformer.factor, kept, delays_available(steps), steps, what),
                         "1 to all of them: factor times ln(rows), rounded down"});
    };
    check(shape.lookback, {"data.lookback"}, "data.lookback");
    check(shape.decoder_steps(), {"autoformer.label_len", "data.horizon"},
          "autoformer.label_len and data.horizon");
    return found;
}

Estimate estimate_autoformer(const config::Config& config, const BatchShape& batch) {
    return estimate_decomposition_transformer(decomposition_shape(config, config.autoformer, batch.channels),
                                              batch, 0);
}

}  // namespace

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

Descriptor describe_autoformer() {
    return {.capabilities = capabilities_of_autoformer,
            .estimate = estimate_autoformer,
            .check = check_autoformer};
}

Descriptor describe_fedformer() {
    return {
        .capabilities = capabilities_of_fedformer, .estimate = estimate_fedformer, .check = check_fedformer};
}

}  // namespace casp::model
