#pragma once
// Events reported during a run.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "store/embeddings.h"
#include "store/results.h"
#include "store/run_record.h"
#include "util/phrase.h"
#include "util/progress.h"

namespace casp::train {

// Occasions on which a run may be probed for live views.

/// `snapshot` includes the start; at the `end` views need a probe whatever it costs.
enum class ProbeTime { between, snapshot, end };

/// Reported once, before the first step.
struct RunStarted {
    std::filesystem::path folder;
    std::string data;
    std::string backbone;  ///< "openai-gpt2-small", "unknown-checkpoint", "untrained"
    std::string device;    ///< "cpu", "cuda:0"
    std::string hardware;
    std::int64_t parameters_total = 0;
    std::int64_t parameters_trainable = 0;
    std::int64_t train_windows = 0, val_windows = 0, test_windows = 0;
    bool collection = false;  ///< of series, one window each
    std::int64_t channels = 0;
    bool single_channel = false;
    std::int64_t steps_per_epoch = 0;
    std::int64_t first_step = 0;         ///< > 0: resumed or forked
    std::int64_t parent_steps = 0;       ///< of a fork: steps made by its parent
    std::int64_t epoch = 1;              ///< epoch of the next step
    std::int64_t last_step = 0;          ///< last permitted step; early stopping may end the run earlier
    std::int64_t epochs = 0;             ///< number of the last permitted epoch
    std::string precision;               ///< "fp32", "tf32", "bf16"
    std::int64_t estimated_bytes = 0;    ///< peak memory of a training step
    double estimated_epoch_seconds = 0;  ///< from a measurement of this machine's matrix products
};

/// After each step on the CPU, once per logging interval on a GPU.
struct StepReport : store::StepEntry {
    std::int64_t position = 0;  ///< steps done in this epoch
    std::int64_t steps_per_epoch = 0;
    std::int64_t last_step = 0;     ///< as in RunStarted
    double epoch_seconds_left = 0;  ///< of this epoch's training
    /// Until the end of the last permitted epoch; early stopping may end the run earlier.
    double seconds_left = 0;
    std::int64_t memory_bytes = 0;  ///< resident set, or device memory in use
    std::string loss = "MSE";       ///< what `forecast` is, for people
};

struct EpochReport : store::EpochEntry {
    std::int64_t epochs = 0;  ///< maximum number of epochs
    bool best = false;
    std::int64_t waited = 0;  ///< epochs without improvement
    std::int64_t patience = 0;
    std::string loss = "MSE";  ///< what `train_forecast` is, for people
};

using store::AnchorSnapshot;

/// Embeddings of all channels, their PCA with three components, and forecasts for a fixed set of evenly
/// spaced validation windows. Computed for live views, at snapshots and between them. Immutable, on the host.
/// 4 to 32 windows, about 128 rows; fewer for very many channels or few windows.
///
/// A probe with vectors takes some MB: keep those of the latest only (drop_vectors()).
struct Probe : store::Embeddings {
    std::int64_t lookback_length = 0, horizon = 0;  ///< L, H
    std::vector<float> lookback;                    ///< [n, L, M]
    std::vector<float> truth;                       ///< [n, H, M]
    std::vector<float> prediction;                  ///< [n, H, M]
    /// Anchor usage since the last snapshot, not stored; null if nothing was retrieved since.
    std::shared_ptr<const AnchorSnapshot> since_snapshot;
};

enum class MessageLevel { info, warning };

/// Receives the events of one run. All functions are called on the run's thread, must be fast and must not
/// throw.
class TrainObserver {
public:
    virtual ~TrainObserver() = default;
    virtual void on_message(MessageLevel, const Phrase&) {}
    virtual void on_progress(const Progress&) {}
    virtual void on_started(const RunStarted&) {}
    virtual void on_step(const StepReport&) {}
    virtual void on_epoch(const EpochReport&) {}
    virtual void on_snapshot(const std::shared_ptr<const AnchorSnapshot>&) {}
    /// Whether to compute probes. Called before the first step, at each snapshot and in between (every 10 s,
    /// later less often). Probes do not affect the run; those that would take more than a tenth of the time
    /// are skipped.
    [[nodiscard]] virtual bool wants_probes() const { return false; }
    virtual void on_probe(const std::shared_ptr<const Probe>&) {}
    virtual void on_checkpoint(std::int64_t /*step*/) {}
    virtual void on_finished(const store::ResultRow&) {}
};

}  // namespace casp::train
