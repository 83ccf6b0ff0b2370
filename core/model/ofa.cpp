// OFA, also GPT4TS (Zhou et al. 2023, "One Fits All"): patches through GPT-2 with trainable norms and
// positions.

#include <cstdint>
#include <stop_token>

#include <torch/torch.h>

#include "config/config.h"
#include "model/backbone.h"
#include "model/data_embedding.h"
#include "model/factory.h"
#include "model/forecaster.h"
#include "model/instance_norm.h"
#include "model/parameter_set.h"
#include "model/patching.h"

namespace casp::model {

namespace {

constexpr const char* points_embedding = "enc_embedding";
constexpr const char* points_time_map = "predict_linear_pre";
constexpr const char* points_head = "out_layer";

/// What both networks have in common: tokens of each channel's window, the backbone, a head. On the CPU with
/// an untrained backbone.
class OfaNetwork : public Forecaster {
public:
    explicit OfaNetwork(const config::Config& config)
        : config_(config),
          backbone_(config, /*token_table=*/false),
          parameters_(static_cast<std::uint64_t>(config.train.seed)) {}

    [[nodiscard]] Forecast forward(const ModelInput& input, const TrainingStep* step, bool trace) override {
        StepDropout dropout(step);
        InstanceStatistics statistics;
        const auto embedding = embed(input.lookback, statistics, dropout.stream());
        const auto hidden = backbone_.forward(embedding, dropout.stream(), config_.run.precision == "bf16");
        Forecast out;
        out.prediction = instance_norm_.denormalised_rows(head(hidden), statistics);
        if (trace) out.trace = trace_of_patches(embedding);
        return out;
    }
    [[nodiscard]] Forecast look(const ModelInput& input) override {
        InstanceStatistics statistics;
        Forecast out;
        out.trace = trace_of_patches(embed(input.lookback, statistics, nullptr));
        return out;
    }
    void cancel_on(const std::stop_token& stop) override { backbone_.cancel_on(stop); }
    [[nodiscard]] NamedTensors trainable() const override {
        return joined(backbone_.trainable(), parameters_.all());
    }
    [[nodiscard]] NamedTensors frozen() const override { return backbone_.frozen(); }
    void weights_replaced() override { backbone_.forget_copies(); }
    void to(const at::Device& device) override {
        backbone_.to(device);
        parameters_.to(device);
    }
    [[nodiscard]] std::int64_t embedding_width() const override { return config_.backbone.width; }

protected:
    /// Input of the backbone, [N, T, d].
    [[nodiscard]] virtual at::Tensor embed(const at::Tensor& lookback, InstanceStatistics& statistics,
                                           DropoutStream* stream) const = 0;
    /// y [N, H] of the backbone's output [N, T, d].
    [[nodiscard]] virtual at::Tensor head(const at::Tensor& hidden) const = 0;

    config::Config config_;
    InstanceNorm instance_norm_;
    Backbone backbone_;
    ParameterSet parameters_;
};

/// The public code's forecaster for M4 (ofa.network = "points"): every time step is a token. Each channel of
/// each window is a row x, N = B·M of them:
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
class OfaPoints : public OfaNetwork {
public:
    explicit OfaPoints(const config::Config& config) : OfaNetwork(config) {
        const auto lookback = config.data.lookback;
        add_value_embedding(parameters_, points_embedding, /*channels=*/1, config.ofa.d_model);
        parameters_.add_linear(points_time_map, lookback, lookback + config.data.horizon);
        parameters_.add_linear(points_head, config.ofa.d_ff, 1);
    }

private:
    [[nodiscard]] at::Tensor embed(const at::Tensor& lookback, InstanceStatistics& statistics,
                                   DropoutStream* stream) const override {
        const auto rows = instance_norm_.normalised_rows(lookback, statistics);
        // The dropout of the backbone is also that of the embedding.
        const auto points =
            drop(data_embedding(parameters_, points_embedding, rows.unsqueeze(2), /*time=*/{}) +
                     sinusoidal_positions(config_.data.lookback, config_.ofa.d_model, rows.device()),
                 config_.backbone.dropout, stream);
        const auto tokens = parameters_.linear(points_time_map, points.transpose(1, 2)).transpose(1, 2);
        return at::constant_pad_nd(tokens, {0, config_.backbone.width - config_.ofa.d_model}).contiguous();
    }
    [[nodiscard]] at::Tensor head(const at::Tensor& hidden) const override {
        const auto read =
            hidden.narrow(1, config_.data.lookback, config_.data.horizon).narrow(2, 0, config_.ofa.d_ff);
        return parameters_.linear(points_head, read).squeeze(2);
    }
};

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
class Ofa : public OfaNetwork {
public:
    explicit Ofa(const config::Config& config) : OfaNetwork(config) {
        const auto patches = patch_count(config.data.lookback, config.ofa.patch_size, config.ofa.stride);
        parameters_.add_linear("in_layer", config.ofa.patch_size, config.backbone.width);
        parameters_.add_linear("out_layer", patches * config.backbone.width, config.data.horizon);
    }

private:
    [[nodiscard]] at::Tensor embed(const at::Tensor& lookback, InstanceStatistics& statistics,
                                   DropoutStream* /*stream*/) const override {
        const auto rows = instance_norm_.normalised_rows(lookback, statistics);
        return parameters_.linear("in_layer", make_patches(rows, config_.ofa.patch_size, config_.ofa.stride));
    }
    [[nodiscard]] at::Tensor head(const at::Tensor& hidden) const override {
        return forecast_head(parameters_, hidden, /*ways=*/1);
    }
};

}  // namespace

std::unique_ptr<Forecaster> make_ofa(const config::Config& config, const DataShape& /*data*/) {
    if (config.ofa.network == "points") return std::make_unique<OfaPoints>(config);
    return std::make_unique<Ofa>(config);
}

}  // namespace casp::model
