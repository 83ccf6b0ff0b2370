#pragma once
// The anchors page: usage of the pool, its concentration, the coverage statistic c̃, the gate, similarities.

#include "figures/recipe_anchors.h"
#include "panels/view_page.h"

class QCheckBox;
class QComboBox;

namespace casp::widgets {

class StepBar;

class AnchorsPage : public ViewPage {
    Q_OBJECT
public:
    AnchorsPage(RunLibrary* library, Selection* selection, QWidget* parent = nullptr);

    [[nodiscard]] const figures::AnchorOptions& options() const { return options_; }
    void set_options(const figures::AnchorOptions& options);

protected:
    void selection_changed() override;
    void part_changed(RunPart part) override;
    void save(QJsonObject& object) const override;
    void restore(const QJsonObject& object) override;

private:
    void make_controls();
    void make_views();
    void show_selection();
    void pick_anchors(const std::vector<std::int64_t>& ids, Qt::KeyboardModifiers modifiers);
    void pick_cells(const std::vector<std::int64_t>& rows, const std::vector<std::int64_t>& columns,
                    Qt::KeyboardModifiers modifiers);

    figures::AnchorOptions options_;
    QComboBox* of_;
    QCheckBox *sorted_, *log_y_;
    StepBar* steps_;
};

}  // namespace casp::widgets
