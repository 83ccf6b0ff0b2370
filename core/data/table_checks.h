#pragma once
// Checks of an imported table: time axis, constant channels, sentinels.

#include <cstdint>
#include <string>

#include "data/csv_parse.h"
#include "data/table.h"
#include "util/phrase.h"

namespace casp::data {

/// Adds a warning per listed item of the tally, and one for the number of further items: "... and 12 more
/// <what>". `text(item)` returns the sentence for one item.
template <typename Text>
void add_warnings(Table& table, WarningKind kind, const std::string& column, const Tally& tally,
                  const Phrase& what, const Text& text) {
    for (const auto& [line, item] : tally.first)
        table.warnings.push_back({kind, line, column, 1, text(item)});
    const std::int64_t more = tally.count - static_cast<std::int64_t>(tally.first.size());
    if (more > 0) table.warnings.push_back({kind, 0, column, more, Phrase("... and %1 more %2", more, what)});
}

/// Sets Table::step. Warns of duplicate times, times that go backwards, and gaps
/// (more than 1.5 steps).
void check_time(Table& table);

/// Warns of constant channels and suspected sentinels.
void check_columns(Table& table, int threads);

/// Warns of channels that do not vary in the first `rows` rows, which fit the scaler, and do later: their
/// scale is then 1, or far too small for their values.
void check_training_rows(Table& table, std::int64_t rows);

/// Shortest decimal form that reads back to the same value: "-9999", "0.25".
[[nodiscard]] std::string number_text(double value);

}  // namespace casp::data
