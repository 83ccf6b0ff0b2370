#pragma once
// Figures of metrics against settings: the Compare page, and "sensitivity" of --figures.

#include <string>
#include <vector>

#include "figures/comparison.h"
#include "figures/figure.h"

namespace casp::figures {

struct CompareLook {
    QString colour_by;   ///< lines with the same value of this key share a colour; empty: one colour per line
    bool log_x = false;  ///< 0 is placed separately at the left, joined by a dashed line
    bool singles = true;     ///< plot the runs behind a mean as faint marks
    bool last_value = true;  ///< plot the persistence forecast's error as a rule
};

/// Mean ± sample standard deviation of a metric against a setting, a line per remaining combination. Runs
/// finished early, and means that include them, have hollow marks, explained in the legend. `Series::ids` of
/// single-run points are indices into the compared runs.
[[nodiscard]] Figure compare_figure(const Comparison& comparison, const CompareLook& look);

/// Test MSE, usage entropy and key cosine (if known) against every swept setting, one plot each; mean and
/// sample standard deviation over seeds, one line per combination of the other settings. The CSV has all
/// metrics of results.csv. `name` is "sensitivity", "sensitivity:METRIC" or "sensitivity:METRIC:KEY"
/// (checked by check_sensitivity) for one metric and one setting. Runs that were finished early are hollow
/// and excluded from means; the suffix ":early" includes them.
[[nodiscard]] Figure sensitivity(const std::vector<CompareRun>& runs, const QStringList& swept,
                                 const std::string& name = "sensitivity");

/// Checks such a name: metric (a column of results.csv: "test_mae"), setting (a dotted key), suffix. Throws
/// an input Error with the nearest valid name.
void check_sensitivity(const std::string& name);

}  // namespace casp::figures
