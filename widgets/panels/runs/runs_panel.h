#pragma once
// The list of runs on the left: what exists, what the views show, and everything one can do with a run.
//
// Narrow (a dock) it shows two lines a run, wide a table with columns to choose. Both are one view with one
// selection, so nothing is lost when the dock is widened.

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
#include "panels/runs/runs_resume.h"
#include "panels/runs/runs_wastebasket.h"

namespace casp::widgets {

class RunsPanel : public QWidget {
    Q_OBJECT
public:
    /// Narrower than this many pixels (at 96 dpi) the panel shows two lines a run.
    static constexpr int wide_from = 560;

    /// Both must outlive the panel.
    RunsPanel(RunLibrary& library, Selection& selection, QWidget* parent = nullptr);

    /// Columns, their order and widths, sorting; restore_state() of anything else returns false and changes
    /// nothing.
    [[nodiscard]] QByteArray save_state() const;
    bool restore_state(const QByteArray& state);

    /// Folders of the rows that are highlighted, from top to bottom.
    [[nodiscard]] QStringList selected_runs() const;
    void select_runs(const QStringList& folders);
    /// Folders of runs that wait in the window's queue.
    void set_queued(const QStringList& folders);
    void set_filter_text(const QString& text);
    void set_column_visible(RunsColumn column, bool on);
    [[nodiscard]] bool is_column_visible(RunsColumn column) const;
    [[nodiscard]] bool is_compact() const { return compact_; }
    /// Everything that can be done with the selected runs, for menus and the command palette; each says by
    /// its enabled state whether it can be done now.
    [[nodiscard]] QList<QAction*> run_actions() const { return actions_list_; }
    [[nodiscard]] QAction* action(const QString& name) const { return findChild<QAction*>(name); }

    /// One entry for each colour of the palette, and one for any other.
    [[nodiscard]] QMenu* colour_menu() const { return colour_menu_; }
    /// By what the list is sorted, and which columns it has: the menus of its two buttons.
    [[nodiscard]] QMenu* sort_menu() const { return sort_menu_; }
    [[nodiscard]] QMenu* columns_menu() const { return columns_menu_; }

    [[nodiscard]] RunsModel* model() const { return model_; }
    [[nodiscard]] QTableView* view() const { return view_; }
    [[nodiscard]] QLineEdit* filter_box() const { return filter_; }
    [[nodiscard]] RunsBanner* banner() const { return banner_; }
    [[nodiscard]] RunsWastebasket* wastebasket() const { return wastebasket_; }

    /// Moves runs to the wastebasket, beside the window where they are many, and offers to undo that.
    void discard(const QStringList& folders);
    void show_wastebasket(bool on);

Q_SIGNALS:
    void note_typed();  ///< a note is written, kept or given up: save_state() may differ
    void open_requested(const QString& folder);  ///< look at this run
    void compare_requested(const QStringList& folders);
    void difference_requested(const QStringList& folders);
    void resume_requested(const QStringList& folders);
    void fork_requested(const QString& folder);
    void settings_requested(const QString& folder);  ///< load its settings into the experiment
    void export_requested(const QStringList& folders);
    void folder_requested(const QString& folder);  ///< show in the file manager
    void open_folder_requested();                  ///< choose an output folder
    void discarded(const QStringList& folders);
    void restored(const QStringList& folders);

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* object, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void build_view();
    void build_actions();
    QAction* add_action(const QString& name, const QString& text, const QKeySequence& key,
                        const QString& help, void (RunsPanel::*slot)());
    void set_compact(bool compact);
    void apply_columns();
    void apply_filter();
    void update_counts();
    void update_folder();
    void update_actions();
    /// What Continue says and whether it can be pressed: of `folders`, which may be continued by their
    /// states.
    void offer_resume(const QStringList& folders);
    void update_icons();
    void fill_columns_menu();
    void fill_sort_menu();
    void fill_colour_menu();
    void show_menu(const QPoint& at);
    void copy_rows(bool markdown, bool all);
    void set_colour(const QColor& colour);
    void show_moving(bool back, int done, int total);
    void end_moves(const RunMoves& moves);
    void undo_discard(const QStringList& folders, const QStringList& were_shown);

    // What the actions do.
    void open_current();
    void toggle_shown();
    void show_only();
    void compare();
    void difference();
    void edit_note();
    /// What stands in the note's box becomes its run's; false: that run is gone, and the box stays.
    bool keep_note();
    void choose_colour();
    void open_folder();
    void copy_csv();
    void copy_markdown();
    void copy_all_csv();
    void copy_all_markdown();
    void export_archive();
    void resume();
    void fork();
    void load_settings();
    void discard_selected();

    RunLibrary& library_;
    Selection& selection_;
    RunsModel* model_;
    RunsDelegate* delegate_;
    QLineEdit* filter_;
    QLabel* filter_problem_;
    QToolButton* sort_button_;
    QToolButton* columns_button_;
    QToolButton* basket_button_;
    QToolButton* folder_;  ///< names the folder of the runs
    QStackedWidget* pages_;
    QTableView* view_;
    QLabel* empty_;
    QPushButton* empty_button_;
    RunsWastebasket* wastebasket_;
    QLabel* counts_;
    QLineEdit* note_box_;
    RunsBanner* banner_;
    ResumeLook resume_look_{[this] { update_actions(); }};
    QMenu *colour_menu_ = nullptr, *sort_menu_ = nullptr, *columns_menu_ = nullptr;
    QTimer filter_timer_;
    QList<QAction*> actions_list_;
    QSet<int> hidden_;
    QSet<QString> were_shown_;  ///< of the runs on their way to the wastebasket
    QSet<QString> show_again_;  ///< of those on their way back
    QElapsedTimer move_clock_;  ///< of those that are on their way; the rest of them waits
    int moved_before_ = 0;      ///< when it was started
    bool stopping_ = false;     ///< they were cancelled
    QStringList kept_selection_;
    QString note_of_;
    QString loading_;
    bool compact_ = false;
};

/// The page in the window's list of pages (panels/view/page_spec.h).
struct PageSpec;
[[nodiscard]] PageSpec runs_page_spec();

}  // namespace casp::widgets
