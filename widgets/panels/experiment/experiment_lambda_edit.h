#pragma once
// Slider and field of λ_cov in the toolbar.

#include <QSlider>
#include <QWidget>

#include "panels/experiment/option_editor.h"
#include "panels/experiment/option_number_edit.h"
#include "state/experiment_model.h"

namespace casp::widgets {

/// Labelled with its symbol and bound to the experiment, as the form's field is. The slider's left end is 0,
/// followed by a log scale from 0.001 to 10 with two significant digits; one drag is one step of Undo. The
/// field accepts any weight ≥ 0 and marks an invalid number in red; the form shows the message.
class LambdaCovEdit : public QWidget {
    Q_OBJECT
public:
    explicit LambdaCovEdit(ExperimentModel& model, QWidget* parent = nullptr);
    [[nodiscard]] OptionNumberEdit* number() const { return number_; }
    /// Value at a position of the slider, and the position nearest to a value.
    [[nodiscard]] static double at(int position);
    [[nodiscard]] static int position_of(double value);
    [[nodiscard]] bool is_used() const;  ///< whether the experiment's model has coverage

Q_SIGNALS:
    void used_changed(bool used);

private:
    void make_slider();
    void refresh();
    ExperimentModel& model_;
    QSlider* slider_;  // created first: the tab order follows the picture
    OptionEditor* edit_;
    OptionNumberEdit* number_;
    int drags_ = 0;
    bool draft_ = false, used_ = true;
};

}  // namespace casp::widgets
