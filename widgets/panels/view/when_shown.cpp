#include "panels/view/when_shown.h"

#include <utility>

#include <QEvent>
#include <QWidget>

namespace casp::widgets {

WhenShown::WhenShown(QWidget* widget, std::function<void()> work)
    : QObject(widget), widget_(widget), work_(std::move(work)) {
    widget->installEventFilter(this);
}

void WhenShown::ask() {
    due_ = !widget_->isVisible();
    if (!due_) work_();
}

void WhenShown::catch_up() {
    if (std::exchange(due_, false)) work_();
}

bool WhenShown::eventFilter(QObject* object, QEvent* event) {
    if (object == widget_ && event->type() == QEvent::Show) catch_up();
    return false;
}

}  // namespace casp::widgets
