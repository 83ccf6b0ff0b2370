#pragma once
// The application object: what a slot lets escape must not end the program, and long tooltips of controls
// have lines.

#include <functional>

#include <QApplication>
#include <QString>

namespace casp::gui {

class Application : public QApplication {
public:
    using QApplication::QApplication;

    /// Called on the GUI thread with what an event's handler threw and nobody caught. Without it such an
    /// exception goes on.
    std::function<void(const QString& problem)> unexpected;

    bool notify(QObject* receiver, QEvent* event) override;

private:
    /// Qt shows a plain text as one line, however long. True where it has been shown.
    [[nodiscard]] static bool show_tip_in_lines(QObject* receiver, QEvent* event);
};

}  // namespace casp::gui
