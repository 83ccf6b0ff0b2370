#include "model/cuda/fused.h"

#include <cmath>
#include <string>

#include <torch/torch.h>

#include "model/cuda/kernels.h"
#include "model/dropout.h"
#include "model/patching.h"
#include "model/tokens.h"

namespace casp::model::cuda {

namespace {

// Tensors as arguments of kernels.

/// Its values as the kernels see them; null: undefined.
template <class T>
[[nodiscard]] T* data(const at::Tensor& x) {
    return x.defined() ? static_cast<T*>(x.data_ptr()) : nullptr;
}

/// Dense, and readable 16 bytes at once; undefined: undefined.
[[nodiscard]] inline at::Tensor packed(const at::Tensor& x) {
    if (!x.defined()) return x;
    const auto dense = x.contiguous();
    return reinterpret_cast<std::uintptr_t>(dense.data_ptr()) % 16 == 0 ? dense : dense.clone();
}

constexpr unsigned threads = 256;

/// Blocks for so many items, with `each` in a block.
[[nodiscard]] constexpr std::int64_t blocks_for(std::int64_t items, std::int64_t each) {
    return (items + each - 1) / each;
}

Kernel join_kernel(const char* name, const at::Tensor& tokens) {
    return {{"join_tokens", name, "-DWIDTH=" + std::to_string(tokens.size(-1))}, tokens.device()};
}

/// A block for each token.
Grid grid_of(const at::Tensor& joined) {
    return {joined.size(0) * joined.size(1), static_cast<unsigned>(32 * blocks_for(joined.size(2), 128))};
}

class JoinTokens : public torch::autograd::Function<JoinTokens> {
public:
    static at::Tensor forward(torch::autograd::AutogradContext* context,
                              const std::optional<at::Tensor>& before, const at::Tensor& following,
                              const at::Tensor& positions, double p, const DropoutKey& key) {
        const Tokens tokens(before.value_or(at::Tensor()), following);
        const auto out =
            at::empty({following.size(0), tokens.count(), following.size(2)}, following.options());
        join_kernel("join_tokens", out)
            .launch(grid_of(out), data<const float>(tokens.prefix), data<const float>(following),
                    data<const float>(positions), data<float>(out), static_cast<int>(tokens.count()),
                    static_cast<int>(tokens.prefixed()), keyed_mask(p, key, out.numel()), key.state);
        context->saved_data["p"] = p;
        context->saved_data["key"] = key.numbers();
        context->saved_data["prefixed"] = tokens.prefixed();
        return out;
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   torch::autograd::variable_list gradients) {
        const auto gradient = packed(gradients[0]);
        const auto rows = gradient.size(0), tokens = gradient.size(1), width = gradient.size(2);
        const auto prefixed = context->saved_data["prefixed"].toInt();
        const auto key = DropoutKey::from(context->saved_data["key"].toIntVector());
        const auto of_prefix = at::empty({rows, prefixed, width}, gradient.options());
        const auto of_following = at::empty({rows, tokens - prefixed, width}, gradient.options());
        join_kernel("join_tokens_backward", gradient)
            .launch(grid_of(gradient), data<const float>(gradient), data<float>(of_prefix),
                    data<float>(of_following), static_cast<int>(tokens), static_cast<int>(prefixed),
                    keyed_mask(context->saved_data["p"].toDouble(), key, gradient.numel()), key.state);
        at::Tensor of_positions;
        const std::size_t place_of_positions = prefixed > 0 ? 2 : 1;  // among the tensors there are
        if (context->needs_input_grad(place_of_positions))
            of_positions = at::cat({of_prefix.sum(0), of_following.sum(0)});
        return {prefixed > 0 ? of_prefix : at::Tensor(), of_following, of_positions, at::Tensor(),
                at::Tensor()};
    }
};

Kernel l2_kernel(const char* name, const at::Tensor& x) {
    return {{"l2_norm", name, "-DWIDTH=" + std::to_string(x.size(-1))}, x.device()};
}

class L2Norm : public torch::autograd::Function<L2Norm> {
public:
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& x) {
        const auto rows = x.numel() / x.size(-1);
        const auto y = at::empty_like(x), scale = at::empty({rows}, x.options());
        l2_kernel("l2_norm", x)
            .launch(grid_for(rows), data<const float>(x), data<float>(y), data<float>(scale),
                    static_cast<long long>(rows));
        context->save_for_backward({y, scale});
        return y;
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   torch::autograd::variable_list gradients) {
        const auto saved = context->get_saved_variables();
        const auto& y = saved[0];
        const auto gradient = packed(gradients[0]);
        const auto of_x = at::empty_like(y);
        l2_kernel("l2_norm_backward", y)
            .launch(grid_for(saved[1].numel()), data<const float>(gradient), data<const float>(y),
                    data<const float>(saved[1]), data<float>(of_x), static_cast<long long>(saved[1].numel()));
        return {of_x};
    }

private:
    static Grid grid_for(std::int64_t rows) { return {blocks_for(rows, threads / 32), threads}; }
};

const char* type_name(const at::Tensor& x) { return x.scalar_type() == at::kFloat ? "float" : "bf16"; }

bool is_fp32_or_bf16(const at::Tensor& x) {
    return x.scalar_type() == at::kFloat || x.scalar_type() == at::kBFloat16;
}

// ---- Dropout ----

Kernel dropout_kernel(const at::Tensor& x) {
    return {{"dropout", "keyed_dropout", std::string("-DVALUE=") + type_name(x)}, x.device()};
}

// ---- Residual and norm ----

constexpr std::int64_t rows_of_block = threads / 32;
constexpr std::int64_t backward_blocks = 264;  // two for each multiprocessor of an H100, on every GPU

/// For a branch like `branch` (undefined: any) and a norm like `normed`.
Kernel norm_kernel(const char* name, const at::Tensor& normed, const at::Tensor& branch) {
    return {{"residual_norm", name,
             "-DWIDTH=" + std::to_string(normed.size(-1)) + " -DBRANCH=" +
                 type_name(branch.defined() ? branch : normed) + " -DOUT=" + type_name(normed)},
            normed.device()};
}

class ResidualNorm : public torch::autograd::Function<ResidualNorm> {
public:
    static torch::autograd::variable_list forward(torch::autograd::AutogradContext* context,
                                                  const at::Tensor& x, const std::optional<at::Tensor>& added,
                                                  const at::Tensor& gamma, const at::Tensor& beta,
                                                  double epsilon, double p, const DropoutKey& key,
                                                  bool half) {
        const auto branch = added.value_or(at::Tensor());
        const auto width = x.size(-1), rows = x.numel() / width;
        const auto sum = branch.defined() ? at::empty_like(x) : at::Tensor();
        const auto normed = at::empty(x.sizes(), x.options().dtype(half ? at::kBFloat16 : at::kFloat));
        const auto statistics = at::empty({2, rows}, x.options());
        norm_kernel("residual_norm", normed, branch)
            .launch({blocks_for(rows, rows_of_block), threads}, data<const float>(x),
                    data<const void>(branch), data<const float>(gamma), data<const float>(beta),
                    data<float>(sum), data<void>(normed), data<float>(statistics),
                    data<float>(statistics) + rows, static_cast<long long>(rows), static_cast<float>(epsilon),
                    keyed_mask(p, key, x.numel()), key.state);
        context->set_materialize_grads(false);
        context->save_for_backward({branch.defined() ? sum : x, statistics, gamma});
        context->saved_data["p"] = p;
        context->saved_data["key"] = key.numbers();
        context->saved_data["branch"] = branch.defined();
        context->saved_data["half_branch"] = branch.defined() && branch.scalar_type() == at::kBFloat16;
        context->saved_data["half"] = half;
        return branch.defined() ? torch::autograd::variable_list{sum, normed}
                                : torch::autograd::variable_list{normed};
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   torch::autograd::variable_list gradients) {
        const auto saved = context->get_saved_variables();
        const auto& sum = saved[0];
        const auto& statistics = saved[1];
        const auto& gamma = saved[2];
        const auto width = sum.size(-1), rows = sum.numel() / width;
        const bool has_branch = context->saved_data["branch"].toBool();
        const auto of_sum = packed(has_branch ? gradients[0] : at::Tensor());
        auto of_normed = packed(gradients.back());
        if (!of_normed.defined())
            of_normed = at::zeros(
                sum.sizes(),
                sum.options().dtype(context->saved_data["half"].toBool() ? at::kBFloat16 : at::kFloat));
        const auto of_x = at::empty_like(sum);
        at::Tensor of_branch;
        if (has_branch)
            of_branch = at::empty(
                sum.sizes(), sum.options().dtype(context->saved_data["half_branch"].toBool() ? at::kBFloat16
                                                                                             : at::kFloat));
        const auto partial = at::empty({2, backward_blocks, width}, sum.options());
        const auto p = context->saved_data["p"].toDouble();
        const auto key = DropoutKey::from(context->saved_data["key"].toIntVector());
        norm_kernel("residual_norm_backward", of_normed, of_branch)
            .launch({backward_blocks, threads}, data<const float>(of_sum), data<const void>(of_normed),
                    data<const float>(sum), data<const float>(statistics),
                    data<const float>(statistics) + rows, data<const float>(gamma), data<float>(of_x),
                    data<void>(of_branch), data<float>(partial), static_cast<long long>(rows),
                    keyed_mask(p, key, sum.numel()), key.state);
        const auto of_weights = partial.sum(1);
        return {of_x,         of_branch,    of_weights[0], of_weights[1],
                at::Tensor(), at::Tensor(), at::Tensor(),  at::Tensor()};
    }
};

// ---- Attention ----

struct AttentionShape {
    std::int64_t rows, tokens, heads, width;
    bool causal;

