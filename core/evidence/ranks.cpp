#include "evidence/ranks.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "config/options.h"
#include "evidence/batch_comparisons.h"
#include "util/grouping.h"

namespace casp::evidence {

namespace {

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
        for (std::size_t i = 0; i < runs.size(); ++i)
            if (outcomes[i].group == model && !runs[i].precision.empty())
                row.precisions.insert(runs[i].precision);
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

}  // namespace casp::evidence
