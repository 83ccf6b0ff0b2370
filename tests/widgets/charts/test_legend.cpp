// What figures say beside their marks: legends in full and in their place, one for all plots, names of rows,
// one colour bar, and the height that all of it needs.
#include <QtTest>

#include <cmath>

#include <QPainter>

#include "charts/chart_painter.h"
#include "charts/export_figure.h"
#include "charts/figure_view.h"
#include "charts/plot_text.h"
#include "test_program.h"

using namespace casp::widgets;
using casp::figures::Figure;
using casp::figures::Heatmap;
using casp::figures::Plot;
using casp::figures::Series;

namespace {

Canvas canvas() {
    Canvas canvas;
    canvas.style = casp::figures::light_style();
    return canvas;
}

Series named(const QString& name, const QColor& colour = Qt::red) {
    Series series;
    series.name = name;
    series.colour = colour;
    series.x = {0, 1};
    series.y = {0, 1};
    return series;
}

/// `plots` plots of the same series; a legend in the first only, as small multiples have it.
Figure multiples(int plots, int series, int columns) {
    Figure figure;
    figure.columns = columns;
    for (int p = 0; p < plots; ++p) {
        Plot plot;
        plot.title = QStringLiteral("plot %1").arg(p);
        plot.legend = p == 0;
        for (int s = 0; s < series; ++s)
            plot.series.push_back(named(QStringLiteral("λ_cov 0.%1 · L 96 · seed 2021").arg(s),
                                        QColor::fromHsv(s * 40, 200, 150)));
        figure.plots.push_back(plot);
    }
    return figure;
}

Figure map_of(const std::vector<std::int64_t>& ids, const QStringList& names) {
    Figure figure;
    Plot plot;
    Heatmap map;
    map.rows = 3;
    map.columns = 2;
    map.values = {1, 2, 3, 4, 5, 6};
    map.row_ids = ids;
    map.row_names = names;
    plot.heatmap = map;
    figure.plots.push_back(plot);
    return figure;
}

QImage painted_figure(const Figure& figure, QSize size = {400, 300}) {
    ChartPainter painter;
    Look look;
    look.style = casp::figures::light_style();
    painter.set(figure, look, size);
    QImage image(size, QImage::Format_RGB32);
    QPainter target(&image);
    painter.paint(target, QRectF(QPointF(0, 0), size));
    return image;
}

/// Where a legend paints in a picture that goes on beyond its width; null: nowhere.
QRect ink(const Legend& legend, const Canvas& canvas) {
    QImage image(900, 500, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    legend.draw(painter, canvas, QPointF(0, 0));
    painter.end();
    QRect box;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            if (image.pixel(x, y) != qRgb(255, 255, 255)) box = box.united(QRect(x, y, 1, 1));
    return box;
}

}  // namespace

class TestLegend : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Whatever the room, nothing is outside it, and either all entries are there or the count of the rest.
    void stays_in_its_place() {
        std::vector<LegendEntry> entries;
        for (int i = 0; i < 6; ++i)
            entries.push_back(
                {QStringLiteral("ETTh1-96 · λ_cov 0.%1 · seed 202%1").arg(i), QColor(Qt::blue)});
        for (const double width : {60.0, 110.0, 180.0, 260.0, 400.0, 820.0})
            for (const int rows : {1, 2, 3, 8, 30}) {
                Legend legend;
                legend.lay_out(entries, canvas(), width, rows);
                const auto box = ink(legend, canvas());
                QVERIFY2(
                    !box.isNull() && box.right() <= width + 1,
                    qPrintable(QStringLiteral("%1 > %2, rows %3").arg(box.right()).arg(width).arg(rows)));
                QVERIFY(legend.rows() <= rows);
                QVERIFY(box.bottom() <= legend.height() + 2);
            }
    }

    /// A remark on the whole plot has no line that a series could have.
    void remarks_without_colour_have_no_swatch() {
        const auto text = QStringLiteral("axis covers at least ±5 %");
        Legend series, remark;
        series.lay_out({{text, QColor(Qt::gray)}}, canvas(), 800, 1);
        remark.lay_out({{text, QColor()}}, canvas(), 800, 1);
        QVERIFY(remark.width() < series.width() - canvas().points(11));
        QVERIFY(ink(remark, canvas()).width() < ink(series, canvas()).width() - 10);
    }

    /// DejaVu Sans, the font of most machines without a desktop, puts this tilde below the letter.
    void the_tilde_is_above_its_letter() {
        const auto symbol = QStringLiteral("c\u0303");
        for (const auto* family : {"DejaVu Sans", "DejaVu Serif", "Liberation Sans"}) {
            auto look = canvas();
            look.style.font_family = QString::fromLatin1(family);
            if (QFontInfo(look.font()).family() != look.style.font_family) continue;
            Legend letter, with_tilde;
            letter.lay_out({{QStringLiteral("c"), QColor()}}, look, 800, 1);
            with_tilde.lay_out({{symbol, QColor()}}, look, 800, 1);
            QVERIFY(ink(with_tilde, look).top() < ink(letter, look).top());
            QCOMPARE(ink(with_tilde, look).bottom(), ink(letter, look).bottom());
        }
        QVERIFY(shaped(QStringLiteral("s < c"), canvas().font()) == QStringLiteral("s < c"));
    }

