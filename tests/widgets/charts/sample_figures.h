#pragma once
// Figures like those of the application's views, made from fixed random numbers.

#include <cmath>
#include <random>
#include <vector>

#include "figures/figure.h"
#include "figures/reduce.h"
#include "figures/style.h"

namespace samples {

using casp::figures::Figure;
using casp::figures::MarkKind;
using casp::figures::Plot;
using casp::figures::Series;

inline Series line(const QString& name, std::vector<double> x, std::vector<double> y, QColor colour = {}) {
    Series series;
    series.name = name;
    series.x = std::move(x);
    series.y = std::move(y);
    series.colour = colour;
    return series;
}

/// Four loss terms of two runs, raw behind smoothed.
inline Figure losses() {
    Figure figure;
    figure.id = QStringLiteral("loss-terms");
    figure.title = QStringLiteral("Loss terms");
    figure.caption = QStringLiteral(
        "Terms of the loss over training steps of two runs on ETTh1 with horizon 96, smoothed with a weight "
        "of 0.9; raw values behind.");
    figure.columns = 2;
    std::mt19937 random(7);
    std::normal_distribution<double> noise(0, 1);
    const QString names[] = {QStringLiteral("Forecast L_forecast"), QStringLiteral("Similarity L_sim"),
                             QStringLiteral("Coverage L_cov"), QStringLiteral("Total")};
    const double starts[] = {0.82, -0.31, 0.0213, 1.05}, ends[] = {0.34, -0.92, 0.00021, 0.41};
    for (int p = 0; p < 4; ++p) {
        Plot plot;
        plot.title = names[p];
        plot.x.title = QStringLiteral("step");
        plot.x.integers = true;
        plot.y.title = p == 2 ? QStringLiteral("c̃ below the gate") : QStringLiteral("loss");
        plot.y.log = p == 2;
        for (int run = 0; run < 2; ++run) {
            std::vector<double> x, y;
            for (int i = 0; i < 3000; ++i) {
                const double t = i / 600.0 * (run == 0 ? 1 : 0.8);
                const double mean = ends[p] + (starts[p] - ends[p]) * std::exp(-t);
                x.push_back(i * 10);
                y.push_back(p == 2 ? mean * std::exp(0.2 * noise(random))
                                   : mean + 0.06 * std::abs(starts[p] - ends[p]) * noise(random));
            }
            const QColor colour = casp::figures::run_colour(run);
            Series raw = line({}, x, y, colour);
            raw.opacity = 0.25;
            raw.width = 1;
            Series smooth =
                line(run == 0 ? QStringLiteral("etth1 λ_cov 0.1") : QStringLiteral("etth1 λ_cov 0"), x,
                     casp::figures::smoothed(y, 0.97), colour);
            smooth.raw = y;
            smooth.run = run == 0 ? QStringLiteral("/runs/a") : QStringLiteral("/runs/b");
            plot.series.push_back(raw);
            plot.series.push_back(smooth);
        }
        if (p == 0) {
            plot.rules.push_back({true, 12600, QStringLiteral("best"), {}, true});
            plot.rules.push_back({true, 13200, QStringLiteral("fork"), {}, true});
        }
        figure.plots.push_back(plot);
    }
    return figure;
}

inline Figure usage() {
    Figure figure;
    figure.id = QStringLiteral("usage");
    figure.title = QStringLiteral("Anchor usage");
    Plot plot;
    plot.x.title = QStringLiteral("anchor");
    plot.x.integers = true;
    plot.y.title = QStringLiteral("retrievals");
    plot.y.integers = true;
    Series bars;
    bars.kind = MarkKind::bars;
    std::mt19937 random(3);
    std::exponential_distribution<double> exponential(1);
    for (int i = 0; i < 1000; ++i) {
        bars.x.push_back(i);
        bars.y.push_back(std::floor(200 * std::pow(exponential(random), 2)));
        bars.ids.push_back(i);
    }
    plot.series.push_back(bars);
    plot.rules.push_back({false, 400, QStringLiteral("uniform"), {}, true});
    figure.plots.push_back(plot);
    return figure;
}

inline Figure concentration() {
    Figure figure;
    figure.id = QStringLiteral("concentration");
    figure.title = QStringLiteral("Concentration of selections");
    Plot plot;
    plot.x.title = QStringLiteral("anchor rank");
    plot.x.log = true;
    plot.y.title = QStringLiteral("cumulative fraction of retrievals");
    plot.y.min = 0;
    plot.y.max = 1;
    for (int run = 0; run < 5; ++run) {
        std::vector<double> x, y;
        double sum = 0, total = 0;
        for (int i = 1; i <= 1000; ++i) total += std::pow(i, -0.4 - 0.3 * run);
        for (int i = 1; i <= 1000; ++i) {
            sum += std::pow(i, -0.4 - 0.3 * run);
            x.push_back(i);
            y.push_back(sum / total);
        }
        plot.series.push_back(
            line(QStringLiteral("λ_cov %1").arg(run * 0.05), x, y, casp::figures::run_colour(run)));
    }
    plot.rules.push_back({true, 20, QStringLiteral("top 20"), {}, true});
    figure.plots.push_back(plot);
    return figure;
}

inline Figure heatmap(std::int64_t rows = 100, std::int64_t columns = 300) {
    Figure figure;
    figure.id = QStringLiteral("similarity");
    figure.title = QStringLiteral("Similarity of windows and anchors");
    Plot plot;
    plot.x.title = QStringLiteral("window");
    plot.y.title = QStringLiteral("anchor (top 100)");
    casp::figures::Heatmap map;
    map.rows = rows;
    map.columns = columns;
    map.value_title = QStringLiteral("cosine similarity");
    for (std::int64_t r = 0; r < rows; ++r) {
        map.row_ids.push_back(1000 + r);
        for (std::int64_t c = 0; c < columns; ++c)
            map.values.push_back(
                static_cast<float>(0.4 * std::sin(r * 0.13 + c * 0.04) + 0.3 * std::cos(c * 0.21)));
    }
    for (std::int64_t c = 0; c < columns; ++c) map.column_ids.push_back(c);
    plot.heatmap = map;
    figure.plots.push_back(plot);
    return figure;
}

inline Figure scatter() {
    Figure figure;
    figure.id = QStringLiteral("pca");
    figure.title = QStringLiteral("PCA of anchors, series and prompts");
    Plot plot;
    plot.x.title = QStringLiteral("component 1 (41.2 %)");
    plot.y.title = QStringLiteral("component 2 (17.9 %)");
    std::mt19937 random(5);
    std::normal_distribution<double> normal(0, 1);
    const QString names[] = {QStringLiteral("anchors"), QStringLiteral("series"), QStringLiteral("prompts")};
    const casp::figures::MarkerShape shapes[] = {casp::figures::MarkerShape::circle,
                                                 casp::figures::MarkerShape::triangle,
                                                 casp::figures::MarkerShape::cross};
    for (int kind = 0; kind < 3; ++kind) {
        Series series;
        series.name = names[kind];
        series.kind = MarkKind::points;
        series.marker = shapes[kind];
        series.width = 5;
        series.opacity = 0.75;
        series.colour = casp::figures::run_colour(kind);
        for (int i = 0; i < 250; ++i) {
            series.x.push_back(kind * 2 - 2 + normal(random));
            series.y.push_back(kind * 0.7 + normal(random) * 0.8);
            series.ids.push_back(kind * 1000 + i);
        }
        plot.series.push_back(series);
    }
    figure.plots.push_back(plot);
    return figure;
}

inline Figure comparison() {
    Figure figure;
    figure.id = QStringLiteral("compare");
    figure.title = QStringLiteral("Test MSE against λ_cov");
    figure.columns = 2;
    Plot plot;
    plot.title = QStringLiteral("Mean and range over seeds");
    plot.x.title = QStringLiteral("λ_cov");
    plot.y.title = QStringLiteral("test MSE");
    Plot names = plot;
    for (int d = 0; d < 2; ++d) {
        Series series = line(d == 0 ? QStringLiteral("ETTh1") : QStringLiteral("Weather"),
                             {0, 0.01, 0.05, 0.1, 0.2}, {}, casp::figures::run_colour(d));
        series.width = 1.6;
        for (std::size_t i = 0; i < series.x.size(); ++i) {
            series.y.push_back(0.37 - 0.02 * d - 0.01 * std::sin(series.x[i] * 14));
            series.low.push_back(series.y.back() - 0.004);
            series.high.push_back(series.y.back() + 0.006);
        }
        plot.series.push_back(series);
    }
    figure.plots.push_back(plot);
    names.title = QStringLiteral("By data set");
    names.x.title.clear();
    names.x.categories =
        QStringList{QStringLiteral("ETTh1"), QStringLiteral("ETTh2"),   QStringLiteral("ETTm1"),
                    QStringLiteral("ETTm2"), QStringLiteral("Weather"), QStringLiteral("Electricity")};
    names.rules.push_back({false, 0.3, QStringLiteral("paper"), {}, true});
    for (int d = 0; d < 2; ++d) {
        Series means;
        means.kind = MarkKind::points;
        means.name = d == 0 ? QStringLiteral("λ_cov 0") : QStringLiteral("λ_cov 0.1");
        means.colour = casp::figures::run_colour(d);
        for (int i = 0; i < 6; ++i) {
            means.x.push_back(i + 0.2 * d - 0.1);
            means.y.push_back(0.25 + 0.03 * i - 0.01 * d);
            means.low.push_back(means.y.back() - 0.01);
            means.high.push_back(means.y.back() + 0.01);
        }
        names.series.push_back(means);
    }
    figure.plots.push_back(names);
    return figure;
}

/// Two axes, steps, gaps, date axis over years, long names.
inline Figure mixture() {
    Figure figure;
    figure.id = QStringLiteral("mixture");
    figure.title = QStringLiteral("Mixture");
    figure.columns = 2;
    Plot two;
    two.title = QStringLiteral("Entropy and key cosine");
    two.x.title = QStringLiteral("epoch");
    two.x.integers = true;
    two.y.title = QStringLiteral("entropy (nats)");
    two.y2 = casp::figures::Axis();
    two.y2->title = QStringLiteral("key cosine");
    Series entropy = line(QStringLiteral("entropy"), {}, {}),
           cosine = line(QStringLiteral("key cosine"), {}, {});
    cosine.secondary = true;
    cosine.kind = MarkKind::steps;
    for (int i = 0; i <= 12; ++i) {
        entropy.x.push_back(i);
        entropy.y.push_back(i % 5 == 3 ? NAN : 4 + 0.2 * i);
        cosine.x.push_back(i);
        cosine.y.push_back(0.002 * i * i - 0.0001);
    }
    two.series = {entropy, cosine};
    figure.plots.push_back(two);
    Plot years;
    years.title = QStringLiteral("All of OT");
    years.x.time = true;
    years.y.title = QStringLiteral("OT");
    Series whole = line({}, {}, {});
    for (int i = 0; i < 17420; ++i) {
        whole.x.push_back(1467331200 + i * 3600.0);
        whole.y.push_back(15 + 8 * std::sin(i * 2 * M_PI / 8760) + 5 * std::sin(i * 2 * M_PI / 24));
    }
    years.series = {whole};
    years.bands.push_back(
        {whole.x[0], whole.x[10000], QStringLiteral("train"), QColor(0x00, 0x72, 0xB2), 0.1});
    years.bands.push_back(
        {whole.x[10000], whole.x[13000], QStringLiteral("val"), QColor(0xE6, 0x9F, 0x00), 0.1});
    years.bands.push_back(
        {whole.x[13000], whole.x[17419], QStringLiteral("test"), QColor(0x00, 0x9E, 0x73), 0.1});
    figure.plots.push_back(years);
    Plot tiny;
    tiny.title = QStringLiteral("Small numbers, long data set names");
    tiny.y.title = QStringLiteral("learning rate");
    for (int i = 0; i < 14; ++i)
        tiny.x.categories << QStringLiteral("etth1 horizon %1 λ_cov 0.%2").arg(96 * (i + 1)).arg(i);
    Series points;
    points.kind = MarkKind::points;
    points.width = 6;
    for (int i = 0; i < 14; ++i) {
        points.x.push_back(i);
        points.y.push_back(2e-5 + 3e-6 * i);
    }
    tiny.series = {points};
    figure.plots.push_back(tiny);
    Plot nothing;
    nothing.title = QStringLiteral("Validation MSE");
    nothing.x.title = QStringLiteral("step");
    nothing.y.log = true;
    nothing.series.push_back(line(QStringLiteral("val"), {1, 2, 3}, {0, -1, NAN}));
    figure.plots.push_back(nothing);
    return figure;
}

inline std::vector<Figure> all() {
    return {losses(), usage(), concentration(), heatmap(), scatter(), comparison(), mixture()};
}

}  // namespace samples
