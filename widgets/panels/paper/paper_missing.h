#pragma once
// Runs that a table of the paper misses, and the experiment that makes them.

#include <string>

#include <QString>

#include "evidence/paper_table.h"

namespace casp::widgets {

/// "32 runs are missing."
[[nodiscard]] QString missing_runs_text(const evidence::PaperTable& table);

/// The shipped experiment `name` with the settings in which the table's runs differ from the paper's: other
/// runs would not be listed with them.
[[nodiscard]] QString missing_runs_toml(const evidence::PaperTable& table, const std::string& name);

}  // namespace casp::widgets
