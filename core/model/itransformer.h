#pragma once
// iTransformer (Liu et al. 2024): attention between channels, each of which is one token.

#include <cstdint>

#include "model/affine_layer.h"
#include "model/forecaster.h"
#include "model/instance_norm.h"
#include "model/transformer_encoder.h"

namespace casp::model {

/// Shape of iTransformer; names and defaults as in the configuration.
struct ITransformerSettings {
    std::int64_t lookback = 512;  ///< L
    std::int64_t horizon = 96;    ///< H
    EncoderShape encoder = {2, 256, 8, 256, 0.1};
    std::uint64_t seed = 2021;
};

/// B windows of M channels, with F = 4 time features (0 without dates), T = M + F:
///
///   x        = [normalised channels; time features]   [B, T, L]   instance_norm.h
///   e        = drop(W·x + b)                          [B, T, d]   a token per channel and feature
///   h        = norm(encoder(e))                       [B, T, d]
///   forecast = W_p·h + b_p, denormalised              [B, H, M]   of the channels' tokens
///
/// The number of channels is free. Tensor names are those of the public code (thuml/Time-Series-Library).
class ITransformer : public Forecaster {
public:
    explicit ITransformer(const ITransformerSettings& settings);

    [[nodiscard]] Forecast forward(const ModelInput& input, const TrainingStep* step, bool trace) override;
    [[nodiscard]] NamedTensors trainable() const override;
    void to(const at::Device& device) override;

private:
    ITransformerSettings settings_;
    InstanceNorm instance_norm_;
    AffineLayer embedding_;  ///< [d, L], [d]
    TransformerEncoder encoder_;
    AffineLayer norm_;        ///< [d]
    AffineLayer projection_;  ///< [H, d], [H]
};

}  // namespace casp::model
