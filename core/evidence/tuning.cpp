#include "evidence/tuning.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "config/experiment.h"
#include "config/options.h"
#include "config/text_utils.h"
#include "evidence/latex.h"
#include "evidence/paper_experiments.h"
#include "store/result_columns.h"

namespace casp::evidence {

namespace {

using Line = std::vector<std::string>;

constexpr std::size_t weight_keys = 3;  ///< the first of tuned_keys

std::vector<std::string> sets_of(const config::Config& config, std::size_t from, std::size_t to) {
    std::vector<std::string> sets;
    for (auto i = from; i < to; ++i)
        sets.push_back(std::string(tuned_keys[i]) + '=' +
                       config::to_toml(config::get(config, tuned_keys[i])));
    return sets;
}

config::Config preset_config(const std::string& preset) {
    return config::load_text("preset = " + config::in_quotes(preset), "paper", {}).base;
}

void copy_keys(config::Config& to, const config::Config& from, std::size_t first, std::size_t last) {
    for (auto i = first; i < last; ++i) config::set(to, tuned_keys[i], config::get(from, tuned_keys[i]));
}

bool equal_keys(const config::Config& a, const config::Config& b, std::size_t first, std::size_t last) {
    return std::all_of(tuned_keys.begin() + first, tuned_keys.begin() + last,
                       [&](const char* key) { return config::get(a, key) == config::get(b, key); });
}

/// Values of the stages' axes, by key.
const std::map<std::string, std::vector<config::Value>>& grid() {
    static const auto all = [] {
        std::map<std::string, std::vector<config::Value>> values;
        for (const auto stage : {tuning_weights, tuning_lengths})
            for (const auto& axis : load_experiment(std::string(stage)).axes)
                for (const auto& point : axis.points) values[axis.key].push_back(point.value);
        return values;
    }();
    return all;
}

bool is_in_grid(const config::Config& config, std::size_t first, std::size_t last) {
    return std::all_of(tuned_keys.begin() + first, tuned_keys.begin() + last, [&](const char* key) {
        const auto& values = grid().at(key);
        return std::find(values.begin(), values.end(), config::get(config, key)) != values.end();
    });
}

/// Number of combinations of the grid.
std::int64_t grid_size(std::size_t first, std::size_t last) {
    std::int64_t size = 1;
    for (auto i = first; i < last; ++i) size *= std::ssize(grid().at(tuned_keys[i]));
    return size;
}

bool has_lower_error(const SettledRun* a, const SettledRun* b) { return a->row.val_mse < b->row.val_mse; }

/// Whether a run has the settings of `paper` but for the tuned keys.
bool is_of_search(const SettledRun& run, const config::Config& paper) {
    if (run.row.state != store::RunState::finished || !std::isfinite(run.row.val_mse)) return false;
    if (run.config.preset != paper.preset) return false;
    auto config = run.config;
    copy_keys(config, paper, 0, tuned_keys.size());
    return covers(config, paper);
}

/// The paper's settings in place of the tuned ones: what runs of one search have in common.
config::Config common_settings(const SettledRun& run, const config::Config& paper) {
    auto config = run.config;
    copy_keys(config, paper, 0, tuned_keys.size());
    return config;
}

/// The search with the most runs among those of a preset.
TuningCell largest_search(const std::string& preset, const std::vector<SettledRun>& runs) {
    const auto paper = preset_config(preset);
    auto best = tuning_of(preset, paper, runs);
    const auto size = [](const TuningCell& cell) {
        return cell.ranked.size() + (cell.paper_run != nullptr ? 1 : 0);
    };
    std::vector<config::Config> known;
    for (const auto& run : runs) {
        if (run.config.preset != preset) continue;
        const auto common = common_settings(run, paper);
        if (std::any_of(known.begin(), known.end(), [&](const auto& one) { return covers(one, common); }))
            continue;
        known.push_back(common);
        if (auto found = tuning_of(preset, common, runs); size(found) > size(best)) best = std::move(found);
    }
    return best;
}

/// Settings in which the searches differ from the presets, as "KEY = VALUE".
std::set<std::string> searched_with(const TuningTable& table) {
    std::set<std::string> settings;
    for (const auto& cell : table.cells)
        for (const auto& difference : config::differences(preset_config(cell.preset), cell.paper))
            if (config::changes_forecasts(difference.key) && difference.key != "backbone.path" &&
                difference.key != "train.seed" && difference.key != "data.path")
                settings.insert(difference.key + " = " + difference.b);
    return settings;
}

void add_notes(TuningTable& table) {
    std::set<std::string> backbones, precisions;
    std::int64_t found = 0, wanted = 0;
    for (const auto& cell : table.cells) {
        auto runs = cell.ranked;
        if (cell.paper_run != nullptr) runs.push_back(cell.paper_run);
        for (const auto* run : runs) {
            backbones.insert(run->row.backbone);
            if (!run->row.precision.empty()) precisions.insert(run->row.precision);
        }
        found += std::ssize(cell.ranked);
        wanted += cell.wanted;
    }
    auto& notes = table.notes;
    notes.emplace_back("Printed settings: label tab:hparams in the paper's LaTeX source.");
    notes.push_back(backbones.empty() ? Phrase("Ours: no finished runs.") : backbone_note(backbones));
    if (!precisions.empty()) notes.push_back(precision_note(precisions));
    std::string settings;
    for (const auto& setting : searched_with(table)) settings += (settings.empty() ? "" : ", ") + setting;
    if (!settings.empty()) notes.push_back(Phrase("Our settings other than the paper's: %1.", settings));
    if (found < wanted)
        notes.push_back(
            Phrase("%1 runs are missing. Command: caspstudio --batch paper:tuning", wanted - found));
    notes.emplace_back(
        "Choices are by validation MSE only. Test MSE is shown for the chosen settings and takes no part.");
    notes.emplace_back(
        "Two stages for each cell, single seed: loss weights and K at S2IP-LLM's lengths (48 runs), then "
        "both "
        "lengths at the chosen weights (20 runs). The paper does not say whether its search was over the "
        "full "
        "grid of 960 combinations or one setting after another.");
    notes.emplace_back(
        "Next: validation MSE of the second-best run of the search above that of the best. Within 1 %: "
        "further "
        "runs of the search that close. A search whose stages are not complete may choose others later.");
}

std::string tuned_text(const config::Config& config, std::size_t key) {
    return config::plain_text(config::get(config, tuned_keys[key]));
}

std::string error_text(double value) {
    return std::isfinite(value) ? store::digits(value, std::chars_format::fixed, 4) : std::string("–");
}

/// Gap of the second-best run in per cent, and the number of runs within one per cent.
struct Closeness {
    double percent = store::not_known;
    std::int64_t within = 0;
};

Closeness closeness_of(const TuningCell& cell) {
    if (cell.ranked.size() < 2) return {};
    const double best = cell.ranked[0]->row.val_mse;
    Closeness result{100 * (cell.ranked[1]->row.val_mse - best) / best, 0};
    for (std::size_t i = 1; i < cell.ranked.size(); ++i)
        result.within += cell.ranked[i]->row.val_mse <= 1.01 * best ? 1 : 0;
    return result;
}

const Line& headings() {
    static const Line line{"Data",     "H",        "",         "λ_sim", "λ_cov", "K",         "Trend",
                           "Seasonal", "Val. MSE", "Test MSE", "Runs",  "Next",  "Within 1 %"};
    return line;
}

/// The two lines of a cell: of the search (without runs: none) and of the paper.
std::vector<Line> lines_of(const TuningCell& cell) {
    const auto& data = cell.paper.data;
    const auto name = preset_config(cell.preset).data.path;
    const auto line_of = [&](const char* choice, const config::Config& config, const SettledRun* run) {
        Line line{name.substr(name.find(':') + 1), std::to_string(data.horizon), choice};
        for (std::size_t key = 0; key < tuned_keys.size(); ++key) line.push_back(tuned_text(config, key));
        line.push_back(error_text(run == nullptr ? store::not_known : run->row.val_mse));
        line.push_back(error_text(run == nullptr ? store::not_known : run->row.test_mse));
        return line;
    };
    std::vector<Line> lines;
    if (!cell.ranked.empty()) {
        const auto close = closeness_of(cell);
        lines.push_back(line_of("search", cell.ranked[0]->config, cell.ranked[0]));
        lines.back().push_back(std::to_string(cell.ranked.size()) + " of " + std::to_string(cell.wanted));
        lines.back().push_back(std::isfinite(close.percent)
                                   ? "+" + store::digits(close.percent, std::chars_format::fixed, 2) + " %"
                                   : "–");
        lines.back().push_back(std::to_string(close.within));
    }
    lines.push_back(line_of("paper", cell.paper, cell.paper_run));
    lines.back().resize(headings().size());
    return lines;
}

std::string tuning_csv(const TuningTable& table) {
    std::vector<Line> lines{{"preset", "choice", "lambda_sim", "lambda_cov", "top_k", "trend_length",
                             "seasonal_length", "val_mse", "test_mse", "runs", "wanted", "next_val_mse",
                             "within_1_percent", "backbone", "run"}};
    const auto number = [](double value) {
        return std::isfinite(value) ? store::shortest(value) : std::string("nan");
    };
    const auto add = [&](const TuningCell& cell, const char* choice, const config::Config& config,
                         const SettledRun* run) {
        Line line{cell.preset, choice};
        for (std::size_t key = 0; key < tuned_keys.size(); ++key) line.push_back(tuned_text(config, key));
        line.push_back(number(run == nullptr ? store::not_known : run->row.val_mse));
        line.push_back(number(run == nullptr ? store::not_known : run->row.test_mse));
        const bool search = std::string_view(choice) == "search";
        line.push_back(search ? std::to_string(cell.ranked.size()) : std::string());
        line.push_back(search ? std::to_string(cell.wanted) : std::string());
        line.push_back(search && cell.ranked.size() > 1 ? number(cell.ranked[1]->row.val_mse)
                                                        : std::string());
        line.push_back(search ? std::to_string(closeness_of(cell).within) : std::string());
        line.push_back(run == nullptr ? std::string() : run->row.backbone);
        line.push_back(run == nullptr ? std::string() : run->folder.filename().string());
        lines.push_back(std::move(line));
    };
    for (const auto& cell : table.cells) {
        if (!cell.ranked.empty()) add(cell, "search", cell.ranked[0]->config, cell.ranked[0]);
        add(cell, "paper", cell.paper, cell.paper_run);
    }
    return store::csv(lines);
}

constexpr const char* title = "Search of the hyperparameters by validation MSE, beside the paper's choice";

std::string tuning_latex(const TuningTable& table) {
    const auto escaped = [](Line line) {
        for (auto& cell : line) cell = latex_escaped(cell);
        return line;
    };
    std::vector<Line> lines{escaped(headings())};
    for (const auto& cell : table.cells) {
        lines.emplace_back();
        for (auto& line : lines_of(cell)) lines.push_back(escaped(std::move(line)));
    }
    std::string notes;
    for (const auto& note : table.notes) notes += latex_escaped(note.english()) + "\\par\n";
    const auto text =
        "\\begin{table}[htbp]\n\\centering\n\\scriptsize\n\\setlength{\\tabcolsep}{2pt}\n\\caption{" +
        latex_escaped(title) + ".}\n" +
        latex_tabular("lll" + std::string(headings().size() - 3, 'r'), lines) + "\n\n\\raggedright\n" +
        notes + "\\end{table}\n";
    return latex_head(text) + text;
}

}  // namespace

std::vector<std::string> weight_sets(const config::Config& config) { return sets_of(config, 0, weight_keys); }

std::vector<std::string> length_sets(const config::Config& config) {
    return sets_of(config, weight_keys, tuned_keys.size());
}

config::Config initial_lengths(const std::string& preset) { return preset_config("s2ip-llm-" + preset); }

const std::vector<std::string>& tuning_presets() {
    static const auto all = [] {
        std::vector<std::string> presets;
        for (const auto& axis : load_experiment("paper:" + std::string(tuning_name)).axes)
            if (axis.key == "preset")
                for (const auto& point : axis.points) presets.push_back(point.text);
        return presets;
    }();
    return all;
}

TuningCell tuning_of(const std::string& preset, const config::Config& paper,
                     const std::vector<SettledRun>& runs) {
    TuningCell cell;
    cell.preset = preset;
    cell.paper = paper;
    copy_keys(cell.paper, preset_config(preset), 0, tuned_keys.size());
    const auto initial = initial_lengths(preset);
    std::vector<const SettledRun*> search;
    const auto add = [](std::vector<const SettledRun*>& to, const SettledRun* run) {
        if (std::none_of(to.begin(), to.end(), [&](const auto* one) {
                return equal_keys(one->config, run->config, 0, tuned_keys.size());
            }))
            to.push_back(run);
    };
    for (const auto& run : runs)
        if (is_of_search(run, cell.paper)) add(search, &run);
    for (const auto* run : search) {
        if (equal_keys(run->config, cell.paper, 0, tuned_keys.size())) cell.paper_run = run;
        if (is_in_grid(run->config, 0, weight_keys) &&
            equal_keys(run->config, initial, weight_keys, tuned_keys.size()))
            cell.weights.push_back(run);
    }
    const bool counted_twice = is_in_grid(initial, weight_keys, tuned_keys.size());
    cell.wanted =
        grid_size(0, weight_keys) + grid_size(weight_keys, tuned_keys.size()) - (counted_twice ? 1 : 0);
    if (cell.weights.empty()) return cell;
    cell.best_weights = *std::min_element(cell.weights.begin(), cell.weights.end(), has_lower_error);
    for (const auto* run : search)
        if (is_in_grid(run->config, weight_keys, tuned_keys.size()) &&
            equal_keys(run->config, cell.best_weights->config, 0, weight_keys))
            cell.lengths.push_back(run);
    cell.ranked = cell.weights;
    for (const auto* run : cell.lengths) add(cell.ranked, run);
    std::stable_sort(cell.ranked.begin(), cell.ranked.end(), has_lower_error);
    return cell;
}

TuningTable tuning_table(std::vector<SettledRun> runs) {
    TuningTable table;
    table.runs = std::move(runs);
    for (const auto& preset : tuning_presets()) table.cells.push_back(largest_search(preset, table.runs));
    add_notes(table);
    return table;
}

std::string tuning_markdown(const TuningTable& table) {
    std::vector<Line> lines{headings()};
    std::vector<bool> right(headings().size(), true);
    std::fill_n(right.begin(), 3, false);
    for (const auto& cell : table.cells)
        for (auto& line : lines_of(cell)) {
            for (auto& text : line) text = markdown_marked(text);
            lines.push_back(std::move(line));
        }
    auto text = std::string(title) + "\n\n" + store::markdown(lines, right) + "\n";
    for (const auto& note : table.notes) text += "- " + note.english() + "\n";
    return text;
}

TableTexts tuning_texts(const TuningTable& table) {
    const std::string stem(tuning_name);
    return {{stem + ".csv", tuning_csv(table)},
            {stem + ".md", tuning_markdown(table)},
            {stem + ".tex", tuning_latex(table)}};
}

}  // namespace casp::evidence
