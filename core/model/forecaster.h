#pragma once
// What every forecasting model looks like to the trainer, the run file and the views.

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "model/parameters.h"

namespace casp::model {

/// One term of the training objective besides the forecasting loss.
struct LossTerm {
    std::string name;   ///< "similarity", "coverage", …
    at::Tensor value;   ///< scalar fp32, before weighting
    double weight = 0;  ///< λ of the term; a term of weight 0 is logged and carries no gradient
};

/// What happened inside, for views and stored arrays. N = B·M rows, row = b·M + m. All detached.
struct Trace {
    at::Tensor similarity;  ///< s, [N, V']
    at::Tensor query;       ///< time-series embedding: mean of the patch embeddings, [N, d]
    at::Tensor prompt;      ///< prompt embedding: mean of the K + N_p input tokens (B.7-34), [N, d]
    at::Tensor patches;     ///< patch embeddings e, whose mean is the query, [N, N_p, d]
    at::Tensor prefix;      ///< the chosen anchors in front of them, [N, K, d]
};

struct Forecast {
    at::Tensor prediction;        ///< [B, H, M], units of the input
    std::vector<LossTerm> terms;  ///< training only
    at::Tensor selected;    ///< chosen anchors in descending similarity, [N, K] int64; undefined: no prompt
    at::Tensor key_cosine;  ///< mean pairwise cosine of the chosen keys per row, [N]; evaluation, K > 1
    at::Tensor pressed;     ///< pairs the coverage gate presses on, scalar int64; training with coverage
    std::optional<Trace> trace;
};

/// One training step's extra input; absent in evaluation.
struct TrainingStep {
    std::uint64_t dropout_seed = 0;
    std::int64_t step = 0;  ///< counted from 0 over the whole run
};

/// A model that forecasts windows of a multivariate series.
///
/// Thread: one thread at a time; instances share nothing, so two of them never affect each other.
class Forecaster {
public:
    virtual ~Forecaster() = default;

    /// lookback [B, L, M] fp32 on the model's device. With `step`: training mode (dropout, loss terms,
    /// statistics are updated). Without: evaluation; nothing in the model changes.
    [[nodiscard]] virtual Forecast forward(const at::Tensor& lookback, const TrainingStep* step,
                                           bool trace) = 0;

    /// Selection and trace of an evaluation alone, the same bits as forward()'s: `prediction` may stay
    /// undefined where a forecast would cost more.
    [[nodiscard]] virtual Forecast look(const at::Tensor& lookback) {
        return forward(lookback, nullptr, true);
    }

    /// From now on forward() and look() throw Cancelled, soon, where `stop` asks for it. A model of which
    /// nobody asked this computes to the end.
    virtual void cancel_on(const std::stop_token& /*stop*/) {}

    /// Between the two, evaluation may keep what depends on the weights alone (the anchors) instead of
    /// computing it per batch. Weights must not change in between.
    virtual void begin_evaluation() {}
    virtual void end_evaluation() {}

    /// The learnt tensors, the frozen ones, and state that is neither (c̃), by checkpoint name. The tensors
    /// are the model's own: writing into them changes the model.
    [[nodiscard]] virtual NamedTensors trainable() const = 0;
    [[nodiscard]] virtual NamedTensors frozen() const = 0;
    [[nodiscard]] virtual NamedTensors state() const = 0;
    /// The learnt tensors on which the trace depends beside the anchors, named as in trainable(): with the
    /// anchors of the same moment they are all that embeddings need. Empty: the model has no anchors.
    [[nodiscard]] virtual NamedTensors embedding_weights() const { return {}; }
    /// To be called after values of tensors were replaced from outside.
    virtual void weights_replaced() {}
    /// Until weights_replaced(), the anchors are these [V', d] fp32, on the model's device, and are not
    /// computed. Throws std::invalid_argument for another shape, or for a model without anchors.
    virtual void hold_anchors(const at::Tensor& /*values*/) {
        throw std::invalid_argument("hold_anchors: this model has no anchors");
    }

    /// Moves all tensors; before the optimiser sees them.
    virtual void to(const at::Device& device) = 0;

    /// Anchors as they are with the present weights, [V', d] fp32 without gradient; undefined: the model has
    /// none.
    [[nodiscard]] virtual at::Tensor anchor_values() const { return {}; }
    [[nodiscard]] virtual std::int64_t embedding_width() const { return 0; }  ///< d of a trace
    [[nodiscard]] virtual std::int64_t pool_size() const { return 0; }  ///< V'; 0: the model selects nothing
    [[nodiscard]] virtual std::int64_t top_k() const { return 0; }      ///< K
};

}  // namespace casp::model
