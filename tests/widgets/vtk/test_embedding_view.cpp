// EmbeddingView with both backends: what is drawn where, picking, lasso, camera, docking;
// and what stands around the points: labels of the axes in depth, and the legend.

#include <algorithm>
#include <map>
#include <random>

#include <QDockWidget>
#include <QLabel>
#include <QMainWindow>
#include <QMouseEvent>
#include <QPalette>
#include <QStackedWidget>
#include <QToolTip>
#include <QtTest>
#include <QVBoxLayout>

#include "test_program.h"
#include "vtk/embedding_paint.h"
#include "vtk/embedding_view.h"
#include "vtk/opengl.h"
#include "widgets/require_gl.h"

using namespace casp;
using namespace casp::widgets;
namespace figures = casp::figures;

namespace {

/// One row for each way to draw that works on this platform.
void backend_rows() {
    QTest::addColumn<bool>("opengl");
    QTest::newRow("painter") << false;
    if (opengl_available()) QTest::newRow("opengl") << true;
}

ViewBackend backend(bool opengl) { return opengl ? ViewBackend::opengl : ViewBackend::painter; }

/// Mouse events with positions between pixels, which QTest's own do not have.
void mouse(QWidget& widget, QEvent::Type type, const QPointF& at, Qt::MouseButton button = Qt::LeftButton,
           Qt::KeyboardModifiers held = {}) {
    const bool pressed = type != QEvent::MouseButtonRelease && button != Qt::NoButton;
    QMouseEvent event(type, at, widget.mapToGlobal(at), type == QEvent::MouseMove ? Qt::NoButton : button,
                      pressed ? Qt::MouseButtons(button) : Qt::MouseButtons(), held);
    QCoreApplication::sendEvent(&widget, &event);
}

void drag(QWidget& widget, const QPolygonF& along, Qt::MouseButton button = Qt::LeftButton,
          Qt::KeyboardModifiers held = {}) {
    mouse(widget, QEvent::MouseButtonPress, along.first(), button, held);
    for (const QPointF& at : along) mouse(widget, QEvent::MouseMove, at, button, held);
    mouse(widget, QEvent::MouseButtonRelease, along.last(), button, held);
}

void click(QWidget& widget, const QPointF& at, Qt::KeyboardModifiers held = {}) {
    mouse(widget, QEvent::MouseButtonPress, at, Qt::LeftButton, held);
    mouse(widget, QEvent::MouseButtonRelease, at, Qt::LeftButton, held);
}

void show(QWidget& widget, const QSize& size) {
    widget.resize(size);
    widget.show();
    QVERIFY(QTest::qWaitForWindowExposed(&widget));
    QTest::qWait(30);
}

bool alike(const QColor& a, const QColor& b, int by = 3) {
    return std::abs(a.red() - b.red()) <= by && std::abs(a.green() - b.green()) <= by &&
           std::abs(a.blue() - b.blue()) <= by;
}

QPalette palette_of(bool dark) {
    QPalette palette;
    const QColor paper = dark ? QColor(30, 30, 32) : QColor(250, 250, 250),
                 ink = dark ? QColor(230, 230, 230) : QColor(20, 20, 20);
    for (const auto role : {QPalette::Base, QPalette::Window}) palette.setColor(role, paper);
    for (const auto role : {QPalette::Text, QPalette::WindowText}) palette.setColor(role, ink);
    return palette;
}

/// Five points far apart, of two kinds.
EmbeddingPoints five() {
    EmbeddingPoints points;
    points.components = 3;
    points.points = {-2, -1, 0.5f, 2, -1, -0.5f, -2, 1, 0, 2, 1, 1, 0, 0, -1};
    points.ids = {10, 11, 12, 13, 14};
    points.kind = {0, 0, 0, 1, 1};
    points.kinds = {{"windows", QColor(200, 40, 30), figures::MarkerShape::circle, 16},
                    {"anchors", QColor(20, 60, 220), figures::MarkerShape::square, 18}};
    points.axis_titles = {"PC1 (34 %)", "PC2 (21 %)", "PC3 (8 %)"};
    return points;
}

/// Trend, seasonal and residual patches as overlapping blobs, and anchors among them.
EmbeddingPoints blobs(std::size_t n, unsigned seed = 1) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    EmbeddingPoints points;
    points.components = 3;
    const std::size_t anchors = std::min<std::size_t>(100, n / 5);
    for (std::size_t i = 0; i < n; ++i) {
        const auto kind = static_cast<std::uint8_t>(i >= n - anchors ? 3 : i % 3);
        const float centre[4][3] = {{-3, 0, 1}, {2, 2, -1}, {1, -2, 0}, {0, 0, 0}};
        const float spread = kind == 3 ? 2.6f : 1.1f;
        for (int a = 0; a < 3; ++a) points.points.push_back(centre[kind][a] + spread * normal(random));
        points.kind.push_back(kind);
    }
    points.kinds = {
        {"trend"}, {"seasonal"}, {"residual"}, {"anchors", {}, figures::MarkerShape::diamond, 10}};
    points.axis_titles = {"PC1 (34 %)", "PC2 (21 %)", "PC3 (8 %)"};
    points.title = "Anchors, series and prompts, step 400";
    return points;
}

