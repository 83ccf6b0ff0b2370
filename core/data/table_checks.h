#pragma once
// What is odd about a table once its cells are read.

#include <cstdint>
#include <string>
#include <vector>

#include "data/csv_parse.h"
#include "data/table.h"

namespace casp::data {

/// Adds a warning per item of the tally and one that counts those beyond the first. `text(item)` makes the
/// sentence of one; `what` names the kind in the counting one: "... and 12 more <what>".
template <typename Text>
void add_warnings(Table& table, WarningKind kind, const std::string& column, const Tally& tally,
                  const std::string& what, const Text& text) {
    for (const auto& [line, item] : tally.first)
        table.warnings.push_back({kind, line, column, 1, text(item)});
    const std::int64_t more = tally.count - static_cast<std::int64_t>(tally.first.size());
    if (more > 0)
        table.warnings.push_back(
            {kind, 0, column, more, "... and " + std::to_string(more) + " more " + what});
}

/// Sets Table::step_seconds (the most frequent step, to the millisecond) and warns of duplicate times, times
/// that go back, and gaps (more than 1.5 usual steps).
void check_time(Table& table);

/// Warns of constant channels and of suspicious sentinels.
void check_columns(Table& table, int threads);

/// The most frequent difference between neighbours, to the millisecond, and how often it occurs. NaN are
/// skipped.
struct UsualStep {
    double seconds = 0;
    std::int64_t count = 0;   ///< differences equal to it
    std::int64_t rising = 0;  ///< differences above 0
};
[[nodiscard]] UsualStep usual_step(const std::vector<double>& time);

/// A number as short as it can be read back: "-9999", "0.25".
[[nodiscard]] std::string number_text(double value);

}  // namespace casp::data
