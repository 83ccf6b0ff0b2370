#pragma once
// Split-conformal intervals: constant offsets from absolute errors on calibration windows, and coverage.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace casp::analysis {

/// Rank of the offset among n absolute errors in ascending order, from 1: ceil((n + 1) · percent / 100).
/// Above n: the offset is infinite. `percent`: 1 to 99.
[[nodiscard]] std::int64_t conformal_rank(std::int64_t n, int percent);

/// The smallest n with a finite offset.
[[nodiscard]] std::int64_t fewest_errors(int percent);

/// The offset of each cell (channel and step) from `errors` [n, cells], n > 0: the absolute error of its
/// conformal_rank(). Without finite offset (n < fewest_errors()) all are infinite. A cell with a NaN gets
/// NaN: no interval is known to cover. `threads`: 0 for all of the machine.
[[nodiscard]] std::vector<float> conformal_offsets(std::span<const float> errors, std::size_t cells,
                                                   int percent, int threads = 0);

/// Number of `errors` [n, cells] that are at most the offset of their cell.
[[nodiscard]] std::int64_t covered(std::span<const float> errors, const std::vector<float>& offsets);

}  // namespace casp::analysis
