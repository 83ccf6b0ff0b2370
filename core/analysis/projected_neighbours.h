#pragma once
// Exact nearest neighbours by lower bounds: most pairs are excluded by their distance along a few leading
// principal directions, and only the rest is computed in full. Does not include LibTorch's headers.
//
// For an orthonormal basis Q of some directions, and r = |x − Q Qᵀ x| the length of what it leaves of x,
//
//     |x − y|² ≥ |Qᵀ(x − y)|² + (r_x − r_y)²
//
// for any Q; directions of large variance make the bound tight. Points that are not excluded by the first
// directions are tested with more of them, then with their distance.

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>

#include "analysis/neighbours.h"

namespace casp::analysis {

enum class Projected {
    if_faster,  ///< only where a sample of the rows shows that enough pairs are excluded
    always      ///< for tests; requires at least two values per row
};

/// As exact_neighbours(), or nothing if it would not be faster. No row is repeated: the bounds include
/// their largest possible rounding error.
[[nodiscard]] std::optional<Neighbours> projected_neighbours(std::span<const float> values, std::int64_t rows,
                                                             std::int64_t dimension, std::int64_t k,
                                                             Projected use, const ProgressFn& progress = {},
                                                             const std::stop_token& stop = {});

}  // namespace casp::analysis
