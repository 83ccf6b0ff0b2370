#include "figure_jobs/figure_recipes.h"

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <utility>

#include "config/text_utils.h"
#include "evidence/latex.h"
#include "figure_jobs/figure_embeddings.h"
#include "figures/paper_input.h"
#include "figures/recipe_anchors.h"
#include "figures/recipe_compare.h"
#include "figures/recipe_forecasts.h"
#include "figures/recipe_training.h"
#include "util/error.h"
#include "util/out_of_memory.h"

namespace casp::figure_jobs {

namespace {

using Figures = std::vector<figures::Figure>;

Figures one(figures::Figure figure) {
    Figures list;
    list.push_back(std::move(figure));
    return list;
}

/// " Backbone of the runs: GPT-2, as in the paper. Precision of the runs: fp32."; empty: neither is known.
QString backbone_and_precision(const std::vector<figures::RunInput>& runs) {
    std::set<std::string> backbones, precisions;
    for (const auto& run : runs) {
        if (run.record == nullptr) continue;
        const auto& of = run.record->attributes;
        if (!of.backbone.empty()) backbones.insert(of.backbone);
        if (!of.precision.empty()) precisions.insert(of.precision);
    }
    QString text;
    for (const auto& note : {evidence::backbone_note(backbones), evidence::precision_note(precisions)})
        if (!note.empty()) text += QLatin1Char(' ') + QString::fromStdString(note.english());
    return text;
}

template <class OfRun>
QString seed_note(const figures::PaperCell& cell, const std::vector<OfRun>& runs) {
    std::vector<const figures::RunInput*> shown;
    for (const auto& run : runs) shown.push_back(run.of.run);
    return figures::seed_note(cell, shown);
}

/// The figure that `draw` makes of the cell's runs, with the note about their seeds.
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
    std::vector<figures::RunInput> runs;
    for (const auto& run : planes) runs.push_back(*run.of.run);
    list.back().tables = {{QStringLiteral("tex"),
                           figures::pca_table_latex(cell.name, planes, note + backbone_and_precision(runs))}};
    return list;
}

/// How a figure is composed: one per cell of the sweep, or one for all runs.
struct Recipe {
    std::function<Figures(const figures::PaperCell&, FigureSource&)> of_cell;
    std::function<Figures(const FigureRuns&)> of_runs;
};
struct Entry {
    FigureInfo info;
    Recipe make;
};

template <class Make>
Recipe of_cell(Make make) {
    return {make, {}};
}

template <class Make>
Recipe of_runs(Make make) {
    return {{}, make};
}

Recipe strata_recipe(const analysis::StrataAxis& axis) {
    return of_cell([axis](const figures::PaperCell& cell, FigureSource& source) {
        return one(figures::difficulty_strata(cell.name + QStringLiteral(", test split"),
                                              source.strata(cell, axis), {}, axis));
    });
}

/// The axis of "strata:low-frequency".
analysis::StrataAxis strata_axis_of(const std::string& name) {
    return analysis::parse_strata_axis(name.substr(name.find(':') + 1), "--figures " + name);
}

const std::vector<Entry>& entries() {
    using figures::PaperCell;
    static const std::vector<Entry> all{
        {{"usage-strips", QT_TRANSLATE_NOOP("core", "Anchor usage in training"),
          QT_TRANSLATE_NOOP("core", "How often each anchor was retrieved in training, one strip per λ_cov"),
          'U'},
         of_cell([](const PaperCell& cell, FigureSource&) { return one(figures::usage_strips(cell)); })},
        {{"score-heatmap", QT_TRANSLATE_NOOP("core", "Score heatmap"),
          QT_TRANSLATE_NOOP("core",
                            "Similarity scores of the top-100 anchors before the retrieval, with and without "
                            "coverage"),
          'H', true},
         of_cell([](const PaperCell& cell, FigureSource& source) {
             return one(noted(figures::score_heatmaps, cell, source.scores(cell)));
         })},
        {{"score-distribution", QT_TRANSLATE_NOOP("core", "Score distribution"),
          QT_TRANSLATE_NOOP("core", "Similarity scores of all anchors and of the retrieved ones, per λ_cov"),
          'D', true},
         of_cell([](const PaperCell& cell, FigureSource& source) {
             return one(noted(figures::score_distributions, cell, source.distributions(cell)));
         })},
        {{"concentration", QT_TRANSLATE_NOOP("core", "Concentration"),
          QT_TRANSLATE_NOOP(
              "core", "Retrievals of the 20 most retrieved anchors in training, by rank and cumulative"),
          'C'},
         of_runs([](const FigureRuns& runs) { return one(figures::top_concentration(runs.cells)); })},
        {{"pca", QT_TRANSLATE_NOOP("core", "PCA"),
          QT_TRANSLATE_NOOP(
              "core",
              "Principal planes of anchors, series and prompts per λ_cov, with a table of their "
              "variance"),
          'P', true},
         of_cell(pca_figures)},
        {{"tsne", QT_TRANSLATE_NOOP("core", "t-SNE"),
          QT_TRANSLATE_NOOP(
              "core", "Anchors (blue), series (orange) and prompts (green) in one t-SNE, one plot per λ_cov"),
          'T', true},
         of_cell([](const PaperCell& cell, FigureSource& source) {
             return one(noted(figures::tsne_planes, cell, source.layouts(cell)));
         })},
        {{"alignment", QT_TRANSLATE_NOOP("core", "Alignment"),
          QT_TRANSLATE_NOOP("core",
                            "Series and prompts separately, and the cosine similarity between their rows"),
          'A', true},
         of_cell([](const PaperCell& cell, FigureSource& source) {
             return one(noted(figures::alignment, cell, source.alignments(cell)));
         })},
        {{"forecast", QT_TRANSLATE_NOOP("core", "Forecast"),
          QT_TRANSLATE_NOOP("core", "The test window with the median error, forecast with each λ_cov"), 'F'},
         of_cell(forecast_figures)},
        {{"sensitivity", QT_TRANSLATE_NOOP("core", "Sensitivity"),
          QT_TRANSLATE_NOOP(
              "core", "Error and retrieval metrics against every swept setting, mean and spread over seeds"),
          'S'},
         of_runs(
             [](const FigureRuns& runs) { return one(figures::sensitivity(runs.compared, runs.swept)); })},
        {{"strata", QT_TRANSLATE_NOOP("core", "Difficulty strata"),
          QT_TRANSLATE_NOOP("core", "Error, its change and the retrieval by decile of the input's residual"),
          'R', true},
         strata_recipe({})},
        {{"loss-terms", QT_TRANSLATE_NOOP("core", "Loss terms"),
          QT_TRANSLATE_NOOP("core", "Loss terms over the training steps")},
         of_runs([](const FigureRuns& runs) { return one(figures::loss_terms(runs.inputs, {})); })},
        {{"validation", QT_TRANSLATE_NOOP("core", "Validation"),
          QT_TRANSLATE_NOOP("core", "Validation MSE and MAE per epoch")},
         of_runs([](const FigureRuns& runs) { return one(figures::validation(runs.inputs, {})); })},
        {{"gate-share", QT_TRANSLATE_NOOP("core", "Coverage gate"),
          QT_TRANSLATE_NOOP("core", "Fraction of pairs for which the coverage gate is active")},
         of_runs([](const FigureRuns& runs) { return one(figures::gate_share(runs.inputs, {})); })},
        {{"gate-by-usage", QT_TRANSLATE_NOOP("core", "Coverage gate by usage"),
          QT_TRANSLATE_NOOP("core",
                            "Per anchor: how often it is retrieved, and how often the gate presses on it"),
          0, true},
         of_cell([](const PaperCell& cell, FigureSource& source) {
             return one(noted(figures::gate_by_usage, cell, source.gates(cell)));
         })},
        {{"gradient-norms", QT_TRANSLATE_NOOP("core", "Gradient norms"),
          QT_TRANSLATE_NOOP("core", "Gradient norms of the weighted loss terms over the training steps")},
         of_runs([](const FigureRuns& runs) { return one(figures::gradient_norms(runs.inputs)); })},
        {{"coverage", QT_TRANSLATE_NOOP("core", "Coverage statistic"),
          QT_TRANSLATE_NOOP("core", "Coverage statistic c̃ of the anchors over the training")},
         of_runs([](const FigureRuns& runs) { return one(figures::coverage_course(runs.inputs, {})); })},
        {{"errors", QT_TRANSLATE_NOOP("core", "Errors"),
          QT_TRANSLATE_NOOP("core", "Test MSE by forecast step")},
         of_runs([](const FigureRuns& runs) { return one(figures::error_per_step(runs.inputs, false)); })},
        {{"series-errors", QT_TRANSLATE_NOOP("core", "Errors of the series"),
          QT_TRANSLATE_NOOP("core", "Distribution of sMAPE and MASE over the series of a collection")},
         of_cell(series_error_figures)}};
    return all;
}

/// Appends the result of `make` to `list`; on failure adds a note instead, so that other figures are still
/// drawn. Returns false on failure.
template <class Make>
bool add_or_note(Figures& list, FigureSource& source, const std::string& name, Make make) {
    try {
        auto made = make();
        for (auto& figure : made)
            if (!figure.plots.empty()) list.push_back(std::move(figure));
        return true;
    } catch (const Cancelled&) {
        throw;
    } catch (const std::exception& problem) {
        source.note("no " + name + ": " + casp::plain_message(problem));
        return false;
    }
}

/// One figure per cell of the sweep; the first has the plain name.
bool add_cells(Figures& list, const Recipe& make, const std::string& name, const FigureRuns& runs,
               FigureSource& source) {
    bool all = true;
    for (std::size_t c = 0; c < runs.cells.size(); ++c) {
        const auto& cell = runs.cells[c];
        const auto from = list.size();
        const auto of = runs.cells.size() > 1 ? name + " of " + cell.name.toStdString() : name;
        all = add_or_note(list, source, of, [&] { return make.of_cell(cell, source); }) && all;
        for (auto i = from; c > 0 && i < list.size(); ++i) list[i].id += '-' + slug(cell.name);
    }
    return all;
}

/// Names of cells may differ only in characters that are not allowed in file names.
void make_ids_differ(Figures& list) {
    QStringList ids;
    for (auto& figure : list) {
        const auto id = figure.id;
        for (int n = 2; ids.contains(figure.id); ++n)
            figure.id = QStringLiteral("%1-%2").arg(id, QString::number(n));
        ids << figure.id;
    }
}

}  // namespace

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

