#include "figures/recipe_strata.h"

#include <algorithm>
#include <cmath>

#include "analysis/usage.h"
#include "evidence/paired.h"
#include "figures/comparison.h"
#include "figures/numbers.h"
#include "figures/recipe_input.h"
#include "figures/scale.h"
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

/// "+0.037", "−13.1"
QString signed_percent(double percent) {
    return (percent > 0 ? QStringLiteral("+") : QString()) + number_text(percent, 3);
}

/// "−0.6 % and +0.02 % (λ_cov = 0.1)": hardest and easiest strata, means over seeds; empty: no comparison.
/// Of several seeds, with their tests: "…; 8 pairs: W = 4, p = 0.055 and W = 17, p = 0.95".
QString contrast_text(const StrataOfCondition& condition) {
    std::vector<evidence::StrataChange> pairs;
    for (const auto& run : condition.runs) pairs.push_back({run.easiest_change, run.hardest_change});
    const auto pooled = evidence::pool_strata(pairs);
    if (pooled.n == 0) return {};
    auto text = QStringLiteral("%1 % and %2 % (%3)")
                    .arg(signed_percent(pooled.hardest.percent), signed_percent(pooled.easiest.percent),
                         condition.label);
    const auto test = [](const evidence::SignedRank& of) {
        return QStringLiteral("W = %1, p = %2").arg(number_text(of.w, 6), number_text(shown_p(of), 3));
    };
    if (pooled.n > 1)
        text += QStringLiteral(", %1 pairs%2: %3 and %4")
                    .arg(QString::number(pooled.n),
                         pooled.n < evidence::fewest_pairs() ? QStringLiteral(" (too few for p < 0.05)")
                                                             : QString(),
                         test(pooled.hardest.test), test(pooled.easiest.test));
    return text;
}

/// What differs in words between the axes.
struct AxisWords {
    QString title;    ///< of the figure
    QString x;        ///< of the axis
    QString caption;  ///< what the label is
    QString strata;   ///< by what the error is shown
    QString ends;     ///< the two strata of a contrast, the last first
};

AxisWords words_of(const analysis::StrataAxis& axis) {
    using analysis::StrataLabel;
    const auto never = QStringLiteral(" It is computed from the look-back and never sees the target.");
    const auto deciles_of = [&](const QString& label, const QString& what) {
        return AxisWords{
            QStringLiteral("Error by ") + label, QStringLiteral("decile of ") + label,
            QStringLiteral("Windows by decile of %1, %2, averaged over channels; decile 1 is the "
                           "lowest.")
                    .arg(label, what) +
                never,
            QStringLiteral("decile"), QStringLiteral("in the highest decile and in the three lowest")};
    };
    switch (axis.label) {
        case StrataLabel::residual:
            break;
        case StrataLabel::trend_strength:
            return deciles_of(label_words(axis),
                              QStringLiteral("1 − Var(R) / Var(T + R) of the look-back's decomposition, at "
                                             "least 0"));
        case StrataLabel::low_frequency:
            return deciles_of(
                label_words(axis),
                QStringLiteral("the fraction of the look-back's power spectrum at periods longer "
                               "than the natural period of the sampling frequency (a day for "
                               "steps below a day, a week for days, else a year)"));
        case StrataLabel::normalised_residual:
            return deciles_of(label_words(axis),
                              QStringLiteral("mean |R| of the look-back's decomposition after the model's "
                                             "instance normalisation"));
        case StrataLabel::trend_change:
        case StrataLabel::trend_change_union:
            return {
                QStringLiteral("Error with and without a trend change"),
                QStringLiteral("1: no trend change, 2: trend change"),
                QStringLiteral("Windows without (1) and with (2) a change point in the trend of %1. Change "
                               "points: PELT with an l2 cost and the penalty %2 ln L in units of the "
                               "training variance.")
                        .arg(axis.label == StrataLabel::trend_change
                                 ? QStringLiteral("the channel average of the look-back")
                                 : QStringLiteral("any channel of the look-back"),
                             number_text(axis.penalty_factor, 3)) +
                    never,
                QStringLiteral("group"), QStringLiteral("in windows with and without a trend change")};
    }
    return {
        QStringLiteral("Error by difficulty of the input"), QStringLiteral("decile of mean |R|"),
        QStringLiteral("Windows by decile of difficulty. Difficulty is the mean absolute residual |R| of the "
                       "z-scored look-back after decomposition with the model's moving-average lengths "
                       "(before the model's instance normalisation), averaged over channels; decile 1 is "
                       "the easiest."),
        QStringLiteral("decile"), QStringLiteral("in the hardest decile and in the three easiest")};
}

}  // namespace

QString label_words(const analysis::StrataAxis& axis) {
    switch (axis.label) {
        case analysis::StrataLabel::residual:
            break;
        case analysis::StrataLabel::trend_change:
        case analysis::StrataLabel::trend_change_union:
            return QStringLiteral("trend change");
        case analysis::StrataLabel::trend_strength:
            return QStringLiteral("trend strength");
        case analysis::StrataLabel::low_frequency:
            return QStringLiteral("low-frequency fraction");
        case analysis::StrataLabel::normalised_residual:
            return QStringLiteral("normalised residual");
    }
    return QStringLiteral("difficulty");
}

QString contrast_sentence(const std::vector<StrataOfCondition>& conditions,
                          const analysis::StrataAxis& axis) {
    QStringList contrasts;
    for (const auto& condition : conditions)
        if (const auto text = contrast_text(condition); !text.isEmpty()) contrasts << text;
    return contrasts.isEmpty() ? QString()
                               : QStringLiteral("Change in MSE %1: %2.")
                                     .arg(words_of(axis).ends, contrasts.join(QStringLiteral("; ")));
}

