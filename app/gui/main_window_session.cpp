// Parts of the session, and when it is saved.

#include <algorithm>

#include <QJsonDocument>
#include <QJsonObject>
#include <QPlainTextEdit>
#include <QScreen>

#include "gui/cluster_jobs.h"
#include "gui/docks.h"
#include "gui/main_window.h"
#include "gui/recovery.h"
#include "gui/run_queue.h"
#include "gui/session_keeper.h"
#include "gui/start_page.h"
#include "panels/compare/compare_panel.h"
#include "panels/data/data_panel.h"
#include "panels/experiment/experiment_panel.h"
#include "panels/experiment/sweep_editor.h"
#include "panels/experiment/toml_view.h"
#include "panels/paper/paper_page.h"
#include "panels/runs/runs_panel.h"
#include "panels/view/view_page.h"
#include "state/experiment_model.h"
#include "state/selection.h"
#include "state/session_json.h"

namespace casp::gui {

void MainWindow::add_session_parts() {
    using Bytes = QByteArray;
    // Restored in this order. Keys are part of the file format.
    const auto add = [this](const QString& key, std::function<Bytes()> save,
                            std::function<void(const Bytes&)> restore) {
        session_->add_part(key, std::move(save), [restore = std::move(restore)](const Bytes& saved) {
            restore(saved);
            return true;
        });
    };
    add(
        "geometry", [this] { return saveGeometry(); },
        [this](const Bytes& saved) {
            if (!saved.isEmpty()) restoreGeometry(saved);
        });
    add(
        "docks", [this] { return docks_->save_layout(); },
        [this](const Bytes& saved) {
            if (!saved.isEmpty()) docks_->restore_layout(saved);
        });
    add(
        "centre", [this] { return docks_->save_centre_layout(); },
        [this](const Bytes& saved) {
            if (!saved.isEmpty()) docks_->restore_centre_layout(saved);
        });
    session_->add_part(
        "experiment", [this] { return experiment_->save_state(); },
        [this](const Bytes& saved) { return saved.isNull() || experiment_->restore_state(saved); });
    add(
        "sweep_rows", [this] { return sweep_->save_rows(); },
        [this](const Bytes& saved) { sweep_->restore_rows(saved); });
    add(
        "experiment_panel", [this] { return experiment_panel_->save_layout(); },
        [this](const Bytes& saved) { experiment_panel_->restore_layout(saved); });
    add(
        "toml_draft", [this] { return experiment_panel_->toml_view()->draft().toUtf8(); },
        [this](const Bytes& saved) {
            if (saved.isEmpty()) return;
            experiment_panel_->set_toml_visible(true);
            experiment_panel_->toml_view()->set_draft(QString::fromUtf8(saved));
        });
    const auto add_panel = [&add](const QString& key, auto* panel) {
        add(
            key, [panel] { return panel->save_state(); },
            [panel](const Bytes& saved) { (void)panel->restore_state(saved); });
    };
    add_panel("data", data_);
    add(
        "readings", [this] { return data_->save_readings(); },
        [this](const Bytes& saved) { data_->restore_readings(saved); });
    session_->add_part(
        "scheduler", [this] { return cluster_jobs_->save_state(); },
        [this](const Bytes& saved) { return cluster_jobs_->restore_state(saved); });
    add_panel("runs", runs_->view());
    add_panel("compare", compare_);
    add_panel("paper", paper_);
    for (const auto& [id, page] : docks_->view_pages()) add_panel("page." + id, page);
    session_->add_source([this](SessionState& state) {
        state.shown_runs = selection_->state().runs;
        state.open_files = data_->paths();
        state.parts["selection"] =
            QJsonDocument(widgets::to_json(selection_->state())).toJson(QJsonDocument::Compact);
    });
}

void MainWindow::save_soon_after_changes() {
    connect(experiment_, &widgets::ExperimentModel::changed, session_, &SessionKeeper::save_soon);
    connect(experiment_, &widgets::ExperimentModel::problems_changed, session_, &SessionKeeper::save_soon);
    connect(sweep_, &widgets::SweepEditor::typed, session_, &SessionKeeper::save_soon);
    connect(selection_, &widgets::Selection::changed, session_, &SessionKeeper::save_soon);
    connect(queue_, &RunQueue::changed, session_, &SessionKeeper::save_soon);
    connect(&data_->model(), &widgets::DataModel::changed, session_, &SessionKeeper::save_soon);
    connect(experiment_panel_->toml_view()->text_edit(), &QPlainTextEdit::textChanged, session_,
            &SessionKeeper::save_soon);
}

/// restoreGeometry() does not know the minimum size, which depends on the fonts of this machine.
void MainWindow::keep_on_screen() {
    const auto room = screen()->availableGeometry();
    auto frame = frameGeometry();
    frame.moveRight(std::min(frame.right(), room.right()));
    frame.moveBottom(std::min(frame.bottom(), room.bottom()));
    frame.moveLeft(std::max(frame.left(), room.left()));
    frame.moveTop(std::max(frame.top(), room.top()));
    if (!isMaximized() && !isFullScreen() && frame != frameGeometry()) move(frame.topLeft());
}

void MainWindow::restore_session() {
    session_->begin();
    const auto saved = session_->state();
    set_theme(theme_from(saved.theme));
    set_output_folder(saved.output_folder);
    session_->restore_parts(saved);
    // Also files that no longer exist: they stay in the list, with their corrections.
    if (!saved.open_files.isEmpty()) data_->open(saved.open_files);
    auto selected = widgets::selection_of(QJsonDocument::fromJson(saved.parts.value("selection")).object());
    if (selected.runs.isEmpty()) selected.runs = saved.shown_runs;
    if (!selected.runs.isEmpty()) selection_->set(selected);
    start_->set_recent(saved.recent_files, saved.recent_folders);
    session_->report_second_window();
    recovery_->begin();
    if (session_->owns_session()) recovery_->offer(saved);
    QMetaObject::invokeMethod(this, &MainWindow::keep_on_screen, Qt::QueuedConnection);  // once it is shown
}

}  // namespace casp::gui
