// Palettes, colour maps, ticks and the numbers of a figure.
#include <QtTest>

#include <QPalette>

#include <array>
#include <cmath>
#include <limits>

#include "figures/numbers.h"
#include "figures/style.h"
#include "figures/ticks.h"
#include "test_program.h"

using namespace casp::figures;

namespace {

QStringList labels(const std::vector<Tick>& ticks) {
    QStringList result;
    for (const auto& tick : ticks) {
        if (!tick.label.isEmpty()) result << tick.label;
    }
    return result;
}

/// CIE 1976.
double colour_distance(const QColor& a, const QColor& b) {
    const auto lab = [](const QColor& colour) {
        const auto linear = [](double c) {
            return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
        };
        const auto root = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16 / 116.0; };
        const double r = linear(colour.redF()), g = linear(colour.greenF()), b = linear(colour.blueF());
        const double x = root((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047),
                     y = root(0.2126 * r + 0.7152 * g + 0.0722 * b),
                     z = root((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883);
        return std::array{116 * y - 16, 500 * (x - y), 200 * (y - z)};
    };
    const auto first = lab(a), second = lab(b);
    return std::hypot(first[0] - second[0], first[1] - second[1], first[2] - second[2]);
}

}  // namespace

class TestStyle : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void colour_maps_have_their_ends() {
        QCOMPARE(map_colour(QStringLiteral("viridis"), 0), qRgb(0x44, 0x01, 0x54));
        QCOMPARE(map_colour(QStringLiteral("viridis"), 1), qRgb(0xfd, 0xe7, 0x25));
        QCOMPARE(map_colour(QStringLiteral("magma"), -3), map_colour(QStringLiteral("magma"), 0));
        QCOMPARE(qAlpha(map_colour(QStringLiteral("viridis"), std::nan(""))), 0);
        QVERIFY(contrast(QColor(map_colour(QStringLiteral("blues"), 0)), Qt::white) < 1.1);
        QVERIFY(contrast(QColor(map_colour(QStringLiteral("blues"), 1)), Qt::white) > 12);
    }

    void colour_maps_rise_in_lightness() {
        for (const QString& map :
             {QStringLiteral("viridis"), QStringLiteral("cividis"), QStringLiteral("magma")}) {
            double before = -1;
            for (int i = 0; i <= 100; ++i) {
                const QColor c(map_colour(map, i / 100.0));
                const double light = contrast(c, Qt::black);
                QVERIFY2(light > before - 0.02, qPrintable(QStringLiteral("%1 at %2").arg(map).arg(i)));
                before = light;
            }
        }
        // This one falls: nothing is white, as on paper.
        for (int i = 0; i < 100; ++i) {
            const QString blues = QStringLiteral("blues");
            QVERIFY(contrast(QColor(map_colour(blues, i / 100.0)), Qt::white) <
                    contrast(QColor(map_colour(blues, (i + 1) / 100.0)), Qt::white));
        }
    }

    void runs_keep_different_colours() {
        QSet<QRgb> seen;
        for (int i = 0; i < 40; ++i) seen.insert(run_colour(i).rgb());
        QCOMPARE(seen.size(), 40);
        for (int i = 0; i < 1000; ++i) QVERIFY(run_colour(i) != run_colour(i + 1));
        QCOMPARE(run_colour(3), run_colour(3));
    }

    /// The first six, as many as one usually compares, in both themes; a step of 2 is just visible.
    void runs_differ_on_every_ground() {
        for (const Style& style : {light_style(), dark_style()}) {
            const double least = style.background.lightness() > 128 ? 15 : 40;
            for (int i = 0; i < 6; ++i)
                for (int k = 0; k < i; ++k) {
                    const auto a = readable_on(run_colour(i), style.background),
                               b = readable_on(run_colour(k), style.background);
                    QVERIFY2(colour_distance(a, b) > least,
                             qPrintable(a.name() + QLatin1Char(' ') + b.name()));
                }
        }
        // Faint ones stay faint.
        auto faint = run_colour(0);
        faint.setAlphaF(0.25F);
        QCOMPARE(readable_on(faint, dark_style().background).alpha(), faint.alpha());
    }

    void series_are_readable() {
        for (const Style& style : {light_style(), dark_style(), print_style()}) {
            QVERIFY(contrast(style.text, style.background) > 10);
            QVERIFY(contrast(style.muted, style.background) > 4.5);
            for (const QColor& colour : style.series)
                QVERIFY(contrast(readable_on(colour, style.background), style.background) >= 3);
        }
        for (const QString& name : palette_names()) QVERIFY(palette(name).size() >= 6);
        QVERIFY(palette(QStringLiteral("Tol bright")) != palette(QStringLiteral("Okabe–Ito")));
    }

