#pragma once
// Texts for sizes and durations.

#include <cstdint>

#include <QString>

namespace casp::widgets {

/// "1.5 GB", "310 MB".
[[nodiscard]] QString bytes_text(std::int64_t bytes);
/// "12 s", "3 min 20 s", "2 h 5 min"; "under 1 s".
[[nodiscard]] QString duration_text(double seconds);
/// "about 3 min", "under 1 s".
[[nodiscard]] QString about_duration_text(double seconds);
/// "40 s left", "4 min left", "2 h 10 min left"; empty if unknown (not positive or not finite).
[[nodiscard]] QString time_left_text(double seconds);

}  // namespace casp::widgets
