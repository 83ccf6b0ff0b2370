#pragma once
// Base class of pages: a grid of framed figures of the shown runs, updated while they train.
//
// Shared by all pages: the shown runs (the selected ones, else the one trained in this process), reading
// them, rebuilding visible figures at most 16 times a second, dimming stale ones, maximising a view, and
// session state. A hidden page is not updated until it is shown or its figures are requested. GUI thread.

#include <functional>
#include <set>
#include <utility>
#include <vector>

#include <QElapsedTimer>
#include <QHash>
#include <QJsonObject>
#include <QMap>
#include <QPointer>
#include <QTimer>
#include <QWidget>

#include "figures/figure.h"
#include "figures/recipe_input.h"
#include "state/run_library.h"
#include "state/selection.h"

class QAction;
class QBoxLayout;
class QGridLayout;
class QLabel;
class QScrollArea;

namespace casp::widgets {

class FigureView;
class FlowLayout;
class ViewFrame;

class ViewPage : public QWidget {
    Q_OBJECT
public:
    /// Maximum number of runs that a page reads and plots. More lines are indistinguishable, and thousands of
    /// records would take gigabytes; the page reports omissions.
    static constexpr qsizetype max_drawn = 256;

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

    /// Folders of the shown runs, at most max_drawn.
    [[nodiscard]] QStringList shown_runs();

Q_SIGNALS:
    void message(const QString& text, bool is_error = false);
    void help_requested(const QString& topic);
    void settings_requested(const QStringList& runs);  ///< settings of these runs are to be shown

protected:
    /// Builds a figure from the runs; returns quickly.
    using Builder = std::function<figures::Figure(const std::vector<figures::RunInput>&)>;
    /// Adds a view that depends on `parts` of a run. `height`: minimum height in pixels at 100 %; more if the
    /// figure needs it. `columns`: 2 spans the two-column grid.
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
    [[nodiscard]] std::vector<figures::RunInput> inputs() const;
    /// The base of a comparison first: runs of several cases in the order of the sweep, others by ascending
    /// λ_cov, those without coverage first and unknown values last.
    [[nodiscard]] std::vector<figures::RunInput> in_comparison_order(
        std::vector<figures::RunInput> runs) const;
    /// As of the page's last update, like data and inputs, except those of a hidden page.
    [[nodiscard]] const QStringList& drawn_runs() const { return runs_; }
    [[nodiscard]] std::vector<RunData*> shown_data() const;
    /// Whether two runs began with the same weights, so that their anchors' numbers and their embeddings
    /// correspond: same seed, model and backbone, or forks of such runs. True if one of them is empty.
    [[nodiscard]] bool have_same_start(const QString& run, const QString& other) const;
    /// Applies a click on anchors of `run` to the selection; anchors of a run with another start are
    /// replaced.
    void pick_anchors(SelectionState& state, const QString& run, const std::vector<std::int64_t>& anchors,
                      Qt::KeyboardModifiers modifiers) const;
    [[nodiscard]] RunLibrary* library() const { return library_; }
    [[nodiscard]] Selection* selection() const { return selection_; }
    /// Keeps a view dimmed while required data are being read; set by builders.
    void wait_for(const QString& id);
    /// Why shown runs could not be read, a line each; empty if all could. Also shown above the views, because
    /// unreadable runs are missing from their pictures.
    [[nodiscard]] QString problems() const;
    /// Further omissions of view `id` with reasons, a line each; shown with the problems. For builders.
    void set_missing(const QString& id, const QString& text);
    /// Whether stored embeddings of a shown run are being read.
    [[nodiscard]] bool is_reading_embeddings() const;
    /// The text of an empty view ("… Press Run, or …"), with a preceding step if there are no data.
    [[nodiscard]] QString with_first_step(QString text) const;

    /// The selection has changed; the base class rebuilds all views if the runs have.
    virtual void selection_changed() {}
    /// A part of a shown run, or of several, changed, before the views are rebuilt.
    virtual void part_changed(RunPart) {}
    virtual void save(QJsonObject&) const {}
    virtual void restore(const QJsonObject&) {}

    /// Applies a click to a set: replace, with Shift add, with Ctrl toggle.
    [[nodiscard]] static std::set<std::int64_t> combined(std::set<std::int64_t> before,
                                                         const std::vector<std::int64_t>& ids,
                                                         Qt::KeyboardModifiers modifiers);

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

    /// Values that figures use from a run's row in the list.
    [[nodiscard]] static QString marks_of(const RunSummary& run);
    void follow_library();
    void run_changed(RunPart part);
    /// Checks for changes: now or soon.
    void follow();
    /// Whether there was anything to update.
    bool catch_up();
    [[nodiscard]] bool is_due() const { return runs_due_ || !parts_due_.empty(); }
    [[nodiscard]] QStringList runs_to_draw();
    void sync_runs();
    /// Note on the number of plotted runs, if not all are.
    [[nodiscard]] QString drawn_text() const;
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
    [[nodiscard]] std::shared_ptr<const config::Config> config_of(const RunData& shown) const;
    [[nodiscard]] RunData* parent_of(const RunData& shown) const;
    /// Folder of the run where the training of `run` began.
    [[nodiscard]] QString origin_of(QString run) const;
    ViewFrame* make_frame(const QString& id, const QString& title, const QString& help_topic,
                          QWidget* content);
    void add(View view);

    RunLibrary* library_;
    Selection* selection_;
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
    QStringList chosen_runs_;    ///< runs of the selection at its last change
    QStringList runs_;           ///< plotted runs
    qsizetype shown_count_ = 0;  ///< number of runs without the limit
    bool runs_due_ = false;      ///< the shown runs may have changed
    std::set<RunPart> parts_due_;
    std::vector<QPointer<RunData>> connected_;
    QHash<QString, QString> drawn_marks_;  ///< by run folder, as last drawn
    mutable QHash<QString, std::pair<std::string, std::shared_ptr<const config::Config>>> configs_;
    QTimer timer_;
    QElapsedTimer since_, begun_;
    qint64 pause_ = 60;     ///< ms between two rebuilds
    qint64 own_time_ = 0;   ///< ms of this pass in the views themselves
    std::size_t next_ = 0;  ///< the next view to rebuild; 0: no rebuild in progress
    QPointer<QAction> offer_;
    bool data_first_ = false;
};

}  // namespace casp::widgets
