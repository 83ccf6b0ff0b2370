#include "evidence/ranks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <system_error>

#include "evidence/backbone_note.h"
#include "evidence/batch_comparisons.h"
#include "evidence/latex.h"
#include "store/atomic_file.h"
#include "store/result_columns.h"
#include "util/units.h"

namespace casp::evidence {

namespace {

using store::ResultRow;
using Cells = std::vector<std::string>;

constexpr const char* ranked_key = "model.name";
constexpr std::array<const char*, 3> rank_files{"ranks.csv", "ranks.md", "ranks.tex"};

/// The finished runs, with their model among the swept settings: presets and cases may have set it.
std::vector<ResultRow> with_models(std::vector<ResultRow> rows) {
    std::erase_if(rows, [](const ResultRow& row) { return row.state != store::RunState::finished; });
    std::map<std::string, std::set<std::string>> labels;  // cases by model
    for (const auto& row : rows) labels[row.model].insert(row.case_label);
    const bool cases_are_models =
        std::all_of(labels.begin(), labels.end(), [](const auto& entry) { return entry.second.size() == 1; });
    for (auto& row : rows) {
        std::erase_if(row.swept, [&](const auto& setting) {
            return setting.first == ranked_key || (cases_are_models && setting.first == store::case_key);
        });
        row.swept.emplace_back(ranked_key, row.model);
    }
    return rows;
}

std::vector<std::string> distinct(const std::vector<std::string>& values) {
    std::vector<std::string> found;
    for (const auto& value : values)
        if (std::find(found.begin(), found.end(), value) == found.end()) found.push_back(value);
    return found;
}

/// Gives the models of one task their ranks and places.
void rank_task(std::vector<RankRow>& rows, std::size_t task) {
    std::set<double> means;
    std::int64_t models = 0;
    for (const auto& row : rows)
        if (const double mean = row.cells[task].mean; !std::isnan(mean)) {
            means.insert(mean);
            ++models;
        }
    for (auto& row : rows) {
        const double mean = row.cells[task].mean;
        if (std::isnan(mean)) continue;
        std::int64_t lower = 0, equal = 0;
        for (const auto& other : rows) {
            if (other.cells[task].mean < mean) ++lower;
            if (other.cells[task].mean == mean) ++equal;
        }
        row.cells[task].rank = static_cast<double>(lower) + static_cast<double>(equal + 1) / 2;
        if (models > 1) row.cells[task].place = std::distance(means.begin(), means.find(mean)) + 1;
    }
}

bool is_common(const std::vector<RankRow>& rows, std::size_t task) {
    return std::all_of(rows.begin(), rows.end(),
                       [&](const RankRow& row) { return !std::isnan(row.cells[task].mean); });
}

/// Mean of a number of the common tasks; NaN without one.
double common_mean(const RankTable& table, const RankRow& row, double RankCell::*member) {
    double sum = 0;
    for (std::size_t task = 0; task < table.tasks.size(); ++task)
        if (is_common(table.rows, task)) sum += row.cells[task].*member;
    return table.common > 0 ? sum / static_cast<double>(table.common) : store::not_known;
}

std::string rank_cell_text(const RankCell& cell) {
    if (cell.n == 0) return "–";
    return store::mean_and_sd({cell.n, cell.mean, cell.sd}) + " (" + store::shortest(cell.rank) + ")";
}

/// The text of a cell with what marks it: the best mean of its task and the second-best.
std::string marked(const std::string& text, std::int64_t place, const std::array<const char*, 4>& marks) {
    if (place != 1 && place != 2) return text;
    const auto first = place == 1 ? std::size_t{0} : std::size_t{2};
    return marks[first] + text + marks[first + 1];
}

/// Of a cell of rank_lines(); 0: it belongs to no task.
std::int64_t place_of(const RankTable& table, std::size_t line, std::size_t column) {
    const bool of_task = line > 0 && column > 0 && column <= table.tasks.size();
    return of_task ? table.rows[line - 1].cells[column - 1].place : 0;
}

}  // namespace

RankTable ranks_of(const std::vector<ResultRow>& all, const std::string& metric) {
    const auto rows = with_models(all);
    const auto outcomes = outcomes_of(rows, ranked_key, metric);
    const auto tasks = task_names(rows, ranked_key);
    RankTable table;
    table.metric = metric;
    table.tasks = distinct(tasks);
    for (const auto& row : rows)
        if (!row.backbone.empty()) table.backbones.insert(row.backbone);
    for (const auto& model : values_of(rows, ranked_key)) {
        RankRow row;
        row.model = model;
        std::vector<double> seconds;
        for (const auto& run : rows)
            if (run.model == model) {
                seconds.push_back(run.seconds);
                row.peak_memory = std::max(row.peak_memory, run.peak_memory);
            }
        row.seconds = store::statistic_of(seconds).mean;
        for (const auto& task : table.tasks) {
            std::vector<double> values;
            for (const auto& outcome : outcomes)
                if (outcome.group == model && outcome.task == task) values.push_back(outcome.value);
            const auto statistic = store::statistic_of(values);
            row.cells.push_back({statistic.n, statistic.mean, store::not_known, statistic.sd});
        }
        table.rows.push_back(std::move(row));
    }
    for (std::size_t task = 0; task < table.tasks.size(); ++task) {
        rank_task(table.rows, task);
        if (is_common(table.rows, task)) ++table.common;
    }
    for (auto& row : table.rows) row.mean_rank = common_mean(table, row, &RankCell::rank);
    if (table.common > 0)
        std::stable_sort(table.rows.begin(), table.rows.end(),
                         [](const RankRow& a, const RankRow& b) { return a.mean_rank < b.mean_rank; });
    return table;
}

std::vector<std::vector<std::string>> rank_lines(const RankTable& table) {
    std::vector<Cells> lines(1, Cells{"model"});
    lines[0].insert(lines[0].end(), table.tasks.begin(), table.tasks.end());
    lines[0].insert(lines[0].end(), {"mean rank", "seconds", "peak memory"});
    for (const auto& row : table.rows) {
        Cells line{row.model};
        for (const auto& cell : row.cells) line.push_back(rank_cell_text(cell));
        line.push_back(store::four_digits(row.mean_rank));
        line.push_back(store::four_digits(row.seconds));
        line.push_back(row.peak_memory < 0 ? "–" : bytes_text(row.peak_memory));
        lines.push_back(std::move(line));
    }
    return lines;
}

std::string rank_note(const RankTable& table) {
    const auto backbones = backbone_note(table.backbones);
    return "Mean ± sample standard deviation over seeds, with the rank in the task; mean rank over the " +
           std::to_string(table.common) + " of " + std::to_string(table.tasks.size()) +
           " tasks in which every model has a finished run. Seconds: mean wall time of a run. Memory: "
           "largest of its runs." +
           (backbones.empty() ? backbones : " " + backbones);
}

std::string ranks_csv(const std::vector<RankTable>& tables) {
    std::vector<Cells> lines{
        {"metric", "model", "task", "n", "mean", "rank", "seconds", "peak_memory", "sd"}};
    for (const auto& table : tables)
        for (const auto& row : table.rows) {
            for (std::size_t task = 0; task < table.tasks.size(); ++task) {
                const auto& cell = row.cells[task];
                lines.push_back({table.metric, row.model, table.tasks[task], std::to_string(cell.n),
                                 store::shortest(cell.mean), store::shortest(cell.rank), "", "",
                                 store::shortest(cell.sd)});
            }
            lines.push_back({table.metric, row.model, all_tasks, std::to_string(table.common),
                             store::shortest(common_mean(table, row, &RankCell::mean)),
                             store::shortest(row.mean_rank), store::shortest(row.seconds),
                             row.peak_memory < 0 ? "" : std::to_string(row.peak_memory), ""});
        }
    return store::csv(lines);
}

std::string ranks_markdown(const std::vector<RankTable>& tables) {
    std::string text;
    for (const auto& table : tables) {
        auto lines = rank_lines(table);
        for (std::size_t line = 0; line < lines.size(); ++line)
            for (std::size_t column = 0; column < lines[line].size(); ++column)
                lines[line][column] =
                    marked(lines[line][column], place_of(table, line, column), {"**", "**", "<u>", "</u>"});
        std::vector<bool> right(lines[0].size(), true);
        right[0] = false;
        text += "## " + table.metric + "\n\n" + store::markdown(std::move(lines), right) + "\n" +
                rank_note(table) + "\n\n";
    }
    return text;
}

std::string ranks_latex(const std::vector<RankTable>& tables) {
    std::string text = "% Needs \\usepackage{booktabs}.\n";
    for (const auto& table : tables) {
        const auto lines = rank_lines(table);
        const auto width = lines[0].size();
        text +=
            "% " + table.metric + "\n\\begin{tabular}{l*{" + std::to_string(width - 1) + "}{r}}\n\\toprule\n";
        for (std::size_t line = 0; line < lines.size(); ++line) {
            for (std::size_t column = 0; column < width; ++column)
                text += (column == 0 ? "" : " & ") + marked(latex_escaped(lines[line][column]),
                                                            place_of(table, line, column),
                                                            {"\\textbf{", "}", "\\underline{", "}"});
            text += line == 0 ? " \\\\\n\\midrule\n" : " \\\\\n";
        }
        text += "\\bottomrule\n\\multicolumn{" + std::to_string(width) + "}{p{\\linewidth}}{" +
                latex_escaped(rank_note(table)) + "} \\\\\n\\end{tabular}\n\n";
    }
    return text;
}

void write_ranks(const std::filesystem::path& batch_folder, const std::vector<ResultRow>& rows) {
    std::vector<RankTable> tables;
    for (const auto* metric : {"test_mse", "test_mae"}) tables.push_back(ranks_of(rows, metric));
    const auto& table = tables.front();
    const auto is_shared = [&](std::size_t task) {
        return std::count_if(table.rows.begin(), table.rows.end(),
                             [&](const RankRow& row) { return row.cells[task].n > 0; }) > 1;
    };
    bool ranked = false;
    for (std::size_t task = 0; task < table.tasks.size(); ++task) ranked = ranked || is_shared(task);
    if (ranked) {
        const std::array<std::string, 3> texts{ranks_csv(tables), ranks_markdown(tables),
                                               ranks_latex(tables)};
        for (std::size_t i = 0; i < texts.size(); ++i)
            store::write_file_atomically(batch_folder / rank_files[i], texts[i]);
        return;
    }
    std::error_code ignored;
    for (const auto* file : rank_files) std::filesystem::remove(batch_folder / file, ignored);
}

}  // namespace casp::evidence
