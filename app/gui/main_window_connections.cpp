// What the pages, the queue and the library report to each other.

#include <QCursor>
#include <QDesktopServices>
#include <QFileInfo>
#include <QPointer>
#include <QTimer>
#include <QUrl>

#include "charts/view_frame.h"
#include "gui/docks.h"
#include "gui/fetch_panel.h"
#include "gui/file_drops.h"
#include "gui/file_exports.h"
#include "gui/file_opener.h"
#include "gui/info_bar.h"
#include "gui/launcher.h"
#include "gui/main_window.h"
#include "gui/menus.h"
#include "gui/notices.h"
#include "gui/recovery.h"
#include "gui/run_queue.h"
#include "gui/session_keeper.h"
#include "gui/start_page.h"
#include "gui/status_bar.h"
#include "gui/window_closing.h"
#include "panels/audit/audit_page.h"
#include "panels/compare/compare_panel.h"
#include "panels/compare/difference_panel.h"
#include "panels/data/data_panel.h"
#include "panels/experiment/experiment_panel.h"
#include "panels/experiment/fork_popover.h"
#include "panels/experiment/sweep_editor.h"
#include "panels/messages/message_drawer.h"
#include "panels/paper/paper_page.h"
#include "panels/queue/queue_panel.h"
#include "panels/runs/runs_delegate.h"
#include "panels/runs/runs_panel.h"
#include "panels/training/training_progress.h"
#include "panels/view/model_question.h"
#include "panels/view/view_page.h"
#include "run/fork.h"
#include "run/preparation.h"
#include "state/experiment_model.h"
#include "state/file_run_library.h"
#include "state/selection.h"
#include "store/result_columns.h"
#include "store/run_folder.h"
#include "store/run_store.h"
#include "util/error.h"
#include "util/shell_word.h"
#include "words/core_text.h"
#include "words/plain_text.h"

namespace casp::gui {

namespace {

/// The queue and its panel: shows the items in the panel and carries out its requests.
class QueueControl : public QObject {
public:
    /// All must outlive it.
    QueueControl(RunQueue& queue, widgets::QueuePanel& panel, widgets::FileRunLibrary& library,
                 Launcher& launcher, Notices& notices, QObject* parent)
        : QObject(parent),
          queue_(queue),
          panel_(panel),
          library_(library),
          launcher_(launcher),
          notices_(notices) {
        timer_.setSingleShot(true);
        timer_.setInterval(50);
        connect(&timer_, &QTimer::timeout, this, &QueueControl::update);
        connect(&queue_, &RunQueue::changed, this, &QueueControl::update_soon);
        connect(&queue_, &RunQueue::run_grew, this, &QueueControl::update_soon);
        // The title of a queued run is known when its settings have been read.
        connect(&library_, &widgets::FileRunLibrary::changed, this, &QueueControl::update_soon);
        connect(&library_, &widgets::FileRunLibrary::reset, this, &QueueControl::update_soon);
        using Panel = widgets::QueuePanel;
        connect(&panel_, &Panel::move_requested, &queue_, &RunQueue::move);
        connect(&panel_, &Panel::remove_requested, &queue_, &RunQueue::remove);
        connect(&panel_, &Panel::retry_requested, this, &QueueControl::retry);
        connect(&panel_, &Panel::pause_requested, &queue_, &RunQueue::pause);
        connect(&panel_, &Panel::cancel_requested, &queue_, &RunQueue::cancel);
        connect(&panel_, &Panel::finish_early_requested, &queue_, &RunQueue::finish_early);
        connect(&panel_, &Panel::hold_requested, &queue_, &RunQueue::hold);
        // The panel shows the effect of a key before the next one comes.
        for (const auto request : {&Panel::remove_requested, &Panel::retry_requested,
                                   &Panel::cancel_requested, &Panel::finish_early_requested})
            connect(&panel_, request, this, &QueueControl::update);
        connect(&panel_, &Panel::move_requested, this, &QueueControl::update);
        connect(&panel_, &Panel::pause_requested, this, &QueueControl::update);
    }
    /// The run's folder; empty: there is no such item.
    [[nodiscard]] QString folder_of(int id) const {
        for (const auto& item : queue_.items())
            if (item.id == id) return item.folder();
        return {};
    }

private:
    void retry(int id) {
        if (const auto folder = folder_of(id); !folder.isEmpty() && !launcher_.stays(folder)) return;
        try {
            queue_.retry(id);
        } catch (const std::exception& problem) {
            notices_.say(widgets::plain_text(problem), true);
        }
    }
    [[nodiscard]] widgets::QueueEntry entry_of(const QueueItem& item) const {
        widgets::QueueEntry entry;
        entry.id = item.id;
        const auto folder = item.folder();
        entry.name = widgets::run_title(library_, folder);
        entry.message = item.message;
        // The two enumerations are the same, in two layers.
        entry.state = static_cast<widgets::QueueEntryState>(item.state);
        entry.finishing = item.state == QueueState::stopping && queue_.can_cancel(item.id);
        if (const auto* run = is_going(item) ? library_.data(folder) : nullptr; run != nullptr) {
            const auto& pace = run->pace();
            entry.progress = pace.share();
            entry.seconds_left = widgets::shown_seconds_left(pace);
            entry.stage = widgets::stage_text(pace);
            entry.evaluates = pace.stage.kind == Stage::evaluating;
        }
        return entry;
    }
    void update() {
        timer_.stop();
        std::vector<widgets::QueueEntry> entries;
        for (const auto& item : queue_.items()) entries.push_back(entry_of(item));
        panel_.set_entries(std::move(entries));
        panel_.set_held(queue_.is_held());
    }
    /// Soon and once: a sweep queues hundreds of runs one after another.
    void update_soon() {
        if (!timer_.isActive()) timer_.start();
    }

