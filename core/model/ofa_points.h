#pragma once
// OFA's network for short-term forecasting: every time step is a token (ofa.network = "points").

#include <cstdint>
#include <stop_token>

#include "config/config.h"
#include "model/backbone.h"
#include "model/forecaster.h"
#include "model/instance_norm.h"
#include "model/parameter_set.h"

namespace casp::model {

/// The public code's forecaster for M4. Each channel of each window is a row x, N = B·M of them:
///
///   x̂ = (x − mean)/√(variance + 1e-5)     [N, L]
///   e = drop(W_c * x̂ + positions)          [N, L, d_model]
///   z = [W_p·e + b_p, 0]                   [N, L + H, d]
///   h = GPT-2(z)                           [N, L + H, d]
///   y = W_out·h[H last, d_ff first] + b    [N, H]
///   forecast = y·√(variance + 1e-5) + mean [B, H, M]
///
/// Mean and variance are those of the row, detached. W_c is a circular convolution of length 3 along time,
/// the positions are sine and cosine. Zeros extend z to the backbone's width d. Of GPT-2's first blocks and
/// ln_f, the norms and the positions are trainable.
///
/// Tensor names are those of the public code (DAMO-DI-ML/NeurIPS2023-One-Fits-All, short-term GPT4TS):
/// gpt2.*, enc_embedding.*, predict_linear_pre.*, out_layer.*. Those of layers that no forecast reads (ln,
/// predict_linear, the time features' embedding) are not among them. Embeddings for views are z, one per time
/// step.
class OfaPoints : public Forecaster {
public:
    /// On the CPU with an untrained backbone.
    explicit OfaPoints(const config::Config& config);

    [[nodiscard]] Forecast forward(const ModelInput& input, const TrainingStep* step, bool trace) override;
    [[nodiscard]] Forecast look(const ModelInput& input) override;
    void cancel_on(const std::stop_token& stop) override { backbone_.cancel_on(stop); }
    [[nodiscard]] NamedTensors trainable() const override;
    [[nodiscard]] NamedTensors frozen() const override { return backbone_.frozen(); }
    void weights_replaced() override { backbone_.forget_copies(); }
    void to(const at::Device& device) override;
    [[nodiscard]] std::int64_t embedding_width() const override { return config_.backbone.width; }

private:
    /// Input of the backbone z, [N, L + H, d].
    [[nodiscard]] at::Tensor embed(const at::Tensor& lookback, InstanceStatistics& statistics,
                                   DropoutStream* dropout) const;

    config::Config config_;
    InstanceNorm instance_norm_;
    Backbone backbone_;
    ParameterSet parameters_;
};

}  // namespace casp::model
