#pragma once
// The text of `caspstudio --describe`.

#include <cstdint>
#include <string>
#include <vector>

#include "data/catalog.h"
#include "data/split.h"
#include "data/table.h"

namespace casp::data {

/// What --describe prints: where the file is and how it was read, rows, channels, times, frequency, catalogue
/// entry, split borders, scaler rows, window counts, statistics per channel and every warning. At most 100
/// columns wide unless a path or name is longer. `plan` null: the part about the split says why in `no_plan`.
[[nodiscard]] std::string describe(const Table& table, const SplitPlan* plan, const CatalogEntry* entry,
                                   const std::string& no_plan = {});

/// "1 hour", "15 minutes", "1 day", "10 minutes", "1.5 seconds"; "unknown" for 0.
[[nodiscard]] std::string frequency_name(double step_seconds);

/// 8640 to "8,640".
[[nodiscard]] std::string with_commas(std::int64_t number);

}  // namespace casp::data
