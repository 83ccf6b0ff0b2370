#pragma once
// From hidden states to the forecast.

#include <cstdint>

#include <ATen/core/Tensor.h>

namespace casp::model {

/// One shared Linear over `ways` contiguous parts of the flattened hidden states, summed:
/// Σ_w (W h_w + b) = W (Σ_w h_w) + ways·b, which costs one product instead of `ways`.
///
/// With ways = 3 these are the three token thirds of S2IP-LLM (the cut may fall inside a token; the outputs
/// at the prompt positions are included); ways = 1 is the plain flatten head of the paper's ablation.
class ForecastHead {
public:
    /// tokens·width must be divisible by ways.
    ForecastHead(std::int64_t tokens, std::int64_t width, std::int64_t horizon, std::int64_t ways,
                 std::uint64_t seed);

    /// hidden [N, T, d] -> forecast [N, H], in normalised units.
    [[nodiscard]] at::Tensor forward(const at::Tensor& hidden) const;

    at::Tensor weight;  ///< [H, T·d / ways]
    at::Tensor bias;    ///< [H]

private:
    std::int64_t ways_;
};

}  // namespace casp::model
