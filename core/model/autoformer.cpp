// Autoformer (Wu et al. 2021): series decomposition and auto-correlation.

#include <algorithm>
#include <cstdint>
#include <memory>

#include <torch/torch.h>

#include <ATen/core/Tensor.h>
#include <ATen/ops/_embedding_bag_forward_only.h>
#include <ATen/ops/_embedding_bag_per_sample_weights_backward.h>

#include "model/batch_share.h"
#include "model/decomposition_transformer.h"
#include "model/decomposition_transformer_shape.h"
#include "model/factory.h"

namespace casp::model {

namespace {

constexpr std::int64_t bag_sum = 0;  // LibTorch's mode of embedding bags

/// Rows of [B·T, D] that each of the B·T results adds up: (t ± delay) mod T of the same window, [B·T·k].
at::Tensor delayed_rows(const at::Tensor& delays, std::int64_t steps, std::int64_t sign) {
    const auto options = delays.options();
    const auto time = at::arange(steps, options).view({1, steps, 1});
    const auto first = at::arange(delays.size(0), options).view({-1, 1, 1}) * steps;
    return ((time + delays.unsqueeze(1) * sign).remainder(steps) + first).flatten();
}

/// The sum of k delayed copies as one pass over the rows (an embedding bag per step): neither the k copies
/// nor their products with the weights are stored.
class DelayedSum : public torch::autograd::Function<DelayedSum> {
public:
    /// values [B, T, D], weights and delays [B, k]
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& values,
                              const at::Tensor& weights, const at::Tensor& delays) {
        const auto dense = values.contiguous();
        context->save_for_backward({dense, weights, delays});
        return sum(dense, weights, delays, 1);
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   torch::autograd::variable_list gradients) {
        const auto saved = context->get_saved_variables();
        const auto &values = saved[0], &weights = saved[1], &delays = saved[2];
        const auto gradient = gradients[0].contiguous();
        const auto bags = values.size(0) * values.size(1), kept = delays.size(1);
        const auto bag = at::arange(bags, delays.options());
        const auto products = at::_embedding_bag_per_sample_weights_backward(
            gradient.flatten(0, 1), values.flatten(0, 1), delayed_rows(delays, values.size(1), 1), bag * kept,
            bag.repeat_interleave(kept), bag_sum);
        return {sum(gradient, weights, delays, -1),
                products.view({values.size(0), values.size(1), kept}).sum(1), at::Tensor()};
    }

private:
    static at::Tensor sum(const at::Tensor& values, const at::Tensor& weights, const at::Tensor& delays,
                          std::int64_t sign) {
        const auto batch = values.size(0), steps = values.size(1), kept = delays.size(1);
        const auto each = weights.unsqueeze(1).expand({batch, steps, kept}).flatten();
        const auto offsets = at::arange(batch * steps, delays.options()) * kept;
        const auto bags =
            at::_embedding_bag_forward_only(values.flatten(0, 1), delayed_rows(delays, steps, sign), offsets,
                                            false, bag_sum, false, each, false);
        return std::get<0>(bags).view_as(values);
    }
};

// Auto-correlation (Wu et al. 2021): attention between delays of a series instead of between its steps.

/// Correlation of q and k at each delay, F⁻¹(F(q)·conj(F(k))), averaged over the width; the delay_count()
/// largest delays τᵢ; Σᵢ softmax(correlation)ᵢ · v[t + τᵢ], t + τᵢ modulo T.
///
/// q [B, T, D], k and v [B, S, D] -> [B, T, D]. k and v are cut to T steps (the first ones) or padded with
/// zeros. `per_batch`: the delays are the largest of the mean over the batch (training), and otherwise each
/// window's own (evaluation, so that a forecast does not depend on the batch). `share`: the windows are a
/// part of the batch. Differentiable. 1 <= delay_count() <= delays_available(T).
at::Tensor auto_correlation(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                            std::int64_t factor, bool per_batch, const BatchShare* share) {
    const auto steps = q.size(1);
    const auto kept = delay_count(factor, steps);
    // The mean over the width before the inverse transform, which is linear: one transform per window.
    const auto spectrum =
        (at::fft_rfft(q, steps, 1) * at::fft_rfft(k, steps, 1).conj()).mean(at::IntArrayRef{2});
    const auto correlation = at::fft_irfft(spectrum, delays_available(steps), 1);
    const auto score = correlation.detach();
    const auto delays = per_batch ? std::get<1>(batch_mean(score.mean(at::IntArrayRef{0}), share).topk(kept))
                                        .expand({q.size(0), kept})
                                  : std::get<1>(score.topk(kept, 1));
    const auto weights = at::softmax(correlation.gather(1, delays), 1);
    const auto missing = std::max<std::int64_t>(0, steps - v.size(1));
    const auto values = at::constant_pad_nd(v, {0, 0, 0, missing}).narrow(1, 0, steps);
    return DelayedSum::apply(values, weights, delays.contiguous());
}

/// DecompositionTransformer with auto_correlation() of all heads together, whose delays they share. n_heads,
/// which must divide D, therefore has no effect. (In the public code one that does not divide it narrows the
/// projections.)
///
/// As there: embeddings without positions, and auto-correlation without dropout. In cross attention the
/// encoder's first label_len + H rows are used, or zeros follow them.
class Autoformer : public DecompositionTransformer {
public:
    /// `channels`: M of a batch.
    Autoformer(const config::Config& config, std::int64_t channels)
        : DecompositionTransformer(decomposition_shape(config, config.autoformer, channels), false,
                                   static_cast<std::uint64_t>(config.train.seed)),
          factor_(config.autoformer.factor) {}

private:
    [[nodiscard]] at::Tensor mix(Place /*place*/, const std::string& layer, const at::Tensor& x,
                                 const at::Tensor& memory, const TrainingStep* step) const override {
        return auto_correlation(project(layer, "query", x), project(layer, "key", memory),
                                project(layer, "value", memory), factor_, step != nullptr,
                                step != nullptr ? step->share : nullptr);
    }

    std::int64_t factor_;  ///< see delay_count()
};

}  // namespace

std::unique_ptr<Forecaster> make_autoformer(const config::Config& config, const DataShape& data) {
    require_all_channels(config, data);
    return std::make_unique<Autoformer>(config, data.channels);
}

}  // namespace casp::model
