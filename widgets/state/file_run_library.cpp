#include "state/file_run_library.h"

#include <algorithm>
#include <utility>

#include <QDir>
#include <QFileInfo>

#include "state/file_run_entry.h"

namespace casp::widgets {

namespace {

constexpr int soon_ms = 100;
constexpr int tell_ms = 100;

}  // namespace

FileRunLibrary::FileRunLibrary(QObject* parent)
    : RunLibrary(parent),
      readers_(std::make_shared<WorkPool>(scan_threads)),
      writer_(std::make_unique<WorkPool>(1)),
      cleaner_(std::make_unique<WorkPool>(1)),
      tables_(std::make_shared<DataTables>()),
      budget_(std::make_shared<SliceBudget>()),
      inbox_(std::make_unique<Inbox>()) {
    tick_.setSingleShot(true);
    connect(&tick_, &QTimer::timeout, this, &FileRunLibrary::scan);
    soon_.setSingleShot(true);
    soon_.setInterval(soon_ms);
    connect(&soon_, &QTimer::timeout, this, &FileRunLibrary::scan);
    teller_.setSingleShot(true);
    teller_.setInterval(tell_ms);
    connect(&teller_, &QTimer::timeout, this, &FileRunLibrary::tell);
    connect(&watcher_, &QFileSystemWatcher::directoryChanged, this, [this] {
        if (!soon_.isActive()) soon_.start();
    });
}

FileRunLibrary::~FileRunLibrary() {
    scan_stop_.request_stop();
    move_stop_.request_stop();
    inbox_.reset();
    entries_.clear();
    writer_->finish();
    cleaner_->finish();
}

void FileRunLibrary::open(const QString& folder) {
    scan_stop_.request_stop();
    ++generation_;
    for (auto& entry : entries_) let_go(*entry);
    entries_.clear();
    indices_.clear();
    batches_.clear();
    tasks_.clear();
    best_.clear();
    touched_.clear();
    taken_colours_.clear();
    lowest_free_colour_ = 0;
    unsaved_colours_.clear();
    saving_colours_ = scanning_ = scan_again_ = false;
    tick_.stop();
    folder_ = folder.isEmpty() ? QString() : QDir::cleanPath(QDir(folder).absolutePath());
    scan_problem_.clear();
    gone_text_.clear();
    folder_seen_ = 0;
    watch();
    Q_EMIT reset();
    if (folder_.isEmpty()) return;
    scan_stop_ = std::stop_source();
    scanner_ = std::make_shared<store::RunScanner>(folder_.toStdString(), scan_threads);
    first_scan_ = true;
    scan();
}

void FileRunLibrary::refresh() { scan(); }

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
        entry.data = std::make_unique<FileRunData>(entry.shared, readers_, tables_, budget_);
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
    entry->index = size();
    batches_.insert(info.path());
    // An empty index means "to be rebuilt".
    if (!indices_.isEmpty() || entries_.empty()) indices_.insert(run_folder, entry->index);
    entries_.push_back(std::move(entry));
    auto& added = *entries_.back();
    if (const auto unwritten = unwritten_marks_.constFind(run_folder); unwritten != unwritten_marks_.cend())
        take_marks(added, unwritten->marks);
    return added;
}

void FileRunLibrary::touch(Entry& entry) {
    touched_.insert(&entry);
    if (!teller_.isActive()) teller_.start();
}

void FileRunLibrary::tell() {
    for (auto* entry : std::exchange(touched_, {})) {
        if (entry->data) entry->data->summary_changed();
        Q_EMIT changed(entry->index);
    }
}

}  // namespace casp::widgets
