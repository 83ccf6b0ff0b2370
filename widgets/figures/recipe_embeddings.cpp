#include "figures/recipe_embeddings.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "analysis/usage.h"
#include "figures/recipe_usage.h"
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

namespace {

constexpr std::size_t most_plots = 6;

using Signs = std::array<float, 2>;

/// +1 or −1 per component, so that the layout agrees with the previous one.
Signs agree(const store::EmbeddingLayout& before, const Signs& signs, const store::EmbeddingLayout& now) {
    Signs result{1, 1};
    if (before.points.size() != now.points.size() || before.components != now.components) return result;
    const auto n = static_cast<std::size_t>(now.components);
    for (std::size_t c = 0; c < 2 && c < n; ++c) {
        double product = 0;
        for (std::size_t at = c; at < now.points.size(); at += n)
            product += static_cast<double>(before.points[at]) * static_cast<double>(now.points[at]);
        result[c] = product * static_cast<double>(signs[c]) < 0 ? -1.0F : 1.0F;
    }
    return result;
}

bool drawable(const train::Probe& probe) {
    const auto& l = probe.pca;
    return l.components >= 2 && !l.points.empty() && l.kind.size() == l.row.size() &&
           l.points.size() == l.kind.size() * static_cast<std::size_t>(l.components);
}

Signs signs_of(const RunInput& run, const train::Probe& probe) {
    Signs signs{1, 1};
    const train::Probe* before = nullptr;
    for (const auto& p : run.probes) {
        if (!p || !drawable(*p)) continue;
        if (before) signs = agree(before->pca, signs, p->pca);
        before = p.get();
        if (p.get() == &probe) break;
    }
    return signs;
}

/// Classes of usage: never, then thirds of the used anchors by rank.
constexpr int usage_classes = 4;
std::vector<int> classes_of(const std::vector<std::int64_t>& counts) {
    std::vector<int> result(counts.size(), 0);
    const auto order = analysis::concentration_of(counts).anchor;
    std::size_t used = 0;
    while (used < order.size() && counts[static_cast<std::size_t>(order[used])] > 0) ++used;
    for (std::size_t rank = 0; rank < used; ++rank)
        result[static_cast<std::size_t>(order[rank])] = 3 - static_cast<int>(3 * rank / used);
    return result;
}
QString class_name(int usage) {
    static const std::array<const char*, usage_classes> names{"anchors never retrieved", "least used third",
                                                              "middle third", "most used third"};
    return QString::fromLatin1(names[static_cast<std::size_t>(usage)]);
}
QColor class_colour(int usage) {
    if (usage == 0) return neutral_colour();
    return QColor::fromRgb(map_colour(QStringLiteral("viridis"), 0.3 * usage));
}

Series points(const QString& name, int kind, const QColor& colour, double width, double opacity) {
    auto s = kind_marks(kind, colour, width, opacity);
    s.name = name;
    return s;
}

Plot plane_of(const RunInput& run, const train::Probe& probe, const EmbeddingOptions& options) {
    const auto& layout = probe.pca;
    const auto signs = signs_of(run, probe);
    Plot plot;
    plot.title = QStringLiteral("%1 · step %2").arg(run.label, QString::number(probe.step));
    plot.x.title = component_title(layout, 0);
    plot.y.title = component_title(layout, 1);
    std::vector<int> classes;
    if (options.by_usage && run.record)
        classes = classes_of(usage_counts(run.record->anchors, UsageOf::training, probe.step));
    std::vector<Series> anchors;
    if (classes.empty())
        anchors.push_back(kind_marks(kind_anchor, kind_colour(kind_anchor), 4, 0.75));
    else
        for (int c = 0; c < usage_classes; ++c)
            anchors.push_back(
                points(class_name(c), kind_anchor, class_colour(c), c == 0 ? 3.5 : 5, c == 0 ? 0.5 : 0.95));
    auto series = kind_marks(kind_series, kind_colour(kind_series), 5, 0.75);
    auto prompts = kind_marks(kind_prompt, kind_colour(kind_prompt), 5, 0.75);
    const auto n = static_cast<std::size_t>(layout.components);
    for (std::size_t i = 0; i < layout.kind.size(); ++i) {
        const int kind = layout.kind[i];
        if (std::find(options.kinds.begin(), options.kinds.end(), kind) == options.kinds.end()) continue;
        const auto row = static_cast<std::size_t>(layout.row[i]);
        auto& into = kind == kind_series ? series
                     : kind == kind_prompt
                         ? prompts
                         : anchors[row < classes.size() ? static_cast<std::size_t>(classes[row]) : 0];
        into.x.push_back(static_cast<double>(signs[0] * layout.points[i * n]));
        into.y.push_back(static_cast<double>(signs[1] * layout.points[i * n + 1]));
        into.ids.push_back(point_id(kind, layout.row[i], probe.pool_size));
    }
    for (auto* s : {&series, &prompts})
        if (!s->x.empty()) plot.series.push_back(std::move(*s));
    // Anchors last: they are few and would be hidden by the prompts, which are formed from them.
    for (auto& s : anchors)
        if (!s.x.empty()) plot.series.push_back(std::move(s));
    for (auto& s : plot.series) s.run = run.folder;
    return plot;
}

}  // namespace

Figure embedding_plane(const std::vector<RunInput>& runs, const EmbeddingOptions& options) {
    Figure figure{QStringLiteral("embedding-pca"), QStringLiteral("PCA of anchors, series and prompts")};
    std::size_t left_out = 0;
    for (const auto& run : runs) {
        const auto probe = probe_at(run, options.step);
        if (!probe || !drawable(*probe)) continue;
        if (figure.plots.size() == most_plots) {
            ++left_out;
            continue;
        }
        figure.plots.push_back(plane_of(run, *probe, options));
    }
    if (figure.plots.empty()) {
        const bool any =
            std::any_of(runs.begin(), runs.end(), [](const RunInput& run) { return run.record; });
        const auto lack = lack_text(runs, &model::Capabilities::anchors, QObject::tr("anchors"));
        figure.empty_text =
            !any ? QObject::tr(
                       "Anchors, series and prompts on their first two principal components appear here, "
                       "updated at each snapshot.") +
                       first_step()
            : !lack.isEmpty()
                ? lack + QObject::tr(" Show a run with anchors to see its anchor pool.")
                : QObject::tr(
                      "These runs have no embeddings. They are recorded for runs started in this "
                      "session, and stored with run.store_embeddings.");
        return figure;
    }
    if (left_out > 0)
        figure.left_out =
            QObject::tr("PCA: only the first %1 of %2 runs are plotted. Show fewer runs to see others.")
                .arg(figure.plots.size())
                .arg(figure.plots.size() + left_out);
    if (options.same_axes) share_axes(figure.plots, 0.05);
    figure.columns = figure.plots.size() > 4 ? 3 : figure.plots.size() > 1 ? 2 : 1;
    figure.caption =
        QStringLiteral(
            "First two principal components of a joint PCA of anchors, series and prompts, for %1. %2%3")
            .arg(join_names(runs), shares_sentence(),
                 left_out > 0 ? QStringLiteral(" %1 more runs are not shown.").arg(left_out) : QString());
    return figure;
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
