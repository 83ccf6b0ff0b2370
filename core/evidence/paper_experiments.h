#pragma once
// The experiments shipped for the paper's tables and figures (resources/experiments/paper). Thread-safe.

#include <string>
#include <vector>

#include "config/experiment.h"

namespace casp::evidence {

/// Names in alphabetical order: "alignment", "anchors", …; those of tables as in paper_table_names().
[[nodiscard]] std::vector<std::string> paper_experiment_names();

/// The experiment of "paper:NAME", or of the file of any other text. Throws as config::load(), and input
/// Errors that name the nearest experiment, or the presets that this version does not have.
[[nodiscard]] config::Experiment load_experiment(const std::string& target,
                                                 const std::vector<std::string>& sets = {});

/// Whether a finished run with the settings `run` has everything that one with `planned` would have: equal
/// settings, seed and preset (or none), but for names and [run]; the same precision, and at least the same
/// stored arrays.
[[nodiscard]] bool covers(const config::Config& run, const config::Config& planned);

}  // namespace casp::evidence
