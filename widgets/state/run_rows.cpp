#include "state/run_rows.h"

#include <cmath>
#include <utility>

#include <QDir>
#include <QFileInfo>

namespace casp::widgets {

namespace {

constexpr int report_interval_ms = 100;
constexpr qsizetype max_removed_singly = 64;

}  // namespace

RunRows::RunRows(RunLibrary& library, std::shared_ptr<WorkPool> readers)
    : library_(library), readers_(std::move(readers)), cache_(std::make_shared<SliceCache>()) {
    notify_timer_.setSingleShot(true);
    notify_timer_.setInterval(report_interval_ms);
    connect(&notify_timer_, &QTimer::timeout, this, &RunRows::notify);
}

void RunRows::open(const QString& folder, RemoteFolder* remote) {
    for (auto& row : rows_) let_go(*row);
    rows_.clear();
    indices_.clear();
    touched_.clear();
    tasks_.clear();
    folder_ = folder;
    remote_ = remote;
}

void RunRows::clear() { rows_.clear(); }

bool RunRows::is_here(const QString& run_folder) const {
    return !folder_.isEmpty() && run_folder.startsWith(folder_ + QLatin1Char('/'));
}

int RunRows::index_of(const QString& run_folder) const {
    if (indices_.isEmpty())
        for (const auto& row : rows_) indices_.insert(row->summary.folder, row->index);
    return indices_.value(run_folder, -1);
}

RunRow* RunRows::find(const QString& run_folder) const {
    const int index = index_of(run_folder);
    return index < 0 ? nullptr : &at(index);
}

RunRow& RunRows::append(const QString& run_folder) {
    auto row = std::make_unique<RunRow>();
    const QFileInfo info(run_folder);
    row->summary.folder = run_folder;
    row->summary.name = info.fileName();
    row->summary.batch = info.dir().dirName();
    row->index = size();
    // An empty index means "to be rebuilt".
    if (!indices_.isEmpty() || rows_.empty()) indices_.insert(run_folder, row->index);
    rows_.push_back(std::move(row));
    return *rows_.back();
}

void RunRows::remove(const QStringList& run_folders) {
    const bool singly = run_folders.size() <= max_removed_singly;
    bool any = false;
    for (const auto& folder : run_folders) {
        auto* row = find(folder);
        if (row == nullptr || row->index < 0) continue;
        any = true;
        touched_.erase(row);
        let_go(*row);
        const auto at = rows_.begin() + std::exchange(row->index, -1);
        if (!singly) continue;
        rows_.erase(at);
        number();
        Q_EMIT library_.removed(folder);
    }
    if (!any || singly) return;
    std::erase_if(rows_, [](const auto& row) { return row->index < 0; });
    number();
    Q_EMIT library_.reset();
}

void RunRows::number() {
    indices_.clear();
    for (std::size_t i = 0; i < rows_.size(); ++i) rows_[i]->index = static_cast<int>(i);
}

FileRunData& RunRows::data(RunRow& row) {
    if (!row.data) {
        row.data = std::make_unique<FileRunData>(row.shared, readers_, cache_, remote_);
        connect(row.data.get(), &FileRunData::parent_found, this, [this, &row](const QString& parent) {
            if (row.summary.parent == parent) return;
            row.summary.parent = parent;
            touch(row);
        });
    }
    return *row.data;
}

/// A view may be in the middle of using the data.
void RunRows::let_go(RunRow& row) {
    if (!row.data) return;
    row.data->disconnect(this);
    row.data.release()->deleteLater();
}

void RunRows::touch(RunRow& row) {
    touched_.insert(&row);
    if (!notify_timer_.isActive()) notify_timer_.start();
}

void RunRows::notify() {
    for (auto* row : std::exchange(touched_, {})) {
        if (row->data) row->data->summary_changed();
        Q_EMIT library_.changed(row->index);
    }
}

void RunRows::set_task(RunRow& row, const std::string& terms) {
    const auto& result = row.summary.row;
    const auto task = QStringLiteral("%1\x1f%2\x1f%3\x1f%4")
                          .arg(QString::fromStdString(result.data), QString::number(result.horizon),
                               QString::fromStdString(result.model), QString::fromStdString(terms));
    row.task = tasks_.value(task, -1);
    if (row.task >= 0) return;
    row.task = static_cast<int>(tasks_.size());
    tasks_.insert(task, row.task);
}

void RunRows::mark_best() {
    std::vector<RunRow*> best(static_cast<std::size_t>(tasks_.size()), nullptr);
    std::vector<int> runs(best.size(), 0);
    for (const auto& row : rows_) {
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
    for (const auto& row : rows_) {
        const auto task = static_cast<std::size_t>(row->task);
        const bool is_best = row->task >= 0 && best[task] == row.get() && runs[task] > 1;
        if (std::exchange(row->summary.best, is_best) != is_best) touch(*row);
    }
}

}  // namespace casp::widgets
