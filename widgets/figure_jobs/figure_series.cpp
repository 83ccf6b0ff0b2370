#include "figure_jobs/figure_series.h"

#include <cmath>
#include <map>

#include "figures/recipe_series_errors.h"
#include "store/run_file.h"
#include "store/run_folder.h"

namespace casp::figure_jobs {

namespace {

/// Empty if the run has no scores, or unreadable ones (with a note).
store::SeriesScores scores_of_series(const figures::RunInput& run, FigureSource& source) {
    const auto file = store::RunFolder(run.folder.toStdString()).arrays_file();
    if (!run.record || !run.record->test || !std::isfinite(run.record->test->smape) ||
        !std::filesystem::exists(file))
        return {};
    try {
        return store::read_series_scores(file, "test");
    } catch (const Error& problem) {
        source.left_out(run, "errors of the series", problem);
        return {};
    }
}

}  // namespace

std::vector<figures::Figure> series_error_figures(const figures::PaperCell& cell, FigureSource& source) {
    std::map<QString, store::SeriesScores> scores;  // by folder
    const auto shown = figures::runs_to_show(cell, [&](const figures::RunInput& run) {
        const auto [at, is_new] = scores.try_emplace(run.folder);
        if (is_new) at->second = scores_of_series(run, source);
        return !at->second.smape.empty();
    });
    std::vector<figures::SeriesErrors> runs;
    std::vector<const figures::RunInput*> drawn;
    for (std::size_t c = 0; c < shown.size(); ++c) {
        if (shown[c] == nullptr) continue;
        const auto& condition = cell.conditions[c];
        const auto& of = scores.at(shown[c]->folder);
        runs.push_back({shown[c]->folder, condition.label, condition.colour, of.smape, of.mase});
        drawn.push_back(shown[c]);
    }
    if (runs.empty()) return {};
    auto figure = figures::series_errors(runs);
    figure.title += QStringLiteral(": ") + cell.name;
    figure.caption += figures::seed_note(cell, drawn);
    return {std::move(figure)};
}

}  // namespace casp::figure_jobs
