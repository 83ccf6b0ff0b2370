#pragma once
// The status bar: progress of the current run, the selection, and the connection to a remote folder.

#include <QObject>
#include <QPointer>

#include "gui/current_run.h"

class QLabel;
class QProgressBar;
class QStatusBar;

namespace casp::widgets {
class RemoteFolder;
class RunLibrary;
}  // namespace casp::widgets

namespace casp::gui {

class InfoBar;
class Notices;

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

/// Also above it: a lost connection is told in the message bar.
class RemoteStatus : public QObject {
    Q_OBJECT
public:
    /// All must outlive it.
    RemoteStatus(QStatusBar& bar, Notices& notices, QObject* parent);
    /// Null: the folder of runs is on this machine.
    void follow(widgets::RemoteFolder* remote);

private:
    void update();
    void update_copying();
    /// A lost connection, with a button to try at once.
    void show_problem();

    Notices& notices_;
    InfoBar& info_;
    QLabel* label_;
    QPointer<widgets::RemoteFolder> remote_;
    QString shown_;  ///< the last problem
};

}  // namespace casp::gui
