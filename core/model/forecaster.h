#pragma once
// The interface of every forecasting model, as the trainer, the run file and the views see it.

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>

#include "model/batch_share.h"
#include "model/parameters.h"
#include "util/tf32.h"

namespace casp::data {
class WindowSet;
}  // namespace casp::data

namespace casp::model {

struct Hosting;

// Optional interface of models that compute in a process of their own.

/// A model whose weights and optimiser are in another process, through Forecaster::own_process(). Order of
/// the windows, rates, seeds, early stopping and checkpoints are decided here, as for every model; windows
/// are on the CPU. Each function throws an Error with the place in the user's file, and Cancelled, after
/// which the process has ended. Thread: the model's.
class OwnProcess {
public:
    virtual ~OwnProcess() = default;

    /// Starts the process and makes the model there. Call before everything else, once; later it only
    /// replaces `hosting`. Throws an input Error where the file does not give a model.
    virtual void start(Hosting hosting) = 0;
    /// Whether the process has ended, so that the weights are lost.
    [[nodiscard]] virtual bool has_ended() const = 0;

    enum class Training { none, steps, one_fit };
    [[nodiscard]] virtual Training training() const = 0;

    struct Losses {
        double forecast = 0, total = 0;
    };
    /// A step on these items of the set ([n] int64), with the losses before it. `seed`: of the step's random
    /// numbers. One set for all steps.
    virtual Losses step(const data::WindowSet& windows, const at::Tensor& items, double learning_rate,
                        double beta1, std::uint64_t seed) = 0;
    /// The one fit, to all windows of the set.
    virtual void fit(const data::WindowSet& windows, std::uint64_t seed) = 0;

    /// Weights to a .safetensors file, and bytes that only the model understands to a file beside it, of the
    /// same name with the ending .state. Returns the SHA-256 of the former, which has that of the latter.
    virtual std::string write_weights(const std::filesystem::path& file,
                                      const std::map<std::string, std::string>& metadata) = 0;
    virtual void read_weights(const std::filesystem::path& file) = 0;
    /// The optimiser's state to a .safetensors file; its SHA-256.
    virtual std::string write_optimizer(const std::filesystem::path& file) = 0;
    virtual void read_optimizer(const std::filesystem::path& file) = 0;

    /// What is known since start().
    struct Info {
        std::int64_t parameters_trainable = 0, parameters_total = 0;
        bool embeds = false;      ///< whether it has a function for embeddings
        std::string device;       ///< on which it computes: "cpu", "cuda:0"
        std::string hardware;     ///< the GPU's name; empty: the processor
        std::string description;  ///< JSON: file, digests, versions of Python and its packages
    };
    [[nodiscard]] virtual const Info& info() const = 0;
    /// Highest use of memory so far, in bytes: of the GPU if it computes there, else of the process.
    [[nodiscard]] virtual std::int64_t peak_memory() const = 0;
    /// Writes the model's file and the description into a run's folder (model.py, python.json).
    virtual void describe_in(const std::filesystem::path& folder) const = 0;
};

// Optional interface of models whose parameters follow from the training windows in closed form.

/// A model that is fitted in one pass over the training windows instead of in epochs, through
/// Forecaster::closed_form(). Thread: the model's.
class ClosedForm {
public:
    virtual ~ClosedForm() = default;

