#pragma once
// Parameters, memory and operations of a transformer encoder (transformer_encoder.h). Free of LibTorch.

#include <cstdint>

namespace casp::model {

struct EncoderCost {
    std::int64_t parameters = 0;
    std::int64_t kept_floats = 0;        ///< per token, for the backward pass
    std::int64_t temporary_floats = 0;   ///< per token, while a layer is computed forward and backward
    std::int64_t evaluation_floats = 0;  ///< per token, without a backward pass
    double forward_flop = 0;             ///< per token
    double backward_flop = 0;            ///< per token
};

/// `tokens`: that attend to each other. With `masks`, dropout keeps byte masks.
[[nodiscard]] inline EncoderCost encoder_cost(std::int64_t layers, std::int64_t width, std::int64_t inner,
                                              std::int64_t tokens, bool masks) {
    EncoderCost cost;
    cost.parameters = layers * (4 * (width * width + width) + 2 * width * inner + inner + width + 4 * width);
    // Inputs of the projections and of both norms, Q, K, V, the attended values; the input of GELU. Attention
    // and feed-forward network compute the rest again.
    cost.kept_floats = layers * (9 * width + inner + (masks ? (2 * width + inner) / 4 : 0));
    cost.temporary_floats = 10 * width;
    cost.evaluation_floats = 6 * width;
    const auto d = static_cast<double>(width);
    const auto products = 8 * d * d + 4 * d * static_cast<double>(inner);
    const auto attention = 4 * d * static_cast<double>(tokens);
    cost.forward_flop = static_cast<double>(layers) * (products + attention);
    cost.backward_flop = static_cast<double>(layers) * (2 * products + 3 * attention);
    return cost;
}

}  // namespace casp::model
