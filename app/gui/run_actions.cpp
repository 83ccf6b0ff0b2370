#include "gui/run_actions.h"

#include <QApplication>

#include "gui/docks.h"
#include "gui/launcher.h"
#include "gui/notices.h"
#include "panels/experiment/experiment_lambda_edit.h"
#include "panels/experiment/experiment_panel.h"
#include "panels/runs/runs_delegate.h"
#include "panels/view/view_page.h"
#include "state/experiment_model.h"
#include "state/file_run_library.h"

namespace casp::gui {

namespace {

constexpr int menu_closes_ms = 300;

QString run_menu_name() { return RunActions::tr("&Run"); }

QString cancel_tip() {
    return RunActions::tr("Stops after this step; the run keeps its checkpoint and can be resumed");
}

QString pause_tip() { return RunActions::tr("Pauses the run between two steps, or during its evaluation"); }

}  // namespace

RunActions::RunActions(const Parts& parts, QObject* parent)
    : QObject(parent), p_(parts), current_(parts.queue, parts.selection) {
    add_start_actions();
    add_stop_actions();
    p_.actions.separate();
    p_.actions.add(
        {"run.try", run_menu_name(), tr("&Try it"),
         tr("A small model on the sample data with λ_cov 0 and 0.1, three seeds each, in one to two minutes"),
         "Ctrl+T", tr("demo quick start example")},
        [this] { p_.launcher.try_it(); });
}

void RunActions::add_start_actions() {
    p_.actions.add(
        {"run.start", run_menu_name(), tr("&Run"), tr("Trains and evaluates with the settings on the right"),
         "Ctrl+Return", tr("train start experiment")},
        [this] { p_.launcher.run(); });
    p_.actions.add({"run.lambda", run_menu_name(), tr("Run with this &λ_cov"),
                    tr("Repeats the highlighted run with another λ_cov and shows both"), "Ctrl+Shift+Return",
                    tr("lambda coverage again")},
                   [this] { p_.launcher.run_with_lambda(); });
    p_.actions.add({"run.sweep", run_menu_name(), tr("Queue a &sweep…"),
                    tr("Runs for every combination of values, one after another"), "Ctrl+Shift+Q",
                    tr("grid seeds queue")},
                   [this] { p_.docks.show("sweep"); });
    p_.actions.add({"run.go-to-lambda", run_menu_name(), tr("&Go to λ_cov"),
                    tr("Moves the focus to λ_cov in the toolbar"), "Ctrl+L", tr("lambda coverage slider")},
                   [this] {
                       auto* number = p_.lambda.number();
                       number->setFocus(Qt::ShortcutFocusReason);
                       number->selectAll();
                   });
}

void RunActions::add_stop_actions() {
    p_.actions.separate();
    ActionSpec pause{"run.pause", run_menu_name(), tr("&Pause"),
                     pause_tip(), "Ctrl+Shift+P",  tr("hold continue")};
    pause.checkable = true;
    p_.actions.add(pause, [this] {
        const bool on = p_.actions.find("run.pause")->isChecked();
        send(on ? store::RunCommand::pause : store::RunCommand::resume);
    });
    p_.actions.add({"run.cancel", run_menu_name(), tr("&Cancel"), cancel_tip(), "Ctrl+.", tr("stop abort")},
                   [this] { send(store::RunCommand::cancel); });
    p_.actions.add(
        {"run.finish", run_menu_name(), tr("&Finish early and evaluate"),
         tr("Ends training now and evaluates the best weights so far"), "Ctrl+E", tr("stop early evaluate")},
        [this] { send(store::RunCommand::finish_early); });
    ActionSpec hold{"run.hold",
                    run_menu_name(),
                    tr("&Hold the queue"),
                    tr("Pauses the queue. The current run continues."),
                    "Ctrl+H",
                    tr("queue wait stop")};
    hold.checkable = true;
    p_.actions.add(hold, [this] { p_.queue.hold(p_.actions.find("run.hold")->isChecked()); });
}

void RunActions::follow() {
    connect(&p_.experiment, &widgets::ExperimentModel::changed, this, &RunActions::update);
    connect(&p_.experiment, &widgets::ExperimentModel::problems_changed, this, &RunActions::update);
    connect(&p_.queue, &RunQueue::changed, this, &RunActions::update);
    connect(&p_.selection, &widgets::Selection::changed, this, &RunActions::update);
    connect(&p_.selection, &widgets::Selection::highlighted_changed, this, &RunActions::update);
    // Whether a run is a fork or has failed is known when its files have been read.
    connect(&p_.library, &widgets::FileRunLibrary::changed, this, [this](int index) {
        if (index < 0 || index >= p_.library.size()) return;
        const auto& folder = p_.library.at(index).folder;
        if (folder == p_.selection.highlighted() || p_.selection.state().runs.contains(folder)) update();
    });
    connect(&p_.library, &widgets::FileRunLibrary::reset, this, &RunActions::update);
    connect(&p_.library, &widgets::FileRunLibrary::added, this, &RunActions::update);
    connect(&p_.library, &widgets::FileRunLibrary::removed, this, &RunActions::update);
    later_.setSingleShot(true);
    later_.setInterval(menu_closes_ms);
    connect(&later_, &QTimer::timeout, this, &RunActions::update);
    update();
}

void RunActions::update() {
    const auto problems = p_.experiment.run_problem_texts();
    auto* start = p_.actions.find("run.start");
    start->setEnabled(problems.isEmpty());
    start->setToolTip(problems.isEmpty() ? start->statusTip() + " (Ctrl+Return)"
                                         : tr("Cannot run yet: %1").arg(problems.join("; ")));
    // Empty views offer the next step: data first, then the run.
    const bool no_data = p_.experiment.config().data.path.empty();
    for (const auto& [id, page] : p_.docks.view_pages())
        page->set_offer(p_.actions.find(no_data ? "file.open" : "run.start"), no_data);
    update_lambda();
    p_.actions.find("edit.selection-back")->setEnabled(p_.selection.can_go_back());
    p_.actions.find("edit.selection-forward")->setEnabled(p_.selection.can_go_forward());
    update_stop_actions();
    p_.actions.find("run.hold")->setChecked(p_.queue.is_held());
}

RunActions::Target RunActions::target() const {
    const auto other = other_run();
    return other.isEmpty() ? Target{current_.folder(), current_.id()} : Target{other, 0};
}

void RunActions::send(store::RunCommand command) {
    const auto run = named_;
    if (run.folder.isEmpty()) return;
    const int index = p_.library.index_of(run.folder);
    if (run.id != 0 ? !p_.queue.can_cancel(run.id) : index < 0 || !p_.library.at(index).live) {
        p_.notices.say(tr("%1 is no longer running. Nothing was paused or stopped.")
                           .arg(widgets::run_title(p_.library, run.folder)),
                       false);
        return update();
    }
    if (run.id == 0) return p_.library.send(run.folder, command);
    switch (command) {
        case store::RunCommand::pause:
        case store::RunCommand::resume:
            return p_.queue.pause(run.id, command == store::RunCommand::pause);
        case store::RunCommand::finish_early:
            return p_.queue.finish_early(run.id);
        case store::RunCommand::cancel:
            return p_.queue.cancel(run.id);
    }
}

void RunActions::update_stop_actions() {
    // An open menu must not name another run under the pointer.
    const auto now = target();
    if (now != named_ && QApplication::activePopupWidget() != nullptr) return later_.start();
    named_ = now;
    const auto* running = current_.item();
    const bool stopping = running != nullptr && running->state == QueueState::stopping;
    const auto other = now.id == 0 ? now.folder : QString();
    for (const auto* name : {"run.pause", "run.finish"})
        p_.actions.find(name)->setEnabled(!other.isEmpty() || (running != nullptr && !stopping));
    auto* cancel = p_.actions.find("run.cancel");
    cancel->setEnabled(!other.isEmpty() || p_.queue.can_cancel(current_.id()));
    cancel->setStatusTip(
        other.isEmpty()
            ? cancel_tip()
            : tr("Stops this run with a checkpoint. A batch or worker that trains it ends; its other "
                 "runs wait for another one"));
    cancel->setToolTip(cancel->statusTip() + " (Ctrl+.)");
    const auto name = widgets::action_title(p_.library, now.folder);  // empty: none
    cancel->setText(now.folder.isEmpty() ? tr("&Cancel") : tr("&Cancel %1").arg(name));
    p_.actions.find("run.finish")
        ->setText(now.folder.isEmpty() ? tr("&Finish early and evaluate")
                                       : tr("&Finish %1 early and evaluate").arg(name));
    update_pause(other.isEmpty() ? running != nullptr && running->state == QueueState::paused
                                 : p_.library.is_paused(other),
                 name);
}

QString RunActions::other_run() const {
    const auto& shown = p_.selection.state().runs;
    const auto own = current_.folder(), highlighted = p_.selection.highlighted();
    for (const auto& folder : QStringList{highlighted} + shown) {
        if (folder == own) {
            if (!own.isEmpty()) return {};
            continue;
        }
        const int index = p_.library.index_of(folder);
        if (index < 0 || !p_.library.at(index).live || p_.library.at(index).ours) continue;
        if (folder == highlighted || !shown.contains(own)) return folder;
    }
    return {};
}

void RunActions::update_pause(bool paused, const QString& run) {
    auto* pause = p_.actions.find("run.pause");
    pause->setChecked(paused);
    pause->setText(run.isEmpty() ? tr("&Pause")
                   : paused      ? tr("Resu&me %1").arg(run)
                                 : tr("&Pause %1").arg(run));
    pause->setIconText(paused ? tr("▶ Resume") : tr("❚❚ Pause"));
    pause->setStatusTip(paused ? tr("Resumes the paused run") : pause_tip());
    pause->setToolTip(pause->statusTip() + " (Ctrl+Shift+P)");
}

void RunActions::update_lambda() {
    const bool repeats = p_.launcher.repeats_a_run();
    // A run is repeated whatever else the form holds.
    const auto problems = repeats ? QStringList() : p_.experiment.run_problem_texts();
    const auto base = p_.launcher.lambda_base();
    const bool lambda_good = p_.experiment.draft_problem(QStringLiteral("loss.lambda_cov")).isEmpty();
    auto* action = p_.actions.find("run.lambda");
    action->setEnabled(lambda_good && (repeats ? !base.isEmpty() : problems.isEmpty()));
    action->setText(base.isEmpty()
                        ? tr("Run with this &λ_cov")
                        : tr("Run %1 with this &λ_cov").arg(widgets::action_title(p_.library, base)));
    action->setToolTip(
        !lambda_good ? tr("λ_cov is not a valid number")
        : repeats && base.isEmpty()
            ? tr("Highlight the run to be repeated in the list: one that was trained here with λ_cov, did "
                 "not fail and is no fork")
        : repeats ? tr("As %1, with λ_cov %2; both are shown together (Ctrl+Shift+Return)")
                        .arg(widgets::run_title(p_.library, base),
                             QString::number(p_.experiment.config().loss.lambda_cov))
        : problems.isEmpty() ? tr("The settings on the right, with their λ_cov (Ctrl+Shift+Return)")
                             : tr("Cannot run yet: %1").arg(problems.join("; ")));
    p_.panel.set_run_with_lambda(action->isEnabled(), action->toolTip());
}

}  // namespace casp::gui
