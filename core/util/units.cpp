#include "util/units.h"

#include <cmath>

#include <spdlog/fmt/fmt.h>

namespace casp {

std::string duration_text(double seconds) {
    if (!std::isfinite(seconds) || seconds < 0) return "?";
    if (seconds < 9.95) return fmt::format("{:.1f} s", seconds);
    const auto s = static_cast<std::int64_t>(std::llround(seconds));
    if (s < 60) return fmt::format("{} s", s);
    if (s < 3600) return fmt::format("{} min {:02} s", s / 60, s % 60);
    return fmt::format("{} h {:02} min", s / 3600, s % 3600 / 60);
}

std::string counted(std::int64_t count, const std::string& noun) {
    return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string bytes_text(std::int64_t bytes) {
    const double mib = static_cast<double>(bytes) / (1 << 20);
    return mib < 1024 ? fmt::format("{:.0f} MiB", mib) : fmt::format("{:.1f} GiB", mib / 1024);
}

double rounded_score(double value) { return std::nearbyint(1000 * value) / 1000; }

}  // namespace casp
