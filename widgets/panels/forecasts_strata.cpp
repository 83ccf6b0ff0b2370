// Windows by difficulty on the forecasts page.
#include <algorithm>
#include <cmath>

#include "figures/recipe_paper_strata.h"
#include "panels/embedding_cloud.h"
#include "panels/forecasts_page.h"
#include "panels/shown_runs.h"

namespace casp::widgets {

namespace {
constexpr std::int64_t strata = 10;  ///< deciles
}

figures::Figure ForecastsPage::make_strata(const std::vector<figures::RunInput>& runs) {
    forget_others(strata_, runs, [](const auto& run) { return run.folder; });
    std::vector<figures::StrataOfCondition> conditions;
    QStringList problems;
    bool computing = false, any = false;
    QString split_text;
    for (const auto& run : runs) {
        any = any || run.record;
        auto* shown = library()->data(run.folder);
        const auto set = shown ? shown->embeddings() : nullptr;
        computing = computing || (shown && shown->embedding_status().is_busy());
        if (!set || set->values.residual.empty()) continue;
        auto& known = strata_[run.folder];
        if (known.set != set) {
            known = {set, {}, {}};
            const auto& v = set->values;
            try {
                known.strata = analysis::strata_of(
                    {v.start, v.channels, v.residual, v.mse, v.mae, v.selected, v.top_k, v.pool_size},
                    strata);
            } catch (const std::exception& failure) {
                known.problem = QString::fromUtf8(failure.what());
            }
        }
        if (!known.problem.isEmpty()) {
            problems << run.label + QStringLiteral(": ") + known.problem;
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
            of.distinct.push_back(static_cast<double>(stratum.summary.distinct));
        }
        condition.runs.push_back(std::move(of));
        conditions.push_back(std::move(condition));
        split_text = set->text();
    }
    auto figure = figures::difficulty_strata(split_text, conditions,
                                             QStringLiteral(" A click on a decile selects its windows."));
    if (figure.plots.empty())
        figure.empty_text =
            !problems.isEmpty() ? problems.join(QLatin1Char('\n'))
            : computing         ? tr("The embeddings are being computed; strata follow.")
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
    for (const auto& run : shown_runs()) {
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
    for (const auto& run : shown_runs())
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
