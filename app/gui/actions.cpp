#include "gui/actions.h"

#include <stdexcept>
#include <utility>

namespace casp::gui {

QAction* ActionList::add(const ActionSpec& spec, const std::function<void()>& triggered) {
    for (const auto& entry : entries_) {
        if (entry.spec.id == spec.id) throw std::logic_error("two actions " + spec.id.toStdString());
        if (!spec.shortcut.isEmpty() && entry.spec.shortcut == spec.shortcut)
            throw std::logic_error("one shortcut for " + spec.id.toStdString() + " and " +
                                   entry.spec.id.toStdString());
    }
    auto* action = new QAction(spec.text, this);
    action->setObjectName(spec.id);
    action->setShortcut(spec.shortcut);
    action->setCheckable(spec.checkable);
    const auto keys = spec.shortcut.toString(QKeySequence::NativeText);
    action->setToolTip(keys.isEmpty() ? spec.tip : spec.tip + " (" + keys + ")");
    action->setStatusTip(spec.tip);
    connect(action, &QAction::triggered, this, [triggered] { triggered(); });
    entries_.push_back({spec, action, std::exchange(separates_, false)});
    return action;
}

QAction* ActionList::find(const QString& id) const {
    for (const auto& entry : entries_)
        if (entry.spec.id == id) return entry.action;
    throw std::logic_error("no action " + id.toStdString());
}

}  // namespace casp::gui
