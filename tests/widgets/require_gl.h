#pragma once
// Tests that CTest runs under Xvfb are there for OpenGL: without it they would draw with the painter, as
// their twins on the offscreen platform do, and pass.

#include <QtGlobal>

#include "vtk/opengl.h"

namespace casp::test {

/// Ends the program where CASP_REQUIRE_GL is set and nothing can be drawn with OpenGL. After the
/// QApplication.
inline void require_opengl() {
    if (qEnvironmentVariableIntValue("CASP_REQUIRE_GL") == 0 || widgets::opengl_available()) return;
    qFatal(
        "CASP_REQUIRE_GL is set, but there is no OpenGL 3.2 here: this test would not draw with it. Install "
        "Mesa "
        "(libgl1-mesa-dri) for Xvfb, or leave the tests labelled gl out.");
}

}  // namespace casp::test
