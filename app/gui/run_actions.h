#pragma once
// The Run menu: starts, pauses and stops runs; which of that is possible now.

#include <QObject>
#include <QTimer>

#include "gui/actions.h"
#include "gui/current_run.h"
#include "store/run_control.h"

namespace casp::widgets {
class ExperimentModel;
class ExperimentPanel;
class FileRunLibrary;
class LambdaCovEdit;
}  // namespace casp::widgets

namespace casp::gui {

class Docks;
class Launcher;
class Notices;

class RunActions : public QObject {
    Q_OBJECT
public:
    /// What the actions act on; all outlive them.
    struct Parts {
        ActionList& actions;
        Docks& docks;
        widgets::ExperimentModel& experiment;
        widgets::ExperimentPanel& panel;
        widgets::LambdaCovEdit& lambda;
        widgets::FileRunLibrary& library;
        widgets::Selection& selection;
        RunQueue& queue;
        Launcher& launcher;
        Notices& notices;
    };
    RunActions(const Parts& parts, QObject* parent);
    /// Follows changes of the experiment, the queue and the selection from now on.
    void follow();

private:
    /// The run that Pause, Cancel and Finish are about.
    struct Target {
        QString folder;  ///< empty: none
        int id = 0;      ///< in this window's queue; 0: another process trains it
        bool operator==(const Target&) const = default;
    };
    [[nodiscard]] Target target() const;
    /// Sends the command to the run that the actions name; if that is over, says so instead.
    void send(store::RunCommand command);
    void add_start_actions();
    void add_stop_actions();
    void update();
    void update_stop_actions();
    /// "Run with this λ_cov", in the toolbar and in the form.
    void update_lambda();
    void update_pause(bool paused, const QString& run);
    /// The highlighted or a shown run that another process trains, here or on the other machine of a remote
    /// folder; empty: the actions are about a run of this window.
    [[nodiscard]] QString other_run() const;

    const Parts p_;
    const CurrentRun current_;
    Target named_;  ///< by the texts of the actions
    QTimer later_;  ///< update(), when the menu is closed
};

}  // namespace casp::gui
