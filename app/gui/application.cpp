#include "gui/application.h"

#include <exception>

#include "words/plain_text.h"

namespace casp::gui {

bool Application::notify(QObject* receiver, QEvent* event) {
    try {
        return QApplication::notify(receiver, event);
    } catch (const std::exception& problem) {
        if (!unexpected) throw;
        unexpected(widgets::plain_text(problem));
    }
    return true;
}

}  // namespace casp::gui
