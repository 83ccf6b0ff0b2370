#pragma once
// The shipped experiments: for the paper's tables and figures (resources/experiments/paper, "paper:NAME"),
// and studies of what it leaves open (resources/experiments/study, "study:NAME"). Thread-safe.

#include <string>
#include <string_view>
#include <vector>

#include "config/experiment.h"

namespace casp::evidence {

/// Names in alphabetical order: "alignment", "anchors", …; those of tables as in paper_table_names().
[[nodiscard]] std::vector<std::string> paper_experiment_names();

/// Likewise of the studies: "few-shot", "language-model", …
[[nodiscard]] std::vector<std::string> study_names();

/// "paper:lambda", …, "study:few-shot", …
[[nodiscard]] std::vector<std::string> shipped_targets();
/// Whether the text names a shipped experiment of one of the two kinds, and not a file.
[[nodiscard]] bool is_shipped_target(std::string_view target);

/// The shipped target whose batch folder has this name: "paper:lambda" of "paper-lambda"; empty: none.
[[nodiscard]] std::string target_of_folder(std::string_view folder);

/// The experiment of "paper:NAME" or "study:NAME", or of the file of any other text. Throws as
/// config::load(), and input Errors that name the nearest experiment, or the presets that this version does
/// not have.
[[nodiscard]] config::Experiment load_experiment(const std::string& target,
                                                 const std::vector<std::string>& sets = {});

/// Whether a finished run with the settings `run` has everything that one with `planned` would have: equal
/// settings, seed and preset (or none), but for names and [run]; the same precision, and at least the same
/// stored arrays.
[[nodiscard]] bool covers(const config::Config& run, const config::Config& planned);

}  // namespace casp::evidence
