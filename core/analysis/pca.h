#pragma once
// Exact PCA from the covariance of all rows, without sampling. Rows may arrive in parts and need not be kept:
// a mean and one d×d matrix of float64 are (docs/decisions/0010-pca.md). Does not include LibTorch's headers.

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

#include "store/embeddings.h"
#include "util/progress.h"

namespace casp::analysis {

/// The paper's table of explained variance for both readings of its covariance XᵀX / (n − 1): with X centred,
/// as in PCA, and with X uncentred, as the formula is written. (The divisor cancels in the fractions.)
struct ExplainedVariance {
    std::vector<double>
        centred;  ///< [components] fraction of PC1, PC2, …; NaN for fewer than two different rows
    std::vector<double> uncentred;  ///< [components] likewise uncentred; NaN if all values are zero
};

/// Principal axes and explained variance of n rows of d values.
struct PrincipalAxes {
    std::int64_t rows = 0, dimension = 0, components = 0;  ///< n, d, c
    std::vector<double> mean;                              ///< [d]
    /// [c, d] orthonormal; the largest loading of each is positive; zero beyond the rank of the rows.
    std::vector<double> axes;
    std::vector<double> variance;  ///< [c] sample variance (n − 1) along each axis, descending
    ExplainedVariance shares;

    /// Coordinates [n, c] of `values` [n, d], minus the mean, along the axes; for these or other rows. Throws
    /// std::invalid_argument for inconsistent sizes.
    [[nodiscard]] std::vector<double> points(std::span<const float> values) const;
};

/// Accumulator of rows. Memory: 1,024 rows in float32 and in float64, and two matrices [d, d] of float64 (d =
/// 768: 20 MB), for any number of rows. Sums are formed over blocks of 1,024 rows, however the rows were
/// divided into parts, so the result depends only on the rows. One thread at a time (computes on LibTorch's
/// threads).
///
/// Reference: Chan, Golub & LeVeque, Algorithms for Computing the Sample Variance (1983): blocks are centred
/// separately and then combined, so that a mean that is large compared to the spread costs no precision.
class StreamedPca {
public:
    /// Throws std::invalid_argument for a dimension below 1.
    explicit StreamedPca(std::int64_t dimension);
    ~StreamedPca();
    StreamedPca(const StreamedPca&) = delete;
    StreamedPca& operator=(const StreamedPca&) = delete;

    /// Adds rows [any, d]. Throws std::invalid_argument for an incomplete row.
    void add(std::span<const float> rows);

    /// Axes of all rows added so far. Throws an input Error for non-finite values.
    [[nodiscard]] PrincipalAxes axes(std::int64_t components) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Axes of all rows of `values` [n, d]. Thread-safe (computes on LibTorch's threads); deterministic.
///
/// Progress: "Principal components" (rows read), complete at the end. Throws std::invalid_argument for
/// inconsistent sizes, an input Error for non-finite values, and Cancelled; the decomposition itself cannot
/// be interrupted (some hundredths of a second for d = 768).
[[nodiscard]] PrincipalAxes principal_axes(std::span<const float> values, std::int64_t rows,
                                           std::int64_t dimension, std::int64_t components,
                                           const std::stop_token& stop = {}, const ProgressFn& progress = {});

/// Joint PCA of anchors [V', d], series [n, d] and prompts [n, d] (any may be empty): all are projected onto
/// the principal axes of their union. `variance_ratio` [3, components] is that of a separate PCA of each kind
/// (NaN for a kind with fewer than two different rows), `explained` that of the union. Otherwise as
/// principal_axes().
[[nodiscard]] store::EmbeddingLayout joint_layout(std::span<const float> anchors,
                                                  std::span<const float> series,
                                                  std::span<const float> prompts, std::int64_t dimension,
                                                  std::int64_t components, const std::stop_token& stop = {},
                                                  const ProgressFn& progress = {});

/// Flips axes of `layout` to agree with `before`, a layout of the same points at another step, so that a live
/// view does not flip. No effect if their sizes differ.
void keep_orientation(store::EmbeddingLayout& layout, const store::EmbeddingLayout& before);

}  // namespace casp::analysis
