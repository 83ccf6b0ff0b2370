#include "state/best_runs.h"

#include <algorithm>
#include <cmath>

#include "config/options.h"

namespace casp::widgets {

namespace {

/// What two runs must share for their errors to compare.
QString task_of(const store::ResultRow& row) {
    QString task =
        QStringLiteral("%1\x1f%2").arg(QString::fromStdString(row.data), QString::number(row.horizon));
    for (const auto& [key, value] : row.swept)
        if (config::changes_the_task(key))
            task += QStringLiteral("\x1e%1\x1f%2")
                        .arg(QString::fromStdString(key), QString::fromStdString(value));
    return task;
}

}  // namespace

void BestRuns::set_task(RunRow& row) {
    const auto task = task_of(row.summary.row);
    row.task = tasks_.value(task, -1);
    if (row.task >= 0) return;
    row.task = static_cast<int>(tasks_.size());
    tasks_.insert(task, row.task);
}

void BestRuns::mark() {
    std::vector<RunRow*> best(static_cast<std::size_t>(tasks_.size()), nullptr);
    for (const auto& row : rows_.all()) {
        const auto& result = row->summary.row;
        if (row->task < 0 || !store::is_complete(result.state) ||
            !std::isfinite(store::validation_error(result)))
            continue;
        auto& leader = best[static_cast<std::size_t>(row->task)];
        if (leader == nullptr ||
            store::validation_error(result) < store::validation_error(leader->summary.row))
            leader = row.get();
    }
    best_.resize(best.size(), nullptr);
    for (std::size_t task = 0; task < best.size(); ++task) {
        if (best_[task] == best[task]) continue;
        for (auto* row : {best_[task], best[task]}) {
            if (row == nullptr) continue;
            row->summary.best = row == best[task];
            rows_.touch(*row);
        }
        best_[task] = best[task];
    }
}

void BestRuns::forget(const RunRow& row) {
    std::replace_if(
        best_.begin(), best_.end(), [&row](const RunRow* best) { return best == &row; }, nullptr);
}

void BestRuns::clear() {
    tasks_.clear();
    best_.clear();
}

}  // namespace casp::widgets
