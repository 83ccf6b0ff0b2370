#include "state/file_run_library.h"

#include <utility>

#include <QDir>
#include <QFileInfo>

#include "store/run_control.h"
#include "util/error.h"
#include "words/core_text.h"
#include "words/plain_text.h"

namespace casp::widgets {

namespace {

constexpr qsizetype scanned_at_once = 256;  ///< runs that come back: what the window shows at a time

/// The worker's progress is newer than the file's.
store::ResultRow with_live_part(store::ResultRow stored, const store::ResultRow& live) {
    stored.state = live.state;
    stored.steps = live.steps;
    stored.epochs = live.epochs;
    stored.best_epoch = live.best_epoch;
    stored.val_mse = live.val_mse;
    stored.val_smape = live.val_smape;
    stored.backbone = live.backbone;
    stored.precision = live.precision;
    return stored;
}

}  // namespace

FileRunLibrary::FileRunLibrary(QObject* parent)
    : RunLibrary(parent),
      readers_(std::make_shared<WorkPool>(FolderScan::threads)),
      writer_(std::make_unique<WorkPool>(1)),
      cleaner_(std::make_unique<WorkPool>(1)),
      rows_(*this, readers_),
      scan_(*readers_),
      marks_(*this, rows_, scan_, *writer_),
      mover_(*this, rows_, *writer_, *cleaner_),
      live_(rows_, marks_),
      times_(*readers_),
      commands_(*writer_) {
    connect_parts();
}

FileRunLibrary::~FileRunLibrary() {
    scan_.stop();
    mover_.cancel();
    rows_.clear();
    writer_->finish();
    cleaner_->finish();
}

void FileRunLibrary::connect_parts() {
    connect(&scan_, &FolderScan::found, this, &FileRunLibrary::take);
    connect(&scan_, &FolderScan::missing, this, &FileRunLibrary::remove);
    connect(&scan_, &FolderScan::loading, this, &RunLibrary::loading);
    connect(&scan_, &FolderScan::folder_lost, this, &FileRunLibrary::folder_lost);
    connect(&scan_, &FolderScan::folder_found, this, &FileRunLibrary::folder_found);
    connect(&scan_, &FolderScan::problem, this, &RunLibrary::problem);
    connect(&scan_, &FolderScan::ended, this, &FileRunLibrary::scan_ended);
    connect(&mover_, &RunMover::moved, this, &FileRunLibrary::take_moved);
    connect(&live_, &LiveRuns::scan_requested, &scan_, &FolderScan::scan_runs);
    connect(&live_, &LiveRuns::written, &scan_, &FolderScan::outdate);
}

void FileRunLibrary::open(const QString& folder, RemoteFolder* remote) {
    if (remote_) remote_->disconnect(this);
    remote_ = remote;
    paused_.clear();
    if (remote_) connect_remote();
    const auto path = folder.isEmpty() ? QString() : QDir::cleanPath(QDir(folder).absolutePath());
    rows_.open(path, remote);
    marks_.open();
    gone_text_.clear();
    scan_.open(path);
    Q_EMIT reset();
    scan_.scan();
}

void FileRunLibrary::connect_remote() {
    connect(remote_, &RemoteFolder::runs_changed, this, [this](const QStringList& folders) {
        if (folders.size() > scanned_at_once) return scan_.scan();
        QStringList here;
        for (const auto& folder : folders)
            if (QFileInfo::exists(folder)) here << folder;
        if (here.size() < folders.size()) return scan_.scan();  // some are gone
        scan_.scan_runs(here);
    });
    connect(remote_, &RemoteFolder::file_changed, this, [this](const QString& folder, const QString& name) {
        auto* row = rows_.find(folder);
        if (row == nullptr) return;
        if (name == QLatin1String("control.json")) {
            show_pause(*row);
            rows_.touch(*row);
        } else if (row->data && (name == QLatin1String("run.h5") || name == QLatin1String("arrays.h5")))
            row->data->file_arrived();
        else if (row->data && name == QLatin1String("best.safetensors"))
            row->data->weights_arrived();
    });
    // An empty list says whether there is a connection.
    connect(remote_, &RemoteFolder::status_changed, this, [this] {
        if (size() == 0) Q_EMIT loading(0, 0);
    });
    // Without a connection, what there is shall be shown.
    connect(remote_, &RemoteFolder::status_changed, this, [this, was = true]() mutable {
        const bool down = remote_->status().state == remote::MirrorStatus::State::waiting ||
                          remote_->status().state == remote::MirrorStatus::State::stopped;
        if (std::exchange(was, down) == down || !down) return;
        for (const auto& row : rows_.all())
            if (row->data) row->data->file_arrived();
    });
}

QString FileRunLibrary::why_empty() const {
    if (!remote_) return gone_text_;
    const auto machine = remote_->machine();
    switch (const auto& status = remote_->status(); status.state) {
        case remote::MirrorStatus::State::connecting:
            return tr("Connecting to %1…").arg(machine);
        case remote::MirrorStatus::State::connected:
            return status.complete ? tr("There are no runs in this folder on %1 yet.").arg(machine)
                                   : tr("Reading the runs of this folder…");
        default:
            return tr("Not connected to %1.").arg(machine);
    }
}

void FileRunLibrary::start_discard(const QStringList& run_folders) {
    if (!remote_) return mover_.start(run_folders, false);
    const auto why = tr("These runs are on %1. Move or remove them there.").arg(remote_->machine());
    Q_EMIT moves_ended({folder(), false, {}, run_folders, {why}});
}

void FileRunLibrary::send(const QString& run_folder, store::RunCommand command) {
    if (remote_) return remote_->send(run_folder, command);
    commands_.add(
        [run_folder, command](const JobContext&) {
            try {
                store::send_command(run_folder.toStdString(), command);
            } catch (const Error& failure) {
                return plain_text(failure);
            }
            return QString();
        },
        {.done = [this, run_folder, command](const QString& failure) {
            if (!failure.isEmpty()) return Q_EMIT problem(failure);
            if (command == store::RunCommand::pause) paused_.insert(run_folder);
            if (command == store::RunCommand::resume) paused_.remove(run_folder);
            auto* row = rows_.find(run_folder);
            if (row == nullptr) return;
            show_pause(*row);
            rows_.touch(*row);
        }});
}

/// Of a run of another process, which looks at its requests twice a second.
void FileRunLibrary::show_pause(RunRow& row) {
    if (row.data && !row.summary.ours)
        row.data->live_halted(row.summary.live && is_paused(row.summary.folder) ? Halt::paused : Halt::none);
}

bool FileRunLibrary::is_paused(const QString& run_folder) const {
    return remote_ ? remote_->is_paused(run_folder) : paused_.contains(run_folder);
}

RunData* FileRunLibrary::data(const QString& run_folder) {
    auto* row = rows_.find(run_folder);
    if (row == nullptr) return nullptr;
    const bool is_new = !row->data;
    auto& data = rows_.data(*row);
    if (is_new) show_pause(*row);
    return &data;
}

bool FileRunLibrary::set_note(const QString& run_folder, const QString& note) {
    auto* row = rows_.find(run_folder);
    if (row == nullptr || is_leaving(run_folder)) return false;
    marks_.set_note(*row, note);
    return true;
}

bool FileRunLibrary::set_colour(const QString& run_folder, const QColor& colour) {
    auto* row = rows_.find(run_folder);
    if (row == nullptr || is_leaving(run_folder)) return false;
    marks_.set_colour(*row, colour);
    return true;
}

void FileRunLibrary::take(const std::vector<store::ScannedRun>& found) {
    const int first_new = size();
    for (const auto& run : found) {
        const auto folder = QString::fromStdString(run.folder.string());
        auto* row = rows_.find(folder);
        const bool is_new = row == nullptr;
        if (is_new) {
            row = &rows_.append(folder);
            marks_.adopt(*row);
        }
        if (update(*row, run) && !is_new) rows_.touch(*row);
    }
    rows_.mark_best();
    if (size() > first_new) rows_.notify_added(first_new, size() - 1);
    marks_.save_colours();
}

bool FileRunLibrary::update(RunRow& row, const store::ScannedRun& run) {
    auto& s = row.summary;
    bool differs = marks_.update(row, run);
    const auto set = [&](auto& member, auto value) {
        differs = differs || !(member == value);
        member = std::move(value);
    };
    if (!run.parent.empty()) set(s.parent, QString::fromStdString(run.parent));
    if (!run.created.empty()) set(s.created, QString::fromStdString(run.created));
    auto result = s.ours ? with_live_part(run.status.row, s.row) : run.status.row;
    // A run.json that cannot be read gives no state and no time.
    const bool damaged = !run.problem.empty() && run.status.updated.empty();
    if (damaged && !s.ours) result.state = store::RunState::failed;
    const bool moved_on = s.row.state != result.state || (s.live && !run.live);
    differs = differs || !store::equal_rows(s.row, result);
    s.row = std::move(result);
    rows_.set_task(row, run.terms);
    if (s.ours) return differs;
    set(s.message, translated(damaged ? run.problem : run.status.message));
    set(s.updated, QString::fromStdString(run.status.updated));
    set(s.live, run.live);
    if (!run.live) paused_.remove(s.folder);
    show_pause(row);
    if (s.row.state != store::RunState::queued) row.queued_here = false;
    if (moved_on && row.data) row.data->files_changed();
    return differs;
}

void FileRunLibrary::remove(const QStringList& run_folders) {
    QStringList gone;
    for (const auto& folder : run_folders) {
        const auto* row = rows_.find(folder);
        // The queue writes the folder of a run of this process; a moment without run.json is no end.
        if (row == nullptr || row->summary.ours) continue;
        if (row->summary.row.state == store::RunState::queued &&
            QFileInfo::exists(folder + QStringLiteral("/run.json")))
            continue;
        gone << folder;
    }
    if (gone.isEmpty()) return;
    rows_.remove(gone);
    rows_.mark_best();
}

void FileRunLibrary::take_moved(const QStringList& run_folders, bool back) {
    for (const auto& folder : run_folders) {
        if (!back) marks_.forget(folder);
        scan_.outdate(folder);
    }
    // Another folder may be open by now.
    if (run_folders.isEmpty() || !rows_.is_here(run_folders.front())) return;
    if (!back) return remove(run_folders);
    // Now, not with the next look.
    for (qsizetype i = 0; i < run_folders.size(); i += scanned_at_once)
        scan_.scan_runs(run_folders.mid(i, scanned_at_once));
}

void FileRunLibrary::folder_lost(bool was_there) {
    QStringList folders;
    for (const auto& row : rows_.all()) folders << row->summary.folder;
    // A folder that the first run is about to make has lost nothing, though the run is listed already.
    const bool tell = was_there && !folders.isEmpty() && gone_text_.isEmpty();
    if (tell)
        gone_text_ =
            tr("%1 no longer exists. Its runs are listed again when the folder is back.").arg(folder());
    remove(folders);
    if (tell) Q_EMIT problem(gone_text_);
}

void FileRunLibrary::folder_found() {
    if (std::exchange(gone_text_, QString()).isEmpty()) return;
    Q_EMIT loading(0, 0);  // it may have come back empty: the list then says so
}

void FileRunLibrary::scan_ended(bool first) {
    scan_open_runs();
    for (const auto& row : rows_.all())
        if (row->data) row->data->save_memory();
    marks_.retry();
    if (first) Q_EMIT loaded();
}

/// Has the run.h5 of a run been replaced that some view shows and another process trains?
void FileRunLibrary::scan_open_runs() {
    std::vector<std::string> open;
    for (const auto& row : rows_.all())
        if (row->data && row->data->is_wanted() && !row->summary.ours)
            open.push_back(row->summary.folder.toStdString());
    if (open.empty()) return;
    times_.start(
        [open](const JobContext&) {
            FileTimes times;
            for (const auto& folder : open) times.emplace_back(folder, FileRunData::file_time_of(folder));
            return times;
        },
        {.done = [this](const FileTimes& times) {
            for (const auto& [folder, time] : times) {
                auto* row = rows_.find(QString::fromStdString(folder));
                if (row == nullptr || !row->data || row->summary.ours) continue;
                if (time != row->data->file_time()) row->data->files_changed();
            }
        }});
}

}  // namespace casp::widgets
