#include "figures/recipe_strata.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/usage.h"
#include "figures/numbers.h"
#include "figures/ticks.h"

namespace casp::figures {

namespace {

/// A line with points and, over several seeds, error bars; conditions are slightly offset.
void add_band(Plot& plot, const StrataOfCondition& condition, const std::vector<std::vector<double>>& curves,
              double shift) {
    const auto band = analysis::band_of(curves);
    Series line, dots;
    for (std::size_t i = 0; i < band.mean.size(); ++i) {
        const double sd = std::isfinite(band.sd[i]) ? band.sd[i] : 0;
        line.x.push_back(static_cast<double>(i + 1) + shift);
        line.y.push_back(band.mean[i]);
        dots.low.push_back(band.mean[i] - sd);
        dots.high.push_back(band.mean[i] + sd);
    }
    if (line.x.empty()) return;
    dots.x = line.x;
    dots.y = line.y;
    dots.kind = MarkKind::points;
    dots.width = 4.5;
    if (curves.size() < 2) {
        dots.low.clear();
        dots.high.clear();
    }
    line.name = condition.label;
    line.width = 1.3;
    for (auto* s : {&line, &dots}) {
        s->colour = condition.colour;
        s->run = condition.runs.front().run->folder;
    }
    plot.series.push_back(std::move(line));
    plot.series.push_back(std::move(dots));
}

/// "−0.6 % and −0.02 % (λ_cov = 0.1)": hardest and easiest strata, means over seeds; empty: no comparison.
QString contrast_text(const StrataOfCondition& condition) {
    double hardest = 0, easiest = 0;
    int n = 0;
    for (const auto& run : condition.runs)
        if (std::isfinite(run.hardest_change) && std::isfinite(run.easiest_change)) {
            hardest += run.hardest_change;
            easiest += run.easiest_change;
            ++n;
        }
    if (n == 0) return {};
    return QStringLiteral("%1 % and %2 % (%3)")
        .arg(number_text(hardest / n, 3), number_text(easiest / n, 3), condition.label);
}

}  // namespace

StrataOfRun strata_of_run(const RunInput& run, const analysis::Strata& strata) {
    StrataOfRun of;
    of.run = &run;
    of.seed = run.config != nullptr ? run.config->train.seed : 0;
    of.edges = strata.edges;
    for (const auto& stratum : strata.strata) {
        of.windows.push_back(static_cast<std::int64_t>(stratum.windows.size()));
        of.mse.push_back(stratum.mse);
        of.mae.push_back(stratum.mae);
        of.entropy.push_back(stratum.summary.entropy);
        of.distinct.push_back(stratum.usage.empty() ? store::not_known
                                                    : static_cast<double>(stratum.summary.distinct));
    }
    return of;
}

void set_change(StrataOfRun& run, const analysis::PairedStrata& pair) {
    for (const auto& stratum : pair.difference) run.changes.push_back(100 * stratum.relative);
    run.change = 100 * pair.all.relative;
    run.easiest_change = 100 * pair.easiest.relative;
    run.hardest_change = 100 * pair.hardest.relative;
}

Figure difficulty_strata(const QString& cell, const std::vector<StrataOfCondition>& conditions,
                         const QString& note) {
    Figure figure;
    figure.id = QStringLiteral("strata");
    figure.title = QStringLiteral("Error by difficulty of the input: ") + cell;
    Numbers numbers;
    numbers.columns = {QStringLiteral("condition"),     QStringLiteral("run"),
                       QStringLiteral("seed"),          QStringLiteral("stratum"),
                       QStringLiteral("residual_from"), QStringLiteral("residual_to"),
                       QStringLiteral("windows"),       QStringLiteral("mse"),
                       QStringLiteral("mae"),           QStringLiteral("mse_change_percent"),
                       QStringLiteral("usage_entropy"), QStringLiteral("distinct_anchors"),
                       QStringLiteral("change_against")};
    // A CSV has no caption.
    const auto reference = [&](bool is_compared) {
        return is_compared ? conditions.front().label : QString();
    };
    Plot error, difference, entropy;
    std::size_t seeds = 1, pairs = 0;
    const double gap = conditions.size() > 1 ? 0.5 / static_cast<double>(conditions.size()) : 0;
    for (std::size_t c = 0; c < conditions.size(); ++c) {
        const auto& condition = conditions[c];
        if (condition.runs.empty()) continue;
        const double shift =
            gap * (static_cast<double>(c) - 0.5 * static_cast<double>(conditions.size() - 1));
        std::vector<std::vector<double>> mse, changes, entropies;
        for (const auto& run : condition.runs) {
            mse.push_back(run.mse);
            if (std::any_of(run.entropy.begin(), run.entropy.end(),
                            [](double e) { return std::isfinite(e); }))
                entropies.push_back(run.entropy);
            if (!run.changes.empty()) {
                changes.push_back(run.changes);
                ++pairs;
            }
            for (std::size_t i = 0; i < run.mse.size(); ++i) {
                const auto at = [i](const std::vector<double>& values) {
                    return i < values.size() ? exact_text(values[i]) : QString();
                };
                numbers.rows.push_back(
                    {condition.label, run.run->label, QString::number(run.seed), QString::number(i + 1),
                     at(run.edges), i + 1 < run.edges.size() ? exact_text(run.edges[i + 1]) : QString(),
                     QString::number(run.windows[i]), at(run.mse), at(run.mae), at(run.changes),
                     at(run.entropy), at(run.distinct), reference(!run.changes.empty())});
            }
            for (const auto& [name, value] :
                 {std::pair{"1-3", run.easiest_change}, std::pair{"all", run.change}})
                if (std::isfinite(value))
                    numbers.rows.push_back({condition.label,
                                            run.run->label,
                                            QString::number(run.seed),
                                            QString::fromLatin1(name),
                                            {},
                                            {},
                                            {},
                                            {},
                                            {},
                                            exact_text(value),
                                            {},
                                            {},
                                            reference(true)});
        }
        seeds = std::max(seeds, condition.runs.size());
        add_band(error, condition, mse, shift);
        if (!changes.empty()) add_band(difference, condition, changes, shift);
        if (!entropies.empty()) add_band(entropy, condition, entropies, shift);
    }
    if (error.series.empty()) return figure;
    error.y.title = QStringLiteral("MSE (scaled)");
    error.y.min = 0;
    difference.y.title = QStringLiteral("change in MSE (%)");
    if (!difference.series.empty()) {
        // It has no curve here, but with its entry all plots share one legend.
        Series base;
        base.name = conditions.front().label;
        base.width = 1.3;
        base.colour = conditions.front().colour;
        difference.series.insert(difference.series.begin(), std::move(base));
    }
    difference.rules.push_back({false, 0, {}, {}, true});
    entropy.y.title = QStringLiteral("usage entropy (nats)");
    const QString names[] = {QStringLiteral("error"),
                             QStringLiteral("change relative to %1").arg(conditions.front().label),
                             QStringLiteral("usage entropy")};
    Plot* all[] = {&error, &difference, &entropy};
    for (int i = 0; i < 3; ++i) {
        auto& plot = *all[i];
        if (plot.series.empty()) continue;
        plot.title = panel_letter(figure.plots.size()) + names[i];
        plot.x.title = QStringLiteral("decile of mean |R|");
        plot.x.integers = true;
        plot.x.min = 0.5;
        plot.x.max = static_cast<double>(conditions.front().runs.front().mse.size()) + 0.5;
        figure.plots.push_back(std::move(plot));
    }
    QStringList contrasts;
    for (const auto& condition : conditions)
        if (const auto text = contrast_text(condition); !text.isEmpty()) contrasts << text;
    QStringList alone;
    for (const auto& condition : conditions)
        if (!condition.not_compared.isEmpty())
            alone << QStringLiteral("%1 (%2)").arg(condition.label, condition.not_compared);
    figure.columns = static_cast<int>(figure.plots.size());
    figure.aspect = 0.9;
    figure.caption =
        QStringLiteral(
            "Windows by decile of difficulty, %1. Difficulty is the mean absolute residual |R| of the "
            "z-scored look-back after decomposition with the model's moving-average lengths (before the "
            "model's instance normalisation), averaged over channels; decile 1 is the easiest. Error "
            "(scaled) by decile%2, and usage entropy of the retrieved anchors within each decile.%3%4%5%6")
            .arg(cell,
                 pairs > 0
                     ? QStringLiteral(", its change relative to %1 in that run's deciles, paired by seed")
                           .arg(conditions.front().label)
                     : QString(),
                 seeds > 1 ? QStringLiteral(" Mean and sample standard deviation over %1 seeds.").arg(seeds)
                           : QString(),
                 contrasts.isEmpty()
                     ? QString()
                     : QStringLiteral(" Change in the hardest decile and in the three easiest: %1.")
                           .arg(contrasts.join(QStringLiteral("; "))),
                 alone.isEmpty() ? QString()
                                 : QStringLiteral(" Not compared with %1: %2.")
                                       .arg(conditions.front().label, alone.join(QStringLiteral("; "))),
                 note);
    figure.numbers = std::move(numbers);
    return figure;
}

}  // namespace casp::figures
