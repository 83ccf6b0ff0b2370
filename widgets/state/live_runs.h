#pragma once
// Runs of this process in the list of runs: what their workers report.

#include <memory>
#include <vector>

#include <QObject>

#include "state/run_marks_keeper.h"
#include "state/run_rows.h"

namespace casp::widgets {

/// Reports on runs of other output folders are ignored.
class LiveRuns : public QObject {
    Q_OBJECT
public:
    /// All must outlive it.
    LiveRuns(RunRows& rows, RunMarksKeeper& marks);

    void added(const QString& run_folder);
    /// The log of a run has grown. If another folder was open when it began, this one learns all of it now.
    void grew(const QString& run_folder, const std::shared_ptr<const train::RunLog>& log);
    void halted(const QString& run_folder, Halt how);
    void finished(const QString& run_folder, const store::ResultRow& result);
    void failed(const QString& run_folder, const QString& text);

Q_SIGNALS:
    /// The run's files are to be read now.
    void scan_requested(const QStringList& run_folders);
    /// The run has written its files: it is missed if they are gone before they are read.
    void written(const QString& run_folder);

private:
    void begin(RunRow& row);
    void end(RunRow& row);

    RunRows& rows_;
    RunMarksKeeper& marks_;
};

}  // namespace casp::widgets