    [[nodiscard]] std::int64_t tiles() const { return (tokens + 15) / 16; }
    [[nodiscard]] unsigned block() const { return static_cast<unsigned>(tiles() * 32); }
    /// Bytes of `lines` matrices [tokens, width] and `squares` matrices [tokens, tokens] in shared memory.
    [[nodiscard]] unsigned shared(std::int64_t lines, std::int64_t squares) const {
        const auto padded = tiles() * 16;
        return static_cast<unsigned>(2 * padded * (lines * (width + 8) + squares * (padded + 8)));
    }
    [[nodiscard]] unsigned forward_shared() const { return shared(3, 0); }
    [[nodiscard]] unsigned backward_shared() const { return shared(4, 2); }
    [[nodiscard]] std::string constants() const {
        return "-DTOKENS=" + std::to_string(tokens) + " -DHEADS=" + std::to_string(heads) +
               " -DHEAD_WIDTH=" + std::to_string(width) + " -DCAUSAL=" + (causal ? "1" : "0");
    }
};

AttentionShape shape_of(const at::Tensor& qkv, std::int64_t heads, bool causal) {
    return {qkv.size(0), qkv.size(1), heads, qkv.size(2) / (3 * heads), causal};
}

class Attention : public torch::autograd::Function<Attention> {
public:
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& qkv,
                              std::int64_t heads, bool causal, double p, const DropoutKey& key,
                              std::int64_t slice) {
        const auto shape = shape_of(qkv, heads, causal);
        const auto out = at::empty({shape.rows, shape.tokens, heads * shape.width}, qkv.options());
        const auto log_sums = at::empty({shape.rows, heads, shape.tokens}, qkv.options().dtype(at::kFloat));
        const KeyedMask mask = mask_of(shape, p, key, slice);
        Kernel({"attention", "attention", shape.constants()}, qkv.device(), shape.forward_shared())
            .launch({shape.rows * heads, shape.block(), shape.forward_shared()}, data<const void>(qkv),
                    data<void>(out), data<float>(log_sums), binary_scale(shape), mask, key.state);
        context->save_for_backward({qkv, log_sums});
        context->saved_data["numbers"] = std::vector<std::int64_t>{heads, causal ? 1 : 0, slice};
        context->saved_data["p"] = p;
        context->saved_data["key"] = key.numbers();
        return out;
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   torch::autograd::variable_list gradients) {
        const auto saved = context->get_saved_variables();
        const auto& qkv = saved[0];
        const auto numbers = context->saved_data["numbers"].toIntVector();
        const auto shape = shape_of(qkv, numbers[0], numbers[1] != 0);
        const auto gradient = packed(gradients[0]);
        const auto of_qkv = at::empty_like(qkv);
        const auto key = DropoutKey::from(context->saved_data["key"].toIntVector());
        const auto mask = mask_of(shape, context->saved_data["p"].toDouble(), key, numbers[2]);
        Kernel({"attention", "attention_backward", shape.constants()}, qkv.device(), shape.backward_shared())
            .launch({shape.rows * shape.heads, shape.block(), shape.backward_shared()}, data<const void>(qkv),
                    data<const void>(gradient), data<const float>(saved[1]), data<void>(of_qkv),
                    binary_scale(shape), natural_scale(shape), mask, key.state);
        return {of_qkv, at::Tensor(), at::Tensor(), at::Tensor(), at::Tensor(), at::Tensor()};
    }

private:
    static float natural_scale(const AttentionShape& shape) {
        return static_cast<float>(1 / std::sqrt(static_cast<double>(shape.width)));
    }
    /// For exponentials of base 2.
    static float binary_scale(const AttentionShape& shape) {
        return static_cast<float>(1 / (std::sqrt(static_cast<double>(shape.width)) * std::log(2.0)));
    }
    static KeyedMask mask_of(const AttentionShape& shape, double p, const DropoutKey& key,
                             std::int64_t slice) {
        return keyed_mask(p, key, shape.rows / key.count * key.first, slice,
                          shape.heads * shape.tokens * shape.tokens);
    }
};

}  // namespace

