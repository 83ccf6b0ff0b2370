#pragma once
// "Submit…": the experiment of the form as a Slurm job array, and the states of the arrays of the open
// folder.

#include <QObject>
#include <QStringList>
#include <QTimer>

#include "config/scheduler.h"
#include "state/job.h"

class QWidget;

namespace casp::widgets {
class ExperimentModel;
class FileRunLibrary;
class RunsPanel;
}  // namespace casp::widgets

namespace casp::gui {

class ActionList;
class Launcher;
class Notices;

/// Asks Slurm at most every half minute, on a worker thread, while an array of the open folder has tasks that
/// wait or run; never without Slurm on this machine. The runs themselves are followed by their files.
class ClusterJobs : public QObject {
    Q_OBJECT
public:
    /// What it acts on; all outlive it.
    struct Parts {
        ActionList& actions;
        widgets::ExperimentModel& experiment;
        widgets::FileRunLibrary& library;
        widgets::RunsPanel& runs;
        Launcher& launcher;
        Notices& notices;
    };
    ClusterJobs(const Parts& parts, QWidget* window);

    /// The settings of the last submission, for the session.
    [[nodiscard]] QByteArray save_state() const;
    /// False where the bytes are no such settings.
    bool restore_state(const QByteArray& bytes);

private:
    void open_dialog();
    void refuse(const QString& text);
    void ask();

    const Parts p_;
    QWidget* window_;
    config::SchedulerSettings settings_;
    QTimer again_;
    widgets::Job<QStringList> job_;
};

}  // namespace casp::gui
