// How FileRunLibrary keeps in step with the files.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <utility>

#include <QFileInfo>

#include "state/file_run_entry.h"
#include "util/error.h"

namespace casp::widgets {

namespace {

constexpr int tick_ms = 2000;
constexpr double tick_per_scan = 50;  ///< times the last look took
constexpr qsizetype most_watched = 128;
constexpr qsizetype most_removed_singly = 64;
constexpr std::size_t runs_at_once = 256;

/// What two runs must share for their errors to compare.
QString task_of(const store::ResultRow& row) {
    QString task =
        QStringLiteral("%1\x1f%2").arg(QString::fromStdString(row.data), QString::number(row.horizon));
    for (const auto& [key, value] : row.swept)
        if (key.starts_with("data.") && key != "data.lookback" && key != "data.percent" &&
            key != "data.batching")
            task += QStringLiteral("\x1e%1\x1f%2")
                        .arg(QString::fromStdString(key), QString::fromStdString(value));
    return task;
}

bool same_value(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

bool same_row(const store::ResultRow& a, const store::ResultRow& b) {
    return a.state == b.state && a.steps == b.steps && a.epochs == b.epochs && a.data == b.data &&
           same_value(a.val_mse, b.val_mse) && same_value(a.test_mse, b.test_mse) && a.swept == b.swept &&
           same_value(a.seconds, b.seconds) && a.backbone == b.backbone && a.horizon == b.horizon;
}

/// The worker's word about where a run stands is newer than the file's.
store::ResultRow with_live_part(store::ResultRow stored, const store::ResultRow& live) {
    stored.state = live.state;
    stored.steps = live.steps;
    stored.epochs = live.epochs;
    stored.best_epoch = live.best_epoch;
    stored.val_mse = live.val_mse;
    stored.backbone = live.backbone;
    return stored;
}

/// Not where a drive does not answer.
bool is_surely_gone(const QString& run_folder) {
    std::error_code problem;
    const auto type = std::filesystem::status(run_folder.toStdString() + "/run.json", problem).type();
    return type == std::filesystem::file_type::not_found;
}

/// In pieces of what the window shows at a time.
std::vector<std::vector<store::ScannedRun>> pieces_of(std::vector<store::ScannedRun> runs) {
    std::vector<std::vector<store::ScannedRun>> pieces;
    for (auto& run : runs) {
        if (pieces.empty() || pieces.back().size() == runs_at_once) pieces.emplace_back();
        pieces.back().push_back(std::move(run));
    }
    return pieces;
}

}  // namespace

struct FileRunLibrary::Scan {
    store::ScanChanges changes;
    double seconds = 0;
    bool folder_gone = false;
    QString problem;  ///< the folder is there, or may be, but could not be read
};

FileRunLibrary::Scan FileRunLibrary::look(store::RunScanner& scanner, const ProgressFn& progress,
                                          const std::stop_token& stop) {
    const auto begin = std::chrono::steady_clock::now();
    Scan scan;
    try {
        scan.changes = scanner.scan(progress, stop);
    } catch (const Cancelled&) {
        // The folder was closed.
    } catch (const std::exception& failure) {
        // An output folder is made by the first run that is written into it; a network drive that does not
        // answer for a moment has not lost its runs.
        std::error_code problem;
        const auto type = std::filesystem::status(scanner.dir(), problem).type();
        scan.folder_gone =
            type != std::filesystem::file_type::none && type != std::filesystem::file_type::directory;
        if (!scan.folder_gone) scan.problem = QString::fromUtf8(failure.what());
    }
    scan.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return scan;
}

void FileRunLibrary::scan() {
    if (folder_.isEmpty()) return;
    if (scanning_) {
        scan_again_ = true;
        return;
    }
    scanning_ = true;
    // Pieces arrive one by one, so that ten thousand runs do not hold up the window.
    const auto post = [this, link = inbox_->link(), generation = generation_](std::function<void()> call) {
        link->post([this, generation, call = std::move(call)] {
            if (generation == generation_) call();
        });
    };
    QStringList unwatched;
    for (const auto& entry : entries_)
        if (entry->unwatched()) unwatched << entry->summary.folder;
    readers_->start([this, post, scanner = scanner_, stop = scan_stop_.get_token(), number = ++scans_,
                     first = first_scan_, unwatched = std::move(unwatched)] {
        ProgressFn progress;
        if (first)
            progress = [this, post](const Progress& p) {
                post([this, p] { Q_EMIT loading(static_cast<int>(p.done), static_cast<int>(p.total)); });
            };
        auto scan = look(*scanner, progress, stop);
        if (scan.folder_gone)
            post([this, number] { folder_gone(number); });
        else if (scan.problem.isEmpty())
            post([this, number] { folder_is_there(number); });
        post([this, problem = scan.problem] { cannot_read_folder(problem); });
        QStringList gone;
        for (const auto& folder : scan.changes.removed) gone << QString::fromStdString(folder.string());
        if (scan.problem.isEmpty() && !scan.folder_gone)
            for (const auto& folder : unwatched)
                if (is_surely_gone(folder) && !gone.contains(folder)) gone << folder;
        if (!gone.isEmpty()) post([this, gone, number] { remove(gone, number); });
        for (auto* found : {&scan.changes.added, &scan.changes.changed})
            for (auto& piece : pieces_of(std::move(*found)))
                post([this, number, piece = std::move(piece)] {
                    take(piece, number);
                    for (const auto& run : piece)
                        if (auto* entry = find(QString::fromStdString(run.folder.string())))
                            entry->scanned = true;
                });
        post([this, seconds = scan.seconds] { scan_ended(seconds); });
    });
}

void FileRunLibrary::scan_ended(double seconds) {
    scanning_ = false;
    watch();
    look_at_open_runs();
    for (const auto& entry : entries_)
        if (entry->data) entry->data->save_memory();
    tick_.start(std::max(tick_ms, static_cast<int>(seconds * 1000 * tick_per_scan)));
    write_failed_marks();
    if (std::exchange(first_scan_, false)) Q_EMIT loaded();
    if (std::exchange(scan_again_, false)) scan();
}

void FileRunLibrary::scan_runs(const QStringList& folders) {
    inbox_->run(
        *readers_,
        [folders] {
            std::vector<store::ScannedRun> found;
            for (const auto& folder : folders) {
                try {
                    auto run = store::scan_run(folder.toStdString());
                    std::error_code problem;
                    if (std::filesystem::exists(run.folder / "run.json", problem))
                        found.push_back(std::move(run));
                } catch (const std::exception&) {
                    // The next look at the folder tells what there is to tell.
                }
            }
            return found;
        },
        [this, generation = generation_, number = ++scans_](const std::vector<store::ScannedRun>& found) {
            if (generation == generation_) take(found, number);
        });
}

void FileRunLibrary::take(const std::vector<store::ScannedRun>& found, quint64 number) {
    const int first_new = size();
    if (!found.empty()) folder_seen_ = std::max(folder_seen_, number);
    for (const auto& run : found) {
        const auto folder = QString::fromStdString(run.folder.string());
        // It was seen where it is no longer, or before it came back: a newer look follows.
        if (number <= moved_looks_.value(folder)) continue;
        auto* entry = find(folder);
        const bool is_new = entry == nullptr;
        if (is_new) entry = &append(folder);
        if (update(*entry, run, number) && !is_new) touch(*entry);
    }
    mark_best();
    if (size() > first_new) Q_EMIT added(first_new, size() - 1);
    save_colours();
}

bool FileRunLibrary::update(Entry& entry, const store::ScannedRun& run, quint64 number) {
    auto& s = entry.summary;
    entry.on_disk = true;
    bool differs = false;
    const auto set = [&](auto& member, auto value) {
        differs = differs || !(member == value);
        member = std::move(value);
    };
    // What the user has written a moment ago is newer than what was read before it reached the disk.
    if (!unwritten_marks_.contains(s.folder)) {
        const auto before = std::make_pair(s.note, s.colour);
        const auto written = written_marks_.constFind(s.folder);
        if (written != written_marks_.cend() && number <= written->look) {
            if (!entry.marks_known)
                take_marks(entry, written->marks);  // the folder was opened again meanwhile
        } else if (run.problem
                       .empty())  // what could not be read is not empty: nothing of it may be overwritten
            take_marks(entry, run.marks);
        else
            give_colour(entry);
        differs = before != std::make_pair(s.note, s.colour);
    }
    if (!run.parent.empty()) set(s.parent, QString::fromStdString(run.parent));
    if (!run.created.empty()) set(s.created, QString::fromStdString(run.created));
    auto row = s.ours ? with_live_part(run.status.row, s.row) : run.status.row;
    // A run.json that cannot be read says nothing, not even when it was written.
    const bool damaged = !run.problem.empty() && run.status.updated.empty();
    if (damaged && !s.ours) row.state = store::RunState::failed;
    const bool moved_on = s.row.state != row.state || (s.live && !run.live);
    differs = differs || !same_row(s.row, row);
    s.row = std::move(row);
    set_task(entry);
    if (s.ours) return differs;
    set(s.message, QString::fromStdString(damaged ? run.problem : run.status.message));
    set(s.updated, QString::fromStdString(run.status.updated));
    set(s.live, run.live);
    if (s.row.state != store::RunState::queued) entry.queued_here = false;
    if (moved_on && entry.data) entry.data->files_changed();
    return differs;
}

void FileRunLibrary::folder_gone(quint64 number) {
    if (number < folder_seen_) return;  // it has come since
    // When the folder comes back, everything in it is new, even where no file has changed.
    scanner_ = std::make_shared<store::RunScanner>(folder_.toStdString(), scan_threads);
    QStringList folders;
    for (const auto& entry : entries_) folders << entry->summary.folder;
    // A folder that the first run is about to make has lost nothing, though the run is in the list already.
    const bool tell = folder_seen_ > 0 && !folders.isEmpty() && gone_text_.isEmpty();
    if (tell)
        gone_text_ =
            QStringLiteral("%1 is not there any more; its runs come back to this list with it.").arg(folder_);
    folder_seen_ = 0;
    remove(folders, number);
    if (tell) Q_EMIT problem(gone_text_);
}

void FileRunLibrary::folder_is_there(quint64 number) {
    folder_seen_ = std::max(folder_seen_, number);
    if (std::exchange(gone_text_, QString()).isEmpty()) return;
    Q_EMIT loading(0, 0);  // it may have come back empty: then that is what the list says
}

/// Said once, not at every look.
void FileRunLibrary::cannot_read_folder(const QString& text) {
    if (std::exchange(scan_problem_, text) != text && !text.isEmpty()) Q_EMIT problem(text);
}

void FileRunLibrary::remove(const QStringList& folders, quint64 number) {
    const bool singly = folders.size() <= most_removed_singly;
    bool any = false;
    for (const auto& folder : folders) {
        auto* entry = find(folder);
        // The queue writes the folder of a run that goes on here; a moment without run.json is no end.
        if (entry == nullptr || entry->index < 0 || entry->summary.ours) continue;
        // Nor is a run gone that was queued or came back while the scan was already under way.
        if ((entry->summary.row.state == store::RunState::queued || number <= moved_looks_.value(folder)) &&
            QFileInfo::exists(folder + QStringLiteral("/run.json")))
            continue;
        any = true;
        touched_.erase(entry);
        std::replace(best_.begin(), best_.end(), entry, static_cast<Entry*>(nullptr));
        let_go(*entry);
        const auto at = entries_.begin() + std::exchange(entry->index, -1);
        if (!singly) continue;
        entries_.erase(at);
        number_entries();
        Q_EMIT removed(folder);
    }
    if (!any) return;
    if (!singly) {
        std::erase_if(entries_, [](const auto& entry) { return entry->index < 0; });
        number_entries();
        Q_EMIT reset();
    }
    mark_best();
}

void FileRunLibrary::number_entries() {
    indices_.clear();
    for (std::size_t i = 0; i < entries_.size(); ++i) entries_[i]->index = static_cast<int>(i);
}

/// Runs that some view shows and that another process trains: has run.h5 been replaced?
void FileRunLibrary::look_at_open_runs() {
    std::vector<std::string> open;
    for (const auto& entry : entries_)
        if (entry->data && entry->data->is_wanted() && entry->follows_files())
            open.push_back(entry->summary.folder.toStdString());
    if (open.empty()) return;
    inbox_->run(
        *readers_,
        [open] {
            std::vector<std::pair<std::string, std::int64_t>> times;
            for (const auto& folder : open) times.emplace_back(folder, FileRunData::file_time_of(folder));
            return times;
        },
        [this](const std::vector<std::pair<std::string, std::int64_t>>& times) {
            for (const auto& [folder, time] : times) {
                auto* entry = find(QString::fromStdString(folder));
                if (entry == nullptr || !entry->data || !entry->follows_files()) continue;
                if (time != entry->data->file_time()) entry->data->files_changed();
            }
        });
}

void FileRunLibrary::watch() {
    QStringList wanted;
    if (!folder_.isEmpty()) wanted << folder_;
    if (batches_.size() < most_watched) wanted << batches_.values();
    const auto watched = watcher_.directories();
    QStringList more, fewer;
    for (const auto& folder : wanted)
        if (!watched.contains(folder)) more << folder;
    for (const auto& folder : watched)
        if (!wanted.contains(folder)) fewer << folder;
    if (!fewer.isEmpty()) watcher_.removePaths(fewer);
    // Those that are gone by now are passed over.
    if (!more.isEmpty()) watcher_.addPaths(more);
}

void FileRunLibrary::set_task(Entry& entry) {
    const auto task = task_of(entry.summary.row);
    entry.task = tasks_.value(task, -1);
    if (entry.task >= 0) return;
    entry.task = static_cast<int>(tasks_.size());
    tasks_.insert(task, entry.task);
}

void FileRunLibrary::mark_best() {
    std::vector<Entry*> best(static_cast<std::size_t>(tasks_.size()), nullptr);
    for (const auto& entry : entries_) {
        const auto& row = entry->summary.row;
        if (entry->task < 0 || !store::is_complete(row.state) || !std::isfinite(row.val_mse)) continue;
        auto& leader = best[static_cast<std::size_t>(entry->task)];
        if (leader == nullptr || row.val_mse < leader->summary.row.val_mse) leader = entry.get();
    }
    best_.resize(best.size(), nullptr);
    for (std::size_t task = 0; task < best.size(); ++task) {
        if (best_[task] == best[task]) continue;
        for (auto* entry : {best_[task], best[task]}) {
            if (entry == nullptr) continue;
            entry->summary.best = entry == best[task];
            touch(*entry);
        }
        best_[task] = best[task];
    }
}

}  // namespace casp::widgets
