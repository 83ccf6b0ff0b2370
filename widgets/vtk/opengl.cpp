#include "vtk/opengl.h"

#include <QGuiApplication>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QSurfaceFormat>

namespace casp::widgets {

void set_default_surface_format() {
    QSurfaceFormat format;
    format.setRenderableType(QSurfaceFormat::OpenGL);
    format.setVersion(3, 2);
    format.setProfile(QSurfaceFormat::CoreProfile);
    format.setSwapBehavior(QSurfaceFormat::DoubleBuffer);
    format.setDepthBufferSize(24);
    format.setAlphaBufferSize(8);
    format.setSamples(0);  // VTK's own frame buffer is sampled, not the window's
    QSurfaceFormat::setDefaultFormat(format);
}

static bool try_opengl() {
    // The offscreen platform can hand out a GLX context where there is a display, but QOpenGLWidget does not
    // work there.
    const QString platform = QGuiApplication::platformName();
    for (const char* without : {"offscreen", "minimal", "minimalegl", "linuxfb", "vnc"})
        if (platform == QLatin1String(without)) return false;

    QOpenGLContext context;
    context.setFormat(QSurfaceFormat::defaultFormat());
    if (!context.create()) return false;
    QOffscreenSurface surface;
    surface.setFormat(context.format());
    surface.create();
    if (!surface.isValid() || !context.makeCurrent(&surface)) return false;
    const bool enough = !context.isOpenGLES() && context.format().version() >= qMakePair(3, 2);
    context.doneCurrent();
    return enough;
}

bool opengl_available() {
    if (!qGuiApp) return false;  // not cached: the application may be created later
    static const bool available = [] {
        const QByteArray off = qgetenv("CASP_NO_OPENGL");
        return (off.isEmpty() || off == "0") && try_opengl();
    }();
    return available;
}

}  // namespace casp::widgets
