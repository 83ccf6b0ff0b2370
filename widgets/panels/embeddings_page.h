#pragma once
// The embeddings page: anchors, series and prompts along their principal components, in the plane and in
// space, snapshot by snapshot, and how much variance the plane holds.

#include <array>

#include "figures/recipe_embeddings.h"
#include "panels/view_page.h"

class QCheckBox;
class QComboBox;

namespace casp::widgets {

class EmbeddingsSpace;
class StepBar;

class EmbeddingsPage : public ViewPage {
    Q_OBJECT
public:
    EmbeddingsPage(RunLibrary* library, Selection* selection, QWidget* parent = nullptr);

    [[nodiscard]] const figures::EmbeddingOptions& options() const { return options_; }
    void set_options(const figures::EmbeddingOptions& options);
    [[nodiscard]] EmbeddingsSpace& space() const { return *space_; }

protected:
    void selection_changed() override;
    void part_changed(RunPart part) override;
    void save(QJsonObject& object) const override;
    void restore(const QJsonObject& object) override;

private:
    void make_controls();
    void pick(const std::vector<std::int64_t>& ids, Qt::KeyboardModifiers modifiers);
    void show_selection();
    /// The probe that the selection of points is read with: of the first shown run that can be drawn.
    [[nodiscard]] std::shared_ptr<const train::Probe> probe() const;

    figures::EmbeddingOptions options_;
    QComboBox* colour_;
    std::array<QCheckBox*, 3> kinds_{};
    QCheckBox* same_axes_;
    StepBar* steps_;
    EmbeddingsSpace* space_;
};

}  // namespace casp::widgets
