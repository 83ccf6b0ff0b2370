#pragma once
// The field of one setting, made by its type and limits alone.

#include <functional>

#include <QWidget>

#include "config/options.h"

namespace casp::widgets {

/// A field. It shows a value, tells what was entered, and keeps text that is no value until it is repaired.
class OptionEditor : public QWidget {
    Q_OBJECT
public:
    OptionEditor(const config::OptionSpec& option, QWidget* parent);

    [[nodiscard]] const config::OptionSpec& option() const { return option_; }
    /// Shows a value without telling anybody. Text that already means this value stays as it is typed.
    virtual void show_value(const config::Value& value) = 0;
    /// What stands in its lines of text, and the same typed anew: edited() or rejected() follows. For text
    /// that is no value, which the session keeps.
    [[nodiscard]] QStringList texts() const;
    virtual void type(const QStringList& texts);
    /// The widgets that take the keyboard, first to last.
    [[nodiscard]] virtual QWidgetList controls() const = 0;

Q_SIGNALS:
    /// `gesture` is the same for what belongs to one undo step.
    void edited(const casp::config::Value& value, const QString& gesture);
    void rejected(const QString& problem);  ///< what is in the field is no value
    void finished();                        ///< Enter, or the keyboard has gone elsewhere

protected:
    /// Gives every control the setting's name, tooltip, description, help topic and peace from the wheel.
    void describe_controls();
    bool eventFilter(QObject* watched, QEvent* event) override;  ///< a new gesture whenever focus comes
    [[nodiscard]] QString gesture() const;
    void next_gesture() { ++gesture_; }

private:
    const config::OptionSpec& option_;
    int gesture_ = 0;
};

/// A field for any setting of config::options().
[[nodiscard]] OptionEditor* make_option_editor(const config::OptionSpec& option, QWidget* parent);

}  // namespace casp::widgets
