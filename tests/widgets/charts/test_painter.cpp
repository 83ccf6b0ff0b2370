// Marks land where the numbers say, on the screen and after zooming; nothing of any kind of figure in any
// style is cut off. With CASP_GALLERY=folder these pictures are kept there to be looked at.
#include <QtTest>

#include <cmath>

#include "charts/chart_painter.h"
#include "charts/export_figure.h"
#include "sample_figures.h"
#include "test_program.h"
#include "widgets/image_checks.h"

using namespace casp::widgets;
using casp::figures::Figure;
using casp::figures::MarkKind;
using casp::figures::Plot;
using casp::figures::Series;

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

QImage painted(ChartPainter& painter, const Figure& figure, Look look = {}, QSize size = {400, 300}) {
    if (!look.style.background.isValid()) look.style = casp::figures::light_style();
    painter.set(figure, look, size);
    QImage image(size, QImage::Format_RGB32);
    QPainter target(&image);
    painter.paint(target, QRectF(QPointF(0, 0), size));
    return image;
}

bool reddish(QRgb pixel) { return qRed(pixel) > 170 && qGreen(pixel) < 110 && qBlue(pixel) < 110; }

bool red_near(const QImage& image, QPointF at, int reach = 1) {
    for (int dy = -reach; dy <= reach; ++dy) {
        for (int dx = -reach; dx <= reach; ++dx) {
            const QPoint p(static_cast<int>(at.x()) + dx, static_cast<int>(at.y()) + dy);
            if (image.rect().contains(p) && reddish(image.pixel(p))) return true;
        }
    }
    return false;
}

Figure one_series(MarkKind kind, std::vector<double> x, std::vector<double> y) {
    Figure figure;
    Plot plot;
    Series series;
    series.kind = kind;
    series.x = std::move(x);
    series.y = std::move(y);
    series.colour = QColor(230, 0, 0);
    series.width = 3;
    plot.series.push_back(series);
    figure.plots.push_back(plot);
    return figure;
}

void keep(const QImage& image, const QString& name) {
    const QString folder = qEnvironmentVariable("CASP_GALLERY");
    if (folder.isEmpty()) return;
    QDir().mkpath(folder);
    QVERIFY(image.save(QDir(folder).filePath(name + QStringLiteral(".png"))));
}

const std::vector<samples::Figure>& figures() {
    static const std::vector<samples::Figure> all = samples::all();
    return all;
}

}  // namespace

