#include "model/cuda/glue.h"

#include <string>

#include <torch/torch.h>

#include "model/cuda/kernels.h"
#include "model/cuda/tensor_access.h"
#include "model/dropout.h"
#include "model/patching.h"
#include "model/tokens.h"

namespace casp::model::cuda {

namespace {

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

}  // namespace

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
    constexpr std::int64_t most_shared = 48 * 1024;
    const auto size = lookback.size(1), channels = lookback.size(2);
    if (!kernels_wanted(lookback.device()) || lookback.scalar_type() != at::kFloat ||
        (at::GradMode::is_enabled() && lookback.requires_grad()) || 8 * (2 * size + 1 + period) > most_shared)
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
