#pragma once
// The runs that a table of the paper misses: with which settings, and how long they would take. Without
// LibTorch; any thread.

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "evidence/paper_table.h"
#include "util/phrase.h"

namespace casp::evidence {

/// Settings in which the table's runs differ from the paper's: key, and value as TOML. Missing runs need them
/// too: others would not be listed with these.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> settings_of_runs(const PaperTable& table);

/// Estimated time of a run.
struct RunTime {
    double seconds = 0;  ///< without early stopping; 0: unknown
    Phrase problem;      ///< why it is unknown; may be empty
};

/// Estimates a run with this configuration; does not throw, except Cancelled.
using TimeFunction = std::function<RunTime(const config::Config&, const std::stop_token&)>;

/// Estimated time of missing runs, one after another, without early stopping.
struct MissingTime {
    double seconds = 0;
    std::int64_t unknown = 0;  ///< runs that are not in `seconds`
    Phrase problem;            ///< why their time is unknown
};

/// Estimates each missing configuration that this version can run, with settings_of_runs(). Throws Cancelled.
[[nodiscard]] MissingTime time_of_missing(const PaperTable& table, const TimeFunction& time_of_run,
                                          const std::stop_token& stop = {});

/// "32 runs are missing: up to about 5 h 20 min on this computer, one after another and without early
/// stopping.", and how many of the times are unknown, with the reason. Empty if none is missing.
[[nodiscard]] Phrase missing_time_text(const PaperTable& table, const MissingTime& time);

}  // namespace casp::evidence
