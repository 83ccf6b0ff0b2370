// PatchTST (Nie et al. 2023) as thuml/Time-Series-Library implements it: patches of each channel, a
// transformer encoder, and one linear layer over all patches.

#include <cmath>

#include <torch/torch.h>

#include "config/config.h"
#include "model/factory.h"
#include "model/forecaster.h"
#include "model/instance_norm.h"
#include "model/patching.h"
#include "model/transformer_encoder.h"

namespace casp::model {

namespace {

constexpr const char* value_embedding_name = "patch_embedding.value_embedding.weight";
constexpr const char* head_name = "head.linear";

/// [count, width]: sin(t·ω_i) at features 2i and cos(t·ω_i) at 2i + 1, with ω_i = 10000^(-2i/width).
at::Tensor sinusoidal_positions(std::int64_t count, std::int64_t width) {
    const auto feature = at::arange(width, at::kLong);
    const auto pair = at::floor_divide(feature, 2).mul(2).to(at::kFloat);
    const auto frequency = at::exp(pair * (-std::log(10000.0) / static_cast<double>(width)));
    const auto angle = at::arange(count, at::kFloat).unsqueeze(1) * frequency;
    return at::where(feature.remainder(2).eq(0), angle.sin(), angle.cos());
}

/// Each channel of a normalised window (instance_norm.h) is padded by one stride with its last value and cut
/// into N_p patches; tokens = drop(patch·Wᵀ + sinusoidal position); the encoder; a batch norm over the d
/// features; then forecast = drop(flat·W_hᵀ + b_h), where flat has the N_p values of feature 0 first, then
/// those of feature 1, …; and the window's mean and deviation restored.
///
/// The batch norm uses the batch's statistics in training, with momentum 0.1 and the unbiased variance in the
/// running ones, which are state of the model. (A batch of one token is normalised by the running ones, where
/// PyTorch fails.)
///
/// Tensor names are those of the public code; its constants (patch_embedding.position_embedding.pe and
/// encoder.norm.1.num_batches_tracked) are left out. The layers differ from the first publication's code
/// (layer norms, no residual attention, fixed positions): decision 14.
class PatchTst : public Forecaster {
public:
    explicit PatchTst(const config::Config& config)
        : patch_len_(config.patchtst.patch_len),
          stride_(config.patchtst.stride),
          shape_(encoder_shape(config.patchtst)),
          positions_(
              sinusoidal_positions(patch_count(config.data.lookback, patch_len_, stride_), shape_.width)),
          parameters_(static_cast<std::uint64_t>(config.train.seed)),
          running_mean_(at::zeros({shape_.width})),
          running_var_(at::ones({shape_.width})) {
        parameters_.add_uniform(value_embedding_name, {shape_.width, patch_len_}, patch_len_);
        add_encoder(parameters_, shape_);
        parameters_.add_norm("encoder.norm.1", shape_.width);
        parameters_.add_linear(head_name, positions_.numel(), config.data.horizon);
    }

    [[nodiscard]] Forecast forward(const ModelInput& input, const TrainingStep* step,
                                   bool /*trace*/) override {
        StepDropout dropout(step);
        auto* const stream = dropout.stream();
        InstanceStatistics statistics;
        const auto rows = instance_norm_.normalised_rows(input.lookback, statistics);
        const auto patches = make_patches(rows, patch_len_, stride_).contiguous();
        const auto embedded = drop(at::linear(patches, parameters_.get(value_embedding_name)) + positions_,
                                   shape_.dropout, stream);
        const auto tokens = encode(parameters_, shape_, embedded, stream,
                                   stream != nullptr ? at::Tensor() : first_qkv(patches));
        const auto flat = batch_norm(tokens, step).transpose(1, 2).flatten(1);
        const auto values = drop(parameters_.linear(head_name, flat), shape_.dropout, stream);
        Forecast forecast;
        forecast.prediction = instance_norm_.denormalised_rows(values, statistics);
        return forecast;
    }

    [[nodiscard]] NamedTensors trainable() const override { return parameters_.all(); }
    [[nodiscard]] NamedTensors state() const override {
        return {{"encoder.norm.1.running_mean", running_mean_}, {"encoder.norm.1.running_var", running_var_}};
    }

    void to(const at::Device& device) override {
        parameters_.to(device);
        for (auto* tensor : {&positions_, &running_mean_, &running_var_}) *tensor = tensor->to(device);
    }

private:
    /// Q, K and V of the first layer, [N, N_p, 3·d]: without dropout before it, embedding and projections are
    /// one linear map of the patches, patch_len instead of d wide.
    [[nodiscard]] at::Tensor first_qkv(const at::Tensor& patches) const {
        const auto projection = joined_projection(parameters_, 0);
        const auto of_positions = at::linear(positions_, projection.weight, projection.bias);
        return at::linear(patches, at::mm(projection.weight, parameters_.get(value_embedding_name))) +
               of_positions;
    }

    [[nodiscard]] at::Tensor batch_norm(const at::Tensor& tokens, const TrainingStep* step) const {
        constexpr double momentum = 0.1, epsilon = 1e-5;
        const auto weight = parameters_.get("encoder.norm.1.weight"),
                   bias = parameters_.get("encoder.norm.1.bias");
        const auto features = tokens.flatten(0, 1);
        if (step != nullptr && step->share != nullptr) {
            const auto& share = *step->share;
            const auto mean = batch_mean(features.mean(0), &share);
            const auto centred = features - mean;
            const auto variance = batch_mean(centred.square().mean(0), &share);
            const std::int64_t whole = features.size(0) / share.windows * share.whole;
            const auto rows = static_cast<double>(whole);
            running_mean_.mul_(1.0 - momentum).add_(mean.detach(), momentum);
            running_var_.mul_(1.0 - momentum).add_(variance.detach(), momentum * rows / (rows - 1.0));
            return at::addcmul(bias, centred * (variance + epsilon).rsqrt(), weight).view_as(tokens);
        }
        return at::batch_norm(features, weight, bias, running_mean_, running_var_,
                              step != nullptr && features.size(0) > 1, momentum, epsilon,
                              /*cudnn_enabled=*/true)
            .view_as(tokens);
    }

    std::int64_t patch_len_, stride_;
    EncoderShape shape_;
    InstanceNorm instance_norm_;
    at::Tensor positions_;  ///< [N_p, d], constant
    ParameterSet parameters_;
    at::Tensor running_mean_, running_var_;  ///< [d], no gradient
};

}  // namespace

std::unique_ptr<Forecaster> make_patchtst(const config::Config& config, const DataShape& /*data*/) {
    return std::make_unique<PatchTst>(config);
}

}  // namespace casp::model
