#pragma once
// The loops of the neighbour search, for the compiler to vectorise. Free of LibTorch.

#include <cstdint>

namespace casp::analysis::kernels {

/// Σ (a − b)² over d values.
[[nodiscard]] float square_distance(const float* a, const float* b, std::int64_t d);

/// Which of `count` points are nearer than `limit`: their squared distances are own + norms[j] − 2
/// products[j], not below zero. Numbers go to `where`, distances to `square`; returns how many.
[[nodiscard]] std::int64_t nearer_than(const float* products, const float* norms, float own, float limit,
                                       std::int64_t count, std::int32_t* where, float* square);

/// The same with a limit for each point: which of them this one is near enough to.
[[nodiscard]] std::int64_t near_enough(const float* products, const float* norms, float own,
                                       const float* limits, std::int64_t count, std::int32_t* where,
                                       float* square);

}  // namespace casp::analysis::kernels
