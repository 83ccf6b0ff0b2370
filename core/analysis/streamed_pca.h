#pragma once
// Principal components of more rows than need be kept: they come part by part, and what stays is their mean
// and one d×d matrix of float64. Free of LibTorch's headers.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "analysis/pca.h"

namespace casp::analysis {

/// Axes and shares of all rows that were seen.
struct PrincipalAxes {
    std::int64_t rows = 0, dimension = 0, components = 0;  ///< n, d, c
    std::vector<double> mean;                              ///< [d]
    std::vector<double> axes;  ///< [c, d] orthonormal, signs as in Pca; zero beyond the rank of the rows
    ExplainedVariance shares;  ///< as explained_variance() of the same rows, all in float64

    /// `values` [n, d], of these rows or others, less the mean and along the axes: [n, c]. Throws
    /// std::invalid_argument where the sizes do not fit.
    [[nodiscard]] std::vector<double> points(std::span<const float> values) const;
};

/// Memory: 1,024 rows of float32 and float64 each, and two matrices [d, d] of float64 (d = 768: 20 MB),
/// whatever the number of rows. The sums are of blocks of 1,024 rows, however the rows were cut into parts,
/// so the result depends on the rows alone. One thread at a time (LibTorch's threads compute).
///
/// Chan, Golub & LeVeque, Algorithms for Computing the Sample Variance (1983): blocks are centred by
/// themselves and then joined, so that a mean that is large beside the spread costs no digits.
class StreamedPca {
public:
    /// Throws std::invalid_argument for a dimension below 1.
    explicit StreamedPca(std::int64_t dimension);
    ~StreamedPca();
    StreamedPca(const StreamedPca&) = delete;
    StreamedPca& operator=(const StreamedPca&) = delete;

    /// More rows [any, d]. Throws std::invalid_argument where they are no whole rows.
    void add(std::span<const float> rows);

    /// Of all rows so far. Throws an input Error for values that are not finite.
    [[nodiscard]] PrincipalAxes axes(std::int64_t components) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace casp::analysis
