#pragma once
// Table of differing settings and results of several runs. Pure functions; any thread.

#include <memory>
#include <vector>

#include <QStringList>

#include "config/config.h"
#include "state/run_data.h"

namespace casp::widgets {

struct DifferenceRun {
    RunSummary summary;
    std::shared_ptr<const config::Config> config;  ///< null: not read yet, or unreadable
    QString problem;                               ///< why it is unreadable; empty: still being read
};

struct DifferenceRow {
    QString key;         ///< of a setting, for files; empty: a result
    QString name;        ///< of the setting or result
    QString help;        ///< one sentence
    QStringList values;  ///< one per run
    QString change;  ///< for results: change from the first of two runs to the second: "−0.0031 (−0.8 %)"
    bool result = false;
    bool differs = true;
};

/// Settings in the order of the option list (`all`: including equal ones), then results. A run without a
/// configuration has "…" or "not readable" in every setting.
[[nodiscard]] std::vector<DifferenceRow> difference_rows(const std::vector<DifferenceRun>& runs, bool all);

/// With a header line of the runs' labels.
[[nodiscard]] QString difference_markdown(const std::vector<DifferenceRun>& runs,
                                          const std::vector<DifferenceRow>& rows);
[[nodiscard]] QString difference_csv(const std::vector<DifferenceRun>& runs,
                                     const std::vector<DifferenceRow>& rows);

}  // namespace casp::widgets
