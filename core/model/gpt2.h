#pragma once
// The first blocks of GPT-2 with frozen attention and feed-forward weights.

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "config/config.h"
#include "model/dropout.h"
#include "model/parameters.h"
#include "model/tokens.h"

namespace casp::model {

// Copies of frozen weights in bf16.

/// x in bf16, complete; with more `rows` than x has, the last ones are zero. Tensors that share their memory,
/// as frozen weights of runs in one process do (train/shared_parts.h), share the copy. Keep x as long as the
/// result. Thread-safe.
[[nodiscard]] at::Tensor half_copy(const at::Tensor& x, std::int64_t rows = 0);

// LoRA (Hu et al. 2022): a trainable low-rank update of a frozen linear layer.

/// Rank and scale of an update; names and defaults as in peft.
struct LoraSettings {
    std::int64_t rank = 8;      ///< r, at least 1
    double alpha = 32;          ///< α
    double dropout = 0.1;       ///< of the update's input, in training; in [0, 1)
    std::uint64_t seed = 2021;  ///< of A
};

/// What is added to the output of the frozen layer: (α / r)·B·A·drop(x).
///
/// A begins at U(±1/√in), B at zero, so that training begins at the frozen layer. Tensor names are those of
/// peft: "<layer>lora_A.default.weight" [r, in] and "<layer>lora_B.default.weight" [out, r].
class Lora {
public:
    /// `layer`: the name of the frozen layer with a dot at its end.
    Lora(std::int64_t in, std::int64_t out, const LoraSettings& settings, const std::string& layer);

    /// x [..., in] fp32 -> [..., out] fp32. `dropout` is null outside training.
    [[nodiscard]] at::Tensor forward(const at::Tensor& x, DropoutStream* dropout) const;

    [[nodiscard]] NamedTensors trainable() const { return {{a_name_, a_}, {b_name_, b_}}; }
    void to(const at::Device& device);

private:
    std::string a_name_, b_name_;
    double scale_;
    double dropout_;
    at::Tensor a_, b_;
};

/// Names and trainable tensors of a backbone, for models that have several or adapt one.
struct Gpt2Role {
    std::string prefix = "gpt2.";            ///< of its tensor names
    bool trains_norms = true;                ///< layer norms; false: frozen
    std::optional<LoraSettings> lora = {};   ///< low-rank updates of c_attn, whose frozen tensors are then
                                             ///< named "…c_attn.base_layer.…", as peft does
    bool trains_positions = true;            ///< the positional table; false: frozen
    std::optional<std::uint64_t> seed = {};  ///< of all but the token table; none: backbone.seed
};

/// Rows of an evaluation that begin with the same tokens.
struct SharedPrefix {
    at::Tensor first;  ///< [U], a row with each prefix
    at::Tensor which;  ///< [N], number of a row's prefix, < U
};

/// Pre-norm transformer decoder: x += drop(attention(ln_1 x)); x += drop(mlp(ln_2 x)); then ln_f.
///
/// Attention, feed-forward weights and the token table are frozen (no gradient, and nothing is kept to
/// compute one); layer norms and the positional table are trainable, as in OFA and S2IP-LLM, unless its role
/// says otherwise. Weights are stored [in, out] (Conv1D).
class Gpt2 {
public:
    /// Untrained: Hugging Face's initialisation (normal 0.02; c_proj scaled by 1/√(2·layers)) from its own
    /// seed.
    explicit Gpt2(const config::Config::Backbone& settings, const Gpt2Role& role = {});

    /// Embeddings of N·T tokens -> hidden states after ln_f, [N, T, d] fp32. T <= positions.
    /// `dropout` is null outside training. With `half` the matrix products run in bf16 (residual stream and
    /// norms fp32). `hidden`, where given, receives the input of each block and the result, layers + 1
    /// tensors [N, T, d].
    [[nodiscard]] at::Tensor forward(const Tokens& tokens, DropoutStream* dropout, bool half,
                                     std::vector<at::Tensor>* hidden = nullptr);

