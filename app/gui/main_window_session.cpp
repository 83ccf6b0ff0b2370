// What the main window saves and puts back.

#include <QDateTime>
#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>

#include "gui/info_bar.h"
#include "gui/launcher.h"
#include "gui/main_window.h"
#include "gui/run_queue.h"
#include "gui/start_page.h"
#include "panels/compare_panel.h"
#include "panels/data_panel.h"
#include "panels/experiment_panel.h"
#include "panels/runs_panel.h"
#include "panels/view_page.h"
#include "state/experiment_model.h"
#include "state/file_run_library.h"
#include "state/selection.h"
#include "state/session_json.h"
#include "store/run_folder.h"
#include "train/run.h"

namespace casp::gui {

void MainWindow::save_session() {
    if (!owns_session_) return;  // the first window's
    state_.shown_runs = selection_->state().runs;
    state_.open_files = data_->paths();
    state_.parts["geometry"] = saveGeometry();
    state_.parts["docks"] = layout_before_.isEmpty() ? saveState() : layout_before_;
    state_.parts["centre"] = centre_->saveState();
    state_.parts["experiment"] = experiment_->save_state();
    state_.parts["experiment_panel"] = experiment_panel_->save_layout();
    state_.parts["toml_draft"] = experiment_panel_->toml_view()->draft().toUtf8();
    state_.parts["data"] = data_->save_state();
    state_.parts["readings"] = data_->save_readings();
    state_.parts["selection"] =
        QJsonDocument(widgets::to_json(selection_->state())).toJson(QJsonDocument::Compact);
    state_.parts["runs"] = runs_->save_state();
    state_.parts["compare"] = compare_->save_state();
    for (auto it = pages_.begin(); it != pages_.end(); ++it)
        state_.parts["page." + it.key()] = it.value()->save_state();
    // An offer that was not answered yet is made again.
    state_.waiting_runs = offered_waiting_;
    state_.going_runs = offered_going_;
    state_.finishing_runs = offered_finishing_;
    for (const auto& item : queue_->items()) {
        const auto folder = QString::fromStdString(item.request.folder.string());
        if (item.state == QueueState::waiting) state_.waiting_runs << folder;
        if (item.state == QueueState::running || item.state == QueueState::paused ||
            item.state == QueueState::stopping || item.state == QueueState::interrupted)
            state_.going_runs << folder;
        if (item.finish_early && state_.going_runs.contains(folder)) state_.finishing_runs << folder;
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
    if (saved.parts.contains("experiment") && !experiment_->restore_state(saved.parts["experiment"])) {
        const auto kept = session_file_.path() + QStringLiteral(".before");
        QFile::remove(kept);
        QFile::copy(session_file_.path(), kept);
        problem += tr(" The experiment that was being edited could not be read back; the session as it was "
                      "is kept as %1.")
                       .arg(kept);
    }
    experiment_panel_->restore_layout(saved.parts.value("experiment_panel"));
    if (const auto draft = QString::fromUtf8(saved.parts.value("toml_draft")); !draft.isEmpty()) {
        experiment_panel_->set_toml_visible(true);
        experiment_panel_->toml_view()->set_draft(draft);
    }
    data_->restore_state(saved.parts.value("data"));
    data_->restore_readings(saved.parts.value("readings"));
    runs_->restore_state(saved.parts.value("runs"));
    compare_->restore_state(saved.parts.value("compare"));
    for (auto it = pages_.begin(); it != pages_.end(); ++it)
        it.value()->restore_state(saved.parts.value("page." + it.key()));
    QStringList files;
    for (const auto& file : saved.open_files)
        if (QFileInfo::exists(file)) files << file;
    if (!files.isEmpty()) data_->open(files);
    auto selected = widgets::selection_of(QJsonDocument::fromJson(saved.parts.value("selection")).object());
    if (selected.runs.isEmpty()) selected.runs = saved.shown_runs;
    if (!selected.runs.isEmpty()) selection_->set(selected);
    start_->set_recent(saved.recent_files, saved.recent_folders);
    if (!problem.isEmpty()) info_->show_message(QStringLiteral("session"), problem, true);
    offer_recovery(saved);
}

void MainWindow::offer_recovery(const SessionState& saved) {
    if (!owns_session_) {
        info_->show_message(
            QStringLiteral("second"),
            tr("CASP Studio is open already: this second window works, but its arrangement is not saved."));
        return;
    }
    // Runs that this program had begun and that can go on, and runs that waited or were still being prepared.
    QStringList unfinished, waiting;
    for (const auto& folder : saved.going_runs + saved.waiting_runs) {
        if (unfinished.contains(folder) || waiting.contains(folder)) continue;
        try {
            if (store::RunLock::holder(store::RunFolder(folder.toStdString())))
                continue;  // somebody else goes on
            switch (train::folder_content(folder.toStdString())) {
                case train::FolderContent::resumable:
                case train::FolderContent::started:
                    unfinished << folder;
                    break;
                case train::FolderContent::empty:
                    if (QFileInfo::exists(folder + "/config.toml")) waiting << folder;
                    break;
                case train::FolderContent::complete:
                    break;
            }
        } catch (const std::exception& problem) {  // a damaged folder must not keep the window from opening
            log(QString::fromUtf8(problem.what()), 2, folder);
        }
    }
    if (unfinished.isEmpty() && waiting.isEmpty()) return;
    offered_going_ = unfinished;
    offered_waiting_ = waiting;
    for (const auto& folder : saved.finishing_runs)
        if (unfinished.contains(folder)) offered_finishing_ << folder;

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
        text += (text.isEmpty() ? "" : " ") + (waiting.size() == 1
                                                   ? tr("One run waited in the queue.")
                                                   : tr("%1 runs waited in the queue.").arg(waiting.size()));
    const auto answered = [this] {
        offered_going_.clear();
        offered_waiting_.clear();
        offered_finishing_.clear();
        save_timer_.start();
    };
    info_->show_message(
        QStringLiteral("recovery"), text, false,
        {{tr("Continue"), tr("Continues to the same bits as if it had never stopped"),
          [this, unfinished, waiting, finishing = offered_finishing_, answered] {
              answered();
              for (const auto& folder : unfinished + waiting)
                  launcher_->resume(folder, finishing.contains(folder));
              show_dock("training");
          }},
         {tr("Not now"), tr("The runs stay in the list; Continue is in their menu"), answered}});
}

}  // namespace casp::gui
