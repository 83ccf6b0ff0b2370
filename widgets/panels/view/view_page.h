#pragma once
// A page of views: a grid of framed figures of the selected runs, kept up to date while they train.
//
// What all pages share: which runs are shown (the selection's, else the one that this process trains),
// reading them, rebuilding figures at most 16 times a second and only those that are visible, dimming what is
// stale, maximising one view, and the state that a session keeps. A page that is hidden follows nothing: it
// catches up when it is shown or asked. GUI thread.

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
    /// Runs that a page reads and draws. Lines of more cannot be told apart, and the records of thousands
    /// would take gigabytes; the page says so.
    static constexpr qsizetype most_drawn = 256;

    ViewPage(RunLibrary* library, Selection* selection, QWidget* parent = nullptr);
    ~ViewPage() override;

    /// Controls and the maximised view, for the session; restoring what another version wrote keeps what it
    /// understands and returns false where that is nothing.
    [[nodiscard]] QByteArray save_state() const;
    bool restore_state(const QByteArray& state);

    /// Figures of all views that have something to show, or numbers alone, up to date also where they are not
    /// visible. Of a content that computes beside the GUI thread: what it shows by now (prepare() first).
    [[nodiscard]] std::vector<figures::Figure> figures();
    /// Brings all views up to date, also those that are not visible; false: some are still being computed,
    /// ask again. Asked `again`, a figure that was drawn in full since the first time stays as it is: of a
    /// run that goes on there is always something newer, and drawing it takes the window's time.
    bool prepare(bool again = false);

    [[nodiscard]] QList<ViewFrame*> frames() const;
    /// A view by its name ("loss-terms"); null where there is none.
    [[nodiscard]] FigureView* view(const QString& id) const;
    /// Brings all visible views up to date now.
    void update_now();

    /// What begins the work where no run is shown: a button in every view. `data_first`: there is no data set
    /// yet, and the views' texts say so. The actions outlive the page.
    void set_offer(QAction* action, bool data_first);

    /// Folders of the runs that are shown, most_drawn at most.
    [[nodiscard]] QStringList shown_runs();

Q_SIGNALS:
    void message(const QString& text, bool is_error = false);
    void help_requested(const QString& topic);
    void settings_requested(const QStringList& runs);  ///< of these are to be shown

