#pragma once
// Similarity scores between windows and anchors: the heatmap of the top anchors (B.7-36) and how scores are
// distributed. Headers free of LibTorch, whose matrix products compute; any thread; deterministic.

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

#include "store/run_record.h"
#include "util/progress.h"

namespace casp::analysis {

/// How the anchors of a heatmap are ordered from top to bottom; ties by number.
enum class AnchorOrder {
    index,            ///< ascending
    usage,            ///< most selected first
    mean_similarity,  ///< highest mean first
    clustering        ///< alike ones side by side: average linkage of the Euclidean distances of their rows
};

struct ScoreOptions {
    std::int64_t anchors =
        100;  ///< so many, of highest mean similarity over the rows shown; 0: the whole pool
    std::int64_t columns = 20000;  ///< at most so many rows of the similarities; more: evenly spaced ones
    AnchorOrder order = AnchorOrder::mean_similarity;
};

/// Anchors × rows, for a heatmap with one line per anchor. A "row" is one (window, channel).
struct ScoreMatrix {
    std::vector<std::int64_t> anchor;  ///< [a] which anchor stands in which line, top first
    std::vector<std::int64_t> row;  ///< [c] which row of the similarities stands in which column, ascending
    std::int64_t rows_total = 0;    ///< more than c where some were left out
    std::vector<float> values;      ///< [a, c]
    std::vector<double> mean_similarity;  ///< [a] over the rows shown
    std::vector<std::int64_t> usage;      ///< [a] selections within the rows shown; zeros without `selected`
    float lowest = 0, highest = 0;        ///< of values
};

/// `similarity` [rows, V'], `selected` [rows, K] (may be empty). Throws std::invalid_argument where lengths
/// do not fit, an input Error for no rows or values that are not finite, Cancelled (within a tenth of a
/// second). Progress of AnchorOrder::clustering, the one order that takes long: "Comparing anchors" (columns
/// read).
[[nodiscard]] ScoreMatrix score_matrix(std::span<const float> similarity, std::int64_t pool_size,
                                       std::span<const std::int32_t> selected, std::int64_t top_k,
                                       const ScoreOptions& options = {}, const std::stop_token& stop = {},
                                       const ProgressFn& progress = {});

/// What a set of numbers looks like.
struct Distribution {
    std::int64_t count = 0;
    double mean = store::not_known, sd = store::not_known;  ///< sd: sample (n − 1); NaN for n < 2
    double lowest = store::not_known, highest = store::not_known;
    std::vector<double> quantile;         ///< at ScoreDistributions::levels, linear between order statistics
    std::vector<std::int64_t> histogram;  ///< [bins] counts
    /// Share per unit of score in each bin, so that the histogram's area is 1; zeros for none.
    [[nodiscard]] std::vector<double> density(double bin_width) const;
};

/// Scores of all (row, anchor) pairs beside those of the pairs that were selected.
struct ScoreDistributions {
    std::vector<double> levels;  ///< 0, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 1
    std::vector<double> edges;   ///< [bins + 1] equal bins; each holds its lower edge, the last both
    Distribution all, chosen;
};

/// Exact, over every pair. `range`: that of the bins; default: lowest to highest score. Values beyond it are
/// in no bin. Two runs are compared on one range. Otherwise as score_matrix; bins ≥ 1. Progress:
/// "Distribution of scores" (rows read: twelve times each), complete at the end.
[[nodiscard]] ScoreDistributions score_distributions(
    std::span<const float> similarity, std::int64_t pool_size, std::span<const std::int32_t> selected,
    std::int64_t top_k, std::int64_t bins = 100, std::optional<std::pair<double, double>> range = {},
    const std::stop_token& stop = {}, const ProgressFn& progress = {});

/// `count` numbers evenly spaced from 0 to total − 1; all of them where there are not more.
[[nodiscard]] std::vector<std::int64_t> evenly_spaced(std::int64_t total, std::int64_t count);

}  // namespace casp::analysis
