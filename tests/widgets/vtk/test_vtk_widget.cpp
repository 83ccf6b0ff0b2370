// VtkWidget alone: availability of OpenGL, opaque background, a drawn scene.

#include <vtkActor.h>
#include <vtkCellArray.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>
#include <vtkRenderer.h>

#include "test_program.h"
#include "views.h"

using namespace casp;
using namespace casp::widgets;

class TestVtkWidget : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void opengl_is_found_where_it_is() {
        if (QGuiApplication::platformName() == "offscreen") QVERIFY(!opengl_available());
        if (qEnvironmentVariableIntValue("CASP_REQUIRE_GL") != 0) QVERIFY(opengl_available());
        QCOMPARE(QSurfaceFormat::defaultFormat().profile(), QSurfaceFormat::CoreProfile);
    }

    void draws_a_scene() {
        if (!opengl_available()) QSKIP("no OpenGL on this platform");
        VtkWidget widget;
        widget.renderer()->SetBackground(10 / 255.0, 60 / 255.0, 120 / 255.0);
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
    }
};

TEST_PROGRAM(TestVtkWidget)(int argc, char** argv) { return test::run_view<TestVtkWidget>(argc, argv); }
#include "test_vtk_widget.moc"
