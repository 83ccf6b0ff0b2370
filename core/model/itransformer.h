#pragma once
// iTransformer (Liu et al. 2024): attention between channels, each of which is one token.

#include "config/config.h"
#include "model/forecaster.h"
#include "model/instance_norm.h"
#include "model/transformer_encoder.h"

namespace casp::model {

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
    explicit ITransformer(const config::Config& config);

    [[nodiscard]] Forecast forward(const ModelInput& input, const TrainingStep* step, bool trace) override;
    [[nodiscard]] NamedTensors trainable() const override { return parameters_.all(); }
    void to(const at::Device& device) override { parameters_.to(device); }

private:
    std::int64_t lookback_;
    EncoderShape shape_;
    InstanceNorm instance_norm_;
    ParameterSet parameters_;
};

}  // namespace casp::model
