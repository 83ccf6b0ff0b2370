// Frame times of the embedding view (100,000 points, OpenGL), as a person makes them: mouse and wheel events
// into the real widget, until the frame is drawn to its end.
//
//     xvfb-run -a -s "-screen 0 1600x1000x24" casp_gui_frames [frames per line, 120]
//
// Rivals in the same run, same window system, same sizes and camera: the points as plain VTK draws them
// (vtkVertexGlyphFilter and a mapper, square points) and one by one with QPainter.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <random>
#include <vector>

#include <vtkActor.h>
#include <vtkCamera.h>
#include <vtkFloatArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>
#include <vtkRenderer.h>
#include <vtkUnsignedCharArray.h>
#include <vtkVertexGlyphFilter.h>

#include <QApplication>
#include <QElapsedTimer>
#include <QMouseEvent>
#include <QOpenGLContext>
#include <QOpenGLFunctions>
#include <QPainter>
#include <QtTest>
#include <QWheelEvent>

#include "figures/style.h"
#include "vtk/embedding_view.h"
#include "vtk/vtk_widget.h"

using namespace casp;
using namespace casp::widgets;

namespace {

constexpr std::size_t n_points = 100'000;
constexpr QSize view_size(900, 640);
constexpr int rounds = 3;  ///< ours and the rival in turn

/// A widget on the screen and how to know that its frame is drawn.
class Stage {
public:
    explicit Stage(QWidget& widget, const QSize& size = view_size) : widget_(widget) {
        widget.resize(size);
        widget.show();
        if (!QTest::qWaitForWindowExposed(&widget)) qFatal("no window");
        QTest::qWait(200);
        gl_ = qobject_cast<QOpenGLWidget*>(&widget);
        if (gl_ == nullptr) gl_ = widget.findChild<QOpenGLWidget*>();
        if (gl_ != nullptr) QObject::connect(gl_, &QOpenGLWidget::frameSwapped, gl_, [this] { ++swaps_; });
    }
    /// Milliseconds of `act` until what it asked for is drawn; negative: it asked for nothing.
    double frame(const std::function<void()>& act) {
        QCoreApplication::processEvents();
        if (gl_ != nullptr) finish();
        const int before = swaps_;
        QElapsedTimer clock;
        clock.start();
        act();
        if (gl_ == nullptr) {
            widget_.repaint();  // a painter's picture is drawn when this returns
            return static_cast<double>(clock.nsecsElapsed()) / 1e6;
        }
        while (swaps_ == before && clock.elapsed() < 2000) QCoreApplication::processEvents();
        if (swaps_ == before) return -1;
        finish();
        return static_cast<double>(clock.nsecsElapsed()) / 1e6;
    }
    QString renderer() {
        gl_->makeCurrent();
        const auto* text = gl_->context()->functions()->glGetString(GL_RENDERER);
        return QString::fromLatin1(reinterpret_cast<const char*>(text));
    }
    [[nodiscard]] bool uses_opengl() const { return gl_ != nullptr; }

private:
    void finish() {
        if (gl_->context() == nullptr) return;  // an empty canvas has none before its first frame
        gl_->makeCurrent();
        gl_->context()->functions()->glFinish();
    }
    QWidget& widget_;
    QOpenGLWidget* gl_ = nullptr;
    int swaps_ = 0;
};

void mouse(QWidget& widget, QEvent::Type type, const QPointF& at, Qt::MouseButton button = Qt::NoButton,
           Qt::KeyboardModifiers held = {}) {
    const bool down = type != QEvent::MouseButtonRelease;
    QMouseEvent event(type, at, widget.mapToGlobal(at), type == QEvent::MouseMove ? Qt::NoButton : button,
                      down ? Qt::MouseButtons(button) : Qt::MouseButtons(), held);
    QCoreApplication::sendEvent(&widget, &event);
}

void wheel(QWidget& widget, const QPointF& at, int turns) {
    QWheelEvent event(at, widget.mapToGlobal(at), {}, {0, 120 * turns}, Qt::NoButton, {}, Qt::NoScrollPhase,
                      false);
    QCoreApplication::sendEvent(&widget, &event);
}

/// Where a hand is at frame i: around a circle, so that nothing leaves the view.
QPointF hand(int i, const QPointF& middle, double radius = 70) {
    return middle + radius * QPointF(std::cos(0.1 * i), std::sin(0.1 * i));
}
/// In and out again, about 12 turns of the wheel.
int turn(int i) { return i % 24 < 12 ? 1 : -1; }

struct Times {
    std::vector<double> ms;
    void add(double time) {
        if (time >= 0) ms.push_back(time);
    }
    [[nodiscard]] double at(double share) const {
        auto sorted = ms;
        std::sort(sorted.begin(), sorted.end());
        return sorted.empty()
                   ? std::nan("")
                   : sorted[std::min(sorted.size() - 1,
                                     static_cast<std::size_t>(share * static_cast<double>(sorted.size())))];
    }
};

void print(const char* what, const Times& times, double ours = 0) {
    std::printf("| %s | %zu | %.1f ms | %.1f ms | %.1f ms | ", what, times.ms.size(), times.at(0.5),
                times.at(0.95), times.at(1));
    if (ours > 0)
        std::printf("%.2g |\n", times.at(0.5) / ours);
    else
        std::printf("– |\n");
    std::fflush(stdout);
}

/// Three sorts of points, as anchors, series and prompts are: clumps in a cloud.
EmbeddingPoints cloud() {
    EmbeddingPoints points;
    points.components = 3;
    points.kinds = {{QStringLiteral("anchors")},
                    {QStringLiteral("series"), {}, figures::MarkerShape::triangle},
                    {QStringLiteral("prompts"), {}, figures::MarkerShape::diamond}};
    std::mt19937 random(1);
    std::normal_distribution<float> noise;
    std::vector<float> centres;
    for (int i = 0; i < 3 * 40; ++i) centres.push_back(4 * noise(random));
    for (std::size_t i = 0; i < n_points; ++i) {
        const auto clump = static_cast<std::size_t>(random() % 40);
        for (std::size_t c = 0; c < 3; ++c) points.points.push_back(centres[3 * clump + c] + noise(random));
        points.kind.push_back(static_cast<std::uint8_t>(i < 1000 ? 0 : 1 + i % 2));
    }
    return points;
}

/// The same points the shortest way to VTK's screen.
class PlainVtk : public VtkWidget {
public:
    explicit PlainVtk(const EmbeddingPoints& points) {
        vtkNew<vtkFloatArray> coordinates;
        coordinates->SetNumberOfComponents(3);
        vtkNew<vtkUnsignedCharArray> colours;
        colours->SetNumberOfComponents(3);
        const auto style = figures::light_style();
        for (std::size_t i = 0; i < points.size(); ++i) {
            coordinates->InsertNextTypedTuple(points.points.data() + 3 * i);
            const auto& colour = style.series[points.kind[i]];
            const unsigned char rgb[3] = {static_cast<unsigned char>(colour.red()),
                                          static_cast<unsigned char>(colour.green()),
                                          static_cast<unsigned char>(colour.blue())};
            colours->InsertNextTypedTuple(rgb);
        }
        vtkNew<vtkPoints> where;
        where->SetData(coordinates);
        vtkNew<vtkPolyData> set;
        set->SetPoints(where);
        set->GetPointData()->SetScalars(colours);
        vtkNew<vtkVertexGlyphFilter> glyphs;
        glyphs->SetInputData(set);
        vtkNew<vtkPolyDataMapper> mapper;
        mapper->SetInputConnection(glyphs->GetOutputPort());
        mapper->SetColorModeToDirectScalars();
        vtkNew<vtkActor> actor;
        actor->SetMapper(mapper);
        actor->GetProperty()->LightingOff();
        actor->GetProperty()->SetPointSize(5);
        renderer()->AddActor(actor);
        renderer()->SetBackground(1, 1, 1);
    }
    void look(const EmbeddingCamera& camera) {
        auto* to = renderer()->GetActiveCamera();
        const auto back = camera.rotation().conjugated();
        const auto eye = back.rotatedVector({0, 0, 1}), up = back.rotatedVector({0, 1, 0});
        const auto distance = camera.distance();
        const auto& c = camera.centre;
        to->SetFocalPoint(c.x(), c.y(), c.z());
        to->SetPosition(c.x() + eye.x() * distance, c.y() + eye.y() * distance, c.z() + eye.z() * distance);
        to->SetViewUp(up.x(), up.y(), up.z());
        to->SetParallelProjection(camera.flat);
        to->SetParallelScale(camera.half_height);
        to->SetViewAngle(EmbeddingCamera::view_angle);
        renderer()->ResetCameraClippingRange();
        update();
    }
};

/// The same points one by one.
class PlainPainter : public QWidget {
public:
    explicit PlainPainter(const EmbeddingPoints& points) : points_(points) {}
    void look(const EmbeddingCamera& camera) { camera_ = camera; }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.fillRect(rect(), Qt::white);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        const auto style = figures::light_style();
        const EmbeddingProjection project(camera_, size());
        for (std::uint8_t kind = 0; kind < 3; ++kind) {
            painter.setBrush(style.series[kind]);
            for (std::size_t i = 0; i < points_.size(); ++i) {
                if (points_.kind[i] != kind) continue;
                const float* at = points_.points.data() + 3 * i;
                painter.drawEllipse(project(at[0], at[1], at[2]).point(), 2.5, 2.5);
            }
        }
    }

private:
    const EmbeddingPoints& points_;
    EmbeddingCamera camera_;
};

