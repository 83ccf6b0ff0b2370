#pragma once
// Numbers as Python writes them. Thread-safe.

#include <string>

namespace casp::text {

/// repr(value) of a Python float: the shortest digits that read back to the same double; "1.0", "1e-05",
/// "1e+16", "nan", "-inf".
[[nodiscard]] std::string python_float(double value);

}  // namespace casp::text
