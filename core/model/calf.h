#pragma once
// CALF (Liu et al. 2025): two GPT-2 branches, one for the series and one for word components, aligned by
// losses.

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "config/config.h"
#include "model/backbone.h"
#include "model/dropout.h"
#include "model/forecaster.h"
#include "model/parameter_set.h"

namespace casp::model {

// Principal components of a word embedding over its vocabulary.

/// The first principal components of a token table [V, d], as CALF reads it: d samples (the embedding's
/// coordinates) of V features (the words), each feature centred. Returns [C, d] fp32, row c = σ_c·u_c in
/// descending order of σ_c, with C = min(count, V, d − 1): centring leaves at most d − 1 components.
///
/// Exact: the eigenvectors u_c of the d × d matrix of inner products, summed in double on the CPU, so that
/// the result does not depend on the device. (The public code takes scikit-learn's PCA with its default
/// solver, which is a randomised one without a seed for these sizes.) Sign: the entry of largest magnitude of
/// each row is positive, the first one if there are several.
[[nodiscard]] at::Tensor word_components(const at::Tensor& table, std::int64_t count);

// CALF's input layer: variates become tokens for the time branch and, by attention to words, for the text
// branch.

/// Sizes of the input layer, and what the public code has as a constant.
struct CalfEncoderShape {
    std::int64_t lookback;  ///< L
    std::int64_t width;     ///< d
    std::int64_t heads;
    std::int64_t feed_forward = 2048;  ///< PyTorch's default
    double dropout = 0.1;  ///< of the encoder layer, PyTorch's default; the words' attention has none
};

/// Tokens of both branches.
struct CalfTokens {
    at::Tensor time;  ///< [B, M, d]
    at::Tensor text;  ///< [B, M, d]; undefined unless requested
};

/// Adds the tensors of the input layer, "in_layer.linear.weight" …. As PyTorch: the joined projections of an
/// attention (nn.MultiheadAttention) begin at Xavier's uniform values, its output's weight at U(±1/√d), its
/// biases at zero.
void add_calf_encoder(ParameterSet& parameters, const CalfEncoderShape& shape);

/// time = a post-norm transformer layer (ReLU) over the linear map of each variate's look-back;
/// text = attention of these tokens to the words' principal components.
///
/// series [B, M, L] (normalised), words [C, d]. `dropout` is null outside training.
[[nodiscard]] CalfTokens encode_variates(const ParameterSet& parameters, const CalfEncoderShape& shape,
                                         const at::Tensor& series, const at::Tensor& words, bool with_text,
                                         DropoutStream* dropout);

/// What the public code has as constants, and a season of the data.
struct CalfConstants {
    std::int64_t feed_forward = 2048;  ///< of the encoder layer
    double encoder_dropout = 0.1;      ///< likewise
    std::int64_t word_components = 500;
    std::int64_t season = 1;  ///< of "mase", less than L
};

/// Every variate of a window is one token; all variates of a window are one sequence of GPT-2.
///
/// Time branch: normalised look-backs -> encode_variates() -> GPT-2 with LoRA on c_attn, trainable norms and
/// positions; its output plus its input -> out_layer -> forecast. Text branch: the encoder's tokens attend to
/// the 500 principal components of the token table (word_components()) -> GPT-2 with trainable positions only
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
/// backbone.kind replaces GPT-2 of both branches, each by a layer with separate weights ("backbone.*",
/// "backbone_text.*"); hidden states are then its input and its result.
///
/// Tensor names are those of the public code (Hank0626/CALF) with peft: "gpt2.base_model.model.wte.weight",
/// "gpt2_text.wte.weight", "time_proj.0.weight", … Where the public code is wrong or random it is decided
/// otherwise (docs/decisions/0018-calf.md): exact word components, and no dropout in validation.
class Calf : public Forecaster {
public:
    /// On the CPU with an untrained backbone.
    explicit Calf(const config::Config& config, const CalfConstants& constants = {});

    /// A training step needs `step->target`; throws std::invalid_argument without.
    [[nodiscard]] Forecast forward(const ModelInput& input, const TrainingStep* step, bool trace) override;
    void cancel_on(const std::stop_token& stop) override;
    [[nodiscard]] NamedTensors trainable() const override;
    [[nodiscard]] NamedTensors frozen() const override;
    /// 1e-4 for the tensors whose names contain "_proj", but for those of replaced backbones: the public code
    /// trains them with a second Adam.
    [[nodiscard]] std::optional<double> constant_rate(const std::string& name) const override;
    void weights_replaced() override;
    void to(const at::Device& device) override;

    /// The words' components that the text branch attends to, [C, d]; computed on first use.
    [[nodiscard]] const at::Tensor& words();

private:
    /// GPT-2 of one branch and the projections of its hidden states.
    struct Branch {
        Backbone backbone;
        std::string
            projections;  ///< names of backbone.states() tensors [d, d] before their numbers: "time_proj."
    };
    struct BranchOutput {
        at::Tensor rows;                   ///< [B, M, H], normalised units
        std::vector<at::Tensor> features;  ///< projected hidden states; in training with feature_w only
    };
    [[nodiscard]] BranchOutput run(Branch& branch, const at::Tensor& tokens, DropoutStream* dropout,
                                   bool with_features);
    [[nodiscard]] at::Tensor feature_loss(const BranchOutput& time, const BranchOutput& text) const;

    config::Config config_;
    CalfConstants constants_;
    CalfEncoderShape encoder_;
    Branch time_, text_;
    ParameterSet layers_;  ///< outside the backbones
    at::Tensor words_;     ///< undefined until it is needed
};

}  // namespace casp::model
