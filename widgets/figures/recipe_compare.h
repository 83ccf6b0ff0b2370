#pragma once
// Figure of a metric against a setting with the paired differences: the Compare page and, plot by plot, the
// figure "sensitivity".

#include <string>
#include <vector>

#include "figures/comparison.h"
#include "figures/figure.h"

namespace casp::figures {

struct CompareLook {
    QString colour_by;   ///< lines with the same value of this key share a colour; empty: one colour per line
    bool log_x = false;  ///< 0 is placed separately at the left, joined by a dashed line
    bool singles = true;     ///< plot the runs behind a mean as faint marks, those of a seed joined
    bool last_value = true;  ///< plot the persistence forecast's error as a rule
    bool difference = true;  ///< second plot: the tests of the comparison that have two or more pairs
};

/// First plot: mean ± sample standard deviation of a metric against a setting, a line per remaining
/// combination; means of single runs are not joined. The y axis covers at least ±5 % of its middle (cosines:
/// ±0.05). Runs finished early, and means that include them, have hollow marks, explained in the legend.
/// `Series::ids` of single-run points are indices into the compared runs.
///
/// Second plot: mean of the paired differences from the base with its 95 % interval, a mark per line and
/// value and one over all tasks, in per cent of the base's mean (cosines: as they are); at least ±1 %
/// (±0.01).
[[nodiscard]] Figure compare_figure(const Comparison& comparison, const CompareLook& look);

/// Whether the means of a line are over different seeds; not for an axis of seeds.
[[nodiscard]] bool has_unequal_seeds(const Comparison& comparison);

/// The caption without metric and setting, for combined captions: "n = 3. Faint marks: single runs."
[[nodiscard]] QString comparison_remarks(const Comparison& comparison, const CompareLook& look);

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
