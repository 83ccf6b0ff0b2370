#pragma once
// The status bar: progress of the current run, and the selection.

#include <QObject>

#include "gui/current_run.h"

class QLabel;
class QProgressBar;
class QStatusBar;

namespace casp::widgets {
class RunLibrary;
}

namespace casp::gui {

class RunStatus : public QObject {
    Q_OBJECT
public:
    /// All must outlive it, but the bar.
    RunStatus(QStatusBar& bar, widgets::RunLibrary& library, const RunQueue& queue,
              const widgets::Selection& selection, QObject* parent);
    void update();

private:
    void update_pace();

    widgets::RunLibrary& library_;
    const widgets::Selection& selection_;
    const CurrentRun current_;
    QLabel* pace_;
    QProgressBar* progress_;
    QLabel* selected_;
};

}  // namespace casp::gui
