// What Qt Charts draws of a plot, and what it leaves to our items.
#include <QtTest>

#include <QCategoryAxis>
#include <QChart>
#include <QGraphicsScene>
#include <QLineSeries>

#include "charts/plot_item.h"
#include "sample_figures.h"
#include "test_program.h"

using namespace casp::widgets;
using casp::figures::MarkerShape;
using casp::figures::MarkKind;
using casp::figures::Plot;
using casp::figures::Series;

namespace {

/// A plot in a scene of its own, laid out as the painter does.
struct Drawn {
    QGraphicsScene scene;
    PlotItem item{scene};
    Plot plot;

    void draw(const Plot& given, const Highlight& highlight = {}, const PlotWindow& window = {}) {
        plot = given;
        Canvas canvas;
        canvas.style = casp::figures::light_style();
        item.set(plot, canvas, window, highlight, true, true);
        const QSizeF cell(400, 300);
        const QMarginsF upright = item.vertical_margins(cell), across = item.horizontal_margins(cell * 0.8);
        item.place(QRectF(QPointF(0, 0), cell), upright + across);
    }
    [[nodiscard]] QChart* chart() const {
        for (auto* one : scene.items())
            if (auto* found = dynamic_cast<QChart*>(one)) return found;
        return nullptr;
    }
    [[nodiscard]] QList<QAbstractSeries::SeriesType> kinds() const {
        QList<QAbstractSeries::SeriesType> list;
        for (const auto* series : chart()->series()) list << series->type();
        return list;
    }
    /// Labels of an axis as they are read, without mark-up; ticks without one are left out.
    [[nodiscard]] QStringList labels(Qt::Alignment side) const {
        QStringList texts;
        for (auto* axis : chart()->axes()) {
            auto* categories = qobject_cast<QCategoryAxis*>(axis);
            if (!categories || categories->alignment() != side) continue;
            for (const auto& label : categories->categoriesLabels()) {
                QTextDocument document;
                document.setHtml(label);
                if (const auto text = document.toPlainText().trimmed(); !text.isEmpty()) texts << text;
            }
        }
        return texts;
    }
};

Series marks(MarkKind kind, std::size_t count, double from = 0) {
    Series series;
    series.kind = kind;
    for (std::size_t i = 0; i < count; ++i) {
        series.x.push_back(from + static_cast<double>(i));
        series.y.push_back(1 + std::sin(static_cast<double>(i)));
    }
    return series;
}

Plot plot_of(std::vector<Series> series) {
    Plot plot;
    plot.series = std::move(series);
    return plot;
}

using Type = QAbstractSeries::SeriesType;
constexpr auto line = QAbstractSeries::SeriesTypeLine;
constexpr auto area = QAbstractSeries::SeriesTypeArea;
constexpr auto scatter = QAbstractSeries::SeriesTypeScatter;

}  // namespace

