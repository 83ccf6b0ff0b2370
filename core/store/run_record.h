#pragma once
// What a run leaves behind, as plain structs: the content of run.h5 and arrays.h5 (docs/run-file.md).
//
// Arrays are row-major in one vector; shapes are stated beside them. Data values are scaled (in the training
// split's standard deviations) unless it says otherwise.

#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/run_state.h"

namespace casp::store {

inline constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

/// Attributes of run.h5's root.
struct RunAttributes {
    std::int64_t format_version = 1;
    std::string config;  ///< the resolved TOML
    RunState state = RunState::queued;
    std::string backbone;        ///< "openai-gpt2-small", "unknown-checkpoint" or "untrained"
    std::string dataset_sha256;  ///< of the CSV file's bytes
    std::int64_t parameters_total = 0;
    std::int64_t parameters_trainable = 0;
    std::int64_t best_step = -1;  ///< -1: none yet
    std::string parent;           ///< run folder of which this one is a fork; empty: none
    std::string version;          ///< of the program
    std::string libtorch;
    std::string hardware;
    std::string device;
    std::string precision;
    std::int64_t threads = 0;
    std::string created;  ///< ISO 8601 UTC, "2026-01-31T12:00:00Z"
    /// Whether it ever had a checkpoint: a run without one that had none was cut off before its first, any
    /// other lost it. Nothing: the version that wrote the file did not note it.
    std::optional<bool> checkpointed;
    /// Where it was trained before it was continued elsewhere, in words with the last step there; empty:
    /// nowhere.
    std::string former_devices;
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

/// `/history/step`: one entry per training step; all vectors are equally long.
struct StepHistory {
    std::vector<std::int64_t> step;   ///< from 1
    std::vector<std::int64_t> epoch;  ///< from 1
    std::vector<double> learning_rate;
    std::vector<double> forecast;    ///< forecast loss
    std::deque<LossCurve> terms;     ///< the model's further loss terms, before weighting
    std::vector<double> total;       ///< weighted sum of the forecast loss and all terms
    std::vector<double> gate_share;  ///< fraction of (row, anchor) pairs on which the coverage gate is active
    std::vector<double> seconds;     ///< wall time; on a GPU that of the logging interval, divided

    /// Values of a term; added, without values, if it is not there.
    [[nodiscard]] std::vector<double>& term(std::string_view name);
    /// Values of a term; null if the run has none of that name.
    [[nodiscard]] const std::vector<double>* find_term(std::string_view name) const;
    /// Appends the terms of the step that was appended to `forecast`; zero for a term that is not given.
    void add_terms(const std::vector<LossValue>& values);
    /// Drops entries of steps after `last`: what a resume from a checkpoint does.
    void cut_after(std::int64_t last);
};

/// `/history/epoch`: one entry per finished epoch.
struct EpochHistory {
    std::vector<std::int64_t> epoch;  ///< from 1
    std::vector<double> train_forecast;
    std::vector<double> val_mse;
    std::vector<double> val_mae;
    std::vector<double> learning_rate;
    std::vector<double> seconds;

    /// Drops entries of epochs after `last`.
    void cut_after(std::int64_t last);
};

/// `/anchors`.
struct AnchorHistory {
    std::int64_t pool_size = 0;               ///< V'
    std::vector<std::int64_t> snapshot_step;  ///< [snapshots]
    std::vector<std::int64_t> usage_train;    ///< [snapshots, V'] selections since the snapshot before
    std::vector<float> coverage_statistic;    ///< [snapshots, V'] c~; empty where coverage is off
    std::vector<std::int64_t> usage_test;     ///< [V'] at the best checkpoint; empty: not evaluated
    /// The last of these is no snapshot yet: what a run that is being watched has selected since the one
    /// before. Only in memory, never in a file.
    bool last_is_live = false;