protected:
    /// Makes a figure from the runs; returns at once.
    using Builder = std::function<figures::Figure(const std::vector<figures::RunInput>&)>;
    /// Adds a view that depends on `parts` of a run. `height`: least height in pixels at 100 %; more
    /// where the figure needs it. `columns`: 2
    /// takes a whole row of the two-column grid.
    FigureView* add_view(const QString& id, const QString& title, const QString& help_topic,
                         const std::set<RunPart>& parts, Builder builder, int height = 280, int columns = 1);
    /// Shows the runs in a content that is no figure; returns at once.
    using Updater = std::function<void(const std::vector<figures::RunInput>&)>;
    /// Adds a view of another content than a figure: updated as the others are, but it has no view(); its
    /// figure is what its frame has (ViewFrame::set_figure_source).
    ViewFrame* add_content(const QString& id, const QString& title, const QString& help_topic,
                           const std::set<RunPart>& parts, QWidget* content, Updater updater,
                           int height = 280, int columns = 1);
    /// The frame of a view.
    [[nodiscard]] ViewFrame* frame(const QString& id) const;
    /// The content of a view has another least height now.
    void fit_view(const QString& id);
    /// A line of controls above the grid, made on first use.
    [[nodiscard]] FlowLayout* bar();
    /// A labelled control for the bar: the label stands left of it and is its buddy.
    QWidget* labelled(const QString& label, QWidget* control);
    /// A widget above the grid.
    void add_header(QWidget* widget);

    /// Rebuilds these views (all: no ids) soon.
    void rebuild(const QStringList& ids = {});
    [[nodiscard]] std::vector<figures::RunInput> inputs() const;
    /// As they were when the page looked last; so are data and inputs, but those of a hidden page.
    [[nodiscard]] const QStringList& drawn_runs() const { return runs_; }
    [[nodiscard]] std::vector<RunData*> shown_data() const;
    [[nodiscard]] RunLibrary* library() const { return library_; }
    [[nodiscard]] Selection* selection() const { return selection_; }
    /// Keeps a view dimmed while something it needs is still being read; set by builders.
    void wait_for(const QString& id);
    /// Why shown runs could not be read, a line each; empty where all could. The page also says it above its
    /// views: a run that cannot be read is missing from pictures that have others to draw.
    [[nodiscard]] QString problems() const;
    /// What else is missing from view `id` and why, a line each; stands with the problems. For builders.
    void set_missing(const QString& id, const QString& text);
    /// Whether stored embeddings of a shown run are on their way.
    [[nodiscard]] bool is_reading_embeddings() const;
    /// The text of an empty view ("… Press Run, or …"), with what comes before that where there are no data.
    [[nodiscard]] QString with_first_step(QString text) const;

    /// Something of the selection changed; the base class rebuilds all views when the runs did.
    virtual void selection_changed() {}
    /// A part of a shown run, or of several, changed, before the views are rebuilt.
    virtual void part_changed(RunPart) {}
    virtual void save(QJsonObject&) const {}
    virtual void restore(const QJsonObject&) {}

    /// What a click with these modifiers makes of a set: replaced, Shift added, Ctrl toggled.
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
        FigureView* figure;  ///< null: a content of another sort, which `updater` fills
        std::set<RunPart> parts;
        Builder builder;
        Updater updater;
        int height, columns;
        bool stale = true;
        bool waiting = false;   ///< the builder wants data that are on their way
        QString left_out = {};  ///< of what it draws (Figure::left_out)
        bool in_full = false;   ///< [figure] drawn since prepare() was first asked, with nothing on its way
    };

    /// What figures take from a run's row in the list.
    [[nodiscard]] static QString marks_of(const RunSummary& run);
    void follow_library();
    void run_changed(RunPart part);
    /// Looks at what has changed: now or soon.
    void follow();
    /// Whether there was something to catch up with.
    bool catch_up();
    [[nodiscard]] bool is_due() const { return runs_due_ || !parts_due_.empty(); }
    [[nodiscard]] QStringList runs_to_draw();
    void sync_runs();
    /// How many of the shown runs are drawn, where not all are.
    [[nodiscard]] QString drawn_text() const;
    void show_problems();
    /// Rebuilds what is stale and not hidden. `in_steps`: returns after each view that can be seen, so that
    /// it is drawn and the event loop has its turn before the next one.
    void update_views(bool in_steps);
    void build(View& view, const std::vector<figures::RunInput>& runs);
    void show_offer();
    void arrange();
    /// A view is as high as its figure needs it to be read, and no lower than it was made.
    static void fit_height(const View& view);
    void maximise(const QString& id);
    void schedule();
    [[nodiscard]] View* find(const QString& id);
    [[nodiscard]] const View* find(const QString& id) const;
    [[nodiscard]] std::shared_ptr<const config::Config> config_of(const RunData& shown) const;
    [[nodiscard]] RunData* parent_of(const RunData& shown) const;
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
    QStringList chosen_runs_;    ///< of the selection, as it told last
    QStringList runs_;           ///< that are drawn
    qsizetype shown_count_ = 0;  ///< runs that would be, were there no limit
    bool runs_due_ = false;      ///< other runs may be shown by now
    std::set<RunPart> parts_due_;
    std::vector<QPointer<RunData>> connected_;
    QHash<QString, QString> drawn_marks_;  ///< by run folder, as they were drawn last
    mutable QHash<QString, std::pair<std::string, std::shared_ptr<const config::Config>>> configs_;
    QTimer timer_;
    QElapsedTimer since_, begun_;
    qint64 pause_ = 60;     ///< ms between two rebuilds
    qint64 own_time_ = 0;   ///< ms of this pass in the views themselves
    std::size_t next_ = 0;  ///< the view to go on with; 0: no rebuild is under way
    QString building_;
    QPointer<QAction> offer_;
    bool data_first_ = false;
};

}  // namespace casp::widgets
