// What the main window saves and puts back.

#include <iostream>

#include <QCloseEvent>
#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPlainTextEdit>
#include <QScopedValueRollback>

#include "gui/docks.h"
#include "gui/info_bar.h"
#include "gui/main_window.h"
#include "gui/notices.h"
#include "gui/run_queue.h"
#include "gui/start_page.h"
#include "panels/compare/compare_panel.h"
#include "panels/data/data_panel.h"
#include "panels/experiment/experiment_panel.h"
#include "panels/experiment/sweep_editor.h"
#include "panels/experiment/toml_view.h"
#include "panels/runs/runs_panel.h"
#include "panels/view/view_page.h"
#include "run/run.h"
#include "state/experiment_model.h"
#include "state/file_run_library.h"
#include "state/selection.h"
#include "state/session_json.h"
#include "store/run_folder.h"

namespace casp::gui {

namespace {

bool has_checkpoint(const QString& run) {
    try {
        return store::current_checkpoint(store::RunFolder(run.toStdString())).has_value();
    } catch (const std::exception&) {
        return false;
    }
}

}  // namespace

void MainWindow::start_saving() {
    regular_save_.setInterval(30'000);
    connect(&regular_save_, &QTimer::timeout, this, &MainWindow::save_session);
    regular_save_.start();
    save_timer_.setSingleShot(true);
    save_timer_.setInterval(800);
    connect(&save_timer_, &QTimer::timeout, this, &MainWindow::save_session);
    const auto save_soon = [this] {
        if (!closing_) save_timer_.start();
    };
    connect(experiment_, &widgets::ExperimentModel::changed, this, save_soon);
    connect(experiment_, &widgets::ExperimentModel::problems_changed, this, save_soon);
    connect(sweep_, &widgets::SweepEditor::typed, this, save_soon);
    connect(runs_, &widgets::RunsPanel::note_typed, this, save_soon);
    connect(selection_, &widgets::Selection::changed, this, save_soon);
    connect(queue_, &RunQueue::changed, this, save_soon);
    connect(&data_->model(), &widgets::DataModel::changed, this, save_soon);
    connect(experiment_panel_->toml_view()->text_edit(), &QPlainTextEdit::textChanged, this, save_soon);
    drive_timer_.setSingleShot(true);
    drive_timer_.setInterval(300);
    connect(&drive_timer_, &QTimer::timeout, this, &MainWindow::look_for_drive);
    const auto look_soon = [this] { drive_timer_.start(); };
    connect(library_, &widgets::FileRunLibrary::added, this, look_soon);
    connect(library_, &widgets::FileRunLibrary::removed, this, look_soon);
    connect(library_, &widgets::FileRunLibrary::reset, this, look_soon);
}

QString MainWindow::take_session() {
    QDir().mkpath(QFileInfo(first_session_.path()).absolutePath());
    for (int number = 1; number <= SessionFile::most_windows; ++number) {
        const auto file = first_session_.of_window(number);
        bool impossible = false;
        session_lock_ = file.lock(&impossible);
        if (session_lock_) {
            session_file_ = file;
            owns_session_ = true;
            window_number_ = number;
            return {};
        }
        if (impossible)
            return tr("The session cannot be saved: no file can be made in %1. Make room there, or give the "
                      "permission to write there; it is tried again all the time.")
                .arg(QFileInfo(file.path()).absolutePath());
    }
    return tr("The session of this window is not saved: %1 windows are open. Close some; it is tried again "
              "all the time.")
        .arg(SessionFile::most_windows);
}

void MainWindow::tell_saving(const QString& problem) {
    // Once: who has closed the message knows.
    if (problem == saving_problem_) return;
    saving_problem_ = problem;
    if (problem.isEmpty()) return info_->remove(QStringLiteral("saving"));
    notices_->log(problem, Notices::Level::error);
    info_->show_message(QStringLiteral("saving"), problem, true);
}

bool MainWindow::write_session(bool closed_properly) {
    if (!owns_session_) {
        if (const auto problem = take_session(); !problem.isEmpty()) {
            tell_saving(problem);
            return false;
        }
        QString unread;
        const auto saved = session_file_.read(&unread);
        unread = QStringList{unread, left_sessions_.take(window_number_)}.join(' ').trimmed();
        if (!unread.isEmpty()) info_->show_message(QStringLiteral("session"), unread, true);
        offer_recovery(saved);
    }
    if (drive_timer_.isActive()) {  // a first run may just have been started
        drive_timer_.stop();
        look_for_drive();
    }
    gather_session();
    state_.closed_properly = closed_properly;
    tell_saving(session_file_.write(state_));
    if (!saving_problem_.isEmpty()) return false;
    left_sessions_.release_runs();  // they are in this session now
    return true;
}

void MainWindow::gather_session() {
    state_.shown_runs = selection_->state().runs;
    state_.open_files = data_->paths();
    state_.parts["geometry"] = saveGeometry();
    state_.parts["docks"] = docks_->save_layout();
    state_.parts["centre"] = docks_->save_centre_layout();
    state_.parts["experiment"] = experiment_->save_state();
    state_.parts["experiment_panel"] = experiment_panel_->save_layout();
    state_.parts["sweep_rows"] = sweep_->save_rows();
    state_.parts["toml_draft"] = experiment_panel_->toml_view()->draft().toUtf8();
    state_.parts["data"] = data_->save_state();
    state_.parts["readings"] = data_->save_readings();
    state_.parts["selection"] =
        QJsonDocument(widgets::to_json(selection_->state())).toJson(QJsonDocument::Compact);
    state_.parts["runs"] = runs_->save_state();
    state_.parts["compare"] = compare_->save_state();
    for (const auto& [id, page] : docks_->view_pages()) state_.parts["page." + id] = page->save_state();
    // An offer that was not answered yet is made again.
    state_.waiting_runs = offered_.waiting + away_.waiting + damaged_.waiting;
    state_.going_runs = offered_.going + away_.going + damaged_.going;
    state_.finishing_runs = offered_.finishing + away_.finishing + damaged_.finishing;
    state_.failed_runs = offered_.failed + away_.failed + damaged_.failed;
    for (const auto& item : queue_->items()) {
        const auto folder = QString::fromStdString(item.request.folder.string());
        if (item.state == QueueState::waiting) state_.waiting_runs << folder;
        const bool failed = item.state == QueueState::failed && failed_with_checkpoint_.contains(folder);
        if (is_going(item) || item.state == QueueState::interrupted || failed) state_.going_runs << folder;
        if (failed) state_.failed_runs << folder;
        if (item.finish_early && state_.going_runs.contains(folder)) state_.finishing_runs << folder;
    }
}

void MainWindow::restore_session() {
    tell_saving(take_session());
    QString problem;
    state_ = session_file_.read(&problem, owns_session_);
    if (window_number_ > 1 && !QFileInfo::exists(session_file_.path())) {
        // As the first window was when it was saved; its runs are its own.
        auto first = first_session_;
        state_ = first.read(nullptr, false);
        state_.going_runs.clear();
        state_.waiting_runs.clear();
    }
    if (owns_session_)
        problem = QStringList{problem, left_sessions_.take(window_number_)}.join(' ').trimmed();
    const auto saved = state_;
    set_theme(theme_from(saved.theme));
    set_output_folder(saved.output_folder);
    drive_folder_ = state_.output_folder;
    if (saved.parts.contains("geometry")) restoreGeometry(saved.parts["geometry"]);
    if (saved.parts.contains("docks")) docks_->restore_layout(saved.parts["docks"]);
    if (saved.parts.contains("centre")) docks_->restore_centre_layout(saved.parts["centre"]);
    if (saved.parts.contains("experiment") && !experiment_->restore_state(saved.parts["experiment"])) {
        const auto kept = free_name(session_file_.path() + QStringLiteral(".before"));
        QFile::copy(session_file_.path(), kept);
        problem += tr(" The experiment that was being edited could not be read back; the session as it was "
                      "is kept as %1.")
                       .arg(kept);
    }
    sweep_->restore_rows(saved.parts.value("sweep_rows"));
    experiment_panel_->restore_layout(saved.parts.value("experiment_panel"));
    if (const auto draft = QString::fromUtf8(saved.parts.value("toml_draft")); !draft.isEmpty()) {
        experiment_panel_->set_toml_visible(true);
        experiment_panel_->toml_view()->set_draft(draft);
    }
    data_->restore_state(saved.parts.value("data"));
    data_->restore_readings(saved.parts.value("readings"));
    runs_->restore_state(saved.parts.value("runs"));
    compare_->restore_state(saved.parts.value("compare"));
    for (const auto& [id, page] : docks_->view_pages()) page->restore_state(saved.parts.value("page." + id));
    // Also those that are not there now: they stay in the list, with what was corrected in them.
    if (!saved.open_files.isEmpty()) data_->open(saved.open_files);
    auto selected = widgets::selection_of(QJsonDocument::fromJson(saved.parts.value("selection")).object());
    if (selected.runs.isEmpty()) selected.runs = saved.shown_runs;
    if (!selected.runs.isEmpty()) selection_->set(selected);
    start_->set_recent(saved.recent_files, saved.recent_folders);
    if (!problem.isEmpty()) info_->show_message(QStringLiteral("session"), problem, true);
    if (window_number_ > 1)
        info_->show_message(
            QStringLiteral("second"),
            tr("CASP Studio is open already. What you enter in this window is kept by itself and comes back "
               "when %1 windows are open again.")
                .arg(window_number_));
    look_for_drive();
    if (owns_session_) offer_recovery(saved);
}

void MainWindow::report_unexpected(const QString& problem) {
    // A timer or a view that throws does so many times a second, and saying it may throw again.
    if (reporting_ || (problem == unexpected_ && !unexpected_quiet_.hasExpired())) return;
    const QScopedValueRollback reporting(reporting_, true);
    constexpr int quiet_ms = 5000;
    unexpected_ = problem;
    unexpected_quiet_.setRemainingTime(quiet_ms);
    say(tr("Something went wrong that this program did not expect: %1. What you entered is still there; if "
           "it "
           "happens again, please report it with what you did before.")
            .arg(problem),
        true);
    if (!closing_ && !save_timer_.isActive()) save_timer_.start();
}

void MainWindow::note_failed_run(const QString& run, const QString& text) {
    // Looked up once: the session is saved all the time.
    if (has_checkpoint(run))
        failed_with_checkpoint_.insert(run);
    else
        failed_with_checkpoint_.remove(run);
    if (!closing_) return;
    failed_closing_ << tr("%1 failed while the window closed; what it did since its last checkpoint is lost. "
                          "%2")
                           .arg(QFileInfo(run).fileName(), text);
    close_anyway_ = false;  // this was not known when that was said
}

void MainWindow::stay_open() {
    failed_closing_.clear();
    info_->remove(QStringLiteral("closing"));
    if (!held_to_close_) return;
    held_to_close_ = false;
    queue_->hold(false);
}

void MainWindow::close_for_signal() {
    closing_for_signal_ = true;
    close();
}

bool MainWindow::may_close() {
    const bool saved = write_session(!queue_->is_running());
    auto lost = failed_closing_;
    if (!saved)
        lost.prepend(tr("What you entered since the last saving would be lost. %1").arg(saving_problem_));
    if (lost.isEmpty() || close_anyway_) return true;
    if (closing_for_signal_) {
        for (const auto& text : std::as_const(lost)) {
            if (told_on_terminal_.contains(text)) continue;
            told_on_terminal_ << text;
            std::cerr << "caspstudio: " << text.toStdString() << std::endl;
        }
        return true;
    }
    std::vector<InfoButton> buttons;
    if (!saved)
        buttons.push_back({tr("Try again"), tr("Saves once more, and closes the window where that works"),
                           [this] { close(); }});
    buttons.push_back({tr("Close anyway"), tr("Closes the window without what could not be saved"), [this] {
                           close_anyway_ = true;
                           failed_closing_.clear();
                           close();
                       }});
    buttons.push_back(
        {tr("Keep open"), tr("The window stays, and the queue goes on as before"), [this] { stay_open(); }});
    info_->show_message(QStringLiteral("closing"), lost.join('\n'), true, buttons);
    return false;
}

void MainWindow::closeEvent(QCloseEvent* event) {
    save_timer_.stop();
    if (closing_ && queue_->is_running()) return event->ignore();  // its checkpoint is being written
    closing_ = may_close();
    if (!closing_) return event->ignore();
    if (queue_->is_running()) {
        // The run stops after its step and writes a checkpoint; the window stays until that is done.
        info_->show_message(QStringLiteral("closing"),
                            tr("Saving a checkpoint of the run; the window closes when it is written."));
        connect(
            queue_, &RunQueue::finished, this, [this] { close(); }, Qt::SingleShotConnection);
        held_to_close_ = held_to_close_ || !queue_->is_held();
        queue_->interrupt_all();
        return event->ignore();
    }
    regular_save_.stop();
    event->accept();
}

}  // namespace casp::gui
