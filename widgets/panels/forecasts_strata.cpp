// Windows by difficulty on the forecasts page.
#include <algorithm>
#include <cmath>
#include <limits>

#include "figures/recipe_paper_strata.h"
#include "panels/embedding_cloud.h"
#include "panels/forecasts_page.h"
#include "panels/shown_runs.h"

namespace casp::widgets {

namespace {
constexpr std::int64_t strata = 10;  ///< deciles

/// λ_cov of the run; those that are not known come last.
double coverage_weight(const figures::RunInput& run) {
    return run.config ? run.config->loss.lambda_cov : std::numeric_limits<double>::infinity();
}

analysis::StrataInput input_of(const EmbeddingSet& set) {
    const auto& v = set.values;
    return {v.start, v.channels, v.residual, v.mse, v.mae, v.selected, v.top_k, v.pool_size};
}

/// What was read or computed last, but rather what was computed: strata need its residuals.
std::shared_ptr<const EmbeddingSet> set_for_strata(RunData& run) {
    const auto latest = run.embeddings();
    if (!latest || !latest->values.residual.empty()) return latest;
    for (const char* split : {"test", "val", "train"})
        if (auto set = run.embeddings_of(QString::fromLatin1(split)); set && !set->values.residual.empty())
            return set;
    return latest;
}

/// Why the windows of two runs are not the same ones, where their numbers do not tell; empty: they may be.
QString mismatch_of(const figures::RunInput& run, const EmbeddingSet& set, const figures::RunInput& base,
                    const EmbeddingSet& first) {
    if (set.values.split != first.values.split)
        return ForecastsPage::tr(
                   "its windows are of the %1 split, the other's of the %2 split. Compute the "
                   "embeddings of one split for both.")
            .arg(split_name(QString::fromStdString(set.values.split)),
                 split_name(QString::fromStdString(first.values.split)));
    return figures::data_difference(run, base);
}

}  // namespace

const ForecastsPage::StrataOf& ForecastsPage::strata_of(const figures::RunInput& run,
                                                        const std::shared_ptr<const EmbeddingSet>& set,
                                                        const figures::RunInput* base) {
    auto& known = strata_[run.folder];
    try {
        if (known.set != set) {
            known = {};
            known.set = set;
            known.strata = analysis::strata_of(input_of(*set), strata);
        }
        if (!base || !known.problem.isEmpty()) return known;
        const auto& first = strata_[base->folder];
        if (known.base == first.set) return known;
        known.base = first.set;
        known.mismatch = mismatch_of(run, *set, *base, *first.set);
        if (known.mismatch.isEmpty())
            known.pair = analysis::compare_strata(input_of(*first.set), input_of(*set), strata);
    } catch (const std::exception& failure) {
        (known.base ? known.mismatch : known.problem) = QString::fromUtf8(failure.what());
    }
    return known;
}

figures::Figure ForecastsPage::make_strata(const std::vector<figures::RunInput>& given) {
    // In the order of the study: the smallest λ_cov is what the others are compared with.
    auto runs = given;
    std::stable_sort(runs.begin(), runs.end(),
                     [](const auto& a, const auto& b) { return coverage_weight(a) < coverage_weight(b); });
    forget_others(strata_, runs, [](const auto& run) { return run.folder; });
    std::vector<figures::StrataOfCondition> conditions;
    QStringList problems;
    bool computing = false, any = false, without_residuals = false;
    QString split_text;
    const figures::RunInput* base = nullptr;
    for (const auto& run : runs) {
        any = any || run.record;
        auto* shown = library()->data(run.folder);
        const auto set = shown ? set_for_strata(*shown) : nullptr;
        computing = computing || (shown && shown->embedding_status().is_busy());
        without_residuals = without_residuals || (set && !set->live && set->values.residual.empty());
        if (!set || set->values.residual.empty()) continue;
        const auto& known = strata_of(run, set, base);
        if (!known.problem.isEmpty()) {
            problems << run.label + QStringLiteral(": ") + known.problem;
            continue;
        }
        if (base && !known.mismatch.isEmpty()) {
            problems << tr("%1 is not compared with %2 by difficulty: %3")
                            .arg(run.label, base->label, known.mismatch);
            continue;
        }
        figures::StrataOfCondition condition;
        condition.label = short_label(run, runs);
        condition.colour = run.colour;
        figures::StrataOfRun of;
        of.run = &run;
        of.edges = known.strata.edges;
        for (const auto& stratum : known.strata.strata) {
            of.windows.push_back(static_cast<std::int64_t>(stratum.windows.size()));
            of.mse.push_back(stratum.mse);
            of.mae.push_back(stratum.mae);
            of.entropy.push_back(stratum.summary.entropy);
            of.distinct.push_back(stratum.usage.empty() ? store::not_known
                                                        : static_cast<double>(stratum.summary.distinct));
        }
        if (base) {
            for (const auto& stratum : known.pair.difference) of.changes.push_back(100 * stratum.relative);
            of.change = 100 * known.pair.all.relative;
            of.easiest_change = 100 * known.pair.easiest.relative;
            of.hardest_change = 100 * known.pair.hardest.relative;
        }
        condition.runs.push_back(std::move(of));
        conditions.push_back(std::move(condition));
        if (!base) {
            base = &run;
            split_text = set->text();
        }
    }
    set_missing(QStringLiteral("strata"), problems.join(QLatin1Char('\n')));
    auto figure = figures::difficulty_strata(split_text, conditions,
                                             QStringLiteral(" A click on a decile selects its windows."));
    strata_base_ = base ? base->folder : QString();
    if (figure.plots.empty())
        figure.empty_text =
            !problems.isEmpty() ? problems.join(QLatin1Char('\n'))
            : computing         ? tr("The embeddings are being computed; strata follow.")
            : without_residuals
                ? tr("What these runs have stored of their embeddings is without the residuals of the "
                     "lookbacks "
                     "that windows are sorted by. Press Compute embeddings on the page Embeddings: error and "
                     "selection from the easiest to the hardest tenth of the windows then appear here.")
            : any
                ? tr("Error and selection from the easiest to the hardest tenth of the windows, by the mean "
                     "size of "
                     "their lookback's residual, and what two runs differ by in each. Compute the embeddings "
                     "of "
                     "these runs (page Embeddings or Anchors) to see it; a click on a tenth then selects its "
                     "windows.")
                : tr("Error and selection from the easiest to the hardest tenth of the windows, by the mean "
                     "size of "
                     "their lookback's residual, and what two runs differ by in each. Choose runs in the "
                     "list on "
                     "the left.");
    return figure;
}

std::vector<std::int64_t> ForecastsPage::windows_of_stratum(int number) const {
    for (const auto& run : QStringList{strata_base_} + drawn_runs()) {
        const auto known = strata_.find(run);
        if (known == strata_.end() || !known->second.set || number < 0 ||
            number >= static_cast<int>(known->second.strata.strata.size()))
            continue;
        std::vector<std::int64_t> windows;
        for (const auto at : known->second.strata.strata[static_cast<std::size_t>(number)].windows)
            windows.push_back(known->second.set->values.windows[static_cast<std::size_t>(at)]);
        return windows;
    }
    return {};
}

void ForecastsPage::pick_stratum(double x, Qt::KeyboardModifiers modifiers) {
    const auto windows = windows_of_stratum(static_cast<int>(std::lround(x)) - 1);
    if (windows.empty()) return;
    auto state = selection()->state();
    QString of;
    for (const auto& run : QStringList{strata_base_} + drawn_runs())
        if (const auto known = strata_.find(run); known != strata_.end() && known->second.set) {
            of = QString::fromStdString(known->second.set->values.split);
            break;
        }
    state.windows =
        combined(state.split == of ? state.windows : std::set<std::int64_t>{}, windows, modifiers);
    state.split = of;
    selection()->set(state);
}

}  // namespace casp::widgets
