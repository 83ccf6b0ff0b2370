#pragma once
// The wastebasket of the list of runs: which runs may be moved, and moves beside the GUI thread.

#include <QObject>
#include <QSet>
#include <QStringList>

#include "state/job.h"
#include "state/run_marks_keeper.h"
#include "state/run_moves.h"
#include "state/run_rows.h"

namespace casp::widgets {

class RunMover : public QObject {
    Q_OBJECT
public:
    /// All must outlive it. `writer` writes notes and colours; `cleaner` is one thread that fills and empties
    /// the wastebasket, one request after another.
    RunMover(const RunRows& rows, const RunMarksKeeper& marks, WorkPool& writer, WorkPool& cleaner);

    /// Now, waiting for the disk; returns what could not be moved and why.
    QStringList move(const QStringList& run_folders, bool back);
    /// Beside the GUI thread.
    void start(const QStringList& run_folders, bool back);
    /// Stops what was started after the run that is being moved.
    void cancel() { moves_.request_stop(); }
    [[nodiscard]] bool is_moving() const { return moves_.is_running(); }
    /// On its way to the wastebasket.
    [[nodiscard]] bool is_leaving(const QString& run_folder) const { return leaving_.contains(run_folder); }

    [[nodiscard]] QStringList discarded() const;
    void empty_wastebasket();

Q_SIGNALS:
    void moving(bool back, int done, int total);
    /// The files of these runs have been moved.
    void moved(const QStringList& run_folders, bool back);
    void moves_ended(const casp::widgets::RunMoves& moves);
    void problem(const QString& text);

private:
    /// Those that may be moved; why the others may not is added to `problems`.
    [[nodiscard]] QStringList movable(const QStringList& run_folders, QStringList& problems) const;
    void take(const QStringList& run_folders, bool back);

    const RunRows& rows_;
    const RunMarksKeeper& marks_;
    WorkPool& writer_;
    QSet<QString> leaving_;
    Job<RunMoves> moves_;
    Job<std::size_t> emptying_;
};

}  // namespace casp::widgets
