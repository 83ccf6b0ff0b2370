#pragma once
// PatchTST (Nie et al. 2023) as thuml/Time-Series-Library implements it: patches of each channel, a
// transformer encoder, and one linear layer over all patches.

#include <cstdint>

#include "model/affine_layer.h"
#include "model/forecaster.h"
#include "model/instance_norm.h"
#include "model/transformer_encoder.h"

namespace casp::model {

/// Shape of PatchTST; names and defaults as in the configuration.
struct PatchTstSettings {
    std::int64_t lookback = 512;  ///< L
    std::int64_t horizon = 96;    ///< H
    std::int64_t patch_len = 16;  ///< at most L + stride
    std::int64_t stride = 8;
    EncoderShape encoder = {1, 512, 2, 2048, 0.1};
    std::uint64_t seed = 2021;
};

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
    explicit PatchTst(const PatchTstSettings& settings);

    [[nodiscard]] Forecast forward(const ModelInput& input, const TrainingStep* step, bool trace) override;
    [[nodiscard]] NamedTensors trainable() const override;
    [[nodiscard]] NamedTensors state() const override;
    void to(const at::Device& device) override;

private:
    /// Rows [N, L] -> patches [N, N_p, patch_len].
    [[nodiscard]] at::Tensor cut_rows(const at::Tensor& rows) const;
    /// Q, K and V of the first layer, [N, N_p, 3·d]: without dropout before it, embedding and projections are
    /// one linear map of the patches, patch_len instead of d wide.
    [[nodiscard]] at::Tensor first_qkv(const at::Tensor& patches) const;
    [[nodiscard]] at::Tensor batch_norm(const at::Tensor& tokens, const TrainingStep* step) const;

    PatchTstSettings settings_;
    InstanceNorm instance_norm_;
    at::Tensor value_embedding_;  ///< [d, patch_len]
    at::Tensor positions_;        ///< [N_p, d], constant
    TransformerEncoder encoder_;
    AffineLayer norm_;                       ///< [d]
    at::Tensor running_mean_, running_var_;  ///< [d], no gradient
    AffineLayer head_;                       ///< [H, d·N_p], [H]
};

}  // namespace casp::model