class TestPlotChart : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void kinds_of_marks_data() {
        QTest::addColumn<QList<Series>>("series");
        QTest::addColumn<QList<Type>>("kinds");
        const auto row = [](const char* name, const QList<Series>& series, const QList<Type>& kinds) {
            QTest::newRow(name) << series << kinds;
        };
        row("line", {marks(MarkKind::line, 9)}, {line});
        row("steps", {marks(MarkKind::steps, 9)}, {line});
        row("points", {marks(MarkKind::points, 9)}, {scatter});
        row("bars", {marks(MarkKind::bars, 9)}, {});
        row("lowest first", {marks(MarkKind::points, 9), marks(MarkKind::line, 9), marks(MarkKind::area, 9)},
            {area, line, scatter});
        auto gap = marks(MarkKind::line, 9);
        gap.y[4] = std::numeric_limits<double>::quiet_NaN();
        row("a line for each side of a gap", {gap}, {line, line});
        auto band = gap;
        band.kind = MarkKind::area;
        row("an area for each side of a gap", {band}, {area, area});
        row("100 lines", QList<Series>(100, marks(MarkKind::line, 9)), QList<Type>(100, line));
        row("101 lines", QList<Series>(101, marks(MarkKind::line, 9)), {});
        row("64 lines of 600 points", QList<Series>(64, marks(MarkKind::line, 600)), {});
        row("2000 points", {marks(MarkKind::points, 2000)}, {scatter});
        row("2001 points", {marks(MarkKind::points, 2001)}, {});
        auto cross = marks(MarkKind::points, 9);
        cross.marker = MarkerShape::cross;
        row("crosses", {cross}, {});
        auto hollow = marks(MarkKind::points, 9);
        hollow.hollow = true;
        row("outlined points", {hollow}, {});
        QList<Series> many(101, marks(MarkKind::line, 9));
        many << marks(MarkKind::points, 9) << marks(MarkKind::area, 9);
        row("points over many lines", many, {area});
    }

    void kinds_of_marks() {
        QFETCH(QList<Series>, series);
        QFETCH(QList<Type>, kinds);
        Drawn drawn;
        drawn.draw(plot_of({series.begin(), series.end()}));
        QCOMPARE(drawn.kinds(), kinds);
    }

    void highlighted_marks_are_our_own() {
        auto series = marks(MarkKind::points, 9);
        for (std::size_t i = 0; i < series.x.size(); ++i) series.ids.push_back(static_cast<int>(i));
        Drawn drawn;
        Highlight highlight;
        highlight.ids = {3};
        drawn.draw(plot_of({series}), highlight);
        QVERIFY(drawn.kinds().isEmpty());
        drawn.draw(plot_of({series}));
        QCOMPARE(drawn.kinds().size(), 1);
    }

    void labels_are_those_of_the_ticks() {
        auto plot = plot_of({marks(MarkKind::line, 9)});
        plot.y.log = true;
        plot.y.min = 0.15;
        plot.y.max = 2.1;
        Drawn drawn;
        drawn.draw(plot);
        QCOMPARE(drawn.labels(Qt::AlignLeft), QStringList({QStringLiteral("0.2"), QStringLiteral("0.5"),
                                                           QStringLiteral("1"), QStringLiteral("2")}));
        plot = plot_of({marks(MarkKind::line, 97, 1467331200)});
        for (auto& x : plot.series[0].x) x = 1467331200 + (x - 1467331200) * 3600;
        plot.x.time = true;
        drawn.draw(plot);
        const auto dates = drawn.labels(Qt::AlignBottom);
        // "1 Jul\n2016", or where the font leaves room for hours "00:00\n1 Jul 2016".
        QVERIFY2(dates.value(0).simplified().endsWith(QStringLiteral("1 Jul 2016")),
                 qPrintable(dates.join(QLatin1Char('|'))));
        QVERIFY(!dates.value(1).contains(QLatin1Char('\n')));
    }

    void names_are_text_not_markup() {
        auto plot = plot_of({marks(MarkKind::points, 3)});
        plot.x.categories =
            QStringList{QStringLiteral("a<b>&amp;"), QStringLiteral("same"), QStringLiteral("same")};
        plot.x.title = QStringLiteral("x < 3 & <i>y</i>");
        Drawn drawn;
        drawn.draw(plot);
        QCOMPARE(drawn.labels(Qt::AlignBottom), plot.x.categories);
        bool found = false;
        for (auto* item : drawn.scene.items())
            if (const auto* text = dynamic_cast<QGraphicsTextItem*>(item))
                found = found || text->toPlainText() == plot.x.title;
        QVERIFY(found);
    }

    void series_are_kept() {
        Drawn drawn;
        auto plot = plot_of({marks(MarkKind::line, 9), marks(MarkKind::points, 9)});
        drawn.draw(plot);
        const auto before = drawn.chart()->series();
        plot.series[0].y[3] = 7;
        drawn.draw(plot);
        QCOMPARE(drawn.chart()->series(), before);
        const auto* curve = static_cast<QLineSeries*>(before[0]);
        QCOMPARE(curve->at(3).y(), drawn.item.scales().y.at(7));
        plot.series.pop_back();
        drawn.draw(plot);
        QCOMPARE(drawn.kinds(), QList<Type>{line});
    }

    void axes_are_on_the_border() {
        auto plot = plot_of({marks(MarkKind::line, 9), marks(MarkKind::line, 9)});
        plot.y.title = QStringLiteral("loss");
        plot.y2 = casp::figures::Axis();
        plot.series[1].secondary = true;
        Drawn drawn;
        drawn.draw(plot);
        const QRectF area = drawn.item.area();
        QSet<double> upright, level;
        for (auto* item : drawn.scene.items()) {
            const auto* part = qgraphicsitem_cast<QGraphicsLineItem*>(item);
            if (!part || !part->isVisible()) continue;
            const QLineF where(part->mapToScene(part->line().p1()), part->mapToScene(part->line().p2()));
            if (where.length() < area.height() - 1) continue;  // a tick
            if (where.dx() == 0) upright << where.x1();
            if (where.dy() == 0) level << where.y1();
        }
        QCOMPARE(upright, QSet<double>({snapped(area.left()), snapped(area.right())}));
        QCOMPARE(level, QSet<double>{snapped(area.bottom())});
    }

    void axes_are_drawn_without_values_data() {
        QTest::addColumn<bool>("values_before");
        QTest::newRow("from the beginning") << false;
        QTest::newRow("after values in another size") << true;
    }

    /// No values yet: axis and title are at their places nevertheless.
    void axes_are_drawn_without_values() {
        QFETCH(bool, values_before);
        Drawn drawn;
        auto plot = plot_of({marks(MarkKind::line, 9)});
        for (auto& y : plot.series[0].y) y += 123456;  // wide labels
        plot.y.title = QStringLiteral("before");
        if (values_before) drawn.draw(plot);
        plot = plot_of({marks(MarkKind::line, 0)});
        plot.y.title = QStringLiteral("loss");
        drawn.draw(plot);
        const QRectF area = drawn.item.area();
        int axes = 0;
        for (auto* item : drawn.scene.items()) {
            if (const auto* part = qgraphicsitem_cast<QGraphicsLineItem*>(item); part && part->isVisible()) {
                const QPointF from = part->mapToScene(part->line().p1()),
                              to = part->mapToScene(part->line().p2());
                axes += from == QPointF(snapped(area.left()), area.top()) && to.y() == area.bottom() &&
                        to.x() == from.x();
            }
            // The title is ours: Qt Charts would place it beside labels that are not there.
            const auto* text = dynamic_cast<QGraphicsTextItem*>(item);
            QVERIFY(!text || !text->isVisible() || !text->toPlainText().contains(QStringLiteral("before")));
        }
        QCOMPARE(axes, 1);
        QImage image(400, 300, QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        drawn.scene.render(&painter, image.rect(), QRectF(0, 0, 400, 300));
        painter.end();
        const QRect beside(0, static_cast<int>(area.center().y()) - 8, static_cast<int>(area.left()) - 8, 16);
        int dark = 0;
        for (int y = beside.top(); y <= beside.bottom(); ++y)
            for (int x = beside.left(); x <= beside.right(); ++x) dark += qGray(image.pixel(x, y)) < 128;
        QVERIFY(dark > 10);
    }

    void values_that_a_logarithm_cannot_show_leave_the_line() {
        auto series = marks(MarkKind::line, 10000);
        for (std::size_t i = 0; i < series.y.size(); ++i)
            series.y[i] = i % 7 == 3 ? 0 : 1 + static_cast<double>(i % 5);
        Scales scales;
        scales.x = {0, 10000};
        scales.y = {0.5, 10, true};
        const auto pieces = line_pieces(series, scales, 100);
        // Gaps only where a value lies between two columns.
        QVERIFY(!pieces.pieces.empty() && pieces.pieces.size() < 50);
        QVERIFY(pieces.lonely.isEmpty());
    }

    void areas_are_cut_where_they_cross_the_border() {
        auto series = marks(MarkKind::area, 2);
        series.y = {0, 4};
        series.low = {-2, 0};
        Scales scales;
        scales.x = {0, 1};
        scales.y = {0, 1};
        const auto pieces = area_pieces(series, scales, 100);
        QCOMPARE(pieces.size(), std::size_t{1});
        QCOMPARE(pieces[0].upper, QPolygonF({{0, 0}, {0.25, 1}, {1, 1}}));
        QCOMPARE(pieces[0].lower, QPolygonF({{0, 0}, {1, 0}}));
        scales.x = {0.125, 0.5};  // from half of the upper edge's rise
        const auto zoomed = area_pieces(series, scales, 100);
        QCOMPARE(zoomed[0].upper.front(), QPointF(0, 0.5));
        QCOMPARE(zoomed[0].upper.back(), QPointF(1, 1));
    }
};

TEST_MAIN(TestPlotChart)
#include "test_plot_chart.moc"
