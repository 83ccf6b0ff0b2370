#include "gui/application.h"

#include <exception>

#include <QAbstractButton>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QHelpEvent>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QToolTip>

#include "words/plain_text.h"

namespace casp::gui {

namespace {

constexpr qsizetype longest_line = 70;  ///< longest tooltip shown as one line, in characters

/// The control whose tooltip this receiver shows; null for other widgets, which handle tooltips themselves.
QWidget* control_of(QObject* receiver) {
    auto* widget = qobject_cast<QWidget*>(receiver);
    // The line edit of a spin box or combo box.
    if (qobject_cast<QLineEdit*>(widget) != nullptr && widget->toolTip().isEmpty())
        widget = widget->parentWidget();
    const bool is_control = qobject_cast<QAbstractButton*>(widget) || qobject_cast<QComboBox*>(widget) ||
                            qobject_cast<QAbstractSpinBox*>(widget) ||
                            qobject_cast<QAbstractSlider*>(widget) || qobject_cast<QLineEdit*>(widget) ||
                            qobject_cast<QLabel*>(widget) || qobject_cast<QProgressBar*>(widget);
    return is_control ? widget : nullptr;
}

}  // namespace

bool Application::notify(QObject* receiver, QEvent* event) {
    try {
        if (event->type() == QEvent::ToolTip && show_tip_in_lines(receiver, event)) return true;
        return QApplication::notify(receiver, event);
    } catch (const std::exception& problem) {
        if (!unexpected) throw;
        unexpected(widgets::plain_text(problem));
    }
    return true;
}

bool Application::show_tip_in_lines(QObject* receiver, QEvent* event) {
    auto* control = control_of(receiver);
    if (control == nullptr) return false;
    const auto text = control->toolTip();
    if (text.size() <= longest_line || Qt::mightBeRichText(text)) return false;
    const auto* help = static_cast<QHelpEvent*>(event);
    // Qt wraps rich text at a width that suits its length.
    QToolTip::showText(help->globalPos(),
                       QStringLiteral("<qt>%1</qt>")
                           .arg(text.toHtmlEscaped().replace(QLatin1Char('\n'), QLatin1String("<br>"))),
                       control, {}, control->toolTipDuration());
    event->accept();
    return true;
}

}  // namespace casp::gui
