#include "evidence/ranks.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "config/options.h"
#include "evidence/comparisons.h"
#include "evidence/latex.h"
#include "store/result_columns.h"
#include "util/grouping.h"
#include "util/phrase.h"
#include "util/units.h"

namespace casp::evidence {

namespace {

using Cells = std::vector<std::string>;

/// Numbers of runs behind the cells.
std::set<std::int64_t> run_numbers(const RankTable& table) {
    std::set<std::int64_t> numbers;
    for (const auto& row : table.rows)
        for (const auto& cell : row.cells)
            if (cell.n > 0) numbers.insert(cell.n);
    return numbers;
}

std::string rank_cell_text(const RankCell& cell, bool with_n) {
    if (cell.n == 0) return "–";
    auto text = store::mean_and_sd({cell.n, cell.mean, cell.sd});
    if (!std::isnan(cell.rank)) text += " (" + store::shortest(cell.rank) + ")";
    return with_n ? text + ", n = " + std::to_string(cell.n) : text;
}

/// What the numbers of runs mean for the reader; empty: all cells have the same number, of two or more.
Phrase run_numbers_text(const RankTable& table) {
    const auto numbers = run_numbers(table);
    if (numbers.size() < 2)
        return numbers.count(1) == 0 ? "" : " Each error is the value of a single run, not a mean.";
    return numbers.count(1) == 0
               ? " n: number of runs. Means over different numbers of runs are over different seeds: paired "
                 "tests compare equal seeds."
               : " n: number of runs; n = 1 is the value of a single run, not a mean. Means over different "
                 "numbers of runs are over different seeds: paired tests compare equal seeds.";
}

/// "Omitted: 1 run finished early, 2 runs not finished."; empty: none.
Phrase omitted_text(const RankTable& table) {
    Phrase text;
    for (const auto& [reason, count] : table.omitted)
        text += text.empty() ? count == 1 ? Phrase(" Omitted: %1 run %2", count, reason)
                                          : Phrase(" Omitted: %1 runs %2", count, reason)
                : count == 1 ? Phrase(", %1 run %2", count, reason)
                             : Phrase(", %1 runs %2", count, reason);
    return text.empty() ? text : text + ".";
}

Phrase lookbacks_text(const RankTable& table) {
    std::string list;
    for (const auto lookback : table.lookbacks) list += (list.empty() ? "" : ", ") + std::to_string(lookback);
    return list.empty() ? Phrase(list) : Phrase(" Runs of the same task differ in look-back (%1).", list);
}

/// rank_lines() with the best mean of each task and the second-best marked.
std::vector<Cells> marked_lines(const RankTable& table, std::string (*marked)(const std::string&, Mark)) {
    auto lines = rank_lines(table);
    for (std::size_t line = 0; line < lines.size(); ++line)
        for (std::size_t column = 0; column < lines[line].size(); ++column) {
            const bool of_task = line > 0 && column > 0 && column <= table.tasks.size();
            const auto place = of_task ? table.rows[line - 1].cells[column - 1].place : 0;
            lines[line][column] = marked(lines[line][column], place == 1   ? Mark::bold
                                                              : place == 2 ? Mark::underline
                                                                           : Mark::none);
        }
    return lines;
}

using store::ResultRow;
using Outcomes = std::vector<Outcome>;

constexpr const char* ranked_key = "model.name";

using Cell = std::tuple<std::string, std::string, std::int64_t>;  ///< model, data, horizon

/// Models with a row for each case: those with several. Runs without a case count as the model's only case,
/// unless that has runs with the same data and horizon.
std::set<std::string> models_with_cases(const std::vector<ResultRow>& rows) {
    std::set<std::string> found;
    std::map<std::string, std::set<std::string>> of_model;
    std::map<Cell, std::set<std::string>> of_cell;
    for (const auto& row : rows) {
        if (!row.case_label.empty()) of_model[row.model].insert(row.case_label);
        of_cell[{row.model, row.data, row.horizon}].insert(row.case_label);
    }
    for (const auto& [model, cases] : of_model)
        if (cases.size() > 1) found.insert(model);
    for (const auto& [cell, cases] : of_cell)
        if (cases.size() > 1) found.insert(std::get<0>(cell));
    return found;
}

std::string after_last(const std::string& text, char separator) {
    return text.substr(text.rfind(separator) + 1);
}

/// Whether the setting is a part of the task or only tells seeds apart. Few-shot runs are another task.
bool is_of_task(const std::string& key) {
    return config::changes_the_task(key) || key == "data.percent" || key == "train.seed";
}

/// Swept settings that belong to a model, of which one has several values with the same data and horizon: a
/// row for each. Values by model and key; "" of a run without the setting.
std::map<std::pair<std::string, std::string>, std::set<std::string>> row_settings(
    const std::vector<ResultRow>& rows) {
    std::map<std::pair<Cell, std::string>, std::set<std::string>> of_cell;
    for (const auto& key : store::swept_keys(rows))
        if (!is_of_task(key) && key != ranked_key && key != store::case_key)
            for (const auto& row : rows) {
                const auto* text = store::find_setting(row.swept, key);
                of_cell[{{row.model, row.data, row.horizon}, key}].insert(text == nullptr ? "" : *text);
            }
    std::map<std::pair<std::string, std::string>, std::set<std::string>> found;
    for (const auto& [cell, texts] : of_cell)
        if (texts.size() > 1)
            found[{std::get<0>(cell.first), cell.second}].insert(texts.begin(), texts.end());
    return found;
}

/// "lambda_cov 0.1", "continue_from single": shortened where no other value reads alike.
std::string setting_text(const std::string& key, const std::string& text,
                         const std::set<std::string>& values) {
    const auto name = after_last(text, '/');
    const auto alike = std::count_if(values.begin(), values.end(), [&](const std::string& other) {
        return after_last(other, '/') == name;
    });
    return after_last(key, '.') + ' ' + (alike > 1 ? text : name);
}

/// The finished runs with the name of their row as a swept setting, instead of model, case and the settings
/// that are no part of the task. One model has one row: its cases and values are in comparisons.*.
std::vector<ResultRow> with_row_names(std::vector<ResultRow> rows) {
    std::erase_if(rows, [](const ResultRow& row) { return row.state != store::RunState::finished; });
    const bool several = std::any_of(rows.begin(), rows.end(),
                                     [&](const ResultRow& row) { return row.model != rows.front().model; });
    const auto with_cases = several ? models_with_cases(rows) : std::set<std::string>();
    const auto settings = row_settings(rows);
    for (auto& row : rows) {
        auto name = row.model;
        if (!row.case_label.empty() && with_cases.count(row.model) != 0) name += ", " + row.case_label;
        for (const auto& [key, text] : row.swept)
            if (const auto values = settings.find({row.model, key});
                several && values != settings.end() && !text.empty())
                name += ", " + setting_text(key, text, values->second);
        std::erase_if(row.swept, [&](const auto& setting) {
            return setting.first == ranked_key || setting.first == store::case_key ||
                   (several && !is_of_task(setting.first));
        });
        row.swept.emplace_back(ranked_key, name);
    }
    return rows;
}

/// Tasks of the table. Of those whose runs all count in finer tasks, too, there would be a second column.
std::vector<std::string> tasks_of(const Outcomes& outcomes) {
    std::vector<std::string> tasks;
    for (const auto& outcome : outcomes)
        if (outcome.also.empty()) add_once(tasks, outcome.task);
    return tasks;
}

bool is_also_in(const Outcome& outcome, const std::string& task) {
    return std::find(outcome.also.begin(), outcome.also.end(), task) != outcome.also.end();
}

RankCell cell_of(const Outcomes& outcomes, const std::string& model, const std::string& task) {
    std::vector<double> own, also;
    std::set<std::int64_t> own_seeds, also_seeds;  // a repeated run is no further sample
    for (const auto& outcome : outcomes) {
        if (outcome.group != model) continue;
        if (outcome.task == task && own_seeds.insert(outcome.seed).second)
            own.push_back(outcome.value);
        else if (is_also_in(outcome, task) && also_seeds.insert(outcome.seed).second)
            also.push_back(outcome.value);
    }
    const auto statistic = store::statistic_of(own.empty() ? also : own);
    return {statistic.n, statistic.mean, store::not_known, statistic.sd};
}

/// Gives the models of one task their ranks and places, if there are several.
void rank_task(std::vector<RankRow>& rows, std::size_t task) {
    std::set<double> means;
    std::int64_t models = 0;
    for (const auto& row : rows)
        if (const double mean = row.cells[task].mean; !std::isnan(mean)) {
            means.insert(mean);
            ++models;
        }
    if (models < 2) return;
    for (auto& row : rows) {
        auto& cell = row.cells[task];
        if (std::isnan(cell.mean)) continue;
        std::int64_t lower = 0, equal = 0;
        for (const auto& other : rows) {
            if (other.cells[task].mean < cell.mean) ++lower;
            if (other.cells[task].mean == cell.mean) ++equal;
        }
        cell.rank = static_cast<double>(lower) + static_cast<double>(equal + 1) / 2;
        cell.place = std::distance(means.begin(), means.find(cell.mean)) + 1;
    }
}

/// Indices of the tasks in which every row has a mean.
std::vector<std::size_t> common_tasks(const RankTable& table) {
    std::vector<std::size_t> common;
    for (std::size_t task = 0; task < table.tasks.size(); ++task)
        if (std::all_of(table.rows.begin(), table.rows.end(),
                        [&](const RankRow& row) { return !std::isnan(row.cells[task].mean); }))
            common.push_back(task);
    return common;
}

double mean_over(const std::vector<std::size_t>& tasks, const RankRow& row, double RankCell::*member) {
    double sum = 0;
    for (const auto task : tasks) sum += row.cells[task].*member;
    return tasks.empty() ? store::not_known : sum / static_cast<double>(tasks.size());
}

/// Wall time and memory of a row, of the runs in the given tasks; empty: all. `runs` [outcomes].
void add_costs(RankRow& row, const std::vector<ResultRow>& runs, const Outcomes& outcomes,
               const std::vector<std::string>& tasks) {
    std::vector<double> seconds;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const auto counts_in = [&](const std::string& task) {
            return outcomes[i].task == task || is_also_in(outcomes[i], task);
        };
        if (outcomes[i].group != row.model) continue;
        if (!tasks.empty() && std::none_of(tasks.begin(), tasks.end(), counts_in)) continue;
        seconds.push_back(runs[i].seconds);
        row.peak_memory = std::max(row.peak_memory, runs[i].peak_memory);
    }
    row.seconds = store::statistic_of(seconds).mean;
}

/// Look-backs of the tasks whose runs have several. `runs` [outcomes].
std::set<std::int64_t> differing_lookbacks(const std::vector<ResultRow>& runs, const Outcomes& outcomes,
                                           const std::vector<std::string>& tasks) {
    std::set<std::int64_t> differing;
    for (const auto& task : tasks) {
        std::set<std::int64_t> of_task;
        for (std::size_t i = 0; i < runs.size(); ++i)
            if (outcomes[i].task == task || is_also_in(outcomes[i], task)) of_task.insert(runs[i].lookback);
        if (of_task.size() > 1) differing.merge(of_task);
    }
    return differing;
}

}  // namespace

