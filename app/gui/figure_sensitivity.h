#pragma once
// Figure "sensitivity": metrics against swept settings.

#include <string>

#include "figures/figure.h"
#include "gui/figure_runs.h"

namespace casp::gui {

/// Test MSE, usage entropy and key cosine (if known) against every swept setting, one plot each; mean and
/// sample standard deviation over seeds, one line per combination of the other settings. The CSV has all
/// metrics of the page Compare. `name` is "sensitivity", "sensitivity:METRIC" or "sensitivity:METRIC:KEY"
/// (checked by check_sensitivity) for one metric and one setting. Runs that were finished early are hollow
/// and excluded from means; the suffix ":early" includes them.
[[nodiscard]] figures::Figure sensitivity_figure(const FigureRuns& runs,
                                                 const std::string& name = "sensitivity");

/// Checks such a name: metric (a column of results.csv: "test_mae"), setting (a dotted key), suffix. Throws
/// an input Error with the nearest valid name.
void check_sensitivity(const std::string& name);

}  // namespace casp::gui
