// Per-series scores on the Forecasts page, for runs on collections of series.
#include <algorithm>
#include <cmath>

#include "charts/view_frame.h"
#include "figures/recipe_series.h"
#include "panels/forecasts/forecasts_page.h"
#include "panels/forecasts/series_panel.h"
#include "state/run_names.h"

namespace casp::widgets {

namespace {

const QString series_errors_id = QStringLiteral("series-errors");
const QString series_table_id = QStringLiteral("series");

bool has_series(const figures::RunInput& run) {
    return run.record && run.record->test && std::isfinite(run.record->test->smape) &&
           !run.record->data.series.empty();
}

}  // namespace

void ForecastsPage::make_series_views() {
    using figures::RunInput;
    const QString help = QStringLiteral("forecasts");
    add_view(
        series_errors_id, tr("Errors of the series"), help, {RunPart::forecasts},
        [this](const std::vector<RunInput>& runs) { return make_series_errors(runs); }, 300, 2);
    series_panel_ = new SeriesPanel;
    series_panel_->setMinimumHeight(220);
    auto* frame = add_content(
        series_table_id, tr("Worst and best series"), help, {RunPart::forecasts}, series_panel_,
        [this](const std::vector<RunInput>& runs) { list_series(runs); }, 300, 2);
    frame->set_figure_source([this] { return series_panel_->figure(); });
    connect(series_panel_, &SeriesPanel::chosen, this, [this](const std::set<std::int64_t>& windows) {
        auto state = selection()->state();
        state.windows = windows;
        state.split = QStringLiteral("test");
        selection()->set(state, QStringLiteral("series"));
    });
    for (const auto& id : {series_errors_id, series_table_id}) set_available(id, false);
}

void ForecastsPage::offer_series_views() {
    const auto runs = shown_runs().inputs();
    const bool any = std::any_of(runs.begin(), runs.end(), has_series);
    for (const auto& id : {series_errors_id, series_table_id}) set_available(id, any);
}

void ForecastsPage::highlight_series() {
    const auto& state = selection()->state();
    const auto of = state.split.isEmpty() ? split() : state.split;
    series_panel_->show_selected(of == QStringLiteral("test") ? state.windows : std::set<std::int64_t>{});
}

std::shared_ptr<const store::SeriesScores> ForecastsPage::scores_of(const figures::RunInput& run,
                                                                    const QString& view) {
    auto* shown = has_series(run) ? library()->data(run.folder) : nullptr;
    if (!shown) return nullptr;
    auto scores = shown->series_scores();
    if (!scores && shown->problem().isEmpty()) wait_for(view);
    const auto series = run.record->data.series.size();
    return scores && scores->smape.size() == series && scores->mase.size() == series ? scores : nullptr;
}

figures::Figure ForecastsPage::make_series_errors(const std::vector<figures::RunInput>& runs) {
    std::vector<figures::SeriesErrors> list;
    for (const auto& run : runs)
        if (const auto scores = scores_of(run, series_errors_id))
            list.push_back({run.folder, run.label, run.colour, scores->smape, scores->mase});
    return figures::series_errors(list);
}

void ForecastsPage::list_series(const std::vector<figures::RunInput>& runs) {
    const figures::RunInput* first = nullptr;
    std::vector<SeriesModel::Run> listed;
    QStringList others;
    for (const auto& run : runs) {
        const auto scores = scores_of(run, series_table_id);
        if (!scores) continue;
        if (!first) first = &run;
        if (figures::data_difference(run, *first).isEmpty() &&
            run.record->data.series == first->record->data.series)
            listed.push_back({run.label, run.colour, scores});
        else
            others << run.label;
    }
    set_missing(series_table_id, first == nullptr || others.isEmpty()
                                     ? QString()
                                     : tr("Not in the table of series, because their collections differ "
                                          "from that of %1: %2.")
                                           .arg(first->label, some_names(others)));
    series_panel_->set_runs(first ? first->record->data.series : std::vector<std::string>(), listed);
    highlight_series();
}

}  // namespace casp::widgets