bool has_keyed_dropout(const at::Tensor& x) {
    return kernels_wanted(x.device()) && is_fp32_or_bf16(x) && dropout_kernel(x);
}

void keyed_dropout(const at::Tensor& x, const at::Tensor& y, const KeyedMask& mask, const DropoutKey& key) {
    dropout_kernel(x).launch({blocks_for(x.numel(), threads), threads}, data<const void>(x), data<void>(y),
                             static_cast<long long>(x.numel()), mask, key.state);
}

std::optional<NormedSum> residual_norm(const at::Tensor& x, const at::Tensor& branch, const at::Tensor& gamma,
                                       const at::Tensor& beta, double epsilon, double p,
                                       const DropoutKey& key, bool half) {
    constexpr std::int64_t widest = 1024;  // a row is kept in a warp's registers
    if (!kernels_wanted(x.device()) || x.scalar_type() != at::kFloat || x.size(-1) % 32 != 0 ||
        x.size(-1) > widest || (branch.defined() && !is_fp32_or_bf16(branch)))
        return std::nullopt;
    const auto rows = packed(x), other = packed(branch);
    const auto like = at::empty({0, x.size(-1)}, x.options().dtype(half ? at::kBFloat16 : at::kFloat));
    if (!norm_kernel("residual_norm", like, other) || !norm_kernel("residual_norm_backward", like, other))
        return std::nullopt;
    const auto results = ResidualNorm::apply(rows, other.defined() ? std::optional(other) : std::nullopt,
                                             gamma, beta, epsilon, p, key, half);
    return NormedSum{branch.defined() ? results[0] : x, results.back()};
}