    /// Forgets all added windows.
    virtual void begin_fit() = 0;
    /// Adds windows: lookback [n, L, M], target [n, H, M], fp32 on the model's device.
    virtual void add(const at::Tensor& lookback, const at::Tensor& target) = 0;
    /// The configured penalty, or those to choose from by validation MSE, ascending; after the last add().
    [[nodiscard]] virtual std::vector<double> penalties() const = 0;
    /// Sets the parameters to the solution with this penalty. False: there is none that is finite in float64;
    /// the parameters are unchanged.
    [[nodiscard]] virtual bool solve(double penalty) = 0;
};

// Optional interface of models with an anchor pool.

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

/// One term of the training objective besides the forecast loss.
struct LossTerm {
    std::string name;   ///< "similarity", "coverage", …: the name in run.h5
    at::Tensor value;   ///< scalar fp32, before weighting
    double weight = 0;  ///< λ of the term; a term of weight 0 is logged and carries no gradient
};

/// Detached results of a forward pass. Row b·M + m: channel m of window b; N = B·M rows. V' anchors in the
/// pool, K of them retrieved as prefix; N_p patches per row; d: embedding width.
struct Trace {
    at::Tensor similarity;  ///< s, [N, V']; undefined for a model without anchors
    at::Tensor query;    ///< time-series embedding: mean of the patch embeddings, [N, d]; undefined without
                         ///< embeddings, as all that follows
    at::Tensor prompt;   ///< prompt embedding: mean of the K + N_p input tokens, [N, d]; undefined likewise
    at::Tensor patches;  ///< patch embeddings e, whose mean is the query, [N, N_p, d]
    at::Tensor prefix;   ///< the anchors of the prefix, [N, K, d]; undefined likewise
};

/// Of a model without anchors: patch embeddings [N, N_p, d].
[[nodiscard]] inline Trace trace_of_patches(const at::Tensor& embedding) {
    return {{}, embedding.detach().mean(1), {}, embedding.detach(), {}};
}

struct Forecast {
    at::Tensor prediction;        ///< [B, H, M], units of the input
    double forecast_weight = 1;   ///< of the forecast loss; 0: a term of the model takes its place
    std::vector<LossTerm> terms;  ///< training only
    at::Tensor retrieved;         ///< anchors of the prefix, in its order, [N, K] int64; undefined: none
    at::Tensor key_cosine;    ///< mean pairwise cosine of the prefix's keys per row, [N]; evaluation, K > 1
    at::Tensor active_pairs;  ///< (row, anchor) pairs with active coverage gate, scalar; mean over the
                              ///< queries of a row; training only, undefined without the coverage loss
    std::optional<Trace> trace;  ///< on request, from models with embeddings or anchors
};

/// Input of a forward pass; a look-back alone converts to it.
struct ModelInput {
    // NOLINTNEXTLINE(google-explicit-constructor): most models read no time features
    ModelInput(at::Tensor window, at::Tensor features = {})
        : lookback(std::move(window)), time(std::move(features)) {}

    at::Tensor lookback;  ///< [B, L, M] fp32 on the model's device
    at::Tensor time;  ///< time features of look-back and horizon (data/time_features.h), [B, L + H, 4] fp32;
                      ///< undefined for models that read none, and without dates
};

/// Input of a training step in addition to the batch; absent in evaluation.
struct TrainingStep {
    std::uint64_t dropout_seed = 0;
    std::int64_t step = 0;              ///< counted from 0 over the whole run
    at::Tensor target = {};             ///< [B, H, T], for models with loss terms of the forecast
    at::Tensor mask = {};               ///< [B, H, T], 1 where the target is observed; undefined: everywhere
    const BatchShare* share = nullptr;  ///< the windows' place in a batch of several processes; null: all
    at::Tensor targets = {};            ///< channels of `target`, [T] int64; undefined: all, T = M
    const unsigned long long* dropout_state = nullptr;  ///< of a recorded step (DropoutKey); null: by `step`
};

/// A model that forecasts windows of a multivariate series.
///
/// Thread: one thread at a time; instances share nothing, so two of them never affect each other.
class Forecaster {
public:
    virtual ~Forecaster() = default;

    /// With `step`: training mode (dropout, loss terms,
    /// statistics are updated). Without: evaluation; nothing in the model changes.
    [[nodiscard]] virtual Forecast forward(const ModelInput& input, const TrainingStep* step, bool trace) = 0;

    /// Whether training steps differ only in their windows and in dropout, and neither read from the device
    /// nor copy to it, so that one can be recorded and started for others (train/graphed_step.h).
    [[nodiscard]] virtual bool repeats_steps() const { return true; }

    /// Retrieved anchors and trace in evaluation mode, bit-identical to forward()'s. `prediction` may be
    /// undefined, to save the cost of the backbone and the forecast head.
    [[nodiscard]] virtual Forecast look(const ModelInput& input) { return forward(input, nullptr, true); }

    /// From now on forward() and look() throw Cancelled soon after a stop request. By default, cancellation
    /// is ignored.
    virtual void cancel_on(const std::stop_token& /*stop*/) {}

