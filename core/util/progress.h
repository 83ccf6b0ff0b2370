#pragma once
// Progress reports of long-running work.

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

namespace casp {

/// What long-running work does now.
enum class Stage {
    none,
    other,  ///< what `of` says
    checking,
    comparing_anchors,
    comparing_strata,
    computing_errors,
    copying,
    copying_runs,
    cosine_similarity,
    difficulty_strata,
    distribution,
    downloading,
    embedding,
    evaluating,
    exporting,
    finding_neighbours,
    fitting,
    forecasting,
    importing,
    labelling_windows,
    matching_windows,
    nearest_tokens,
    packing,
    parsing,
    principal_components,
    reading,
    reading_backbone,
    reading_embeddings,
    reading_runs,
    reading_weights,
    repeating,
    storing_embeddings,
    storing_forecasts,
    storing_layout,
    training,
    tsne,
    unpacking,
    validating,
    verifying,
    waiting,
};

/// A stage, with the file or split that it is of, which may be empty.
struct StageOf {
    Stage kind = Stage::none;
    std::string of;

    StageOf() = default;
    StageOf(Stage stage, std::string of_what = {}) : kind(stage), of(std::move(of_what)) {}
    bool operator==(const StageOf&) const = default;

    [[nodiscard]] bool empty() const { return kind == Stage::none; }
    /// "reading ETTh1.csv", "training"; empty: none.
    [[nodiscard]] std::string text() const;
};

/// Its words: "training", "reading %1".
[[nodiscard]] const char* words_of(Stage kind);

/// One progress report.
struct Progress {
    StageOf stage;
    std::int64_t done = 0;   ///< units finished
    std::int64_t total = 0;  ///< total number of units; 0: unknown
    std::string unit;        ///< "bytes", "windows", "steps"
};

/// Called on the working thread; must return quickly. May be empty.
using ProgressFn = std::function<void(const Progress&)>;

}  // namespace casp
