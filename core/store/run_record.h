#pragma once
// Structs for the content of run.h5 and arrays.h5 (docs/run-file.md).
//
// Arrays are row-major in one vector; comments state their shapes. Data values are scaled (in standard
// deviations of the training split) unless stated otherwise.

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/embeddings.h"
#include "store/run_state.h"

namespace casp::store {

/// Attributes of run.h5's root.
struct RunAttributes {
    std::int64_t format_version = 1;
    std::string config;  ///< resolved configuration (TOML)
    RunState state = RunState::queued;
    std::string backbone;        ///< "openai-gpt2-small", "unknown-checkpoint" or "untrained"
    std::string dataset_sha256;  ///< of the CSV file's content
    /// Its name in the catalogue, as the run recognised it; empty: none. Nothing: written by an earlier
    /// version.
    std::optional<std::string> dataset;
    std::int64_t parameters_total = 0;
    std::int64_t parameters_trainable = 0;
    std::int64_t best_step = -1;  ///< -1: none yet
    std::string parent;           ///< run folder of the run this one was forked from; empty: not a fork
    std::string version;          ///< of the program
    std::string libtorch;
    std::string hardware;
    std::string device;
    std::string precision;
    std::int64_t threads = 0;
    std::string created;  ///< ISO 8601 UTC, "2026-01-31T12:00:00Z"
    /// Whether the run ever wrote a checkpoint. A run without a checkpoint file was interrupted before its
    /// first one if false, and has lost it if true. Nothing: written by a version that did not record this.
    std::optional<bool> checkpointed;
    /// Earlier devices of a run that was resumed on another one, as text with the last step on each; empty:
    /// none.
    std::string former_devices;
    std::string best_sha256;   ///< of best.safetensors; empty: not finished, or written by an earlier version
    std::string source;        ///< of imported forecasts: their path; empty: none were imported
    std::string audit_sha256;  ///< of audit.json; empty likewise
};

/// One loss term of one step.
struct LossValue {
    std::string name;  ///< "similarity", "coverage", …
    double value = 0;  ///< before weighting
};

/// One loss term over the steps of a run.
struct LossCurve {
    std::string name;
    std::vector<double> values;  ///< as long as StepHistory::step
};

/// One training step.
struct StepEntry {
    std::int64_t step = 0;   ///< steps done, from 1
    std::int64_t epoch = 0;  ///< from 1
    double learning_rate = 0;
    double forecast = 0;           ///< forecast loss
    std::vector<LossValue> terms;  ///< the model's further loss terms, before weighting
    double total = 0;              ///< weighted sum of the forecast loss and all terms
    double gate_share = 0;         ///< fraction of (row, anchor) pairs on which the coverage gate is active
    double seconds = 0;            ///< wall time; on a GPU the mean over the logging interval
};

/// `/history/step`: the entries by column; all vectors have equal length.
struct StepHistory {
    std::vector<std::int64_t> step, epoch;
    std::vector<double> learning_rate, forecast, total, gate_share, seconds;
    std::deque<LossCurve> terms;

    /// Values of a term; added, without values, if it is not there.
    [[nodiscard]] std::vector<double>& term(std::string_view name);
    /// Values of a term; null if the run has none of that name.
    [[nodiscard]] const std::vector<double>* find_term(std::string_view name) const;
    /// Appends a step. A term that it does not have is zero.
    void append(const StepEntry& entry);
    /// Appends what `longer`, which begins with this history, has beyond it.
    void catch_up(const StepHistory& longer);
    /// Removes entries of steps after `last`, when resuming from a checkpoint.
    void cut_after(std::int64_t last);
};

/// Gradient norms of one step.
struct GradientEntry {
    std::int64_t step = 0;  ///< as StepEntry's
    std::vector<LossValue>
        norms;  ///< Euclidean, over all trainable parameters, of each weighted loss term; "forecast" first
};

/// `/history/gradient`, where run.gradient_steps asks for it.
struct GradientHistory {
    std::vector<std::int64_t> step;
    std::deque<LossCurve> norms;  ///< each as long as `step`

    void append(const GradientEntry& entry);
    void catch_up(const GradientHistory& longer);  ///< as StepHistory's
    void cut_after(std::int64_t last);
};

/// One finished epoch.
struct EpochEntry {
    std::int64_t epoch = 0;     ///< from 1
    double train_forecast = 0;  ///< mean forecast loss over the epoch's windows
    double val_mse = 0, val_mae = 0;
    double val_smape = not_known;  ///< collections of series only; percent
    double learning_rate = 0;      ///< of its last step
    double seconds = 0;
};

/// `/history/epoch`: the entries by column.
struct EpochHistory {
    std::vector<std::int64_t> epoch;
    std::vector<double> train_forecast, val_mse, val_mae, learning_rate, seconds;
    std::vector<double> val_smape;  ///< collections of series only, else empty

