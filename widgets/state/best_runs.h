#pragma once
// The best run of each task: the lowest validation MSE among runs whose errors compare.

#include <vector>

#include <QHash>
#include <QString>

#include "state/run_rows.h"

namespace casp::widgets {

class BestRuns {
public:
    explicit BestRuns(RunRows& rows) : rows_(rows) {}

    /// Notes the run's data set and horizon; before mark().
    void set_task(RunRow& row);
    /// Sets RunSummary::best of all rows.
    void mark();
    /// Before the row is removed.
    void forget(const RunRow& row);
    void clear();

private:
    RunRows& rows_;
    QHash<QString, int> tasks_;
    std::vector<RunRow*> best_;  ///< by task
};

}  // namespace casp::widgets
