#include "gui/application.h"

#include <exception>

namespace casp::gui {

bool Application::notify(QObject* receiver, QEvent* event) {
    try {
        return QApplication::notify(receiver, event);
    } catch (const std::exception& problem) {
        if (!unexpected) throw;
        unexpected(QString::fromUtf8(problem.what()));
    }
    return true;
}

}  // namespace casp::gui