    RunQueue& queue_;
    widgets::QueuePanel& panel_;
    widgets::FileRunLibrary& library_;
    Launcher& launcher_;
    Notices& notices_;
    QTimer timer_;
};

/// Opens the fork popover for a run, after its numbers have been read.
class ForkOpener : public QObject {
public:
    /// All must outlive it.
    ForkOpener(widgets::FileRunLibrary& library, widgets::ForkPopover& popover, Notices& notices,
               QObject* parent)
        : QObject(parent), library_(library), popover_(popover), notices_(notices) {}

    /// Replaces an earlier request that still waits.
    void open(const QString& run_folder) {
        auto* run_data = library_.data(run_folder);
        delete waits_;
        if (run_data == nullptr) return;
        if (!run_data->is_loaded() && run_data->problem().isEmpty()) {
            // The step of its best weights is in its run.h5, which is read first.
            auto* once = new QObject(run_data);
            waits_ = once;
            connect(run_data, &widgets::RunData::changed, once, [this, once, run_data, run_folder] {
                if (!run_data->is_loaded()) return;
                once->deleteLater();  // this is its own connection
                disconnect(run_data, nullptr, once, nullptr);
                waits_.clear();
                open(run_folder);
            });
            return run_data->load();
        }
        try {
            widgets::ForkParent parent;
            const store::RunFolder run(run_folder.toStdString());
            parent.folder = run_folder;
            parent.name = run_data->summary().name;
            parent.label = widgets::run_title(run_data->summary());
            parent.config = store::read_settings(run);
            if (auto* remote = library_.remote())
                return remote->ask_fork_place(
                    run_folder, [this, parent](const run::ForkPlace& place) { show(parent, place); });
            show(parent, run::fork_place(run, [run_data] { return &run_data->record(); }));
        } catch (const std::exception& problem) {
            notices_.say(widgets::plain_text(problem), true, run_folder);
        }
    }

private:
    void show(widgets::ForkParent parent, const run::ForkPlace& place) {
        parent.has_checkpoint = place.from == run::ForkFrom::checkpoint;
        parent.last_weights = place.from == run::ForkFrom::last_weights;
        parent.step = place.step;
        parent.epoch = place.epoch;
        popover_.set_parent_run(parent);
        popover_.popup(QCursor::pos());
    }

