#pragma once
// Actions on the selected runs: menus, shortcuts, and when each is possible.

#include <QAction>
#include <QColor>
#include <QMenu>
#include <QObject>

#include "panels/runs/runs_removal.h"
#include "panels/runs/runs_table.h"
#include "state/job.h"

namespace casp::widgets {

class RunsCommands : public QObject {
    Q_OBJECT
public:
    /// What it acts on; all outlive it.
    struct Parts {
        RunLibrary& library;
        Selection& selection;
        RunsModel& model;
        RunsTable& table;
        RunsRemoval& removal;
        RunsBanner& banner;
        QWidget& panel;  ///< owns the actions and dialogs
    };
    explicit RunsCommands(const Parts& parts);

    /// All of them, for menus and the command palette; enabled if currently possible.
    [[nodiscard]] QList<QAction*> actions() const { return actions_; }
    [[nodiscard]] QAction* action(const QString& name) const { return p_.panel.findChild<QAction*>(name); }
    /// The first entry of menus with actions(): names the highlighted runs.
    [[nodiscard]] QAction* heading() const { return heading_; }
    /// One entry for each colour of the palette, and one for any other.
    [[nodiscard]] QMenu* colour_menu() const { return colour_menu_; }

    /// Highlights the selected runs and enables what is possible for them.
    void update();
    /// Looks for the selected runs' checkpoints, in the background.
    void look_for_checkpoints();

Q_SIGNALS:
    void open_requested(const QString& folder);  ///< show this run only
    void compare_requested(const QStringList& folders);
    void difference_requested(const QStringList& folders);
    void resume_requested(const QStringList& folders);
    void fork_requested(const QString& folder);
    void settings_requested(const QString& folder);     ///< load its settings into the experiment
    void export_requested(const QStringList& folders);  ///< of runs, or of one batch
    void folder_requested(const QString& folder);       ///< show in the file manager

private:
    void build_actions();
    void fill_colour_menu();
    /// Tooltip and enabled state of Continue for `folders`, which can be resumed according to their states.
    void offer_resume(const QStringList& folders);
    void show_menu(const QPoint& at);

    // Slots of the actions.
    void open_selected();
    void toggle_shown();
    void edit_note();
    void choose_colour();
    void set_colour(const QStringList& folders, const QColor& colour);
    void copy_rows(bool markdown);
    void export_archive();

    const Parts p_;
    QList<QAction*> actions_;
    QAction* heading_ = nullptr;
    QMenu* colour_menu_ = nullptr;
    QStringList resumed_;     ///< the selected runs whose checkpoints are looked for, if they are few
    QString resume_problem_;  ///< why they cannot be resumed, a line each; empty: all can, or not known yet
    Job<QString> resume_job_;
};

}  // namespace casp::widgets
