#include "vtk/vtk_events.h"

#include <vtkCommand.h>
#include <vtkGenericRenderWindowInteractor.h>

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

namespace casp::widgets {

namespace {

struct Press {
    unsigned long down, up, twice;
};

Press button_events(Qt::MouseButton button) {
    switch (button) {
        case Qt::LeftButton:
            return {vtkCommand::LeftButtonPressEvent, vtkCommand::LeftButtonReleaseEvent,
                    vtkCommand::LeftButtonDoubleClickEvent};
        case Qt::MiddleButton:
            return {vtkCommand::MiddleButtonPressEvent, vtkCommand::MiddleButtonReleaseEvent,
                    vtkCommand::MiddleButtonDoubleClickEvent};
        case Qt::RightButton:
            return {vtkCommand::RightButtonPressEvent, vtkCommand::RightButtonReleaseEvent,
                    vtkCommand::RightButtonDoubleClickEvent};
        default:
            return {};
    }
}

/// VTK names keys as X11 does.
const char* key_symbol(int key) {
    switch (key) {
        case Qt::Key_Left:
            return "Left";
        case Qt::Key_Right:
            return "Right";
        case Qt::Key_Up:
            return "Up";
        case Qt::Key_Down:
            return "Down";
        case Qt::Key_Home:
            return "Home";
        case Qt::Key_End:
            return "End";
        case Qt::Key_PageUp:
            return "Prior";
        case Qt::Key_PageDown:
            return "Next";
        case Qt::Key_Escape:
            return "Escape";
        case Qt::Key_Return:
        case Qt::Key_Enter:
            return "Return";
        case Qt::Key_Space:
            return "space";
        case Qt::Key_Backspace:
            return "BackSpace";
        case Qt::Key_Delete:
            return "Delete";
        case Qt::Key_Plus:
            return "plus";
        case Qt::Key_Minus:
            return "minus";
        case Qt::Key_Shift:
            return "Shift_L";
        case Qt::Key_Control:
            return "Control_L";
        case Qt::Key_Alt:
            return "Alt_L";
        default:
            return nullptr;
    }
}

}  // namespace

bool forward_event(const QEvent& event, vtkGenericRenderWindowInteractor& interactor, double ratio,
                   const QSize& size) {
    const auto place = [&](QPointF at, Qt::KeyboardModifiers held, char key = 0, int repeat = 0,
                           const char* symbol = nullptr) {
        const int x = static_cast<int>(std::floor(at.x() * ratio));
        const int y = static_cast<int>(std::floor((size.height() - at.y()) * ratio - 0.5));
        interactor.SetEventInformation(x, y, held.testFlag(Qt::ControlModifier),
                                       held.testFlag(Qt::ShiftModifier), key, repeat, symbol);
        interactor.SetAltKey(held.testFlag(Qt::AltModifier));
    };
    switch (event.type()) {
        case QEvent::MouseMove: {
            const auto& mouse = static_cast<const QMouseEvent&>(event);
            place(mouse.position(), mouse.modifiers());
            interactor.InvokeEvent(vtkCommand::MouseMoveEvent);
            return true;
        }
        case QEvent::MouseButtonPress:
        case QEvent::MouseButtonDblClick:
        case QEvent::MouseButtonRelease: {
            const auto& mouse = static_cast<const QMouseEvent&>(event);
            const Press press = button_events(mouse.button());
            if (!press.down) return false;
            const bool twice = event.type() == QEvent::MouseButtonDblClick;
            place(mouse.position(), mouse.modifiers(), 0, twice ? 1 : 0);
            // The second press of a double click is a press too, or its release would come alone.
            if (event.type() != QEvent::MouseButtonRelease) interactor.InvokeEvent(press.down);
            if (twice) interactor.InvokeEvent(press.twice);
            if (event.type() == QEvent::MouseButtonRelease) interactor.InvokeEvent(press.up);
            return true;
        }
        case QEvent::Wheel: {
            const auto& wheel = static_cast<const QWheelEvent&>(event);
            const int turn = wheel.angleDelta().y();
            if (turn == 0) return false;
            place(wheel.position(), wheel.modifiers());
            interactor.InvokeEvent(turn > 0 ? vtkCommand::MouseWheelForwardEvent
                                            : vtkCommand::MouseWheelBackwardEvent);
            return true;
        }
        case QEvent::Enter:
            interactor.InvokeEvent(vtkCommand::EnterEvent);
            return false;
        case QEvent::Leave:
            interactor.InvokeEvent(vtkCommand::LeaveEvent);
            return false;
        case QEvent::KeyPress:
        case QEvent::KeyRelease: {
            const auto& key = static_cast<const QKeyEvent&>(event);
            if (key.key() == Qt::Key_Tab || key.key() == Qt::Key_Backtab) return false;  // Qt moves the focus
            const QByteArray text = key.text().toLatin1();
            const char letter = text.isEmpty() ? 0 : text.front();
            const char* name = key_symbol(key.key());
            const QByteArray symbol = name ? QByteArray(name) : text.left(1);
            const int* at = interactor.GetEventPosition();
            interactor.SetEventInformation(at[0], at[1], key.modifiers().testFlag(Qt::ControlModifier),
                                           key.modifiers().testFlag(Qt::ShiftModifier), letter, key.count(),
                                           symbol.constData());
            interactor.SetAltKey(key.modifiers().testFlag(Qt::AltModifier));
            const bool down = event.type() == QEvent::KeyPress;
            interactor.InvokeEvent(down ? vtkCommand::KeyPressEvent : vtkCommand::KeyReleaseEvent);
            if (down && letter) interactor.InvokeEvent(vtkCommand::CharEvent);
            return true;
        }
        default:
            return false;
    }
}

}  // namespace casp::widgets
