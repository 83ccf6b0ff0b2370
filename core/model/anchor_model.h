#pragma once
// Optional interface of models with an anchor pool.

#include <cstdint>

#include <ATen/core/Tensor.h>

#include "model/parameters.h"

namespace casp::model {

/// The anchors of a model, through Forecaster::anchors(). V' anchors of width d, of which K are retrieved per
/// row. Thread: the model's.
class AnchorModel {
public:
    virtual ~AnchorModel() = default;

    [[nodiscard]] virtual std::int64_t pool_size() const = 0;  ///< V'
    [[nodiscard]] virtual std::int64_t top_k() const = 0;      ///< K
    /// The anchors with the present weights, [V', d] fp32 without gradient.
    [[nodiscard]] virtual at::Tensor anchor_values() const = 0;
    /// c̃, [V'] fp32; undefined where coverage is off.
    [[nodiscard]] virtual at::Tensor coverage_statistic() const { return {}; }
    /// The trainable tensors on which embeddings depend beside the anchors, named as in
    /// Forecaster::trainable().
    [[nodiscard]] virtual NamedTensors embedding_weights() const = 0;
    /// Uses these anchors [V', d] fp32, on the model's device, instead of computing them, until
    /// Forecaster::weights_replaced(). Throws std::invalid_argument for another shape.
    virtual void hold_anchors(const at::Tensor& values) = 0;
};

}  // namespace casp::model
