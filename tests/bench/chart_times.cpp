// Times of the painter of figures: new data and a pan, drawn into an image of the screen's size, and what
// files hold. Medians, in milliseconds. `casp_chart_times [ROUNDS]`; two builds beside each other: run them
// alternately (docs/performance.md).
#include <QApplication>
#include <QElapsedTimer>
#include <QImage>
#include <QPainter>

#include <algorithm>
#include <clocale>
#include <cmath>
#include <cstdio>
#include <functional>
#include <random>

#include "charts/chart_painter.h"
#include "charts/export_figure.h"
#include "figures/reduce.h"

using namespace casp;
using namespace casp::widgets;

namespace {

constexpr QSize screen(1000, 640);
std::mt19937 generator(1);

double noise() { return std::normal_distribution<double>()(generator); }

/// Validation losses of `runs` runs, `steps` each.
figures::Figure losses(int runs, std::size_t steps, bool smooth = false) {
    figures::Figure figure;
    figures::Plot plot;
    plot.x.title = "step";
    plot.y.title = "loss";
    for (int run = 0; run < runs; ++run) {
        figures::Series series;
        series.name = runs > 1 ? QString("run %1").arg(run) : QString();
        series.run = series.name;
        series.colour = figures::run_colour(run);
        for (std::size_t i = 0; i < steps; ++i) {
            const auto x = static_cast<double>(i);
            series.x.push_back(x);
            series.y.push_back(0.3 + 0.7 * std::exp(-6 * x / static_cast<double>(steps)) + 0.02 * noise() +
                               1e-3 * run);
        }
        if (smooth) series.y = figures::smoothed(series.y, 0.99);
        plot.series.push_back(std::move(series));
    }
    figure.plots.push_back(std::move(plot));
    return figure;
}

figures::Figure cloud(std::size_t count) {
    figures::Figure figure;
    figures::Plot plot;
    for (const char* name : {"series", "prompts"}) {
        figures::Series series;
        series.name = name;
        series.kind = figures::MarkKind::points;
        series.width = 3.2;
        series.opacity = 0.8;
        for (std::size_t i = 0; i < count / 2; ++i) {
            series.x.push_back(noise());
            series.y.push_back(noise());
        }
        plot.series.push_back(std::move(series));
    }
    figure.plots.push_back(std::move(plot));
    return figure;
}

/// Median of `rounds` calls of `act`, which gets their number.
double median(int rounds, const std::function<void(int)>& act) {
    std::vector<double> times;
    for (int round = -1; round < rounds; ++round) {
        QElapsedTimer clock;
        clock.start();
        act(round);
        if (round >= 0) times.push_back(double(clock.nsecsElapsed()) / 1e6);
    }
    std::nth_element(times.begin(), times.begin() + rounds / 2, times.end());
    return times[static_cast<std::size_t>(rounds / 2)];
}

void on_screen(const char* name, figures::Figure figure, int rounds) {
    ChartPainter chart;
    Look look;
    look.style = figures::light_style();
    QImage image(screen, QImage::Format_ARGB32_Premultiplied);
    const auto draw = [&] {
        chart.set(figure, look, screen);
        QPainter painter(&image);
        chart.paint(painter, QRectF(QPointF(), QSizeF(screen)));
    };
    const auto fresh = median(rounds, [&](int) {
        for (auto& series : figure.plots[0].series) series.y.back() += 1e-4;
        draw();
    });
    const auto all = scales_of(figure.plots[0]).x;
    const auto panned = median(rounds, [&](int round) {
        const double from = all.min + (0.1 + 0.01 * round) * (all.max - all.min);
        look.windows = {PlotWindow{Range{from, from + 0.5 * (all.max - all.min)}, {}}};
        draw();
    });
    std::printf("%-28s new data %7.1f   pan %7.1f\n", name, fresh, panned);
    std::fflush(stdout);
}

void in_files(const char* name, const figures::Figure& figure, int rounds) {
    for (const auto format : {FigureFormat::png, FigureFormat::svg, FigureFormat::pdf}) {
        qsizetype size = 0;
        const auto time = median(rounds, [&](int) { size = figure_bytes(figure, format, {}).size(); });
        std::printf("%-28s %s %7.1f   %9.1f kB\n", name, qPrintable(suffix_of(format)), time,
                    double(size) / 1e3);
        std::fflush(stdout);
    }
}

}  // namespace

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    setlocale(LC_NUMERIC, "C");
    const int rounds = QApplication::arguments().value(1, "9").toInt();
    for (const int runs : {1, 6, 64, 100, 256})
        on_screen(qPrintable(QString("%1 lines of 600 steps").arg(runs)), losses(runs, 600), rounds);
    on_screen("64 lines of 10,000 steps", losses(64, 10'000), rounds);
    for (const std::size_t steps : {std::size_t{10'000}, std::size_t{100'000}, std::size_t{1'000'000}}) {
        on_screen(qPrintable(QString("a line of %1").arg(steps)), losses(1, steps), rounds);
        on_screen(qPrintable(QString("a line of %1, smoothed").arg(steps)), losses(1, steps, true), rounds);
    }
    for (const std::size_t points : {std::size_t{500}, std::size_t{2'000}, std::size_t{100'000}})
        on_screen(qPrintable(QString("%1 points").arg(points)), cloud(points), rounds);
    in_files("6 lines of 600 steps", losses(6, 600), rounds);
    in_files("256 lines of 600 steps", losses(256, 600), 3);
    in_files("2,000 points", cloud(2'000), rounds);
    return 0;
}
