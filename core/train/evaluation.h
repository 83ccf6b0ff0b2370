#pragma once
// Errors and anchor usage of a model over the windows of a split.

#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "config/config.h"
#include "data/windows.h"
#include "model/forecaster.h"
#include "store/run_record.h"
#include "train/process_group.h"
#include "train/stop.h"
#include "util/phrase.h"
#include "util/progress.h"

namespace casp::train {

/// Metrics of the evaluated windows: exact means over all windows × steps × target channels, accumulated in
/// float64. Scaled units; original ones for collections of series.
/// Of sMAPE: 200·|f − y|/(|f| + |y|), 0 where both are 0; NaN in scaled units, where it has no meaning.
struct Evaluation : store::SplitMetrics {
    std::vector<std::int64_t> usage;  ///< [V'] retrievals of target channels per anchor; empty without

    /// What early stopping minimises on the validation split: the MSE; of a collection sMAPE, since series of
    /// large values would decide about the MSE.
    [[nodiscard]] double criterion() const { return std::isnan(smape) ? mse : smape; }
};

/// One evaluated batch: the T target channels of consecutive windows in file order, on the CPU.
struct EvaluatedBatch {
    std::int64_t first = 0;  ///< window number
    at::Tensor prediction;   ///< [n, H, T]; fp32, or float64 for a collection
    at::Tensor target;       ///< [n, H, T] likewise
    at::Tensor mse, mae;     ///< [n, T]
    at::Tensor retrieved;    ///< [n, T, K] int32; undefined without anchors
    std::optional<model::Trace> trace;
};

struct EvaluationOptions {
    std::int64_t rows_per_batch = 448;  ///< rows (windows × channels) computed at once
    /// Numbers of the batches to evaluate, ascending; empty: all. Means are then over their windows.
    std::vector<std::int64_t> batches = {};
    bool trace = false;
    /// Changes the look-backs [B, L, M] that the model reads, of the windows from `first` on; empty: nothing.
    std::function<at::Tensor(const at::Tensor& lookback, std::int64_t first)> change = {};
    std::function<void(const EvaluatedBatch&)> sink;  ///< receives each batch; may be empty
    ProgressFn progress;                              ///< in windows
    /// Processes that evaluate together: each some of the batches, all with the same result; null: this one.
    /// The sink receives the batches evaluated here.
    ProcessGroup* group = nullptr;
};

/// Windows of a batch.
[[nodiscard]] std::int64_t windows_per_batch(const EvaluationOptions& options, std::int64_t channels);

/// Rows computed at once: as many as a training batch has, at most 512, at least one window.
[[nodiscard]] std::int64_t evaluation_rows(const config::Config& config, std::int64_t channels);

/// What to do if memory runs out in an evaluation of evaluation_rows().
[[nodiscard]] Phrase evaluation_memory_advice(const config::Config& config, std::int64_t channels);

/// Evaluates all windows of the set (or those of `batches`) with all channels, in file order; anchors are
/// computed once.
/// Pauses between two batches while `stop` is paused. On a GPU at most two batches are in progress, so that a
/// stop ends soon. Throws Cancelled on a stop request, in all processes of
/// a group. Does not change the model.
[[nodiscard]] Evaluation evaluate(model::Forecaster& model, const data::WindowSet& windows,
                                  const EvaluationOptions& options, const StopControl& stop);

}  // namespace casp::train
