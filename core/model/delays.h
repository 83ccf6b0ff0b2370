#pragma once
// Number of delays that auto-correlation keeps. Free of LibTorch.

#include <cmath>
#include <cstdint>

namespace casp::model {

/// k = ⌊factor·ln(length)⌋: the delays that auto-correlation keeps for queries of `length` steps.
[[nodiscard]] inline std::int64_t delay_count(std::int64_t factor, std::int64_t length) {
    return static_cast<std::int64_t>(static_cast<double>(factor) * std::log(static_cast<double>(length)));
}

/// Number of delays to choose from, 2·⌊length / 2⌋: the public code inverts the spectrum without its length,
/// so that an odd length gives one delay less, of a series resampled to it. Reproduced, so that its
/// checkpoints give the same forecasts.
[[nodiscard]] constexpr std::int64_t delays_available(std::int64_t length) { return length / 2 * 2; }

}  // namespace casp::model
