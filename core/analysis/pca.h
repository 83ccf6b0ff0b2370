#pragma once
// Principal components, exactly: eigenvectors of a covariance of all rows, with proof that they are the
// leading ones (leading_eigen.h); no sampling. Of many rows the products are of float32 and their sums of
// float64, where that leaves every variance asked for right to 1e-5 of itself at the least (usually 1e-8);
// else all is float64 (docs/decisions, 10). Free of LibTorch's headers.

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
    std::vector<double> axes;      ///< [c, d] orthonormal; of each the loading of largest size is positive
    std::vector<double> points;    ///< [n, c] the rows along the axes
    std::vector<double> variance;  ///< [c] sample variance (n − 1) along each axis, descending
    std::vector<double> variance_ratio;  ///< [c] share of the whole variance; NaN where there is none at all
};

/// PCA of `values` [n, d]. Components beyond the rank of the data have zero axes, points and variance.
/// Whichever of the d×d covariance and the n×n Gram matrix is smaller is decomposed, so the cost grows with
/// n·d·min(n, d). Any thread (LibTorch's threads compute); deterministic. Throws std::invalid_argument where
/// the sizes do not fit, an input Error for values that are not finite, Cancelled within a part of the work
/// (the decomposition itself, some hundredths of a second for d = 768, is one part). Progress: "Principal
/// components" (rows read: each is read in three passes or four), complete at the end.
[[nodiscard]] Pca pca(std::span<const float> values, std::int64_t rows, std::int64_t dimension,
                      std::int64_t components, const std::stop_token& stop = {},
                      const ProgressFn& progress = {});

/// Share of the whole variance of `values` [n, d] that its leading components carry: pca().variance_ratio
/// without the axes and points. Progress: "Shares of the variance" (rows read).
[[nodiscard]] std::vector<double> variance_ratio(std::span<const float> values, std::int64_t rows,
                                                 std::int64_t dimension, std::int64_t components,
                                                 const std::stop_token& stop = {},
                                                 const ProgressFn& progress = {});

/// The paper's table of explained variance, both readings of its covariance XᵀX / (n − 1): X with its mean
/// taken off, as PCA is defined, and X as it is, about zero, as the formula stands. (The divisor cancels in
/// the shares.)
struct ExplainedVariance {
    std::int64_t rows = 0;
    std::vector<double>
        centred;  ///< [components] share of PC1, PC2, …; NaN for fewer than two different rows
    std::vector<double> uncentred;  ///< [components] likewise about zero; NaN where all values are zero

    /// Share of all `components` together: the table's "total".
    [[nodiscard]] static double total(std::span<const double> shares);
};
/// Throws and tells as variance_ratio().
[[nodiscard]] ExplainedVariance explained_variance(std::span<const float> values, std::int64_t rows,
                                                   std::int64_t dimension, std::int64_t components = 2,
                                                   const std::stop_token& stop = {},
                                                   const ProgressFn& progress = {});

/// Anchors [V', d], series [n, d] and prompts [n, d] (any of them may be empty) in one picture: projected on
/// the principal axes of all of them together. `variance_ratio` [3, components] is of each kind centred and
/// by itself (NaN for a kind of less than two different rows). Otherwise as pca().
[[nodiscard]] store::EmbeddingLayout joint_layout(std::span<const float> anchors,
                                                  std::span<const float> series,
                                                  std::span<const float> prompts, std::int64_t dimension,
                                                  std::int64_t components, const std::stop_token& stop = {},
                                                  const ProgressFn& progress = {});

/// Turns the axes of `layout` round (sign by sign) so that it agrees with `before`, a layout of the same
/// points at another moment: a live picture must not flip. Does nothing where the two differ in size.
void keep_orientation(store::EmbeddingLayout& layout, const store::EmbeddingLayout& before);

}  // namespace casp::analysis
