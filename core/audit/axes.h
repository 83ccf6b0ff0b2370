#pragma once
// Which axis of an array is which, by the sizes that the data set expects.

#include <cstdint>
#include <string>

#include "audit/window_array.h"

namespace casp::audit {

/// Sizes of forecasts of the test split.
struct ExpectedSizes {
    std::int64_t rows = 0;     ///< of the test split: it has rows - H + 1 windows
    std::int64_t horizon = 0;  ///< 0: unknown
    std::int64_t channels = 0;
};

/// Sets the axes of the array: [windows, H, M] unless only another order has the expected sizes. Returns a
/// sentence about what is not as usual, or "". Throws an input Error where the sizes rule out [windows, H, M]
/// and several other orders are possible.
[[nodiscard]] std::string arrange_axes(WindowArray& array, const ExpectedSizes& expected);

}  // namespace casp::audit
