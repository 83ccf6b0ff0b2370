#pragma once
// Estimated memory and time of the next run, for the experiment form. Reads the data file once, and measures
// the machine once.

#include <QString>

#include "panels/experiment/experiment_estimate.h"

namespace casp::gui {

/// For any thread; the first call blocks until the file is read.
[[nodiscard]] widgets::PreviewFunction make_preview_function();

/// Why the backbone of a run is not available, without a full stop ("GPT-2 is not on this computer yet");
/// empty: it is. Reads the disk. Any thread.
[[nodiscard]] QString backbone_problem(const config::Config& config);

}  // namespace casp::gui
