#pragma once
// What runs are called beside one another: one run has one name in all views of a page.
//
// A name is made of the task ("sample-96"), the swept settings by their symbols, λ_cov and the seed. Parts
// that all runs of the list share tell nothing and are left out, so that names stay short enough to be read
// whole; what differs is always there. Any thread.

#include <vector>

#include <QStringList>

#include "state/run_data.h"

namespace casp::widgets {

/// A name for each of `runs` (none null), in their order, no two the same: "λ_cov 0.1 · τ 96" and
/// "λ_cov 0.5 · τ 96". A single run has its whole label(); runs that differ in nothing of this are told apart
/// by their batches, then by their folders.
[[nodiscard]] QStringList names_among(const std::vector<const RunSummary*>& runs);

/// "a, b, c, d, e and 12 more": what a line has room for.
[[nodiscard]] QString some_names(const QStringList& names);

}  // namespace casp::widgets
