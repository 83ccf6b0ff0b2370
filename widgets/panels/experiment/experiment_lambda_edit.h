#pragma once
// Field of λ_cov in the toolbar.

#include <QWidget>

#include "panels/experiment/option_editor.h"
#include "panels/experiment/option_number_edit.h"
#include "state/experiment_model.h"

namespace casp::widgets {

/// Labelled with its symbol and bound to the experiment, as the form's field is. Marks an invalid number in
/// red; the form shows the message.
class LambdaCovEdit : public QWidget {
    Q_OBJECT
public:
    explicit LambdaCovEdit(ExperimentModel& model, QWidget* parent = nullptr);
    [[nodiscard]] OptionNumberEdit* number() const { return number_; }

private:
    void refresh();
    ExperimentModel& model_;
    OptionEditor* edit_;
    OptionNumberEdit* number_;
    bool draft_ = false;
};

}  // namespace casp::widgets
