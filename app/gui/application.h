#pragma once
// The application object: catches exceptions that escape from slots, and wraps long tooltips.

#include <functional>

#include <QApplication>
#include <QString>

namespace casp::gui {

class Application : public QApplication {
public:
    using QApplication::QApplication;

    /// Called on the GUI thread with an exception that escaped from an event handler. If it is not set, the
    /// exception propagates.
    std::function<void(const QString& problem)> unexpected;

    bool notify(QObject* receiver, QEvent* event) override;

private:
    /// Shows a long plain-text tooltip with line breaks, which Qt would show as one line. Returns true if it
    /// was shown.
    [[nodiscard]] static bool show_tip_in_lines(QObject* receiver, QEvent* event);
};

}  // namespace casp::gui