RankTable ranks_of(const std::vector<ResultRow>& all, const std::string& metric) {
    const auto runs = with_row_names(all);
    const auto outcomes = outcomes_of(runs, ranked_key, metric);  // [runs]: all are finished and have a name
    RankTable table;
    table.metric = metric;
    table.tasks = tasks_of(outcomes);
    table.lookbacks = differing_lookbacks(runs, outcomes, table.tasks);
    for (const auto& row : all)
        if (row.state != store::RunState::finished)
            ++table.omitted[row.state == store::RunState::finished_early ? "finished early" : "not finished"];
    for (const auto& run : runs)
        if (!run.backbone.empty()) table.backbones.insert(run.backbone);
    for (const auto& model : values_of(runs, ranked_key)) {
        RankRow row;
        row.model = model;
        for (const auto& task : table.tasks) row.cells.push_back(cell_of(outcomes, model, task));
        for (std::size_t i = 0; i < runs.size(); ++i) {
            if (outcomes[i].group != model) continue;
            if (!runs[i].backbone.empty()) row.backbones.insert(runs[i].backbone);
            if (!runs[i].precision.empty()) row.precisions.insert(runs[i].precision);
        }
        table.rows.push_back(std::move(row));
    }
    for (std::size_t task = 0; task < table.tasks.size(); ++task) rank_task(table.rows, task);
    const auto common = common_tasks(table);
    table.common = std::ssize(common);
    std::vector<std::string> names;
    for (const auto task : common) names.push_back(table.tasks[task]);
    for (auto& row : table.rows) {
        row.mean = mean_over(common, row, &RankCell::mean);
        row.mean_rank = mean_over(common, row, &RankCell::rank);
        add_costs(row, runs, outcomes, names);
    }
    if (has_ranks(table) && !common.empty())
        std::stable_sort(table.rows.begin(), table.rows.end(),
                         [](const RankRow& a, const RankRow& b) { return a.mean_rank < b.mean_rank; });
    return table;
}

