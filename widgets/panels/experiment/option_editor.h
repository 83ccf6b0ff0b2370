#pragma once
// Editor field of a setting, created from its type and limits.

#include <QWidget>

#include "config/options.h"
#include "panels/experiment/option_text.h"
#include "state/experiment_model.h"

namespace casp::widgets {

/// A field that shows a value, reports input, and keeps invalid text until it is corrected.
class OptionEditor : public QWidget {
    Q_OBJECT
public:
    OptionEditor(const config::OptionSpec& option, QWidget* parent);

    [[nodiscard]] const config::OptionSpec& option() const { return option_; }
    /// Shows a value without emitting signals. Text that already denotes this value is kept as typed.
    virtual void show_value(const config::Value& value) = 0;
    /// Contents of its text fields, and restoring them as if typed: edited() or rejected() follows. For
    /// invalid text, which the session stores.
    [[nodiscard]] QStringList texts() const;
    virtual void type(const QStringList& texts);
    /// Focusable widgets in tab order.
    [[nodiscard]] virtual QWidgetList controls() const = 0;

Q_SIGNALS:
    /// `gesture` is equal for edits of one undo step.
    void edited(const casp::config::Value& value, const QString& gesture);
    void rejected(const QString& problem);  ///< the field's content is not a valid value
    void controls_changed();                ///< there are other fields
    void finished();                        ///< Enter was pressed, or the focus was lost

protected:
    /// Gives every control the setting's name, tooltip, description and help topic, and ignores the wheel.
    void describe_controls();
    bool eventFilter(QObject* watched, QEvent* event) override;  ///< starts a new gesture on focus
    /// Emits edited() or rejected().
    void report(const Parsed& parsed);
    [[nodiscard]] QString gesture() const;
    void next_gesture() { ++gesture_; }

private:
    const config::OptionSpec& option_;
    int gesture_ = 0;
};

/// A field for any setting of config::options().
[[nodiscard]] OptionEditor* make_option_editor(const config::OptionSpec& option, QWidget* parent);

/// Makes all line edits, spin boxes and combo boxes in `editor` leave undo and redo to the main window's
/// actions, or to the model if there are none. `model` must outlive `editor`.
void leave_undo_to(ExperimentModel& model, QWidget* editor);

}  // namespace casp::widgets
