#pragma once
// The wastebasket of the list of runs: which runs may be moved, and moves beside the GUI thread.

#include <functional>
#include <stop_token>

#include <QObject>
#include <QSet>
#include <QStringList>

#include "state/job.h"
#include "state/run_library.h"
#include "state/run_rows.h"

namespace casp::widgets {

/// Moves runs of an output folder to its wastebasket, or the newest of each name back. `piece`
/// receives, every few runs, those moved since its last call; `progress` the number of processed runs.
[[nodiscard]] RunMoves move_runs(const QString& output_folder, bool back, const QStringList& run_folders,
                                 const std::function<void(const QStringList&)>& piece = {},
                                 const std::function<void(qsizetype)>& progress = {},
                                 const std::stop_token& stop = {});

class RunMover : public QObject {
    Q_OBJECT
public:
    /// All must outlive it. `writer` writes notes and colours; `cleaner` is one thread that fills and empties
    /// the wastebasket, one request after another.
    RunMover(RunLibrary& library, const RunRows& rows, WorkPool& writer, WorkPool& cleaner);

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
    /// The files of these runs have been moved.
    void moved(const QStringList& run_folders, bool back);

private:
    /// Those that may be moved; why the others may not is added to `problems`.
    [[nodiscard]] QStringList movable(const QStringList& run_folders, QStringList& problems) const;
    void take(const QStringList& run_folders, bool back);

    RunLibrary& library_;  ///< reports progress, outcomes and problems
    const RunRows& rows_;
    WorkPool& writer_;
    QSet<QString> leaving_;
    Job<RunMoves> moves_;
    Job<std::size_t> emptying_;
};

}  // namespace casp::widgets
