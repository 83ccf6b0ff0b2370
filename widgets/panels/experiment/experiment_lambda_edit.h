#pragma once
// Editor of λ_cov with slider and number field.

#include <QSlider>
#include <QWidget>

#include "panels/experiment/option_number_edit.h"
#include "state/experiment_model.h"

namespace casp::widgets {

/// Slider and number. The slider's left end is 0, followed by a log scale from 0.001 to 10 with two
/// significant digits. The field accepts any weight ≥ 0.
class LambdaEdit : public QWidget {
    Q_OBJECT
public:
    static constexpr double slider_min = 1e-3, slider_max = 10;

    explicit LambdaEdit(QWidget* parent = nullptr);

    [[nodiscard]] double value() const { return value_; }
    void set_value(double value);  ///< emits no signal
    [[nodiscard]] QSlider* slider() const { return slider_; }
    [[nodiscard]] OptionNumberEdit* number() const { return number_; }

    [[nodiscard]] static double at(int position);
    [[nodiscard]] static int position_of(double value);

Q_SIGNALS:
    void edited(double value, const QString& gesture);  ///< one drag is one gesture
    void rejected(const QString& problem);              ///< the number field holds no valid weight

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QSlider* slider_;
    OptionNumberEdit* number_;
    double value_ = 0;
    int gesture_ = 0;
};

/// The same for the toolbar, labelled with its symbol and bound to the experiment. Marks an invalid number in
/// red; the form shows the message. To focus it: edit()->number()->setFocus(). (A focus proxy would make Tab
/// skip the slider.)
class LambdaCovEdit : public QWidget {
    Q_OBJECT
public:
    explicit LambdaCovEdit(ExperimentModel& model, QWidget* parent = nullptr);
    [[nodiscard]] LambdaEdit* edit() const { return edit_; }

private:
    void refresh();
    ExperimentModel& model_;
    LambdaEdit* edit_;
    bool draft_ = false;
};

}  // namespace casp::widgets
