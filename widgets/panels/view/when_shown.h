#pragma once
// Deferral of work on a widget until it is visible.

#include <functional>

#include <QObject>

class QWidget;

namespace casp::widgets {

/// For work after a theme change: hidden tables are recoloured when shown, so that they do not delay the
/// change. Belongs to its widget. GUI thread.
class WhenShown : public QObject {
public:
    /// `work` must have the same effect as if done immediately; it runs at most once per show.
    WhenShown(QWidget* widget, std::function<void()> work);
    /// Runs the work now if the widget is visible, else just before it is next shown.
    void ask();
    /// Runs deferred work now, before a picture of the hidden widget is taken.
    void catch_up();

protected:
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    QWidget* widget_;
    std::function<void()> work_;
    bool due_ = false;
};

}  // namespace casp::widgets
