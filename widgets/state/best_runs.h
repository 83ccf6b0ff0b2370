#pragma once
// The best run of each task, model and training budget: the lowest validation error of two or more runs.

#include <string>

#include <QHash>
#include <QString>

#include "state/run_rows.h"

namespace casp::widgets {

class BestRuns {
public:
    explicit BestRuns(RunRows& rows) : rows_(rows) {}

    /// Notes what the run's error compares with, before mark(). `terms`: as in store::ScannedRun.
    void set_task(RunRow& row, const std::string& terms);
    /// Sets RunSummary::best of all rows.
    void mark();
    void clear() { tasks_.clear(); }

private:
    RunRows& rows_;
    QHash<QString, int> tasks_;  ///< by data, horizon, model and terms
};

}  // namespace casp::widgets
