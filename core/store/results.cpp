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

/// Swept keys of all rows without a fixed column, in order of first appearance.
std::vector<std::string> other_keys(const std::vector<ResultRow>& rows) {
    std::vector<std::string> keys;
    for (const auto& row : rows)
        for (const auto& [key, value] : row.swept)
            if (key != case_key && column_for_key(key) == key &&
                std::find(keys.begin(), keys.end(), key) == keys.end())
                keys.push_back(key);
    return keys;
}

/// Swept keys of the cells, except those shown in the columns `data` and `horizon`.
std::vector<std::string> cell_keys(const std::vector<Cell>& cells) {
    std::vector<std::string> keys;
    for (const auto& cell : cells)
        for (const auto& [key, value] : cell.swept)
            if (key != "data.path" && key != "data.horizon" &&
                std::find(keys.begin(), keys.end(), key) == keys.end())
                keys.push_back(key);
    return keys;
}

std::string value_of(const std::vector<std::pair<std::string, std::string>>& swept, const std::string& key) {
    for (const auto& [name, value] : swept)
        if (name == key) return value;
    return {};
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

std::vector<Line> result_lines(const std::vector<ResultRow>& rows, bool exact) {
    const auto others = other_keys(rows);
    const bool shows_scores = std::any_of(rows.begin(), rows.end(), has_scores);
    std::vector<Line> lines(1);
    for (const auto& column : result_columns()) lines[0].emplace_back(column.name);
    lines[0].insert(lines[0].end(), others.begin(), others.end());
    const bool shows_cases = exact || std::any_of(rows.begin(), rows.end(), [](const ResultRow& row) {
                                 return !row.case_label.empty();
                             });
    if (shows_cases) lines[0].emplace_back(case_key);
    lines[0].emplace_back(peak_memory_column);
    if (shows_scores)
        for (const auto& column : score_columns()) lines[0].emplace_back(column.name);
    const bool shows_precision = any_precision(rows);
    if (shows_precision) lines[0].emplace_back(precision_column);
    for (const auto& row : rows) {
        Line line;
        const auto add = [&](const std::vector<ResultColumn>& columns, bool score) {
            for (const auto& column : columns)
                line.push_back(std::visit(ValueText{row, exact, column.measured, score}, column.member));
        };
        add(result_columns(), false);
        for (const auto& key : others) line.push_back(value_of(row.swept, key));
        if (shows_cases) line.push_back(row.case_label);
        line.push_back(memory_text(row.peak_memory, exact));
        if (shows_scores) add(score_columns(), true);
        if (shows_precision) line.push_back(row.precision);
        lines.push_back(std::move(line));
    }
    return lines;
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

}  // namespace

void set_swept(ResultRow& row, const std::vector<std::pair<std::string, std::string>>& swept) {
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

std::string results_csv(const std::vector<ResultRow>& rows) { return csv(result_lines(rows, true)); }

std::string results_markdown(const std::vector<ResultRow>& rows) {
    const auto lines = result_lines(rows, false);
    std::vector<bool> right(lines.front().size(), false);
    for (std::size_t i = 0; i < result_columns().size(); ++i)
        right[i] = std::holds_alternative<std::int64_t ResultRow::*>(result_columns()[i].member) ||
                   std::holds_alternative<double ResultRow::*>(result_columns()[i].member);
    return markdown(lines, right);
}

std::string summary_csv(const std::vector<Cell>& cells) {
    const auto keys = cell_keys(cells);
    std::vector<StatisticColumn> first, scores;  // new columns come last
    for (const auto& column : shown_statistics(cells)) (is_score(column) ? scores : first).push_back(column);
    std::vector<Line> lines{{"data", "horizon"}};
    for (const auto& key : keys) lines[0].push_back(column_for_key(key));
    lines[0].insert(lines[0].end(), {"runs", "n"});
    const auto add_names = [&](const std::vector<StatisticColumn>& columns) {
        for (const auto& column : columns)
            for (const char* suffix : {"_mean", "_sd"}) lines[0].push_back(std::string(column.name) + suffix);
    };
    add_names(first);
    lines[0].insert(lines[0].end(), {"best", "backbone", "finished_early"});
    add_names(scores);
    const bool shows_precision = any_precision(cells);
    if (shows_precision) lines[0].emplace_back(precision_column);
    for (const auto& cell : cells) {
        Line line{cell.data, std::to_string(cell.horizon)};
        for (const auto& key : keys) line.push_back(value_of(cell.swept, key));
        line.push_back(std::to_string(cell.runs));
        line.push_back(std::to_string(cell.n));
        const auto add_numbers = [&](const std::vector<StatisticColumn>& columns) {
            for (const auto& column : columns) {
                const auto& statistic = cell.*column.of_cell;
                line.push_back(shortest(statistic.mean));
                line.push_back(statistic.n < 2 ? "" : shortest(statistic.sd));
            }
        };
        add_numbers(first);
        line.emplace_back(cell.best ? "yes" : "no");
        line.push_back(cell.backbone);
        line.push_back(std::to_string(cell.early));
        add_numbers(scores);
        if (shows_precision) line.push_back(cell.precision);
        lines.push_back(std::move(line));
    }
    return csv(lines);
}

std::string summary_markdown(const std::vector<Cell>& cells) {
    const auto keys = cell_keys(cells);
    std::vector<Line> lines{{"data", "horizon"}};
    std::vector<bool> right{false, true};
    for (const auto& key : keys) {
        lines[0].push_back(column_for_key(key));
        right.push_back(true);
    }
    lines[0].emplace_back("n");
    const auto columns = shown_statistics(cells);
    for (const auto& column : columns) lines[0].emplace_back(column.name);
    right.resize(lines[0].size(), true);
    lines[0].insert(lines[0].end(), {"best", "backbone"});
    const bool shows_precision = any_precision(cells);
    if (shows_precision) lines[0].emplace_back(precision_column);
    right.resize(lines[0].size(), false);
    for (const auto& cell : cells) {
        Line line{cell.data, std::to_string(cell.horizon)};
        for (const auto& key : keys) line.push_back(value_of(cell.swept, key));
        line.push_back(std::to_string(cell.n));
        for (const auto& column : columns) {
            const auto& statistic = cell.*column.of_cell;
            line.push_back(is_score(column) ? score_and_sd(statistic) : mean_and_sd(statistic));
        }
        line.emplace_back(cell.best ? "**best**" : "");
        line.push_back(cell.backbone);
        if (shows_precision) line.push_back(cell.precision);
        lines.push_back(std::move(line));
    }
    return markdown(lines, right) +
           "\nMean ± sample standard deviation over n runs that differ in the seed. Best: lowest mean "
           "val_mse (collections of series: val_smape) among the rows with the same data and horizon.\n" +
           mixed_text(cells) + early_text(cells);
}

std::string summary_text(const std::vector<Cell>& cells) {
    const auto keys = cell_keys(cells);
    std::vector<Line> lines{{"", "data", "horizon"}};
    for (const auto& key : keys) lines[0].push_back(column_for_key(key));
    const auto is_collection = [](const Cell& cell) {
        return cell.test_smape.n > 0 || (cell.only_early && has_scores(*cell.only_early));
    };
    const bool scores = std::any_of(cells.begin(), cells.end(), is_collection);
    const bool errors = !scores || !std::all_of(cells.begin(), cells.end(), is_collection);
    lines[0].emplace_back("runs");
    struct Shown {
        const char* title;
        double ResultRow::*of_row;
        Statistic Cell::*of_cell;
        bool is_score;
    };
    std::vector<Shown> shown;
    if (scores)
        shown = {{"sMAPE", &ResultRow::test_smape, &Cell::test_smape, true},
                 {"MASE", &ResultRow::test_mase, &Cell::test_mase, true},
                 {"OWA", &ResultRow::test_owa, &Cell::test_owa, true}};
    if (errors)
        shown.insert(shown.end(),
                     {{"test MSE", &ResultRow::test_mse, &Cell::test_mse, false},
                      {"test MAE", &ResultRow::test_mae, &Cell::test_mae, false},
                      {"persistence MSE", &ResultRow::last_value_mse, &Cell::last_value_mse, false}});
    if (std::any_of(cells.begin(), cells.end(), has_anchors))
        shown.insert(shown.end(), {{"usage entropy", &ResultRow::usage_entropy, &Cell::usage_entropy, false},
                                   {"key cosine", &ResultRow::key_cosine, &Cell::key_cosine, false}});
    for (const auto& column : shown) lines[0].emplace_back(column.title);
    const bool precisions = std::any_of(cells.begin(), cells.end(), [](const Cell& cell) {
        return !cell.precision.empty() && cell.precision != "fp32";
    });
    lines[0].emplace_back("backbone");
    if (precisions) lines[0].emplace_back(precision_column);
    bool untrained = false, best = false;
    for (const auto& cell : cells) {
        Line line{cell.best ? "*" : "", cell.data, std::to_string(cell.horizon)};
        for (const auto& key : keys) line.push_back(value_of(cell.swept, key));
        const auto* early = cell.only_early ? &*cell.only_early : nullptr;
        std::string runs = std::to_string(cell.n);
        if (cell.n != cell.runs) runs += " of " + std::to_string(cell.runs);
        if (early != nullptr) runs = cell.runs == 1 ? "finished early" : runs + ", 1 finished early";
        line.push_back(std::move(runs));
        for (const auto& [title, of_row, of_cell, is_score] : shown) {
            if (early != nullptr)
                line.push_back(is_score ? score_text(early->*of_row) : four_digits(early->*of_row));
            else
                line.push_back(is_score ? score_and_sd(cell.*of_cell) : mean_and_sd(cell.*of_cell));
        }
        line.push_back(cell.backbone);
        if (precisions) line.push_back(cell.precision);
        lines.push_back(std::move(line));
        untrained = untrained || cell.backbone.find("untrained") != std::string::npos;
        best = best || cell.best;
    }
    std::vector<bool> right(lines.front().size(), true);
    right[0] = right[1] = right.back() = false;
    if (precisions) right[right.size() - 2] = false;
    auto text = aligned(lines, right);
    if (best) text += "* lowest mean validation MSE among the rows with the same data and horizon\n";
    if (untrained)
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

std::vector<Cell> write_tables(const std::filesystem::path& batch_folder,
                               const std::vector<std::string>& runs) {
    return write_tables(batch_folder, collect_rows(batch_folder, runs));
}

std::vector<Cell> write_tables(const std::filesystem::path& batch_folder,
                               const std::vector<ResultRow>& rows) {
    auto cells = summarise(rows);
    for (const auto& [name, text] : table_texts(rows, cells))
        write_file_atomically(batch_folder / name, text);
    return cells;
}

}  // namespace casp::store
