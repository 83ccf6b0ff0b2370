#pragma once
// Exact PCA from the covariance of all rows, without sampling; eigenvectors are proven to be the leading ones
// (leading_eigen.h). For many rows, products are in float32 and their sums in float64 if that gives every
// requested variance with a relative error of at most 1e-5 (usually 1e-8); otherwise everything is in float64
// (docs/decisions/0010-pca.md). Does not include LibTorch's headers.

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "store/run_record.h"
#include "util/progress.h"

namespace casp::analysis {

/// A centred PCA of n rows of d values.
struct Pca {
    std::int64_t rows = 0, dimension = 0, components = 0;  ///< n, d, c
    std::vector<double> mean;                              ///< [d]
    std::vector<double> axes;            ///< [c, d] orthonormal; the largest loading of each is positive
    std::vector<double> points;          ///< [n, c] coordinates of the rows along the axes
    std::vector<double> variance;        ///< [c] sample variance (n − 1) along each axis, descending
    std::vector<double> variance_ratio;  ///< [c] fraction of the total variance; NaN if that is zero
};

/// PCA of `values` [n, d], by the smaller of the d×d covariance and the n×n Gram matrix: O(n·d·min(n, d)).
/// Components beyond the rank of the data have zero axes, points and variance. Thread-safe (computes on
/// LibTorch's threads); deterministic.
///
/// Progress: "Principal components" (rows read, in three or four passes), complete at the end. Throws
/// std::invalid_argument for inconsistent sizes, an input Error for non-finite values, and Cancelled; the
/// decomposition itself cannot be interrupted (some hundredths of a second for d = 768).
[[nodiscard]] Pca pca(std::span<const float> values, std::int64_t rows, std::int64_t dimension,
                      std::int64_t components, const std::stop_token& stop = {},
                      const ProgressFn& progress = {});

/// The paper's table of explained variance for both readings of its covariance XᵀX / (n − 1): with X centred,
/// as in PCA, and with X uncentred, as the formula is written. (The divisor cancels in the fractions.)
struct ExplainedVariance {
    std::int64_t rows = 0;
    std::vector<double>
        centred;  ///< [components] fraction of PC1, PC2, …; NaN for fewer than two different rows
    std::vector<double> uncentred;  ///< [components] likewise uncentred; NaN if all values are zero
};
/// Exceptions as pca(). Progress: "Explained variance" (rows read).
[[nodiscard]] ExplainedVariance explained_variance(std::span<const float> values, std::int64_t rows,
                                                   std::int64_t dimension, std::int64_t components = 2,
                                                   const std::stop_token& stop = {},
                                                   const ProgressFn& progress = {});

/// Joint PCA of anchors [V', d], series [n, d] and prompts [n, d] (any may be empty): all are projected onto
/// the principal axes of their union. `variance_ratio` [3, components] is that of a separate PCA of each kind
/// (NaN for a kind with fewer than two different rows), `explained` that of the union. Otherwise as pca().
[[nodiscard]] store::EmbeddingLayout joint_layout(std::span<const float> anchors,
                                                  std::span<const float> series,
                                                  std::span<const float> prompts, std::int64_t dimension,
                                                  std::int64_t components, const std::stop_token& stop = {},
                                                  const ProgressFn& progress = {});

/// Flips axes of `layout` to agree with `before`, a layout of the same points at another step, so that a live
/// view does not flip. No effect if their sizes differ.
void keep_orientation(store::EmbeddingLayout& layout, const store::EmbeddingLayout& before);

}  // namespace casp::analysis