/// A camera as the mouse moves it.
EmbeddingCamera moved(EmbeddingCamera camera, int i, bool zoom, const QSizeF& size) {
    const QPointF middle(size.width() / 2, size.height() / 2), by = hand(i + 1, middle) - hand(i, middle);
    if (zoom)
        camera.zoom(std::pow(1.2, turn(i)), middle, size);
    else if (camera.flat)
        camera.pan(by, size);
    else
        camera.rotate(-0.4 * by.x(), 0.4 * by.y());
    return camera;
}

void sanity(const QImage& picture, const char* what) {
    QSet<QRgb> colours;
    for (int y = 0; y < picture.height(); y += 3)
        for (int x = 0; x < picture.width(); x += 3) colours.insert(picture.pixel(x, y));
    if (colours.size() < 4) qFatal("%s draws nothing", what);
}

void embedding(int frames) {
    const auto points = cloud();
    EmbeddingView view(ViewBackend::opengl);
    Stage stage(view);
    std::printf("OpenGL: %s, Qt %s, %d x %d pixels, %d frames a line\n\n", qPrintable(stage.renderer()),
                qVersion(), view_size.width(), view_size.height(), frames * rounds);
    std::printf(
        "| what | frames | median | 95th percentile | worst | rival / ours |\n|---|---|---|---|---|---|\n");
    Times first;
    first.add(stage.frame([&] { view.set_points(points); }));
    sanity(view.canvas_picture(), "the embedding view");
    print("100,000 points, new data until drawn", first);
    PlainVtk vtk(points);
    Stage vtk_stage(vtk, view.plot_rect().size());  // axes and legend take the rest
    PlainPainter painter(points);
    Stage painter_stage(painter, view.plot_rect().size());
    const QPointF middle = view.plot_rect().center();
    for (const bool flat : {true, false}) {
        view.set_flat(flat);
        view.reset();
        (void)stage.frame([&] { view.update(); });
        Times move, zoom, hover, vtk_move, vtk_zoom, painter_move;
        for (int round = 0; round < rounds; ++round) {
            view.raise();
            view.reset();
            mouse(view, QEvent::MouseButtonPress, hand(0, middle), Qt::LeftButton);
            mouse(view, QEvent::MouseMove, hand(3, middle), Qt::LeftButton);
            for (int i = 4; i < frames + 4; ++i)
                move.add(
                    stage.frame([&] { mouse(view, QEvent::MouseMove, hand(i, middle), Qt::LeftButton); }));
            mouse(view, QEvent::MouseButtonRelease, hand(frames + 3, middle), Qt::LeftButton);
            for (int i = 0; i < frames; ++i) zoom.add(stage.frame([&] { wheel(view, middle, turn(i)); }));
            view.reset();
            (void)stage.frame([&] { view.update(); });
            // From point to point, another one each time.
            for (int i = 0; i < frames; ++i) {
                const auto at = view.place_of(static_cast<std::size_t>(i) * 811 % n_points);
                hover.add(stage.frame([&] { mouse(view, QEvent::MouseMove, at); }));
            }
            mouse(view, QEvent::MouseMove, {2, 2});
            EmbeddingCamera camera = view.camera();
            for (const bool zooms : {false, true})
                for (int i = 0; i < frames; ++i)
                    (zooms ? vtk_zoom : vtk_move).add(vtk_stage.frame([&] {
                        camera = moved(camera, i, zooms, vtk.size());
                        vtk.look(camera);
                    }));
            camera = view.camera();
            for (int i = 0; i < std::max(1, frames / 10); ++i)
                painter_move.add(painter_stage.frame([&] {
                    camera = moved(camera, i, false, painter.size());
                    painter.look(camera);
                }));
        }
        sanity(vtk.grabFramebuffer(), "plain VTK");
        const auto name = [flat](const char* what) {
            return (QString(flat ? "2-D, " : "3-D, ") + what).toStdString();
        };
        print(name(flat ? "drag: pan" : "drag: turn").c_str(), move);
        print(name("… plain VTK, square points").c_str(), vtk_move, move.at(0.5));
        print(name("… QPainter, circle by circle").c_str(), painter_move, move.at(0.5));
        print(name("wheel: zoom").c_str(), zoom);
        print(name("… plain VTK, square points").c_str(), vtk_zoom, zoom.at(0.5));
        print(name("hover: nearest point and its text").c_str(), hover);

        // The lasso: a polygon of 60 corners around the middle of the cloud.
        Times drawing, caught, lit;
        std::vector<std::int64_t> ids;
        const auto connection = QObject::connect(
            &view, &EmbeddingView::picked,
            [&ids](const std::vector<std::int64_t>& picked, Qt::KeyboardModifiers) { ids = picked; });
        for (int round = 0; round < 3 * rounds; ++round) {
            const auto corner = [&](int i) {
                const double a = 2 * M_PI * i / 60,
                             r = 0.35 * view.plot_rect().height() * (1 + 0.2 * std::sin(5 * a));
                return middle + QPointF(r * std::cos(a), r * std::sin(a));
            };
            mouse(view, QEvent::MouseButtonPress, corner(0), Qt::LeftButton, Qt::ShiftModifier);
            for (int i = 1; i < 60; ++i)
                drawing.add(stage.frame(
                    [&] { mouse(view, QEvent::MouseMove, corner(i), Qt::LeftButton, Qt::ShiftModifier); }));
            ids.clear();
            QElapsedTimer clock;
            clock.start();
            mouse(view, QEvent::MouseButtonRelease, corner(59), Qt::LeftButton, Qt::ShiftModifier);
            caught.add(static_cast<double>(clock.nsecsElapsed()) / 1e6);
            lit.add(stage.frame([&] { view.set_highlight({ids.begin(), ids.end()}); }));
            (void)stage.frame([&] { view.set_highlight({}); });
        }
        if (ids.size() < n_points / 20) qFatal("the lasso caught next to nothing");
        QObject::disconnect(connection);
        print(name("lasso: a corner more").c_str(), drawing);
        print((name("lasso: which points are inside (") + std::to_string(ids.size()) + ")").c_str(), caught);
        print(name("… until they stand out").c_str(), lit);
    }
}

}  // namespace

int main(int argc, char** argv) {
    set_default_surface_format();
    auto format = QSurfaceFormat::defaultFormat();
    format.setSwapInterval(0);  // a screen's own rate is not what is measured
    QSurfaceFormat::setDefaultFormat(format);
    QApplication application(argc, argv);
    setlocale(LC_NUMERIC, "C");
    QApplication::setStyle(QStringLiteral("Fusion"));
    if (!opengl_available()) {
        std::fprintf(stderr, "There is no OpenGL here: run it on a screen or under xvfb-run.\n");
        return 1;
    }
    const int frames =
        std::max(5, QApplication::arguments().value(1, QStringLiteral("120")).toInt() / rounds);
    embedding(frames);
    return 0;
}
