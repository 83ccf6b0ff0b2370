#pragma once
// Rows of the list of runs: what is known of each run, and the data that views have requested of it.

#include <memory>
#include <set>
#include <string>
#include <vector>

#include <QHash>
#include <QObject>
#include <QPointer>
#include <QTimer>

#include "state/file_run_data.h"
#include "state/remote_folder.h"
#include "state/run_library.h"

namespace casp::widgets {

/// A row of the list of runs.
struct RunRow {
    std::shared_ptr<RunSummary> shared = std::make_shared<RunSummary>();
    RunSummary& summary = *shared;      ///< `data`, which a view may still use, can outlive the row
    std::unique_ptr<FileRunData> data;  ///< made on first request
    int index = 0;
    int task = -1;             ///< what its errors compare with (RunRows::set_task)
    bool queued_here = false;  ///< waits in this process's queue
    int colour_index = -1;     ///< in the palette of runs; −1: none given yet
    QString own_colour;        ///< chosen by the user
    bool marks_known = false;  ///< marks.json has been read, or is being written
};

class RunRows : public QObject {
public:
    /// `library`, whose rows they are, reports their changes.
    RunRows(RunLibrary& library, std::shared_ptr<WorkPool> readers);

    /// Removes all rows. `folder`: the output folder of those to come; `remote`: whose local copy it is.
    void open(const QString& folder, RemoteFolder* remote = nullptr);
    [[nodiscard]] const QString& folder() const { return folder_; }
    /// Whether a run folder is inside the output folder.
    [[nodiscard]] bool is_here(const QString& run_folder) const;

    [[nodiscard]] int size() const { return static_cast<int>(rows_.size()); }
    [[nodiscard]] RunRow& at(int index) const { return *rows_[static_cast<std::size_t>(index)]; }
    [[nodiscard]] const std::vector<std::unique_ptr<RunRow>>& all() const { return rows_; }
    [[nodiscard]] int index_of(const QString& run_folder) const;  ///< −1: not there
    [[nodiscard]] RunRow* find(const QString& run_folder) const;  ///< null: not there

    /// A new row at the end. Views are notified by notify_added().
    RunRow& append(const QString& run_folder);
    void notify_added(int first, int last) { Q_EMIT library_.added(first, last); }
    /// Rows that are not there are passed over. Many at once: reset() instead of removed() for each.
    void remove(const QStringList& run_folders);
    /// Made on first request.
    FileRunData& data(RunRow& row);
    /// The row has changed: changed() follows soon, once for many changes.
    void touch(RunRow& row);
    /// The same, now.
    void notify_changed(const RunRow& row) { Q_EMIT library_.changed(row.index); }
    void clear();

    /// Notes what the run's error compares with, before mark_best(): data, horizon, model and `terms` (as in
    /// store::ScannedRun).
    void set_task(RunRow& row, const std::string& terms);
    /// Sets RunSummary::best of all rows: the lowest validation error of two or more runs of a task.
    void mark_best();

private:
    void let_go(RunRow& row);
    void number();
    void notify();

    RunLibrary& library_;
    QString folder_;
    QPointer<RemoteFolder> remote_;
    std::vector<std::unique_ptr<RunRow>> rows_;
    mutable QHash<QString, int> indices_;  ///< rebuilt when it is empty and there are rows
    QHash<QString, int> tasks_;
    std::set<RunRow*> touched_;
    QTimer notify_timer_;
    std::shared_ptr<WorkPool> readers_;
    std::shared_ptr<SliceCache> cache_;
};

}  // namespace casp::widgets
