#pragma once
// Instance normalisation of each window and channel (RevIN), and its inverse.

#include <ATen/core/Tensor.h>

namespace casp::model {

/// Mean and deviation removed by normalise() and restored by denormalise().
struct InstanceStatistics {
    at::Tensor mean;       ///< [B, 1, M], no gradient
    at::Tensor deviation;  ///< [B, 1, M], sqrt(population variance + 1e-5), no gradient
};

/// (x - mean) / deviation over the lookback, per window and channel; optionally times weight plus bias.
///
/// The paper's RevIN as S2IP-LLM implements it: epsilon 1e-5 inside the root, population variance, statistics
/// detached. `weight` and `bias` ([M], the option model.instance_norm_affine) are trainable where given.
class InstanceNorm {
public:
    InstanceNorm() = default;
    /// Affine form with the given parameters, both [M].
    InstanceNorm(at::Tensor weight, at::Tensor bias) : weight_(std::move(weight)), bias_(std::move(bias)) {}

    /// x [B, L, M] fp32 -> the same shape; fills `statistics`. `rounded_once`: they are rounded from
    /// float64, so that their last bits do not depend on the processor.
    [[nodiscard]] at::Tensor normalise(const at::Tensor& x, InstanceStatistics& statistics,
                                       bool rounded_once = false) const;
    /// y [B, H, M] in normalised units -> units of the input.
    [[nodiscard]] at::Tensor denormalise(const at::Tensor& y, const InstanceStatistics& statistics) const;

    /// The same with a row for each window and channel: [B·M, L] and [B·M, H].
    [[nodiscard]] at::Tensor normalised_rows(const at::Tensor& x, InstanceStatistics& statistics,
                                             bool rounded_once = false) const;
    [[nodiscard]] at::Tensor denormalised_rows(const at::Tensor& rows,
                                               const InstanceStatistics& statistics) const;

    [[nodiscard]] bool affine() const { return weight_.defined(); }

private:
    at::Tensor weight_;
    at::Tensor bias_;
};

}  // namespace casp::model
