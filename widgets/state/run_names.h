#pragma once
// Names of runs shown together: a run has the same name in all views of a page.
//
// A name consists of the task ("sample-96"), the model unless it is CASP-LLM, the label of the case, the
// swept settings by their symbols or words, λ_cov and the seed. Parts common to all runs of the list are
// omitted, to keep names short; differing parts never are. Any thread.

#include <vector>

#include <QStringList>

#include "state/run_data.h"

namespace casp::widgets {

class RunLibrary;

/// "PatchTST", "DLinear (imported)" for forecasts made by other code; empty if not known yet.
[[nodiscard]] QString model_of(const store::ResultRow& row);

/// Without λ_cov and seed: "my-first · K 8", "ettm2-small · PatchTST".
[[nodiscard]] QString compact_title(const RunSummary& run);
/// The run's name in messages and lists: "my-first · λ_cov 0.1 · seed 2021".
[[nodiscard]] QString run_title(const RunSummary& run);
/// For a run that may not be in the list: then the last two parts of its folder.
[[nodiscard]] QString run_title(const RunLibrary& library, const QString& folder);

/// A unique name for each of `runs` (none null), in their order: "λ_cov 0.1 · L 96" and "λ_cov 0.5 · L 96". A
/// single run has its whole label(). Runs with equal settings are distinguished by batch, then by folder.
[[nodiscard]] QStringList names_among(const std::vector<const RunSummary*>& runs);

/// "a, b, c, d, e and 12 more": shortened to one line.
[[nodiscard]] QString some_names(const QStringList& names);

}  // namespace casp::widgets
