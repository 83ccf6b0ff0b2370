#pragma once
// The runs of the figures, read from their folders, labelled and ordered by the swept settings.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "figures/comparison.h"
#include "figures/paper_input.h"
#include "store/run_record.h"

namespace casp::figure_jobs {

/// Complete runs of a batch, or the shown ones. `cells` points into `inputs`.
struct FigureRuns {
    std::vector<std::unique_ptr<store::RunRecord>> records;
    std::vector<figures::RunInput> inputs;
    std::vector<figures::CompareRun> compared;
    QStringList swept;  ///< settings in which the runs differ, except the seed; the case or λ_cov first
    std::vector<figures::PaperCell> cells;
};

/// Reads run.json, config.toml and run.h5 of each folder, in that order. Incomplete and unreadable runs are
/// omitted with a note in `notes`. The differing settings are those of the sweep if all runs have the same
/// swept keys, else those in which their configurations differ. Any thread.
[[nodiscard]] FigureRuns read_figure_runs(const std::vector<std::filesystem::path>& folders,
                                          std::vector<Phrase>& notes);

}  // namespace casp::figure_jobs
