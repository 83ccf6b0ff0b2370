#pragma once
// What a run selects, beside what it selected before or what another one selects. Plain numbers, no LibTorch;
// thread-safe. Progress and cancelling as in usage.h.

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "analysis/usage.h"
#include "store/run_record.h"
#include "util/progress.h"

namespace casp::analysis {

/// Mean cosine over the K(K − 1)/2 pairs of the anchors that a row selects, [rows]: `anchors` [V', d],
/// `selected` [rows, K]. NaN for K < 2. In float64; anchors are normalised by √max(Σv², 1e-12). Throws
/// std::invalid_argument where sizes do not fit or an anchor is not there, Cancelled within a part of 4,096
/// rows. Progress: "Cosines of keys" (rows read), complete at the end.
[[nodiscard]] std::vector<double> key_cosines(std::span<const float> anchors, std::int64_t dimension,
                                              std::span<const std::int32_t> selected, std::int64_t top_k,
                                              const std::stop_token& stop = {},
                                              const ProgressFn& progress = {});

/// The anchors that are selected at all, ascending.
[[nodiscard]] std::vector<std::int64_t> selected_set(std::span<const std::int64_t> counts);

/// Two usages of a pool of the same size side by side: two runs, or training and inference of one.
struct UsageComparison {
    UsageSummary a, b;
    double jaccard = store::not_known;              ///< of the sets of anchors that are selected at all
    double jaccard_top = store::not_known;          ///< of the `top` most used of each
    std::int64_t both = 0, only_a = 0, only_b = 0;  ///< anchors selected at all
    double total_variation =
        store::not_known;  ///< ½ Σ |p_a − p_b|, 0 … 1: the share of selections that moved
};

/// Throws std::invalid_argument for pools of different size. NaN where nothing is selected.
[[nodiscard]] UsageComparison compare_usage(std::span<const std::int64_t> a, std::span<const std::int64_t> b,
                                            std::int64_t top = 20);

/// How alike every two of several usages are: what compare_usage() says of each pair, for many of them.
struct SelectionOverlaps {
    std::size_t usages = 0;           ///< n
    std::vector<double> jaccard;      ///< [n, n] of the sets of anchors that are selected at all
    std::vector<double> jaccard_top;  ///< [n, n] of the `top` most used of each
};

/// Symmetric. NaN for pools of different size, whose numbers mean different anchors, and where neither
/// selects any.
[[nodiscard]] SelectionOverlaps selection_overlaps(const std::vector<std::vector<std::int64_t>>& usages,
                                                   std::int64_t top = 20);

/// Selections of a whole training, or of the snapshots from number `first` to before `last` (−1: the end).
[[nodiscard]] std::vector<std::int64_t> training_usage(const store::AnchorHistory& history,
                                                       std::int64_t first = 0, std::int64_t last = -1);

}  // namespace casp::analysis
