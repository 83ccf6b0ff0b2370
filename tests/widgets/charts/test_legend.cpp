// What figures say beside their marks: legends in full and in their place, one for all plots, names of rows,
// one colour bar, and the height that all of it needs.
#include <QtTest>

#include <cmath>
#include <functional>

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

QImage painted_figure(const Figure& figure, const Canvas& look_of = canvas(), QSize size = {400, 300}) {
    ChartPainter painter;
    Look look;
    static_cast<Canvas&>(look) = look_of;
    painter.set(figure, look, size);
    QImage image(size, QImage::Format_RGB32);
    QPainter target(&image);
    painter.paint(target, QRectF(QPointF(0, 0), size));
    return image;
}

/// Where two pictures of one size differ; null: nowhere.
QRect differing(const QImage& a, const QImage& b) {
    QRect box;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x)
            if (a.pixel(x, y) != b.pixel(x, y)) box = box.united(QRect(x, y, 1, 1));
    return box;
}

using Write = std::function<void(Figure&, const QString&)>;

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
    void legend_stays_within_its_area() {
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

    /// A line of text looks like no series.
    void notes_have_no_sample() {
        LegendEntry entry{QStringLiteral("axis covers at least ±5 %"), QColor(Qt::gray)};
        Legend series, note;
        series.lay_out({entry}, canvas(), 800, 1);
        entry.note = true;
        for (const auto& colour : {QColor(), QColor(Qt::gray)}) {  // of all series, of one
            entry.colour = colour;
            note.lay_out({entry}, canvas(), 800, 1);
            QVERIFY(note.width() < series.width() - canvas().points(11));
            QVERIFY(ink(note, canvas()).width() < ink(series, canvas()).width() - 10);
        }
    }

    /// Of a remark on one series only the text has its colour.
    void remarks_of_a_plot_are_text() {
        Figure figure;
        Plot plot;
        plot.remarks.push_back({QString(QChar(0x2003)), Qt::red});
        figure.plots.push_back(plot);
        const auto image = painted_figure(figure);
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                QVERIFY(image.pixelColor(x, y).red() <= image.pixelColor(x, y).blue() + 40);
    }

    /// DejaVu Sans, the font of most machines without a desktop, puts this tilde below the letter.
    void the_tilde_is_above_its_letter() {
        const auto symbol = QStringLiteral("c\u0303");
        for (const auto* family : {"DejaVu Sans", "DejaVu Serif", "Liberation Sans"}) {
            auto look = canvas();
            look.style.font_family = QString::fromLatin1(family);
            if (QFontInfo(look.font()).family() != look.style.font_family) continue;
            Legend letter, with_tilde;
            letter.lay_out({{QStringLiteral("c"), QColor(Qt::blue)}}, look, 800, 1);
            with_tilde.lay_out({{symbol, QColor(Qt::blue)}}, look, 800, 1);
            QVERIFY(ink(with_tilde, look).top() < ink(letter, look).top());
            QCOMPARE(ink(with_tilde, look).bottom(), ink(letter, look).bottom());
        }
        QVERIFY(shaped(QStringLiteral("s < c"), canvas().font()) == QStringLiteral("s < c"));
    }

    /// In every text of a figure, whatever way it is turned: beside an upright letter is where the tilde is
    /// that is below it.
    void the_tilde_is_above_its_letter_everywhere_data() {
        QTest::addColumn<Write>("write");
        QTest::addColumn<bool>("upright");
        const auto row = [](const char* name, bool upright, const Write& write) {
            QTest::newRow(name) << write << upright;
        };
        row("plot", false, [](Figure& f, const QString& text) { f.plots[0].title = text; });
        row("x axis", false, [](Figure& f, const QString& text) { f.plots[0].x.title = text; });
        row("y axis", true, [](Figure& f, const QString& text) { f.plots[0].y.title = text; });
        row("y axis without numbers", true, [](Figure& f, const QString& text) {
            f.plots[0].y.title = text;
            f.plots[0].y.numbers = false;
        });
        row("second y axis", true, [](Figure& f, const QString& text) {
            f.plots[0].y2.emplace();
            f.plots[0].y2->title = text;
            f.plots[0].y2->min = 0;
            f.plots[0].y2->max = 1;
        });
        row("rule", false, [](Figure& f, const QString& text) {
            f.plots[0].rules.push_back({true, 0.5, text, {}, false});
        });
        row("band", false, [](Figure& f, const QString& text) {
            f.plots[0].bands.push_back({0, 1, text, {}, 0});
        });
        row("remark", false, [](Figure& f, const QString& text) {
            f.plots[0].remarks.push_back({text, {}});
        });
        row("colour bar", true, [](Figure& f, const QString& text) {
            f = map_of({}, {});
            f.plots[0].heatmap->value_title = text;
        });
        row("title", false, [](Figure& f, const QString& text) { f.title = text; });
        row("caption", false, [](Figure& f, const QString& text) { f.caption = text; });
    }

    void the_tilde_is_above_its_letter_everywhere() {
        QFETCH(Write, write);
        QFETCH(bool, upright);
        int fonts = 0;
        for (const auto* family : {"DejaVu Sans", "DejaVu Serif"}) {
            auto look = canvas();
            look.style.font_family = QString::fromLatin1(family);
            if (QFontInfo(look.font()).family() != look.style.font_family) continue;
            ++fonts;
            look.style.show_title = look.style.show_caption = true;
            const auto picture = [&](const QString& text) {
                Figure figure;
                Plot plot;
                plot.series.push_back(named({}, Qt::blue));
                figure.plots.push_back(plot);
                write(figure, text);
                return painted_figure(figure, look);
            };
            const auto letter = picture(QStringLiteral("c"));
            const auto ink = differing(letter, picture(QStringLiteral("x"))),
                       tilde = differing(letter, picture(QStringLiteral("c\u0303")));
            QVERIFY(!ink.isEmpty() && !tilde.isEmpty());
            const auto above = [&](const QRect& box) { return upright ? box.left() : box.top(); };
            const auto below = [&](const QRect& box) { return upright ? box.right() : box.bottom(); };
            QVERIFY2(above(tilde) < above(ink) && below(tilde) <= below(ink) + 1, family);
        }
        if (fonts == 0) QSKIP("none of the fonts is installed");
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

    void plots_share_one_legend() {
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
    void needed_height_grows_with_rows() {
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
