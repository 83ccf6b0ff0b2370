#pragma once
// The main window: runs on the left, views in the centre, the next experiment on the right (docs/guide).

#include <memory>
#include <vector>

#include <QMainWindow>

#include "gui/actions.h"
#include "gui/session.h"
#include "gui/theme.h"

class QDockWidget;

namespace casp::widgets {
class DataPanel;
class ExperimentModel;
class ExperimentPanel;
class FileRunLibrary;
class LambdaCovEdit;
class MessageDrawer;
class QueuePanel;
class RunsPanel;
class ComparePanel;
class DifferencePanel;
class PaperPage;
class ForkPopover;
class SweepEditor;
class Selection;
}  // namespace casp::widgets
namespace casp::store {
struct ResultRow;
}
namespace casp::figures {
struct Figure;
}

namespace casp::gui {

class ClusterJobs;
class CommandPalette;
class DockFocus;
class Docks;
class FetchPanel;
class FigureActions;
class FileDrops;
class FileExports;
class FileOpener;
class HelpPanel;
class InfoBar;
class Launcher;
class Notices;
class PanelActions;
class Recovery;
class RunActions;
class RunQueue;
class SessionKeeper;
class StartPage;
class WindowClosing;

/// More than 25 methods: a function for each group of parts that it assembles.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    /// `session`: where the session is kept (tests give a file of their own).
    explicit MainWindow(SessionFile session = SessionFile());
    ~MainWindow() override;

    /// Opens CSVs, TOML files, folders of M4, run folders and folders of runs, each as what it is; reports
    /// what cannot be opened.
    void open_paths(const QStringList& paths);
    void set_output_folder(const QString& folder);
    void set_theme(Theme theme);
    void reset_layout();
    /// Hides the panels around the centre, or shows them again.
    void fill_with_centre(bool on);
    /// Saves the session now (it is also saved a moment after every change). False: it could not be saved,
    /// which is reported once.
    bool save_session();
    /// Closes without a question, for a signal: runs write their checkpoints, and what cannot be saved is
    /// reported on the terminal.
    void close_for_signal();
    /// The program that is started for other windows that were cut off; by default this one.
    void set_program_of_other_windows(const QString& program, const QStringList& arguments);
    /// For exceptions that nothing caught: reports them, and saves soon what was entered.
    void report_unexpected(const QString& problem);

    [[nodiscard]] ActionList& actions() { return *actions_; }
    [[nodiscard]] widgets::ExperimentModel& experiment() { return *experiment_; }
    [[nodiscard]] widgets::Selection& selection() { return *selection_; }
    [[nodiscard]] widgets::FileRunLibrary& library() { return *library_; }
    [[nodiscard]] RunQueue& queue() { return *queue_; }
    [[nodiscard]] Launcher& launcher() { return *launcher_; }
    [[nodiscard]] InfoBar& info() { return *info_; }
    /// A dock by its name: "runs", "experiment", "data", "training", …; null if there is none.
    [[nodiscard]] QDockWidget* dock(const QString& name) const;
    void show_dock(const QString& name);
    [[nodiscard]] CommandPalette& palette_of_actions() { return *palette_; }
    /// Figures of all open pages.
    [[nodiscard]] std::vector<figures::Figure> open_figures() const;

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;
    bool focusNextPrevChild(bool next) override;

private:
    void make_panels();
    void make_toolbar();
    void make_actions();
    void make_view_actions();
    QList<QAction*> make_setting_actions();
    void show_settings_of(const QStringList& runs);
    void show_help_topic(const QString& topic);
    void fill_menus();
    void connect_runs();
    /// Which runs wait, and which are paused or stopping: into the list of runs.
    void show_queue_states();
    void report_result(const QString& run, const store::ResultRow& row);
    void connect_launcher();
    void get_backbone();
    void connect_start_and_data();
    void connect_experiment();
    void connect_views();
    void connect_paper();
    void connect_runs_list();
    void add_session_parts();
    void save_soon_after_changes();
    void restore_session();
    void keep_on_screen();
    void say(const QString& text, bool is_error, const QString& run = {});

    const SessionFile first_session_;

    ActionList* actions_;
    widgets::ExperimentModel* experiment_;
    widgets::Selection* selection_;
    widgets::FileRunLibrary* library_;
    RunQueue* queue_;
    Launcher* launcher_;

    QMainWindow* centre_;
    InfoBar* info_;
    CommandPalette* palette_ = nullptr;
    StartPage* start_;
    FetchPanel* fetch_;
    HelpPanel* help_;
    widgets::DataPanel* data_;
    widgets::ExperimentPanel* experiment_panel_;
    widgets::LambdaCovEdit* lambda_;
    widgets::RunsPanel* runs_;
    widgets::ComparePanel* compare_;
    widgets::DifferencePanel* difference_;
    widgets::PaperPage* paper_;
    widgets::SweepEditor* sweep_;
    widgets::ForkPopover* fork_;
    widgets::QueuePanel* queue_panel_;
    widgets::MessageDrawer* messages_;
    Docks* docks_;
    DockFocus* focus_;
    std::unique_ptr<Notices> notices_;
    SessionKeeper* session_ = nullptr;
    Recovery* recovery_ = nullptr;
    WindowClosing* closing_ = nullptr;
    FileOpener* opener_;
    FileDrops* drops_;
    FileExports* exports_;
    ClusterJobs* cluster_jobs_ = nullptr;
    PanelActions* panel_actions_ = nullptr;
    RunActions* run_actions_ = nullptr;
    FigureActions* figure_actions_ = nullptr;
};

}  // namespace casp::gui