    /// Enclose an evaluation: in between, what depends only on the weights (the anchors) may be cached
    /// instead of recomputed per batch. The weights must not change.
    virtual void begin_evaluation() {}
    virtual void end_evaluation() {}

    /// Trainable tensors, frozen tensors, and state that is neither (c̃), by checkpoint name. The tensors are
    /// the model's own: writing into them changes the model.
    [[nodiscard]] virtual NamedTensors trainable() const = 0;
    [[nodiscard]] virtual NamedTensors frozen() const { return {}; }
    [[nodiscard]] virtual NamedTensors state() const { return {}; }
    /// Further names of tensors of trainable(), where layers share them: checkpoints hold them under each
    /// name.
    [[nodiscard]] virtual NamedTensors aliases() const { return {}; }
    /// Learning rate of a trainable tensor that neither train.learning_rate nor its schedule decides; none:
    /// they do.
    [[nodiscard]] virtual std::optional<double> constant_rate(const std::string& /*name*/) const {
        return {};
    }
    /// Call after writing to these tensors from outside: drops cached copies and held anchors.
    virtual void weights_replaced() {}

    /// Moves all tensors to `device`. Call before creating the optimiser.
    virtual void to(const at::Device& device) = 0;

    /// Whether products of fp32 tensors on a GPU are in TF32 (`run.precision`): for the Tf32Scope around its
    /// calls and the backward pass. Default: no.
    void use_tf32(bool on) { uses_tf32_ = on; }
    [[nodiscard]] bool uses_tf32() const { return uses_tf32_; }

    /// d of a trace; 0: the model has no embeddings.
    [[nodiscard]] virtual std::int64_t embedding_width() const { return 0; }

    /// The model's fit in closed form, which replaces training in epochs; null: trained in epochs.
    [[nodiscard]] virtual ClosedForm* closed_form() { return nullptr; }

    /// The process in which the model computes, which then has no tensors here; null: this one.
    [[nodiscard]] virtual OwnProcess* own_process() { return nullptr; }
    [[nodiscard]] const OwnProcess* own_process() const {
        return const_cast<Forecaster*>(this)->own_process();
    }

    /// The model's anchors; null for a model without.
    [[nodiscard]] virtual AnchorModel* anchors() { return nullptr; }
    [[nodiscard]] const AnchorModel* anchors() const { return const_cast<Forecaster*>(this)->anchors(); }

private:
    bool uses_tf32_ = false;
};

/// The tensors that training may change or the model drew, under all of their names in checkpoints.
[[nodiscard]] inline NamedTensors stored_tensors(const Forecaster& model) {
    auto tensors = model.trainable();
    for (const auto& more : {model.aliases(), model.state()})
        tensors.insert(tensors.end(), more.begin(), more.end());
    return tensors;
}

/// Whether the model is trained in steps, in epochs.
[[nodiscard]] inline bool trains_in_steps(Forecaster& model) {
    if (auto* process = model.own_process()) return process->training() == OwnProcess::Training::steps;
    return !model.trainable().empty() && model.closed_form() == nullptr;
}

/// V' of a model; 0 without anchors.
[[nodiscard]] inline std::int64_t pool_size(const Forecaster& model) {
    return model.anchors() != nullptr ? model.anchors()->pool_size() : 0;
}
/// K of a model; 0 without anchors.
[[nodiscard]] inline std::int64_t top_k(const Forecaster& model) {
    return model.anchors() != nullptr ? model.anchors()->top_k() : 0;
}

// Evaluation mode of a model for the duration of a scope.

/// Between begin_evaluation(), on the model's device, and end_evaluation(), which comes on every way out. One
/// at a time for a model; its thread.
class EvaluationMode {
public:
    EvaluationMode(Forecaster& model, const c10::Device& device) : model_(model) {
        const Tf32Scope products(device, model.uses_tf32());
        model_.begin_evaluation();
    }
    ~EvaluationMode() { model_.end_evaluation(); }
    EvaluationMode(const EvaluationMode&) = delete;
    EvaluationMode& operator=(const EvaluationMode&) = delete;

private:
    Forecaster& model_;
};

}  // namespace casp::model
