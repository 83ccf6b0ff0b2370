#pragma once
// One trainable attention layer or transformer block that attends in both directions.

#include <cstdint>

#include <ATen/core/Tensor.h>

#include "config/config.h"
#include "model/dropout.h"
#include "model/parameter_set.h"

namespace casp::model {

/// A post-norm transformer encoder layer (Vaswani et al. 2017) without mask and without biases in the
/// attention:
///
///   y = LN(x + drop(W_o·concat_h(drop(softmax(q_h k_hᵀ/√d_h))·v_h)))
///   z = LN(y + drop(W_2·drop(relu(W_1·y + b_1)) + b_2))         backbone.kind = "block"; else the result is
///   y
///
/// Width d, heads and dropout are the backbone's; the feed-forward layer is 4d wide. Tensors have the names
/// and shapes of PyTorch's TransformerEncoderLayer after "backbone.": self_attn.in_proj_weight [3d, d],
/// self_attn.out_proj.weight [d, d], norm1.{weight,bias} [d], and with a feed-forward layer linear1.{weight
/// [4d, d],bias}, linear2.{weight [d, 4d],bias}, norm2.{weight,bias}.
class EncoderLayer {
public:
    /// Weights and the feed-forward layer's biases from U(±1/√fan_in), norms as identity.
    EncoderLayer(const config::Config::Backbone& backbone, std::uint64_t seed);

    /// [N, T, d] fp32 -> the same shape. `dropout` is null outside training; with `half` the projections run
    /// in bf16.
    [[nodiscard]] at::Tensor forward(const at::Tensor& x, DropoutStream* dropout, bool half) const;

    [[nodiscard]] const NamedTensors& trainable() const { return parameters_.all(); }
    void to(const at::Device& device) { parameters_.to(device); }

private:
    [[nodiscard]] at::Tensor attend(const at::Tensor& x, DropoutStream* dropout, bool half) const;

    std::int64_t heads_;
    bool feed_forward_;
    double dropout_;
    ParameterSet parameters_;
};

}  // namespace casp::model