    void append(const EpochEntry& entry);
    void catch_up(const EpochHistory& longer);  ///< as StepHistory's
    /// Removes entries of epochs after `last`.
    void cut_after(std::int64_t last);
};

/// A column of a history: its name in run.h5, where it is kept, and one entry's value.
template <class History, class Entry>
struct HistoryColumn {
    const char* name;
    std::vector<double> History::*values;
    double Entry::*value;
};

inline constexpr std::array<HistoryColumn<StepHistory, StepEntry>, 5> step_columns{
    {{"learning_rate", &StepHistory::learning_rate, &StepEntry::learning_rate},
     {"forecast", &StepHistory::forecast, &StepEntry::forecast},
     {"total", &StepHistory::total, &StepEntry::total},
     {"gate_share", &StepHistory::gate_share, &StepEntry::gate_share},
     {"seconds", &StepHistory::seconds, &StepEntry::seconds}}};
inline constexpr std::array<HistoryColumn<EpochHistory, EpochEntry>, 5> epoch_columns{
    {{"train_forecast", &EpochHistory::train_forecast, &EpochEntry::train_forecast},
     {"val_mse", &EpochHistory::val_mse, &EpochEntry::val_mse},
     {"val_mae", &EpochHistory::val_mae, &EpochEntry::val_mae},
     {"learning_rate", &EpochHistory::learning_rate, &EpochEntry::learning_rate},
     {"seconds", &EpochHistory::seconds, &EpochEntry::seconds}}};

/// Anchor usage at a step. Immutable, on the host.
struct AnchorSnapshot {
    std::int64_t step = 0;
    std::vector<std::int64_t> usage;        ///< [V'] retrievals since the previous snapshot
    std::vector<float> coverage_statistic;  ///< [V'] c̃; empty where coverage is off
};

/// `/anchors`.
struct AnchorHistory {
    std::int64_t pool_size = 0;               ///< V'
    std::vector<std::int64_t> snapshot_step;  ///< [snapshots]
    std::vector<std::int64_t> usage_train;    ///< [snapshots, V'] selections since the previous snapshot
    std::vector<float> coverage_statistic;    ///< [snapshots, V'] c̃; empty without coverage
    std::vector<std::int64_t> usage_test;     ///< [V'] at the best checkpoint; empty: not evaluated
    /// The last entry is not a stored snapshot but the current counts of a running run. In memory only, never
    /// in a file.
    bool last_is_live = false;

