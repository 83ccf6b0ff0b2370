#pragma once
// OFA, also GPT4TS (Zhou et al. 2023, "One Fits All"): patches through GPT-2 with trainable norms and
// positions.

#include <cstdint>
#include <stop_token>

#include "config/config.h"
#include "model/backbone.h"
#include "model/forecaster.h"
#include "model/instance_norm.h"
#include "model/parameter_set.h"

namespace casp::model {

/// The long-term forecaster of the public code. Each channel of each window is a row x, N = B·M of them:
///
///   x̂ = (x − mean)/√(variance + 1e-5)   [N, L]        mean and variance of the row, detached
///   e = W_in·patches(x̂) + b_in          [N, N_p, d]   right end padded by one stride with its last value
///   h = GPT-2(e)                        [N, N_p, d]   first blocks and ln_f; trainable: norms and positions
///   y = W_out·flatten(h) + b_out        [N, H]
///   forecast = y·√(variance + 1e-5) + mean            as [B, H, M]
///
/// Tensor names are those of the public code (DAMO-DI-ML/NeurIPS2023-One-Fits-All): gpt2.*, in_layer.*,
/// out_layer.*. The public validation leaves GPT-2's dropout on, which makes early stopping noisy; here
/// validation is without dropout, as the test is. The public test drops its last batch; here every window
/// counts. The public code for M4 is another network, OfaPoints.
class Ofa : public Forecaster {
public:
    /// On the CPU with an untrained backbone.
    explicit Ofa(const config::Config& config);

    [[nodiscard]] Forecast forward(const ModelInput& input, const TrainingStep* step, bool trace) override;
    [[nodiscard]] Forecast look(const ModelInput& input) override;
    void cancel_on(const std::stop_token& stop) override { backbone_.cancel_on(stop); }
    [[nodiscard]] NamedTensors trainable() const override;
    [[nodiscard]] NamedTensors frozen() const override { return backbone_.frozen(); }
    void weights_replaced() override { backbone_.forget_copies(); }
    void to(const at::Device& device) override;
    [[nodiscard]] std::int64_t embedding_width() const override { return config_.backbone.width; }

private:
    /// Patch embeddings e, [N, N_p, d].
    [[nodiscard]] at::Tensor embed(const at::Tensor& lookback, InstanceStatistics& statistics) const;

    config::Config config_;
    InstanceNorm instance_norm_;
    Backbone backbone_;
    ParameterSet layers_;
};

}  // namespace casp::model
