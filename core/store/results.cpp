#include "store/results.h"

#include <algorithm>
#include <stdexcept>

#include "store/atomic_file.h"
#include "store/result_columns.h"
#include "store/run_folder.h"
#include "util/units.h"

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

struct ValueText {
    const ResultRow& row;
    bool exact;          ///< for the CSV
    bool measured;       ///< a result
    bool score = false;  ///< of M4

    std::string operator()(std::string ResultRow::*member) const { return row.*member; }
    std::string operator()(RunState ResultRow::*member) const { return std::string(to_string(row.*member)); }
    std::string operator()(std::int64_t ResultRow::*member) const {
        const auto value = row.*member;
        if (measured && value < 0) return exact ? "" : "–";
        return std::to_string(value);
    }
    std::string operator()(double ResultRow::*member) const {
        const double value = row.*member;
        if (exact) return shortest(value);
        if (score) return score_text(value);
        return measured || value != value ? four_digits(value) : shortest(value);
    }
};

std::string memory_text(std::int64_t bytes, bool exact) {
    if (bytes < 0) return exact ? "" : "–";
    return exact ? std::to_string(bytes) : bytes_text(bytes);
}

/// Tables of earlier versions have no column for it.
template <class RowOrCell>
bool any_precision(const std::vector<RowOrCell>& rows) {
    return std::any_of(rows.begin(), rows.end(), [](const auto& row) { return !row.precision.empty(); });
}

TextTable<ResultRow> result_table(const std::vector<ResultRow>& rows, bool exact) {
    TextTable<ResultRow> table;
    const auto add = [&](const std::vector<ResultColumn>& columns, bool score) {
        for (const auto& column : columns) {
            const bool number = std::holds_alternative<std::int64_t ResultRow::*>(column.member) ||
                                std::holds_alternative<double ResultRow::*>(column.member);
            table.add(
                column.name,
                [=](const ResultRow& row) {
                    return std::visit(ValueText{row, exact, column.measured, score}, column.member);
                },
                number && !score);
        }
    };
    add(result_columns(), false);
    for (const auto& key : swept_keys(rows))
        if (key != case_key && column_for_key(key) == key)
            table.add(
                key, [key](const ResultRow& row) { return value_of(row.swept, key); }, false);
    if (exact ||
        std::any_of(rows.begin(), rows.end(), [](const auto& row) { return !row.case_label.empty(); }))
        table.add(
            case_key, [](const ResultRow& row) { return row.case_label; }, false);
    table.add(
        peak_memory_column, [exact](const ResultRow& row) { return memory_text(row.peak_memory, exact); },
        false);
    if (std::any_of(rows.begin(), rows.end(), has_scores)) add(score_columns(), true);
    if (any_precision(rows))
        table.add(
            precision_column, [](const auto& row) { return row.precision; }, false);
    return table;
}

/// Note on runs with results that are not included in the means; empty if there are none.
std::string early_text(const std::vector<Cell>& cells) {
    std::int64_t early = 0;
    for (const auto& cell : cells) early += cell.early;
    if (early == 0) return {};
    return (early == 1
                ? "1 run was finished early, with fewer training steps than its settings specify: it is"
                : std::to_string(early) +
                      " runs were finished early, with fewer training steps than their settings specify: "
                      "they "
                      "are") +
           std::string(" not included in the means; results.csv has the numbers\n");
}

/// Note on means over runs of different precisions; empty if there are none.
std::string mixed_text(const std::vector<Cell>& cells) {
    const auto is_mixed = [](const Cell& cell) { return cell.precision.find(" + ") != std::string::npos; };
    return std::any_of(cells.begin(), cells.end(), is_mixed)
               ? "Means over runs of different precisions (column precision): compare them with care.\n"
               : "";
}

bool has_anchors(const Cell& cell) {
    return cell.usage_entropy.n > 0 || (cell.only_early && cell.only_early->usage_entropy >= 0);
}

/// The statistics that a table of these cells shows.
std::vector<StatisticColumn> shown_statistics(const std::vector<Cell>& cells) {
    auto columns = statistic_columns();
    if (std::none_of(cells.begin(), cells.end(), [](const Cell& cell) { return cell.test_smape.n > 0; }))
        std::erase_if(columns, is_score);
    return columns;
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
    return cell.only_early ? runs + ", 1 finished early" : runs;
}

