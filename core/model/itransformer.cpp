// iTransformer (Liu et al. 2024): attention between channels, each of which is one token.

#include <torch/torch.h>

#include "config/config.h"
#include "model/factory.h"
#include "model/forecaster.h"
#include "model/instance_norm.h"
#include "model/transformer_encoder.h"

namespace casp::model {

namespace {

constexpr const char* embedding_name = "enc_embedding.value_embedding";

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
    explicit ITransformer(const config::Config& config)
        : lookback_(config.data.lookback),
          shape_(encoder_shape(config.itransformer)),
          parameters_(static_cast<std::uint64_t>(config.train.seed)) {
        parameters_.add_linear(embedding_name, lookback_, shape_.width);
        add_encoder(parameters_, shape_);
        parameters_.add_norm("encoder.norm", shape_.width);
        parameters_.add_linear("projection", shape_.width, config.data.horizon);
    }

    [[nodiscard]] Forecast forward(const ModelInput& input, const TrainingStep* step,
                                   bool /*trace*/) override {
        StepDropout dropout(step);
        InstanceStatistics statistics;
        auto series = instance_norm_.normalise(input.lookback, statistics).transpose(1, 2);
        if (input.time.defined())
            series = at::cat({series, input.time.slice(1, 0, lookback_).transpose(1, 2)}, 1);
        const auto tokens =
            drop(parameters_.linear(embedding_name, series.contiguous()), shape_.dropout, dropout.stream());
        const auto channels =
            encode(parameters_, shape_, tokens, dropout.stream()).slice(1, 0, input.lookback.size(2));
        const auto features = parameters_.norm("encoder.norm", channels);
        Forecast forecast;
        forecast.prediction = instance_norm_.denormalise(
            parameters_.linear("projection", features).transpose(1, 2), statistics);
        return forecast;
    }

    [[nodiscard]] NamedTensors trainable() const override { return parameters_.all(); }
    void to(const at::Device& device) override { parameters_.to(device); }

private:
    std::int64_t lookback_;
    EncoderShape shape_;
    InstanceNorm instance_norm_;
    ParameterSet parameters_;
};

}  // namespace

std::unique_ptr<Forecaster> make_itransformer(const config::Config& config, const DataShape& data) {
    require_all_channels(config, data);
    return std::make_unique<ITransformer>(config);
}

}  // namespace casp::model