QColor pixel(const QImage& picture, const QPointF& at, double ratio) {
    return picture.pixelColor(static_cast<int>(at.x() * ratio), static_cast<int>(at.y() * ratio));
}

}  // namespace

class TestEmbeddingView : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        qInfo("platform %s, OpenGL %s", qPrintable(QGuiApplication::platformName()),
              opengl_available() ? "yes" : "no");
        if (QGuiApplication::platformName() == "offscreen") QVERIFY(!opengl_available());
        if (qEnvironmentVariableIntValue("CASP_REQUIRE_GL") != 0) QVERIFY(opengl_available());
        QCOMPARE(QSurfaceFormat::defaultFormat().profile(), QSurfaceFormat::CoreProfile);
    }

    void automatic_backend_is_what_works_here() {
        const EmbeddingView view(ViewBackend::automatic);
        QCOMPARE(view.uses_opengl(), opengl_available());
        QVERIFY(!view.accessibleName().isEmpty());
    }

    void higher_layers_are_drawn_above_data() { backend_rows(); }
    void higher_layers_are_drawn_above() {
        QFETCH(bool, opengl);
        EmbeddingView view(backend(opengl));
        EmbeddingPoints points;
        points.components = 2;
        points.points = {0, 0, 0, 0, 3, 2};
        points.kind = {0, 1, 1};
        points.kinds = {{"anchors", QColor(0, 0, 200), figures::MarkerShape::circle, 20},
                        {"prompts", QColor(0, 160, 0), figures::MarkerShape::circle, 20}};
        show(view, {400, 300});
        const auto top = [&](int layer) {
            points.kinds[0].layer = layer;
            view.set_points(points);
            QTest::qWait(30);
            return pixel(view.canvas_picture(), view.place_of(0) - view.plot_rect().topLeft(),
                         view.devicePixelRatioF());
        };
        QSignalSpy picked(&view, &EmbeddingView::picked);
        QVERIFY(alike(top(-1), QColor(0, 160, 0)));
        QVERIFY(alike(top(0), QColor(0, 0, 200)));  // the smaller kind
        click(view, view.place_of(0));
        QCOMPARE(picked.last()[0].value<std::vector<std::int64_t>>(), std::vector<std::int64_t>{0});
        view.set_highlight({1});  // what is chosen is above all
        QTest::qWait(30);
        QVERIFY(alike(pixel(view.canvas_picture(), view.place_of(0) - view.plot_rect().topLeft(),
                            view.devicePixelRatioF()),
                      QColor(0, 160, 0)));
    }

    /// Two kinds of 40,000 points at the same places: both are seen.
    void no_kind_hides_another_data() { backend_rows(); }
    void no_kind_hides_another() {
        QFETCH(bool, opengl);
        std::mt19937 random(3);
        std::normal_distribution<float> normal;
        EmbeddingPoints points;
        points.components = 2;
        for (int i = 0; i < 80000; ++i) {
            points.points.insert(points.points.end(), {normal(random), normal(random)});
            points.kind.push_back(static_cast<std::uint8_t>(i < 40000 ? 0 : 1));
        }
        points.kinds = {{"series", QColor(230, 30, 30)}, {"prompts", QColor(30, 30, 230)}};
        EmbeddingView view(backend(opengl));
        view.set_points(points);
        show(view, {480, 400});
        const auto picture = view.canvas_picture();
        double red = 0, blue = 0;
        const auto centre = picture.rect().center();
        for (int x = -20; x < 20; ++x)
            for (int y = -20; y < 20; ++y) {
                const auto colour = picture.pixelColor(centre + QPoint(x, y));
                red += colour.red();
                blue += colour.blue();
            }
        QVERIFY2(std::abs(red - blue) < 0.25 * (red + blue),
                 qPrintable(QStringLiteral("%1 %2").arg(red).arg(blue)));
    }

    void points_have_their_colour_at_their_place_data() { backend_rows(); }
    void points_have_their_colour_at_their_place() {
        QFETCH(bool, opengl);
        EmbeddingView view(backend(opengl));
        view.set_points(five());
        show(view, {480, 400});
        for (const bool flat : {true, false}) {
            view.set_flat(flat);
            QTest::qWait(30);
            const QImage picture = view.canvas_picture();
            const double ratio = view.devicePixelRatioF();
            QCOMPARE(picture.width(), qRound(view.plot_rect().width() * ratio));
            for (std::size_t i = 0; i < 5; ++i) {
                const QPointF at = view.place_of(i) - view.plot_rect().topLeft();
                const QColor wanted = i < 3 ? QColor(200, 40, 30) : QColor(20, 60, 220);
                const QColor found = pixel(picture, at, ratio);
                QVERIFY2(alike(found, wanted), qPrintable(QStringLiteral("point %1: %2 at %3, %4 (flat: %5)")
                                                              .arg(i)
                                                              .arg(found.name())
                                                              .arg(at.x())
                                                              .arg(at.y())
                                                              .arg(flat)));
                // Its middle too: the mean of the pixels' places, weighted by how much of the colour they
                // have.
                double sum = 0, sum_x = 0, sum_y = 0;
                const int reach = qRound(12 * ratio);
                const int cx = static_cast<int>(at.x() * ratio), cy = static_cast<int>(at.y() * ratio);
                for (int y = cy - reach; y <= cy + reach; ++y)
                    for (int x = cx - reach; x <= cx + reach; ++x) {
                        const QColor seen = picture.pixelColor(x, y);
                        const double weight =
                            i < 3 ? (255 - seen.blue()) / 225.0 : (255 - seen.red()) / 235.0;
                        const double other = i < 3 ? seen.red() / 200.0 : seen.blue() / 220.0;
                        if (weight < 0.3 || other < 0.95) continue;
                        sum += weight;
                        sum_x += weight * (x + 0.5);
                        sum_y += weight * (y + 0.5);
                    }
                QVERIFY(sum > 100 * ratio * ratio);
                const QPointF off(sum_x / sum - at.x() * ratio, sum_y / sum - at.y() * ratio);
                // A height that is no whole number of device pixels is rounded by OpenGL's viewport.
                const double most = ratio == std::round(ratio) ? 0.35 : 0.6;
                QVERIFY2(std::abs(off.x()) < most && std::abs(off.y()) < most,
                         qPrintable(QStringLiteral("point %1: off by %2, %3 (flat: %4)")
                                        .arg(i)
                                        .arg(off.x())
                                        .arg(off.y())
                                        .arg(flat)));
            }
            const QPointF beside = view.place_of(0) - view.plot_rect().topLeft() + QPointF(13, 5.3);
            QVERIFY(!alike(pixel(picture, beside, ratio), QColor(200, 40, 30), 40));
        }
    }

    void nearer_points_hide_farther_ones_data() { backend_rows(); }
    void nearer_points_hide_farther_ones() {
        QFETCH(bool, opengl);
        EmbeddingView view(backend(opengl));
        EmbeddingPoints points;
        points.components = 3;
        points.points = {0, 0, 1, 0, 0, -1, 3, 1, 0};
        for (const QColor& colour : {QColor(0, 160, 0), QColor(160, 0, 0), QColor(0, 0, 160)})
            points.kinds.push_back({"", colour, figures::MarkerShape::circle, 20});
        points.kind = {0, 1, 2};
        view.set_points(points);
        show(view, {400, 300});
        view.set_flat(false);
        EmbeddingCamera camera = view.camera();
        camera.turn = camera.tilt = 0;
        camera.centre = {};
        view.set_camera(camera);
        const auto top = [&] {
            QTest::qWait(30);
            return pixel(view.canvas_picture(), view.place_of(0) - view.plot_rect().topLeft(),
                         view.devicePixelRatioF());
        };
        QVERIFY(alike(top(), QColor(0, 160, 0)));
        QSignalSpy picked(&view, &EmbeddingView::picked);
        click(view, view.place_of(0));
        QCOMPARE(picked.last()[0].value<std::vector<std::int64_t>>(), std::vector<std::int64_t>{0});
        camera.turn = 180;
        view.set_camera(camera);
        QVERIFY(alike(top(), QColor(160, 0, 0)));
        click(view, view.place_of(0));
        QCOMPARE(picked.last()[0].value<std::vector<std::int64_t>>(), std::vector<std::int64_t>{1});
        // A highlighted point is above those in front of it.
        view.set_highlight({0});
        QVERIFY(alike(top(), QColor(0, 160, 0)));
    }

    void click_hover_and_keyboard_pick_exactly_data() { backend_rows(); }
    void click_hover_and_keyboard_pick_exactly() {
        QFETCH(bool, opengl);
        EmbeddingView view(backend(opengl));
        view.set_points(five());
        show(view, {480, 400});
        QSignalSpy picked(&view, &EmbeddingView::picked);
        for (std::size_t i = 0; i < 5; ++i) {
            mouse(view, QEvent::MouseMove, view.place_of(i), Qt::NoButton);
            QVERIFY(QToolTip::isVisible() && !QToolTip::text().isEmpty());
            click(view, view.place_of(i) + QPointF(6, 0), Qt::ControlModifier);
            QCOMPARE(picked.last()[0].value<std::vector<std::int64_t>>(),
                     std::vector<std::int64_t>{10 + static_cast<std::int64_t>(i)});
            QCOMPARE(picked.last()[1].value<Qt::KeyboardModifiers>(), Qt::ControlModifier);
        }
        click(view, view.place_of(0) + QPointF(20, 0));
        QVERIFY(picked.last()[0].value<std::vector<std::int64_t>>().empty());
        mouse(view, QEvent::MouseMove, view.place_of(0) + QPointF(20, 0), Qt::NoButton);

        QTest::keyClick(&view, Qt::Key_PageDown);
        QTest::keyClick(&view, Qt::Key_PageDown);
        QTest::keyClick(&view, Qt::Key_Return);
        QCOMPARE(picked.last()[0].value<std::vector<std::int64_t>>(), std::vector<std::int64_t>{11});
    }

    void lasso_catches_what_is_inside_data() { backend_rows(); }
    void lasso_catches_what_is_inside() {
        QFETCH(bool, opengl);
        EmbeddingView view(backend(opengl));
        const EmbeddingPoints points = blobs(2000);
        view.set_points(points);
        show(view, {520, 440});
        QSignalSpy picked(&view, &EmbeddingView::picked);
        // A notch keeps the polygon from being convex.
        const QRectF plot = view.plot_rect();
        QPolygonF path;
        for (const QPointF& share : {QPointF(0.2, 0.2), QPointF(0.8, 0.25), QPointF(0.5, 0.5),
                                     QPointF(0.7, 0.9), QPointF(0.25, 0.8)})
            path << plot.topLeft() + QPointF(share.x() * plot.width(), share.y() * plot.height());
        for (const bool flat : {true, false}) {
            view.set_flat(flat);
            drag(view, path, Qt::LeftButton, Qt::ShiftModifier);
            // The same question asked point by point with another algorithm: winding by crossings.
            std::vector<std::int64_t> wanted;
            for (std::size_t i = 0; i < points.size(); ++i) {
                const QPointF at = view.place_of(i);
                bool inside = false;
                for (int a = 0, b = static_cast<int>(path.size()) - 1; a < path.size(); b = a++)
                    if ((path[a].y() > at.y()) != (path[b].y() > at.y()) &&
                        at.x() < (path[b].x() - path[a].x()) * (at.y() - path[a].y()) /
                                         (path[b].y() - path[a].y()) +
                                     path[a].x())
                        inside = !inside;
                if (inside) wanted.push_back(static_cast<std::int64_t>(i));
            }
            QVERIFY2(wanted.size() > 100 && wanted.size() < 1800, qPrintable(QString::number(wanted.size())));
            QCOMPARE(picked.last()[0].value<std::vector<std::int64_t>>(), wanted);
        }
        // With the lasso tool no Shift is needed, and Shift moves.
        view.set_flat(true);
        QTest::keyClick(&view, Qt::Key_L);
        QCOMPARE(view.tool(), EmbeddingView::Tool::lasso);
        const auto before = picked.size();
        const EmbeddingCamera camera = view.camera();
        drag(view, path);
        QCOMPARE(picked.size(), before + 1);
        QVERIFY(view.camera() == camera);
        drag(view, path, Qt::LeftButton, Qt::ShiftModifier);
        QCOMPARE(picked.size(), before + 1);
        QVERIFY(view.camera() != camera);
    }

    void mouse_wheel_and_keys_move_the_camera() {
        EmbeddingView view(ViewBackend::painter);
        view.set_points(five());
        show(view, {480, 400});
        const QPointF before = view.place_of(4);
        drag(view, {QPointF(200, 200), QPointF(220, 200), QPointF(237, 211)});
        QVERIFY((view.place_of(4) - before - QPointF(37, 11)).manhattanLength() < 0.01);

        // What is under the pointer stays there.
        QWheelEvent wheel(view.place_of(3), view.mapToGlobal(view.place_of(3)), {}, {0, 240}, Qt::NoButton,
                          Qt::NoModifier, Qt::NoScrollPhase, false);
        const QPointF under = view.place_of(3);
        const double height = view.camera().half_height;
        QCoreApplication::sendEvent(&view, &wheel);
        QVERIFY((view.place_of(3) - under).manhattanLength() < 0.01);
        QVERIFY(std::abs(view.camera().half_height * 1.44 - height) < 1e-9);

        QTest::keyClick(&view, Qt::Key_0);
        QVERIFY((view.place_of(4) - before).manhattanLength() < 0.01);
        QTest::keyClick(&view, Qt::Key_Plus);
        QTest::keyClick(&view, Qt::Key_Minus);
        QVERIFY((view.place_of(4) - before).manhattanLength() < 0.01);
        QTest::keyClick(&view, Qt::Key_Right);
        QVERIFY(std::abs(view.place_of(4).x() - before.x() + 40) < 0.01);
        QTest::keyClick(&view, Qt::Key_3);
        QVERIFY(!view.is_flat());
        const double turn = view.camera().turn;
        QTest::keyClick(&view, Qt::Key_Right);
        QCOMPARE(view.camera().turn, turn + 5);
        QTest::keyClick(&view, Qt::Key_2);
        QVERIFY(view.is_flat());
    }

    void linked_views_move_as_one() {
        EmbeddingView left(ViewBackend::painter);
        auto right = std::make_unique<EmbeddingView>(ViewBackend::painter);
        show(left, {400, 300});
        show(*right, {400, 300});
        left.set_points(five());
        EmbeddingPoints wide = five();
        for (float& value : wide.points) value *= 10;
        right->set_points(wide);
        left.link(right.get());
        QVERIFY(left.camera() == right->camera());
        QVERIFY(left.camera().half_height > 10);  // both clouds fit
        right->set_flat(false);
        QVERIFY(!left.is_flat());
        drag(left, {QPointF(200, 150), QPointF(230, 150), QPointF(260, 170)});
        QVERIFY(left.camera() == right->camera());
        QVERIFY(left.camera().turn != EmbeddingCamera().turn);
        right.reset();
        left.fit();
        QVERIFY(left.camera().half_height < 10);
    }

    void wrong_arrays_are_refused() {
        EmbeddingView view(ViewBackend::painter);
        EmbeddingPoints points = five();
        points.ids.pop_back();
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, view.set_points(points));
        points = five();
        points.points.pop_back();
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, view.set_points(points));
        points = five();
        points.kind[2] = 2;
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, view.set_points(points));
    }

    void points_that_are_not_finite_are_left_out_data() { backend_rows(); }
    void points_that_are_not_finite_are_left_out() {
        QFETCH(bool, opengl);
        EmbeddingView view(backend(opengl));
        EmbeddingPoints points = five();
        points.points[0] = std::nanf("");
        points.points[4] = INFINITY;
        view.set_points(points);
        show(view, {400, 300});
        QSignalSpy picked(&view, &EmbeddingView::picked);
        const QRectF plot = view.plot_rect();
        drag(view, QPolygonF(plot), Qt::LeftButton, Qt::ShiftModifier);
        QCOMPARE(picked.last()[0].value<std::vector<std::int64_t>>(),
                 (std::vector<std::int64_t>{12, 13, 14}));
        QVERIFY(!view.canvas_picture().isNull());
    }

    void one_point_none_and_equal_ones_are_drawn_data() { backend_rows(); }
    void one_point_none_and_equal_ones_are_drawn() {
        QFETCH(bool, opengl);
        EmbeddingView view(backend(opengl));
        EmbeddingPoints none;
        none.empty_text =
            "The embedding of anchors, series and prompts appears here after the first snapshot.";
        view.set_points(none);
        show(view, {400, 300});
        QVERIFY(!view.grab().isNull());
        for (const std::size_t n : {1u, 3u}) {
            EmbeddingPoints points;
            points.components = 1;
            points.points.assign(n, 5.f);
            for (const bool flat : {true, false}) {
                view.set_flat(flat);
                view.set_points(points);
                view.fit();
                const QPointF at = view.place_of(0);
                QVERIFY(QRectF(view.plot_rect()).contains(at));
                QTest::qWait(20);
                QVERIFY(!view.canvas_picture().isNull());
            }
        }
    }

    void pictures_for_files() {
        EmbeddingView view(ViewBackend::painter);
        view.resize(600, 500);
        view.set_points(five());
        const QImage picture = view.to_image({}, 2);
        QCOMPARE(picture.size(), QSize(1200, 1000));
        int red = 0, blue = 0;
        for (int y = 0; y < picture.height(); ++y)
            for (int x = 0; x < picture.width(); ++x) {
                red += picture.pixelColor(x, y) == QColor(200, 40, 30);
                blue += picture.pixelColor(x, y) == QColor(20, 60, 220);
            }
        // Three discs of radius 8 − 1 (rim), two squares of 0.87 · 18 − 2; the legend's markers beside them.
        // Where the font puts their centres decides about the pixels of the rims: 88 of a disc, half of one.
        QVERIFY2(std::abs(red - 4 * (3 * M_PI * 49 + 78)) < 300, qPrintable(QString::number(red)));
        QVERIFY2(std::abs(blue - 4 * (2 * 13.66 * 13.66 + 76)) < 300, qPrintable(QString::number(blue)));
    }

    void painter_and_opengl_draw_the_same() {
        if (!opengl_available()) QSKIP("no OpenGL on this platform");
        EmbeddingView a(ViewBackend::painter), b(ViewBackend::opengl);
        for (EmbeddingView* view : {&a, &b}) {
            view->set_points(blobs(1500));
            show(*view, {500, 420});
        }
        for (const bool flat : {true, false}) {
            a.set_flat(flat);
            b.set_flat(flat);
            a.set_highlight(flat ? std::set<std::int64_t>{} : std::set<std::int64_t>{5, 8, 100, 1450, 1490});
            b.set_highlight(a.points().size() && flat ? std::set<std::int64_t>{}
                                                      : std::set<std::int64_t>{5, 8, 100, 1450, 1490});
            QTest::qWait(40);
            const QImage p = a.canvas_picture(), g = b.canvas_picture();
            QCOMPARE(p.size(), g.size());
            qint64 off = 0;
            for (int y = 0; y < p.height(); ++y)
                for (int x = 0; x < p.width(); ++x) off += !alike(p.pixelColor(x, y), g.pixelColor(x, y), 48);
            const double share = static_cast<double>(off) / (p.width() * p.height());
            qInfo("%s: %.2f %% of the pixels differ visibly", flat ? "flat" : "depth", 100 * share);
            QVERIFY(share < 0.02);
        }
    }

    void survives_docking_floating_and_hiding() {
        if (!opengl_available()) QSKIP("no OpenGL on this platform");
        QMainWindow window;
        auto* dock = new QDockWidget(QStringLiteral("Embedding"), &window);
        auto* view = new EmbeddingView(ViewBackend::opengl);
        view->set_points(five());
        dock->setWidget(view);
        window.addDockWidget(Qt::LeftDockWidgetArea, dock);
        window.setCentralWidget(new QLabel(QStringLiteral("centre")));
        show(window, {900, 600});
        const auto drawn = [&] {
            QTest::qWait(120);
            const QImage picture = view->canvas_picture();
            const QPointF at = view->place_of(4) - view->plot_rect().topLeft();
            return !picture.isNull() &&
                   alike(pixel(picture, at, view->devicePixelRatioF()), QColor(20, 60, 220));
        };
        QVERIFY(drawn());
        for (int turn = 0; turn < 3; ++turn) {
            dock->setFloating(true);
            QVERIFY(drawn());
            dock->setFloating(false);
            QVERIFY(drawn());
            dock->hide();
            QTest::qWait(30);
            dock->show();
            QVERIFY(drawn());
        }
        // To another window altogether, and without one.
        QWidget other;
        auto* box = new QVBoxLayout(&other);
        box->addWidget(view);
        show(other, {500, 400});
        QVERIFY(drawn());
        view->setParent(nullptr);
        view->resize(400, 300);
        view->show();
        QVERIFY(drawn());
        delete view;
    }

    /// Behind a tab, while the theme changes.
    void a_hidden_view_takes_a_theme_when_shown_data() { backend_rows(); }
    void a_hidden_view_takes_a_theme_when_shown() {
        QFETCH(bool, opengl);
        auto* view = new EmbeddingView(backend(opengl));
        view->set_points(five());
        const auto seen = [view] {
            // Most of the canvas is empty.
            const QImage picture = view->canvas_picture();
            std::map<QRgb, int> pixels;
            for (int y = 0; y < picture.height(); ++y)
                for (int x = 0; x < picture.width(); ++x) ++pixels[picture.pixel(x, y)];
            return QColor(std::max_element(pixels.begin(), pixels.end(), [](const auto& a, const auto& b) {
                              return a.second < b.second;
                          })->first);
        };
        const auto background = [](bool dark) { return figures::style_of(palette_of(dark)).background; };
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

    void a_hundred_thousand_points_data() { backend_rows(); }
    void a_hundred_thousand_points() {
        QFETCH(bool, opengl);
        EmbeddingView view(backend(opengl));
        show(view, {800, 640});
        view.set_points(blobs(100000));
        QSignalSpy picked(&view, &EmbeddingView::picked);
        for (const bool flat : {true, false}) {
            view.set_flat(flat);
            QTest::keyClick(&view, Qt::Key_Right);
            QVERIFY(!view.canvas_picture().isNull());
            drag(view, QPolygonF(QRectF(view.plot_rect())), Qt::LeftButton, Qt::ShiftModifier);
            QVERIFY(picked.last()[0].value<std::vector<std::int64_t>>().size() > 50000);
            view.reset();
        }
        view.set_highlight({1, 2, 3});
        QVERIFY(!view.canvas_picture().isNull());
    }

    void labels_of_axes_keep_clear_of_each_other_data() {
        QTest::addColumn<QSize>("size");
        for (const QSize size :
             {QSize(360, 400), QSize(700, 430), QSize(300, 260), QSize(330, 160), QSize(200, 120)})
            QTest::newRow(qPrintable(QStringLiteral("%1x%2").arg(size.width()).arg(size.height()))) << size;
    }
    void labels_of_axes_keep_clear_of_each_other() {
        QFETCH(QSize, size);
        EmbeddingScene scene;
        scene.set_flat(false);
        auto points = blobs(300);
        points.axis_titles = {"PC1 (88.4 % of PC1–PC3)", "PC2 (7.1 % of PC1–PC3)", "PC3 (4.5 % of PC1–PC3)"};
        scene.set_points(points);
        const QSizeF view(size);
        EmbeddingCamera camera;
        camera.flat = false;
        int titles = 0, ticks = 0, cameras = 0;
        for (double turn = -180; turn < 180; turn += 15)
            for (double tilt = -60; tilt <= 60; tilt += 20) {
                camera.turn = turn;
                camera.tilt = tilt;
                camera.fit(scene.bounds(), view);
                ++cameras;
                const auto axes = embedding_axes(scene, scene.bounds(), camera, view);
                for (const auto& label : axes.labels) {
                    ++(label.title ? titles : ticks);
                    const auto rect = label_rect(label, scene);
                    QVERIFY2(QRectF({0, 0}, view).contains(rect), qPrintable(label.text));
                    for (const auto& other : axes.labels)
                        if (&other != &label)
                            QVERIFY2(!rect.intersects(label_rect(other, scene)),
                                     qPrintable(label.text + QStringLiteral(" over ") + other.text));
                }
            }
        // Few are left out; in the smallest view, ticks first.
        QVERIFY2(titles > 2 * cameras, qPrintable(QString::number(titles)));
        if (size.height() > 200) QVERIFY2(ticks > 5 * cameras, qPrintable(QString::number(ticks)));
    }

    void labels_fit_at_any_size_data() {
        QTest::addColumn<QSize>("size");
        // Of four runs in a page of middling width; alone; beside each other.
        for (const QSize size : {QSize(330, 210), QSize(700, 430), QSize(330, 400)})
            QTest::newRow(qPrintable(QStringLiteral("%1x%2").arg(size.width()).arg(size.height()))) << size;
    }
    void labels_fit_at_any_size() {
        QFETCH(QSize, size);
        EmbeddingScene scene;
        scene.set_flat(false);
        // As PCA of a run has it: long in one direction, so that the box is upright.
        EmbeddingPoints points;
        points.components = 3;
        std::mt19937 random(4);
        std::normal_distribution<float> normal;
        for (int i = 0; i < 400; ++i)
            for (const float spread : {0.2f, 0.5f, 0.15f}) points.points.push_back(spread * normal(random));
        points.axis_titles = {"PC1 (44.8 % of PC1–PC3)", "PC2 (38.8 % of PC1–PC3)",
                              "PC3 (16.4 % of PC1–PC3)"};
        scene.set_points(points);
        EmbeddingCamera camera;
        camera.flat = false;
        const auto fitted = fitted_camera(scene, scene.bounds(), camera, size);
        const auto axes = embedding_axes(scene, scene.bounds(), fitted, size);
        QCOMPARE(axes.left_out, 0);
        QCOMPARE(std::count_if(axes.labels.begin(), axes.labels.end(), [](const auto& l) { return l.title; }),
                 3);
        QVERIFY(axes.labels.size() >= 8);  // two ticks or more along every axis but perhaps one
        // The direction is kept, and the points still have the view.
        QCOMPARE(fitted.turn, camera.turn);
        const EmbeddingProjection projection(fitted, size);
        QRectF drawn;
        for (std::size_t i = 0; i < scene.size(); ++i) {
            const float* at = scene.positions().data() + 3 * i;
            drawn |= QRectF(projection(at[0], at[1], at[2]).point(), QSizeF(0.1, 0.1));
        }
        QVERIFY(QRectF({0, 0}, QSizeF(size)).contains(drawn));
        QVERIFY2(drawn.height() > 0.35 * size.height(), qPrintable(QString::number(drawn.height())));
    }

    void a_long_legend_leaves_room_for_the_points() {
        EmbeddingPoints points;
        points.components = 2;
        for (int k = 0; k < 30; ++k) {
            points.points.insert(points.points.end(), {static_cast<float>(k % 6), static_cast<float>(k / 6)});
            points.kind.push_back(static_cast<std::uint8_t>(k));
            points.kinds.push_back({QStringLiteral("channel number %1").arg(k)});
        }
        points.kinds[29].about = QStringLiteral("the last: a, b & c");
        EmbeddingScene scene;
        scene.set_points(points);
        const QSizeF small(330, 210), large(1500, 900);
        const auto layout = embedding_layout(scene, small);
        QVERIFY2(layout.legend.height() < 0.3 * small.height(),
                 qPrintable(QString::number(layout.legend.height())));
        QVERIFY2(layout.plot.height() > 0.4 * small.height(),
                 qPrintable(QString::number(layout.plot.height())));
        const auto legend = embedding_legend(scene, layout.legend.width(), layout.legend_rows);
        QVERIFY(!legend.entries.empty() && legend.entries.size() < 30);
        QCOMPARE(legend.more, QStringLiteral("and %1 more").arg(30 - legend.entries.size()));
        QVERIFY(legend.rows <= layout.legend_rows);
        // The tip has them all, with what stands behind a name.
        const auto tip = legend_tip(scene, legend);
        for (int k = 0; k < 29; ++k) QVERIFY(tip.contains(QStringLiteral("channel number %1").arg(k)));
        QVERIFY(tip.contains(QStringLiteral("the last: a, b &amp; c")));
        // Where there is room for all, all are there.
        const auto wide = embedding_layout(scene, large);
        const auto whole = embedding_legend(scene, wide.legend.width(), wide.legend_rows);
        QVERIFY(whole.more.isEmpty() && whole.entries.size() == 30);
        points.kinds.resize(2);
        points.kind.assign(30, 0);
        scene.set_points(points);
        const auto two = embedding_layout(scene, small);
        QVERIFY(legend_tip(scene, embedding_legend(scene, two.legend.width(), two.legend_rows)).isEmpty());
    }
};

TEST_PROGRAM(TestEmbeddingView)(int argc, char** argv) {
    set_default_surface_format();  // as VTK needs it
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("test"));
    test::require_opengl();
    TestEmbeddingView tests;
    return QTest::qExec(&tests, argc, argv);
}
#include "test_embedding_view.moc"
