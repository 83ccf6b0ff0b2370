// VtkWidget alone: availability of OpenGL, opaque background, events on their way to VTK's interactor.

#include <vtkActor.h>
#include <vtkCallbackCommand.h>
#include <vtkCamera.h>
#include <vtkCellArray.h>
#include <vtkGenericRenderWindowInteractor.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>
#include <vtkRenderer.h>

#include "views.h"
#include "vtk/vtk_events.h"

using namespace casp::widgets;

namespace {

struct Heard {
    unsigned long event;
    int x, y, ctrl, shift, alt;
    char key;
    QByteArray symbol;
};

void listen(vtkObject* caller, unsigned long event, void* heard, void*) {
    auto* from = vtkRenderWindowInteractor::SafeDownCast(caller);
    const int* at = from->GetEventPosition();
    static_cast<std::vector<Heard>*>(heard)->push_back({event, at[0], at[1], from->GetControlKey(),
                                                        from->GetShiftKey(), from->GetAltKey(),
                                                        from->GetKeyCode(), QByteArray(from->GetKeySym())});
}

}  // namespace

class TestVtkWidget : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void opengl_is_found_where_it_is() {
        if (QGuiApplication::platformName() == "offscreen") QVERIFY(!opengl_available());
        if (qEnvironmentVariableIntValue("CASP_REQUIRE_GL") != 0) QVERIFY(opengl_available());
        QCOMPARE(QSurfaceFormat::defaultFormat().profile(), QSurfaceFormat::CoreProfile);
    }

    void events_reach_vtk_in_device_pixels() {
        vtkNew<vtkGenericRenderWindowInteractor> interactor;
        interactor->SetInteractorStyle(nullptr);
        std::vector<Heard> heard;
        vtkNew<vtkCallbackCommand> command;
        command->SetClientData(&heard);
        command->SetCallback(listen);
        for (const auto event :
             {vtkCommand::MouseMoveEvent, vtkCommand::LeftButtonPressEvent,
              vtkCommand::LeftButtonReleaseEvent, vtkCommand::RightButtonPressEvent,
              vtkCommand::MouseWheelForwardEvent, vtkCommand::MouseWheelBackwardEvent,
              vtkCommand::KeyPressEvent, vtkCommand::CharEvent, vtkCommand::KeyReleaseEvent})
            interactor->AddObserver(event, command);
        const auto send = [&](const QEvent& event) {
            return forward_event(event, *interactor, 2, {200, 100});
        };

        QVERIFY(send(QMouseEvent(QEvent::MouseButtonPress, QPointF(10, 20), QPointF(10, 20), Qt::LeftButton,
                                 Qt::LeftButton, Qt::ShiftModifier)));
        QVERIFY(send(QMouseEvent(QEvent::MouseMove, QPointF(10.5, 99), QPointF(), Qt::NoButton,
                                 Qt::LeftButton, Qt::ControlModifier | Qt::AltModifier)));
        QVERIFY(send(QWheelEvent({0, 0}, {0, 0}, {}, {0, -120}, Qt::NoButton, Qt::NoModifier,
                                 Qt::NoScrollPhase, false)));
        QVERIFY(send(QKeyEvent(QEvent::KeyPress, Qt::Key_W, Qt::NoModifier, QStringLiteral("w"))));
        QVERIFY(send(QKeyEvent(QEvent::KeyRelease, Qt::Key_Left, Qt::NoModifier)));
        QVERIFY(!send(QKeyEvent(QEvent::KeyPress, Qt::Key_Tab, Qt::NoModifier)));
        QVERIFY(!send(QEvent(QEvent::Show)));
        QCOMPARE(heard.size(), std::size_t{6});
        QCOMPARE(heard[0].event, static_cast<unsigned long>(vtkCommand::LeftButtonPressEvent));
        QCOMPARE(heard[0].x, 20);
        QCOMPARE(heard[0].y, 159);  // 200 device pixels high, counted upwards from 0
        QVERIFY(heard[0].shift && !heard[0].ctrl && !heard[0].alt);
        QCOMPARE(heard[1].x, 21);
        QCOMPARE(heard[1].y, 1);
        QVERIFY(heard[1].ctrl && heard[1].alt && !heard[1].shift);
        QCOMPARE(heard[2].event, static_cast<unsigned long>(vtkCommand::MouseWheelBackwardEvent));
        QCOMPARE(heard[3].event, static_cast<unsigned long>(vtkCommand::KeyPressEvent));
        QCOMPARE(heard[3].key, 'w');
        QCOMPARE(heard[4].event, static_cast<unsigned long>(vtkCommand::CharEvent));
        QCOMPARE(heard[5].symbol, QByteArray("Left"));
    }

    void draws_and_turns_a_scene() {
        if (!opengl_available()) QSKIP("no OpenGL on this platform");
        VtkWidget widget;
        widget.set_background(QColor(10, 60, 120));
        vtkNew<vtkPoints> corners;
        for (const auto& [x, y] : {std::pair{-1, -1}, {1, -1}, {1, 1}, {-1, 1}})
            corners->InsertNextPoint(x, y, 0);
        vtkNew<vtkCellArray> face;
        const vtkIdType order[4] = {0, 1, 2, 3};
        face->InsertNextCell(4, order);
        vtkNew<vtkPolyData> square;
        square->SetPoints(corners);
        square->SetPolys(face);
        vtkNew<vtkPolyDataMapper> mapper;
        mapper->SetInputData(square);
        vtkNew<vtkActor> actor;
        actor->SetMapper(mapper);
        actor->GetProperty()->LightingOff();
        actor->GetProperty()->SetColor(1, 0.5, 0);
        widget.renderer()->AddActor(actor);
        widget.renderer()->ResetCamera();
        test::show(widget, {300, 240});

        QImage picture = widget.grabFramebuffer();
        QCOMPARE(picture.size(), QSize(300, 240) * widget.devicePixelRatioF());
        const QPoint middle = picture.rect().center();
        QVERIFY(test::alike(picture.pixelColor(middle), QColor(255, 128, 0)));
        QVERIFY(test::alike(picture.pixelColor(1, 1), QColor(10, 60, 120)));
        QCOMPARE(picture.pixelColor(1, 1).alpha(), 255);
        QVERIFY(widget.frames() > 0 && widget.frame_milliseconds() > 0);

        // VTK's own style answers to Qt's events, and asks for a frame.
        double before[3], after[3];
        widget.renderer()->GetActiveCamera()->GetPosition(before);
        const auto frames = widget.frames();
        test::drag(widget, {QPointF(100, 100), QPointF(150, 120), QPointF(190, 130)});
        widget.renderer()->GetActiveCamera()->GetPosition(after);
        QVERIFY(std::hypot(after[0] - before[0], after[1] - before[1]) > 0.1);
        QTRY_VERIFY(widget.frames() > frames);
    }
};

int main(int argc, char** argv) { return test::run<TestVtkWidget>(argc, argv); }
#include "test_vtk_widget.moc"
