#pragma once
// The Embeddings page: anchors, series and prompts of up to four runs side by side, live or stored, as PCA or
// t-SNE in two or three dimensions; and the explained variance.

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include <QTimer>

#include "figures/recipe_paper_embeddings.h"
#include "panels/embeddings/embedding_cloud.h"
#include "panels/embeddings/embeddings_space.h"
#include "panels/embeddings/layout_work.h"
#include "panels/view/view_page.h"

class QCheckBox;
class QComboBox;
class QTableWidget;

namespace casp::widgets {

class EmbeddingsSource;
class LayoutBar;
class StepBar;

/// More than 25 methods: plots, bar, table and clicks share the result of find_shown().
class EmbeddingsPage : public ViewPage {
    Q_OBJECT
public:
    EmbeddingsPage(RunLibrary* library, Selection* selection, QWidget* parent = nullptr);
    ~EmbeddingsPage() override;

    [[nodiscard]] const std::vector<PointKind>& kinds() const { return cloud_.kinds; }
    void set_kinds(std::vector<PointKind> kinds);
    [[nodiscard]] CloudColour colour() const { return cloud_.colour; }
    void set_colour(CloudColour colour);
    [[nodiscard]] EmbeddingsSpace& space() const { return *space_; }
    [[nodiscard]] EmbeddingsSource& source() const { return *source_; }
    [[nodiscard]] LayoutBar& layout_bar() const { return *layout_bar_; }
    [[nodiscard]] LayoutWork& layout_work() { return tsne_; }
    /// Starts a t-SNE of the shown points.
    void start_tsne();

protected:
    void selection_changed() override;
    void part_changed(RunPart part) override;
    void save(QJsonObject& object) const override;
    void restore(const QJsonObject& object) override;
    void showEvent(QShowEvent* event) override;

private:
    /// A run with its shown embeddings.
    struct Shown {
        QString folder;
        std::shared_ptr<const EmbeddingSet> set;
        /// Its layout, with signs matched to the previous snapshots.
        std::shared_ptr<const store::EmbeddingLayout> pca;
    };
    /// Embeddings and layout of a point cloud.
    struct Drawn {
        std::shared_ptr<const EmbeddingSet> set;
        std::shared_ptr<const store::EmbeddingLayout> layout;
    };
    void make_controls();
    void make_views();
    /// Embeddings of the first four runs.
    [[nodiscard]] std::vector<Shown> find_shown(const std::vector<figures::RunInput>& runs);
    /// Runs omitted from the pictures, with reasons.
    [[nodiscard]] QString left_out(const std::vector<figures::RunInput>& runs) const;
    void show_space(const std::vector<figures::RunInput>& runs);
    void show_bar();
    /// Principal components of the shown embeddings, in order; the joint ones if selected and available.
    [[nodiscard]] std::vector<Drawn> components();
    /// Its t-SNE; empty: none (yet), with the reason.
    [[nodiscard]] std::vector<Drawn> tsne(QString& why_not);
    [[nodiscard]] QString why_no_tsne() const;
    [[nodiscard]] std::vector<EmbeddingsSpace::Cloud> clouds(const std::vector<figures::RunInput>& runs);
    [[nodiscard]] QString empty_text(const std::vector<figures::RunInput>& runs) const;
    /// The paper's table of explained variance, a row per run and kind.
    void make_variance_table();
    void show_variances(const std::vector<figures::RunInput>& runs);
    /// Shows the table, and the course over snapshots, where there are any.
    void offer_variances(const std::vector<figures::RunInput>& runs);
    [[nodiscard]] std::vector<figures::PlanesOfRun> variances(
        const std::vector<figures::RunInput>& runs) const;
    [[nodiscard]] figures::Figure space_figure();
    void pick(std::size_t cloud, const std::vector<std::int64_t>& ids, Qt::KeyboardModifiers modifiers);
    void show_selection();
    void layout_moved();
    void store_layouts();

    std::optional<std::int64_t> step_;  ///< snapshot; none: the latest
    CloudOptions cloud_;
    std::vector<Shown> shown_;
    std::vector<Drawn> drawn_;  ///< of shown_, in its order; empty: no layouts
    LayoutWork tsne_, common_pca_;
    EmbeddingSets tsne_sets_, pca_sets_;  ///< last requested
    QTimer move_timer_;
    qint64 move_pause_ = 50;  ///< ms between two updates of a running layout
    QComboBox* colour_;
    std::array<QCheckBox*, 3> kinds_{};
    StepBar* steps_;
    EmbeddingsSource* source_;
    LayoutBar* layout_bar_;
    EmbeddingsSpace* space_;
    QTableWidget* variances_ = nullptr;
};

}  // namespace casp::widgets
