#pragma once
// Rows of the list of runs: what is known of each run, and the data that views have requested of it.

#include <memory>
#include <set>
#include <vector>

#include <QHash>
#include <QObject>
#include <QPointer>
#include <QSet>
#include <QTimer>

#include "state/file_run_entry.h"
#include "state/remote_folder.h"

namespace casp::widgets {

class RunRows : public QObject {
    Q_OBJECT
public:
    explicit RunRows(std::shared_ptr<WorkPool> readers);

    /// Removes all rows. `folder`: the output folder of those to come; `remote`: whose local copy it is.
    void open(const QString& folder, RemoteFolder* remote = nullptr);
    [[nodiscard]] const QString& folder() const { return folder_; }
    /// Whether a run folder is inside the output folder.
    [[nodiscard]] bool is_here(const QString& run_folder) const;

    [[nodiscard]] int size() const { return static_cast<int>(rows_.size()); }
    [[nodiscard]] RunRow& at(int index) const { return *rows_[static_cast<std::size_t>(index)]; }
    [[nodiscard]] const std::vector<std::unique_ptr<RunRow>>& all() const { return rows_; }
    [[nodiscard]] int index_of(const QString& run_folder) const;             ///< −1: not there
    [[nodiscard]] RunRow* find(const QString& run_folder) const;             ///< null: not there
    [[nodiscard]] const QSet<QString>& batches() const { return batches_; }  ///< folders above runs

    /// A new row at the end. Views are notified by notify_added().
    RunRow& append(const QString& run_folder);
    void notify_added(int first, int last) { Q_EMIT added(first, last); }
    /// Rows that are not there are passed over. Many at once: reset() instead of removed() for each.
    void remove(const QStringList& run_folders);
    /// Made on first request.
    FileRunData& data(RunRow& row);
    /// The row has changed: changed() follows soon, once for many changes.
    void touch(RunRow& row);
    /// The same, now.
    void notify_changed(const RunRow& row) { Q_EMIT changed(row.index); }
    void clear();

Q_SIGNALS:
    void added(int first, int last);
    void changed(int index);
    void removed(const QString& run_folder);
    void reset();

private:
    void let_go(RunRow& row);
    void number();
    void notify();

    QString folder_;
    QPointer<RemoteFolder> remote_;
    std::vector<std::unique_ptr<RunRow>> rows_;
    mutable QHash<QString, int> indices_;  ///< rebuilt when it is empty and there are rows
    QSet<QString> batches_;
    std::set<RunRow*> touched_;
    QTimer notify_timer_;
    std::shared_ptr<WorkPool> readers_;
    std::shared_ptr<DataTables> tables_;
    std::shared_ptr<SliceBudget> budget_;
};

}  // namespace casp::widgets
