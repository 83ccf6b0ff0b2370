#pragma once
// The Training page: loss terms, validation, coverage gate, learning rate and step time of the shown runs.

#include "figures/recipe_training.h"
#include "panels/view/view_page.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QSlider;

namespace casp::widgets {

class TrainingProgress;

class TrainingPage : public ViewPage {
    Q_OBJECT
public:
    TrainingPage(RunLibrary* library, Selection* selection, QWidget* parent = nullptr);

    [[nodiscard]] const figures::TrainingOptions& options() const { return options_; }
    void set_options(const figures::TrainingOptions& options);

protected:
    void selection_changed() override;
    void part_changed(RunPart part) override;
    void save(QJsonObject& object) const override;
    void restore(const QJsonObject& object) override;

private:
    void make_controls();
    /// Shows the weight in use: the chosen one, or that of the shown runs.
    void show_smoothing();
    void pick_step(double x);

    figures::TrainingOptions options_;
    TrainingProgress* progress_;
    QComboBox* axis_;
    QSlider* smoothing_;
    QLabel* smoothing_text_;
    QCheckBox *by_length_, *log_x_, *log_y_;
};

}  // namespace casp::widgets
