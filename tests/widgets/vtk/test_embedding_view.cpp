// EmbeddingView with both backends: what is drawn where, picking, lasso, camera, docking, speed.

#include <algorithm>
#include <map>
#include <QDockWidget>
#include <QMainWindow>
#include <QToolTip>
#include <QVBoxLayout>
#include <random>

#include "test_program.h"
#include "views.h"

using namespace casp;
using namespace casp::widgets;
namespace figures = casp::figures;

namespace {

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

    void higher_layers_are_drawn_above_data() { test::backend_rows(); }
    void higher_layers_are_drawn_above() {
        QFETCH(bool, opengl);
        EmbeddingView view(test::backend(opengl));
        EmbeddingPoints points;
        points.components = 2;
        points.points = {0, 0, 0, 0, 3, 2};
        points.kind = {0, 1, 1};
        points.kinds = {{"anchors", QColor(0, 0, 200), figures::MarkerShape::circle, 20},
                        {"prompts", QColor(0, 160, 0), figures::MarkerShape::circle, 20}};
        test::show(view, {400, 300});
        const auto top = [&](int layer) {
            points.kinds[0].layer = layer;
            view.set_points(points);
            QTest::qWait(30);
            return pixel(view.canvas_picture(), view.place_of(0) - view.plot_rect().topLeft(),
                         view.devicePixelRatioF());
        };
        QSignalSpy picked(&view, &EmbeddingView::picked);
        QVERIFY(test::alike(top(-1), QColor(0, 160, 0)));
        QVERIFY(test::alike(top(0), QColor(0, 0, 200)));  // the smaller kind
        test::click(view, view.place_of(0));
        QCOMPARE(picked.last()[0].value<std::vector<std::int64_t>>(), std::vector<std::int64_t>{0});
        view.set_highlight({1});  // what is chosen is above all
        QTest::qWait(30);
        QVERIFY(test::alike(pixel(view.canvas_picture(), view.place_of(0) - view.plot_rect().topLeft(),
                                  view.devicePixelRatioF()),
                            QColor(0, 160, 0)));
    }

    /// Two kinds of 40,000 points at the same places: both are seen.
    void no_kind_hides_another_data() { test::backend_rows(); }
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
        EmbeddingView view(test::backend(opengl));
        view.set_points(points);
        test::show(view, {480, 400});
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

