#pragma once
// Row of a setting in the form: label, field, problem and reset button.

#include <QGridLayout>
#include <QLabel>
#include <QToolButton>
#include <QWidget>

#include "panels/experiment/option_editor.h"
#include "state/experiment_model.h"

namespace casp::widgets {

class OptionRow : public QWidget {
    Q_OBJECT
public:
    OptionRow(ExperimentModel& model, const config::OptionSpec& option, QWidget* parent);

    [[nodiscard]] const config::OptionSpec& option() const { return option_; }
    [[nodiscard]] QString key() const { return QString::fromStdString(option_.key); }
    [[nodiscard]] OptionEditor* editor() const { return editor_; }
    [[nodiscard]] QToolButton* reset_button() const { return reset_; }
    /// Text below the field: problem of the setting itself or in combination with others; may be empty.
    [[nodiscard]] QString problem() const { return problem_->text(); }
    [[nodiscard]] bool is_marked_changed() const { return changed_; }

    void refresh();  ///< value, mark and sweep, from the model
    /// Problem of this setting in combination with others.
    void set_contradictions(const QString& text);
    [[nodiscard]] int label_width() const;  ///< preferred width, bold
    void set_label_width(int width);
    /// The label above the field instead of beside it.
    void set_stacked(bool stacked);
    /// Minimum width without clipping; `label`: width of all labels.
    [[nodiscard]] int least_width(bool stacked, int label) const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void show_label();
    void show_problem();

    ExperimentModel& model_;
    const config::OptionSpec& option_;
    QGridLayout* grid_;
    QLabel* label_ = nullptr;
    OptionEditor* editor_;
    QLabel* problem_;
    QLabel* sweep_;
    QToolButton* reset_;
    QString contradictions_, own_problem_;
    bool changed_ = false, stacked_ = false;
};

}  // namespace casp::widgets