    /// Drops snapshots taken after step `last`.
    void cut_after(std::int64_t last);
};

/// `/metrics/val` and `/metrics/test`, at the best checkpoint. NaN and empty: not known.
struct SplitMetrics {
    double mse = not_known;
    double mae = not_known;
    double usage_entropy = not_known;  ///< natural logarithm
    double distinct_anchors = not_known;
    double key_cosine = not_known;      ///< NaN for K = 1
    double last_value_mse = not_known;  ///< the forecast that repeats the last value
    double last_value_mae = not_known;
    std::vector<double> mse_per_channel;  ///< [M]
    std::vector<double> mae_per_channel;  ///< [M]
    std::vector<double> mse_per_step;     ///< [H]
    std::vector<double> mae_per_step;     ///< [H]
};

/// `/data`: scaler in original units and time axis.
struct DataSection {
    std::vector<std::string> channel_names;  ///< [M]
    std::vector<double> mean;                ///< [M]
    std::vector<double> std;                 ///< [M]
    std::vector<double> time;                ///< [rows] seconds since 1970 UTC; empty: the file has no dates
};

/// Everything in run.h5 but the external links.
struct RunRecord {
    RunAttributes attributes;
    StepHistory steps;
    EpochHistory epochs;
    AnchorHistory anchors;
    std::optional<SplitMetrics> val;
    std::optional<SplitMetrics> test;
    DataSection data;
};

/// `/forecast/<split>`: windows in file order.
struct ForecastArrays {
    std::int64_t windows = 0;         ///< W
    std::int64_t horizon = 0;         ///< H
    std::int64_t channels = 0;        ///< M
    std::int64_t top_k = 0;           ///< K; 0: nothing is selected (model.prompt = false)
    std::vector<float> prediction;    ///< [W, H, M]
    std::vector<float> truth;         ///< [W, H, M]
    std::vector<float> mse;           ///< [W, M]
    std::vector<float> mae;           ///< [W, M]
    std::vector<std::int64_t> start;  ///< [W] row in the file of the first lookback value, header not counted
    std::vector<std::int32_t> selected;  ///< [W, M, K] in descending similarity
};

/// `/embedding/<split>/<best or step>/<pca or tsne>`: anchors (kind 0), series (1) and prompts (2) together.
struct EmbeddingLayout {
    std::int64_t components = 2;         ///< 2 or 3
    std::vector<float> points;           ///< [rows, components]
    std::vector<std::int32_t> kind;      ///< [rows]
    std::vector<std::int32_t> row;       ///< [rows] row within anchors, series or prompt
    std::vector<double> variance_ratio;  ///< [3 kinds, components]; of a PCA only
    double kl = not_known;               ///< the rest: of a t-SNE only
    double perplexity = not_known;
    std::int64_t iterations = 0;
    std::int64_t seed = 0;
    /// A layout of several runs together: how many runs, and how many points in all of them. `kl` is then of
    /// all those points, of which only this run's are here.
    std::int64_t common_runs = 1;
    std::int64_t common_points = 0;
    /// Which rows of the split are meant, where it is not all of them: `row` of a series or prompt counts
    /// window-major, channel-minor within these (times patches for a series). Empty: all.
    std::vector<std::int64_t> windows;   ///< [n] numbers within the split
    std::vector<std::int64_t> channels;  ///< [m]
    std::int64_t patches = 1;            ///< points of a series per row
    bool prefix_only = false;            ///< its prompts are means of the K prefix vectors alone
};

/// Values of a tensor under the name it has in checkpoints.
struct NamedArray {
    std::string name;
    std::vector<std::int64_t> shape;
    std::vector<float> values;
};

/// `/embedding/<split>/<best or step>`; rows are window-major, channel-minor (row = window x M + channel).
struct EmbeddingArrays {
    std::int64_t dimension = 0;          ///< d
    std::vector<float> anchors;          ///< [V', d]
    std::vector<float> series;           ///< [rows, d], or [rows x patches, d]
    std::vector<float> prompt;           ///< [rows, d]
    std::vector<std::int64_t> windows;   ///< [n] numbers within the split; empty: all of it, all channels
    std::vector<std::int64_t> start;     ///< [n] row in the file of the first lookback value; empty likewise
    std::vector<std::int64_t> channels;  ///< [m]; empty likewise
    std::int64_t patches = 1;            ///< > 1: series holds the embedding of every patch (B.7-35)
    bool prefix_only = false;            ///< prompt is the mean of the K prefix vectors alone (B.7-34)
    /// Of a snapshot: the learnt tensors of its moment that embeddings depend on beside the anchors.
    std::vector<NamedArray> weights;
    std::optional<EmbeddingLayout> pca;
    std::optional<EmbeddingLayout> tsne;
};

/// `/similarity/<split>/<best or step>`.
struct SimilarityArray {
    std::int64_t pool_size = 0;  ///< V'
    std::vector<float> values;   ///< [rows, V'], rows as above
};

/// What there is under `/embedding`, without its values.
struct EmbeddingSet {
    std::string split;      ///< "train", "val", "test"
    std::string at;         ///< "best" or a step
    std::int64_t rows = 0;  ///< of series; 0: only layouts are kept
    std::int64_t dimension = 0;
    std::vector<std::string> layouts;  ///< "pca", "tsne"
};

/// `/forecast/<split>` without the forecasts: what errors the windows have.
struct ForecastErrors {
    std::int64_t windows = 0;         ///< W
    std::int64_t channels = 0;        ///< M
    std::vector<float> mse, mae;      ///< [W, M]
    std::vector<std::int64_t> start;  ///< [W]
};

/// Everything in arrays.h5, for what fits in memory. Keys: split ("train", "val", "test"), then "best" or a
/// step.
struct ArraysRecord {
    std::map<std::string, ForecastArrays> forecast;
    std::map<std::string, std::map<std::string, EmbeddingArrays>> embedding;
    std::map<std::string, std::map<std::string, SimilarityArray>> similarity;
};

}  // namespace casp::store
