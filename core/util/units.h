#pragma once
// Formatting of durations, sizes and counts.

#include <cstdint>
#include <string>

#include "util/phrase.h"

namespace casp {

/// "1 h 02 min", "3 min 20 s", "12 s"; "?" for negative or non-finite values.
[[nodiscard]] std::string duration_text(double seconds);
/// "1 run", "3 runs".
[[nodiscard]] std::string counted(std::int64_t count, const std::string& noun);
/// "512 MiB", "3.1 GiB".
[[nodiscard]] std::string bytes_text(std::int64_t bytes);

/// Rounded to 3 decimals, half to even as NumPy's round(): as the M4 competition prints its scores.
[[nodiscard]] double rounded_score(double value);

}  // namespace casp
