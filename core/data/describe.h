#pragma once
// Text output of `caspstudio --describe`.

#include <cstdint>
#include <string>
#include <vector>

#include "data/catalog.h"
#include "data/known_data.h"
#include "data/series_collection.h"
#include "data/split.h"
#include "data/table.h"

namespace casp::data {

/// Description of a data set: path and format, rows, channels, times, frequency, catalogue entry, split
/// borders, scaler rows, window counts, statistics per channel and all warnings. Lines have at most 100
/// characters, except for longer paths and names. If `plan` is null, `no_plan` is shown as the reason.
/// `targets`: the columns of data.targets; empty: all.
[[nodiscard]] std::string describe(const Table& table, const SplitPlan* plan, const KnownData& known,
                                   const std::string& no_plan = {},
                                   const std::vector<std::int64_t>& targets = {});

/// Description of a collection of series: path, number and lengths of the series, values that training,
/// early stopping and test use (`m4_stopping`: data.m4_stopping), and all warnings.
[[nodiscard]] std::string describe(const SeriesCollection& collection, const CatalogEntry* entry,
                                   const std::string& m4_stopping);

/// 8640 to "8,640".
[[nodiscard]] std::string with_commas(std::int64_t number);

}  // namespace casp::data
