#pragma once
// Runs on collections of series in figures: names of the windows and units of the errors.

#include <string>
#include <vector>

#include "figures/recipe_input.h"

namespace casp::figures {

/// Whether the data set is a collection of series: each series has one validation and one test window, and
/// values are in original units.
[[nodiscard]] bool is_collection(const store::DataSection& data);

/// "series Y123 (12 of 23,000)" for window 11 of the validation or test split; empty: no collection, or its
/// ids are not known yet.
[[nodiscard]] QString series_name(const std::vector<std::string>& ids, std::int64_t window);

/// Units of the errors of these runs, within a sentence: "scaled units", "original units", or both.
[[nodiscard]] QString error_units(const std::vector<RunInput>& runs);

/// "MSE", or "MSE (original units)" if all runs are on collections.
[[nodiscard]] QString error_title(const QString& metric, const std::vector<RunInput>& runs);

}  // namespace casp::figures