bool has_ranks(const RankTable& table) {
    return std::any_of(table.rows.begin(), table.rows.end(), [](const RankRow& row) {
        return std::any_of(row.cells.begin(), row.cells.end(),
                           [](const RankCell& cell) { return !std::isnan(cell.rank); });
    });
}

std::vector<std::vector<std::string>> rank_lines(const RankTable& table) {
    std::vector<Cells> lines(1, Cells{"model"});
    lines[0].insert(lines[0].end(), table.tasks.begin(), table.tasks.end());
    lines[0].insert(lines[0].end(), {"mean rank", "seconds", "peak memory"});
    const bool with_n = run_numbers(table).size() > 1;
    for (const auto& row : table.rows) {
        Cells line{row.model};
        for (std::size_t task = 0; task < table.tasks.size(); ++task)
            line.push_back(rank_cell_text(row.cells[task], with_n));
        line.push_back(store::four_digits(row.mean_rank));
        line.push_back(store::four_digits(row.seconds));
        line.push_back(row.peak_memory < 0 ? "–" : bytes_text(row.peak_memory));
        lines.push_back(std::move(line));
    }
    return lines;
}

Phrase rank_note(const RankTable& table) {
    const Phrase cells =
        table.common > 0
            ? Phrase(
                  "Mean ± sample standard deviation over seeds, with the rank in the task; mean rank over "
                  "the "
                  "%1 of %2 tasks in which every model has a finished run. Seconds: mean wall time of a run "
                  "in "
                  "these tasks. Memory: largest of the same runs. Comparable for runs on the same computer "
                  "only.",
                  table.common, table.tasks.size())
            : Phrase(
                  "Mean ± sample standard deviation over seeds, with the rank in the task; mean rank over "
                  "the "
                  "%1 of %2 tasks in which every model has a finished run. Seconds: mean wall time of a run "
                  "(without such a task, of all runs). Memory: largest of the same runs. Comparable for runs "
                  "on the same computer only.",
                  table.common, table.tasks.size());
    const auto note = cells + run_numbers_text(table) + lookbacks_text(table) + omitted_text(table);
    return in_turn(in_turn(note, backbone_note(table.backbones)), precision_note(precisions_of(table.rows)));
}

