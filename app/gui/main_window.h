#pragma once
// The main window: runs on the left, views in the centre, the next experiment on the right (docs/guide).

#include <functional>
#include <memory>
#include <stop_token>

#include <QDeadlineTimer>
#include <QHash>
#include <QLockFile>
#include <QMainWindow>
#include <QPointer>
#include <QSet>
#include <QTimer>

#include "gui/actions.h"
#include "gui/left_sessions.h"
#include "gui/session.h"
#include "gui/theme.h"

class QDockWidget;
class QLabel;
class QMimeData;
class QProgressBar;

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
class ForkPopover;
class SweepEditor;
class Selection;
class ViewFrame;
class ViewPage;
struct QueueEntry;
struct RunPace;
}  // namespace casp::widgets
namespace casp::figures {
struct Figure;
}

namespace casp::gui {

class CommandPalette;
class DockFocus;
class Docks;
class FetchPanel;
class FigureActions;
class FileExports;
class HelpPanel;
class InfoBar;
class Launcher;
class Notices;
class PanelActions;
class RunQueue;
class StartPage;
struct QueueItem;

class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    /// `session`: where the session is kept (tests give a file of their own).
    explicit MainWindow(SessionFile session = SessionFile());
    ~MainWindow() override;

    /// Opens CSVs, TOML files, run folders and folders of runs, each as what it is; says what it cannot open.
    void open_paths(const QStringList& paths);
    void set_output_folder(const QString& folder);
    void set_theme(Theme theme);
    void reset_layout();
    /// Hides what stands around the centre, and brings it back.
    void fill_with_centre(bool on);
    /// Saves the session now (it is also saved a moment after every change). False: it could not be, which is
    /// said once.
    bool save_session() { return write_session(false); }
    /// Closes without a question, as a signal wants it: runs write their checkpoints, and what cannot be
    /// saved is said on the terminal.
    void close_for_signal();
    /// What is started for a window that was cut off and is to be had again; without it this program.
    void set_program_of_other_windows(const QString& program, const QStringList& arguments) {
        program_ = program;
        program_arguments_ = arguments;
    }
    /// For what nobody caught: says it, and saves what was entered soon.
    void report_unexpected(const QString& problem);

    [[nodiscard]] ActionList& actions() { return *actions_; }
    [[nodiscard]] widgets::ExperimentModel& experiment() { return *experiment_; }
    [[nodiscard]] widgets::Selection& selection() { return *selection_; }
    [[nodiscard]] widgets::FileRunLibrary& library() { return *library_; }
    [[nodiscard]] RunQueue& queue() { return *queue_; }
    [[nodiscard]] Launcher& launcher() { return *launcher_; }
    [[nodiscard]] InfoBar& info() { return *info_; }
    /// A dock by its name: "runs", "experiment", "data", "training", …; null where there is none.
    [[nodiscard]] QDockWidget* dock(const QString& name) const;
    void show_dock(const QString& name);
    [[nodiscard]] CommandPalette& palette_of_actions() { return *palette_; }
    /// Figures of all pages that are open.
    [[nodiscard]] std::vector<figures::Figure> open_figures() const;

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;
    bool focusNextPrevChild(bool next) override;
    /// Of the application: files may be dropped anywhere, see main_window_drop.cpp.
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// Runs that may go on. `finishing`, `failed`, `cut_off`: those of the others that only want to be
    /// evaluated, that failed, whose window was not closed.
    struct OfferedRuns {
        QStringList going, waiting, finishing, failed, cut_off;
        [[nodiscard]] bool is_empty() const { return going.isEmpty() && waiting.isEmpty(); }
    };
    [[nodiscard]] static OfferedRuns unfinished_of(const SessionState& saved);
    /// Takes a folder over from others, as `going` or not, with what is known of it.
    static void keep(OfferedRuns& runs, const QString& folder, const OfferedRuns& from, bool going);
    void make_panels();
    /// `wanted` without a frame, on a screen.
    [[nodiscard]] QRect place_for(const QRect& wanted) const;
    void stay_on_screen();
    void make_toolbar();
    void make_status_bar();
    void make_actions();
    void make_file_actions();
    void make_edit_actions();
    void make_run_actions();
    void make_view_actions();
    void make_data_actions();
    void make_page_actions();
    void connect_settings();
    void show_settings_of(const QStringList& runs);
    void make_help_actions();
    void fill_menus();
    void connect_runs();
    void connect_panels();
    void open_dropped(const QMimeData& files);
    void start_saving();
    void restore_session();
    /// Becomes the owner of the first session that no other window has. Returns what is in the way, or "".
    QString take_session();
    void gather_session();
    bool write_session(bool closed_properly);
    void tell_saving(const QString& problem);
    /// Of this window's session and of those that other windows left behind.
    void offer_recovery(const SessionState& saved);
    /// Into those to be offered, and those that are away or damaged; what is finished or gone is left out.
    /// `output_folder`, `drive`: as the session had them.
    void sort_out(const OfferedRuns& runs, const QString& output_folder, const QString& drive);
    void show_offer();
    /// Windows that were cut off beside this one.
    void offer_windows();
    void open_windows();
    void tell_away();
    /// Is the drive with the folder of runs there? Runs that were away are offered when they are back.
    void look_for_drive();
    /// Saves what is to be kept; where that fails, asks.
    bool may_close();
    /// The user goes on in this window, which was to be closed.
    void stay_open();
    void note_failed_run(const QString& run, const QString& text);
    void update_actions();
    void update_lambda_action();
    void update_status();
    [[nodiscard]] widgets::QueueEntry queue_entry(const QueueItem& item) const;
    /// All lines of the queue. Soon, and once: a sweep queues hundreds of runs one after another.
    void update_queue_panel();
    void update_queue_panel_soon() { queue_timer_.start(); }
    /// The lines of one run: how far it is, and what it is called.
    void update_queue_entry(const QString& run_folder);
    void note_recent(const QString& path, bool folder);
    void show_help(const QString& topic);
    void show_help_here();
    void show_about();
    void open_fork(const QString& run_folder);
    void choose_and_open();
    void choose_output_folder();
    void open_experiment_file(const QString& path);
    void say(const QString& text, bool is_error, const QString& run = {});
    [[nodiscard]] QString running_folder() const;
    [[nodiscard]] int running_id() const;

