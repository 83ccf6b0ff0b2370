#pragma once
// "sensitivity": metrics against what was swept.

#include <string>

#include "figures/figure.h"
#include "gui/figure_runs.h"

namespace casp::gui {

/// Test MSE, usage entropy and key cosine (those that are known) against every swept setting, a plot each;
/// mean and sample standard deviation over seeds, a line per combination of the other settings. The numbers:
/// all metrics of the page Compare against each setting. `name` "sensitivity:METRIC" or
/// "sensitivity:METRIC:KEY", as check_sensitivity let it pass: that metric alone, against that setting alone.
/// Runs that were finished early are hollow and in no mean; with ":early" at the end of `name` they are in
/// the means.
[[nodiscard]] figures::Figure sensitivity_figure(const FigureRuns& runs,
                                                 const std::string& name = "sensitivity");

/// Checks metric (a column of results.csv: "test_mae"), setting (a dotted key) and what else stands in such a
/// name. Throws an input Error with the nearest.
void check_sensitivity(const std::string& name);

}  // namespace casp::gui