const std::vector<FigureInfo>& figure_list() {
    static const auto list = [] {
        std::vector<FigureInfo> infos;
        for (const auto& entry : entries()) infos.push_back(entry.info);
        return infos;
    }();
    return list;
}

const std::vector<std::string>& figure_names() {
    static const auto names = [] {
        std::vector<std::string> list;
        for (const auto& info : figure_list()) list.push_back(info.name);
        return list;
    }();
    return names;
}

std::vector<std::string> checked_figures(const std::vector<std::string>& names) {
    std::vector<std::string> wanted;
    const auto add = [&wanted](const std::string& name) {
        if (std::find(wanted.begin(), wanted.end(), name) == wanted.end()) wanted.push_back(name);
    };
    for (const auto& name : names) {
        if (name == "all") {
            for (const auto& one : figure_names()) add(one);
        } else if (name.rfind("sensitivity:", 0) == 0) {
            figures::check_sensitivity(name);
            add(name);
        } else if (name.rfind("strata:", 0) == 0) {
            add("strata:" + analysis::name_of(strata_axis_of(name)));
        } else if (std::find(figure_names().begin(), figure_names().end(), name) == figure_names().end()) {
            std::string known;
            for (const auto& one : figure_names()) known += (known.empty() ? "" : ", ") + one;
            const auto nearest = config::nearest_name(name, figure_names());
            throw input_error("--figures", Phrase("there is no figure \"%1\"", name), known + ", all",
                              nearest.empty() ? Phrase() : Phrase("Did you mean %1?", nearest));
        } else {
            add(name);
        }
    }
    return wanted;
}