class TestPainter : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void line_is_where_its_numbers_are() {
        ChartPainter painter;
        const Figure figure = one_series(MarkKind::line, {0, 10}, {0, 100});
        const QImage image = painted(painter, figure);
        for (const double x : {1.0, 3.0, 5.0, 9.0}) {
            QVERIFY(red_near(image, painter.to_scene(0, x, 10 * x)));
            QVERIFY(!red_near(image, painter.to_scene(0, x, 10 * x) + QPointF(0, -25)));
        }
        // Most of the picture is the plot: Qt Charts' own margins are gone.
        QVERIFY(painter.area(0).width() > 0.85 * 400);
        QVERIFY(painter.area(0).height() > 0.85 * 300);
    }

    void gap_is_not_bridged() {
        ChartPainter painter;
        const Figure figure = one_series(MarkKind::line, {0, 1, 2, 3, 4}, {1, 1, none, 1, 1});
        const QImage image = painted(painter, figure);
        QVERIFY(red_near(image, painter.to_scene(0, 0.5, 1)));
        QVERIFY(red_near(image, painter.to_scene(0, 3.5, 1)));
        QVERIFY(!red_near(image, painter.to_scene(0, 2, 1)));
    }

    void lonely_point_is_seen() {
        ChartPainter painter;
        const Figure figure = one_series(MarkKind::line, {0, 1, 2, 3, 4}, {1, none, 2, none, 1});
        const QImage image = painted(painter, figure);
        QVERIFY(red_near(image, painter.to_scene(0, 2, 2)));
        QVERIFY(!red_near(image, painter.to_scene(0, 1.5, 1.7)));
    }

    void steps_hold_their_value() {
        ChartPainter painter;
        const Figure figure = one_series(MarkKind::steps, {0, 1, 2}, {0, 10, 10});
        const QImage image = painted(painter, figure);
        QVERIFY(red_near(image, painter.to_scene(0, 0.9, 0)));
        QVERIFY(red_near(image, painter.to_scene(0, 1, 5)));
        QVERIFY(!red_near(image, painter.to_scene(0, 0.5, 5)));
    }

    void hollow_points_hide_what_lies_under_them() {
        // A red line with a point in its middle, once filled and once hollow.
        auto figure = one_series(MarkKind::line, {0, 1, 2}, {1, 1, 1});
        auto point = one_series(MarkKind::points, {1}, {1}).plots[0].series[0];
        point.width = 16;
        figure.plots[0].series.push_back(point);
        ChartPainter painter;
        const auto filled = painted(painter, figure);
        const auto at = painter.to_scene(0, 1, 1);
        QVERIFY(red_near(filled, at));
        figure.plots[0].series[1].hollow = true;
        const auto hollow = painted(painter, figure);
        QVERIFY(!red_near(hollow, at, 3));
        int edges = 0;  // left, right, above, below
        const double radius = 8 * 96.0 / 72;
        for (const auto& side :
             {QPointF(radius, 0), QPointF(-radius, 0), QPointF(0, radius), QPointF(0, -radius)})
            edges += red_near(hollow, at + side) ? 1 : 0;
        QCOMPARE(edges, 4);
        QVERIFY(red_near(hollow, painter.to_scene(0, 0.5, 1)));
    }

    void bars_start_at_zero() {
        ChartPainter painter;
        const Figure figure = one_series(MarkKind::bars, {0, 1, 2}, {4, -2, 8});
        const QImage image = painted(painter, figure);
        QVERIFY(red_near(image, painter.to_scene(0, 0, 2), 0));
        QVERIFY(!red_near(image, painter.to_scene(0, 0, 5), 0));
        QVERIFY(red_near(image, painter.to_scene(0, 1, -1), 0));
        QVERIFY(!red_near(image, painter.to_scene(0, 1, 1), 0));
        QVERIFY(!red_near(image, painter.to_scene(0, 0.5, 1), 0));
    }

    void nothing_leaves_the_area() {
        for (const MarkKind kind :
             {MarkKind::line, MarkKind::steps, MarkKind::bars, MarkKind::area, MarkKind::points}) {
            Figure figure = one_series(kind, {}, {});
            for (int i = 0; i < 200; ++i) {
                figure.plots[0].series[0].x.push_back(i);
                figure.plots[0].series[0].y.push_back(std::sin(i * 0.7) * 10);
            }
            ChartPainter painter;
            Look look;
            look.windows = {{Range{50, 60}, Range{-3, 3}}};
            const QImage image = painted(painter, figure, look);
            const QRectF allowed = painter.area(0).adjusted(-5, -5, 5, 5);
            int inside = 0;
            for (int y = 0; y < image.height(); ++y) {
                for (int x = 0; x < image.width(); ++x) {
                    if (!reddish(image.pixel(x, y))) continue;
                    QVERIFY(allowed.contains(QPointF(x, y)));
                    ++inside;
                }
            }
            QVERIFY(inside > 20);
        }
    }

    void log_axis_leaves_out_what_it_cannot_show() {
        Figure figure = one_series(MarkKind::line, {1, 2, 3, 4, 5}, {1, 10, -5, 100, 1000});
        figure.plots[0].y.log = true;
        ChartPainter painter;
        const QImage image = painted(painter, figure);
        // Decades are equally far apart, and the value below 0 is a gap.
        const double one = painter.to_scene(0, 1, 1).y(), ten = painter.to_scene(0, 1, 10).y(),
                     hundred = painter.to_scene(0, 1, 100).y();
        QVERIFY(std::abs((one - ten) - (ten - hundred)) < 1e-6);
        QVERIFY(red_near(image, painter.to_scene(0, 1.5, std::sqrt(10.0))));
        QVERIFY(!red_near(image, painter.to_scene(0, 3, std::sqrt(1000.0)), 3));
        QVERIFY(painter.scales(0).y.min > 0.1);
        figure.plots[0].series[0].y = {0, -1, none, 0, -3};
        painted(painter, figure);
        QVERIFY(painter.scales(0).no_data);
    }

    void secondary_axis_has_its_own_scale() {
        Figure figure = one_series(MarkKind::line, {0, 1}, {0, 1});
        figure.plots[0].y2 = casp::figures::Axis();
        Series second = figure.plots[0].series[0];
        second.secondary = true;
        second.y = {1000, 1000};
        second.colour = QColor(0, 0, 255);
        figure.plots[0].series.push_back(second);
        ChartPainter painter;
        const QImage image = painted(painter, figure);
        QVERIFY(red_near(image, painter.to_scene(0, 0.5, 0.5)));
        const QPoint at = painter.to_scene(0, 0.5, 1000, true).toPoint();
        QVERIFY(painter.area(0).contains(at));
        bool blue = false;
        for (int dy = -2; dy <= 2; ++dy) blue = blue || qBlue(image.pixel(at + QPoint(60, dy))) > 180;
        QVERIFY(blue);
    }

    void heatmap_cells_have_their_colours() {
        Figure figure;
        Plot plot;
        casp::figures::Heatmap map;
        map.rows = 2;
        map.columns = 3;
        map.values = {0, 1, 2, 3, 4, 5};
        plot.heatmap = map;
        figure.plots.push_back(plot);
        ChartPainter painter;
        const QImage image = painted(painter, figure);
        const auto at = [&](double row, double column) {
            return image.pixel(painter.to_scene(0, column + 0.5, row + 0.5).toPoint());
        };
        for (int row = 0; row < 2; ++row) {
            for (int column = 0; column < 3; ++column) {
                const QColor shown(at(row, column)),
                    wanted(casp::figures::map_colour(QStringLiteral("viridis"), (row * 3 + column) / 5.0));
                QVERIFY(std::abs(shown.red() - wanted.red()) + std::abs(shown.green() - wanted.green()) +
                            std::abs(shown.blue() - wanted.blue()) <
                        8);
            }
        }
        // Row 0 is at the top.
        QVERIFY(painter.to_scene(0, 0, 0.5).y() < painter.to_scene(0, 0, 1.5).y());
        const Hit hit = painter.nearest(painter.to_scene(0, 2.5, 1.5), 8, false);
        QCOMPARE(hit.row, std::int64_t(1));
        QCOMPARE(hit.column, std::int64_t(2));
    }

    void columns_of_plots_are_aligned() {
        Figure figure = one_series(MarkKind::line, {0, 1}, {0, 1});
        Figure wide = one_series(MarkKind::line, {0, 1}, {0, 123456.789});
        wide.plots[0].y.title = QStringLiteral("long");
        figure.plots.push_back(wide.plots[0]);
        ChartPainter painter;
        painted(painter, figure);
        QCOMPARE(painter.area(0).left(), painter.area(1).left());
        QCOMPARE(painter.area(0).right(), painter.area(1).right());
        figure.columns = 2;
        painted(painter, figure);
        QCOMPARE(painter.area(0).top(), painter.area(1).top());
        QCOMPARE(painter.area(0).bottom(), painter.area(1).bottom());
    }

    void series_are_used_again() {
        ChartPainter painter;
        Figure figure = one_series(MarkKind::line, {0, 1, 2}, {5, 5, 5});
        figure.plots[0].y.min = 0;
        figure.plots[0].y.max = 10;
        QImage image = painted(painter, figure);
        QVERIFY(red_near(image, painter.to_scene(0, 1, 5)));
        figure.plots[0].series[0].y = {8, 8, 8};
        image = painted(painter, figure);
        QVERIFY(red_near(image, painter.to_scene(0, 1, 8)));
        QVERIFY(!red_near(image, painter.to_scene(0, 1, 5)));
        figure.plots[0].series.clear();
        image = painted(painter, figure);
        QVERIFY(!red_near(image, painter.to_scene(0, 1, 8)));
    }

    void faint_lines_hide_nothing() {
        // The second run's raw line lies on the first run's smoothed one.
        Figure figure = one_series(MarkKind::line, {0, 1, 2}, {5, 5, 5});
        Series raw = figure.plots[0].series[0];
        raw.colour = QColor(0, 0, 200);
        raw.opacity = 0.25;
        figure.plots[0].series.push_back(raw);
        ChartPainter painter;
        const QImage image = painted(painter, figure);
        QVERIFY(red_near(image, painter.to_scene(0, 1, 5), 0));
    }

    /// Lines of our item are where those of Qt Charts are, whatever the resolution.
    void many_lines_on_fine_screens_and_in_files() {
        Figure figure = one_series(MarkKind::line, {0, 10}, {0, 100});
        figure.plots[0].series.resize(101, figure.plots[0].series[0]);
        ChartPainter painter;
        Look look;
        look.style = casp::figures::light_style();
        painter.set(figure, look, {400, 300});
        for (const bool screen : {true, false}) {
            QImage image(1000, 750, QImage::Format_RGB32);
            if (screen) image.setDevicePixelRatio(2.5);
            QPainter target(&image);
            painter.paint(target, screen ? QRectF(0, 0, 400, 300) : QRectF(0, 0, 1000, 750));
            target.end();
            for (const double x : {1.0, 5.0, 9.0}) {
                const QPointF at = painter.to_scene(0, x, 10 * x) * 2.5;
                QVERIFY(red_near(image, at));
                // As thick as 3 points at this resolution.
                QVERIFY(red_near(image, at + QPointF(0, 4), 0));
                QVERIFY(!red_near(image, at + QPointF(0, 20)));
            }
        }
    }

    void nearest_finds_marks() {
        Figure figure = one_series(MarkKind::points, {0, 1, 2}, {0, 5, 3});
        ChartPainter painter;
        painted(painter, figure);
        const QPointF at = painter.to_scene(0, 1, 5);
        const Hit hit = painter.nearest(at + QPointF(3, 2), 8, false);
        QCOMPARE(hit.plot, 0);
        QCOMPARE(hit.index, std::size_t(1));
        QCOMPARE(painter.nearest(at + QPointF(20, 20), 8, false).plot, -1);
        // A line is hit between its points too, but only where lines count.
        figure.plots[0].series[0].kind = MarkKind::line;
        figure.plots[0].series[0].name = QStringLiteral("run");
        painted(painter, figure);
        const QPointF middle = (painter.to_scene(0, 1, 5) + painter.to_scene(0, 2, 3)) / 2;
        QCOMPARE(painter.nearest(middle + QPointF(2, 2), 8, true).plot, 0);
        QCOMPARE(painter.nearest(middle, 8, false).plot, -1);
        // A low bar is hit over its whole column.
        figure.plots[0].series[0].kind = MarkKind::bars;
        painted(painter, figure);
        QCOMPARE(painter.nearest(painter.to_scene(0, 2, 4.9), 8, false).index, std::size_t(2));
    }

    void scales_round_trip() {
        const Scale linear{-3, 7, false, false}, log{1e-4, 100, true, false}, reversed{0, 10, false, true};
        for (const double at : {0.0, 0.25, 0.8, 1.0}) {
            for (const Scale& scale : {linear, log, reversed})
                QVERIFY(std::abs(scale.at(scale.value(at)) - at) < 1e-12);
        }
        QVERIFY(std::isnan(log.at(0)));
        QCOMPARE(reversed.at(0), 1.0);
    }

    void nothing_is_cut_off_data() {
        QTest::addColumn<int>("figure");
        QTest::addColumn<int>("style");
        QTest::addColumn<int>("dpi");
        QTest::addColumn<double>("width");
        const char* styles[] = {"light", "dark", "print"};
        for (int f = 0; f < static_cast<int>(figures().size()); ++f) {
            for (int style = 0; style < 3; ++style) {
                for (const int dpi : {96, 192}) {  // 1× and 2×
                    for (const double width : {84.0, 174.0}) {
                        const QString name =
                            QStringLiteral("%1-%2-%3dpi-%4mm")
                                .arg(figures()[static_cast<std::size_t>(f)].id, QLatin1String(styles[style]))
                                .arg(dpi)
                                .arg(width);
                        QTest::newRow(qPrintable(name)) << f << style << dpi << width;
                    }
                }
            }
        }
    }

    void nothing_is_cut_off() {
        QFETCH(int, figure);
        QFETCH(int, style);
        QFETCH(int, dpi);
        QFETCH(double, width);
        ExportOptions options;
        options.style = static_cast<FigureStyle>(style);
        options.dpi = dpi;
        options.width_mm = width;
        options.show_title = width > 100;
        options.show_caption = width > 100;
        const QImage image = figure_image(figures()[static_cast<std::size_t>(figure)], options);
        keep(image, QString::fromLatin1(QTest::currentDataTag()));
        QCOMPARE(casp::test::marks_on_border(image), 0);
        // It is not simply empty.
        QSet<QRgb> colours;
        for (int y = 0; y < image.height(); y += 2) {
            for (int x = 0; x < image.width(); x += 2) colours.insert(image.pixel(x, y));
        }
        QVERIFY(colours.size() > 8);
    }
};

TEST_MAIN(TestPainter)
#include "test_painter.moc"
