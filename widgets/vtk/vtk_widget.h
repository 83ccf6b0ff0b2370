#pragma once
// Widget showing a VTK scene in Qt 6. (Debian's bridge is built with Qt 5.)

#include <vtkSmartPointer.h>

#include <QOpenGLWidget>

#include "vtk/opengl.h"

class QOpenGLContext;
class vtkGenericOpenGLRenderWindow;
class vtkObject;
class vtkRenderer;

namespace casp::widgets {

/// A QOpenGLWidget that hosts a vtkGenericOpenGLRenderWindow. Its context may be destroyed and recreated
/// (docking, floating, hiding): the scene is kept and uploaded again. Input is handled in Qt, not by a VTK
/// interactor. Create only if opengl_available(). GUI thread.
class VtkWidget : public QOpenGLWidget {
    Q_OBJECT
public:
    explicit VtkWidget(QWidget* parent = nullptr);
    ~VtkWidget() override;

    [[nodiscard]] vtkGenericOpenGLRenderWindow* render_window() const;
    [[nodiscard]] vtkRenderer* renderer() const;

protected:
    /// Called in paintGL before VTK draws, with the context current.
    virtual void before_render() {}

    void initializeGL() override;
    void resizeGL(int width, int height) override;
    void paintGL() override;

private:
    void release_gl();
    void fit_render_window();
    static void on_vtk_event(vtkObject* caller, unsigned long event, void* self, void* data);

    vtkSmartPointer<vtkGenericOpenGLRenderWindow> window_;
    vtkSmartPointer<vtkRenderer> renderer_;
    QOpenGLContext* context_ = nullptr;  ///< context of VTK's objects
    QMetaObject::Connection context_goes_;
};

}  // namespace casp::widgets
