#include "state/live_runs.h"

#include <utility>

#include <QDateTime>

namespace casp::widgets {

LiveRuns::LiveRuns(RunRows& rows, RunMarksKeeper& marks) : rows_(rows), marks_(marks) {}

void LiveRuns::added(const QString& run_folder) {
    if (!rows_.is_here(run_folder)) return;
    if (auto* row = rows_.find(run_folder); row != nullptr) {
        row->queued_here = true;
        row->summary.row.state = store::RunState::queued;
        row->summary.message.clear();
        rows_.touch(*row);
    } else {
        // Listed at once, so that it can be selected; the rest follows when run.json has been read.
        auto& added = rows_.append(run_folder);
        marks_.adopt(added);
        added.summary.row.run = added.summary.name.toStdString();
        marks_.give_colour(added);
        added.queued_here = true;
        added.summary.created = QDateTime::currentDateTimeUtc().toString(Qt::ISODateWithMs);
        rows_.notify_added(added.index, added.index);
    }
    Q_EMIT scan_requested({run_folder});
}

void LiveRuns::begin(RunRow& row) {
    row.queued_here = false;
    row.summary.ours = row.summary.live = true;
    row.summary.row.state = store::RunState::running;
    row.summary.message.clear();
}

void LiveRuns::grew(const QString& run_folder, const std::shared_ptr<const train::RunLog>& log) {
    if (!rows_.is_here(run_folder)) return;
    const auto now = log->now();
    if (now.started && rows_.find(run_folder) == nullptr) added(run_folder);
    auto* row = rows_.find(run_folder);
    if (row == nullptr) return;
    const bool begins = now.started && !row->summary.ours;
    if (begins) begin(*row);
    auto& result = row->summary.row;
    if (now.started) {
        result.backbone = now.started->backbone;
        result.precision = now.started->precision;
        result.data = now.started->data;
    }
    if (now.step) result.steps = now.step->step;
    if (now.epoch) result.epochs = now.epoch->epoch;
    if (now.best) {
        result.best_epoch = now.best->epoch;
        result.val_mse = now.best->val_mse;
        result.val_smape = now.best->val_smape;
    }
    rows_.data(*row).follow(log, now);
    if (begins)
        rows_.notify_changed(*row);
    else
        rows_.touch(*row);
}

void LiveRuns::halted(const QString& run_folder, Halt how) {
    if (auto* row = rows_.find(run_folder); row != nullptr && row->data) row->data->live_halted(how);
}

void LiveRuns::finished(const QString& run_folder, const store::ResultRow& result) {
    auto* row = rows_.find(run_folder);
    if (row == nullptr) return;
    row->summary.row = result;
    row->summary.message.clear();
    Q_EMIT written(run_folder);
    end(*row);
}

void LiveRuns::failed(const QString& run_folder, const QString& text) {
    auto* row = rows_.find(run_folder);
    if (row == nullptr) return;
    row->summary.row.state = store::RunState::failed;
    row->summary.message = text;
    end(*row);
}

void LiveRuns::end(RunRow& row) {
    row.queued_here = false;
    row.summary.ours = row.summary.live = false;
    rows_.data(row).live_ended();
    rows_.notify_changed(row);
    Q_EMIT scan_requested({row.summary.folder});
}

}  // namespace casp::widgets
