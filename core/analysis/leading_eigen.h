#pragma once
// The leading eigenvectors of a symmetric matrix, with proof that they are. Needs LibTorch's headers.

#include <cstdint>

#include <torch/torch.h>

namespace casp::analysis {

struct LeadingEigen {
    at::Tensor values;   ///< [c] float64, descending
    at::Tensor vectors;  ///< [n, c] float64, orthonormal columns
};

/// The `count` largest eigenvalues of `matrix` [n, n] (float64, symmetric, on the CPU, finite) and vectors of
/// theirs; c = min(count, n). To rounding what LAPACK's decomposition gives, at a fraction of its time where
/// n is large and `count` small: a block Krylov space is widened until the residuals are at the level of
/// rounding, and a Cholesky factorisation of the rest of the spectrum then proves that no larger eigenvalue
/// was passed over. Where either fails LAPACK decomposes the whole matrix. Deterministic.
///
/// Golub & Van Loan, Matrix Computations, section 10.3.6 (block Lanczos); Sylvester's law of inertia for the
/// proof.
[[nodiscard]] LeadingEigen leading_eigen(const at::Tensor& matrix, std::int64_t count);

}  // namespace casp::analysis