analysis::StrataInput strata_input(const store::Embeddings& values, std::span<const double> label,
                                   const analysis::StrataAxis& axis, bool of_series) {
    return {of_series ? values.windows : values.start,
            values.channels,
            values.residual,
            values.mse,
            values.mae,
            values.retrieved,
            values.top_k,
            values.pool_size,
            label,
            axis.above_zero()};
}

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
    const auto ends = evidence::strata_change(pair);
    run.easiest_change = ends.easiest;
    run.hardest_change = ends.hardest;
}

Figure difficulty_strata(const QString& cell, const std::vector<StrataOfCondition>& conditions,
                         const QString& note, const analysis::StrataAxis& axis) {
    const bool by_residual = axis.label == analysis::StrataLabel::residual;
    const auto axis_name = QString::fromStdString(analysis::name_of(axis));
    auto words = words_of(axis);
    Figure figure;
    figure.id = QStringLiteral("strata");
    if (!by_residual) figure.id += QStringLiteral("-%1").arg(axis_name).replace(':', '-');
    figure.title = words.title + QStringLiteral(": ") + cell;
    Numbers numbers;
    numbers.columns = columns_of(
        "condition run seed stratum residual_from residual_to windows mse mae "
        "mse_change_percent usage_entropy distinct_anchors change_against "
        "strata_of label_from label_to");
    // A CSV has no caption.
    const auto reference = [&](bool is_compared) {
        return is_compared ? conditions.front().label : QString();
    };
    Plot error, difference, entropy;
    std::size_t pairs = 0;
    std::vector<std::size_t> seeds;
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
                const auto from = at(run.edges);
                const auto to = i + 1 < run.edges.size() ? exact_text(run.edges[i + 1]) : QString();
                const auto residual = [&](const QString& edge) { return by_residual ? edge : QString(); };
                numbers.rows.push_back({condition.label, run.run->label, QString::number(run.seed),
                                        QString::number(i + 1), residual(from), residual(to),
                                        QString::number(run.windows[i]), at(run.mse), at(run.mae),
                                        at(run.changes), at(run.entropy), at(run.distinct),
                                        reference(!run.changes.empty()), axis_name, from, to});
            }
            for (const auto& [name, value] :
                 {std::pair{"1-3", axis.above_zero() ? store::not_known : run.easiest_change},
                  std::pair{"all", run.change}})
                if (std::isfinite(value)) {
                    QStringList row{condition.label, run.run->label, QString::number(run.seed),
                                    QString::fromLatin1(name)};
                    row += QStringList(5);
                    row << exact_text(value) << QString() << QString() << reference(true) << axis_name;
                    numbers.rows.push_back(row + QStringList(2));
                }
        }
        seeds.push_back(condition.runs.size());
        add_band(error, condition, mse, shift);
        if (!changes.empty()) add_band(difference, condition, changes, shift);
        if (!entropies.empty()) add_band(entropy, condition, entropies, shift);
    }
    if (error.series.empty()) return figure;
    std::vector<RunInput> all_runs;
    for (const auto& condition : conditions)
        for (const auto& run : condition.runs) all_runs.push_back(*run.run);
    const auto units = error_units(all_runs);
    const bool scaled = units.startsWith(QStringLiteral("scaled"));
    if (!scaled) words.caption.replace(QStringLiteral("z-scored look-back"), QStringLiteral("look-back"));
    error.y.title = scaled ? QStringLiteral("MSE (scaled)") : QStringLiteral("MSE (original units)");
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
    keep_percent_band(difference);
    entropy.y.title = QStringLiteral("usage entropy (nats)");
    keep_value_band(entropy);
    const bool shows_entropy = !entropy.series.empty();
    const QString names[] = {QStringLiteral("error"),
                             QStringLiteral("change relative to %1").arg(conditions.front().label),
                             QStringLiteral("usage entropy")};
    Plot* all[] = {&error, &difference, &entropy};
    for (int i = 0; i < 3; ++i) {
        auto& plot = *all[i];
        if (plot.series.empty()) continue;
        plot.title = panel_letter(figure.plots.size()) + names[i];
        plot.x.title = words.x;
        plot.x.integers = true;
        plot.x.min = 0.5;
        plot.x.max = static_cast<double>(conditions.front().runs.front().mse.size()) + 0.5;
        figure.plots.push_back(std::move(plot));
    }
    const auto contrasts = contrast_sentence(conditions, axis);
    QStringList alone;
    for (const auto& condition : conditions)
        if (!condition.not_compared.isEmpty())
            alone << QStringLiteral("%1 (%2)").arg(condition.label, condition.not_compared);
    figure.columns = static_cast<int>(figure.plots.size());
    figure.aspect = 0.9;
    figure.caption =
        QStringLiteral("%1: %7 Error (%9) by %8%2.%3%4%5%6")
            .arg(cell,
                 (pairs > 0 ? QStringLiteral(", its change relative to %1 in that run's %2s, paired by seed")
                                  .arg(conditions.front().label, words.strata)
                            : QString()) +
                     (shows_entropy
                          ? QStringLiteral(", and usage entropy of the retrieved anchors within each %1")
                                .arg(words.strata)
                          : QString()),
                 spread_note(seeds), contrasts.isEmpty() ? QString() : ' ' + contrasts,
                 alone.isEmpty() ? QString()
                                 : QStringLiteral(" Not compared with %1: %2.")
                                       .arg(conditions.front().label, alone.join(QStringLiteral("; "))),
                 note, words.caption, words.strata, units);
    figure.numbers = std::move(numbers);
    return figure;
}

}  // namespace casp::figures
