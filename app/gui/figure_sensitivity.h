#pragma once
// "sensitivity": metrics against what was swept.

#include <string>

#include "figures/figure.h"
#include "gui/figure_runs.h"

namespace casp::gui {

/// Test MSE, usage entropy and key cosine (those that are known) against every swept setting, a plot each;
/// mean and sample standard deviation over seeds, a line per combination of the other settings. The numbers:
/// all metrics of the page Compare against each setting. `name` "sensitivity:METRIC" or
/// "sensitivity:METRIC:KEY", as checked_sensitivity gave it: that metric alone, against that setting alone.
[[nodiscard]] figures::Figure sensitivity_figure(const FigureRuns& runs,
                                                 const std::string& name = "sensitivity");

/// Checks metric (a column of results.csv: "test_mae") and setting (a dotted key) of such a name. Throws an
/// input Error with the nearest.
void check_sensitivity(const std::string& name);

}  // namespace casp::gui
