#pragma once
// What the next run will cost, for the experiment form: reads the data file's size once and measures the
// machine once.

#include "panels/experiment_estimate.h"

namespace casp::gui {

/// A function that any thread may call; it blocks for as long as the file takes to read the first time.
[[nodiscard]] widgets::PreviewFunction make_preview_function();

}  // namespace casp::gui
