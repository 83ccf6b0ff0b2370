#pragma once
// The application object: catches exceptions that escape from slots.

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
};

}  // namespace casp::gui
