#include "figures/recipe_paper_embeddings.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "figures/numbers.h"
#include "figures/ticks.h"

namespace casp::figures {

Figure score_heatmaps(const QString& cell, const std::vector<ScoresOfRun>& runs, const QString& note) {
    Figure figure{QStringLiteral("score-heatmap"),
                  QStringLiteral("Similarity scores before retrieval: ") + cell};
    float low = std::numeric_limits<float>::infinity(), high = -low;
    Numbers numbers;
    numbers.columns = columns_of("condition run anchor window channel similarity");
    for (const auto& run : runs) {
        const auto columns = run.rows.size();
        if (columns == 0 || run.anchors.empty()) continue;
        Plot plot;
        plot.title = panel_letter(figure.plots.size()) + run.of.label;
        plot.x.title = QStringLiteral("row (channel, time)");
        plot.y.title = QStringLiteral("anchor");
        plot.legend = false;
        Heatmap map;
        map.rows = static_cast<std::int64_t>(run.anchors.size());
        map.columns = static_cast<std::int64_t>(columns);
        map.values = run.values;
        map.row_ids = run.anchors;  // columns are numbered: ids of rows do not ascend
        for (const auto anchor : run.anchors) map.row_names << QString::number(anchor);
        std::vector<RowName> names;
        names.reserve(columns);
        for (const auto row : run.rows) names.push_back(row_name(run.of, row));
        for (std::size_t i = 0; i < run.values.size(); ++i) {
            const float value = run.values[i];
            if (std::isfinite(value)) {
                low = std::min(low, value);
                high = std::max(high, value);
            }
            const auto& name = names[i % columns];
            numbers.rows.push_back({run.of.label, run.of.run->label,
                                    map.row_names[static_cast<int>(i / columns)],
                                    QString::number(name.window), name.channel, exact_text(value)});
        }
        plot.heatmap = std::move(map);
        figure.plots.push_back(std::move(plot));
    }
    if (figure.plots.empty()) return figure;
    figure.columns = figure.plots.size() > 1 ? 2 : 1;
    for (std::size_t i = 0; i < figure.plots.size(); ++i) {
        auto& map = *figure.plots[i].heatmap;
        map.min = low;  // one scale, so that shades are comparable
        map.max = high;
        map.value_title = QStringLiteral("cosine similarity s");
        // One colour bar per row: the scale is the same.
        const auto columns = static_cast<std::size_t>(figure.columns);
        map.colour_bar = (i + 1) % columns == 0 || i + 1 == figure.plots.size();
    }
    figure.aspect = 0.8;
    figure.caption = QStringLiteral(
                         "Cosine similarity between the %1 anchors with the highest mean similarity (of each "
                         "plot its own, ordered by number) and %3 rows (%2; ordered by channel, then time) "
                         "before the top-K "
                         "retrieval, %4, at the best checkpoint; one colour scale for all plots.%5")
                         .arg(runs.front().anchors.size())
                         .arg(sample_text(*runs.front().of.values))
                         .arg(runs.front().rows.size())
                         .arg(cell, note);
    figure.numbers = std::move(numbers);
    return figure;
}

Figure score_distributions(const QString& cell, const std::vector<DistributionOfRun>& runs,
                           const QString& note) {
    Figure figure{QStringLiteral("score-distribution"),
                  QStringLiteral("Distribution of the similarity scores: ") + cell};
    Numbers numbers;
    numbers.columns = columns_of("condition run of from to pairs density mean_of_all_pairs");
    Plot plots[2];
    for (const auto& run : runs) {
        for (const int retrieved : {0, 1}) {
            const auto& counts = retrieved == 1 ? run.retrieved : run.all;
            double total = 0;
            for (const auto count : counts) total += static_cast<double>(count);
            if (!(total > 0)) continue;
            Series outline, fill;
            const double mean = retrieved == 1 ? run.mean_retrieved : run.mean_all;
            outline.x.push_back(run.edges.front());
            outline.y.push_back(0);
            for (std::size_t b = 0; b < counts.size(); ++b) {
                const double from = run.edges[b], to = run.edges[b + 1];
                const double density = static_cast<double>(counts[b]) / (total * (to - from));
                for (const double x : {from, to}) {
                    outline.x.push_back(x);
                    outline.y.push_back(density);
                }
                numbers.rows.push_back({run.of.label, run.of.run->label,
                                        retrieved == 1 ? QStringLiteral("selected") : QStringLiteral("all"),
                                        exact_text(from), exact_text(to), QString::number(counts[b]),
                                        exact_text(density), exact_text(mean)});
            }
            outline.x.push_back(run.edges.back());
            outline.y.push_back(0);
            fill.kind = MarkKind::area;
            fill.x = outline.x;
            fill.y = outline.y;
            fill.low.assign(fill.x.size(), 0);
            fill.opacity = 0.16;
            outline.name = QStringLiteral("%1 (mean %2)").arg(run.of.label, number_text(mean, 3));
            outline.width = 1.3;
            for (auto* s : {&outline, &fill}) {
                s->colour = run.colour;
                s->run = run.of.run->folder;
            }
            plots[retrieved].series.push_back(std::move(fill));
            plots[retrieved].series.push_back(std::move(outline));
        }
    }
    for (const int retrieved : {0, 1}) {
        auto& plot = plots[retrieved];
        if (plot.series.empty()) continue;
        plot.title = panel_letter(figure.plots.size()) +
                     (retrieved == 1 ? QStringLiteral("retrieved anchors") : QStringLiteral("all anchors"));
        plot.x.title = QStringLiteral("cosine similarity s");
        plot.y.title = QStringLiteral("density");
        plot.y.min = 0;
        figure.plots.push_back(std::move(plot));
    }
    if (figure.plots.empty()) return figure;
    figure.columns = 2;
    figure.aspect = 0.78;
    figure.caption =
        QStringLiteral(
            "Distribution of the cosine similarity of rows and anchors before the top-K retrieval: all pairs "
            "(left), and the retrieved pairs (right), %1, for %2 at the best checkpoint.%3")
            .arg(cell, sample_text(*runs.front().of.values), note);
    figure.numbers = std::move(numbers);
    return figure;
}

}  // namespace casp::figures
