// HeatmapView: colours of cells, read-out, picking, zoom, order, large matrices.

#include <algorithm>
#include <numeric>
#include <random>

#include "test_program.h"
#include "views.h"
#include "vtk/heatmap_view.h"

using namespace casp;
using namespace casp::widgets;
namespace figures = casp::figures;
using Ids = std::vector<std::int64_t>;

namespace {

/// Cell (r, c) is r · columns + c.
figures::Heatmap counted(std::int64_t rows, std::int64_t columns) {
    figures::Heatmap matrix;
    matrix.rows = rows;
    matrix.columns = columns;
    matrix.values.resize(static_cast<std::size_t>(rows * columns));
    std::iota(matrix.values.begin(), matrix.values.end(), 0.f);
    matrix.value_title = "cosine similarity";
    return matrix;
}

QColor wanted_colour(const figures::Heatmap& matrix, double value) {
    const double high = static_cast<double>(matrix.rows * matrix.columns - 1);
    return QColor(figures::map_colour(matrix.colour_map, value / high));
}

QColor seen_at(HeatmapView& view, std::int64_t row, std::int64_t column) {
    const QPointF at = view.place_of(row, column) * view.devicePixelRatioF();
    return view.grab().toImage().pixelColor(static_cast<int>(at.x()), static_cast<int>(at.y()));
}

/// Anchors × windows: waves that fade downwards, and noise.
figures::Heatmap similarity(std::int64_t rows, std::int64_t columns) {
    std::minstd_rand random(3);
    figures::Heatmap matrix = counted(rows, columns);
    float* value = matrix.values.data();
    for (std::int64_t r = 0; r < rows; ++r) {
        const float y = static_cast<float>(r) / static_cast<float>(rows), fade = 0.3f * std::exp(-2 * y);
        for (std::int64_t c = 0; c < columns; ++c) {
            const float x = static_cast<float>(c) / static_cast<float>(columns);
            const float noise = static_cast<float>(random() >> 8) / static_cast<float>(1 << 23) - 0.5f;
            *value++ = 0.35f + fade * std::sin(9 * x + 5 * y) + 0.2f * noise;
        }
    }
    return matrix;
}

}  // namespace

