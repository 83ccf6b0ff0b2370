#include "figures/recipe_embeddings.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "figures/style.h"
#include "figures/ticks.h"

namespace casp::figures {

QString kind_name(int kind) {
    return kind == kind_anchor   ? QStringLiteral(QT_TRANSLATE_NOOP("core", "anchors"))
           : kind == kind_series ? QStringLiteral(QT_TRANSLATE_NOOP("core", "series"))
                                 : QStringLiteral(QT_TRANSLATE_NOOP("core", "prompts"));
}

QColor kind_colour(int kind) {
    return kind == kind_anchor   ? QColor(0x00, 0x72, 0xb2)
           : kind == kind_series ? QColor(0xe6, 0x9f, 0x00)
                                 : QColor(0x00, 0x9e, 0x73);
}

Series kind_marks(int kind, const QColor& colour, double width, double opacity) {
    Series s;
    s.kind = MarkKind::points;
    s.name = kind_name(kind);
    s.colour = colour;
    s.marker = kind == kind_anchor   ? MarkerShape::circle
               : kind == kind_series ? MarkerShape::triangle
                                     : MarkerShape::diamond;
    s.width = width;
    s.opacity = opacity;
    return s;
}

QString component_title(const store::EmbeddingLayout& layout, std::size_t component) {
    const auto title = QStringLiteral("PC%1").arg(component + 1);
    if (component >= layout.explained.size() || !std::isfinite(layout.explained[component])) return title;
    return QStringLiteral("%1 (%2 %)").arg(title, number_text(100 * layout.explained[component], 3));
}

QString shares_sentence() {
    return QStringLiteral(
        "In parentheses: the fraction of the variance of all points together on that component.");
}

namespace {
constexpr std::size_t large_cloud = 5000;
}

double cloud_opacity(std::size_t points) {
    if (points <= large_cloud) return 1;
    return std::max(0.15, 0.7 * std::sqrt(static_cast<double>(large_cloud) / static_cast<double>(points)));
}

std::size_t cloud_parts(std::size_t points, std::size_t kinds) {
    constexpr std::size_t layers = 128;  // of all kinds together
    return points > large_cloud ? std::clamp<std::size_t>(layers / std::max<std::size_t>(1, kinds), 4, 64)
                                : 1;
}

void share_axes(std::vector<Plot>& plots, double margin, std::size_t from) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    double x0 = infinity, x1 = -infinity, y0 = infinity, y1 = -infinity;
    for (auto i = from; i < plots.size(); ++i)
        for (const auto& s : plots[i].series)
            for (std::size_t p = 0; p < s.x.size(); ++p) {
                if (!std::isfinite(s.x[p]) || !std::isfinite(s.y[p])) continue;
                x0 = std::min(x0, s.x[p]);
                x1 = std::max(x1, s.x[p]);
                y0 = std::min(y0, s.y[p]);
                y1 = std::max(y1, s.y[p]);
            }
    if (x0 > x1) return;
    const double dx = x1 > x0 ? margin * (x1 - x0) : 1, dy = y1 > y0 ? margin * (y1 - y0) : 1;
    for (auto i = from; i < plots.size(); ++i) {
        plots[i].x.min = x0 - dx;
        plots[i].x.max = x1 + dx;
        plots[i].y.min = y0 - dy;
        plots[i].y.max = y1 + dy;
    }
}

std::int64_t point_id(int kind, std::int64_t row, std::int64_t pool_size) {
    return kind == kind_anchor ? row : pool_size + row;
}

Figure variance_course(const std::vector<RunInput>& runs, std::optional<std::int64_t> step) {
    Figure figure{QStringLiteral("variance-course"), QStringLiteral("Variance on PC1 and PC1 + PC2")};
    for (const int kind : {kind_anchor, kind_series, kind_prompt}) {
        Plot plot;
        plot.title = kind_name(kind);
        plot.x.title = QStringLiteral("step");
        plot.x.integers = true;
        plot.y.title = QStringLiteral("explained variance (%)");
        plot.y.min = 0;
        plot.y.max = 105;
        for (const auto& run : runs) {
            Series one, two, dots;
            for (const auto& probe : run.probes) {
                const auto at = static_cast<std::size_t>(kind * probe->pca.components);
                if (at + 1 >= probe->pca.variance_ratio.size()) continue;
                const auto& v = probe->pca.variance_ratio;
                one.x.push_back(static_cast<double>(probe->step));
                one.y.push_back(100 * v[at]);
                two.y.push_back(100 * (v[at] + v[at + 1]));
            }
            if (one.x.empty()) continue;
            two.x = dots.x = one.x;
            dots.y = one.y;
            dots.kind = MarkKind::points;
            dots.width = 4.5;
            one.name = QStringLiteral("%1: PC1").arg(run.label);
            two.name = QStringLiteral("PC1 + PC2");
            two.dashed = true;
            for (auto* s : {&one, &two, &dots}) {
                s->colour = run.colour;
                s->run = run.folder;
            }
            if (one.x.size() > 1) {
                plot.series.push_back(std::move(two));
                plot.series.push_back(std::move(one));
            } else {
                dots.name = one.name;
            }
            if (dots.x.size() <= 60) plot.series.push_back(std::move(dots));
        }
        if (plot.series.empty()) continue;
        if (step) plot.rules.push_back({true, static_cast<double>(*step), {}, {}, false});
        plot.legend = figure.plots.empty();
        figure.plots.push_back(std::move(plot));
    }
    if (figure.plots.empty()) {
        figure.empty_text = QObject::tr(
            "The variance of anchors, series and prompts explained by their first two principal components "
            "appears here, one point per snapshot.");
        return figure;
    }
    figure.columns = 3;
    figure.caption = QStringLiteral(
                         "Fraction of the variance explained by the first (solid) and the first two (dashed) "
                         "principal components of a separate PCA of each kind, for %1.")
                         .arg(join_names(runs));
    return figure;
}

}  // namespace casp::figures
