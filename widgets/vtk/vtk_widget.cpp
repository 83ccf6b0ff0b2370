#include "vtk/vtk_widget.h"

#include <vtkCallbackCommand.h>
#include <vtkCommand.h>
#include <vtkGenericOpenGLRenderWindow.h>
#include <vtkNew.h>
#include <vtkOpenGLState.h>
#include <vtkRenderer.h>
#include <vtkRendererCollection.h>

#include <QOpenGLContext>
#include <QOpenGLExtraFunctions>
#include <QOpenGLFunctions>

namespace casp::widgets {

VtkWidget::VtkWidget(QWidget* parent) : QOpenGLWidget(parent) {
    window_ = vtkSmartPointer<vtkGenericOpenGLRenderWindow>::New();
    window_->SetOwnContext(0);
    window_
        ->SetFrameBlitModeToNoBlit();  // paintGL() blits, when the widget's frame buffer is certainly bound
    window_->SetForceMaximumHardwareLineWidth(1);
    window_->SetMultiSamples(0);
    renderer_ = vtkSmartPointer<vtkRenderer>::New();
    renderer_->SetBackgroundAlpha(1);
    window_->AddRenderer(renderer_);

    vtkNew<vtkCallbackCommand> command;
    command->SetClientData(this);
    command->SetCallback(&VtkWidget::on_vtk_event);
    window_->AddObserver(vtkCommand::WindowMakeCurrentEvent, command);
    window_->AddObserver(vtkCommand::WindowIsCurrentEvent, command);
    window_->AddObserver(vtkCommand::WindowSupportsOpenGLEvent, command);
    window_->AddObserver(vtkCommand::WindowIsDirectEvent, command);

    setMinimumSize(40, 30);
}

VtkWidget::~VtkWidget() {
    release_gl();
    window_->RemoveAllObservers();
}

vtkGenericOpenGLRenderWindow* VtkWidget::render_window() const { return window_; }
vtkRenderer* VtkWidget::renderer() const { return renderer_; }

void VtkWidget::on_vtk_event(vtkObject*, unsigned long event, void* client, void* data) {
    auto* self = static_cast<VtkWidget*>(client);
    switch (event) {
        case vtkCommand::WindowMakeCurrentEvent:
            // Not QOpenGLWidget::makeCurrent(): it binds the widget's frame buffer in the middle of VTK's
            // frame.
            if (self->context_) self->context_->makeCurrent(self->context_->surface());
            break;
        case vtkCommand::WindowIsCurrentEvent:
            *static_cast<bool*>(data) = self->context_ && QOpenGLContext::currentContext() == self->context_;
            break;
        case vtkCommand::WindowSupportsOpenGLEvent:
        case vtkCommand::WindowIsDirectEvent:
            *static_cast<int*>(data) = 1;
            break;
        default:
            break;
    }
}

void VtkWidget::initializeGL() {
    // Called again with another context after the widget has moved to another window.
    release_gl();
    context_ = context();
    context_goes_ = connect(context_, &QOpenGLContext::aboutToBeDestroyed, this, [this] { release_gl(); });
    window_->SetReadyForRendering(true);
    window_->InitializeFromCurrentContext();
    fit_render_window();
}

void VtkWidget::release_gl() {
    if (!context_) return;
    disconnect(context_goes_);
    // The widget's makeCurrent() works only while its window exists; during destruction the context is
    // current already.
    if (QOpenGLContext::currentContext() != context_) makeCurrent();
    window_->Finalize();
    window_->SetReadyForRendering(false);
    if (QOpenGLContext::currentContext() == context_) doneCurrent();
    context_ = nullptr;
}

void VtkWidget::fit_render_window() {
    const double ratio = devicePixelRatioF();
    const int w = std::max(1, qRound(width() * ratio)), h = std::max(1, qRound(height() * ratio));
    window_->SetSize(w, h);
    window_->SetDPI(qRound(96 * ratio));
}

void VtkWidget::resizeGL(int, int) { fit_render_window(); }

void VtkWidget::paintGL() {
    if (!context_) return;
    fit_render_window();
    before_render();

    vtkOpenGLState* state = window_->GetState();
    state->Reset();  // Qt has changed state cached by VTK
    state->Push();
    state->vtkglDepthFunc(GL_LEQUAL);  // Qt leaves GL_LESS
    window_->Start();
    window_->Render();
    state->Pop();

    // An observer may have changed the current context during Render().
    makeCurrent();
    auto* gl = context_->extraFunctions();
    const int w = window_->GetSize()[0], h = window_->GetSize()[1];
    state->ResetGLViewportState();
    gl->glBindFramebuffer(GL_FRAMEBUFFER, defaultFramebufferObject());
    gl->glDisable(GL_SCISSOR_TEST);
    window_->BlitDisplayFramebuffer(0, 0, 0, w, h, 0, 0, w, h, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    // Alpha 1 everywhere, or the compositor mixes in the windows behind.
    gl->glBindFramebuffer(GL_FRAMEBUFFER, defaultFramebufferObject());
    gl->glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_TRUE);
    gl->glClearColor(0, 0, 0, 1);
    gl->glClear(GL_COLOR_BUFFER_BIT);
    gl->glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
}

}  // namespace casp::widgets
