#pragma once
// Work on a widget that is put off while the widget cannot be seen.

#include <functional>

#include <QObject>

class QWidget;

namespace casp::widgets {

/// For what follows a change of theme: tables of pages that lie behind others are coloured when somebody
/// looks at them, so that the change takes no longer for their sake. Belongs to its widget. GUI thread.
class WhenShown : public QObject {
public:
    /// `work` must leave the widget as it would have been left at once; it is done at most once a show.
    WhenShown(QWidget* widget, std::function<void()> work);
    /// Does the work now where the widget is visible, else just before it is shown next.
    void ask();
    /// Does what was put off: somebody wants a picture of the widget all the same.
    void catch_up();

protected:
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    QWidget* widget_;
    std::function<void()> work_;
    bool due_ = false;
};

}  // namespace casp::widgets
