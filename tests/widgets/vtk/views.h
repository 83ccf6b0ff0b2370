#pragma once
// What the tests of widgets/vtk share: both backends as rows, mouse drags, pictures to look at.

#include <QDir>
#include <QLabel>
#include <QMouseEvent>
#include <QPalette>
#include <QStackedWidget>
#include <QtTest>

#include "vtk/embedding_view.h"
#include "vtk/opengl.h"
#include "widgets/require_gl.h"

namespace casp::test {

/// One row for each way to draw that works on this platform.
inline void backend_rows() {
    QTest::addColumn<bool>("opengl");
    QTest::newRow("painter") << false;
    if (casp::widgets::opengl_available()) QTest::newRow("opengl") << true;
}

inline casp::widgets::ViewBackend backend(bool opengl) {
    return opengl ? casp::widgets::ViewBackend::opengl : casp::widgets::ViewBackend::painter;
}

/// Mouse events with positions between pixels, which QTest's own do not have.
inline void mouse(QWidget& widget, QEvent::Type type, const QPointF& at,
                  Qt::MouseButton button = Qt::LeftButton, Qt::KeyboardModifiers held = {}) {
    const bool pressed = type != QEvent::MouseButtonRelease && button != Qt::NoButton;
    QMouseEvent event(type, at, widget.mapToGlobal(at), type == QEvent::MouseMove ? Qt::NoButton : button,
                      pressed ? Qt::MouseButtons(button) : Qt::MouseButtons(), held);
    QCoreApplication::sendEvent(&widget, &event);
}

inline void drag(QWidget& widget, const QPolygonF& along, Qt::MouseButton button = Qt::LeftButton,
                 Qt::KeyboardModifiers held = {}) {
    mouse(widget, QEvent::MouseButtonPress, along.first(), button, held);
    for (const QPointF& at : along) mouse(widget, QEvent::MouseMove, at, button, held);
    mouse(widget, QEvent::MouseButtonRelease, along.last(), button, held);
}

inline void click(QWidget& widget, const QPointF& at, Qt::KeyboardModifiers held = {}) {
    mouse(widget, QEvent::MouseButtonPress, at, Qt::LeftButton, held);
    mouse(widget, QEvent::MouseButtonRelease, at, Qt::LeftButton, held);
}

inline void show(QWidget& widget, const QSize& size) {
    widget.resize(size);
    widget.show();
    QVERIFY(QTest::qWaitForWindowExposed(&widget));
    QTest::qWait(30);
}

/// Saves a picture where CASP_TEST_PICTURES names a folder.
inline void keep(const QImage& picture, const QString& name) {
    const QString folder = qEnvironmentVariable("CASP_TEST_PICTURES");
    if (!folder.isEmpty()) picture.save(QDir(folder).filePath(name + QStringLiteral(".png")));
}

inline bool alike(const QColor& a, const QColor& b, int by = 3) {
    return std::abs(a.red() - b.red()) <= by && std::abs(a.green() - b.green()) <= by &&
           std::abs(a.blue() - b.blue()) <= by;
}

inline QPalette palette_of(bool dark) {
    QPalette palette;
    const QColor paper = dark ? QColor(30, 30, 32) : QColor(250, 250, 250),
                 ink = dark ? QColor(230, 230, 230) : QColor(20, 20, 20);
    for (const auto role : {QPalette::Base, QPalette::Window}) palette.setColor(role, paper);
    for (const auto role : {QPalette::Text, QPalette::WindowText}) palette.setColor(role, ink);
    return palette;
}

/// Puts the view behind a tab, changes the theme and looks again; `seen` tells the canvas's background.
template <class View, class Seen>
void check_that_it_takes_a_theme_when_shown(View* view, const Seen& seen) {
    const auto background = [](bool dark) { return casp::figures::style_of(palette_of(dark)).background; };
    QStackedWidget tabs;
    tabs.setPalette(palette_of(false));
    tabs.addWidget(view);
    tabs.addWidget(new QLabel(QStringLiteral("another tab")));
    show(tabs, {400, 300});
    QCOMPARE(view->style().background, background(false));
    QVERIFY(alike(seen(), background(false)));
    tabs.setPalette(palette_of(true));  // at once where it can be seen
    QCOMPARE(view->style().background, background(true));
    tabs.setCurrentIndex(1);
    tabs.setPalette(palette_of(false));
    QCOMPARE(view->style().background, background(true));
    tabs.setCurrentIndex(0);
    QCOMPARE(view->style().background, background(false));
    QTest::qWait(30);
    QVERIFY(alike(seen(), background(false)));
    // A picture of it is of the new theme wherever it is.
    tabs.setCurrentIndex(1);
    tabs.setPalette(palette_of(true));
    QCOMPARE(view->style().background, background(false));
    QVERIFY(alike(view->to_image().pixelColor(1, 1), background(true)));
}

/// Runs the test with the surface format that VTK needs.
template <class Test>
int run_view(int argc, char** argv) {
    casp::widgets::set_default_surface_format();
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("test"));
    casp::test::require_opengl();
    Test test;
    return QTest::qExec(&test, argc, argv);
}

}  // namespace casp::test
