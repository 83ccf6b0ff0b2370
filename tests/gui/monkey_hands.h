#pragma once
// The monkey's hands: one random press, key, drop or size each.

#include <QStringList>

#include "monkey_base.h"
#include "window_fixture.h"

class QWidget;

namespace casp::monkey {

class Hands {
public:
    Hands(test::WindowPlace& place, Choices& choices, Journal& journal)
        : place_(place), choices_(choices), journal_(journal) {}

    /// What the hands are on from now on.
    void take(gui::MainWindow* window) { window_ = window; }

    /// In `over` (a menu, a question) or, where it is null, anywhere in the window.
    void click(QWidget* over);
    void key(QWidget* widget, int key, Qt::KeyboardModifiers modifiers = {});
    void type();
    /// An action of the menus, but not Quit.
    void act_by_name();
    void drop(const QStringList& files);
    /// One or two of `files`.
    void drop_some(const QStringList& files);
    void wheel();
    void resize();
    void theme();
    void undo();
    /// Starts a run where none goes on; else does something to the queue.
    void start_or_stop();

private:
    [[nodiscard]] QWidget* any_widget(QWidget* over);
    int pick(int n) { return choices_.pick(n); }

    test::WindowPlace& place_;
    Choices& choices_;
    Journal& journal_;
    gui::MainWindow* window_ = nullptr;
};

}  // namespace casp::monkey
