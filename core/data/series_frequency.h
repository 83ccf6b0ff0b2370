#pragma once
// Frequencies of collections of series: the six of M4, and any other step.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace casp::data {

/// The step of the series, with what the M4 competition and its public loaders fix for theirs.
struct Frequency {
    std::string name;  ///< "Yearly" (data.frequency, and the beginning of M4's file names); "15 minutes"
    std::int64_t horizon = 0;  ///< H in M4; 0: none is customary
    std::int64_t season = 1;   ///< s of MASE and Naive2, in values; 1: none
    std::int64_t history = 0;  ///< training windows are cut within the last `history` values; 0: of_horizon()

    /// With a history of ten horizons, as M4's up to a week, if none is fixed.
    [[nodiscard]] Frequency of_horizon(std::int64_t horizon) const;

    bool operator==(const Frequency&) const = default;
};

/// Yearly, Quarterly, Monthly, Weekly, Daily, Hourly.
[[nodiscard]] const std::array<Frequency, 6>& frequencies();

/// Of M4's, by name; null: there is none.
[[nodiscard]] const Frequency* find_frequency(std::string_view name);

/// The frequency of values that are `seconds` apart (above 0): M4's, months and quarters by their possible
/// lengths, else the step with the season of season_of().
[[nodiscard]] Frequency frequency_of_step(double seconds);

/// The frequency that another library writes: "half_hourly", "10_minutes", "4_seconds" (Monash), "15min",
/// "H", "2W", "W-SUN", "MS", "B" (pandas). Nothing: it is not known.
[[nodiscard]] std::optional<Frequency> frequency_of_name(std::string_view name);

}  // namespace casp::data
