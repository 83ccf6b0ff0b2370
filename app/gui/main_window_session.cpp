// What the main window saves and puts back.

#include <QDateTime>
#include <QDir>
#include <QDockWidget>
#include <QFileInfo>

#include "gui/info_bar.h"
#include "gui/launcher.h"
#include "gui/main_window.h"
#include "gui/run_queue.h"
#include "gui/start_page.h"
#include "panels/compare_panel.h"
#include "panels/data_panel.h"
#include "panels/runs_panel.h"
#include "panels/view_page.h"
#include "state/experiment_model.h"
#include "state/file_run_library.h"
#include "state/selection.h"
#include "store/run_folder.h"
#include "train/run.h"

namespace casp::gui {

void MainWindow::save_session() {
    state_.shown_runs = selection_->state().runs;
    state_.open_files = data_->paths();
    state_.parts["geometry"] = saveGeometry();
    state_.parts["docks"] = layout_before_.isEmpty() ? saveState() : layout_before_;
    state_.parts["centre"] = centre_->saveState();
    state_.parts["experiment"] = experiment_->save_state();
    state_.parts["data"] = data_->save_state();
    state_.parts["runs"] = runs_->save_state();
    state_.parts["compare"] = compare_->save_state();
    for (auto it = pages_.begin(); it != pages_.end(); ++it)
        state_.parts["page." + it.key()] = it.value()->save_state();
    state_.waiting_runs.clear();
    state_.going_runs.clear();
    for (const auto& item : queue_->items()) {
        const auto folder = QString::fromStdString(item.request.folder.string());
        if (item.state == QueueState::waiting) state_.waiting_runs << folder;
        if (item.state == QueueState::running || item.state == QueueState::paused ||
            item.state == QueueState::stopping || item.state == QueueState::interrupted)
            state_.going_runs << folder;
    }
    state_.closed_properly = false;
    if (const auto problem = session_file_.write(state_); !problem.isEmpty())
        info_->show_message(QStringLiteral("session"), problem, true);
}

void MainWindow::restore_session() {
    QString problem;
    state_ = session_file_.read(&problem);
    const auto saved = state_;
    set_theme(theme_from(saved.theme));
    set_output_folder(saved.output_folder);
    if (saved.parts.contains("geometry")) restoreGeometry(saved.parts["geometry"]);
    if (saved.parts.contains("docks")) restoreState(saved.parts["docks"]);
    if (saved.parts.contains("centre")) centre_->restoreState(saved.parts["centre"]);
    if (saved.parts.contains("experiment") && !experiment_->restore_state(saved.parts["experiment"]))
        problem += tr(" The experiment that was being edited could not be read back.");
    data_->restore_state(saved.parts.value("data"));
    runs_->restore_state(saved.parts.value("runs"));
    compare_->restore_state(saved.parts.value("compare"));
    for (auto it = pages_.begin(); it != pages_.end(); ++it)
        it.value()->restore_state(saved.parts.value("page." + it.key()));
    QStringList files;
    for (const auto& file : saved.open_files)
        if (QFileInfo::exists(file)) files << file;
    if (!files.isEmpty()) data_->open(files);
    if (!saved.shown_runs.isEmpty()) selection_->set_runs(saved.shown_runs);
    start_->set_recent(saved.recent_files, saved.recent_folders);
    if (!problem.isEmpty()) info_->show_message(QStringLiteral("session"), problem, true);
    offer_recovery(saved);
}

void MainWindow::offer_recovery(const SessionState& saved) {
    // Runs that this program had begun and that can go on, and runs that waited.
    QStringList unfinished, waiting;
    for (const auto& folder : saved.going_runs)
        if (!store::RunLock::holder(store::RunFolder(folder.toStdString()))) {
            const auto content = train::folder_content(folder.toStdString());
            if (content == train::FolderContent::resumable || content == train::FolderContent::started)
                unfinished << folder;
        }
    for (const auto& folder : saved.waiting_runs)
        if (QFileInfo::exists(folder + "/config.toml") && !saved.going_runs.contains(folder) &&
            train::folder_content(folder.toStdString()) == train::FolderContent::empty)
            waiting << folder;
    if (unfinished.isEmpty() && waiting.isEmpty()) return;

    QStringList names;
    for (const auto& folder : unfinished)
        names << QFileInfo(folder).dir().dirName() + '/' + QFileInfo(folder).fileName();
    QString text;
    if (!unfinished.isEmpty())
        text = (saved.closed_properly
                    ? tr("%1 was stopped when the window closed and can go on from its checkpoint.")
                    : tr("%1 was cut off and can go on from its last checkpoint."))
                   .arg(names.join(QStringLiteral(", ")));
    if (!waiting.isEmpty())
        text += (text.isEmpty() ? "" : " ") +
                tr("%n run(s) waited in the queue.", nullptr, static_cast<int>(waiting.size()));
    info_->show_message(QStringLiteral("recovery"), text, false,
                        {{tr("Continue"), tr("Continues to the same bits as if it had never stopped"),
                          [this, unfinished, waiting] {
                              for (const auto& folder : unfinished) launcher_->resume(folder);
                              for (const auto& folder : waiting) launcher_->resume(folder);
                              show_dock("training");
                          }},
                         {tr("Not now"), tr("The runs stay in the list; Continue is in their menu"), {}}});
}

}  // namespace casp::gui
