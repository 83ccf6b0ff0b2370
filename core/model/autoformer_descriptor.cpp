// Autoformer's settings and cost.

#include "model/decomposition_transformer_shape.h"
#include "model/delays.h"
#include "model/descriptor.h"

namespace casp::model {

namespace {

Capabilities capabilities_of_autoformer(const config::Config& /*config*/) {
    return {.mixes_channels = true, .time_features = true};
}

std::vector<config::Contradiction> check_autoformer(const config::Config& config) {
    const auto shape = decomposition_shape(config, config.autoformer, 1);
    auto found = check_decomposition(config, "autoformer");
    const auto check = [&](std::int64_t steps, const std::vector<std::string>& keys,
                           const std::string& what) {
        const auto kept = delay_count(config.autoformer.factor, steps);
        if (kept >= 1 && kept <= delays_available(steps)) return;
        auto all = keys;
        all.insert(all.begin(), "autoformer.factor");
        found.push_back({std::move(all),
                         "autoformer.factor = " + std::to_string(config.autoformer.factor) + " keeps " +
                             std::to_string(kept) + " of the " + std::to_string(delays_available(steps)) +
                             " lags of the " + std::to_string(steps) + " rows of " + what,
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

Descriptor describe_autoformer() {
    return {.capabilities = capabilities_of_autoformer,
            .estimate = estimate_autoformer,
            .check = check_autoformer};
}

}  // namespace casp::model
