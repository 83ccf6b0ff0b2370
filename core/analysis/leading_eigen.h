#pragma once
// Leading eigenvectors of a symmetric matrix, with a proof of completeness. Requires LibTorch's headers.

#include <cstdint>

#include <torch/torch.h>

namespace casp::analysis {

struct LeadingEigen {
    at::Tensor values;   ///< [c] float64, descending
    at::Tensor vectors;  ///< [n, c] float64, orthonormal columns
};

/// The `count` largest eigenvalues of `matrix` [n, n] (float64, symmetric, on the CPU, finite) and their
/// eigenvectors; c = min(count, n). Equal to LAPACK's result up to rounding, but much faster for large n and
/// small `count`: a block Krylov space is extended until the residuals are at rounding level, and a Cholesky
/// factorisation of the remaining spectrum proves that no larger eigenvalue was missed. If either fails,
/// LAPACK decomposes the whole matrix. Deterministic.
///
/// References: Golub & Van Loan, Matrix Computations, section 10.3.6 (block Lanczos); Sylvester's law of
/// inertia (proof).
[[nodiscard]] LeadingEigen leading_eigen(const at::Tensor& matrix, std::int64_t count);

}  // namespace casp::analysis
