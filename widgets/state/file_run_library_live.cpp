// What the queue of this process tells FileRunLibrary.
#include <utility>

#include <QDateTime>

#include "state/file_run_entry.h"

namespace casp::widgets {

bool FileRunLibrary::is_here(const QString& run_folder) const {
    return !folder_.isEmpty() && run_folder.startsWith(folder_ + QLatin1Char('/'));
}

void FileRunLibrary::live_added(const QString& run_folder) {
    if (!is_here(run_folder)) return;
    auto* entry = find(run_folder);
    if (entry == nullptr) {
        // In the list at once, so that it can be selected; its row follows when run.json has been read.
        entry = &append(run_folder);
        entry->summary.row.run = entry->summary.name.toStdString();
        give_colour(*entry);
        entry->queued_here = true;
        entry->summary.created = QDateTime::currentDateTimeUtc().toString(Qt::ISODateWithMs);
        Q_EMIT added(entry->index, entry->index);
    } else {
        entry->queued_here = true;
        entry->summary.row.state = store::RunState::queued;
        entry->summary.message.clear();
        touch(*entry);
    }
    // Its row, and perhaps a colour that it had before.
    scan_runs({run_folder});
}

/// The run of which a worker of ours tells something. Its beginning was not heard where another folder was
/// open then.
FileRunLibrary::Entry* FileRunLibrary::join_live(const QString& run_folder) {
    auto* entry = find(run_folder);
    if (entry == nullptr || entry->summary.ours) return entry;
    auto& s = entry->summary;
    entry->queued_here = false;
    s.ours = s.live = true;
    s.row.state = store::RunState::running;
    s.message.clear();
    data_of(*entry).live_joined();
    touch(*entry);
    return entry;
}

void FileRunLibrary::live_progress(const QString& run_folder, const Progress& progress) {
    auto* entry = find(run_folder);
    if (entry == nullptr) return;
    // A run that waited here is being prepared: it has not begun.
    if (!entry->queued_here) entry = join_live(run_folder);
    data_of(*entry).live_progress(progress);
}

void FileRunLibrary::live_started(const QString& run_folder, const train::RunStarted& started) {
    if (!is_here(run_folder)) return;
    if (find(run_folder) == nullptr) live_added(run_folder);
    auto& entry = *find(run_folder);
    auto& s = entry.summary;
    entry.queued_here = false;
    s.ours = s.live = true;
    s.row.state = store::RunState::running;
    s.row.backbone = started.backbone;
    s.row.data = started.data;
    s.message.clear();
    data_of(entry).live_started(started);
    Q_EMIT changed(entry.index);
}

void FileRunLibrary::live_steps(const QString& run_folder, const std::vector<train::StepReport>& steps) {
    auto* entry = steps.empty() ? nullptr : join_live(run_folder);
    if (entry == nullptr) return;
    entry->summary.row.steps = steps.back().step;
    data_of(*entry).live_steps(steps);
    touch(*entry);
}

void FileRunLibrary::live_epoch(const QString& run_folder, const train::EpochReport& epoch) {
    auto* entry = join_live(run_folder);
    if (entry == nullptr) return;
    auto& row = entry->summary.row;
    row.epochs = epoch.epoch;
    if (epoch.best) {
        row.best_epoch = epoch.epoch;
        row.val_mse = epoch.val_mse;
    }
    data_of(*entry).live_epoch(epoch);
    touch(*entry);
}

void FileRunLibrary::live_snapshot(const QString& run_folder,
                                   const std::shared_ptr<const train::AnchorSnapshot>& snapshot) {
    if (!snapshot) return;
    if (auto* entry = join_live(run_folder)) data_of(*entry).live_snapshot(*snapshot);
}

void FileRunLibrary::live_probe(const QString& run_folder, std::shared_ptr<const train::Probe> probe) {
    if (auto* entry = join_live(run_folder)) data_of(*entry).live_probe(std::move(probe));
}

void FileRunLibrary::live_halted(const QString& run_folder, const QString& how) {
    if (auto* entry = find(run_folder); entry != nullptr && entry->data) entry->data->live_halted(how);
}

void FileRunLibrary::live_finished(const QString& run_folder, const store::ResultRow& row) {
    auto* entry = find(run_folder);
    if (entry == nullptr) return;
    entry->summary.row = row;
    entry->summary.message.clear();
    entry->on_disk = true;
    live_end(*entry);
}

void FileRunLibrary::live_failed(const QString& run_folder, const QString& text) {
    auto* entry = find(run_folder);
    if (entry == nullptr) return;
    entry->summary.row.state = store::RunState::failed;
    entry->summary.message = text;
    live_end(*entry);
}

void FileRunLibrary::live_end(Entry& entry) {
    entry.queued_here = false;
    entry.summary.ours = entry.summary.live = false;
    data_of(entry).live_ended();
    set_task(entry);
    mark_best();
    Q_EMIT changed(entry.index);
    scan_runs({entry.summary.folder});
}

}  // namespace casp::widgets
