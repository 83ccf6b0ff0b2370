#pragma once
// The part between embedding and forecast head that backbone.kind selects: GPT-2, or what replaces it in the
// ablations of "Are Language Models Actually Useful for Time Series Forecasting?" (Tan et al. 2024).

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "config/config.h"
#include "model/dropout.h"
#include "model/gpt2.h"
#include "model/parameter_set.h"
#include "model/parameters.h"

namespace casp::model {

// One trainable attention layer or transformer block that attends in both directions.

/// A post-norm transformer encoder layer (Vaswani et al. 2017) without mask and without biases in the
/// attention:
///
///   y = LN(x + drop(W_o·concat_h(drop(softmax(q_h k_hᵀ/√d_h))·v_h)))
///   z = LN(y + drop(W_2·drop(relu(W_1·y + b_1)) + b_2))         backbone.kind = "block"; else the result is
///   y
///
/// Width d, heads and dropout are the backbone's; the feed-forward layer is 4d wide. Tensors have the names
/// and shapes of PyTorch's TransformerEncoderLayer after `prefix`: self_attn.in_proj_weight [3d, d],
/// self_attn.out_proj.weight [d, d], norm1.{weight,bias} [d], and with a feed-forward layer linear1.{weight
/// [4d, d],bias}, linear2.{weight [d, 4d],bias}, norm2.{weight,bias}.
class EncoderLayer {
public:
    /// Weights and the feed-forward layer's biases from U(±1/√fan_in), norms as identity.
    EncoderLayer(const config::Config::Backbone& backbone, std::uint64_t seed, std::string prefix);

    /// [N, T, d] fp32 -> the same shape. `dropout` is null outside training; with `half` the projections run
    /// in bf16. `read` [N, T]: the tokens that are attended to; undefined: all.
    [[nodiscard]] at::Tensor forward(const at::Tensor& x, DropoutStream* dropout, bool half,
                                     const at::Tensor& read) const;

    [[nodiscard]] const NamedTensors& trainable() const { return parameters_.all(); }
    void to(const at::Device& device) { parameters_.to(device); }

private:
    [[nodiscard]] at::Tensor attend(const at::Tensor& x, DropoutStream* dropout, bool half,
                                    const at::Tensor& read) const;

    std::string prefix_;
    std::int64_t heads_;
    bool feed_forward_;
    double dropout_;
    ParameterSet parameters_;
};

/// Embeddings to hidden states, by kind:
///
///   gpt2       the first blocks of GPT-2 (gpt2.h)
///   random     the same with random weights, drawn anew for each train.seed; the same layers are trained
///   attention  y = LN(x + drop(W_o·attention(x))), one layer for all of GPT-2
///   block      the same, then LN(y + drop(W_2·drop(relu(W_1·y + b_1)) + b_2))
///   none       y = x
///
/// As in the study, replacements are trained from random values, attend in both directions and add no
/// positions; as decided in docs/decisions/0015, they have GPT-2's width, heads and feed-forward width 4d.
/// "none" has no tensors. Thread: the model's.
class Backbone {
public:
    /// Of [backbone]; a replacement of GPT-2, which is trained, begins at values of train.seed.
    /// `token_table`: whether the model reads the token table, which then remains where GPT-2 is replaced.
    /// `role` is that of GPT-2; tensors of a layer in its place are named `layer_prefix`*.
    Backbone(const config::Config& config, bool token_table, Gpt2Role role = {},
             const std::string& layer_prefix = "backbone.");

    /// Embeddings of N·T tokens -> hidden states [N, T, d] fp32. `dropout` is null outside training; with
    /// `half` the matrix products run in bf16. `hidden`, where given, receives states() tensors [N, T, d]:
    /// the input of each block, and the result. `read` [N, T] bool: the tokens that attention in both
    /// directions may read; undefined: all.
    [[nodiscard]] at::Tensor forward(const Tokens& tokens, DropoutStream* dropout, bool half,
                                     std::vector<at::Tensor>* hidden = nullptr, const at::Tensor& read = {});
    [[nodiscard]] std::int64_t states() const;
    /// Whether it is GPT-2, pretrained or random.
    [[nodiscard]] bool is_gpt2() const { return gpt2_.has_value(); }

    /// forward() in an evaluation of rows whose prefix has the numbers `prefix` [N, K]: rows of equal numbers
    /// have equal prefixes. Each prefix is computed once where that saves work (GPT-2, at most half as many
    /// prefixes as rows).
    [[nodiscard]] at::Tensor forward_prompted(const Tokens& tokens, const at::Tensor& prefix, bool half);

    /// forward() of GPT-2 throws Cancelled between two blocks after a stop request.
    void cancel_on(const std::stop_token& stop);

    [[nodiscard]] NamedTensors trainable() const;
    [[nodiscard]] NamedTensors frozen() const;
    /// Moves every tensor; call before the optimiser sees them.
    void to(const at::Device& device);
    /// Drops the bf16 copies of frozen tensors (after their values were replaced).
    void forget_copies();
    /// Gpt2::share_frozen(), where they are GPT-2.
    void share_frozen(const Backbone& other);

    /// E, [V, d]; undefined where GPT-2 is replaced and `token_table` was false.
    [[nodiscard]] const at::Tensor& token_table() const {
        return gpt2_ ? gpt2_->token_table() : token_table_;
    }
    /// The same in bf16, converted once.
    [[nodiscard]] const at::Tensor& half_token_table() const;

private:
    std::optional<Gpt2> gpt2_;
    std::optional<EncoderLayer> layer_;
    std::int64_t blocks_ = 0;  ///< 0: "none"
    std::string table_name_;
    at::Tensor token_table_;               ///< of a replaced GPT-2
    mutable at::Tensor half_token_table_;  ///< undefined until it is used
};

// From hidden states to the forecast.

/// The layer "out_layer" over `ways` contiguous parts of the flattened hidden states [N, T, d], summed, in
/// normalised units [N, H]: Σ_w (W h_w + b) = W (Σ_w h_w) + ways·b, which costs one product instead of
/// `ways`. T·d must be divisible by `ways`.
///
/// With ways = 3 these are the three token thirds of S2IP-LLM (the cut may fall inside a token; the outputs
/// at the prompt positions are included); ways = 1 is the plain flatten head of the paper's ablation.
[[nodiscard]] at::Tensor forecast_head(const ParameterSet& parameters, const at::Tensor& hidden,
                                       std::int64_t ways);

}  // namespace casp::model
