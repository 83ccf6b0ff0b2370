#pragma once
// The Anchors page: anchor usage and its concentration, overlap of retrieved anchors, coverage statistic c̃,
// coverage gate, similarity matrix, and the anchor inspector.

#include "figures/recipe_anchors.h"
#include "panels/view/selection_links.h"
#include "panels/view/view_page.h"

class QCheckBox;
class QComboBox;

namespace casp::widgets {

class AnchorInspector;
class AnchorScores;
class AnchorSelection;
class EmbeddingsSource;
class StepBar;

class AnchorsPage : public ViewPage {
    Q_OBJECT
public:
    AnchorsPage(RunLibrary* library, Selection* selection, QWidget* parent = nullptr);

    [[nodiscard]] const figures::AnchorOptions& options() const { return options_; }
    void set_options(const figures::AnchorOptions& options);
    [[nodiscard]] AnchorScores& scores() const { return *scores_; }
    [[nodiscard]] AnchorInspector& inspector() const { return *inspector_; }
    /// Retrieval statistics of the shown runs, and their overlap.
    [[nodiscard]] AnchorSelection& statistics() const { return *statistics_; }
    [[nodiscard]] EmbeddingsSource& source() const { return *source_; }

protected:
    void selection_changed() override;
    void part_changed(RunPart part) override;
    void save(QJsonObject& object) const override;
    void restore(const QJsonObject& object) override;
    void showEvent(QShowEvent* event) override;

private:
    void make_controls();
    void make_views();
    /// "Anchor usage · training up to step 133": the title of a view with its counts.
    [[nodiscard]] QString usage_title(const QString& name, const std::vector<figures::RunInput>& runs) const;
    [[nodiscard]] QString coverage_title(const std::vector<figures::RunInput>& runs) const;
    /// "step 133", "steps 133 to 266": steps of the shown snapshots; empty: none.
    [[nodiscard]] QString snapshot_steps(const std::vector<figures::RunInput>& runs) const;
    /// Selects the first run with embeddings if the one in the box has none and was not chosen by the user.
    void choose_run(const std::vector<figures::RunInput>& runs);
    void show_scores(const std::vector<figures::RunInput>& runs);
    void show_inspector(const std::vector<figures::RunInput>& runs);
    void show_statistics(const std::vector<figures::RunInput>& runs);
    void show_selection();
    void show_anchor();
    void pick(const QString& run, const std::vector<std::int64_t>& ids, Qt::KeyboardModifiers modifiers);
    void pick_cells(const std::vector<std::int64_t>& anchors, const std::vector<std::int64_t>& rows,
                    Qt::KeyboardModifiers modifiers);

    figures::AnchorOptions options_;
    SelectionLinks links_;
    QString other_anchors_;  ///< note on runs where the selected anchors are not highlighted
    QComboBox *of_, *run_;
    QCheckBox *sorted_, *log_y_;
    StepBar* steps_;
    EmbeddingsSource* source_;
    AnchorScores* scores_;
    AnchorInspector* inspector_;
    AnchorSelection* statistics_;
};

}  // namespace casp::widgets
