#pragma once
// The runs that figures are made of: read from their folders, named and ordered by what was swept.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "figures/paper_input.h"
#include "panels/compare/compare_data.h"
#include "store/run_record.h"

namespace casp::gui {

/// Complete runs of a batch, or those that somebody chose. Pointers of `cells` are into `inputs`.
struct FigureRuns {
    std::vector<std::unique_ptr<store::RunRecord>> records;
    std::vector<figures::RunInput> inputs;
    std::vector<widgets::CompareRun> compared;
    QStringList swept;  ///< settings in which the runs differ, without the seed: λ_cov first
    std::vector<figures::PaperCell> cells;
};

/// Reads run.json, config.toml and run.h5 of each folder, in that order. Runs that are not complete, or
/// cannot be read, are left out and told in `notes`. The settings that differ are those of the sweep where
/// the runs were swept alike, else what their configurations tell. Any thread.
[[nodiscard]] FigureRuns read_figure_runs(const std::vector<std::filesystem::path>& folders,
                                          std::vector<std::string>& notes);

}  // namespace casp::gui
