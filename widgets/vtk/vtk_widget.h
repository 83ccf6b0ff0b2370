#pragma once
// A VTK scene inside a Qt 6 window. (Debian's own bridge is built on Qt 5.)

#include <vtkSmartPointer.h>

#include <QColor>
#include <QOpenGLWidget>

#include "vtk/opengl.h"

class QOpenGLContext;
class vtkGenericOpenGLRenderWindow;
class vtkGenericRenderWindowInteractor;
class vtkObject;
class vtkRenderer;

namespace casp::widgets {

/// A QOpenGLWidget that hosts a vtkGenericOpenGLRenderWindow. Its context may go and come back (docking,
/// floating, hiding): the scene stays and is uploaded again. Make one only where opengl_available(). GUI
/// thread.
class VtkWidget : public QOpenGLWidget {
    Q_OBJECT
public:
    explicit VtkWidget(QWidget* parent = nullptr);
    ~VtkWidget() override;

    [[nodiscard]] vtkGenericOpenGLRenderWindow* render_window() const;
    [[nodiscard]] vtkRenderer* renderer() const;
    /// Mouse, wheel and key events reach it, in device pixels. Its style moves the camera of renderer(); give
    /// it none (SetInteractorStyle(nullptr)) to handle events elsewhere.
    [[nodiscard]] vtkGenericRenderWindowInteractor* interactor() const;

    /// Opaque colour behind the scene.
    void set_background(const QColor& colour);
    /// How long the last frame took to hand to the driver, in milliseconds; 0 before the first.
    [[nodiscard]] double frame_milliseconds() const { return frame_ms_; }
    /// Frames drawn so far.
    [[nodiscard]] std::int64_t frames() const { return frames_; }

protected:
    /// Called in paintGL before VTK draws, with the context current.
    virtual void before_render() {}

    bool event(QEvent* event) override;
    void initializeGL() override;
    void resizeGL(int width, int height) override;
    void paintGL() override;

private:
    void release_gl();
    void fit_render_window();
    static void on_vtk_event(vtkObject* caller, unsigned long event, void* self, void* data);

    vtkSmartPointer<vtkGenericOpenGLRenderWindow> window_;
    vtkSmartPointer<vtkRenderer> renderer_;
    vtkSmartPointer<vtkGenericRenderWindowInteractor> interactor_;
    QOpenGLContext* context_ = nullptr;  ///< the one that VTK's objects live in
    QMetaObject::Connection context_goes_;
    double frame_ms_ = 0;
    std::int64_t frames_ = 0;
    bool rendering_ = false;
};

}  // namespace casp::widgets
