#include "figures/recipe_paper_embeddings.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "figures/numbers.h"
#include "figures/ticks.h"

namespace casp::figures {

namespace {

Series marks_of(int kind, double width) { return kind_marks(kind, paper_colour(kind), width, 0.7); }

/// One range for both axes of all plots: distances in a layout are comparable along both.
void square_axes(std::vector<Plot>& plots) {
    double reach = 0;
    for (const auto& plot : plots)
        for (const auto& s : plot.series)
            for (std::size_t i = 0; i < s.x.size(); ++i)
                if (std::isfinite(s.x[i]) && std::isfinite(s.y[i]))
                    reach = std::max({reach, std::abs(s.x[i]), std::abs(s.y[i])});
    if (!(reach > 0)) return;
    for (auto& plot : plots) {
        if (plot.heatmap) continue;
        plot.x.min = plot.y.min = -1.06 * reach;
        plot.x.max = plot.y.max = 1.06 * reach;
    }
}

/// Axes of a t-SNE have no unit.
void layout_axes(Plot& plot) {
    plot.x.title = QStringLiteral("t-SNE 1");
    plot.y.title = QStringLiteral("t-SNE 2");
    plot.x.numbers = plot.y.numbers = false;
}

/// Anchor number, or window and channel, of a point, for the numbers.
QStringList identity(const EmbeddedRun& run, int kind, std::int64_t row) {
    if (kind == kind_anchor) return {QString::number(row), {}, {}};
    const auto name = row_name(run, row);
    return {QString(), QString::number(name.window), name.channel};
}

/// Parameters of the t-SNE, repeated in every row: a CSV has no caption.
constexpr auto layout_columns = "kl perplexity iterations seed sample training_seed";

QStringList layout_values(const store::EmbeddingLayout& layout, const EmbeddedRun& run) {
    return {exact_text(layout.kl),        exact_text(layout.perplexity), QString::number(layout.iterations),
            QString::number(layout.seed), sample_text(*run.values),      training_seed_text(run)};
}

}  // namespace

QColor paper_colour(int kind) { return kind == kind_series ? QColor(0xd5, 0x5e, 0x00) : kind_colour(kind); }

RowName row_name(const EmbeddedRun& run, std::int64_t row) {
    const auto m = std::max<std::int64_t>(1, static_cast<std::int64_t>(run.values->channels.size()));
    const auto window = static_cast<std::size_t>(row / m);
    const auto at = static_cast<std::size_t>(row % m);
    const auto channel = at < run.values->channels.size() ? run.values->channels[at] : row % m;
    return {window < run.values->windows.size() ? run.values->windows[window] : row / m,
            channel_name(run.run != nullptr && run.run->record != nullptr ? run.run->record->data
                                                                          : store::DataSection{},
                         channel)};
}

QString training_seed_text(const EmbeddedRun& run) {
    return run.run != nullptr && run.run->config ? QString::number(run.run->config->train.seed) : QString();
}

QString sample_text(const store::Embeddings& values) {
    const auto n = static_cast<std::int64_t>(values.windows.size()),
               m = static_cast<std::int64_t>(values.channels.size());
    const bool all_windows = n >= values.windows_total, all_channels = m >= values.channels_total;
    const QString split = QString::fromStdString(values.split);
    QString text = all_windows ? QStringLiteral("all %1 %2 windows").arg(n).arg(split)
                               : QStringLiteral("%1 of %2 %3 windows, evenly spaced,")
                                     .arg(n)
                                     .arg(values.windows_total)
                                     .arg(split);
    text += all_channels
                ? (m == 1 ? QStringLiteral(" × %1 channel") : QStringLiteral(" × %1 channels")).arg(m)
                : QStringLiteral(" × %1 of %2 channels").arg(m).arg(values.channels_total);
    return text;
}

Figure tsne_planes(const QString& cell, const std::vector<LayoutOfRun>& runs, const QString& note) {
    Figure figure{QStringLiteral("tsne"), QStringLiteral("t-SNE of anchors, series and prompts: ") + cell};
    Numbers numbers;
    numbers.columns = columns_of("condition run kind anchor window channel tsne_1 tsne_2");
    numbers.columns += columns_of(layout_columns);
    QStringList divergences;
    for (const auto& run : runs) {
        const auto& layout = run.layout;
        const auto n = static_cast<std::size_t>(layout.components);
        if (n < 2 || layout.kind.empty()) continue;
        Plot plot;
        plot.title = panel_letter(figure.plots.size()) + run.of.label;
        layout_axes(plot);
        const auto quoted = layout_values(layout, run.of);
        Series kinds[] = {marks_of(kind_anchor, 2.6), marks_of(kind_series, 2.8), marks_of(kind_prompt, 2.8)};
        for (std::size_t i = 0; i < layout.kind.size(); ++i) {
            const int kind = layout.kind[i];
            const float x = layout.points[i * n], y = layout.points[i * n + 1];
            auto& into = kinds[kind];
            into.x.push_back(static_cast<double>(x));
            into.y.push_back(static_cast<double>(y));
            into.ids.push_back(point_id(kind, layout.row[i], run.of.values->pool_size));
            QStringList row{run.of.label, run.of.run->label, kind_name(kind)};
            row += identity(run.of, kind, layout.row[i]);
            row << exact_text(x) << exact_text(y);
            row += quoted;
            numbers.rows.push_back(std::move(row));
        }
        // Anchors last: they are few and would be hidden by the prompts, which are formed from them.
        for (const int kind : {kind_series, kind_prompt, kind_anchor}) {
            auto& s = kinds[kind];
            s.run = run.of.run->folder;
            if (!s.x.empty()) plot.series.push_back(std::move(s));
        }
        divergences << QStringLiteral("%1 (%2)").arg(number_text(layout.kl, 4), run.of.label);
        figure.plots.push_back(std::move(plot));
    }
    if (figure.plots.empty()) return figure;
    square_axes(figure.plots);
    figure.columns = static_cast<int>(std::min<std::size_t>(figure.plots.size(), 4));
    if (figure.plots.size() > 4) figure.columns = 3;
    figure.aspect = 1;
    const auto& layout = runs.front().layout;
    figure.caption = QStringLiteral(
                         "t-SNE of anchors (blue circles), time-series embeddings (orange triangles) and "
                         "prompt embeddings (green diamonds), %1: each plot is a joint layout of all three "
                         "kinds, for all %8 anchors and %2 at the best checkpoint. Perplexity %3, %4 "
                         "iterations, seed %5. KL "
                         "divergence: %6. The axes and the distances between clusters have no meaning.%7")
                         .arg(cell, sample_text(*runs.front().of.values), number_text(layout.perplexity, 4),
                              QString::number(layout.iterations), QString::number(layout.seed),
                              divergences.join(QStringLiteral(", ")), note,
                              QString::number(runs.front().of.values->pool_size));
    figure.numbers = std::move(numbers);
    return figure;
}

Figure alignment(const QString& cell, const std::vector<AlignmentOfRun>& runs, const QString& note) {
    Figure figure{QStringLiteral("alignment"), QStringLiteral("Alignment of series and prompts: ") + cell};
    // Points and cells in one long table: kind, position and value.
    Numbers numbers;
    numbers.columns = columns_of(
        "condition run what window channel tsne_1 tsne_2 prompt_window "
        "prompt_channel cosine");
    numbers.columns += columns_of(layout_columns);
    float low = std::numeric_limits<float>::infinity(), high = -low;
    QStringList divergences, means;
    for (const auto& run : runs) {
        means << QStringLiteral("%1 and %2 (%3)")
                     .arg(QString::number(run.matching, 'f', 4), QString::number(run.others, 'f', 4),
                          run.of.label);
        for (const int kind : {kind_series, kind_prompt}) {
            const auto& layout = kind == kind_series ? run.series : run.prompts;
            const auto n = static_cast<std::size_t>(std::max<std::int64_t>(layout.components, 1));
            Plot plot;
            plot.title =
                panel_letter(figure.plots.size()) + kind_name(kind) + QStringLiteral(", ") + run.of.label;
            layout_axes(plot);
            plot.legend = false;
            auto marks = marks_of(kind, 3.2);
            marks.run = run.of.run->folder;
            const auto quoted = layout_values(layout, run.of);
            for (std::size_t i = 0; i < layout.row.size(); ++i) {
                marks.x.push_back(static_cast<double>(layout.points[i * n]));
                marks.y.push_back(static_cast<double>(layout.points[i * n + 1]));
                marks.ids.push_back(point_id(kind, layout.row[i], run.of.values->pool_size));
                const auto name = row_name(run.of, layout.row[i]);
                QStringList row{run.of.label, run.of.run->label, kind_name(kind),
                                QString::number(name.window), name.channel};
                row << exact_text(layout.points[i * n]) << exact_text(layout.points[i * n + 1]);
                row += QStringList(3) + quoted;
                numbers.rows.push_back(std::move(row));
            }
            plot.series.push_back(std::move(marks));
            figure.plots.push_back(std::move(plot));
        }
        divergences << QStringLiteral("%1 and %2 (%3)")
                           .arg(number_text(run.series.kl, 4), number_text(run.prompts.kl, 4), run.of.label);
        Plot plot;
        plot.title = panel_letter(figure.plots.size()) + QStringLiteral("cosine, ") + run.of.label;
        plot.x.title = QStringLiteral("prompt row");
        plot.y.title = QStringLiteral("series row");
        plot.legend = false;
        Heatmap map;
        const auto m = run.map_rows.size();
        map.rows = map.columns = static_cast<std::int64_t>(m);
        map.values = run.cosine;
        map.row_ids = map.column_ids = run.map_rows;
        map.value_title = QStringLiteral("cosine similarity");
        for (std::size_t i = 0; i < run.cosine.size(); ++i) {
            const float value = run.cosine[i];
            if (std::isfinite(value)) {
                low = std::min(low, value);
                high = std::max(high, value);
            }
            const auto series = row_name(run.of, run.map_rows[i / m]),
                       prompt = row_name(run.of, run.map_rows[i % m]);
            QStringList row{run.of.label, run.of.run->label, QStringLiteral("cosine"),
                            QString::number(series.window), series.channel};
            row += QStringList(2);
            row << QString::number(prompt.window) << prompt.channel << exact_text(value);
            row += QStringList(4);
            row << sample_text(*run.of.values) << training_seed_text(run.of);
            numbers.rows.push_back(std::move(row));
        }
        plot.heatmap = std::move(map);
        figure.plots.push_back(std::move(plot));
    }
    if (figure.plots.empty()) return figure;
    for (auto& plot : figure.plots)
        if (plot.heatmap && low <= high) {
            plot.heatmap->min = low;
            plot.heatmap->max = high;
            plot.heatmap->colour_bar = false;
        }
    figure.plots.back().heatmap->colour_bar = true;  // for all: the scale is the same
    square_axes(figure.plots);
    figure.columns = 3;
    figure.grid = true;
    figure.aspect = 0.9;
    const auto& layout = runs.front().series;
    figure.caption = QStringLiteral(
                         "Time-series and prompt embeddings, %1: a separate t-SNE of each, for %2 at the "
                         "best checkpoint, and the cosine similarity of %3 of their rows (ordered by window, "
                         "then channel). Mean cosine of matching rows and of other rows: %4. Perplexity %5, "
                         "%6 iterations, seed %7; KL divergence of series and of prompts: %8.%9")
                         .arg(cell, sample_text(*runs.front().of.values),
                              QString::number(runs.front().map_rows.size()), means.join(QStringLiteral(", ")),
                              number_text(layout.perplexity, 4), QString::number(layout.iterations),
                              QString::number(layout.seed), divergences.join(QStringLiteral(", ")), note);
    figure.numbers = std::move(numbers);
    return figure;
}

}  // namespace casp::figures
