#pragma once
// Check for OpenGL, and the surface format required by VTK.

namespace casp::widgets {

/// Requests OpenGL 3.2 core for every surface. Call once, before QApplication; needs no display.
void set_default_surface_format();

/// Whether QOpenGLWidget works: the platform has OpenGL and a trial context of the default format could be
/// made current. False on the offscreen, minimal and framebuffer platforms, with a broken driver, without
/// QApplication, and if CASP_NO_OPENGL is set in the environment (to any value but "0"). The answer is
/// cached. GUI thread.
[[nodiscard]] bool opengl_available();

}  // namespace casp::widgets
