#pragma once
// The runs that a page shows: the selected ones, else the one trained in this process.
//
// Follows the selection, the list and each run's data. A hidden page's runs are not looked up until it is
// shown or asked for its figures. GUI thread.

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <QHash>
#include <QPointer>
#include <QWidget>

#include "figures/recipe_input.h"
#include "state/run_library.h"
#include "state/selection.h"

namespace casp::widgets {

class ShownRuns : public QObject {
    Q_OBJECT
public:
    /// Maximum number of runs that a page reads and plots. More lines are indistinguishable, and thousands of
    /// records would take gigabytes; the page reports omissions.
    static constexpr qsizetype max_drawn = 256;

    /// All must outlive it; the page owns it.
    ShownRuns(RunLibrary& library, Selection& selection, QWidget& page);

    /// Applies changes that were only noted so far; false: there were none.
    bool catch_up();
    [[nodiscard]] bool is_due() const { return runs_due_ || !parts_due_.empty(); }
    /// Reads the runs, which a hidden page does not.
    void load();

    /// Folders of the shown runs, at most max_drawn.
    [[nodiscard]] QStringList folders();
    /// As of the page's last update, like data and inputs, except those of a hidden page.
    [[nodiscard]] const QStringList& drawn() const { return runs_; }
    [[nodiscard]] std::vector<RunData*> data() const;
    [[nodiscard]] std::vector<figures::RunInput> inputs() const;
    /// The base of a comparison first: runs of several cases in the order of the sweep, others by ascending
    /// λ_cov, those without coverage first and unknown values last.
    [[nodiscard]] std::vector<figures::RunInput> in_comparison_order(
        std::vector<figures::RunInput> runs) const;

    /// Whether two runs began with the same weights, so that their anchors' numbers and their embeddings
    /// correspond: same seed, model and backbone, or forks of such runs. True if one of them is empty.
    [[nodiscard]] bool have_same_start(const QString& run, const QString& other) const;
    /// Applies a click on anchors of `run` to the selection; anchors of a run with another start are
    /// replaced.
    void pick_anchors(SelectionState& state, const QString& run, const std::vector<std::int64_t>& anchors,
                      Qt::KeyboardModifiers modifiers) const;

    /// Why runs could not be read, a line each; empty if all could. Also shown above the views, because
    /// unreadable runs are missing from their pictures.
    [[nodiscard]] QString problems() const;
    /// Note on the number of plotted runs, if not all are.
    [[nodiscard]] QString drawn_text() const;
    /// Whether stored embeddings of a run are being read.
    [[nodiscard]] bool is_reading_embeddings() const;

Q_SIGNALS:
    void runs_changed();              ///< others are shown
    void part_changed(RunPart part);  ///< of a run, or of several; from catch_up()
    void outdated(RunPart part);      ///< figures of this part of a run
    void marks_changed();             ///< a run's label, colour or parent
    void due();                       ///< call catch_up() before the next figures

private:
    void run_changed(RunPart part);
    /// Checks for changes: now or soon.
    void follow();
    [[nodiscard]] QStringList runs_to_draw();
    void sync_runs();
    [[nodiscard]] std::shared_ptr<const config::Config> config_of(const RunData& shown) const;
    [[nodiscard]] RunData* parent_of(const RunData& shown) const;
    /// Folder of the run where the training of `run` began.
    [[nodiscard]] QString origin_of(QString run) const;

    RunLibrary& library_;
    Selection& selection_;
    QWidget& page_;
    QStringList chosen_runs_;    ///< runs of the selection at its last change
    QStringList runs_;           ///< plotted runs
    qsizetype shown_count_ = 0;  ///< number of runs without the limit
    bool runs_due_ = false;      ///< the shown runs may have changed
    std::set<RunPart> parts_due_;
    std::vector<QPointer<RunData>> connected_;
    QHash<QString, QString> drawn_marks_;  ///< by run folder, as last drawn
    mutable QHash<QString, std::pair<std::string, std::shared_ptr<const config::Config>>> configs_;
};

}  // namespace casp::widgets
