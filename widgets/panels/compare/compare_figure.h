#pragma once
// The figure of the page Compare, from a comparison alone. Pure; any thread.

#include "figures/figure.h"
#include "panels/compare/compare_data.h"

namespace casp::widgets {

struct CompareLook {
    QString colour_by;       ///< lines that share this key's value share a colour; empty: each has its own
    bool log_x = false;      ///< 0 gets a place of its own at the left, joined by a dashed line
    bool singles = true;     ///< the runs behind a mean, faint
    bool last_value = true;  ///< the last-value forecast's error as a rule
};

/// Mean ± sample standard deviation of a metric against a setting, a line per remaining combination. Runs
/// that were finished early are hollow, and so are means that count them; the legend says which of both.
/// `Series::ids` of the points of single runs are indices into the runs that were compared.
[[nodiscard]] figures::Figure compare_figure(const Comparison& comparison, const CompareLook& look);

/// What its caption says besides metric and setting, for captions of several: "n = 3. Faint: single runs."
[[nodiscard]] QString comparison_remarks(const Comparison& comparison, const CompareLook& look);

}  // namespace casp::widgets
