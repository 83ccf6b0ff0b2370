#pragma once
// The runs beside a new one in the folder of its experiment: what distinguishes it from them, in the tables
// and in its name.

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <QString>

#include "config/experiment.h"

namespace casp::gui {

/// Keys and values as text, as in RunPlan::swept.
using Swept = std::vector<std::pair<std::string, std::string>>;

class RunSiblings {
public:
    RunSiblings() = default;
    /// Reads the run.json of the runs in the folder of an experiment; without runs if it does not exist.
    /// Throws an input Error if it cannot be read.
    explicit RunSiblings(const QString& batch);

    /// Settings for the plan's `swept`, so that the tables average only runs that differ in the seed: its
    /// model if the experiment began with another, what was changed since the first run of the same cell or,
    /// for a fork, since its parent, and the parent itself.
    [[nodiscard]] Swept changes(const config::RunPlan& plan) const;

private:
    std::map<Swept, std::filesystem::path> first_of_cells_;  ///< by store::cell_settings()
    std::string model_;                                      ///< of the first run; empty: none
};

/// "model-patchtst_seed-2021": a run's name with these changes, as names of sweeps; the name itself if that
/// would be too long.
[[nodiscard]] std::string name_with(const Swept& changes, const std::string& name);

}  // namespace casp::gui
