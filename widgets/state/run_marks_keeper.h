#pragma once
// Notes and colours of runs: given, changed by the user, and written to marks.json beside the GUI thread.

#include <deque>
#include <set>
#include <vector>

#include <QHash>
#include <QObject>

#include "state/folder_scan.h"
#include "state/job.h"
#include "state/run_rows.h"
#include "store/run_marks.h"

namespace casp::widgets {

/// A colour is given when a run is seen for the first time. What cannot be written is kept and tried again.
class RunMarksKeeper : public QObject {
    Q_OBJECT
public:
    /// All must outlive it. `writer`: one thread, so that the later of two writes wins.
    RunMarksKeeper(RunLibrary& library, RunRows& rows, FolderScan& scan, WorkPool& writer);

    /// Another folder is being opened.
    void open();
    /// A new row: it gets back what has not been written yet.
    void adopt(RunRow& row);
    void give_colour(RunRow& row);
    /// What a scan read of the run. Returns whether its note or colour has changed.
    bool update(RunRow& row, const store::ScannedRun& run);
    void set_note(RunRow& row, const QString& note);
    void set_colour(RunRow& row, const QColor& colour);
    /// Writes colours that were given, a few at a time.
    void save_colours();
    /// Writes once more what could not be written.
    void retry();
    /// The run has left its folder; another one may take its place.
    void forget(const QString& run_folder);

private:
    /// Marks on their way to the disk.
    struct Unwritten {
        quint64 write = 0;  ///< the last one
        store::RunMarks marks;
        bool note = false, colour = false;  ///< changed by the user
        bool failed = false;                ///< could not be written; is tried again
    };
    struct Write;
    /// What the user has changed.
    enum class Mark { note, colour, nothing };

    void take(RunRow& row, const store::RunMarks& marks);
    [[nodiscard]] int next_free_colour();
    void write(const std::vector<RunRow*>& rows, Mark changed);
    void write(std::vector<Write> writes, bool by_user, bool again);
    void written(const std::vector<Write>& writes, bool again);
    /// Whether a write that failed, or found no run, is kept; notifies the user.
    [[nodiscard]] bool keep_failed(const Write& write, Unwritten& unwritten, bool again);

    RunLibrary& library_;  ///< reports problems
    RunRows& rows_;
    FolderScan& scan_;
    std::set<int> taken_colours_;          ///< indices in the palette of runs
    std::deque<QString> unsaved_colours_;  ///< run folders
    int lowest_free_colour_ = 0;
    bool saving_colours_ = false;
    /// By run folder: outlives a run's row (wastebasket and back, another folder and back).
    QHash<QString, Unwritten> unwritten_;
    quint64 writes_ = 0;
    quint64 generation_ = 0;  ///< of open()
    Job<std::vector<Write>> writing_;
};

}  // namespace casp::widgets
