#pragma once
// Vectorisable inner loops of the neighbour search. No LibTorch.

#include <cstdint>

namespace casp::analysis::kernels {

/// Σ (a − b)² over d values.
[[nodiscard]] float square_distance(const float* a, const float* b, std::int64_t d);

/// Finds the points nearer than their limits among `count`; their squared distances are own + norms[j] − 2
/// products[j], at least zero. Writes their numbers to `where` and distances to `square`; returns their
/// number.
[[nodiscard]] std::int64_t near_enough(const float* products, const float* norms, float own,
                                       const float* limits, std::int64_t count, std::int32_t* where,
                                       float* square);

}  // namespace casp::analysis::kernels