    void append(const AnchorSnapshot& snapshot);
    void catch_up(const AnchorHistory& longer);  ///< as StepHistory's
    /// Removes snapshots taken after step `last`.
    void cut_after(std::int64_t last);
};

/// `/metrics/val` and `/metrics/test`, at the best checkpoint. NaN and empty: not available.
struct SplitMetrics {
    double mse = not_known;
    double mae = not_known;
    double usage_entropy = not_known;  ///< natural logarithm
    double distinct_anchors = not_known;
    double key_cosine = not_known;      ///< NaN for K = 1
    double last_value_mse = not_known;  ///< persistence forecast
    double last_value_mae = not_known;
    double smape = not_known;  ///< collections of series only, as all that follows: percent
    double mase = not_known;
    double owa = not_known;           ///< against Naive2
    double naive2_smape = not_known;  ///< of Naive2's forecasts of the same series
    double naive2_mase = not_known;
    double shuffled_mse = not_known;      ///< of damaged look-backs (run.lookback_checks): rows shuffled,
    double masked_mse = not_known;        ///< half of them masked,
    double exchanged_mse = not_known;     ///< halves exchanged
    double union_key_cosine = not_known;  ///< over all keys that any window retrieves; NaN for fewer than two
    std::vector<double> mse_per_channel;  ///< [M]
    std::vector<double> mae_per_channel;  ///< [M]
    std::vector<double> mse_per_step;     ///< [H]
    std::vector<double> mae_per_step;     ///< [H]
};

/// A number of SplitMetrics and its data set in `/metrics/<split>`.
struct SplitMetric {
    const char* name;
    double SplitMetrics::*value;
    bool of_series = false;      ///< collections of series only
    bool needs_weights = false;  ///< does not follow from the stored forecasts
    bool on_request = false;     ///< in run.h5 only where it is known
};
inline constexpr std::array split_metrics{
    SplitMetric{"mse", &SplitMetrics::mse},
    SplitMetric{"mae", &SplitMetrics::mae},
    SplitMetric{"usage_entropy", &SplitMetrics::usage_entropy},
    SplitMetric{"distinct_anchors", &SplitMetrics::distinct_anchors},
    SplitMetric{"key_cosine", &SplitMetrics::key_cosine, false, true},
    SplitMetric{"last_value_mse", &SplitMetrics::last_value_mse},
    SplitMetric{"last_value_mae", &SplitMetrics::last_value_mae},
    SplitMetric{"smape", &SplitMetrics::smape, true},
    SplitMetric{"mase", &SplitMetrics::mase, true},
    SplitMetric{"owa", &SplitMetrics::owa, true},
    SplitMetric{"naive2_smape", &SplitMetrics::naive2_smape, true},
    SplitMetric{"naive2_mase", &SplitMetrics::naive2_mase, true},
    SplitMetric{"shuffled_mse", &SplitMetrics::shuffled_mse, false, true, true},
    SplitMetric{"masked_mse", &SplitMetrics::masked_mse, false, true, true},
    SplitMetric{"exchanged_mse", &SplitMetrics::exchanged_mse, false, true, true},
    SplitMetric{"union_key_cosine", &SplitMetrics::union_key_cosine, false, true, true}};

/// A metric by channel or by step of the horizon.
struct SplitProfile {
    const char* name;
    std::vector<double> SplitMetrics::*values;
    double SplitMetrics::*mean;
};
inline constexpr std::array split_profiles{
    SplitProfile{"mse_per_channel", &SplitMetrics::mse_per_channel, &SplitMetrics::mse},
    SplitProfile{"mae_per_channel", &SplitMetrics::mae_per_channel, &SplitMetrics::mae},
    SplitProfile{"mse_per_step", &SplitMetrics::mse_per_step, &SplitMetrics::mse},
    SplitProfile{"mae_per_step", &SplitMetrics::mae_per_step, &SplitMetrics::mae}};

/// `/data`: scaler in original units and time axis. M here, as in all arrays of a run, is the number of
/// channels that count: those of data.targets, or all.
struct DataSection {
    std::vector<std::string> channel_names;  ///< [M]
    std::vector<double> mean;                ///< [M]
    std::vector<double> std;                 ///< [M]
    std::vector<std::string> series;  ///< of a finished run on a collection: ids in the order of the windows
    std::vector<double> time;         ///< [rows] seconds since 1970 UTC; empty: no dates in the file
    /// All channels that the model reads, and their scaler; empty: those above.
    std::vector<std::string> input_names;
    std::vector<double> input_mean, input_std;

    [[nodiscard]] const std::vector<std::string>& inputs() const {
        return input_names.empty() ? channel_names : input_names;
    }
    [[nodiscard]] const std::vector<double>& mean_of_inputs() const {
        return input_names.empty() ? mean : input_mean;
    }
    [[nodiscard]] const std::vector<double>& std_of_inputs() const {
        return input_names.empty() ? std : input_std;
    }
};

/// Content of run.h5, without external links.
struct RunRecord {
    RunAttributes attributes;
    StepHistory steps;
    EpochHistory epochs;
    GradientHistory gradients;
    AnchorHistory anchors;
    std::optional<SplitMetrics> val;
    std::optional<SplitMetrics> test;
    DataSection data;
};

/// `/forecast/test/{smape,mase}` of a collection of series: [series] in the order of the windows.
struct SeriesScores {
    std::vector<double> smape;  ///< percent
    std::vector<double> mase;   ///< NaN for constant series
};

/// `/forecast/<split>`: windows in file order.
struct ForecastArrays {
    std::int64_t windows = 0;         ///< W
    std::int64_t horizon = 0;         ///< H
    std::int64_t channels = 0;        ///< M
    std::int64_t top_k = 0;           ///< K; 0: no selection (model.prompt = false)
    std::vector<float> prediction;    ///< [W, H, M]
    std::vector<float> truth;         ///< [W, H, M]
    std::vector<float> mse;           ///< [W, M]
    std::vector<float> mae;           ///< [W, M]
    std::vector<std::int64_t> start;  ///< [W] row of the file (without header) of the first look-back value
    std::vector<std::int32_t> retrieved;  ///< [W, M, K] in the order of the prefix
};

/// Window errors of `/forecast/<split>`, without the forecasts.
struct ForecastErrors {
    std::int64_t windows = 0;         ///< W
    std::int64_t channels = 0;        ///< M
    std::vector<float> mse, mae;      ///< [W, M]
    std::vector<std::int64_t> start;  ///< [W]
};

/// Content of arrays.h5, if it fits in memory. Keys: split ("train", "val", "test"), then "best" or a step.
struct ArraysRecord {
    std::map<std::string, ForecastArrays> forecast;
    std::map<std::string, std::map<std::string, Embeddings>> embedding;
    std::map<std::string, std::map<std::string, SimilarityArray>> similarity;
};

}  // namespace casp::store
