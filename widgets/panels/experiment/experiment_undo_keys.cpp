#include "panels/experiment/experiment_undo_keys.h"

#include <QAbstractSpinBox>
#include <QComboBox>
#include <QKeyEvent>
#include <QLineEdit>

namespace casp::widgets {

namespace {

class UndoKeys : public QObject {
public:
    UndoKeys(ExperimentModel& model, QObject* parent) : QObject(parent), model_(model) {}

    bool eventFilter(QObject*, QEvent* event) override {
        const bool shortcut = event->type() == QEvent::ShortcutOverride;
        if (!shortcut && event->type() != QEvent::KeyPress) return false;
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool undo = key->matches(QKeySequence::Undo);
        if (!undo && !key->matches(QKeySequence::Redo)) return false;
        // Not accepted: the main window's shortcut takes precedence; the key press follows only without one.
        event->ignore();
        if (shortcut) return true;
        if (undo)
            model_.undo_stack()->undo();
        else
            model_.undo_stack()->redo();
        event->accept();
        return true;
    }

private:
    ExperimentModel& model_;
};

}  // namespace

void leave_undo_to(ExperimentModel& model, QWidget* editor) {
    // Spin boxes and combo boxes have the focus themselves and pass keys to their line edit directly,
    // bypassing its event filters.
    for (auto* child : editor->findChildren<QWidget*>())
        if (qobject_cast<QLineEdit*>(child) != nullptr || qobject_cast<QAbstractSpinBox*>(child) != nullptr ||
            qobject_cast<QComboBox*>(child) != nullptr)
            child->installEventFilter(new UndoKeys(model, child));
}

}  // namespace casp::widgets