std::optional<at::Tensor> attention(const at::Tensor& qkv, std::int64_t heads, bool causal, double p,
                                    const DropoutKey& key, std::int64_t slice) {
    constexpr std::int64_t max_tokens = 128, widest = 64;
    if (!kernels_wanted(qkv.device()) || qkv.scalar_type() != at::kBFloat16) return std::nullopt;
    const auto shape = shape_of(qkv, heads, causal);
    if (shape.tokens > max_tokens || shape.width > widest || shape.width % 16 != 0) return std::nullopt;
    const auto dense = packed(qkv);
    if (!Kernel({"attention", "attention", shape.constants()}, qkv.device(), shape.forward_shared()) ||
        !Kernel({"attention", "attention_backward", shape.constants()}, qkv.device(),
                shape.backward_shared()))
        return std::nullopt;
    return Attention::apply(dense, heads, causal, p, key, slice);
}

std::optional<at::Tensor> l2_norm(const at::Tensor& x) {
    constexpr std::int64_t widest = 1024;  // a row is kept in a warp's registers
    if (!kernels_wanted(x.device()) || x.scalar_type() != at::kFloat || x.size(-1) % 32 != 0 ||
        x.size(-1) > widest || !l2_kernel("l2_norm", x) || !l2_kernel("l2_norm_backward", x))
        return std::nullopt;
    return L2Norm::apply(packed(x));
}

