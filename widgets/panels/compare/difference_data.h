#pragma once
// Settings in which runs differ, with their results side by side. Pure functions; any thread.

#include <memory>
#include <vector>

#include <QStringList>

#include "config/config.h"
#include "state/run_data.h"

namespace casp::widgets {

struct DifferenceRun {
    RunSummary summary;
    std::shared_ptr<const config::Config> config;  ///< null: not read yet, or not readable
    QString problem;                               ///< why not; empty: still being read
};

struct DifferenceRow {
    QString name;        ///< key, or name of the result
    QString help;        ///< one sentence, with the paper's symbol where it has one
    QStringList values;  ///< one per run
    QString change;      ///< of a result, from the first of two runs to the second: "−0.0031 (−0.8 %)"
    bool result = false;
    bool differs = true;
};

/// First the settings, in the order of the option list (`all`: also those that are equal), then the results.
/// A run whose configuration is not there has "…" or "not readable" in every setting.
[[nodiscard]] std::vector<DifferenceRow> difference_rows(const std::vector<DifferenceRun>& runs, bool all);

/// With a header line of the runs' labels.
[[nodiscard]] QString difference_markdown(const std::vector<DifferenceRun>& runs,
                                          const std::vector<DifferenceRow>& rows);
[[nodiscard]] QString difference_csv(const std::vector<DifferenceRun>& runs,
                                     const std::vector<DifferenceRow>& rows);

}  // namespace casp::widgets
