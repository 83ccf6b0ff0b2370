#pragma once
// Base class of pages: a grid of framed figures of the shown runs, updated while they train.
//
// Shared by all pages: the shown runs, rebuilding visible figures at most 16 times a second, dimming stale
// ones, maximising a view, and session state. A hidden page is not updated until it is shown or its figures
// are requested. GUI thread.

#include <functional>
#include <set>
#include <vector>

#include <QElapsedTimer>
#include <QJsonObject>
#include <QMap>
#include <QPointer>
#include <QTimer>

#include "figures/figure.h"
#include "panels/view/shown_runs.h"

class QAction;
class QBoxLayout;
class QGridLayout;
class QLabel;
class QScrollArea;

namespace casp::widgets {

class FigureView;
class FlowLayout;
class ViewFrame;

/// More than 25 methods: most are the interface for pages: adding views and reacting to changes.
class ViewPage : public QWidget {
    Q_OBJECT
public:
    ViewPage(RunLibrary* library, Selection* selection, QWidget* parent = nullptr);
    ~ViewPage() override;

    /// Controls and the maximised view, for the session; restoring state of another version applies known
    /// keys and returns false if there are none.
    [[nodiscard]] QByteArray save_state() const;
    bool restore_state(const QByteArray& state);

    /// Figures of all views with plots or numbers, updated even if hidden. For content computed on other
    /// threads: its current state (call prepare() first).
    [[nodiscard]] std::vector<figures::Figure> figures();
    /// Updates all views, including hidden ones; false: some are still being computed, call again. With
    /// `again`, figures completed since the first call are kept: a running run always has newer data, and
    /// redrawing blocks the window.
    bool prepare(bool again = false);

    /// Of the available views.
    [[nodiscard]] QList<ViewFrame*> frames() const;
    /// A view by its name ("loss-terms"); null if there is none.
    [[nodiscard]] FigureView* view(const QString& id) const;
    /// Updates all visible views now.
    void update_now();

    /// Actions offered as buttons in every view while no run is shown. `data_first`: there is no data set
    /// yet, which the views' texts mention. The actions outlive the page.
    void set_offer(QAction* action, bool data_first);

    [[nodiscard]] ShownRuns& shown_runs() const { return *shown_runs_; }

Q_SIGNALS:
    void message(const QString& text, bool is_error = false);
    void help_requested(const QString& topic);
    void settings_requested(const QStringList& runs);  ///< settings of these runs are to be shown

protected:
    /// Builds a figure from the runs; returns quickly.
    using Builder = std::function<figures::Figure(const std::vector<figures::RunInput>&)>;
    /// Adds a view that depends on `parts` of a run: it is rebuilt when one of them changes, and with no
    /// parts when the run's record is read anew, as after its evaluation; RunPart::probe also reads stored
    /// probes. `height`: minimum height in pixels at 100 %; more if the figure needs it. `columns`: 2 spans
    /// the two-column grid.
    FigureView* add_view(const QString& id, const QString& title, const QString& help_topic,
                         const std::set<RunPart>& parts, Builder builder, int height = 280, int columns = 1);
    /// Shows the runs in content other than a figure; returns quickly.
    using Updater = std::function<void(const std::vector<figures::RunInput>&)>;
    /// Adds a view with content other than a figure: updated like the others, but without view(); its figure
    /// comes from its frame (ViewFrame::set_figure_source).
    ViewFrame* add_content(const QString& id, const QString& title, const QString& help_topic,
                           const std::set<RunPart>& parts, QWidget* content, Updater updater,
                           int height = 280, int columns = 1);
    /// Shows or hides a view that not all runs have.
    void set_available(const QString& id, bool available);
    /// The frame of a view.
    [[nodiscard]] ViewFrame* frame(const QString& id) const;
    /// The minimum height of a view's content has changed.
    void fit_view(const QString& id);
    /// Bar of controls above the grid, created on first use.
    [[nodiscard]] FlowLayout* bar();
    /// Adds a labelled control to the bar: the label is at the left and is its buddy.
    QWidget* labelled(const QString& label, QWidget* control);
    /// A widget above the grid.
    void add_header(QWidget* widget);

    /// Rebuilds these views (all: no ids) soon.
    void rebuild(const QStringList& ids = {});
    [[nodiscard]] RunLibrary* library() const { return library_; }
    [[nodiscard]] Selection* selection() const { return selection_; }
    /// Keeps a view dimmed while required data are being read; set by builders.
    void wait_for(const QString& id);
    /// Omissions of view `id` with reasons, a line each; shown with the problems of runs. For builders.
    void set_missing(const QString& id, const QString& text);
    /// The text of an empty view ("… Press Run, or …"), with a preceding step if there are no data.
    [[nodiscard]] QString with_first_step(QString text) const;

    /// The selection has changed; the base class rebuilds all views if the runs have.
    virtual void selection_changed() {}
    /// A part of a shown run, or of several, changed, before the views are rebuilt.
    virtual void part_changed(RunPart) {}
    virtual void save(QJsonObject&) const {}
    virtual void restore(const QJsonObject&) {}

    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct View {
        QString id;
        ViewFrame* frame;
        FigureView* figure;  ///< null: other content, filled by `updater`
        std::set<RunPart> parts;
        Builder builder;
        Updater updater;
        int height, columns;
        bool stale = true;
        bool waiting = false;   ///< the builder waits for data being read
        QString left_out = {};  ///< omissions (Figure::left_out)
        bool in_full = false;   ///< [figure] completed since the first call of prepare()
        bool available = true;
    };

    void show_problems();
    /// Rebuilds stale visible views. `in_steps`: returns after each visible view, so that it is painted and
    /// events are processed before the next one.
    void update_views(bool in_steps);
    void build(View& view, const std::vector<figures::RunInput>& runs);
    void show_offer();
    void arrange();
    /// Sets a view's height to that needed by its figure, but at least to its initial height.
    static void fit_height(const View& view);
    void maximise(const QString& id);
    void schedule();
    [[nodiscard]] View* find(const QString& id);
    [[nodiscard]] const View* find(const QString& id) const;
    ViewFrame* make_frame(const QString& id, const QString& title, const QString& help_topic,
                          QWidget* content);
    void add(View view);

    RunLibrary* library_;
    Selection* selection_;
    ShownRuns* shown_runs_;
    QBoxLayout* column_;
    QWidget* bar_ = nullptr;
    FlowLayout* bar_layout_ = nullptr;
    int headers_ = 0;
    QLabel* problems_;
    QMap<QString, QString> missing_;  ///< by view
    QScrollArea* scroll_;
    QWidget* sheet_;
    QGridLayout* grid_;
    int grid_columns_ = 0;
    QString maximised_;
    std::vector<View> views_;
    QTimer timer_;
    QElapsedTimer since_, begun_;
    qint64 pause_ = 60;     ///< ms between two rebuilds
    qint64 own_time_ = 0;   ///< ms of this pass in the views themselves
    std::size_t next_ = 0;  ///< the next view to rebuild; 0: no rebuild in progress
    QPointer<QAction> offer_;
    bool data_first_ = false;
};

}  // namespace casp::widgets