    /// A name that is wider than its place goes on below: no letter of it is lost.
    void long_names_are_not_cut() {
        const LegendEntry entry{QStringLiteral("λ_cov = 0.1 (mean −0.256)"), QColor(Qt::blue)};
        Legend one, narrow;
        one.lay_out({entry}, canvas(), 800, 16);
        narrow.lay_out({entry}, canvas(), one.width() * 0.7, 16);
        QCOMPARE(one.rows(), 1);
        QCOMPARE(narrow.rows(), 2);
        // Names that differ in one digit look different where there is little room.
        auto other = entry;
        other.name.replace(QStringLiteral("0.1"), QStringLiteral("0.5"));
        Legend second;
        second.lay_out({other}, canvas(), one.width() * 0.7, 16);
        const auto picture = [](const Legend& legend) {
            QImage image(300, 60, QImage::Format_RGB32);
            image.fill(Qt::white);
            QPainter painter(&image);
            legend.draw(painter, canvas(), {});
            return image;
        };
        QVERIFY(picture(narrow) != picture(second));
        QCOMPARE(wrapped(QStringLiteral("prompts, λ_cov = 0.1"), QFontMetricsF(canvas().font()), 75).front(),
                 QStringLiteral("prompts,"));
    }

    void one_for_all_plots() {
        const auto figure = multiples(4, 3, 2);
        QCOMPARE(common_legend(figure, canvas()).size(), std::size_t{3});
        // All plots are equally high then: the first has no legend of its own.
        ChartPainter painter;
        Look look;
        look.style = casp::figures::light_style();
        painter.set(figure, look, {600, 400});
        for (int i = 1; i < 4; ++i) QCOMPARE(painter.area(i).height(), painter.area(0).height());
        QVERIFY(painter.area(0).height() > 90);
        // Plots that say different things keep their own.
        auto own = multiples(2, 1, 2);
        own.plots[1].legend = true;
        own.plots[1].series[0].name = QStringLiteral("another");
        QVERIFY(common_legend(own, canvas()).empty());
    }

    /// What a view asks for grows with its rows and its legend, and there every plot can be read.
    void height_that_is_needed() {
        FigureView view;
        view.resize(480, 280);
        QSignalSpy told(&view, &FigureView::needed_height_changed);
        QCOMPARE(view.needed_height(), 0);
        view.set_figure(multiples(2, 2, 2));
        const int one_row = view.needed_height();
        QVERIFY(one_row >= 110);
        view.set_figure(multiples(6, 2, 2));
        QVERIFY(view.needed_height() >= one_row + 220);
        view.set_figure(multiples(6, 8, 2));
        QCOMPARE(told.size(), 3);
        QCOMPARE(told.last().first().toInt(), view.needed_height());
        view.resize(480, view.needed_height());
        for (int i = 0; i < 6; ++i)
            QVERIFY2(view.painter().area(i).height() >= 50,
                     qPrintable(QString::number(view.painter().area(i).height())));
    }

    /// Rows are labelled with what they stand for, also where only its numbers are known.
    void rows_have_their_ids() {
        QCOMPARE(painted_figure(map_of({40, 17, 25}, {})), painted_figure(map_of({}, {"40", "17", "25"})));
        QVERIFY(painted_figure(map_of({40, 17, 25}, {})) != painted_figure(map_of({}, {})));
        QCOMPARE(painted_figure(map_of({0, 1, 2}, {})), painted_figure(map_of({}, {})));
    }

    /// Maps with one scale have one bar, and one size.
    void one_colour_bar() {
        Figure figure = map_of({}, {});
        figure.columns = 3;
        figure.plots[0].heatmap->min = 0;
        figure.plots[0].heatmap->max = 10;
        figure.plots.push_back(figure.plots[0]);
        figure.plots.push_back(figure.plots[0]);
        figure.plots.back().x.title = QStringLiteral("columns");
        ChartPainter painter;
        Look look;
        look.style = casp::figures::light_style();
        painter.set(figure, look, {600, 200});
        for (int i = 1; i < 3; ++i) {
            QVERIFY(std::abs(painter.area(i).width() - painter.area(0).width()) <= 1);
            QVERIFY(std::abs(painter.area(i).height() - painter.area(0).height()) <= 1);
        }
        QVERIFY(painter.area(2).right() < 560);  // there it stands
        figure.plots[2].heatmap->max = 20;       // a scale of its own: bars of their own
        painter.set(figure, look, {600, 200});
        QVERIFY(painter.area(2).right() < 200 + 2 * 200 - 20);
        QVERIFY(painter.area(0).right() < 200 - 20);
    }

    void grids_keep_their_shape() {
        Figure figure = multiples(9, 1, 3);
        ExportOptions options;
        options.width_mm = 84;
        QCOMPARE(with_options(figure, options).columns, 2);
        figure.grid = true;
        QCOMPARE(with_options(figure, options).columns, 3);
    }
};

TEST_MAIN(TestLegend)
#include "test_legend.moc"
