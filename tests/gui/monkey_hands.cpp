#include "monkey_hands.h"

#include <QDropEvent>
#include <QKeyEvent>
#include <QMimeData>
#include <QPointer>
#include <QUndoStack>
#include <QWheelEvent>

#include "gui/theme.h"

namespace casp::monkey {

QWidget* Hands::any_widget(QWidget* over) {
    const auto* top = over != nullptr ? over : window_;
    QList<QWidget*> visible;
    QStringList names;
    QHash<QString, int> equals;
    for (auto* widget : top->findChildren<QWidget*>()) {
        if (!widget->isVisible() || !widget->isEnabled() || widget->visibleRegion().isEmpty()) continue;
        QString name;
        for (const auto* at = widget; at != nullptr && at != top; at = at->parentWidget())
            name += QLatin1String(at->metaObject()->className()) + ' ' + at->objectName() + '/';
        visible << widget;
        names << name + QString::number(equals[name]++);
    }
    return visible.value(choices_.pick_name(names));
}

void Hands::click(QWidget* over) {
    auto* widget = any_widget(over);
    if (widget == nullptr) return;
    const int x = pick(widget->width()), y = pick(widget->height());
    const QPoint at(x, y);
    const auto button = pick(8) == 0 ? Qt::RightButton : Qt::LeftButton;
    const auto modifiers = pick(5) == 0   ? Qt::KeyboardModifiers(Qt::ControlModifier)
                           : pick(5) == 0 ? Qt::KeyboardModifiers(Qt::ShiftModifier)
                                          : Qt::KeyboardModifiers();
    journal_.say(
        "click",
        QString("%1 %2 at %3,%4").arg(widget->metaObject()->className(), widget->objectName()).arg(x).arg(y));
    QPointer<QWidget> alive(widget);
    if (pick(6) == 0) {
        QTest::mousePress(widget, Qt::LeftButton, modifiers, at);
        if (alive) {
            const int to_x = pick(alive->width()), to_y = pick(alive->height());
            QTest::mouseMove(alive, QPoint(to_x, to_y));
        }
        if (alive) QTest::mouseRelease(alive, Qt::LeftButton, modifiers, at);
    } else if (pick(10) == 0) {
        QTest::mouseDClick(widget, button, modifiers, at);
    } else {
        QTest::mouseClick(widget, button, modifiers, at);
    }
}

void Hands::key(QWidget* widget, int key, Qt::KeyboardModifiers modifiers) {
    journal_.say("key", QString::number(key, 16) + " to " + widget->metaObject()->className());
    QTest::keyClick(widget, static_cast<Qt::Key>(key), modifiers);
}

void Hands::type() {
    auto* focus = QApplication::focusWidget();
    if (focus == nullptr) return;
    static constexpr Qt::Key keys[] = {
        Qt::Key_Tab,  Qt::Key_Backtab, Qt::Key_Return, Qt::Key_Escape, Qt::Key_Space,  Qt::Key_Up,
        Qt::Key_Down, Qt::Key_Left,    Qt::Key_Right,  Qt::Key_Home,   Qt::Key_End,    Qt::Key_PageUp,
        Qt::Key_F6,   Qt::Key_Delete,  Qt::Key_Plus,   Qt::Key_Minus,  Qt::Key_Escape, Qt::Key_F1,
        Qt::Key_0,    Qt::Key_2,       Qt::Key_3,      Qt::Key_L};
    static const QStringList texts{"0.1", "-5",  "1e99", "λ_cov", "nan", "abc",
                                   "7",   "ETT", ",",    "\"",    "=",   "2021, 2022"};
    if (pick(3) != 0) return key(focus, keys[pick(static_cast<int>(std::size(keys)))]);
    const auto text = choices_.pick_from(texts);
    journal_.say("type", text + " into " + focus->metaObject()->className());
    // Not keyClicks(): it knows ASCII only.
    for (const auto& letter : text)
        for (const auto kind : {QEvent::KeyPress, QEvent::KeyRelease})
            if (auto* now = QApplication::focusWidget(); now != nullptr) {
                QKeyEvent event(kind, Qt::Key_unknown, Qt::NoModifier, letter);
                QApplication::sendEvent(now, &event);
            }
}

void Hands::act_by_name() {
    const auto& entries = window_->actions().entries();
    const auto& entry = entries[static_cast<std::size_t>(pick(static_cast<int>(entries.size())))];
    if (entry.spec.id == "file.quit" || !entry.action->isEnabled()) return;
    journal_.say("action", entry.spec.id);
    entry.action->trigger();
}

void Hands::drop(const QStringList& files) {
    QMimeData mime;
    QList<QUrl> urls;
    for (const auto& file : files)
        urls << (file.startsWith("https:") ? QUrl(file) : QUrl::fromLocalFile(file));
    mime.setUrls(urls);
    journal_.say("drop", files.join(", "));
    QDropEvent event(QPointF(50, 50), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(window_, &event);
}

void Hands::drop_some(const QStringList& files) {
    QStringList some;
    for (int i = 0; i <= pick(2); ++i) some << choices_.pick_from(files);
    if (pick(10) == 0) some << "https://example.org/a.csv";
    drop(some);
}

void Hands::wheel() {
    auto* widget = any_widget(nullptr);
    if (widget == nullptr) return;
    journal_.say("wheel", widget->metaObject()->className());
    const int x = pick(widget->width()), y = pick(widget->height());
    const int turn = pick(2) == 0 ? 120 : -120;
    const auto modifiers = pick(3) == 0 ? Qt::ControlModifier : Qt::NoModifier;
    const QPointF at(x, y);
    QWheelEvent event(at, widget->mapToGlobal(at), {}, {0, turn}, Qt::NoButton, modifiers, Qt::NoScrollPhase,
                      false);
    QApplication::sendEvent(widget, &event);
}

void Hands::resize() {
    const int width = 700 + pick(1200), height = 500 + pick(700);
    journal_.say("resize", QString("%1 × %2").arg(width).arg(height));
    window_->resize(width, height);
}

void Hands::theme() {
    journal_.say("theme");
    window_->set_theme(pick(2) == 0 ? gui::Theme::dark : gui::Theme::light);
}

void Hands::undo() {
    journal_.say("undo");
    auto* stack = window_->experiment().undo_stack();
    pick(2) == 0 ? stack->undo() : stack->redo();
}

void Hands::start_or_stop() {
    if (!window_->queue().is_running()) {
        auto config = place_.tiny(1 + pick(8));
        config.loss.lambda_cov = pick(10) * 0.1;
        config.train.seed = pick(3);
        journal_.say("run", QString::number(config.loss.lambda_cov));
        window_->experiment().replace(config, {}, "monkey");
        window_->actions().find("run.start")->trigger();
        return;
    }
    const auto& items = window_->queue().items();
    const int id = items[static_cast<std::size_t>(pick(static_cast<int>(items.size())))].id;
    const int what = pick(5);
    journal_.say("queue", QString::number(what));
    if (what == 0) window_->queue().cancel(id);
    if (what == 1) window_->queue().finish_early(id);
    if (what == 2) window_->queue().pause(id, pick(2) == 0);
    if (what == 3) window_->queue().hold(pick(2) == 0);
    if (what == 4) window_->queue().remove(id);
}

}  // namespace casp::monkey
