#pragma once
// One trainable attention layer or transformer block that attends in both directions.

#include <cstdint>
#include <string>

#include <ATen/core/Tensor.h>

#include "model/dropout.h"
#include "model/parameters.h"

namespace casp::model {

struct EncoderLayerShape {
    std::int64_t width = 768;  ///< d
    std::int64_t heads = 12;   ///< divides the width
    std::int64_t inner = 0;    ///< width of the feed-forward layer; 0: attention only
    double dropout = 0.1;      ///< of probabilities, residual branches and the inner layer, in training
};

/// A post-norm transformer encoder layer (Vaswani et al. 2017) without mask and without biases in the
/// attention:
///
///   y = LN(x + drop(W_o·concat_h(drop(softmax(q_h k_hᵀ/√d_h))·v_h)))
///   z = LN(y + drop(W_2·drop(relu(W_1·y + b_1)) + b_2))         if inner > 0; otherwise the result is y
///
/// Tensors have the names and shapes of PyTorch's TransformerEncoderLayer after `prefix`:
/// self_attn.in_proj_weight [3d, d], self_attn.out_proj.weight [d, d], norm1.{weight,bias} [d], and with a
/// feed-forward layer linear1.{weight [inner, d],bias}, linear2.{weight [d, inner],bias},
/// norm2.{weight,bias}.
class EncoderLayer {
public:
    /// Weights and the feed-forward layer's biases from U(±1/√fan_in), norms as identity.
    EncoderLayer(const EncoderLayerShape& shape, std::string prefix, std::uint64_t seed);

    /// [N, T, d] fp32 -> the same shape. `dropout` is null outside training; with `half` the projections run
    /// in bf16.
    [[nodiscard]] at::Tensor forward(const at::Tensor& x, DropoutStream* dropout, bool half) const;

    [[nodiscard]] NamedTensors trainable() const;
    void to(const at::Device& device);

private:
    template <class Visitor>
    void visit(Visitor&& visitor);
    [[nodiscard]] at::Tensor attend(const at::Tensor& x, DropoutStream* dropout, bool half) const;

    EncoderLayerShape shape_;
    std::string prefix_;
    at::Tensor in_proj_, out_proj_, norm1_weight_, norm1_bias_;
    at::Tensor weight1_, bias1_, weight2_, bias2_, norm2_weight_, norm2_bias_;
};

}  // namespace casp::model
