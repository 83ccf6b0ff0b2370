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

RunRow* LiveRuns::join(const QString& run_folder) {
    auto* row = rows_.find(run_folder);
    if (row == nullptr || row->summary.ours) return row;
    begin(*row);
    rows_.data(*row).live_joined();
    rows_.touch(*row);
    return row;
}

void LiveRuns::progress(const QString& run_folder, const Progress& progress) {
    auto* row = rows_.find(run_folder);
    if (row == nullptr) return;
    // A queued run is being prepared: it has not begun.
    if (!row->queued_here) row = join(run_folder);
    rows_.data(*row).live_progress(progress);
}

void LiveRuns::started(const QString& run_folder, const train::RunStarted& started) {
    if (!rows_.is_here(run_folder)) return;
    if (rows_.find(run_folder) == nullptr) added(run_folder);
    auto& row = *rows_.find(run_folder);
    begin(row);
    row.summary.row.backbone = started.backbone;
    row.summary.row.precision = started.precision;
    row.summary.row.data = started.data;
    rows_.data(row).live_started(started);
    rows_.notify_changed(row);
}

void LiveRuns::steps(const QString& run_folder, const std::vector<train::StepReport>& steps) {
    auto* row = steps.empty() ? nullptr : join(run_folder);
    if (row == nullptr) return;
    row->summary.row.steps = steps.back().step;
    rows_.data(*row).live_steps(steps);
    rows_.touch(*row);
}

void LiveRuns::epoch(const QString& run_folder, const train::EpochReport& epoch) {
    auto* row = join(run_folder);
    if (row == nullptr) return;
    auto& result = row->summary.row;
    result.epochs = epoch.epoch;
    if (epoch.best) {
        result.best_epoch = epoch.epoch;
        result.val_mse = epoch.val_mse;
        result.val_smape = epoch.val_smape;
    }
    rows_.data(*row).live_epoch(epoch);
    rows_.touch(*row);
}

void LiveRuns::snapshot(const QString& run_folder,
                        const std::shared_ptr<const train::AnchorSnapshot>& snapshot) {
    if (!snapshot) return;
    if (auto* row = join(run_folder)) rows_.data(*row).live_snapshot(*snapshot);
}

void LiveRuns::probe(const QString& run_folder, std::shared_ptr<const train::Probe> probe) {
    if (auto* row = join(run_folder)) rows_.data(*row).live_probe(std::move(probe));
}

void LiveRuns::halted(const QString& run_folder, const QString& how) {
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
