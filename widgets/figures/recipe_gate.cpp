#include "figures/recipe_gate.h"

#include <algorithm>

#include <QObject>

#include "figures/numbers.h"
#include "figures/style.h"
#include "figures/ticks.h"
#include "model/descriptor.h"

namespace casp::figures {

namespace {

/// "λ_cov·L_cov" of "coverage".
QString weighted_symbol(const std::string& term) {
    if (term == "forecast") return QStringLiteral("L_forecast");
    const auto info = model::loss_term(term);
    return QString::fromStdString(info.weight + "·" + info.symbol);
}

Plot gradient_plot(const RunInput& run) {
    const auto& gradients = run.record->gradients;
    Plot plot;
    plot.title = run.label;
    plot.x.title = QStringLiteral("step");
    plot.x.integers = true;
    plot.y.title = QStringLiteral("gradient norm");
    plot.y.log = true;
    for (const auto& curve : gradients.norms) {
        // A term of weight 0 has no gradient: nothing to draw on a logarithmic axis.
        if (std::none_of(curve.values.begin(), curve.values.end(), [](double v) { return v > 0; })) {
            plot.remarks.push_back({QStringLiteral("%1: 0").arg(weighted_symbol(curve.name)), {}});
            continue;
        }
        Series series;
        series.name = weighted_symbol(curve.name);
        series.x.assign(gradients.step.begin(), gradients.step.end());
        series.y = curve.values;
        series.run = run.folder;
        plot.series.push_back(std::move(series));
    }
    return plot;
}

}  // namespace

Figure gradient_norms(const std::vector<RunInput>& runs) {
    Figure figure{QStringLiteral("gradient-norms"), QStringLiteral("Gradient norms of the loss terms")};
    std::vector<RunInput> drawn;
    for (const auto& run : runs)
        if (run.record != nullptr && !run.record->gradients.step.empty()) drawn.push_back(run);
    for (const auto& run : drawn) figure.plots.push_back(gradient_plot(run));
    if (figure.plots.empty()) {
        figure.empty_text = QObject::tr(
            "Gradient norms of the loss terms appear here for runs that store them: set run.gradient_steps.");
        return figure;
    }
    figure.columns = figure.plots.size() > 1 ? 2 : 1;
    figure.caption =
        QStringLiteral(
            "Euclidean norm, over all trainable parameters, of the gradient of each weighted loss "
            "term in single training steps, for %1. Norms of 0 are not drawn.")
            .arg(join_names(drawn));
    return figure;
}

Figure gate_by_usage(const QString& cell, const std::vector<GateOfRun>& runs, const QString& note) {
    Figure figure{QStringLiteral("gate-by-usage"), QStringLiteral("Coverage gate by usage: ") + cell};
    Numbers numbers;
    numbers.columns = columns_of("condition run anchor retrieved active");
    for (const auto& run : runs) {
        Plot plot;
        plot.title = panel_letter(figure.plots.size()) + run.of.label;
        plot.x.title = QStringLiteral("rows that retrieve the anchor (%)");
        plot.y.title = QStringLiteral("rows with 0 < s < c̃ (%)");
        plot.x.min = plot.y.min = 0;
        plot.y.max = 100;
        plot.legend = false;
        Series points;
        points.kind = MarkKind::points;
        points.width = 5;
        points.opacity = 0.6;
        points.colour = run.colour;
        points.run = run.of.run->folder;
        for (std::size_t anchor = 0; anchor < run.active.size(); ++anchor) {
            points.x.push_back(100 * run.retrieved[anchor]);
            points.y.push_back(100 * run.active[anchor]);
            points.ids.push_back(static_cast<std::int64_t>(anchor));
            numbers.rows.push_back({run.of.label, run.of.run->label, QString::number(anchor),
                                    exact_text(run.retrieved[anchor]), exact_text(run.active[anchor])});
        }
        plot.series.push_back(std::move(points));
        figure.plots.push_back(std::move(plot));
    }
    if (figure.plots.empty()) return figure;
    figure.columns = figure.plots.size() > 1 ? 2 : 1;
    figure.aspect = 0.8;
    figure.caption = QStringLiteral(
                         "Each point is an anchor: the share of rows (%1) that retrieve it, and the share on "
                         "which the coverage gate presses, 0 < s < c̃, %2, at the best checkpoint.%3")
                         .arg(sample_text(*runs.front().of.values), cell, note);
    figure.numbers = std::move(numbers);
    return figure;
}

}  // namespace casp::figures
