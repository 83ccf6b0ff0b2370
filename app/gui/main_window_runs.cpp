// What goes between queue, library and panels, and what the status bar says of it.

#include <algorithm>

#include <QApplication>
#include <QDesktopServices>
#include <QDir>
#include <QDockWidget>
#include <QFileInfo>
#include <QLabel>
#include <QProgressBar>
#include <QToolBar>
#include <QUrl>

#include "charts/view_frame.h"
#include "figures/recipe_input.h"
#include "gui/docks.h"
#include "gui/fetch_panel.h"
#include "gui/file_exports.h"
#include "gui/help_panel.h"
#include "gui/info_bar.h"
#include "gui/launcher.h"
#include "gui/main_window.h"
#include "gui/notices.h"
#include "gui/run_queue.h"
#include "gui/start_page.h"
#include "panels/compare/compare_panel.h"
#include "panels/compare/difference_panel.h"
#include "panels/data/data_panel.h"
#include "panels/experiment/experiment_panel.h"
#include "panels/experiment/fork_popover.h"
#include "panels/experiment/sweep_editor.h"
#include "panels/messages/message_drawer.h"
#include "panels/queue/queue_panel.h"
#include "panels/runs/runs_delegate.h"
#include "panels/runs/runs_panel.h"
#include "panels/training/training_progress.h"
#include "panels/view/view_page.h"
#include "run/fork.h"
#include "state/experiment_model.h"
#include "state/file_run_library.h"
#include "state/selection.h"
#include "store/atomic_file.h"
#include "store/run_folder.h"
#include "util/error.h"