    /// forward() without dropout and gradients where rows share prefixes: in causal attention no token
    /// depends on later ones, so that each prefix is computed once. Equal to forward() but for rounding.
    [[nodiscard]] at::Tensor forward_shared(const Tokens& tokens, const SharedPrefix& shared, bool half);

    /// forward() throws Cancelled between two blocks once `stop` asks for it.
    void cancel_on(const std::stop_token& stop) { stop_ = stop; }

    /// All tensors by their checkpoint names, "gpt2.wte.weight" …; trainable ones first.
    [[nodiscard]] NamedTensors trainable() const;
    [[nodiscard]] NamedTensors frozen() const;

    /// Moves every tensor; call before the optimiser sees them.
    void to(const at::Device& device);
    /// Uses the token table, attention and feed-forward tensors of `other`, of the same shape, instead of
    /// separate copies; norms and positions remain separate. Call again after moving `other`.
    void share_frozen(const Gpt2& other);
    /// Drops the bf16 copies of frozen weights (after their values were replaced).
    void forget_copies();

    [[nodiscard]] const at::Tensor& token_table() const { return wte_; }  ///< E, [V, d]

private:
    struct Linear {
        at::Tensor weight;  ///< [in, out]
        at::Tensor bias;    ///< [out]
        at::Tensor half_weight;
        at::Tensor half_bias;
    };
    struct Norm {
        at::Tensor weight;
        at::Tensor bias;
    };
    struct Block {
        Norm ln_1, ln_2;
        Linear c_attn, attn_proj, c_fc, mlp_proj;
        std::optional<Lora> lora;  ///< of c_attn
    };

    /// The residual stream, and its norm as input of the layer that follows.
    struct Stream {
        at::Tensor x, normed;
    };
    /// x + drop(branch), or x where `branch` is undefined. With `half` the norm may be bf16, where it is only
    /// a product's input.
    [[nodiscard]] Stream add(const at::Tensor& x, const at::Tensor& branch, const Norm& n,
                             DropoutStream* stream, bool half) const;
    /// The stream before block i; after the last one, that of ln_f.
    [[nodiscard]] Stream add_before(std::size_t i, const at::Tensor& x, const at::Tensor& branch,
                                    DropoutStream* stream, bool half) const;
    /// Its tensors, with `half` the copies in bf16.
    struct Frozen {
        at::Tensor weight, bias;
    };
    static Frozen frozen_of(Linear& l, bool half);
    static at::Tensor linear(const at::Tensor& x, Linear& l, bool half, bool gelu = false);
    [[nodiscard]] double dropout_of(const DropoutStream* stream) const;
    /// dropout(tokens + positions), [N, T, d].
    [[nodiscard]] at::Tensor embed(const Tokens& tokens, DropoutStream* stream) const;
    /// The stream after block i, given that before it and the block's attention.
    [[nodiscard]] Stream after_attention(std::size_t i, at::Tensor x, const at::Tensor& attended,
                                         DropoutStream* stream, bool half);
    static at::Tensor mlp(const at::Tensor& x, Linear& fc, Linear& projection, bool half);
    [[nodiscard]] static at::Tensor queries_keys_values(const at::Tensor& x, Block& block,
                                                        DropoutStream* dropout, bool half);
    template <class Visitor>
    void visit(Visitor&& visitor);
    [[nodiscard]] std::string full_name(std::string plain) const;
    [[nodiscard]] NamedTensors named(bool trainable) const;

    config::Config::Backbone shape_;
    Gpt2Role role_;
    at::Tensor wte_;
    at::Tensor wpe_;
    std::vector<Block> blocks_;
    Norm ln_f_;
    std::stop_token stop_;
};

/// E of an untrained GPT-2, [V, d] fp32: the values of Gpt2(settings).token_table().
[[nodiscard]] at::Tensor untrained_token_table(const config::Config::Backbone& settings);

}  // namespace casp::model
