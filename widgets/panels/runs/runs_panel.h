#pragma once
// Runs panel at the left: list of runs with filter, folder and counts, wastebasket and notification line.
//
// A narrow dock shows two lines per run, a wide one a table with selectable columns.

#include <QLabel>
#include <QLineEdit>
#include <QStackedWidget>
#include <QTimer>
#include <QToolButton>

#include "panels/runs/runs_commands.h"

namespace casp::widgets {

class RunsPanel : public QWidget {
    Q_OBJECT
public:
    /// Below this width in pixels (at 96 dpi) the panel shows two lines per run.
    static constexpr int wide_from = 560;

    /// Both must outlive the panel.
    RunsPanel(RunLibrary& library, Selection& selection, QWidget* parent = nullptr);

    /// Folders of the selected rows, from top to bottom.
    [[nodiscard]] QStringList selected_runs() const { return view_->selected_runs(); }
    void select_runs(const QStringList& folders);
    /// Folders of runs waiting in the window's queue.
    void set_queued(const QStringList& folders);
    /// A line for each job array on a cluster; empty: none.
    void set_cluster_state(const QString& text);
    void set_filter_text(const QString& text);
    void show_wastebasket(bool on);

    [[nodiscard]] RunsCommands* commands() const { return commands_; }
    [[nodiscard]] QAction* action(const QString& name) const { return commands_->action(name); }
    [[nodiscard]] RunsRemoval* removal() const { return removal_; }
    [[nodiscard]] RunsModel* model() const { return model_; }
    [[nodiscard]] RunsTable* view() const { return view_; }
    [[nodiscard]] QLineEdit* filter_box() const { return filter_; }
    [[nodiscard]] RunsBanner* banner() const { return banner_; }
    [[nodiscard]] RunsWastebasket* wastebasket() const { return wastebasket_; }

Q_SIGNALS:
    void open_folder_requested();  ///< choose an output folder

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void fill_controls();
    void arrange();
    void connect_controls();
    void connect_runs();
    void apply_filter();
    void update_counts();
    void update_folder();
    void update_icons();

    RunLibrary& library_;
    RunsModel* model_;
    QLineEdit* filter_;
    QLabel* filter_problem_;
    QToolButton* sort_button_;
    QToolButton* columns_button_;
    QToolButton* basket_button_;
    QToolButton* folder_;  ///< shows the folder of the runs
    QStackedWidget* pages_;
    RunsTable* view_;
    QLabel* empty_;
    QPushButton* empty_button_;
    RunsWastebasket* wastebasket_;
    QLabel* counts_;
    QLabel* cluster_;
    RunsBanner* banner_;
    RunsRemoval* removal_;
    RunsCommands* commands_;
    QTimer filter_timer_;
    QString loading_;
};

}  // namespace casp::widgets
