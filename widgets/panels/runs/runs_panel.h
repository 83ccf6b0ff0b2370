#pragma once
// Runs panel at the left: list of runs, the shown runs, and all actions on runs.
//
// A narrow dock shows two lines per run, a wide one a table with selectable columns. Both use one view and
// selection, so nothing is lost when the dock is resized.

#include <QAction>
#include <QByteArray>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QStackedWidget>
#include <QTableView>
#include <QTimer>
#include <QToolButton>

#include "panels/runs/runs_banner.h"
#include "panels/runs/runs_delegate.h"
#include "panels/runs/runs_model.h"
#include "panels/runs/runs_wastebasket.h"
#include "state/job.h"

namespace casp::widgets {

class RunsPanel : public QWidget {
    Q_OBJECT
public:
    /// Below this width in pixels (at 96 dpi) the panel shows two lines per run.
    static constexpr int wide_from = 560;

    /// Both must outlive the panel.
    RunsPanel(RunLibrary& library, Selection& selection, QWidget* parent = nullptr);

    /// Columns with order and widths, and sorting; restore_state() returns false and changes nothing for
    /// other data.
    [[nodiscard]] QByteArray save_state() const;
    bool restore_state(const QByteArray& state);

    /// Folders of the selected rows, from top to bottom.
    [[nodiscard]] QStringList selected_runs() const;
    void select_runs(const QStringList& folders);
    /// Folders of runs waiting in the window's queue.
    void set_queued(const QStringList& folders);
    /// A line for each job array on a cluster; empty: none.
    void set_cluster_state(const QString& text);
    void set_filter_text(const QString& text);
    void set_column_visible(RunsColumn column, bool on);
    [[nodiscard]] bool is_column_visible(RunsColumn column) const;
    [[nodiscard]] bool is_compact() const { return compact_; }
    /// All actions on the selected runs, for menus and the command palette; enabled if currently possible.
    [[nodiscard]] QList<QAction*> run_actions() const { return actions_list_; }
    /// The first entry of menus with run_actions(): names the highlighted runs.
    [[nodiscard]] QAction* heading() const { return heading_; }
    [[nodiscard]] QAction* action(const QString& name) const { return findChild<QAction*>(name); }

    /// One entry for each colour of the palette, and one for any other.
    [[nodiscard]] QMenu* colour_menu() const { return colour_menu_; }
    /// Menus of the sort and column buttons.
    [[nodiscard]] QMenu* sort_menu() const { return sort_menu_; }
    [[nodiscard]] QMenu* columns_menu() const { return columns_menu_; }

    [[nodiscard]] RunsModel* model() const { return model_; }
    [[nodiscard]] QTableView* view() const { return view_; }
    [[nodiscard]] QLineEdit* filter_box() const { return filter_; }
    [[nodiscard]] RunsBanner* banner() const { return banner_; }
    [[nodiscard]] RunsWastebasket* wastebasket() const { return wastebasket_; }

    /// Moves runs to the wastebasket, in the background if there are many, and offers undo.
    void discard(const QStringList& folders);
    void show_wastebasket(bool on);

Q_SIGNALS:
    void open_requested(const QString& folder);  ///< show this run only
    void compare_requested(const QStringList& folders);
    void difference_requested(const QStringList& folders);
    void resume_requested(const QStringList& folders);
    void fork_requested(const QString& folder);
    void settings_requested(const QString& folder);     ///< load its settings into the experiment
    void export_requested(const QStringList& folders);  ///< of runs, or of one batch
    void folder_requested(const QString& folder);       ///< show in the file manager
    void open_folder_requested();                       ///< choose an output folder
    void discarded(const QStringList& folders);
    void restored(const QStringList& folders);

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* object, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void fill_controls();
    [[nodiscard]] QWidget* make_empty_page();
    void arrange();
    void connect_controls();
    void connect_runs();
    void connect_wastebasket();
    void build_view();
    void build_actions();
    void set_compact(bool compact);
    void order_columns();
    void apply_columns();
    /// Columns of scores are offered while a run has scores.
    void offer_scores();
    [[nodiscard]] bool is_offered(RunsColumn column) const { return has_scores_ || !is_score(column); }
    void apply_filter();
    void update_counts();
    void update_folder();
    void update_actions();
    /// Tooltip and enabled state of Continue for `folders`, which can be resumed according to their states.
    void offer_resume(const QStringList& folders);
    /// Looks for their checkpoints, in the background.
    void look_for_checkpoints();
    void update_icons();
    void fill_columns_menu();
    void fill_sort_menu();
    void fill_colour_menu();
    void show_menu(const QPoint& at);
    void copy_rows(bool markdown);
    void set_colour(const QColor& colour);
    void show_moving(bool back, int done, int total);
    void end_moves(const RunMoves& moves);
    void undo_discard(const QStringList& folders, const QStringList& were_shown);

    // Slots of the actions.
    void open_current();
    void toggle_shown();
    void edit_note();
    void choose_colour();
    void export_archive();

    RunLibrary& library_;
    Selection& selection_;
    RunsModel* model_;
    RunsDelegate* delegate_;
    QLineEdit* filter_;
    QLabel* filter_problem_;
    QToolButton* sort_button_;
    QToolButton* columns_button_;
    QToolButton* basket_button_;
    QToolButton* folder_;  ///< shows the folder of the runs
    QStackedWidget* pages_;
    QTableView* view_;
    QLabel* empty_;
    QPushButton* empty_button_;
    RunsWastebasket* wastebasket_;
    QLabel* counts_;
    QLabel* cluster_;
    RunsBanner* banner_;
    QStringList resumed_;     ///< the selected runs whose checkpoints are looked for, if they are few
    QString resume_problem_;  ///< why they cannot be resumed, a line each; empty: all can, or not known yet
    Job<QString> resume_job_;
    QMenu *colour_menu_ = nullptr, *sort_menu_ = nullptr, *columns_menu_ = nullptr;
    QTimer filter_timer_;
    QList<QAction*> actions_list_;
    QAction* heading_ = nullptr;
    QSet<int> hidden_;
    QSet<QString> were_shown_;  ///< those of the runs being moved to the wastebasket
    QSet<QString> show_again_;  ///< runs to show again when restored
    QElapsedTimer move_clock_;  ///< duration of the current move
    int moved_before_ = 0;      ///< number moved when the clock was started
    bool stopping_ = false;     ///< the move is being cancelled
    QStringList kept_selection_;
    QString loading_;
    bool compact_ = false;
    bool has_scores_ = false;
};

}  // namespace casp::widgets