std::string ranks_csv(const std::vector<RankTable>& tables) {
    std::vector<Cells> lines{
        {"metric", "model", "task", "n", "mean", "rank", "seconds", "peak_memory", "sd"}};
    const bool with_precision = std::any_of(tables.begin(), tables.end(), [](const RankTable& table) {
        return !precisions_of(table.rows).empty();
    });
    if (with_precision) lines[0].insert(lines[0].end(), {store::precision_column, "backbone"});
    for (const auto& table : tables)
        for (const auto& row : table.rows) {
            const auto first = lines.size();
            for (std::size_t task = 0; task < table.tasks.size(); ++task) {
                const auto& cell = row.cells[task];
                lines.push_back({table.metric, row.model, table.tasks[task], std::to_string(cell.n),
                                 store::shortest(cell.mean), store::shortest(cell.rank), "", "",
                                 store::shortest(cell.sd)});
            }
            lines.push_back({table.metric, row.model, all_tasks, std::to_string(table.common),
                             store::shortest(row.mean), store::shortest(row.mean_rank),
                             store::shortest(row.seconds),
                             row.peak_memory < 0 ? "" : std::to_string(row.peak_memory), ""});
            for (auto line = first; with_precision && line < lines.size(); ++line)
                lines[line].insert(lines[line].end(),
                                   {precisions_text(row.precisions), precisions_text(row.backbones)});
        }
    return store::csv(lines);
}

std::string ranks_markdown(const std::vector<RankTable>& tables) {
    std::string text;
    for (const auto& table : tables) {
        const auto lines = marked_lines(table, markdown_marked);
        std::vector<bool> right(lines[0].size(), true);
        right[0] = false;
        text +=
            "## " + table.metric + "\n\n" + store::markdown(lines, right) + "\n" + rank_note(table) + "\n\n";
    }
    return text;
}

std::string ranks_latex(const std::vector<RankTable>& tables) {
    std::string text;
    for (const auto& table : tables) {
        auto lines = marked_lines(table, latex_marked);
        lines.insert(lines.begin() + 1, Cells());
        const auto columns = "l*{" + std::to_string(lines[0].size() - 1) + "}{r}";
        text += latex_noted(
            latex_tabular(columns, lines),
            "Metric: " + latex_escaped(table.metric + ". " + rank_note(table).english()) + "\\par\n");
    }
    return latex_head(text) + text;
}

TableTexts rank_texts(const std::vector<store::ResultRow>& rows) {
    std::vector<RankTable> tables;
    for (const auto& metric : error_metrics(rows)) tables.push_back(ranks_of(rows, metric));
    if (!has_ranks(tables.front())) return {};
    return {{"ranks.csv", ranks_csv(tables)},
            {"ranks.md", ranks_markdown(tables)},
            {"ranks.tex", ranks_latex(tables)}};
}

}  // namespace casp::evidence
