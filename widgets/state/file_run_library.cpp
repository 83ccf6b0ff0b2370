#include "state/file_run_library.h"

#include <algorithm>
#include <cmath>

#include <QDir>
#include <QFileInfo>

#include "figures/style.h"
#include "state/file_run_entry.h"

namespace casp::widgets {

namespace {

constexpr int readers = 2;
constexpr int tick_ms = 2000;
constexpr int ticks_per_thorough_scan = 8;
constexpr int soon_ms = 100;
constexpr int tell_ms = 100;
constexpr qsizetype most_watched = 128;
constexpr std::size_t most_removed_singly = 64;
constexpr int colours_tried = 64;

/// What two runs must share for their errors to compare.
QString task_of(const store::ResultRow& row) {
    QString task = QStringLiteral("%1\x1f%2").arg(QString::fromStdString(row.data)).arg(row.horizon);
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

}  // namespace

FileRunLibrary::FileRunLibrary(QObject* parent)
    : RunLibrary(parent),
      readers_(std::make_shared<WorkPool>(readers)),
      writer_(std::make_unique<WorkPool>(1)),
      tables_(std::make_shared<DataTables>()),
      inbox_(std::make_unique<Inbox>()) {
    tick_.setInterval(tick_ms);
    connect(&tick_, &QTimer::timeout, this, [this] { scan(++ticks_ % ticks_per_thorough_scan == 0); });
    soon_.setSingleShot(true);
    soon_.setInterval(soon_ms);
    connect(&soon_, &QTimer::timeout, this, [this] { scan(false); });
    teller_.setSingleShot(true);
    teller_.setInterval(tell_ms);
    connect(&teller_, &QTimer::timeout, this, &FileRunLibrary::tell);
    connect(&watcher_, &QFileSystemWatcher::directoryChanged, this, [this] {
        if (!soon_.isActive()) soon_.start();
    });
}

FileRunLibrary::~FileRunLibrary() {
    scan_stop_.request_stop();
    inbox_.reset();
    entries_.clear();
    writer_->finish();
}

void FileRunLibrary::open(const QString& folder) {
    scan_stop_.request_stop();
    ++generation_;
    for (auto& entry : entries_) let_go(*entry);
    entries_.clear();
    indices_.clear();
    tasks_.clear();
    best_.clear();
    touched_.clear();
    forgotten_.clear();
    taken_colours_.clear();
    watch({});
    folder_ = folder.isEmpty() ? QString() : QDir::cleanPath(QDir(folder).absolutePath());
    scanning_ = scan_again_ = thorough_again_ = false;
    tick_.stop();
    Q_EMIT reset();
    if (folder_.isEmpty()) return;
    scan_stop_ = std::stop_source();
    scanner_ = std::make_shared<RunScanner>(folder_.toStdString());
    first_scan_ = true;
    tick_.start();
    scan(true);
}

void FileRunLibrary::refresh() { scan(true); }

const RunSummary& FileRunLibrary::at(int index) const {
    return entries_[static_cast<std::size_t>(index)]->summary;
}

int FileRunLibrary::index_of(const QString& run_folder) const {
    if (indices_.isEmpty())
        for (const auto& entry : entries_) indices_.insert(entry->summary.folder, entry->index);
    return indices_.value(run_folder, -1);
}

FileRunLibrary::Entry* FileRunLibrary::find(const QString& run_folder) const {
    const int index = index_of(run_folder);
    return index < 0 ? nullptr : entries_[static_cast<std::size_t>(index)].get();
}

RunData* FileRunLibrary::data(const QString& run_folder) {
    auto* entry = find(run_folder);
    return entry == nullptr ? nullptr : &data_of(*entry);
}

FileRunData& FileRunLibrary::data_of(Entry& entry) {
    if (!entry.data) {
        entry.data = std::make_unique<FileRunData>(entry.shared, readers_, tables_);
        connect(entry.data.get(), &FileRunData::parent_found, this, [this, &entry](const QString& parent) {
            if (entry.summary.parent == parent) return;
            entry.summary.parent = parent;
            touch(entry);
        });
    }
    return *entry.data;
}

/// Views may be in the middle of using a run's data.
void FileRunLibrary::let_go(Entry& entry) {
    if (!entry.data) return;
    entry.data->disconnect(this);
    entry.data.release()->deleteLater();
}

FileRunLibrary::Entry& FileRunLibrary::append(const QString& run_folder) {
    auto entry = std::make_unique<Entry>();
    const QFileInfo info(run_folder);
    entry->summary.folder = run_folder;
    entry->summary.name = info.fileName();
    entry->summary.batch = info.dir().dirName();
    entry->index = static_cast<int>(entries_.size());
    // An empty index means "to be rebuilt".
    if (!indices_.isEmpty() || entries_.empty()) indices_.insert(run_folder, entry->index);
    entries_.push_back(std::move(entry));
    return *entries_.back();
}

// Reading the files.

void FileRunLibrary::scan(bool thorough) {
    if (folder_.isEmpty()) return;
    if (scanning_) {
        scan_again_ = true;
        thorough_again_ = thorough_again_ || thorough;
        return;
    }
    scanning_ = true;
    readers_->start([scanner = scanner_, forgotten = std::exchange(forgotten_, {}), thorough,
                     stop = scan_stop_.get_token(), link = inbox_->link(), generation = generation_, this] {
        for (const auto& run : forgotten) scanner->forget(run);
        scanner->scan(thorough, stop, [&](ScanReport piece) {
            link->post([this, generation, piece = std::move(piece)]() mutable {
                if (generation == generation_) take(std::move(piece));
            });
        });
        auto folders = scanner->watched();
        link->post([this, generation, folders = std::move(folders)] {
            if (generation != generation_) return;
            scanning_ = false;
            QStringList names;
            for (const auto& folder : folders) names << QString::fromStdString(folder);
            watch(names);
            if (std::exchange(first_scan_, false)) Q_EMIT loaded();
            look_at_open_runs();
            if (std::exchange(scan_again_, false)) scan(std::exchange(thorough_again_, false));
        });
    });
}

void FileRunLibrary::take(ScanReport report) {
    remove(report.removed);
    const int first_new = size();
    std::vector<Entry*> changed_ones;
    for (const auto& run : report.found) {
        const auto folder = QString::fromStdString(run.folder);
        auto* entry = find(folder);
        const bool is_new = entry == nullptr;
        if (is_new) entry = &append(folder);
        const bool differs = update(*entry, run);
        if (!is_new && differs) changed_ones.push_back(entry);
    }
    mark_best();
    if (size() > first_new) Q_EMIT added(first_new, size() - 1);
    for (auto* entry : changed_ones) {
        Q_EMIT changed(entry->index);
        if (entry->data) entry->data->summary_changed();
    }
    if (first_scan_) Q_EMIT loading(report.done, report.total);
}

bool FileRunLibrary::update(Entry& entry, const ScannedRun& run) {
    auto& s = entry.summary;
    bool differs = false;
    const auto set = [&](auto& member, auto value) {
        differs = differs || !(member == value);
        member = std::move(value);
    };
    set(s.note, QString::fromStdString(run.marks.note));
    if (!run.parent.empty()) set(s.parent, QString::fromStdString(run.parent));
    give_colour(entry, run.marks.colour);
    if (s.ours) {
        // The worker's word about where it stands is newer than the file's.
        auto row = run.status.row;
        row.state = s.row.state;
        row.steps = s.row.steps;
        row.epochs = s.row.epochs;
        row.best_epoch = s.row.best_epoch;
        row.val_mse = s.row.val_mse;
        row.backbone = s.row.backbone;
        differs = differs || !same_row(s.row, row);
        s.row = std::move(row);
        set_task(entry);
        return differs;
    }
    const bool moved_on = s.row.state != run.status.row.state || (s.live && !run.live);
    differs = differs || !same_row(s.row, run.status.row);
    s.row = run.status.row;
    set(s.message, QString::fromStdString(run.status.message));
    set(s.updated, QString::fromStdString(run.status.updated));
    set(s.live, run.live);
    if (s.row.state != store::RunState::queued) entry.queued_here = false;
    set_task(entry);
    if (moved_on && entry.data) entry.data->files_changed();
    return differs;
}

void FileRunLibrary::remove(const std::vector<std::string>& folders) {
    std::vector<QString> gone;
    for (const auto& folder : folders) {
        const auto name = QString::fromStdString(folder);
        auto* entry = find(name);
        // The queue writes the folder of a run that goes on here; a moment without run.json is no end.
        if (entry == nullptr || entry->summary.ours) continue;
        touched_.erase(entry);
        for (auto& best : best_)
            if (best == entry) best = nullptr;
        let_go(*entry);
        entry->index = -1;
        gone.push_back(name);
        if (folders.size() > most_removed_singly) continue;
        entries_.erase(std::find_if(entries_.begin(), entries_.end(),
                                    [&](const auto& other) { return other.get() == entry; }));
        for (std::size_t i = 0; i < entries_.size(); ++i) entries_[i]->index = static_cast<int>(i);
        indices_.clear();
        Q_EMIT removed(name);
    }
    if (gone.empty()) return;
    if (folders.size() > most_removed_singly) {
        std::erase_if(entries_, [](const auto& entry) { return entry->index < 0; });
        for (std::size_t i = 0; i < entries_.size(); ++i) entries_[i]->index = static_cast<int>(i);
        indices_.clear();
        Q_EMIT reset();
    }
    mark_best();
}

/// Runs that some view shows and that another process trains: has run.h5 been replaced?
void FileRunLibrary::look_at_open_runs() {
    std::vector<std::string> open;
    for (const auto& entry : entries_)
        if (entry->data && entry->data->is_wanted() && !entry->summary.ours)
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
                if (entry == nullptr || !entry->data || entry->summary.ours) continue;
                if (time != entry->data->file_time()) entry->data->files_changed();
            }
        });
}

void FileRunLibrary::watch(const QStringList& folders) {
    const auto wanted = folders.size() <= most_watched ? folders : QStringList{folder_};
    const auto watched = watcher_.directories();
    QStringList more, fewer;
    for (const auto& folder : wanted)
        if (!watched.contains(folder)) more << folder;
    for (const auto& folder : watched)
        if (!wanted.contains(folder)) fewer << folder;
    if (!fewer.isEmpty()) watcher_.removePaths(fewer);
    if (!more.isEmpty()) watcher_.addPaths(more);
}

// What belongs to the list as a whole.

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

void FileRunLibrary::touch(Entry& entry) {
    touched_.insert(&entry);
    if (!teller_.isActive()) teller_.start();
}

void FileRunLibrary::tell() {
    for (auto* entry : std::exchange(touched_, {})) {
        Q_EMIT changed(entry->index);
        if (entry->data) entry->data->summary_changed();
    }
}

QColor FileRunLibrary::free_colour() const {
    for (int i = 0; i < colours_tried; ++i)
        if (taken_colours_.count(figures::run_colour(i).rgb()) == 0)
            return QColor(figures::run_colour(i).rgb());
    return QColor(figures::run_colour(size()).rgb());
}

}  // namespace casp::widgets
