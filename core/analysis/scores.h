#pragma once
// Similarity scores between windows and anchors: heatmap of the top anchors, and score distributions. Does
// not include LibTorch's headers; thread-safe; deterministic.

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

#include "store/run_record.h"
#include "util/progress.h"

namespace casp::analysis {

// Average-linkage clustering and its leaf order, for the rows of heatmaps. No LibTorch; thread-safe.

/// Average-linkage clustering (UPGMA) of n items.
struct Clustering {
    std::vector<std::int64_t> order;        ///< [n] items in leaf order
    std::vector<std::int64_t> left, right;  ///< [n − 1] the clusters joined by each merge, left < right:
                                            ///< below n an item, n + i the result of merge i
    std::vector<double> height;             ///< [n − 1] distance of each merge, ascending
};

/// Clusters n items by `distances` [n, n]: symmetric, finite; the diagonal is ignored. Nearest-neighbour
/// chains, O(n²). Deterministic: ties are resolved in favour of lower numbers. In leaf order, the left part
/// of each merge precedes its right part. Throws std::invalid_argument for a wrong size, and Cancelled.
/// Reports no progress: computing the distances takes far longer.
[[nodiscard]] Clustering average_linkage(std::span<const double> distances, std::int64_t n,
                                         const std::stop_token& stop = {});

/// Order of the anchors in a heatmap, top to bottom; ties by number.
enum class AnchorOrder {
    index,            ///< ascending
    usage,            ///< most retrieved first
    mean_similarity,  ///< highest mean first
    clustering        ///< leaf order of an average-linkage clustering of their rows (Euclidean distance)
};

struct ScoreOptions {
    std::int64_t anchors =
        100;  ///< number of anchors, by highest mean similarity over the columns; 0: whole pool
    std::int64_t columns = 20000;  ///< maximum number of similarity rows; more: evenly spaced
    AnchorOrder order = AnchorOrder::mean_similarity;
};

/// Score heatmap with one line per anchor and one column per row of similarities; a row is one (window,
/// channel).
struct ScoreMatrix {
    std::vector<std::int64_t> anchor;     ///< [a] anchor of each line, top first
    std::vector<std::int64_t> row;        ///< [c] similarity row of each column, ascending
    std::int64_t rows_total = 0;          ///< exceeds c if rows were left out
    std::vector<float> values;            ///< [a, c]
    std::vector<double> mean_similarity;  ///< [a] over the columns
    std::vector<std::int64_t> usage;      ///< [a] retrievals within the columns; zeros without `retrieved`
    float lowest = 0, highest = 0;        ///< range of `values`
};

/// Computes the heatmap from `similarity` [rows, V'] and `retrieved` [rows, K] (may be empty). Throws
/// std::invalid_argument for inconsistent sizes, an input Error for no rows or non-finite values, and
/// Cancelled (within a tenth of a second). Progress for AnchorOrder::clustering, the only slow order:
/// "Comparing anchors" (columns read).
[[nodiscard]] ScoreMatrix score_matrix(std::span<const float> similarity, std::int64_t pool_size,
                                       std::span<const std::int32_t> retrieved, std::int64_t top_k,
                                       const ScoreOptions& options = {}, const std::stop_token& stop = {},
                                       const ProgressFn& progress = {});

/// Summary statistics of a set of numbers.
struct Distribution {
    std::int64_t count = 0;
    double mean = store::not_known, sd = store::not_known;  ///< sd: sample (n − 1); NaN for n < 2
    double lowest = store::not_known, highest = store::not_known;
    std::vector<double>
        quantile;  ///< at ScoreDistributions::levels, interpolated linearly between order statistics
    std::vector<std::int64_t> histogram;  ///< [bins] counts
};

/// Scores of all (row, anchor) pairs and of the retrieved pairs.
struct ScoreDistributions {
    std::vector<double> levels;  ///< 0, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 1
    std::vector<double> edges;   ///< [bins + 1] of equal bins; each includes its lower edge, the last both
    Distribution all, chosen;
};

/// Exact distributions over every pair. `range`: range of the bins, by default from lowest to highest score;
/// values outside are in no bin. Use one range to compare two runs. bins ≥ 1. Otherwise as score_matrix().
/// Progress: "Distribution of scores" (rows read, twelve times each), complete at the end.
[[nodiscard]] ScoreDistributions score_distributions(
    std::span<const float> similarity, std::int64_t pool_size, std::span<const std::int32_t> retrieved,
    std::int64_t top_k, std::int64_t bins = 100, std::optional<std::pair<double, double>> range = {},
    const std::stop_token& stop = {}, const ProgressFn& progress = {});

/// Fraction of rows on which the coverage gate presses, 0 < s < c̃, per anchor: similarity [rows, V'],
/// statistic c̃ [V'] -> [V']. Throws std::invalid_argument for inconsistent sizes.
[[nodiscard]] std::vector<double> active_shares(std::span<const float> similarity,
                                                std::span<const float> statistic);

/// `count` numbers evenly spaced from 0 to total − 1; all numbers if count ≥ total.
[[nodiscard]] std::vector<std::int64_t> evenly_spaced(std::int64_t total, std::int64_t count);

// Alignment of time-series and prompt embeddings: cosine map and mean cosines, as in the paper's appendix on
// alignment. Does not include LibTorch's headers; thread-safe; deterministic.

/// cos(series_i, prompt_j) for selected rows, and means over all rows.
struct CosineMap {
    std::vector<std::int64_t> row;  ///< [c] rows in the map, on both axes, ascending
    std::int64_t rows_total = 0;    ///< exceeds c if rows were left out
    std::vector<float> values;      ///< [c, c]; first index series, second prompt
    float lowest = 0, highest = 0;  ///< range of `values`

    // Over all rows, including those left out of the map; NaN if there are none.
    double diagonal_mean = store::not_known;      ///< of cos(series_i, prompt_i)
    double mean = store::not_known;               ///< over all pairs
    double off_diagonal_mean = store::not_known;  ///< over the pairs i ≠ j; NaN for one row
    std::vector<float> diagonal;                  ///< [rows_total] cos(series_i, prompt_i)
};

/// Computes the cosine map of `series` and `prompts`, both [rows, d]. The map has at most `max_rows` rows,
/// evenly spaced from the first to the last. Vectors are normalised by √max(Σv², 1e-12), as in the model, so
/// that a zero vector has cosine 0. Throws std::invalid_argument for inconsistent sizes, an input Error for
/// non-finite values, and Cancelled. Progress: "Cosine similarity" (rows read: all rows once, those of the
/// map twice), complete at the end.
[[nodiscard]] CosineMap cosine_map(std::span<const float> series, std::span<const float> prompts,
                                   std::int64_t dimension, std::int64_t max_rows = 1000,
                                   const std::stop_token& stop = {}, const ProgressFn& progress = {});

}  // namespace casp::analysis
