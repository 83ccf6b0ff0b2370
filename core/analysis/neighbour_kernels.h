#pragma once
// Vectorisable inner loops of the neighbour search. No LibTorch.

#include <cstdint>

namespace casp::analysis::kernels {

/// Σ (a − b)² over d values.
[[nodiscard]] float square_distance(const float* a, const float* b, std::int64_t d);

/// Finds the points nearer than `limit` among `count`; their squared distances are own + norms[j] − 2
/// products[j], at least zero. Writes their numbers to `where` and distances to `square`; returns their
/// number.
[[nodiscard]] std::int64_t nearer_than(const float* products, const float* norms, float own, float limit,
                                       std::int64_t count, std::int32_t* where, float* square);

/// As nearer_than(), with a separate limit for each point.
[[nodiscard]] std::int64_t near_enough(const float* products, const float* norms, float own,
                                       const float* limits, std::int64_t count, std::int32_t* where,
                                       float* square);

/// As near_enough(), with the larger of `limit` and each point's own.
[[nodiscard]] std::int64_t near_either(const float* products, const float* norms, float own, float limit,
                                       const float* limits, std::int64_t count, std::int32_t* where,
                                       float* square);

}  // namespace casp::analysis::kernels
