#include "gui/edit_keys.h"

#include <algorithm>

#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTextEdit>

namespace casp::gui {

namespace {

bool is_text_field(const QObject* watched) {
    return qobject_cast<const QLineEdit*>(watched) != nullptr ||
           qobject_cast<const QAbstractSpinBox*>(watched) != nullptr ||
           qobject_cast<const QComboBox*>(watched) != nullptr ||
           qobject_cast<const QPlainTextEdit*>(watched) != nullptr ||
           qobject_cast<const QTextEdit*>(watched) != nullptr;
}

bool edits(const QKeyEvent& key) {
    constexpr QKeySequence::StandardKey keys[] = {QKeySequence::Undo,  QKeySequence::Redo,
                                                  QKeySequence::Cut,   QKeySequence::Copy,
                                                  QKeySequence::Paste, QKeySequence::SelectAll};
    return std::any_of(std::begin(keys), std::end(keys),
                       [&key](QKeySequence::StandardKey standard) { return key.matches(standard); });
}

}  // namespace

EditKeys::EditKeys(QObject* parent) : QObject(parent) { qApp->installEventFilter(this); }

bool EditKeys::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::ShortcutOverride || !is_text_field(watched)) return false;
    const auto& key = *static_cast<QKeyEvent*>(event);
    if (!key.modifiers().testFlag(Qt::ControlModifier) || edits(key)) return false;
    const bool deletes_word = key.key() == Qt::Key_Backspace || key.key() == Qt::Key_Delete;
    // Ctrl+letter: not accepted, the window's shortcut takes it; without one, the key press follows.
    const bool is_sign = key.key() < Qt::Key_Escape;
    if (!deletes_word && !is_sign) return false;
    event->setAccepted(deletes_word);
    return true;
}

}  // namespace casp::gui
