#pragma once
// Moves of runs to the wastebasket and back, reported in the panel's notification line.

#include <QElapsedTimer>
#include <QObject>
#include <QSet>

#include "panels/runs/runs_banner.h"
#include "panels/runs/runs_model.h"
#include "panels/runs/runs_wastebasket.h"

namespace casp::widgets {

class RunsRemoval : public QObject {
    Q_OBJECT
public:
    /// All must outlive it.
    RunsRemoval(RunLibrary& library, RunsModel& model, RunsWastebasket& wastebasket, RunsBanner& banner,
                QObject* parent);

    /// Moves runs to the wastebasket, in the background if there are many, and offers undo.
    void discard(const QStringList& folders);

Q_SIGNALS:
    void discarded(const QStringList& folders);

private:
    void show_moving(bool back, int done, int total);
    void end_moves(const RunMoves& moves);
    void undo_discard(const QStringList& folders, const QStringList& were_shown);

    RunLibrary& library_;
    RunsModel& model_;
    RunsBanner& banner_;
    QSet<QString> were_shown_;  ///< those of the runs being moved to the wastebasket
    QSet<QString> show_again_;  ///< runs to show again when restored
    QElapsedTimer move_clock_;  ///< duration of the current move
    int moved_before_ = 0;      ///< number moved when the clock was started
    bool stopping_ = false;     ///< the move is being cancelled
};

}  // namespace casp::widgets
