#pragma once
// Principal components of a word embedding over its vocabulary.

#include <cstdint>

#include <ATen/core/Tensor.h>

namespace casp::model {

/// The first principal components of a token table [V, d], as CALF reads it: d samples (the embedding's
/// coordinates) of V features (the words), each feature centred. Returns [C, d] fp32, row c = σ_c·u_c in
/// descending order of σ_c, with C = min(count, V, d − 1): centring leaves at most d − 1 components.
///
/// Exact: the eigenvectors u_c of the d × d matrix of inner products, summed in double on the CPU, so that
/// the result does not depend on the device. (The public code takes scikit-learn's PCA with its default
/// solver, which is a randomised one without a seed for these sizes.) Sign: the entry of largest magnitude of
/// each row is positive, the first one if there are several.
[[nodiscard]] at::Tensor word_components(const at::Tensor& table, std::int64_t count);

}  // namespace casp::model
