// The PCA figures of the paper's appendix and their table of explained variance.
#include <algorithm>
#include <cmath>

#include "evidence/latex.h"
#include "figures/numbers.h"
#include "figures/recipe_paper_embeddings.h"
#include "figures/ticks.h"

namespace casp::figures {

namespace {

/// "anchors" as the paper's table says it.
QString kind_title(int kind) {
    return kind == kind_anchor   ? QStringLiteral("Anchor embeddings")
           : kind == kind_series ? QStringLiteral("Time-series embeddings")
                                 : QStringLiteral("Prompt embeddings");
}

/// "98.5", "7.0"; "–" if there is no variance.
QString percent(double share) {
    return std::isnan(share) ? number_text(share) : QString::number(100 * share, 'f', 1);
}

const KindPlane* pca_plane(const PlanesOfRun& run, int kind) {
    for (const auto& plane : run.kinds)
        if (plane.kind == kind) return &plane;
    return nullptr;
}

/// "all 2785 test windows × 7 channels": rows to which axes and variance of series and prompts refer.
QString rows_text(const PlanesOfRun& run) {
    const auto& v = *run.of.values;
    return run.whole_split ? (v.channels_total == 1 ? QStringLiteral("all %1 %2 windows × %3 channel")
                                                    : QStringLiteral("all %1 %2 windows × %3 channels"))
                                 .arg(v.windows_total)
                                 .arg(QString::fromStdString(v.split))
                                 .arg(v.channels_total)
                           : sample_text(v);
}

/// "1000 anchors, 19495 series, 19495 prompts (all 2785 test windows × 7 channels)"; per run if they differ.
QString basis_text(const std::vector<PlanesOfRun>& runs) {
    QStringList texts;
    for (const auto& run : runs) {
        QStringList counts;
        for (const auto& plane : run.kinds)
            counts << QStringLiteral("%1 %2").arg(plane.rows).arg(kind_name(plane.kind));
        texts << QStringLiteral("%1 (%2)").arg(counts.join(QStringLiteral(", ")), rows_text(run));
    }
    if (texts.count(texts.front()) == texts.size()) return texts.front();
    for (std::size_t i = 0; i < runs.size(); ++i)
        texts[static_cast<qsizetype>(i)].prepend(runs[i].of.label + QStringLiteral(": "));
    return texts.join(QStringLiteral("; "));
}

constexpr int kinds[] = {kind_anchor, kind_series, kind_prompt};

}  // namespace

Figure pca_planes(const QString& cell, const std::vector<PlanesOfRun>& runs, const QString& note) {
    Figure figure{QStringLiteral("pca"), QStringLiteral("PCA of anchors, series and prompts: ") + cell};
    Numbers numbers;
    numbers.columns = columns_of(
        "condition run kind anchor window channel pc1 pc2 n sample "
        "training_seed");
    for (const int kind : kinds) {
        const auto first = figure.plots.size();
        for (const auto& run : runs) {
            const auto* plane = pca_plane(run, kind);
            if (plane == nullptr) continue;
            Plot plot;
            plot.title = QStringLiteral("%1, %2").arg(kind_name(kind), run.of.label);
            plot.x.title = QStringLiteral("PC1 (%1 %)").arg(percent(plane->centred[0]));
            plot.y.title = QStringLiteral("PC2 (%1 %)").arg(percent(plane->centred[1]));
            plot.legend = false;
            auto s = kind_marks(kind, paper_colour(kind), 3, 0.6);
            s.name.clear();
            s.run = run.of.run->folder;
            const QStringList quoted{
                QString::number(plane->rows),
                kind == kind_anchor ? QStringLiteral("all anchors") : sample_text(*run.of.values),
                training_seed_text(run.of)};
            for (std::size_t i = 0; 2 * i < plane->points.size(); ++i) {
                const auto row = static_cast<std::int64_t>(i);
                s.x.push_back(plane->points[2 * i]);
                s.y.push_back(plane->points[2 * i + 1]);
                s.ids.push_back(point_id(kind, row, run.of.values->pool_size));
                QStringList cells{run.of.label, run.of.run->label, kind_name(kind)};
                if (kind == kind_anchor) {
                    cells << QString::number(row) << QString() << QString();
                } else {
                    const auto name = row_name(run.of, row);
                    cells << QString() << QString::number(name.window) << name.channel;
                }
                cells << exact_text(s.x.back()) << exact_text(s.y.back());
                cells += quoted;
                numbers.rows.push_back(std::move(cells));
            }
            plot.series.push_back(std::move(s));
            figure.plots.push_back(std::move(plot));
        }
        share_axes(figure.plots, 0.06, first);
    }
    if (figure.plots.empty()) return figure;
    figure.columns = static_cast<int>(runs.size());
    if (runs.size() < 3 && figure.plots.size() == 3 * runs.size()) {
        // Conditions as rows: two columns would fill a page.
        std::vector<Plot> turned;
        for (std::size_t r = 0; r < runs.size(); ++r)
            for (std::size_t k = 0; k < 3; ++k)
                turned.push_back(std::move(figure.plots[k * runs.size() + r]));
        figure.plots = std::move(turned);
        figure.columns = 3;
    }
    for (std::size_t i = 0; i < figure.plots.size(); ++i) figure.plots[i].title.prepend(panel_letter(i));
    figure.grid = figure.columns <= 3;
    figure.aspect = 0.95;
    const bool some = std::any_of(runs.begin(), runs.end(), [](const auto& run) { return run.whole_split; });
    figure.caption = QStringLiteral(
                         "Anchor, time-series and prompt embeddings on their first two principal components, "
                         "%1, at the best checkpoint: a separate, centred PCA of each kind; in parentheses "
                         "the fraction of variance explained. Fitted to %2%3. All plots of a kind have the "
                         "same axis ranges; the sign of a component is arbitrary.%4")
                         .arg(cell, basis_text(runs),
                              some ? QStringLiteral("; shown are all anchors and, of the other kinds, ") +
                                         sample_text(*runs.front().of.values)
                                   : QString(),
                              note);
    figure.numbers = std::move(numbers);
    return figure;
}

Figure pca_variance(const QString& cell, const std::vector<PlanesOfRun>& runs, const QString& note) {
    Figure figure{QStringLiteral("pca-variance"),
                  QStringLiteral("Variance explained by two principal components: ") + cell};
    Numbers numbers;
    numbers.columns = columns_of("condition run kind centring n pc1 pc2 total sample training_seed");
    for (const int kind : kinds) {
        Plot plot;
        plot.title = panel_letter(figure.plots.size()) + kind_name(kind);
        plot.y.title = QStringLiteral("explained variance (%)");
        plot.y.min = 0;
        plot.y.max = 105;
        Series one[2], total[2];
        for (std::size_t r = 0; r < runs.size(); ++r) {
            plot.x.categories << runs[r].of.label;
            const auto* plane = pca_plane(runs[r], kind);
            if (plane == nullptr) continue;
            for (const int centring : {0, 1}) {
                const auto& share = centring == 0 ? plane->centred : plane->uncentred;
                // Side by side, so that equal values remain visible.
                const double x = static_cast<double>(r) + (centring == 0 ? -0.12 : 0.12);
                one[centring].x.push_back(x);
                one[centring].y.push_back(100 * share[0]);
                total[centring].x.push_back(x);
                total[centring].y.push_back(100 * (share[0] + share[1]));
                numbers.rows.push_back(
                    {runs[r].of.label, runs[r].of.run->label, kind_name(kind),
                     centring == 0 ? QStringLiteral("centred") : QStringLiteral("uncentred"),
                     QString::number(plane->rows), exact_text(share[0]), exact_text(share[1]),
                     exact_text(share[0] + share[1]),
                     kind == kind_anchor ? QStringLiteral("all anchors") : rows_text(runs[r]),
                     training_seed_text(runs[r].of)});
            }
        }
        if (one[0].x.empty()) continue;
        for (const int centring : {0, 1}) {
            const QString how = centring == 0 ? QStringLiteral("centred") : QStringLiteral("uncentred");
            one[centring].name = QStringLiteral("PC1, ") + how;
            total[centring].name = QStringLiteral("PC1 + PC2, ") + how;
            for (auto* s : {&one[centring], &total[centring]}) {
                s->kind = MarkKind::points;
                s->width = 6;
                s->colour = centring == 0 ? QColor(0x00, 0x72, 0xb2) : QColor(0xd5, 0x5e, 0x00);
                s->marker = s == &one[centring] ? MarkerShape::circle : MarkerShape::diamond;
            }
            plot.series.push_back(std::move(one[centring]));
            plot.series.push_back(std::move(total[centring]));
        }
        figure.plots.push_back(std::move(plot));
    }
    if (figure.plots.empty()) return figure;
    figure.columns = 3;
    figure.aspect = 0.95;
    figure.caption = QStringLiteral(
                         "Fraction of the variance explained by the first and by the first two principal "
                         "components of each kind, %1. Centred: around the mean; uncentred: around zero, XᵀX "
                         "/ (n − 1) as in the paper's formula. For %2 at the best checkpoint.%3")
                         .arg(cell, basis_text(runs), note);
    figure.numbers = std::move(numbers);
    return figure;
}

namespace {

QString latex_text(const QString& text) {
    return QString::fromStdString(evidence::latex_escaped(text.toStdString()));
}

QString four(double share) {
    return std::isfinite(share) ? QString::number(share, 'f', 4) : QStringLiteral("–");
}

}  // namespace

QString pca_table_latex(const QString& cell, const std::vector<PlanesOfRun>& runs, const QString& note) {
    if (runs.empty()) return {};
    QString text = QStringLiteral("% Needs \\usepackage{booktabs}.\n");
    for (const int centring : {0, 1}) {
        text += QStringLiteral(
                    "\\begin{table*}[t]\n\\centering\n\\small\n\\caption{PCA variance ratio of PC1 and PC2, "
                    "%1, %2. For %3 at the best checkpoint.%4}\n\\begin{tabular}{l%5}\n\\toprule\n")
                    .arg(latex_text(cell),
                         centring == 0 ? QStringLiteral("each kind centred")
                                       : QStringLiteral("uncentred ($X^\\top X/(n-1)$)"),
                         latex_text(basis_text(runs)), latex_text(note),
                         QStringLiteral("|cc").repeated(static_cast<int>(runs.size())));
        QString heads, pcs;
        for (const auto& run : runs) {
            heads += QStringLiteral(" & \\multicolumn{2}{c}{%1}").arg(latex_text(run.of.label));
            pcs += QStringLiteral(" & PC1 & PC2");
        }
        text += heads + QStringLiteral(" \\\\\n") + pcs + QStringLiteral(" \\\\\n");
        for (const int kind : kinds) {
            QString values, totals;
            for (const auto& run : runs) {
                const auto* plane = pca_plane(run, kind);
                const std::array<double, 2> none{std::nan(""), std::nan("")};
                const auto& share = plane == nullptr ? none
                                    : centring == 0  ? plane->centred
                                                     : plane->uncentred;
                values += QStringLiteral(" & %1 & %2").arg(four(share[0]), four(share[1]));
                totals +=
                    QStringLiteral(" & \\multicolumn{2}{c}{\\textbf{%1}}").arg(four(share[0] + share[1]));
            }
            text += QStringLiteral("\\midrule\n") + kind_title(kind) + values +
                    QStringLiteral(" \\\\\nTotal") + totals + QStringLiteral(" \\\\\n");
        }
        text += QStringLiteral("\\bottomrule\n\\end{tabular}\n\\end{table*}\n");
    }
    return text.replace(QStringLiteral("–"), QStringLiteral("--"));
}

}  // namespace casp::figures
