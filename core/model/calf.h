#pragma once
// CALF (Liu et al. 2025): two GPT-2 branches, one for the series and one for word components, aligned by
// losses.

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "config/config.h"
#include "model/calf_encoder.h"
#include "model/forecaster.h"
#include "model/gpt2.h"

namespace casp::model {

/// Everything that decides CALF's shape and objective; names and defaults as in the configuration.
struct CalfSettings {
    std::int64_t lookback = 512;  ///< L
    std::int64_t horizon = 96;    ///< H
    std::int64_t r = 8;           ///< rank of LoRA
    double lora_alpha = 32;
    double lora_dropout = 0.1;
    double task_w = 1, feature_w = 0.01, output_w = 1;
    std::string task_loss = "l1", output_loss = "l1";  ///< or "smooth_l1", "mse", "smape", "mase"
    std::string feature_loss = "l1";                   ///< or "smooth_l1", "mse"
    std::int64_t season = 1;                           ///< of "mase", less than L
    bool half = false;                                 ///< matrix products of the backbone in bf16
    Gpt2Shape backbone;
    std::int64_t feed_forward = 2048;  ///< of the encoder layer; no setting in the public code
    double encoder_dropout = 0.1;      ///< likewise
    std::int64_t word_components = 500;
    std::uint64_t seed = 2021;        ///< of the trainable layers
    std::uint64_t backbone_seed = 0;  ///< of an untrained backbone
};

/// The settings that [calf], [backbone], train.seed and run.precision give; `season` of the data.
[[nodiscard]] CalfSettings calf_settings(const config::Config& config, std::int64_t season = 1);

/// Every variate of a window is one token; all variates of a window are one sequence of GPT-2.
///
/// Time branch: normalised look-backs -> CalfEncoder -> GPT-2 with LoRA on c_attn, trainable norms and
/// positions; its output plus its input -> out_layer -> forecast. Text branch: the encoder's tokens attend to
/// the 500 principal components of the token table (word_components.h) -> GPT-2 with trainable positions only
/// -> the same out_layer. It teaches the time branch in training and is not computed in evaluation. Both
/// branches hold the same frozen attention and feed-forward tensors, in memory once.
///
/// Loss terms: task = loss(time, target), output = loss(time, text), feature = Σ_i 0.8^i·loss(time_i, text_i)
/// over the projected hidden states, counted from the last (ln_f), i = 0 … layers. They take the place of the
/// forecast loss, which is only logged. An output or feature term of weight 0 is left out; without both the
/// text branch is not computed. The mask of a step sets elements of the task and output losses to 0. "smape"
/// and "mase" (forecast_losses.h) are in the units of the input; MASE takes the seasonal error from the
/// look-back.
///
/// Tensor names are those of the public code (Hank0626/CALF) with peft: "gpt2.base_model.model.wte.weight",
/// "gpt2_text.wte.weight", "time_proj.0.weight", … Where the public code is wrong or random it is decided
/// otherwise (docs/decisions/0018-calf.md): exact word components, and no dropout in validation.
class Calf : public Forecaster {
public:
    /// On the CPU with an untrained backbone.
    explicit Calf(const CalfSettings& settings);

    /// A training step needs `step->target`; throws std::invalid_argument without.
    [[nodiscard]] Forecast forward(const ModelInput& input, const TrainingStep* step, bool trace) override;
    void cancel_on(const std::stop_token& stop) override;
    [[nodiscard]] NamedTensors trainable() const override;
    [[nodiscard]] NamedTensors frozen() const override;
    /// 1e-4 for the tensors whose names contain "_proj": the public code trains them with a second Adam.
    [[nodiscard]] std::optional<double> constant_rate(const std::string& name) const override;
    void weights_replaced() override;
    void to(const at::Device& device) override;

    /// The words' components that the text branch attends to, [C, d]; computed on first use.
    [[nodiscard]] const at::Tensor& words();

private:
    /// GPT-2 of one branch and the projections of its hidden states.
    struct Branch {
        Gpt2 backbone;
        std::string projections;             ///< "time_proj."
        std::vector<at::Tensor> projection;  ///< layers + 1 tensors [d, d]
    };
    struct BranchOutput {
        at::Tensor rows;                   ///< [B, M, H], normalised units
        std::vector<at::Tensor> features;  ///< projected hidden states; in training with feature_w only
    };
    [[nodiscard]] Branch make_branch(const Gpt2Role& role, const std::string& projections) const;
    [[nodiscard]] BranchOutput run(Branch& branch, const at::Tensor& tokens, DropoutStream* dropout,
                                   bool with_features);
    /// Trainable tensors outside the backbones.
    [[nodiscard]] NamedTensors layers() const;
    [[nodiscard]] at::Tensor feature_loss(const BranchOutput& time, const BranchOutput& text) const;

    CalfSettings settings_;
    CalfEncoder encoder_;
    Branch time_, text_;
    at::Tensor out_weight_, out_bias_;  ///< [H, d], [H]
    at::Tensor words_;                  ///< undefined until it is needed
};

}  // namespace casp::model