    const SessionFile first_session_;
    SessionFile session_file_;  ///< the first one or, where another window has it, session-2.json, …
    SessionState state_;
    std::unique_ptr<QLockFile> session_lock_;
    LeftSessions left_sessions_{first_session_};
    QString program_;  ///< for other windows
    QStringList program_arguments_;
    bool owns_session_ = false;
    int window_number_ = 1;
    QString saving_problem_;  ///< of the last saving
    QTimer regular_save_;     ///< layout and page controls, which tell of no change
    QTimer save_timer_;
    QTimer queue_timer_;  ///< update_queue_panel_soon()
    QMultiHash<QString, int>
        queue_lines_;  ///< indices of the queue's items by run folder, as they were shown

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
    widgets::SweepEditor* sweep_;
    widgets::ForkPopover* fork_;
    widgets::QueuePanel* queue_panel_;
    widgets::MessageDrawer* messages_;
    Docks* docks_;
    DockFocus* focus_;
    std::unique_ptr<Notices> notices_;
    FileExports* exports_;
    PanelActions* panel_actions_ = nullptr;
    FigureActions* figure_actions_ = nullptr;
    QPointer<QObject> fork_waits_;  ///< for the numbers of the run that is to be forked
    OfferedRuns offered_;           ///< not answered yet
    OfferedRuns away_;      ///< not there now, on a drive that is not mounted for one: offered when they are
    OfferedRuns damaged_;   ///< there, but they cannot be read
    QString drive_folder_;  ///< the folder of runs that state_.output_drive is of
    bool drive_is_away_ = false;
    QTimer drive_timer_;                    ///< many runs come and go at once
    QSet<QString> failed_with_checkpoint_;  ///< of this window's runs

    QLabel* pace_;
    QProgressBar* progress_;
    QLabel* selected_;
    bool closing_ = false;
    bool close_anyway_ = false;   ///< although something is lost
    QStringList failed_closing_;  ///< of each run that failed while the window closed: what is lost, and why
    bool closing_for_signal_ = false;
    QStringList told_on_terminal_;
    bool held_to_close_ = false;  ///< the queue, by the closing window
    QString unexpected_;          ///< said last by report_unexpected(), and until when not again
    QDeadlineTimer unexpected_quiet_;
    bool reporting_ = false;
};

}  // namespace casp::gui
