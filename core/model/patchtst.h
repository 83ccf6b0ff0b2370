#pragma once
// PatchTST (Nie et al. 2023) as thuml/Time-Series-Library implements it: patches of each channel, a
// transformer encoder, and one linear layer over all patches.

#include "config/config.h"
#include "model/forecaster.h"
#include "model/instance_norm.h"
#include "model/transformer_encoder.h"

namespace casp::model {

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
    explicit PatchTst(const config::Config& config);

    [[nodiscard]] Forecast forward(const ModelInput& input, const TrainingStep* step, bool trace) override;
    [[nodiscard]] NamedTensors trainable() const override { return parameters_.all(); }
    [[nodiscard]] NamedTensors state() const override;
    void to(const at::Device& device) override;

private:
    /// Q, K and V of the first layer, [N, N_p, 3·d]: without dropout before it, embedding and projections are
    /// one linear map of the patches, patch_len instead of d wide.
    [[nodiscard]] at::Tensor first_qkv(const at::Tensor& patches) const;
    [[nodiscard]] at::Tensor batch_norm(const at::Tensor& tokens, const TrainingStep* step) const;

    std::int64_t patch_len_, stride_;
    EncoderShape shape_;
    InstanceNorm instance_norm_;
    at::Tensor positions_;  ///< [N_p, d], constant
    ParameterSet parameters_;
    at::Tensor running_mean_, running_var_;  ///< [d], no gradient
};

}  // namespace casp::model