    void style_follows_palette() {
        QPalette dark;
        dark.setColor(QPalette::Base, QColor(30, 30, 34));
        dark.setColor(QPalette::Text, QColor(230, 230, 230));
        QCOMPARE(style_of(dark).background, QColor(30, 30, 34));
        QCOMPARE(style_of(dark).series, dark_style().series);
        QPalette light;
        light.setColor(QPalette::Base, Qt::white);
        light.setColor(QPalette::Text, Qt::black);
        QCOMPARE(style_of(light).series, light_style().series);
    }

    void linear_ticks_are_nice_data() {
        QTest::addColumn<double>("min");
        QTest::addColumn<double>("max");
        QTest::addColumn<int>("most");
        QTest::addColumn<bool>("integers");
        QTest::addColumn<QString>("expected");
        QTest::newRow("unit") << 0.0 << 1.0 << 6 << false << "0 0.2 0.4 0.6 0.8 1.0";
        QTest::newRow("negative") << -2.3 << 2.1 << 5 << false << "−2 −1 0 1 2";
        QTest::newRow("integers") << 0.0 << 3.0 << 9 << true << "0 1 2 3";
        QTest::newRow("thousands") << 0.0 << 300000.0 << 4 << false << "0 100k 200k 300k";
        QTest::newRow("small") << 0.0 << 4e-5 << 5 << false << "0 1e−5 2e−5 3e−5 4e−5";
        QTest::newRow("offset") << 1000.001 << 1000.0031 << 3 << false << "1000.001 1000.002 1000.003";
    }

    void linear_ticks_are_nice() {
        QFETCH(double, min);
        QFETCH(double, max);
        QFETCH(int, most);
        QFETCH(bool, integers);
        QFETCH(QString, expected);
        QCOMPARE(labels(linear_ticks(min, max, most, integers)).join(QLatin1Char(' ')), expected);
    }

    void linear_ticks_never_exceed_their_number() {
        QCOMPARE(linear_ticks(0, 0, 5).size(), std::size_t(0));
        QCOMPARE(linear_ticks(0, std::numeric_limits<double>::infinity(), 5).size(), std::size_t(0));
        for (int k = -8; k < 9; ++k) {
            for (const double span : {1.0, 1.7, 2.4, 3.3, 4.9, 7.2, 9.9}) {
                for (int most = 2; most < 12; ++most) {
                    const double min = -0.37 * span * std::pow(10, k), max = min + span * std::pow(10, k);
                    const auto ticks = linear_ticks(min, max, most);
                    QVERIFY(static_cast<int>(ticks.size()) <= most);
                    QVERIFY(most < 4 || ticks.size() >= 2);
                    const QStringList texts = labels(ticks);
                    QCOMPARE(QSet<QString>(texts.begin(), texts.end()).size(), texts.size());
                    for (const auto& tick : ticks)
                        QVERIFY(tick.at >= min - 1e-9 * span && tick.at <= max * (1 + 1e-9) + 1e-12);
                }
            }
        }
    }

    void log_ticks_are_decades() {
        QCOMPARE(labels(log_ticks(1, 1000, 6)).join(QLatin1Char(' ')), QStringLiteral("1 10 100 1000"));
        QCOMPARE(labels(log_ticks(1e-6, 1, 8)).join(QLatin1Char(' ')),
                 QStringLiteral("10⁻⁶ 10⁻⁵ 10⁻⁴ 10⁻³ 10⁻² 10⁻¹ 10⁰"));
        QCOMPARE(labels(log_ticks(3e-4, 0.03, 3)).join(QLatin1Char(' ')), QStringLiteral("10⁻³ 10⁻²"));
        QVERIFY(labels(log_ticks(1e-12, 1, 5)).size() <= 5);
        QVERIFY(labels(log_ticks(2, 5, 5)).size() >= 3);
        QCOMPARE(log_ticks(0, 10, 5).size(), std::size_t(0));
    }

    void time_ticks_are_calendar() {
        const double start = 1467331200;  // 2016-07-01
        const auto months = time_ticks(start, start + 366 * 86400.0, 6);
        QCOMPARE(months.front().label, QStringLiteral("Jul"));
        QCOMPARE(months.front().context, QStringLiteral("2016"));
        QVERIFY(months.size() <= 7);
        bool year = false;
        for (const auto& tick : months)
            year = year || (tick.label == QStringLiteral("Jan") && tick.context == QStringLiteral("2017"));
        QVERIFY(year);
        const auto hours = time_ticks(start, start + 86400, 5);
        QCOMPARE(hours.front().label, QStringLiteral("00:00"));
        QCOMPARE(hours.front().context, QStringLiteral("1 Jul 2016"));
        QCOMPARE(time_text(start + 7200), QStringLiteral("2016-07-01 02:00"));
        QCOMPARE(time_text(start), QStringLiteral("2016-07-01"));
        QCOMPARE(time_text(start, true), QStringLiteral("2016-07-01 00:00"));
        QVERIFY(!has_clock({start, start + 86400, start - 30 * 86400}) && !has_clock({}));
        QVERIFY(has_clock({start, start + 900}));
    }