    void points_have_their_colour_at_their_place_data() { test::backend_rows(); }
    void points_have_their_colour_at_their_place() {
        QFETCH(bool, opengl);
        EmbeddingView view(test::backend(opengl));
        view.set_points(five());
        test::show(view, {480, 400});
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
                QVERIFY2(test::alike(found, wanted),
                         qPrintable(QStringLiteral("point %1: %2 at %3, %4 (flat: %5)")
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
            QVERIFY(!test::alike(pixel(picture, beside, ratio), QColor(200, 40, 30), 40));
        }
    }

    void nearer_points_hide_farther_ones_data() { test::backend_rows(); }
    void nearer_points_hide_farther_ones() {
        QFETCH(bool, opengl);
        EmbeddingView view(test::backend(opengl));
        EmbeddingPoints points;
        points.components = 3;
        points.points = {0, 0, 1, 0, 0, -1, 3, 1, 0};
        for (const QColor& colour : {QColor(0, 160, 0), QColor(160, 0, 0), QColor(0, 0, 160)})
            points.kinds.push_back({"", colour, figures::MarkerShape::circle, 20});
        points.kind = {0, 1, 2};
        view.set_points(points);
        test::show(view, {400, 300});
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
        QVERIFY(test::alike(top(), QColor(0, 160, 0)));
        QSignalSpy picked(&view, &EmbeddingView::picked);
        test::click(view, view.place_of(0));
        QCOMPARE(picked.last()[0].value<std::vector<std::int64_t>>(), std::vector<std::int64_t>{0});
        camera.turn = 180;
        view.set_camera(camera);
        QVERIFY(test::alike(top(), QColor(160, 0, 0)));
        test::click(view, view.place_of(0));
        QCOMPARE(picked.last()[0].value<std::vector<std::int64_t>>(), std::vector<std::int64_t>{1});
        // A highlighted point is above those in front of it.
        view.set_highlight({0});
        QVERIFY(test::alike(top(), QColor(0, 160, 0)));
    }

    void click_hover_and_keyboard_pick_exactly_data() { test::backend_rows(); }
    void click_hover_and_keyboard_pick_exactly() {
        QFETCH(bool, opengl);
        EmbeddingView view(test::backend(opengl));
        view.set_points(five());
        test::show(view, {480, 400});
        QSignalSpy picked(&view, &EmbeddingView::picked);
        for (std::size_t i = 0; i < 5; ++i) {
            test::mouse(view, QEvent::MouseMove, view.place_of(i), Qt::NoButton);
            QVERIFY(QToolTip::isVisible() && !QToolTip::text().isEmpty());
            test::click(view, view.place_of(i) + QPointF(6, 0), Qt::ControlModifier);
            QCOMPARE(picked.last()[0].value<std::vector<std::int64_t>>(),
                     std::vector<std::int64_t>{10 + static_cast<std::int64_t>(i)});
            QCOMPARE(picked.last()[1].value<Qt::KeyboardModifiers>(), Qt::ControlModifier);
        }
        test::click(view, view.place_of(0) + QPointF(20, 0));
        QVERIFY(picked.last()[0].value<std::vector<std::int64_t>>().empty());
        test::mouse(view, QEvent::MouseMove, view.place_of(0) + QPointF(20, 0), Qt::NoButton);

        QTest::keyClick(&view, Qt::Key_PageDown);
        QTest::keyClick(&view, Qt::Key_PageDown);
        QTest::keyClick(&view, Qt::Key_Return);
        QCOMPARE(picked.last()[0].value<std::vector<std::int64_t>>(), std::vector<std::int64_t>{11});
    }

    void lasso_catches_what_is_inside_data() { test::backend_rows(); }
    void lasso_catches_what_is_inside() {
        QFETCH(bool, opengl);
        EmbeddingView view(test::backend(opengl));
        const EmbeddingPoints points = blobs(2000);
        view.set_points(points);
        test::show(view, {520, 440});
        QSignalSpy picked(&view, &EmbeddingView::picked);
        // A notch keeps the polygon from being convex.
        const QRectF plot = view.plot_rect();
        QPolygonF path;
        for (const QPointF& share : {QPointF(0.2, 0.2), QPointF(0.8, 0.25), QPointF(0.5, 0.5),
                                     QPointF(0.7, 0.9), QPointF(0.25, 0.8)})
            path << plot.topLeft() + QPointF(share.x() * plot.width(), share.y() * plot.height());
        for (const bool flat : {true, false}) {
            view.set_flat(flat);
            test::drag(view, path, Qt::LeftButton, Qt::ShiftModifier);
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
        test::drag(view, path);
        QCOMPARE(picked.size(), before + 1);
        QVERIFY(view.camera() == camera);
        test::drag(view, path, Qt::LeftButton, Qt::ShiftModifier);
        QCOMPARE(picked.size(), before + 1);
        QVERIFY(view.camera() != camera);
    }

    void mouse_wheel_and_keys_move_the_camera() {
        EmbeddingView view(ViewBackend::painter);
        view.set_points(five());
        test::show(view, {480, 400});
        const QPointF before = view.place_of(4);
        test::drag(view, {QPointF(200, 200), QPointF(220, 200), QPointF(237, 211)});
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
        test::show(left, {400, 300});
        test::show(*right, {400, 300});
        left.set_points(five());
        EmbeddingPoints wide = five();
        for (float& value : wide.points) value *= 10;
        right->set_points(wide);
        left.link(right.get());
        QVERIFY(left.camera() == right->camera());
        QVERIFY(left.camera().half_height > 10);  // both clouds fit
        right->set_flat(false);
        QVERIFY(!left.is_flat());
        test::drag(left, {QPointF(200, 150), QPointF(230, 150), QPointF(260, 170)});
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

    void points_that_are_not_finite_are_left_out_data() { test::backend_rows(); }
    void points_that_are_not_finite_are_left_out() {
        QFETCH(bool, opengl);
        EmbeddingView view(test::backend(opengl));
        EmbeddingPoints points = five();
        points.points[0] = std::nanf("");
        points.points[4] = INFINITY;
        view.set_points(points);
        test::show(view, {400, 300});
        QSignalSpy picked(&view, &EmbeddingView::picked);
        const QRectF plot = view.plot_rect();
        test::drag(view, QPolygonF(plot), Qt::LeftButton, Qt::ShiftModifier);
        QCOMPARE(picked.last()[0].value<std::vector<std::int64_t>>(),
                 (std::vector<std::int64_t>{12, 13, 14}));
        QVERIFY(!view.canvas_picture().isNull());
    }

    void one_point_none_and_equal_ones_are_drawn_data() { test::backend_rows(); }
    void one_point_none_and_equal_ones_are_drawn() {
        QFETCH(bool, opengl);
        EmbeddingView view(test::backend(opengl));
        EmbeddingPoints none;
        none.empty_text =
            "The embedding of anchors, series and prompts appears here after the first snapshot.";
        view.set_points(none);
        test::show(view, {400, 300});
        test::keep(view.grab().toImage(), QStringLiteral("embedding-empty-%1").arg(opengl));
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
        QVERIFY2(std::abs(red - 4 * (3 * M_PI * 49 + 78)) < 200, qPrintable(QString::number(red)));
        QVERIFY2(std::abs(blue - 4 * (2 * 13.66 * 13.66 + 76)) < 200, qPrintable(QString::number(blue)));
    }

    void painter_and_opengl_draw_the_same() {
        if (!opengl_available()) QSKIP("no OpenGL on this platform");
        EmbeddingView a(ViewBackend::painter), b(ViewBackend::opengl);
        for (EmbeddingView* view : {&a, &b}) {
            view->set_points(blobs(1500));
            test::show(*view, {500, 420});
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
                for (int x = 0; x < p.width(); ++x)
                    off += !test::alike(p.pixelColor(x, y), g.pixelColor(x, y), 48);
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
        test::show(window, {900, 600});
        const auto drawn = [&] {
            QTest::qWait(120);
            const QImage picture = view->canvas_picture();
            const QPointF at = view->place_of(4) - view->plot_rect().topLeft();
            return !picture.isNull() &&
                   test::alike(pixel(picture, at, view->devicePixelRatioF()), QColor(20, 60, 220));
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
        test::show(other, {500, 400});
        QVERIFY(drawn());
        view->setParent(nullptr);
        view->resize(400, 300);
        view->show();
        QVERIFY(drawn());
        delete view;
    }

    void a_hidden_view_takes_a_theme_when_shown_data() { test::backend_rows(); }
    void a_hidden_view_takes_a_theme_when_shown() {
        QFETCH(bool, opengl);
        auto* view = new EmbeddingView(test::backend(opengl));
        view->set_points(five());
        test::check_that_it_takes_a_theme_when_shown(view, [view] {
            // Most of the canvas is empty.
            const QImage picture = view->canvas_picture();
            std::map<QRgb, int> pixels;
            for (int y = 0; y < picture.height(); ++y)
                for (int x = 0; x < picture.width(); ++x) ++pixels[picture.pixel(x, y)];
            return QColor(std::max_element(pixels.begin(), pixels.end(), [](const auto& a, const auto& b) {
                              return a.second < b.second;
                          })->first);
        });
    }

    void a_hundred_thousand_points_data() { test::backend_rows(); }
    void a_hundred_thousand_points() {
        QFETCH(bool, opengl);
        EmbeddingView view(test::backend(opengl));
        QElapsedTimer timer;
        EmbeddingPoints points = blobs(100000);
        test::show(view, {800, 640});
        timer.start();
        view.set_points(points);
        (void)view.canvas_picture();
        qInfo("first frame %.0f ms", static_cast<double>(timer.nsecsElapsed()) * 1e-6);
        QSignalSpy picked(&view, &EmbeddingView::picked);
        for (const bool flat : {true, false}) {
            view.set_flat(flat);
            (void)view.canvas_picture();
            timer.restart();
            constexpr int frames = 10;
            for (int i = 0; i < frames; ++i) {
                QTest::keyClick(&view, Qt::Key_Right);
                (void)view.canvas_picture();  // waits until it is drawn
            }
            qInfo("%s: %.1f ms a frame", flat ? "flat" : "depth",
                  static_cast<double>(timer.nsecsElapsed()) * 1e-6 / frames);
            view.reset();
            timer.restart();
            test::click(view, view.place_of(99990));
            qInfo("click %.1f ms", static_cast<double>(timer.nsecsElapsed()) * 1e-6);
            timer.restart();
            test::drag(view, QPolygonF(QRectF(view.plot_rect())), Qt::LeftButton, Qt::ShiftModifier);
            qInfo("lasso %.1f ms", static_cast<double>(timer.nsecsElapsed()) * 1e-6);
            QVERIFY(picked.last()[0].value<std::vector<std::int64_t>>().size() > 50000);
        }
        timer.restart();
        view.set_highlight({1, 2, 3});
        (void)view.canvas_picture();
        qInfo("highlight %.1f ms", static_cast<double>(timer.nsecsElapsed()) * 1e-6);
    }

    void pictures_to_look_at_data() { test::backend_rows(); }
    void pictures_to_look_at() {
        if (qEnvironmentVariableIsEmpty("CASP_TEST_PICTURES")) QSKIP("CASP_TEST_PICTURES names no folder");
        QFETCH(bool, opengl);
        for (const bool dark : {false, true}) {
            EmbeddingView view(test::backend(opengl));
            view.setPalette(test::palette_of(dark));
            view.set_points(blobs(3000));
            test::show(view, {560, 460});
            for (const bool flat : {true, false}) {
                view.set_flat(flat);
                const QString name =
                    QStringLiteral("embedding-%1-%2-%3")
                        .arg(opengl ? "gl" : "painter", dark ? "dark" : "light", flat ? "2d" : "3d");
                QTest::qWait(60);
                test::keep(view.grab().toImage(), name);
                view.set_highlight({3, 30, 60, 90, 120, 2950, 2980});
                QTest::qWait(60);
                test::keep(view.grab().toImage(), name + "-highlight");
                view.set_highlight({});
            }
            EmbeddingPoints scalar = blobs(3000);
            scalar.kind.clear();
            scalar.kinds = {{"window"}};
            for (std::size_t i = 0; i < 3000; ++i) scalar.scalar.push_back(scalar.points[3 * i]);
            scalar.scalar_title = "MSE";
            view.set_flat(true);
            view.set_points(scalar);
            QTest::qWait(60);
            test::keep(view.grab().toImage(), QStringLiteral("embedding-%1-%2-scalar").arg(opengl).arg(dark));
            view.set_points(blobs(100000));
            QTest::qWait(60);
            test::keep(view.grab().toImage(), QStringLiteral("embedding-%1-%2-100k").arg(opengl).arg(dark));
        }
    }
};

TEST_PROGRAM(TestEmbeddingView)(int argc, char** argv) {
    return test::run_view<TestEmbeddingView>(argc, argv);
}
#include "test_embedding_view.moc"
