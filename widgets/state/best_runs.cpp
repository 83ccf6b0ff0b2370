#include "state/best_runs.h"

#include <cmath>
#include <utility>
#include <vector>

namespace casp::widgets {

void BestRuns::set_task(RunRow& row, const std::string& terms) {
    const auto& result = row.summary.row;
    const auto task = QStringLiteral("%1\x1f%2\x1f%3\x1f%4")
                          .arg(QString::fromStdString(result.data), QString::number(result.horizon),
                               QString::fromStdString(result.model), QString::fromStdString(terms));
    row.task = tasks_.value(task, -1);
    if (row.task >= 0) return;
    row.task = static_cast<int>(tasks_.size());
    tasks_.insert(task, row.task);
}

void BestRuns::mark() {
    std::vector<RunRow*> best(static_cast<std::size_t>(tasks_.size()), nullptr);
    std::vector<int> runs(best.size(), 0);
    for (const auto& row : rows_.all()) {
        const auto& result = row->summary.row;
        if (row->task < 0 || !store::is_complete(result.state) ||
            !std::isfinite(store::validation_error(result)))
            continue;
        ++runs[static_cast<std::size_t>(row->task)];
        auto& leader = best[static_cast<std::size_t>(row->task)];
        if (leader == nullptr ||
            store::validation_error(result) < store::validation_error(leader->summary.row))
            leader = row.get();
    }
    for (const auto& row : rows_.all()) {
        const auto task = static_cast<std::size_t>(row->task);
        const bool is_best = row->task >= 0 && best[task] == row.get() && runs[task] > 1;
        if (std::exchange(row->summary.best, is_best) != is_best) rows_.touch(*row);
    }
}

}  // namespace casp::widgets
