#pragma once
// Figure of the Compare page, from a comparison. Pure function, any thread.

#include "figures/figure.h"
#include "panels/compare/compare_data.h"

namespace casp::widgets {

struct CompareLook {
    QString colour_by;   ///< lines with the same value of this key share a colour; empty: one colour per line
    bool log_x = false;  ///< 0 is placed separately at the left, joined by a dashed line
    bool singles = true;     ///< plot the runs behind a mean as faint marks
    bool last_value = true;  ///< plot the persistence forecast's error as a rule
};

/// Mean ± sample standard deviation of a metric against a setting, a line per remaining combination. Runs
/// finished early, and means that include them, have hollow marks, explained in the legend. `Series::ids` of
/// single-run points are indices into the compared runs.
[[nodiscard]] figures::Figure compare_figure(const Comparison& comparison, const CompareLook& look);

/// The caption without metric and setting, for combined captions: "n = 3. Faint marks: single runs."
[[nodiscard]] QString comparison_remarks(const Comparison& comparison, const CompareLook& look);

}  // namespace casp::widgets