namespace casp::gui {

namespace {

constexpr int most_named_runs = 64;  ///< whose channels give a selected one its names

/// Fills in where a fork would begin.
void find_place(widgets::ForkParent& parent, const store::RunFolder& run, const widgets::RunData& data) {
    const auto place = run::fork_place(run, [&data] { return &data.record(); });
    parent.has_checkpoint = place.from == run::ForkFrom::checkpoint;
    parent.last_weights = place.from == run::ForkFrom::last_weights;
    parent.step = place.step;
    parent.epoch = place.epoch;
}

}  // namespace

/// Of several runs that go on (one a device) the one that is shown.
int MainWindow::running_id() const {
    const auto& shown = selection_->state().runs;
    int first = 0;
    for (const auto& item : queue_->items()) {
        if (!is_going(item)) continue;
        if (shown.contains(QString::fromStdString(item.request.folder.string()))) return item.id;
        if (first == 0) first = item.id;
    }
    return first;
}

QString MainWindow::running_folder() const {
    const int id = running_id();
    for (const auto& item : queue_->items())
        if (item.id == id) return QString::fromStdString(item.request.folder.string());
    return {};
}

void MainWindow::connect_runs() {
    connect(queue_, &RunQueue::run_added, library_, &widgets::FileRunLibrary::live_added);
    connect(queue_, &RunQueue::run_started, library_, &widgets::FileRunLibrary::live_started);
    connect(queue_, &RunQueue::run_progress, library_, &widgets::FileRunLibrary::live_progress);
    connect(queue_, &RunQueue::run_steps, library_, &widgets::FileRunLibrary::live_steps);
    connect(queue_, &RunQueue::run_epoch, library_, &widgets::FileRunLibrary::live_epoch);
    connect(queue_, &RunQueue::run_snapshot, library_, &widgets::FileRunLibrary::live_snapshot);
    connect(queue_, &RunQueue::run_probe, library_, &widgets::FileRunLibrary::live_probe);
    connect(queue_, &RunQueue::run_finished, library_, &widgets::FileRunLibrary::live_finished);
    connect(queue_, &RunQueue::run_failed, library_, &widgets::FileRunLibrary::live_failed);

    connect(queue_, &RunQueue::run_message, this,
            [this](const QString& run, bool warning, const QString& text) {
                notices_->log(text, warning ? Notices::Level::warning : Notices::Level::note, run);
            });
    connect(queue_, &RunQueue::run_added, this, [this] {
        if (held_to_close_ && !closing_) stay_open();
    });
    connect(queue_, &RunQueue::run_failed, this, [this](const QString& run, const QString& text) {
        note_failed_run(run, text);
        say(tr("%1 failed: %2").arg(widgets::run_title(*library_, run), text), true, run);
        show_dock("runs");
    });
    connect(queue_, &RunQueue::run_finished, this, [this](const QString& run, const store::ResultRow& row) {
        const auto state = QString::fromUtf8(store::to_string(row.state).data()).replace('_', ' ');
        auto text = widgets::run_title(*library_, run) + ": " + state;
        if (store::is_complete(row.state))
            text += tr(", test MSE %1, MAE %2 (last value: MSE %3)")
                        .arg(row.test_mse, 0, 'g', 4)
                        .arg(row.test_mae, 0, 'g', 4)
                        .arg(row.last_value_mse, 0, 'g', 4);
        say(text, false, run);
    });
    const auto tell_states = [this] {
        QStringList waiting;
        for (const auto& item : queue_->items()) {
            const auto folder = QString::fromStdString(item.request.folder.string());
            if (item.state == QueueState::waiting) waiting << folder;
            if (is_going(item))
                library_->live_halted(folder, item.state == QueueState::paused ? QStringLiteral("paused")
                                              : item.state == QueueState::stopping
                                                  ? QStringLiteral("stopping")
                                                  : QString());
        }
        runs_->set_queued(waiting);
    };
    connect(queue_, &RunQueue::run_started, this, tell_states);  // it may have been paused before
    connect(queue_, &RunQueue::changed, this, [this, tell_states] {
        if (!queue_->is_held()) held_to_close_ = false;
        tell_states();
        update_actions();
        update_queue_panel_soon();
        update_status();
    });
    connect(queue_, &RunQueue::run_steps, this, [this](const QString& run) {
        update_status();
        update_queue_entry(run);
    });
    connect(queue_, &RunQueue::run_progress, this, [this](const QString& run) {
        update_status();
        update_queue_entry(run);
    });
    queue_timer_.setSingleShot(true);
    queue_timer_.setInterval(0);
    connect(&queue_timer_, &QTimer::timeout, this, &MainWindow::update_queue_panel);
    // A run that waits is called by its settings once they are read.
    connect(library_, &widgets::FileRunLibrary::changed, this, [this](int index) {
        if (index < 0 || index >= library_->size()) return;
        const auto& folder = library_->at(index).folder;
        update_queue_entry(folder);
        // That it is a fork, or has failed, is known once its files are read.
        if (selection_->state().runs.contains(folder)) update_lambda_action();
    });
    connect(library_, &widgets::FileRunLibrary::reset, this, [this] {
        update_queue_panel_soon();
        update_status();  // the run that goes on may be of another folder now
    });
    connect(selection_, &widgets::Selection::changed, this, [this] {
        update_status();
        update_actions();
    });
    connect(library_, &widgets::FileRunLibrary::problem, this,
            [this](const QString& text) { say(text, true); });

    connect(launcher_, &Launcher::problem, this, [this](const QString& text) { say(text, true); });
    connect(launcher_, &Launcher::note, this, [this](const QString& text) { say(text, false); });
    connect(launcher_, &Launcher::started, this, [this](const QStringList& folders) {
        note_recent(state_.output_folder, true);
        (void)data_->look_again(
            QString::fromStdString(experiment_->config().data.path));  // what it trains on
        show_dock("training");
        if (folders.size() > 1) show_dock("queue");
    });
    connect(launcher_, &Launcher::exists, this, [this](const QString& folder) {
        info_->show_message(
            QStringLiteral("exists"),
            tr("This run is finished already: %1 has the same settings and is shown. The same settings "
               "give the same numbers again.")
                .arg(widgets::run_title(*library_, folder)),
            false,
            {{tr("Run again"), tr("Starts it once more under another name"),
              [this] { launcher_->run_again(); }}},
            20);
        show_dock("training");
    });
}

void MainWindow::connect_panels() {
    connect(start_, &StartPage::try_requested, this, [this] { launcher_->try_it(); });
    connect(start_, &StartPage::open_requested, this, &MainWindow::choose_and_open);
    connect(start_, &StartPage::path_requested, this, [this](const QString& path) { open_paths({path}); });
    connect(start_, &StartPage::sample_requested, actions_->find("file.sample"), &QAction::trigger);
    connect(start_, &StartPage::fetch_requested, this, [this] { show_dock("fetch"); });
    connect(start_, &StartPage::presets_requested, this, [this] {
        show_dock("experiment");
        experiment_panel_->presets()->presets()->setFocus();
        experiment_panel_->presets()->presets()->showPopup();
    });

    // The drawer of messages is closed as a rule: what went wrong must be seen without it.
    const auto tell = [this](const QString& text, bool bad) { notices_->report(text, bad); };
    connect(data_, &widgets::DataPanel::message, this, tell);
    connect(data_, &widgets::DataPanel::sample_requested, actions_->find("file.sample"), &QAction::trigger);
    connect(data_, &widgets::DataPanel::fetch_requested, this, [this](const QString& name) {
        fetch_->select(name);
        show_dock("fetch");
    });
    connect(data_, &widgets::DataPanel::opened, this,
            [this](const QString& path) { note_recent(path, false); });
    connect(data_, &widgets::DataPanel::usable_changed, experiment_panel_,
            &widgets::ExperimentPanel::set_data_offer);
    connect(experiment_panel_, &widgets::ExperimentPanel::data_requested, data_,
            &widgets::DataPanel::use_current);
    connect(data_, &widgets::DataPanel::use_requested, this, [this](const QString& path) {
        say(tr("The next experiment uses %1.").arg(QFileInfo(path).fileName()), false);
        show_dock("experiment");
    });

    connect(fetch_, &FetchPanel::message, this, tell);
    connect(fetch_, &FetchPanel::open_requested, this, [this](const QString& path) { open_paths({path}); });

    const auto get_backbone = [this] {
        fetch_->select(QStringLiteral("gpt2"));
        show_dock("fetch");
    };
    auto* estimate = experiment_panel_->estimate();
    connect(estimate, &widgets::ExperimentEstimate::backbone_requested, this, get_backbone);
    connect(fetch_, &FetchPanel::fetched, estimate, &widgets::ExperimentEstimate::refresh);
    connect(launcher_, &Launcher::backbone_missing, this,
            [this, get_backbone](const QString& text, bool of_catalogue) {
                std::vector<InfoButton> ways;
                if (of_catalogue)
                    ways.push_back({tr("Get GPT-2…"), tr("Opens Get data or GPT-2"), get_backbone});
                ways.push_back(
                    {tr("Use an untrained backbone"), tr("Sets backbone.path; press Run again then"), [this] {
                         experiment_->set(QStringLiteral("backbone.path"), std::string("untrained"));
                     }});
                info_->show_message("backbone", text, true, ways);
            });
    connect(experiment_panel_, &widgets::ExperimentPanel::run_requested, this, [this] { launcher_->run(); });
    connect(experiment_panel_, &widgets::ExperimentPanel::run_with_lambda_requested,
            actions_->find("run.lambda"), &QAction::trigger);
    connect(experiment_panel_, &widgets::ExperimentPanel::sweep_requested, this,
            [this] { show_dock("sweep"); });
    connect(experiment_panel_, &widgets::ExperimentPanel::help_requested, this, &MainWindow::show_help);
    connect(sweep_, &widgets::SweepEditor::queue_requested, launcher_, &Launcher::run_sweep);
    connect(fork_, &widgets::ForkPopover::fork_requested, launcher_, &Launcher::fork);
    connect(fork_, &widgets::ForkPopover::help_requested, this, &MainWindow::show_help);
    for (const auto& [id, page] : docks_->view_pages()) {
        connect(page, &widgets::ViewPage::help_requested, this, &MainWindow::show_help);
        connect(page, &widgets::ViewPage::message, this,
                [this](const QString& text, bool bad) { say(text, bad); });
    }
    connect(compare_, &widgets::ComparePanel::maximise_requested, this, &MainWindow::fill_with_centre);
    connect(data_->channels().frame(), &widgets::ViewFrame::maximise_requested, this,
            &MainWindow::fill_with_centre);
    connect(data_->channels().frame(), &widgets::ViewFrame::help_requested, this, &MainWindow::show_help);
    connect(&data_->channels(), &widgets::DataChannels::message, this,
            [this](const QString& text, bool bad) { say(text, bad); });
    connect(compare_, &widgets::ComparePanel::message, this,
            [this](const QString& text) { say(text, false); });
    connect(compare_, &widgets::ComparePanel::help_requested, this, &MainWindow::show_help);
    connect(difference_, &widgets::DifferencePanel::message, this,
            [this](const QString& text) { say(text, false); });
    connect_settings();
    connect(experiment_, &widgets::ExperimentModel::changed, this, &MainWindow::update_actions);
    connect(experiment_, &widgets::ExperimentModel::problems_changed, this, &MainWindow::update_actions);

    connect(runs_, &widgets::RunsPanel::open_requested, this,
            [this](const QString&) { show_dock("training"); });
    connect(runs_, &widgets::RunsPanel::compare_requested, this, [this](const QStringList& folders) {
        selection_->set_runs(folders);
        show_dock("compare");
    });
    connect(compare_, &widgets::ComparePanel::run_picked, this,
            [this](const QString& folder) { runs_->select_runs({folder}); });
    connect(runs_, &widgets::RunsPanel::difference_requested, this, [this](const QStringList& folders) {
        difference_->set_runs(folders);
        show_dock("difference");
    });
    connect(runs_, &widgets::RunsPanel::resume_requested, this, [this](const QStringList& folders) {
        for (const auto& folder : folders) launcher_->resume(folder);
    });
    connect(runs_, &widgets::RunsPanel::fork_requested, this,
            [this](const QString& folder) { open_fork(folder); });
    connect(runs_, &widgets::RunsPanel::settings_requested, this,
            [this](const QString& folder) { open_experiment_file(folder + "/config.toml"); });
    connect(runs_, &widgets::RunsPanel::export_requested, exports_, &FileExports::archive);
    connect(runs_, &widgets::RunsPanel::folder_requested, this,
            [](const QString& folder) { QDesktopServices::openUrl(QUrl::fromLocalFile(folder)); });
    connect(runs_, &widgets::RunsPanel::open_folder_requested, this, &MainWindow::choose_output_folder);

    connect(queue_panel_, &widgets::QueuePanel::move_requested, queue_, &RunQueue::move);
    connect(queue_panel_, &widgets::QueuePanel::remove_requested, queue_, &RunQueue::remove);
    connect(queue_panel_, &widgets::QueuePanel::retry_requested, this, [this](int id) {
        for (const auto& item : queue_->items())
            if (item.id == id && !launcher_->stays(QString::fromStdString(item.request.folder.string())))
                return;
        try {
            queue_->retry(id);
        } catch (const std::exception& problem) {
            say(QString::fromUtf8(problem.what()), true);
        }
    });
    connect(queue_panel_, &widgets::QueuePanel::pause_requested, queue_, &RunQueue::pause);
    connect(queue_panel_, &widgets::QueuePanel::cancel_requested, queue_, &RunQueue::cancel);
    connect(queue_panel_, &widgets::QueuePanel::finish_early_requested, queue_, &RunQueue::finish_early);
    connect(queue_panel_, &widgets::QueuePanel::activated, this, [this](int id) {
        for (const auto& item : queue_->items())
            if (item.id == id) selection_->set_runs({QString::fromStdString(item.request.folder.string())});
        show_dock("training");
    });
    connect(queue_panel_, &widgets::QueuePanel::hold_requested, queue_, &RunQueue::hold);
    // What its own keys have done stands in it before the next of them comes.
    for (const auto asked :
         {&widgets::QueuePanel::remove_requested, &widgets::QueuePanel::retry_requested,
          &widgets::QueuePanel::cancel_requested, &widgets::QueuePanel::finish_early_requested})
        connect(queue_panel_, asked, this, &MainWindow::update_queue_panel);
    connect(queue_panel_, &widgets::QueuePanel::move_requested, this, &MainWindow::update_queue_panel);
    connect(queue_panel_, &widgets::QueuePanel::pause_requested, this, &MainWindow::update_queue_panel);
    connect(messages_, &widgets::MessageDrawer::run_requested, this, [this](const QString& run) {
        selection_->set_runs({run});
        show_dock("training");
    });
}

void MainWindow::open_fork(const QString& run_folder) {
    auto* run_data = library_->data(run_folder);
    delete fork_waits_;  // what was asked for last is shown, once
    if (run_data == nullptr) return;
    if (!run_data->is_loaded() && run_data->problem().isEmpty()) {
        // At which step its best weights were taken stands in its run.h5, which is read first.
        auto* once = new QObject(run_data);
        fork_waits_ = once;
        connect(run_data, &widgets::RunData::changed, once, [this, once, run_data, run_folder] {
            if (!run_data->is_loaded()) return;
            once->deleteLater();  // this is its own connection
            disconnect(run_data, nullptr, once, nullptr);
            fork_waits_.clear();
            open_fork(run_folder);
        });
        return run_data->load();
    }
    try {
        widgets::ForkParent parent;
        const store::RunFolder run(run_folder.toStdString());
        parent.folder = run_folder;
        parent.name = run_data->summary().name;
        parent.label = widgets::run_title(run_data->summary());
        parent.config =
            config::load_text(store::read_small_file(run.config()), run.config().string(), {}).base;
        find_place(parent, run, *run_data);
        fork_->set_parent_run(parent);
        fork_->popup(QCursor::pos());
    } catch (const std::exception& problem) {
        say(QString::fromUtf8(problem.what()), true, run_folder);
    }
}

void MainWindow::update_actions() {
    const auto problems = experiment_->problem_texts();
    const bool can_run = problems.isEmpty();
    for (const auto* id : {"run.start"}) {
        auto* action = actions_->find(id);
        action->setEnabled(can_run);
        action->setToolTip(can_run ? action->statusTip() + " (Ctrl+Return)"
                                   : tr("Cannot run yet: %1").arg(problems.join("; ")));
    }
    // What an empty view offers: data first, then the run.
    const bool no_data = experiment_->config().data.path.empty();
    for (const auto& [id, page] : docks_->view_pages())
        page->set_offer(actions_->find(no_data ? "file.open" : "run.start"), no_data);
    update_lambda_action();
    actions_->find("edit.selection-back")->setEnabled(selection_->can_go_back());
    actions_->find("edit.selection-forward")->setEnabled(selection_->can_go_forward());
    const int id = running_id();
    bool paused = false, stopping = false;
    for (const auto& item : queue_->items())
        if (item.id == id) {
            paused = item.state == QueueState::paused;
            stopping = item.state == QueueState::stopping;
        }
    for (const auto* name : {"run.pause", "run.finish"})
        actions_->find(name)->setEnabled(id != 0 && !stopping);
    actions_->find("run.cancel")->setEnabled(queue_->can_cancel(id));
    auto* pause = actions_->find("run.pause");
    pause->setChecked(paused);
    pause->setText(paused ? tr("&Go on") : tr("&Pause"));
    pause->setIconText(paused ? tr("▶ Go on") : tr("❚❚ Pause"));
    pause->setStatusTip(paused ? tr("Lets the run go on from where it was paused")
                               : tr("Holds the run between two steps, or in the middle of its evaluation"));
    pause->setToolTip(pause->statusTip() + " (Ctrl+Shift+P)");
    if (auto* bar = findChild<QToolBar*>("toolbar"); bar != nullptr)
        if (auto* button = bar->widgetForAction(pause); button != nullptr)
            button->setAccessibleName(pause->iconText());
    actions_->find("run.hold")->setChecked(queue_->is_held());
}

/// What "Run with this λ_cov" would repeat, and whether it can; in the toolbar and in the form.
void MainWindow::update_lambda_action() {
    const bool runs_shown = !selection_->state().runs.isEmpty();
    // What else the form holds does not matter where a run is repeated.
    const auto problems = runs_shown ? QStringList() : experiment_->problem_texts();
    const bool can_run = problems.isEmpty();
    const auto base = launcher_->lambda_base();
    const bool lambda_good = experiment_->draft_problem(QStringLiteral("loss.lambda_cov")).isEmpty();
    auto* lambda = actions_->find("run.lambda");
    lambda->setEnabled(lambda_good && (runs_shown ? !base.isEmpty() : can_run));
    lambda->setToolTip(
        !lambda_good ? tr("λ_cov is no number that can be used")
        : runs_shown && base.isEmpty()
            ? tr("The runs on the screen are forks or failed: show the run that is to be repeated")
        : runs_shown ? tr("As %1, with λ_cov %2; both are shown together (Ctrl+Shift+Return)")
                           .arg(widgets::run_title(*library_, base),
                                QString::number(experiment_->config().loss.lambda_cov))
        : can_run ? tr("The settings on the right, with their λ_cov (Ctrl+Shift+Return)")
                  : tr("Cannot run yet: %1").arg(problems.join("; ")));
    experiment_panel_->set_run_with_lambda(lambda->isEnabled(), lambda->toolTip());
}

void MainWindow::update_status() {
    const auto folder = running_folder();
    auto* run = folder.isEmpty() ? nullptr : library_->data(folder);
    pace_->setToolTip(run == nullptr && !folder.isEmpty()
                          ? QDir::toNativeSeparators(folder)
                          : tr("Device, epoch, step, speed, time left and memory of the run that goes on"));
    if (folder.isEmpty()) {
        pace_->setText(tr("Nothing is running"));
        progress_->hide();
    } else if (run == nullptr) {  // it goes on, but its numbers are not in the list
        pace_->setText(
            tr("%1 goes on, in another folder of runs").arg(widgets::run_title(*library_, folder)));
        progress_->hide();
    } else {
        const auto& pace = run->pace();
        pace_->setText(widgets::pace_text(pace));
        const double share = pace.share();
        progress_->setRange(0, share >= 0 ? 1000 : 0);
        if (share >= 0) progress_->setValue(qRound(1000 * share));
        progress_->show();
    }
    std::vector<const store::DataSection*> sets;
    const auto& selected = selection_->state();
    for (qsizetype i = 0;
         !selected.channels.empty() && i < std::min<qsizetype>(selected.runs.size(), most_named_runs); ++i)
        if (const auto* shown = library_->data(selected.runs[i])) sets.push_back(&shown->record().data);
    const auto text = selection_->text(figures::channel_names_of(sets));
    selected_->setText(text.isEmpty() ? QString() : tr("selection: %1").arg(text));
}

widgets::QueueEntry MainWindow::queue_entry(const QueueItem& item) const {
    widgets::QueueEntry entry;
    entry.id = item.id;
    const auto folder = QString::fromStdString(item.request.folder.string());
    entry.name = widgets::run_title(*library_, folder);
    entry.message = item.message;
    // The two lists of states are one list, written in two layers.
    entry.state = static_cast<widgets::QueueEntryState>(item.state);
    entry.finishing = item.state == QueueState::stopping && queue_->can_cancel(item.id);
    if (const auto* run = is_going(item) ? library_->data(folder) : nullptr; run != nullptr) {
        const auto& pace = run->pace();
        entry.progress = pace.share();
        entry.seconds_left = widgets::told_seconds_left(pace);
        entry.stage = widgets::stage_text(pace);
    }
    return entry;
}

void MainWindow::update_queue_panel() {
    queue_timer_.stop();
    queue_lines_.clear();
    std::vector<widgets::QueueEntry> entries;
    for (const auto& item : queue_->items()) {
        queue_lines_.insert(QString::fromStdString(item.request.folder.string()),
                            static_cast<int>(entries.size()));
        entries.push_back(queue_entry(item));
    }
    queue_panel_->set_entries(std::move(entries));
    queue_panel_->set_held(queue_->is_held());
}

void MainWindow::update_queue_entry(const QString& run_folder) {
    if (queue_timer_.isActive()) return;  // the lines are told anew in a moment
    const auto& items = queue_->items();
    for (auto line = queue_lines_.constFind(run_folder);
         line != queue_lines_.constEnd() && line.key() == run_folder; ++line) {
        const auto i = static_cast<std::size_t>(line.value());
        // While an item is being added or removed its list is another one already.
        if (i < items.size() && QString::fromStdString(items[i].request.folder.string()) == run_folder)
            queue_panel_->set_entry(queue_entry(items[i]));
    }
}

}  // namespace casp::gui