/// A column of the terminal's table.
struct ShownColumn {
    const char* title;
    double ResultRow::*of_row;
    Statistic Cell::*of_cell;
    bool is_score = false;

    std::string operator()(const Cell& cell) const {
        if (!cell.only_early) return is_score ? score_and_sd(cell.*of_cell) : mean_and_sd(cell.*of_cell);
        const double value = (*cell.only_early).*of_row;
        return is_score ? score_text(value) : four_digits(value);
    }
};

std::vector<ShownColumn> shown_columns(const std::vector<Cell>& cells) {
    const auto is_collection = [](const Cell& cell) {
        return cell.test_smape.n > 0 || (cell.only_early && has_scores(*cell.only_early));
    };
    const bool scores = std::any_of(cells.begin(), cells.end(), is_collection);
    std::vector<ShownColumn> shown;
    if (scores)
        shown = {{"sMAPE", &ResultRow::test_smape, &Cell::test_smape, true},
                 {"MASE", &ResultRow::test_mase, &Cell::test_mase, true},
                 {"OWA", &ResultRow::test_owa, &Cell::test_owa, true}};
    if (!scores || !std::all_of(cells.begin(), cells.end(), is_collection))
        shown.insert(shown.end(), {{"test MSE", &ResultRow::test_mse, &Cell::test_mse},
                                   {"test MAE", &ResultRow::test_mae, &Cell::test_mae},
                                   {"persistence MSE", &ResultRow::last_value_mse, &Cell::last_value_mse}});
    if (std::any_of(cells.begin(), cells.end(), has_anchors))
        shown.insert(shown.end(), {{"usage entropy", &ResultRow::usage_entropy, &Cell::usage_entropy},
                                   {"key cosine", &ResultRow::key_cosine, &Cell::key_cosine}});
    return shown;
}

}  // namespace

void set_swept(ResultRow& row, const Settings& swept) {
    row.swept = swept;
    row.case_label = value_of(swept, case_key);
}

std::string exact_text(const ResultRow& row, const ResultColumn& column) {
    return std::visit(ValueText{row, true, column.measured}, column.member);
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
    const auto add = [&](bool scores) {
        for (const auto& column : shown_statistics(cells)) {
            if (is_score(column) != scores) continue;
            const auto statistic = column.of_cell;
            const std::string name = column.name;
            table.add(name + "_mean", [=](const Cell& cell) { return shortest((cell.*statistic).mean); });
            table.add(name + "_sd", [=](const Cell& cell) {
                return (cell.*statistic).n < 2 ? "" : shortest((cell.*statistic).sd);
            });
        }
    };
    add(false);
    table.add("best", [](const Cell& cell) { return cell.best ? "yes" : "no"; });
    table.add("backbone", [](const Cell& cell) { return cell.backbone; });
    table.add("finished_early", [](const Cell& cell) { return std::to_string(cell.early); });
    add(true);  // new columns come last
    if (any_precision(cells)) table.add(precision_column, [](const Cell& cell) { return cell.precision; });
    return table.csv(cells);
}

std::string summary_markdown(const std::vector<Cell>& cells) {
    TextTable<Cell> table;
    add_settings(table, cells);
    table.add("n", [](const Cell& cell) { return std::to_string(cell.n); });
    for (const auto& column : shown_statistics(cells))
        table.add(column.name, [column](const Cell& cell) {
            const auto& statistic = cell.*column.of_cell;
            return is_score(column) ? score_and_sd(statistic) : mean_and_sd(statistic);
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
    for (const auto& column : shown_columns(cells)) table.add(column.title, column);
    table.add(
        "backbone", [](const Cell& cell) { return cell.backbone; }, false);
    if (any([](const Cell& cell) { return !cell.precision.empty() && cell.precision != "fp32"; }))
        table.add(
            precision_column, [](const Cell& cell) { return cell.precision; }, false);
    auto text = table.aligned(cells);
    if (any([](const Cell& cell) { return cell.best; }))
        text += "* lowest mean validation MSE among the rows with the same data and horizon\n";
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
