#pragma once
// Labels of a run's windows for strata, from its data file. Does not include LibTorch's headers.

#include <filesystem>
#include <stop_token>
#include <vector>

#include "analysis/window_labels.h"
#include "config/config.h"
#include "data/prepared.h"
#include "store/embeddings.h"
#include "util/progress.h"

namespace casp::analysis {

/// The data file of a run with the settings `config`, prepared as for training. Throws an input Error if it
/// cannot be read or is not the run's (by digest), and Cancelled. Thread-safe.
[[nodiscard]] data::PreparedData data_of_run(const std::filesystem::path& run, const config::Config& config,
                                             const ProgressFn& progress = {},
                                             const std::stop_token& stop = {});

/// Labels [n] of the windows and channels of `of` (start, channels), for StrataInput::label. Reads
/// the run's data file, scaled as for training; lengths of the decomposition and the look-back are the run's,
/// so that runs of different models with equal lengths have the same labels. No weights and no anchors are
/// needed. Empty for the residual, which is stored with embeddings.
///
/// Throws an input Error if the file is not the run's (by digest), or if it has no season of two or more rows
/// (data/calendar_step.h) for the low-frequency share; and Cancelled. Progress: reading, then "Labelling
/// windows". Thread-safe.
[[nodiscard]] std::vector<double> strata_labels(const std::filesystem::path& run, const StrataAxis& axis,
                                                const store::Embeddings& of, const ProgressFn& progress = {},
                                                const std::stop_token& stop = {});
/// The same with the run's settings and data file, data_of_run(), which have been read already.
[[nodiscard]] std::vector<double> strata_labels(const data::PreparedData& prepared,
                                                const config::Config& config, const StrataAxis& axis,
                                                const store::Embeddings& of, const ProgressFn& progress = {},
                                                const std::stop_token& stop = {});

}  // namespace casp::analysis
