#include "store/results.h"

#include <algorithm>
#include <stdexcept>
#include <variant>

#include "store/atomic_file.h"
#include "store/result_columns.h"
#include "store/run_folder.h"
#include "util/phrase.h"

namespace casp::store {

namespace {

using Line = std::vector<std::string>;

/// Number of characters of UTF-8 text (all printed ones are one column wide).
std::size_t width_of(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t width, bool right) {
    const std::string blanks(width - std::min(width, width_of(text)), ' ');
    return right ? blanks + text : text + blanks;
}

std::vector<std::size_t> widths_of(const std::vector<Line>& lines) {
    std::vector<std::size_t> widths(lines.front().size(), 3);
    for (const auto& line : lines) {
        if (line.size() > widths.size())
            throw std::logic_error("a line of a table has more columns than its head");
        for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], width_of(line[i]));
    }
    return widths;
}

/// Escapes characters that end a Markdown cell or start a new line.
Line escaped(Line line) {
    for (auto& text : line) {
        std::string safe;
        for (const char c : text) {
            if (c == '|') safe += '\\';
            safe += c == '\n' || c == '\r' ? ' ' : c;
        }
        text = safe;
    }
    return line;
}

std::string value_of(const Settings& swept, const std::string& key) {
    const auto* value = find_setting(swept, key);
    return value == nullptr ? std::string() : *value;
}

/// Whether a table of the rows has the column.
bool is_wanted(const ResultColumn& column, const std::vector<ResultRow>& rows, bool csv) {
    if (column.is_score()) return std::any_of(rows.begin(), rows.end(), has_scores);
    if (!column.has(ResultColumn::where_known) && (csv || !column.has(ResultColumn::every_csv))) return true;
    return std::any_of(rows.begin(), rows.end(), [&](const auto& row) { return is_known(row, column); });
}

TextTable<ResultRow> result_table(const std::vector<ResultRow>& rows, bool exact) {
    TextTable<ResultRow> table;
    const auto add = [&](bool later) {
        for (const auto& column : result_columns) {
            if (column.has(ResultColumn::later) != later || !is_wanted(column, rows, exact)) continue;
            const bool number = std::holds_alternative<std::int64_t ResultRow::*>(column.member) ||
                                std::holds_alternative<double ResultRow::*>(column.member);
            table.add(
                column.name,
                [&column, exact](const ResultRow& row) {
                    return exact ? exact_text(row, column) : short_text(row, column);
                },
                number && !later);
        }
    };
    add(false);
    for (const auto& key : swept_keys(rows))
        if (key != case_key && column_for_key(key) == key)
            table.add(
                key, [key](const ResultRow& row) { return value_of(row.swept, key); }, false);
    add(true);
    return table;
}

/// Note on runs with results that are not included in the means; empty if there are none.
std::string early_text(const std::vector<Cell>& cells) {
    std::int64_t early = 0;
    for (const auto& cell : cells) early += cell.early;
    if (early == 0) return {};
    return early == 1 ? Phrase(
                            "1 run was finished early, with fewer training steps than its settings specify: "
                            "it is not included in the means; results.csv has the numbers\n")
                      : Phrase(
                            "%1 runs were finished early, with fewer training steps than their settings "
                            "specify: they are not included in the means; results.csv has the numbers\n",
                            early);
}

/// Note on means over runs of different precisions; empty if there are none.
std::string mixed_text(const std::vector<Cell>& cells) {
    const auto is_mixed = [](const Cell& cell) { return cell.precision.find(" + ") != std::string::npos; };
    return std::any_of(cells.begin(), cells.end(), is_mixed)
               ? "Means over runs of different precisions (column precision): compare them with care.\n"
               : "";
}

bool has_anchors(const Cell& cell) {
    return cell.of_metric(&ResultRow::usage_entropy).n > 0 ||
           (cell.only_early && cell.only_early->usage_entropy >= 0);
}

bool any_precision(const std::vector<Cell>& cells) {
    return std::any_of(cells.begin(), cells.end(), [](const auto& cell) { return !cell.precision.empty(); });
}

/// Whether summary.* of these cells has the metric.
bool is_summarised(const ResultColumn& column, const std::vector<Cell>& cells) {
    const auto needed = column.is_score() ? &ResultRow::test_smape : column.real();
    return !column.has(ResultColumn::later) || std::any_of(cells.begin(), cells.end(), [&](const Cell& cell) {
        return cell.of_metric(needed).n > 0;
    });
}

