#pragma once
// Figures of metrics against settings: "sensitivity" of --figures.

#include <string>
#include <vector>

#include "figures/comparison.h"
#include "figures/figure.h"
#include "figures/recipe_compare.h"

namespace casp::figures {

/// Test MSE, usage entropy and key cosine (if known) against every swept setting, one plot each; mean and
/// sample standard deviation over seeds, one line per combination of the other settings. The CSV has all
/// metrics of results.csv, each with its paired test against the first value. `name` is "sensitivity",
/// "sensitivity:METRIC" or "sensitivity:METRIC:KEY" (checked by check_sensitivity) for one metric and one
/// setting. Runs that were finished early are hollow and excluded from means.
[[nodiscard]] Figure sensitivity(const std::vector<CompareRun>& runs, const QStringList& swept,
                                 const std::string& name = "sensitivity");

/// Checks such a name: metric (a column of results.csv: "test_mae"), setting (a dotted key, or "case").
/// Throws an input Error with the nearest valid name.
void check_sensitivity(const std::string& name);

}  // namespace casp::figures
