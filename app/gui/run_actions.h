#pragma once
// The Run menu: starts, pauses and stops runs; which of that is possible now.

#include <QObject>

#include "gui/actions.h"
#include "gui/current_run.h"

namespace casp::widgets {
class ExperimentModel;
class ExperimentPanel;
class FileRunLibrary;
class LambdaCovEdit;
}  // namespace casp::widgets

namespace casp::gui {

class Docks;
class Launcher;

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
    };
    RunActions(const Parts& parts, QObject* parent);
    /// Follows changes of the experiment, the queue and the selection from now on.
    void follow();

private:
    void add_start_actions();
    void add_stop_actions();
    void update();
    /// "Run with this λ_cov", in the toolbar and in the form.
    void update_lambda();
    void update_pause(bool paused, const QString& run);
    /// The highlighted or a shown run that another process trains, here or on the other machine of a remote
    /// folder; empty: the actions are about a run of this window.
    [[nodiscard]] QString other_run() const;

    const Parts p_;
    const CurrentRun current_;
};

}  // namespace casp::gui