std::optional<at::Tensor> join_tokens(const Tokens& tokens, const at::Tensor& positions, double p,
                                      const DropoutKey& key) {
    constexpr std::int64_t widest = 4096;  // a block's threads have four elements each
    const auto& x = tokens.following;
    const auto width = x.size(2);
    if (!kernels_wanted(x.device()) || x.scalar_type() != at::kFloat || width % 4 != 0 || width > widest ||
        !join_kernel("join_tokens", x) || !join_kernel("join_tokens_backward", x))
        return std::nullopt;
    TORCH_CHECK(positions.size(0) == tokens.count() && positions.size(1) == width,
                "positions of other tokens");
    TORCH_CHECK(
        !tokens.prefix.defined() || (tokens.prefix.size(0) == x.size(0) && tokens.prefix.size(2) == width &&
                                     tokens.prefix.scalar_type() == at::kFloat),
        "a prefix of other rows");
    const auto prefix = packed(tokens.prefix);
    return JoinTokens::apply(prefix.defined() ? std::optional(prefix) : std::nullopt, packed(x),
                             packed(positions), p, key);
}

std::optional<at::Tensor> decomposed_patches(const at::Tensor& lookback, std::int64_t trend,
                                             std::int64_t period, std::int64_t length, std::int64_t stride) {
    constexpr std::int64_t max_shared = 48 * 1024;
    const auto size = lookback.size(1), channels = lookback.size(2);
    if (!kernels_wanted(lookback.device()) || lookback.scalar_type() != at::kFloat ||
        (at::GradMode::is_enabled() && lookback.requires_grad()) || 8 * (2 * size + 1 + period) > max_shared)
        return std::nullopt;
    const Kernel kernel({"patches", "decomposed_patches",
                         "-DLENGTH=" + std::to_string(size) + " -DCHANNELS=" + std::to_string(channels) +
                             " -DTREND=" + std::to_string(trend) + " -DPERIOD=" + std::to_string(period) +
                             " -DPATCH=" + std::to_string(length) + " -DSTRIDE=" + std::to_string(stride)},
                        lookback.device());
    if (!kernel) return std::nullopt;
    const auto rows = lookback.size(0) * channels;
    const auto dense = packed(lookback);
    const auto patches = at::empty({rows, patch_count(size, length, stride), 3 * length}, dense.options());
    kernel.launch({rows, 128}, data<const float>(dense), data<float>(patches));
    return patches;
}

}  // namespace casp::model::cuda
