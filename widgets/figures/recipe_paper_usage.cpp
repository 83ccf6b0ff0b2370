#include "figures/paper_input.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>

#include "analysis/usage.h"
#include "figures/numbers.h"
#include "figures/recipe_anchors.h"
#include "figures/ticks.h"

namespace casp::figures {

namespace {

/// Anchors per row of a strip: a round number that makes it about eight times as wide as high.
std::int64_t strip_width(std::int64_t pool) {
    constexpr std::array<std::int64_t, 9> round{10, 20, 25, 50, 100, 200, 250, 500, 1000};
    const double wanted = std::sqrt(8.0 * static_cast<double>(pool));
    for (const auto width : round)
        if (static_cast<double>(width) >= wanted) return width;
    return round.back();
}

QString no_training_usage() {
    return QObject::tr(
        "The usage of each anchor in training appears here for runs with anchors, from the first snapshot "
        "on.");
}

}  // namespace

Figure usage_strips(const PaperCell& cell) {
    Figure figure{QStringLiteral("usage-strips"), QStringLiteral("Anchor usage in training: ") + cell.name};
    figure.empty_text = no_training_usage();
    Numbers numbers;
    numbers.columns = QStringList{cell.key} + columns_of("run anchor selections frequency_percent");
    float highest = 0;
    QStringList folds;  // of each plot: pools may differ in size
    bool known_k = true;
    std::set<double> rows_counted;
    const auto shown = runs_to_show(cell, [](const RunInput& run) {
        return run.record != nullptr &&
               analysis::summarise_usage(usage_counts(run.record->anchors, UsageOf::training)).retrievals > 0;
    });
    for (std::size_t c = 0; c < shown.size(); ++c) {
        if (shown[c] == nullptr) continue;
        const auto& condition = cell.conditions[c];
        const auto& run = *shown[c];
        const auto counts = usage_counts(run.record->anchors, UsageOf::training);
        const auto usage = analysis::summarise_usage(counts);
        const auto pool = static_cast<std::int64_t>(counts.size());
        // Without K, only the fraction of all retrievals is known.
        const auto k = std::max<std::int64_t>(1, top_k(run));
        known_k = known_k && top_k(run) > 0;
        const double rows = static_cast<double>(usage.retrievals) / static_cast<double>(k);
        rows_counted.insert(rows);
        Heatmap map;
        map.columns = strip_width(pool);
        map.rows = (pool + map.columns - 1) / map.columns;
        folds << QString::number(map.columns);
        map.values.assign(static_cast<std::size_t>(map.rows * map.columns),
                          std::numeric_limits<float>::quiet_NaN());
        for (std::int64_t a = 0; a < pool; ++a) {
            const double share = 100 * static_cast<double>(counts[static_cast<std::size_t>(a)]) / rows;
            map.values[static_cast<std::size_t>(a)] = static_cast<float>(share);
            highest = std::max(highest, static_cast<float>(share));
            numbers.rows.push_back({condition.label, run.label, QString::number(a),
                                    QString::number(counts[static_cast<std::size_t>(a)]), exact_text(share)});
        }
        for (std::int64_t row = 0; row < map.rows; ++row) map.row_names << QString::number(row * map.columns);
        map.colour_map = QStringLiteral("blues");
        Plot plot;
        plot.title =
            QStringLiteral("%1%2: %3 of %4 anchors retrieved, entropy %5")
                .arg(panel_letter(figure.plots.size()), condition.label, QString::number(usage.distinct),
                     QString::number(pool), number_text(usage.entropy, 3));
        plot.y.title = QStringLiteral("anchor");
        plot.legend = false;
        plot.heatmap = std::move(map);
        figure.plots.push_back(std::move(plot));
    }
    if (figure.plots.empty()) return figure;
    for (auto& plot : figure.plots) {
        plot.heatmap->min = 0;
        plot.heatmap->max = std::max(highest, 1e-6F);
        plot.heatmap->value_title =
            known_k ? QStringLiteral("frequency (%)") : QStringLiteral("fraction (%)");
    }
    figure.plots.back().x.title = QStringLiteral("anchor within its row");
    if (folds.count(folds.front()) == folds.size()) folds = QStringList{folds.front()};
    for (qsizetype i = 0; i < folds.size() && folds.size() > 1; ++i)
        folds[i] += ' ' + panel_letter(static_cast<std::size_t>(i)).trimmed();
    figure.aspect = 0.24;
    figure.numbers = std::move(numbers);
    figure.caption = QStringLiteral(
                         "Anchor usage in training, %1. Each rectangle is one anchor, numbered from the "
                         "left, %2 per line; its shade is the percentage of %4(window, channel) rows, over "
                         "all training steps, that retrieved it. Usage entropy in nats.%3")
                         .arg(cell.name, folds.join(QStringLiteral(", ")), seed_note(cell, shown),
                              known_k && rows_counted.size() == 1
                                  ? QStringLiteral("%1 ").arg(static_cast<qint64>(*rows_counted.begin()))
                                  : QString());
    return figure;
}

namespace {

constexpr std::size_t max_cells = 4, ranks = 20;

/// Counts of the most used anchors of a run; empty: unknown.
struct Top {
    std::vector<std::int64_t> anchor, count;
    std::int64_t retrievals = 0;
};

Top top_of(const RunInput& run) {
    Top top;
    if (run.record == nullptr) return top;
    const auto counts = usage_counts(run.record->anchors, UsageOf::training);
    top.retrievals = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
    if (top.retrievals == 0) return {};
    top.anchor = analysis::concentration_of(counts).anchor;
    top.anchor.resize(std::min(ranks, top.anchor.size()));
    for (const auto anchor : top.anchor) top.count.push_back(counts[static_cast<std::size_t>(anchor)]);
    return top;
}

void add_rank_curve(Plot& plot, const Condition& condition, const std::vector<std::vector<double>>& curves,
                    const std::vector<std::int64_t>& anchors) {
    const auto band = analysis::band_of(curves);
    Series line, dots, strip;
    for (std::size_t r = 0; r < band.mean.size(); ++r) {
        const double sd = std::isfinite(band.sd[r]) ? band.sd[r] : 0;
        for (auto* s : {&line, &dots, &strip}) s->x.push_back(static_cast<double>(r + 1));
        line.y.push_back(band.mean[r]);
        strip.low.push_back(band.mean[r] - sd);
        strip.y.push_back(band.mean[r] + sd);
    }
    dots.y = line.y;
    for (auto* s : {&line, &dots, &strip}) {
        s->colour = condition.colour;
        s->run = condition.runs.front()->folder;
    }
    line.name = condition.label;
    dots.kind = MarkKind::points;
    dots.width = 4;
    if (curves.size() == 1) dots.ids = anchors;
    strip.kind = MarkKind::area;
    strip.opacity = 0.18;
    if (curves.size() > 1) plot.series.push_back(std::move(strip));
    plot.series.push_back(std::move(line));
    plot.series.push_back(std::move(dots));
}

}  // namespace

Figure top_concentration(const std::vector<PaperCell>& cells) {
    Figure figure{QStringLiteral("concentration"),
                  QStringLiteral("Concentration of anchor usage in training")};
    figure.empty_text = no_training_usage();
    Numbers numbers;
    numbers.columns = columns_of("cell condition run rank anchor selections cumulative all_selections");
    std::size_t drawn = 0;
    std::vector<std::size_t> seeds;
    for (const auto& cell : cells) {
        Plot counts, sums;
        for (const auto& condition : cell.conditions) {
            std::vector<std::vector<double>> by_rank, running;
            std::vector<std::int64_t> anchors;
            for (const auto* run : condition.runs) {
                const auto top = top_of(*run);
                if (top.count.empty()) continue;
                by_rank.emplace_back();
                running.emplace_back();
                anchors = top.anchor;
                std::int64_t sum = 0;
                for (std::size_t r = 0; r < top.count.size(); ++r) {
                    sum += top.count[r];
                    by_rank.back().push_back(static_cast<double>(top.count[r]));
                    running.back().push_back(static_cast<double>(sum));
                    numbers.rows.push_back({cell.name, condition.label, run->label, QString::number(r + 1),
                                            QString::number(top.anchor[r]), QString::number(top.count[r]),
                                            QString::number(sum), QString::number(top.retrievals)});
                }
            }
            if (by_rank.empty()) continue;
            seeds.push_back(by_rank.size());
            add_rank_curve(counts, condition, by_rank, anchors);
            add_rank_curve(sums, condition, running, anchors);
        }
        if (counts.series.empty() || drawn == max_cells) continue;
        ++drawn;
        for (auto* plot : {&counts, &sums}) {
            plot->title = panel_letter(figure.plots.size()) + cell.name;
            plot->x.title = QStringLiteral("rank of the anchor");
            plot->x.integers = true;
            plot->x.min = 0.5;
            plot->x.max = static_cast<double>(ranks) + 0.5;
            plot->y.min = 0;
            plot->y.title =
                plot == &counts ? QStringLiteral("retrievals") : QStringLiteral("cumulative retrievals");
            figure.plots.push_back(std::move(*plot));
        }
    }
    if (figure.plots.empty()) return figure;
    figure.columns = 2;
    figure.aspect = 0.72;
    figure.numbers = std::move(numbers);
    figure.caption =
        QStringLiteral(
            "Retrievals of the 20 most used anchors, accumulated over training: by rank (left) and "
            "cumulative (right).%1%2")
            .arg(spread_note(seeds),
                 cells.size() > max_cells
                     ? QStringLiteral(" Only the first %1 of %2 cases are shown; all are in the CSV.")
                           .arg(max_cells)
                           .arg(cells.size())
                     : QString());
    return figure;
}

}  // namespace casp::figures
