#pragma once
// What the next run will cost, for the experiment form: reads the data file's size once and measures the
// machine once.

#include <QString>

#include "panels/experiment/experiment_estimate.h"

namespace casp::gui {

/// A function that any thread may call; it blocks for as long as the file takes to read the first time.
[[nodiscard]] widgets::PreviewFunction make_preview_function();

/// Why the backbone that a run needs cannot be had, in the window's words without a full stop ("GPT-2 is not
/// on this computer yet"); empty: it can. Looks at the disk. Any thread.
[[nodiscard]] QString backbone_problem(const config::Config& config);

}  // namespace casp::gui