std::vector<figures::Figure> make_figures(const std::string& name, const FigureRuns& runs,
                                          FigureSource& source) {
    const auto base = name.substr(0, name.find(':'));
    for (const auto& entry : entries()) {
        if (entry.info.name != base) continue;
        Figures list;
        const auto make = base == "strata" && name != base ? strata_recipe(strata_axis_of(name)) : entry.make;
        const bool all =
            make.of_cell ? add_cells(list, make, name, runs, source) : add_or_note(list, source, name, [&] {
                return name == base ? make.of_runs(runs)
                                    : one(figures::sensitivity(runs.compared, runs.swept, name));
            });
        if (make.of_runs && runs.cells.size() == 1)  // of several tasks, titles or legends name each
            for (auto& figure : list)
                figure.caption += QStringLiteral(" Task: %1.").arg(runs.cells.front().name);
        for (auto& figure : list) {
            const auto drawn = figures::drawn_in(figure, runs.inputs);
            if (!figure.plots.empty())
                figure.caption += backbone_and_precision(drawn.empty() ? runs.inputs : drawn);
        }
        // Recipes of the window are named after their view.
        if (list.size() == 1 && name == base && entry.info.key == 0)
            list.front().id = QString::fromStdString(name);
        make_ids_differ(list);
        if (all && list.empty()) source.note(Phrase("no %1: the runs have no data for it", name));
        return list;
    }
    return {};
}

}  // namespace casp::figure_jobs