class TestHeatmapView : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cells_have_their_colour() {
        HeatmapView view;
        const figures::Heatmap matrix = counted(7, 11);
        view.set_matrix(matrix);
        test::show(view, {480, 360});
        for (std::int64_t r = 0; r < 7; ++r)
            for (std::int64_t c = 0; c < 11; ++c)
                QVERIFY(test::alike(seen_at(view, r, c),
                                    wanted_colour(matrix, static_cast<double>(r * 11 + c)), 1));
        // The border between two cells is sharp, and where it should be.
        const QImage picture = view.grab().toImage();
        const double ratio = view.devicePixelRatioF();
        const double border = (view.place_of(0, 5).x() + view.place_of(0, 6).x()) / 2;
        const int x = qRound(border * ratio), y = qRound((view.cells_rect().top() + 4) * ratio);
        QVERIFY(test::alike(picture.pixelColor(x - 2, y), wanted_colour(matrix, 5), 1));
        QVERIFY(test::alike(picture.pixelColor(x + 1, y), wanted_colour(matrix, 6), 1));
    }

    void values_that_are_not_numbers_are_not_drawn() {
        HeatmapView view;
        view.setPalette(test::palette_of(true));
        figures::Heatmap matrix = counted(3, 3);
        matrix.values[4] = std::nanf("");
        view.set_matrix(matrix);
        test::show(view, {300, 240});
        QVERIFY(test::alike(seen_at(view, 1, 1), view.style().background, 1));
        QVERIFY(test::alike(seen_at(view, 0, 1), wanted_colour(matrix, 1), 1));
    }

    void view_takes_a_theme_at_once() {
        HeatmapView view;
        figures::Heatmap matrix = counted(3, 3);
        matrix.values[4] = std::nanf("");  // there the background is seen
        view.set_matrix(matrix);
        test::show(view, {300, 240});
        for (const bool shown : {true, false})
            for (const bool dark : {true, false}) {
                view.setVisible(shown);
                view.setPalette(test::palette_of(dark));
                const QColor background = figures::style_of(test::palette_of(dark)).background;
                QVERIFY(test::alike(seen_at(view, 1, 1), background));
                QVERIFY(test::alike(view.to_image().pixelColor(1, 1), background));
            }
    }

    void coarse_levels_are_means() {
        figures::Heatmap matrix = counted(5, 7);
        matrix.values[8] = std::nanf("");
        HeatmapPyramid pyramid;
        pyramid.set(matrix);
        // A pixel covers up to four columns and two rows.
        const QImage tile = pyramid.picture({0, 0, 7, 5}, {2, 3});
        const auto colour = [&](double value) { return QColor(figures::map_colour("viridis", value / 34)); };
        // Rows 0 and 1, columns 0 … 3; cell (1, 1) is no number.
        QVERIFY(test::alike(tile.pixelColor(0, 0), colour((0 + 1 + 2 + 3 + 7 + 9 + 10) / 7.0), 1));
        QVERIFY(test::alike(tile.pixelColor(0, 1), colour((14 + 15 + 16 + 17 + 21 + 22 + 23 + 24) / 8.0), 1));
        // The last row and columns 4 … 6.
        QVERIFY(test::alike(tile.pixelColor(1, 2), colour((32 + 33 + 34) / 3.0), 1));
    }

    void wrong_arrays_are_refused() {
        HeatmapView view;
        figures::Heatmap matrix = counted(3, 4);
        matrix.row_ids = {1};
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, view.set_matrix(matrix));
        matrix = counted(3, 4);
        matrix.values.pop_back();
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, view.set_matrix(matrix));
    }

    void pointer_reads_and_picks_exactly() {
        HeatmapView view;
        figures::Heatmap matrix = counted(6, 9);
        matrix.row_ids = {100, 101, 102, 103, 104, 105};
        matrix.column_ids = {0, 10, 20, 30, 40, 50, 60, 70, 80};
        view.set_matrix(matrix);
        test::show(view, {480, 360});
        QSignalSpy pointed(&view, &HeatmapView::pointed), picked(&view, &HeatmapView::picked);
        const auto last = [&](int which) { return picked.last()[which].value<Ids>(); };
        test::mouse(view, QEvent::MouseMove, view.place_of(4, 7), Qt::NoButton);
        QCOMPARE(pointed.last()[0].toLongLong(), 4);
        QCOMPARE(pointed.last()[1].toLongLong(), 7);
        QCOMPARE(pointed.last()[2].toDouble(), 43.0);
        test::click(view, view.place_of(4, 7), Qt::ControlModifier);
        QCOMPARE(last(0), Ids{104});
        QCOMPARE(last(1), Ids{70});
        QCOMPARE(picked.last()[2].value<Qt::KeyboardModifiers>(), Qt::ControlModifier);
        // Beside the rows and below the columns.
        test::click(view, QPointF(view.cells_rect().left() - 12, view.place_of(2, 0).y()));
        QCOMPARE(last(0), Ids{102});
        QVERIFY(last(1).empty());
        test::click(view, QPointF(view.place_of(0, 3).x(), view.cells_rect().bottom() + 12));
        QVERIFY(last(0).empty());
        QCOMPARE(last(1), Ids{30});
        // A rectangle from within (row 4, column 1) to within (row 2, column 3).
        test::drag(view, {view.place_of(4, 1), view.place_of(3, 2), view.place_of(2, 3)}, Qt::LeftButton,
                   Qt::ShiftModifier);
        QCOMPARE(last(0), (Ids{102, 103, 104}));
        QCOMPARE(last(1), (Ids{10, 20, 30}));
        // By keyboard.
        view.set_cursor(0, 0);
        QTest::keyClick(&view, Qt::Key_Down);
        QTest::keyClick(&view, Qt::Key_Right);
        QTest::keyClick(&view, Qt::Key_Return);
        QCOMPARE(last(0), Ids{101});
        QCOMPARE(last(1), Ids{10});
    }

    void zoom_and_pan_stay_within_the_matrix() {
        HeatmapView view;
        view.set_matrix(counted(50, 400));
        test::show(view, {480, 360});
        const QPointF at = view.place_of(20, 300);
        QWheelEvent wheel(at, view.mapToGlobal(at), {}, {0, 240}, Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&view, &wheel);
        QVERIFY(std::abs(view.visible_cells().width() - 400 / 1.44) < 1e-6);
        QVERIFY((view.place_of(20, 300) - at).manhattanLength() < 1e-6);
        const QPointF before = view.place_of(20, 300);
        test::drag(view, {QPointF(200, 200), QPointF(190, 196)});
        QVERIFY((view.place_of(20, 300) - before - QPointF(-10, -4)).manhattanLength() < 1e-6);
        for (int i = 0; i < 5; ++i) test::drag(view, {QPointF(100, 100), QPointF(450, 340)});
        QCOMPARE(view.visible_cells().topLeft(), QPointF(0, 0));
        // One direction only.
        const QPointF beside(view.cells_rect().left() - 10, 200);
        QWheelEvent rows(beside, view.mapToGlobal(beside), {}, {0, 120}, Qt::NoButton, Qt::NoModifier,
                         Qt::NoScrollPhase, false);
        const QRectF cells = view.visible_cells();
        QCoreApplication::sendEvent(&view, &rows);
        QCOMPARE(view.visible_cells().width(), cells.width());
        QVERIFY(view.visible_cells().height() < cells.height());
        for (int i = 0; i < 60; ++i) QTest::keyClick(&view, Qt::Key_Plus);
        QVERIFY(view.visible_cells().width() >= 2);
        // The cross-hair pulls the view along.
        view.set_cursor(0, 0);
        for (int i = 0; i < 30; ++i) QTest::keyClick(&view, Qt::Key_Right);
        QVERIFY(view.visible_cells().contains(QPointF(30.5, 0.5)));
        QTest::keyClick(&view, Qt::Key_0);
        QCOMPARE(view.visible_cells(), QRectF(0, 0, 400, 50));
    }

    void highlights_and_cross_hair_are_drawn() {
        HeatmapView view;
        view.set_matrix(counted(6, 9));
        test::show(view, {480, 360});
        const auto accents = [&] {
            const QImage picture = view.grab().toImage();
            int n = 0;
            for (int y = 0; y < picture.height(); ++y)
                for (int x = 0; x < picture.width(); ++x)
                    n += test::alike(picture.pixelColor(x, y), view.style().accent, 2);
            return n;
        };
        const int none = accents();
        view.set_highlight({2}, {4});
        const int some = accents();
        QVERIFY2(some > none + 200, qPrintable(QStringLiteral("%1 %2").arg(none).arg(some)));
        view.set_highlight({}, {});
        QCOMPARE(accents(), none);
        view.set_cursor(3, 3);
        QVERIFY(accents() > none);
    }

    void picture_for_files() {
        HeatmapPyramid pyramid;
        pyramid.set(counted(4, 5));
        HeatmapLook look;
        look.style = figures::print_style();
        look.title = "Similarity";
        look.row_title = "anchor";
        look.column_title = "window";
        const QImage picture = render_heatmap_to_image(pyramid, look, {400, 300}, 2);
        QCOMPARE(picture.size(), QSize(800, 600));
        const QRectF cells = heatmap_layout(pyramid, look, {400, 300}).cells;
        for (int r = 0; r < 4; ++r)
            for (int c = 0; c < 5; ++c) {
                const QPointF at = (cells.topLeft() +
                                    QPointF((c + 0.5) / 5 * cells.width(), (r + 0.5) / 4 * cells.height())) *
                                   2;
                QVERIFY(test::alike(picture.pixelColor(at.toPoint()), wanted_colour(counted(4, 5), r * 5 + c),
                                    1));
            }
        test::keep(picture, QStringLiteral("heatmap-file"));
    }

    void a_thousand_by_twenty_thousand() {
        HeatmapView view;
        test::show(view, {900, 600});
        figures::Heatmap matrix = similarity(1000, 20000);
        QElapsedTimer timer;
        timer.start();
        view.set_matrix(std::move(matrix));
        (void)view.grab();
        qInfo("first frame %.0f ms", static_cast<double>(timer.nsecsElapsed()) * 1e-6);
        const QPointF at = view.place_of(700, 15000);
        double worst = 0;
        timer.restart();
        int frames = 0;
        for (; view.visible_cells().width() > 40 && frames < 60; ++frames) {
            QElapsedTimer one;
            one.start();
            QWheelEvent wheel(at, view.mapToGlobal(at), {}, {0, 240}, Qt::NoButton, Qt::NoModifier,
                              Qt::NoScrollPhase, false);
            QCoreApplication::sendEvent(&view, &wheel);
            (void)view.grab();
            worst = std::max(worst, static_cast<double>(one.nsecsElapsed()) * 1e-6);
        }
        qInfo("zooming in: %.1f ms a frame, worst %.1f",
              static_cast<double>(timer.nsecsElapsed()) * 1e-6 / frames, worst);
        // Down here every cell is itself again.
        const auto [low, high] =
            std::minmax_element(view.matrix().values.begin(), view.matrix().values.end());
        const double value = static_cast<double>(view.matrix().values[700 * 20000 + 15000]);
        const QColor wanted(figures::map_colour(
            "viridis", (value - static_cast<double>(*low)) / static_cast<double>(*high - *low)));
        QVERIFY(test::alike(seen_at(view, 700, 15000), wanted, 2));
    }

    void pictures_to_look_at() {
        if (qEnvironmentVariableIsEmpty("CASP_TEST_PICTURES")) QSKIP("CASP_TEST_PICTURES names no folder");
        for (const bool dark : {false, true}) {
            HeatmapView view;
            view.setPalette(test::palette_of(dark));
            view.set_titles("Similarity of anchors and windows", "anchor", "window");
            view.set_empty_text(
                "The similarity of the 100 most used anchors to the probe windows appears here after "
                "the first snapshot.");
            test::show(view, {620, 420});
            const QString name = QStringLiteral("heatmap-%1").arg(dark ? "dark" : "light");
            test::keep(view.grab().toImage(), name + "-empty");
            figures::Heatmap matrix = similarity(100, 2785);
            for (std::int64_t r = 0; r < 100; ++r) matrix.row_ids.push_back((r * 37) % 1000);
            view.set_matrix(matrix);
            view.set_highlight({370, 37, 74, 111}, {12, 600, 601, 602});
            QTest::qWait(60);
            test::keep(view.grab().toImage(), name);
            view.set_visible_cells(QRectF(590, 0, 30, 14));
            view.set_cursor(3, 605);
            QTest::qWait(60);
            test::keep(view.grab().toImage(), name + "-zoomed");
        }
    }
};

TEST_PROGRAM(TestHeatmapView)(int argc, char** argv) { return test::run_view<TestHeatmapView>(argc, argv); }
#include "test_heatmap_view.moc"
