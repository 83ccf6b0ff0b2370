#pragma once
// Embeddings of windows at a moment of training, and layouts of them: one type for probes of a running run,
// for sets stored in a file and for those computed from weights.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace casp::store {

inline constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

/// `/embedding/<split>/<best or step>/<pca or tsne>`: points of anchors (kind 0), series (1) and prompts (2).
struct EmbeddingLayout {
    std::int64_t components = 2;         ///< 2 or 3
    std::vector<float> points;           ///< [rows, components]
    std::vector<std::int32_t> kind;      ///< [rows]
    std::vector<std::int32_t> row;       ///< [rows] row in anchors, series or prompt
    std::vector<double> variance_ratio;  ///< [3 kinds, components] of a separate PCA of each kind; PCA only
    /// [components] fraction of the variance of all points on each axis of the layout; PCA only. Empty: not
    /// known (files of version 1.0.0).
    std::vector<double> explained;
    double kl = not_known;  ///< this and the next three members: t-SNE only
    double perplexity = not_known;
    std::int64_t iterations = 0;
    std::int64_t seed = 0;
    /// Joint layout of several runs: number of runs, and of points in all of them. `kl` is then that of all
    /// points; only this run's points are stored here.
    std::int64_t common_runs = 1;
    std::int64_t common_points = 0;
    /// Rows of the split covered by the layout; empty: all. `row` of a series or prompt counts window-major,
    /// channel-minor within them (times `patches` for series).
    std::vector<std::int64_t> windows;   ///< [n] window numbers in the split
    std::vector<std::int64_t> channels;  ///< [m]
    std::int64_t patches = 1;            ///< series points per row
    bool prefix_only = false;            ///< prompts are means of the K prefix vectors only

    [[nodiscard]] bool empty() const { return points.empty(); }
    /// Whether it has points in two or three dimensions, each with kind and row.
    [[nodiscard]] bool can_be_drawn() const {
        return components >= 2 && !points.empty() && kind.size() == row.size() &&
               points.size() == kind.size() * static_cast<std::size_t>(components);
    }
};

/// Values of a tensor, with its name in checkpoints.
struct NamedArray {
    std::string name;
    std::vector<std::int64_t> shape;
    std::vector<float> values;
};

/// Embeddings, similarities, retrievals and errors of some windows of a run, at one training step.
/// Rows are window-major, channel-minor: row = window · m + channel, counted within `windows` and `channels`.
/// Data values are scaled. V' = pool_size, d = dimension, K = top_k. Empty members are not known: files store
/// only some of them.
struct Embeddings {
    std::string split;      ///< "train", "val", "test"
    std::string weights;    ///< "best", "last", "initial", or the step of a snapshot
    std::int64_t step = 0;  ///< training step of the weights; -1: unknown

    std::int64_t dimension = 0, pool_size = 0, top_k = 0;  ///< d; V' and K are 0 for a model without prompt
    std::int64_t rows = 0;                                 ///< windows × channels
    std::int64_t patches = 1;            ///< N_p > 1: series are per patch and have rows × N_p rows
    bool prefix_only = false;            ///< prompts are means of the K prefix vectors only
    std::int64_t windows_total = 0;      ///< windows of the split; may exceed windows.size(); 0: not known
    std::int64_t channels_total = 0;     ///< M of the data
    std::vector<std::int64_t> windows;   ///< [n] window numbers in the split, ascending
    std::vector<std::int64_t> start;     ///< [n] data file row of the first look-back value
    std::vector<std::int64_t> channels;  ///< [m]; in a file, empty windows and channels mean all, in order
    std::vector<float> anchors;          ///< [V', d]
    std::vector<float> series;      ///< [rows · patches, d], row = (window · m + channel) · N_p + patch
    std::vector<float> prompt;      ///< [rows, d]; mean of the input tokens
    std::vector<float> similarity;  ///< [rows, V']
    std::vector<std::int32_t> retrieved;  ///< [rows, K] in the order of the prefix
    std::vector<float> mse, mae;          ///< [rows] over the horizon
    /// [rows] mean |R| over the look-back, R the residual of its decomposition: difficulty
    std::vector<float> residual;
    std::vector<std::int64_t> usage;  ///< [V'] retrievals over these rows
    /// PCA (of anchors, series and prompts together) and t-SNE. A file may hold layouts of other rows: see
    /// fits().
    EmbeddingLayout pca, tsne;
    /// Snapshots only: the trainable tensors, besides the anchors, that embeddings depend on.
    std::vector<NamedArray> tensors;

    /// Whether it has vectors, and not only values derived from them.
    [[nodiscard]] bool has_vectors() const { return dimension > 0 && !series.empty(); }
    /// Frees anchors, series and prompts: most of its memory.
    void drop_vectors();
    /// Whether it has all windows and channels of its split.
    [[nodiscard]] bool is_whole() const;
    /// Whether `layout` has these rows and can be drawn.
    [[nodiscard]] bool fits(const EmbeddingLayout& layout) const;
    /// Counts `usage` from `retrieved`. False if that has numbers outside the pool, which are not counted.
    bool count_usage();
    /// Memory of the vectors, and of everything else.
    [[nodiscard]] std::size_t vector_bytes() const;
    [[nodiscard]] std::size_t other_bytes() const;
};

/// Description of embeddings in `/embedding`, without their values.
struct EmbeddingEntry {
    std::string split;      ///< "train", "val", "test"
    std::string at;         ///< "best" or a step
    std::int64_t rows = 0;  ///< rows of `series`; 0: layouts only
    std::int64_t dimension = 0;
    std::vector<std::string> layouts;  ///< "pca", "tsne"
};

/// `/similarity/<split>/<best or step>`, or some of its rows.
struct SimilarityArray {
    std::int64_t pool_size = 0;  ///< V'
    std::vector<float> values;   ///< [rows, V'], rows as in Embeddings
};

}  // namespace casp::store