    widgets::FileRunLibrary& library_;
    widgets::ForkPopover& popover_;
    Notices& notices_;
    QPointer<QObject> waits_;  ///< for the numbers of the requested run
};

}  // namespace

void MainWindow::connect_runs() {
    using Library = widgets::FileRunLibrary;
    // First of all: what follows reads the library.
    auto& live = library_->live();
    connect(queue_, &RunQueue::run_added, &live, &widgets::LiveRuns::added);
    connect(queue_, &RunQueue::run_grew, &live, &widgets::LiveRuns::grew);
    connect(queue_, &RunQueue::run_finished, &live, &widgets::LiveRuns::finished);
    connect(queue_, &RunQueue::run_failed, &live, &widgets::LiveRuns::failed);
    connect(queue_, &RunQueue::run_started, this, &MainWindow::show_queue_states);  // perhaps paused before
    connect(queue_, &RunQueue::changed, this, &MainWindow::show_queue_states);

    connect(queue_, &RunQueue::run_message, this,
            [this](const QString& run, bool warning, const QString& text) {
                notices_->log(text, warning ? Notices::Level::warning : Notices::Level::note, run);
            });
    connect(queue_, &RunQueue::run_failed, this, [this](const QString& run, const QString& text) {
        recovery_->note_failed_run(run);
        closing_->note_failed_run(run, text);
        say(tr("%1 failed: %2").arg(widgets::run_title(*library_, run), text), true, run);
        show_dock("runs");
    });
    connect(queue_, &RunQueue::run_started, this, [this](const QString& run) { notices_->started(run); });
    connect(queue_, &RunQueue::run_finished, this, &MainWindow::report_result);
    connect(library_, &Library::problem, this, [this](const QString& text) { say(text, true); });

    auto* control = new QueueControl(*queue_, *queue_panel_, *library_, *launcher_, *notices_, this);
    connect(queue_panel_, &widgets::QueuePanel::activated, this, [this, control](int id) {
        if (const auto run = control->folder_of(id); !run.isEmpty()) selection_->set_runs({run});
        show_dock("training");
    });
    (new RunStatus(*statusBar(), *library_, *queue_, *selection_, this))->update();
    auto* connection = new RemoteStatus(*statusBar(), *notices_, this);
    connect(opener_, &FileOpener::remote_changed, connection, &RemoteStatus::follow);
}

void MainWindow::show_queue_states() {
    QStringList waiting;
    for (const auto& item : queue_->items()) {
        const auto folder = item.folder();
        if (item.state == QueueState::waiting) waiting << folder;
        if (is_going(item))
            library_->live().halted(folder, item.state == QueueState::paused     ? widgets::Halt::paused
                                            : item.state == QueueState::stopping ? widgets::Halt::stopping
                                                                                 : widgets::Halt::none);
    }
    runs_->set_queued(waiting);
}

void MainWindow::report_result(const QString& run, const store::ResultRow& row) {
    const auto state = QString::fromUtf8(store::to_string(row.state).data()).replace('_', ' ');
    auto text = tr("%1: %2").arg(widgets::run_title(*library_, run), widgets::translated(state));
    // The errors that the list shows.
    if (store::is_complete(row.state) && store::has_scores(row))
        text += tr(", test sMAPE %1 %, MASE %2, OWA %3")
                    .arg(row.test_smape, 0, 'g', 4)
                    .arg(row.test_mase, 0, 'g', 4)
                    .arg(row.test_owa, 0, 'g', 4);
    else if (store::is_complete(row.state))
        text += tr(", test MSE %1, MAE %2 (persistence forecast: MSE %3)")
                    .arg(row.test_mse, 0, 'g', 4)
                    .arg(row.test_mae, 0, 'g', 4)
                    .arg(row.last_value_mse, 0, 'g', 4);
    say(text, false, run);
}

void MainWindow::connect_launcher() {
    connect(launcher_, &Launcher::problem, this, [this](const QString& text) { say(text, true); });
    connect(launcher_, &Launcher::note, this, [this](const QString& text) { say(text, false); });
    connect(launcher_, &Launcher::started, this, [this] { notices_->started({}); });
    connect(launcher_, &Launcher::started, this, [this](const QStringList& folders) {
        opener_->note_recent(session_->state().output_folder, true);
        runs_->select_runs(folders.mid(0, 1));
        // The data set that it trains on.
        (void)data_->look_again(QString::fromStdString(experiment_->config().data.path));
        show_dock("training");
        if (folders.size() > 1) show_dock("queue");
    });
    connect(launcher_, &Launcher::exists, this, [this](const QString& folder) {
        runs_->select_runs({folder});
        info_->show_message(
            QStringLiteral("exists"),
            tr("This run is finished already: %1 has the same settings and is shown. The same settings "
               "give the same numbers again.")
                .arg(widgets::run_title(*library_, folder)),
            false,
            {{tr("Run again"), tr("Starts the run again under another name"),
              [this] { launcher_->run_again(); }}},
            20);
        show_dock("training");
    });
    connect(launcher_, &Launcher::backbone_missing, this, [this](const QString& text, bool of_catalogue) {
        std::vector<InfoButton> ways;
        if (of_catalogue)
            ways.push_back({tr("Get GPT-2…"), tr("Opens Get data or GPT-2"), [this] { get_backbone(); }});
        ways.push_back(
            {tr("Use an untrained backbone"), tr("Sets backbone.path; press Run again then"),
             [this] { experiment_->set(QStringLiteral("backbone.path"), std::string("untrained")); }});
        info_->show_message("backbone", text, true, ways);
    });
}

void MainWindow::get_backbone() {
    fetch_->select(QStringLiteral("gpt2"));
    show_dock("fetch");
}

void MainWindow::connect_start_and_data() {
    auto* sample = actions_->find("file.sample");
    connect(opener_, &FileOpener::recent_changed, start_, &StartPage::set_recent);
    connect(drops_, &FileDrops::dropped, opener_, &FileOpener::open);
    connect(data_, &widgets::DataPanel::files_chosen, opener_, &FileOpener::open);
    connect(drops_, &FileDrops::refused, this, [this](const QString& text) { say(text, true); });
    connect(start_, &StartPage::try_requested, launcher_, [this] { launcher_->try_it(); });
    connect(start_, &StartPage::open_requested, opener_, &FileOpener::choose_files);
    connect(start_, &StartPage::path_requested, this, [this](const QString& path) { opener_->open({path}); });
    connect(start_, &StartPage::sample_requested, sample, &QAction::trigger);
    connect(start_, &StartPage::fetch_requested, this, [this] { show_dock("fetch"); });
    connect(start_, &StartPage::presets_requested, this, [this] {
        show_dock("experiment");
        experiment_panel_->presets()->setFocus();
        experiment_panel_->presets()->showPopup();
    });

    // The message drawer is usually closed: errors must be seen without it.
    const auto report = [this](const QString& text, bool is_error) { notices_->report(text, is_error); };
    using Data = widgets::DataPanel;
    connect(data_, &Data::message, this, report);
    connect(data_, &Data::sample_requested, sample, &QAction::trigger);
    connect(data_, &Data::fetch_requested, this, [this](const QString& name) {
        fetch_->select(name);
        show_dock("fetch");
    });
    connect(data_, &Data::opened, this, [this](const QString& path) { opener_->note_recent(path, false); });
    connect(data_, &Data::usable_changed, experiment_panel_, &widgets::ExperimentPanel::set_data_offer);
    connect(data_, &Data::trial_requested, launcher_, &Launcher::try_it);
    connect(data_, &Data::use_requested, this, [this](const QString& path, const QStringList& keys) {
        const auto file = QFileInfo(path).fileName();
        say(tr("The next experiment uses %1.").arg(file), false);
        experiment_panel_->report_kept(file, keys);
        show_dock("experiment");
    });
    for (auto* frame : data_->frames()) {
        connect(frame, &widgets::ViewFrame::maximise_requested, this, &MainWindow::fill_with_centre);
        connect(frame, &widgets::ViewFrame::help_requested, this, &MainWindow::show_help_topic);
    }
    connect(&data_->channels(), &widgets::DataChannels::message, this,
            [this](const QString& text, bool is_error) { say(text, is_error); });

    connect(fetch_, &FetchPanel::message, this, report);
    connect(fetch_, &FetchPanel::open_requested, this,
            [this](const QString& path) { opener_->open({path}); });
}

void MainWindow::connect_experiment() {
    using Panel = widgets::ExperimentPanel;
    auto* estimate = experiment_panel_->estimate();
    connect(estimate, &widgets::ExperimentEstimate::backbone_requested, this, &MainWindow::get_backbone);
    connect(fetch_, &FetchPanel::fetched, estimate, &widgets::ExperimentEstimate::refresh);
    // What it took corrects the estimate of the next run.
    connect(queue_, &RunQueue::run_finished, estimate, [estimate] { estimate->refresh(); });
    connect(experiment_panel_, &Panel::data_requested, data_, &widgets::DataPanel::use_current);
    connect(experiment_panel_, &Panel::run_requested, this, [this] { launcher_->run(); });
    connect(experiment_panel_, &Panel::run_with_lambda_requested, actions_->find("run.lambda"),
            &QAction::trigger);
    connect(experiment_panel_, &Panel::sweep_requested, this, [this] { show_dock("sweep"); });
    connect(sweep_, &widgets::SweepEditor::cases_requested, this, [this] {
        show_dock("experiment");
        experiment_panel_->set_toml_visible(true);
        experiment_panel_->toml_view()->edit_cases();
    });
    connect(sweep_, &widgets::SweepEditor::queue_requested, launcher_, &Launcher::run_sweep);
    connect(fork_, &widgets::ForkPopover::fork_requested, launcher_, &Launcher::fork);
    connect(fork_, &widgets::ForkPopover::help_requested, this, &MainWindow::show_help_topic);
}

void MainWindow::connect_views() {
    for (const auto& [id, page] : docks_->view_pages()) {
        connect(page, &widgets::ViewPage::help_requested, this, &MainWindow::show_help_topic);
        connect(page, &widgets::ViewPage::message, this,
                [this](const QString& text, bool is_error) { say(text, is_error); });
        connect(page, &widgets::ViewPage::settings_requested, this, &MainWindow::show_settings_of);
    }
    connect(compare_, &widgets::ComparePanel::maximise_requested, this, &MainWindow::fill_with_centre);
    connect(compare_, &widgets::ComparePanel::help_requested, this, &MainWindow::show_help_topic);
    connect(compare_, &widgets::ComparePanel::run_picked, this,
            [this](const QString& folder) { runs_->select_runs({folder}); });
    compare_->frame()->set_settings([this] { show_settings_of(compare_->folders()); });
    const auto note = [this](const QString& text) { say(text, false); };
    connect(compare_, &widgets::ComparePanel::message, this, note);
    connect(difference_, &widgets::DifferencePanel::message, this, note);
    connect(messages_, &widgets::MessageDrawer::run_requested, this, [this](const QString& run) {
        selection_->set_runs({run});
        show_dock("training");
    });
}

void MainWindow::connect_paper() {
    using Paper = widgets::PaperPage;
    connect(paper_, &Paper::message, this,
            [this](const QString& text, bool is_error) { say(text, is_error); });
    connect(docks_->page<widgets::AuditPage>("audit"), &widgets::AuditPage::message, this,
            [this](const QString& text, bool is_error) { say(text, is_error); });
    connect(paper_, &Paper::runs_picked, runs_, &widgets::RunsPanel::select_runs);
    connect(paper_, &Paper::compare_requested, this, [this](const QStringList& folders) {
        selection_->set_runs(folders);
        show_dock("compare");
    });
    connect(paper_, &Paper::experiment_requested, this, [this](const QString& toml, const QString& name) {
        const auto title = "paper:" + name;
        const auto problems = experiment_->replace_from_toml(toml, title, {}, tr("Open %1").arg(title));
        if (!problems.isEmpty()) return say(problems, true);
        say(tr("%1 is open. The page Sweep lists its runs; finished ones of this experiment are not queued "
               "again.")
                .arg(title),
            false);
        show_dock("sweep");
    });
}

void MainWindow::show_help_topic(const QString& topic) { show_help(*docks_, *help_, topic); }

void MainWindow::show_settings_of(const QStringList& runs) {
    difference_->set_runs(runs);
    show_dock("difference");
}

void MainWindow::connect_runs_list() {
    using Runs = widgets::RunsCommands;
    auto* runs = runs_->commands();
    connect(runs, &Runs::open_requested, this, [this](const QString& folder) {
        selection_->set_runs({folder});
        show_dock("training");
    });
    connect(runs, &Runs::compare_requested, this, [this](const QStringList& folders) {
        selection_->set_runs(folders);
        show_dock("compare");
    });
    connect(runs, &Runs::difference_requested, this, &MainWindow::show_settings_of);
    connect(runs, &Runs::resume_requested, this, [this](const QStringList& folders) {
        for (const auto& folder : folders)
            widgets::with_trusted_model(this, folder, [this, folder] { launcher_->resume(folder); });
    });
    auto* forks = new ForkOpener(*library_, *fork_, *notices_, this);
    connect(runs, &Runs::fork_requested, forks, [this, forks](const QString& folder) {
        widgets::with_trusted_model(this, folder, [forks, folder] { forks->open(folder); });
    });
    connect(runs, &Runs::settings_requested, this,
            [this](const QString& folder) { opener_->open_experiment(folder + "/config.toml"); });
    connect(runs, &Runs::export_requested, this, [this](const QStringList& folders) {
        const auto* remote = library_->remote();
        if (remote == nullptr) return exports_->archive(folders);
        // The copy has only the files that were looked at.
        const bool one = folders.size() == 1;
        const auto path = one ? remote->path_there(folders.front()).toStdString() : std::string();
        say((one ? tr("This run is on %1. Archive it there: caspstudio --archive %2 --out FILE.tar.gz")
                 : tr("These runs are on %1. Archive each there: caspstudio --archive %2 --out FILE.tar.gz"))
                .arg(remote->machine(), path.empty() ? "RUN" : QString::fromStdString(shell_word(path))),
            true);
    });
    connect(runs, &Runs::folder_requested, this,
            [](const QString& folder) { QDesktopServices::openUrl(QUrl::fromLocalFile(folder)); });
    connect(runs_, &widgets::RunsPanel::open_folder_requested, opener_, &FileOpener::choose_output_folder);
}

}  // namespace casp::gui
