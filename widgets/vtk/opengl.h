#pragma once
// Whether this process can draw with OpenGL, and the surface format that VTK needs.

namespace casp::widgets {

/// Asks for OpenGL 3.2 core for every surface. Call once, before QApplication; needs no display.
void set_default_surface_format();

/// Whether a QOpenGLWidget will work here: the platform has OpenGL and a trial context of the default format
/// could be made current. False on the offscreen, minimal and framebuffer platforms, with a broken driver,
/// without QApplication, and where CASP_NO_OPENGL is set in the environment (to any text but "0"). The answer
/// is kept. GUI thread.
[[nodiscard]] bool opengl_available();

}  // namespace casp::widgets
