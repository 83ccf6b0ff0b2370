#pragma once
// Runs that a table of the paper misses: their time on this computer, and the experiment that makes them.

#include <optional>
#include <stop_token>
#include <string>

#include <QString>

#include "evidence/missing_time.h"
#include "panels/experiment/experiment_estimate.h"

namespace casp::widgets {

using evidence::MissingTime;

/// evidence::time_of_missing() with the form's estimates. Worker thread. Throws Cancelled.
[[nodiscard]] MissingTime time_of_missing(const evidence::PaperTable& table, const PreviewFunction& preview,
                                          const std::stop_token& stop);

/// "32 runs are missing, up to about 5 h 20 min on this computer." Without `time`, without the clause;
/// `pending`: it is being estimated.
[[nodiscard]] QString missing_runs_text(const evidence::PaperTable& table,
                                        const std::optional<MissingTime>& time, bool pending);

/// The shipped experiment `name` with the settings in which the table's runs differ from the paper's: other
/// runs would not be listed with them.
[[nodiscard]] QString missing_runs_toml(const evidence::PaperTable& table, const std::string& name);

}  // namespace casp::widgets
