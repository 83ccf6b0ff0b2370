#include "evidence/ranks_text.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "evidence/backbone_note.h"
#include "evidence/batch_comparisons.h"
#include "evidence/comparisons.h"
#include "evidence/latex.h"
#include "store/result_columns.h"
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
std::string run_numbers_text(const RankTable& table) {
    const auto numbers = run_numbers(table);
    if (numbers.size() < 2)
        return numbers.count(1) == 0 ? "" : " Each error is the value of a single run, not a mean.";
    return std::string(" n: number of runs") +
           (numbers.count(1) == 0 ? "" : "; n = 1 is the value of a single run, not a mean") +
           ". Means over different numbers of runs are over different seeds: paired tests compare equal "
           "seeds.";
}

/// "Omitted: 1 run finished early, 2 runs not finished."; empty: none.
std::string omitted_text(const RankTable& table) {
    std::string text;
    for (const auto& [reason, count] : table.omitted)
        text += (text.empty() ? " Omitted: " : ", ") + std::to_string(count) +
                (count == 1 ? " run " : " runs ") + reason;
    return text.empty() ? text : text + ".";
}

std::string lookbacks_text(const RankTable& table) {
    std::string list;
    for (const auto lookback : table.lookbacks) list += (list.empty() ? "" : ", ") + std::to_string(lookback);
    return list.empty() ? list : " Runs of the same task differ in look-back (" + list + ").";
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

}  // namespace

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

std::string rank_note(const RankTable& table) {
    const auto backbones = backbone_note(table.backbones),
               precisions = precision_note(precisions_of(table.rows));
    return "Mean ± sample standard deviation over seeds, with the rank in the task; mean rank over the " +
           std::to_string(table.common) + " of " + std::to_string(table.tasks.size()) +
           " tasks in which every model has a finished run. Seconds: mean wall time of a run" +
           (table.common > 0 ? " in these tasks" : " (without such a task, of all runs)") +
           ". Memory: largest of the same runs. Comparable for runs on the same computer only." +
           run_numbers_text(table) + lookbacks_text(table) + omitted_text(table) +
           (backbones.empty() ? "" : " " + backbones) + (precisions.empty() ? "" : " " + precisions);
}

std::string ranks_csv(const std::vector<RankTable>& tables) {
    std::vector<Cells> lines{
        {"metric", "model", "task", "n", "mean", "rank", "seconds", "peak_memory", "sd"}};
    const bool with_precision = std::any_of(tables.begin(), tables.end(), [](const RankTable& table) {
        return !precisions_of(table.rows).empty();
    });
    if (with_precision) lines[0].emplace_back(store::precision_column);
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
                lines[line].push_back(precisions_text(row.precisions));
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
        text += latex_noted(latex_tabular(columns, lines),
                            "Metric: " + latex_escaped(table.metric + ". " + rank_note(table)) + "\\par\n");
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