    void numbers_have_four_digits() {
        QCOMPARE(number_text(0.372649), QStringLiteral("0.3726"));
        QCOMPARE(number_text(12345.6), QStringLiteral("12346"));
        QCOMPARE(number_text(-0.5), QStringLiteral("−0.5"));
        QCOMPARE(number_text(0.00002), QStringLiteral("2e−5"));
        QCOMPARE(number_text(std::nan("")), QStringLiteral("–"));
        QCOMPARE(number_text(100), QStringLiteral("100"));
    }

    void csv_reads_back_exactly() {
        Figure figure;
        Plot plot;
        plot.title = QStringLiteral("loss");
        Series series;
        series.name = QStringLiteral("run");
        for (int i = 0; i < 1000; ++i) {
            series.x.push_back(i / 3.0);
            series.y.push_back(std::exp(std::sin(i) * 40));
            series.raw.push_back(std::cos(i) / 7);
        }
        series.y[5] = std::nan("");
        plot.series.push_back(series);
        figure.plots.push_back(plot);
        const auto rows = QString::fromUtf8(csv_of(figure)).split(QStringLiteral("\r\n"));
        QCOMPARE(rows.size(), 1002);
        QCOMPARE(rows[0], QStringLiteral("plot,series,x,y,unsmoothed"));
        for (std::size_t i = 0; i < 1000; ++i) {
            const auto row = rows[static_cast<qsizetype>(i) + 1].split(QLatin1Char(','));
            QCOMPARE(row[0], QStringLiteral("loss"));
            QVERIFY(row[2].toDouble() == series.x[i]);
            if (i == 5)
                QCOMPARE(row[3], QString());
            else
                QVERIFY(row[3].toDouble() == series.y[i]);
            QVERIFY(row[4].toDouble() == series.raw[i]);
        }
    }

    void csv_quotes() {
        Figure figure;
        Plot plot;
        plot.x.time = true;
        Series series;
        series.name = QStringLiteral("say \"λ\", twice\nhere");
        series.x = {1467331200};
        series.y = {1};
        plot.series.push_back(series);
        figure.plots.push_back(plot);
        const QByteArray csv = csv_of(figure);
        QVERIFY(csv.contains(",\"say \"\"λ\"\", twice\nhere\","));
        QVERIFY(csv.contains(",2016-07-01T00:00:00Z"));
        QVERIFY(csv.endsWith("\r\n"));
    }

    void csv_of_heatmap_and_own_numbers() {
        Figure figure;
        Plot plot;
        Heatmap map;
        map.rows = 1;
        map.columns = 2;
        map.values = {0.1F, std::numeric_limits<float>::quiet_NaN()};
        map.row_ids = {42};
        plot.heatmap = map;
        figure.plots.push_back(plot);
        QCOMPARE(csv_of(figure), QByteArray("plot,row,column,value\r\n1,42,0,0.1\r\n1,42,1,\r\n"));
        figure.numbers = Numbers{{QStringLiteral("a")}, {{QStringLiteral("1")}}};
        QCOMPARE(csv_of(figure), QByteArray("a\r\n1\r\n"));
    }

    void csv_of_millions_is_written_in_pieces() {
        auto map = std::make_shared<Heatmap>();
        map->rows = 1000;
        map->columns = 400;
        map->values.assign(400'000, 0.25F);
        Figure figure;
        figure.numbers = cells_of(QStringLiteral("a, b"), map);
        QCOMPARE(row_count(figure), std::int64_t{400'000});
        QCOMPARE(cell_count(figure), std::int64_t{1'600'000});
        QByteArray first;
        qsizetype longest = 0, lines = 0;
        QVERIFY(write_csv(figure, [&](const QByteArray& piece) {
            if (first.isEmpty()) first = piece;
            longest = std::max(longest, piece.size());
            lines += piece.count('\n');
            return true;
        }));
        QCOMPARE(lines, qsizetype{400'001});
        QVERIFY2(longest < 100'000, qPrintable(QString::number(longest)));
        QVERIFY(first.startsWith("plot,row,column,value\r\n\"a, b\",0,0,0.25\r\n\"a, b\",0,1,0.25\r\n"));
        // As if the figure drew them.
        Figure drawn;
        Plot plot;
        plot.title = QStringLiteral("a, b");
        plot.heatmap = *map;
        drawn.plots.push_back(plot);
        QCOMPARE(row_count(drawn), std::int64_t{400'000});
        QVERIFY(csv_of(drawn) == csv_of(figure));
        // Whoever cannot write any more is not asked again.
        int asked = 0;
        QVERIFY(!write_csv(figure, [&asked](const QByteArray&) {
            ++asked;
            return false;
        }));
        QCOMPARE(asked, 1);
    }
};

TEST_MAIN_WITHOUT_GUI(TestStyle)
#include "test_style.moc"
