#pragma once
// Precision to which the values of an array were rounded.

#include <string>

#include "audit/window_array.h"

namespace casp::audit {

/// The default is float32, in which other code computes.
struct Rounding {
    int bits = 24;        ///< significant bits
    double absolute = 0;  ///< largest change by rounding to decimals
    std::string name = "float32";

    [[nodiscard]] bool is_coarse() const { return bits < 24 || absolute > 0; }
    /// Largest change of a value by coarse rounding; 0 for float32, whose arithmetic changes values more.
    [[nodiscard]] double slack(double value) const;
};

/// float16, or what the values of some windows show: bfloat16, or a few decimals.
[[nodiscard]] Rounding rounding_of(const WindowArray& array);

}  // namespace casp::audit
