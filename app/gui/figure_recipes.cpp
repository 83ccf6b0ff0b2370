// The list of figures, and what each is made of.
#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>

#include "data/prepared.h"
#include "figures/recipe_anchors.h"
#include "figures/recipe_forecasts.h"
#include "figures/recipe_paper_usage.h"
#include "figures/recipe_training.h"
#include "gui/figure_embeddings.h"
#include "gui/figure_files.h"
#include "gui/figure_sensitivity.h"
#include "store/run_file.h"
#include "store/run_folder.h"
#include "util/error.h"

namespace casp::gui {

namespace {

using Figures = std::vector<figures::Figure>;

/// [L, M] scaled lookback values from the CSV; empty where it is gone or another by now.
std::vector<float> lookback_of(const figures::RunInput& run, std::int64_t start, std::int64_t channels,
                               const std::stop_token& stop) {
    try {
        const auto prepared = data::prepare_data(*run.config, {}, stop);
        if (prepared.table.sha256 != run.record->attributes.dataset_sha256) return {};
        const auto length = run.config->data.lookback;
        std::vector<float> values(static_cast<std::size_t>(length * channels));
        for (std::int64_t t = 0; t < length; ++t)
            for (std::int64_t m = 0; m < channels; ++m)
                values[static_cast<std::size_t>(t * channels + m)] =
                    static_cast<float>((prepared.table.columns[static_cast<std::size_t>(m)]
                                            .values[static_cast<std::size_t>(start + t)] -
                                        prepared.scaler.mean[static_cast<std::size_t>(m)]) /
                                       prepared.scaler.std[static_cast<std::size_t>(m)]);
        return values;
    } catch (const Cancelled&) {
        throw;
    } catch (const Error&) {
        return {};
    }
}

bool has_test_forecasts(const figures::RunInput& run) {
    const auto file = store::RunFolder(run.folder.toStdString()).arrays_file();
    if (!std::filesystem::exists(file)) return false;
    try {
        const auto splits = store::forecast_splits(file);
        return std::find(splits.begin(), splits.end(), "test") != splits.end();
    } catch (const Error&) {
        return false;  // damaged: another seed stands in for it
    }
}

/// The test window with the median error of the first run that is shown, as one run of each condition
/// forecasts it.
figures::Figure forecast_figure(const figures::PaperCell& cell, FigureSource& source) {
    std::vector<figures::ForecastWindow> windows;
    const store::DataSection* data = nullptr;
    std::int64_t number = -1;
    const auto shown = figures::runs_to_show(cell, has_test_forecasts);
    std::vector<const figures::RunInput*> drawn;
    for (std::size_t c = 0; c < shown.size(); ++c) {
        if (shown[c] == nullptr) continue;
        auto run = *shown[c];
        run.label = cell.conditions[c].label;
        run.colour = cell.conditions[c].colour;
        const auto file = store::RunFolder(run.folder.toStdString()).arrays_file();
        if (number < 0) {
            const auto errors = figures::window_errors_of(run, store::read_forecast(file, "test"), -1);
            number = figures::pick_window(errors.mse, figures::Pick::median);
            if (number < 0) continue;
        }
        if (store::read_forecast_shape(file, "test").windows <= number) continue;
        const auto arrays = store::read_forecast(file, "test", number, 1);
        const auto lookback = lookback_of(run, arrays.start.front(), arrays.channels, source.stop());
        if (auto window = figures::window_of(run, arrays, number, 0, lookback.empty() ? nullptr : &lookback,
                                             run.config->data.lookback)) {
            windows.push_back(std::move(*window));
            drawn.push_back(shown[c]);
            data = &run.record->data;
        }
    }
    if (data == nullptr) return {};
    figures::ForecastOptions options;
    options.split = QStringLiteral("test");
    options.errors = true;
    auto figure = figures::forecast_windows(windows, *data, options);
    figure.id = QStringLiteral("forecast");
    figure.title = QStringLiteral("Forecast of the test window with the median error: ") + cell.name;
    figure.caption += figures::seed_note(cell, drawn);
    return figure;
}

/// File name of a cell: "etth1-h-336".
QString slug(const QString& text) {
    QString result;
    for (const auto c : text.toLower()) {
        const bool plain = c.unicode() < 128 && (c.isLetterOrNumber() || c == '.');
        if (plain)
            result += c;
        else if (!result.isEmpty() && !result.endsWith('-'))
            result += '-';
    }
    while (result.endsWith('-')) result.chop(1);
    return result;
}

/// A figure per cell of the sweep: the first has the plain name.
template <class Make>
Figures per_cell(const FigureRuns& runs, Make make) {
    Figures all;
    for (std::size_t c = 0; c < runs.cells.size(); ++c)
        for (auto& figure : make(runs.cells[c])) {
            if (figure.plots.empty()) continue;
            if (c > 0) figure.id += '-' + slug(runs.cells[c].name);
            all.push_back(std::move(figure));
        }
    return all;
}

Figures one(figures::Figure figure) {
    Figures list;
    list.push_back(std::move(figure));
    return list;
}

template <class OfRun>
QString seed_note(const figures::PaperCell& cell, const std::vector<OfRun>& runs) {
    std::vector<const figures::RunInput*> shown;
    for (const auto& run : runs) shown.push_back(run.of.run);
    return figures::seed_note(cell, shown);
}

/// What `draw` makes of the cell's runs, with the note of their seeds.
template <class Draw, class OfRun>
figures::Figure noted(Draw draw, const figures::PaperCell& cell, const std::vector<OfRun>& runs) {
    return draw(cell.name, runs, seed_note(cell, runs));
}

Figures pca_figures(const figures::PaperCell& cell, FigureSource& source) {
    const auto planes = source.planes(cell);
    if (planes.empty()) return {};
    const auto note = seed_note(cell, planes);
    Figures list;
    list.push_back(figures::pca_planes(cell.name, planes, note));
    list.push_back(figures::pca_variance(cell.name, planes, note));
    list.back().tables = {{QStringLiteral("tex"), figures::pca_table_latex(cell.name, planes, note)},
                          {QStringLiteral("md"), figures::pca_table_markdown(cell.name, planes, note)}};
    return list;
}

using Recipe = std::function<Figures(const FigureRuns&, FigureSource&)>;
struct Entry {
    FigureInfo info;
    Recipe make;
};

/// A recipe of one cell.
template <class Make>
Recipe of_cell(Make make) {
    return [make](const FigureRuns& runs, FigureSource& source) {
        return per_cell(runs, [&](const figures::PaperCell& cell) { return make(cell, source); });
    };
}

const std::vector<Entry>& entries() {
    using figures::PaperCell;
    static const std::vector<Entry> all{
        {{"usage-strips", QStringLiteral("Anchor usage in training"),
          QStringLiteral("How often each anchor was selected in training, a strip per λ_cov")},
         of_cell([](const PaperCell& cell, FigureSource&) { return one(figures::usage_strips(cell)); })},
        {{"score-heatmap", QStringLiteral("Score heatmap"),
          QStringLiteral("Similarity scores of the top-100 anchors before the selection, with and without "
                         "coverage"),
          true, true},
         of_cell([](const PaperCell& cell, FigureSource& source) {
             return one(noted(figures::score_heatmaps, cell, source.scores(cell)));
         })},
        {{"score-distribution", QStringLiteral("Score distribution"),
          QStringLiteral("Similarity scores of all anchors and of the selected ones, per λ_cov"), true, true},
         of_cell([](const PaperCell& cell, FigureSource& source) {
             return one(noted(figures::score_distributions, cell, source.distributions(cell)));
         })},
        {{"concentration", QStringLiteral("Concentration"),
          QStringLiteral("Selections of the 20 most selected anchors in training, by rank and summed up")},
         [](const FigureRuns& runs, FigureSource&) { return one(figures::top_concentration(runs.cells)); }},
        {{"pca", QStringLiteral("PCA"),
          QStringLiteral("Principal planes of anchors, series and prompts per λ_cov, with the table of their "
                         "variance"),
          true, true},
         of_cell(pca_figures)},
        {{"tsne", QStringLiteral("t-SNE"),
          QStringLiteral(
              "Anchors (blue), series (orange) and prompts (green) in one t-SNE, a plot per λ_cov"),
          true, true},
         of_cell([](const PaperCell& cell, FigureSource& source) {
             return one(noted(figures::tsne_planes, cell, source.layouts(cell)));
         })},
        {{"alignment", QStringLiteral("Alignment"),
          QStringLiteral("Series and prompts apart, and the cosine similarity between their rows"), true,
          true},
         of_cell([](const PaperCell& cell, FigureSource& source) {
             return one(noted(figures::alignment, cell, source.alignments(cell)));
         })},
        {{"forecast", QStringLiteral("Forecast"),
          QStringLiteral("The test window with the median error, as each λ_cov forecasts it")},
         of_cell(
             [](const PaperCell& cell, FigureSource& source) { return one(forecast_figure(cell, source)); })},
        {{"sensitivity", QStringLiteral("Sensitivity"),
          QStringLiteral("Error and selection against every swept setting, mean and spread over seeds")},
         [](const FigureRuns& runs, FigureSource&) { return one(sensitivity_figure(runs)); }},
        {{"strata", QStringLiteral("Difficulty strata"),
          QStringLiteral("Error, its change and the selection by decile of the input's residual"), true,
          true},
         of_cell([](const PaperCell& cell, FigureSource& source) {
             return one(figures::difficulty_strata(cell.name, source.strata(cell)));
         })},
        {{"loss-terms", QStringLiteral("Loss terms"),
          QStringLiteral("The terms of the loss over the training steps"), false},
         [](const FigureRuns& runs, FigureSource&) { return one(figures::loss_terms(runs.inputs, {})); }},
        {{"validation", QStringLiteral("Validation"), QStringLiteral("Validation MSE and MAE per epoch"),
          false},
         [](const FigureRuns& runs, FigureSource&) { return one(figures::validation(runs.inputs, {})); }},
        {{"gate-share", QStringLiteral("Coverage gate"),
          QStringLiteral("Share of pairs that the coverage gate presses on"), false},
         [](const FigureRuns& runs, FigureSource&) { return one(figures::gate_share(runs.inputs, {})); }},
        {{"coverage", QStringLiteral("Coverage statistic"),
          QStringLiteral("c̃ of the anchors over the training"), false},
         [](const FigureRuns& runs, FigureSource&) {
             return one(figures::coverage_course(runs.inputs, {}));
         }},
        {{"errors", QStringLiteral("Errors"), QStringLiteral("Test MSE by forecast step"), false},
         [](const FigureRuns& runs, FigureSource&) {
             return one(figures::error_per_step(runs.inputs, false));
         }}};
    return all;
}

}  // namespace

const std::vector<FigureInfo>& figure_list() {
    static const auto list = [] {
        std::vector<FigureInfo> infos;
        for (const auto& entry : entries()) infos.push_back(entry.info);
        return infos;
    }();
    return list;
}

std::vector<figures::Figure> make_figures(const std::string& name, const FigureRuns& runs,
                                          FigureSource& source) {
    const auto base = name.substr(0, name.find(':'));
    for (const auto& entry : entries()) {
        if (entry.info.name != base) continue;
        std::optional<FigureWork::Step> reading;  // what takes longer tells its steps itself
        if (!entry.info.weights) reading.emplace(source.work(), FigureTask::reading, std::string());
        auto list = name == base ? entry.make(runs, source) : one(sensitivity_figure(runs, name));
        list.erase(std::remove_if(list.begin(), list.end(),
                                  [](const figures::Figure& figure) { return figure.plots.empty(); }),
                   list.end());
        // Recipes of the window call themselves after their view.
        if (list.size() == 1 && name == base && !entry.info.of_paper)
            list.front().id = QString::fromStdString(name);
        return list;
    }
    return {};
}

}  // namespace casp::gui