std::string statistic_text(const ResultColumn& column, const Statistic& statistic) {
    return column.is_score() ? score_and_sd(statistic) : mean_and_sd(statistic);
}

/// Adds data, horizon and the other swept settings.
void add_settings(TextTable<Cell>& table, const std::vector<Cell>& cells) {
    table.add(
        "data", [](const Cell& cell) { return cell.data; }, false);
    table.add("horizon", [](const Cell& cell) { return std::to_string(cell.horizon); });
    for (const auto& key : swept_keys(cells))
        if (key != "data.path" && key != "data.horizon")
            table.add(column_for_key(key), [key](const Cell& cell) { return value_of(cell.swept, key); });
}

std::string runs_text(const Cell& cell) {
    if (cell.only_early && cell.runs == 1) return "finished early";
    auto runs = std::to_string(cell.n);
    if (cell.n != cell.runs) runs += " of " + std::to_string(cell.runs);
    return cell.only_early ? Phrase("%1, 1 finished early", runs) : Phrase(runs);
}

/// Columns of the terminal's table: of collections their scores, of other runs the errors.
std::vector<const ResultColumn*> terminal_columns(const std::vector<Cell>& cells) {
    const auto is_collection = [](const Cell& cell) {
        return cell.of_metric(&ResultRow::test_smape).n > 0 ||
               (cell.only_early && has_scores(*cell.only_early));
    };
    const auto some = [&](auto has) { return std::any_of(cells.begin(), cells.end(), has); };
    std::vector<const ResultColumn*> shown;
    const auto add = [&](ColumnRole role) {
        for (const auto* column : metric_columns())
            if (column->role == role && column->has(ResultColumn::on_terminal)) shown.push_back(column);
    };
    if (some(is_collection)) add(ColumnRole::score);
    if (shown.empty() || !std::all_of(cells.begin(), cells.end(), is_collection)) add(ColumnRole::error);
    if (some(has_anchors)) add(ColumnRole::anchors);
    return shown;
}

}  // namespace

void set_swept(ResultRow& row, const Settings& swept) {
    row.swept = swept;
    row.case_label = value_of(swept, case_key);
}

