#pragma once
// Shape, checks and cost of Autoformer and FEDformer. Free of LibTorch.

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "config/config.h"
#include "config/options.h"
#include "model/estimate.h"

namespace casp::model {

// Number of delays that auto-correlation keeps. Free of LibTorch.

/// k = ⌊factor·ln(length)⌋: the delays that auto-correlation keeps for queries of `length` steps.
[[nodiscard]] inline std::int64_t delay_count(std::int64_t factor, std::int64_t length) {
    return static_cast<std::int64_t>(static_cast<double>(factor) * std::log(static_cast<double>(length)));
}

/// Number of delays to choose from, 2·⌊length / 2⌋: the public code inverts the spectrum without its length,
/// so that an odd length gives one delay less, of a series resampled to it. Reproduced, so that its
/// checkpoints give the same forecasts.
[[nodiscard]] constexpr std::int64_t delays_available(std::int64_t length) { return length / 2 * 2; }

/// What [autoformer] and [fedformer] have in common, of a batch.
struct DecompositionShape {
    std::int64_t lookback;    ///< L
    std::int64_t horizon;     ///< H
    std::int64_t channels;    ///< M
    std::int64_t d_model;     ///< D
    std::int64_t n_heads;     ///< divides d_model
    std::int64_t e_layers;    ///< of the encoder
    std::int64_t d_layers;    ///< of the decoder
    std::int64_t d_ff;        ///< width of the feed-forward layers
    std::int64_t moving_avg;  ///< length of the moving averages, odd
    std::int64_t label_len;   ///< rows of the look-back before the horizon in the decoder, 1 to L
    double dropout;

    [[nodiscard]] std::int64_t decoder_steps() const { return label_len + horizon; }
};

/// The shape that a section of the configuration ([autoformer], [fedformer]) gives.
template <class Section>
[[nodiscard]] DecompositionShape decomposition_shape(const config::Config& config, const Section& section,
                                                     std::int64_t channels) {
    return {config.data.lookback, config.data.horizon, channels,         section.d_model,
            section.n_heads,      section.e_layers,    section.d_layers, section.d_ff,
            section.moving_avg,   section.label_len,   section.dropout};
}

/// Contradictions that both models share; `section`: "autoformer".
[[nodiscard]] std::vector<config::Contradiction> check_decomposition(const config::Config& config,
                                                                     const std::string& section);

/// Of everything but the mixing of time steps. `more_parameters`: trainable ones of the mixing.
[[nodiscard]] Estimate estimate_decomposition_transformer(const DecompositionShape& shape,
                                                          const BatchShape& batch,
                                                          std::int64_t more_parameters);

/// Frequencies that a Fourier block for `length` steps keeps.
[[nodiscard]] constexpr std::int64_t fourier_modes(std::int64_t modes, std::int64_t length) {
    return modes < length / 2 ? modes : length / 2;
}

}  // namespace casp::model