std::string csv_cell(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"') quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}

std::string csv(const std::vector<std::vector<std::string>>& lines) {
    std::string text;
    for (const auto& line : lines) {
        for (std::size_t i = 0; i < line.size(); ++i) {
            if (i != 0) text += ',';
            text += csv_cell(line[i]);
        }
        text += '\n';
    }
    return text;
}

std::string markdown(std::vector<std::vector<std::string>> lines, std::vector<bool> right) {
    right.resize(lines.front().size());
    for (auto& line : lines) {
        line.resize(std::max(line.size(), right.size()));
        line = escaped(std::move(line));
    }
    const auto widths = widths_of(lines);
    std::string text;
    for (std::size_t row = 0; row < lines.size(); ++row) {
        text += '|';
        for (std::size_t i = 0; i < widths.size(); ++i)
            text += ' ' + padded(lines[row][i], widths[i], right[i]) + " |";
        text += '\n';
        if (row != 0) continue;
        text += '|';
        for (std::size_t i = 0; i < widths.size(); ++i)
            text += ' ' + std::string(widths[i] - 1, '-') + (right[i] ? ":" : "-") + " |";
        text += '\n';
    }
    return text;
}

std::string aligned(const std::vector<std::vector<std::string>>& lines, std::vector<bool> right) {
    auto widths = widths_of(lines);
    if (lines.front().front().empty()) widths.front() = 1;  // of marks
    right.resize(widths.size());
    std::string text;
    for (const auto& line : lines) {
        std::string row;
        for (std::size_t i = 0; i < line.size(); ++i) row += padded(line[i], widths[i], right[i]) + "  ";
        row.erase(row.find_last_not_of(' ') + 1);
        text += row + '\n';
    }
    return text;
}

std::string results_csv(const std::vector<ResultRow>& rows) { return result_table(rows, true).csv(rows); }

std::string results_markdown(const std::vector<ResultRow>& rows) {
    return result_table(rows, false).markdown(rows);
}

std::string summary_csv(const std::vector<Cell>& cells) {
    TextTable<Cell> table;
    add_settings(table, cells);
    table.add("runs", [](const Cell& cell) { return std::to_string(cell.runs); });
    table.add("n", [](const Cell& cell) { return std::to_string(cell.n); });
    const auto add = [&](const ResultColumn& column) {
        const auto metric = column.real();
        const std::string name = column.name;
        table.add(name + "_mean", [=](const Cell& cell) { return shortest(cell.of_metric(metric).mean); });
        table.add(name + "_sd", [=](const Cell& cell) {
            return cell.of_metric(metric).n < 2 ? "" : shortest(cell.of_metric(metric).sd);
        });
    };
    for (const auto* column : metric_columns())
        if (!column->has(ResultColumn::later)) add(*column);
    table.add("best", [](const Cell& cell) { return cell.best ? "yes" : "no"; });
    table.add("backbone", [](const Cell& cell) { return cell.backbone; });
    table.add("finished_early", [](const Cell& cell) { return std::to_string(cell.early); });
    for (const auto& column : result_columns)  // new columns come last
        if (!column.has(ResultColumn::later))
            continue;
        else if (column.real() != nullptr && is_summarised(column, cells))
            add(column);
        else if (std::string_view(column.name) == precision_column && any_precision(cells))
            table.add(precision_column, [](const Cell& cell) { return cell.precision; });
    return table.csv(cells);
}

std::string summary_markdown(const std::vector<Cell>& cells) {
    TextTable<Cell> table;
    add_settings(table, cells);
    table.add("n", [](const Cell& cell) { return std::to_string(cell.n); });
    for (const auto* column : metric_columns())
        if (is_summarised(*column, cells))
            table.add(column->name, [column](const Cell& cell) {
                return statistic_text(*column, cell.of_metric(column->real()));
            });
    table.add(
        "best", [](const Cell& cell) { return cell.best ? "**best**" : ""; }, false);
    table.add(
        "backbone", [](const Cell& cell) { return cell.backbone; }, false);
    if (any_precision(cells))
        table.add(
            precision_column, [](const Cell& cell) { return cell.precision; }, false);
    return table.markdown(cells) +
           "\nMean ± sample standard deviation over n runs that differ in the seed. Best: lowest mean "
           "val_mse (collections of series: val_smape) among the rows with the same data and horizon.\n" +
           mixed_text(cells) + early_text(cells);
}

std::string summary_text(const std::vector<Cell>& cells) {
    const auto any = [&](auto has) { return std::any_of(cells.begin(), cells.end(), has); };
    TextTable<Cell> table;
    table.add(
        "", [](const Cell& cell) { return cell.best ? "*" : ""; }, false);
    add_settings(table, cells);
    table.add("runs", runs_text);
    for (const auto* column : terminal_columns(cells))
        table.add(column->is_score() ? column->head : title_in_sentence(*column), [column](const Cell& cell) {
            return cell.only_early ? short_text(*cell.only_early, *column)
                                   : statistic_text(*column, cell.of_metric(column->real()));
        });
    table.add(
        "backbone", [](const Cell& cell) { return cell.backbone; }, false);
    if (any_precision(cells))
        table.add(
            precision_column, [](const Cell& cell) { return cell.precision; }, false);
    auto text = table.aligned(cells);
    if (any([](const Cell& cell) { return cell.best; }))
        text += any([](const Cell& cell) { return cell.of_metric(&ResultRow::val_smape).n > 0; })
                    ? "* lowest mean validation MSE (collections of series: sMAPE) among the rows with the "
                      "same data and horizon\n"
                    : "* lowest mean validation MSE among the rows with the same data and horizon\n";
    if (any([](const Cell& cell) { return cell.backbone.find("untrained") != std::string::npos; }))
        text +=
            "backbone untrained: random weights, not a language model; these numbers do not apply to GPT-2\n";
    return text + mixed_text(cells) + early_text(cells);
}

std::vector<ResultRow> collect_rows(const std::filesystem::path& batch_folder,
                                    const std::vector<std::string>& runs) {
    std::vector<ResultRow> rows;
    for (const auto& run : runs)
        if (auto status = read_run_status(RunFolder(batch_folder / run)))
            rows.push_back(std::move(status->row));
    return rows;
}

std::map<std::string, std::string> table_texts(const std::vector<ResultRow>& rows,
                                               const std::vector<Cell>& cells) {
    return {{"results.csv", results_csv(rows)},
            {"results.md", results_markdown(rows)},
            {"summary.csv", summary_csv(cells)},
            {"summary.md", summary_markdown(cells)}};
}

}  // namespace casp::store
