#include "data/csv_import.h"

#include <algorithm>
#include <cmath>
#include <future>
#include <new>
#include <system_error>
#include <tuple>

#include "data/clock_columns.h"
#include "data/csv_detect.h"
#include "data/csv_encoding.h"
#include "data/csv_index.h"
#include "data/csv_parse.h"
#include "data/csv_settings.h"
#include "data/csv_text.h"
#include "data/file_bytes.h"
#include "data/foreign_format.h"
#include "data/table_checks.h"
#include "util/digest.h"
#include "util/error.h"
#include "util/parallel.h"

namespace casp::data {

namespace {

void check_options(const CsvOptions& options) {
    const auto bad_sign = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '\n' ||
               c == '\r' || c == '+' || c == '-' || c == '.';
    };
    if (options.delimiter && (bad_sign(*options.delimiter) || *options.delimiter == '\0'))
        throw input_error("delimiter",
                          Phrase("'%1' can be part of a number or a line end", *options.delimiter),
                          "a sign such as , ; | or a tab");
    if (options.quote && bad_sign(*options.quote))
        throw input_error("quote", Phrase("'%1' cannot enclose cells", *options.quote),
                          "a sign such as \" or '");
    if (options.delimiter && options.quote && *options.delimiter == *options.quote)
        throw input_error("delimiter", "delimiter and quote are the same sign", "two signs",
                          "Choose another one for one of them.");
    if (options.decimal && *options.decimal != '.' && *options.decimal != ',')
        throw input_error("decimal", std::string("'") + *options.decimal + "'", "'.' or ','");
    if (options.decimal && options.thousands && *options.decimal == *options.thousands)
        throw input_error("thousands", "decimal and thousands separator are the same sign", "two signs",
                          "Choose another one for one of them.");
}

/// To six digits, for a message.
double to_six_digits(double value) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.6g", value);
    return std::strtod(digits, nullptr);
}

void warn_of_cells(Table& table, const std::string& name, const CellNotes& notes) {
    const auto& [missing, nan, infinite, bad] = notes;
    if (missing.count > 0)
        table.warnings.push_back(
            {WarningKind::missing_value, missing.first.front().first, name, missing.count,
             missing.count == 1
                 ? Phrase("column \"%1\" has %2 missing cell", name, missing.count)
                 : Phrase("column \"%1\" has %2 missing cells, the first here", name, missing.count)});
    if (nan.count > 0)
        table.warnings.push_back(
            {WarningKind::not_a_number, nan.first.front().first, name, nan.count,
             nan.count == 1 ? Phrase("column \"%1\" has NaN in %2 cell; counted as missing", name, nan.count)
                            : Phrase("column \"%1\" has NaN in %2 cells, the first here; counted as missing",
                                     name, nan.count)});
    add_warnings(
        table, WarningKind::infinite, name, infinite, "infinite values",
        [](const std::string& text) { return Phrase("\"%1\" is infinite; counted as missing", text); });
    add_warnings(
        table, WarningKind::bad_number, name, bad, "cells that are no numbers",
        [](const std::string& text) { return Phrase("\"%1\" is no number; counted as missing", text); });
}

/// Whether all texts are the same, as a marker of missing values is.
bool is_one_text(const Tally& texts) {
    return std::ranges::all_of(texts.first,
                               [&](const auto& one) { return one.second == texts.first.front().second; });
}

/// A column of numbers of rows or of elapsed time gives the step from row to row.
void use_counter(Table& table, const Layout& layout, const ColumnLayout& column,
                 const std::vector<double>& values) {
    const double step = values[1] - values[0];
    table.row_numbers = RowNumbers{column.named ? column.name : "", values.front(), step};
    const double unit = elapsed_unit(column.name);
    if (!layout.has_time() && unit > 0) {
        auto seconds = values;  // rising, as usual_step() expects them
        for (double& value : seconds) value *= step < 0 ? -unit : unit;
        const bool even = rises_evenly(values);
        table.step = {even ? std::fabs(step) * unit : usual_step(seconds).seconds};
    }
}

/// What was found where no column is left, with the first one that holds text.
Phrase no_numbers(const Table& table) {
    const auto& warnings = table.warnings;
    const auto at = std::ranges::find_if(warnings, [](const Warning& warning) {
        return warning.kind == WarningKind::text_column && warning.line > 0;
    });
    return at == warnings.end() ? Phrase("no column holds numbers")
                                : Phrase("no column holds numbers; %1", at->text);
}

/// Turns numeric columns into channels; leaves out those without numbers and row numbers.
void build_columns(Table& table, Cells& cells, const Layout& layout, const std::string& where,
                   const CsvOptions& options) {
    std::size_t next = 0;
    std::vector<Column> counters;  // left out, unless nothing else is there
    std::vector<Warning> counter_warnings;
    for (std::size_t j = 0; j < layout.columns.size(); ++j) {
        const auto& column = layout.columns[j];
        if (column.role != Role::number) continue;
        NumberColumn& from = cells.numbers[next++];
        if (layout.is_time_number(static_cast<int>(j))) {
            warn_of_cells(table, column.name, from.notes);
            continue;
        }
        const std::int64_t absent = from.notes.count();
        const auto& bad = from.notes.bad;
        const std::int64_t good = cells.rows - absent;
        const auto warning = [&](WarningKind kind, const Phrase& why, std::int64_t line = 0) {
            return Warning{kind, line, column.name, 1, Phrase("column \"%1\" %2", column.name, why)};
        };
        if (bad.count > good && (good * 10 < bad.count || !is_one_text(bad))) {
            const auto& [line, text] = bad.first.front();
            table.warnings.push_back(
                warning(WarningKind::text_column,
                        Phrase("holds text (\"%1\" in line %2, and %3 of %4 cells) and is left out; "
                               "data.csv.missing lists texts that stand for missing values",
                               text, line, bad.count, cells.rows),
                        line));
            continue;
        }
        if (good == 0) {
            table.warnings.push_back(warning(WarningKind::missing_value, "has no values and is left out"));
            continue;
        }
        switch (counter_kind(layout, column, from.values, options)) {
            case Counter::row_numbers:
                counter_warnings.push_back(
                    warning(WarningKind::index_column,
                            elapsed_unit(column.name) >= 0 && !suggests_row_numbers(column.name)
                                ? "rises as elapsed time does and is left out (data.csv.row_numbers keeps it)"
                                : "holds row numbers and is left out"));
                counters.push_back({column.name, std::move(from.values), absent});
                if (!table.row_numbers) use_counter(table, layout, column, counters.back().values);
                continue;
            case Counter::channel: {
                const double mean =
                    (from.values.back() - from.values.front()) / static_cast<double>(from.values.size() - 1);
                table.warnings.push_back(warning(
                    WarningKind::clock_channel,
                    rises_evenly(from.values)
                        ? Phrase(
                              "rises by %1 on every row, as a clock or counter does: if it is one, leave it "
                              "out with data.columns, since it is easy to forecast and lowers the errors",
                              number_text(to_six_digits(mean)))
                        : Phrase(
                              "rises by 1 on most rows, as a clock or counter does: if it is one, leave it "
                              "out with data.columns, since it is easy to forecast and lowers the errors")));
                break;
            }
            case Counter::no:
                break;
        }
        warn_of_cells(table, column.name, from.notes);
        table.columns.push_back({column.name, std::move(from.values), absent});
    }
    const bool other_text = std::ranges::any_of(
        table.warnings, [](const Warning& w) { return w.kind == WarningKind::text_column; });
    if (table.columns.empty() && !counters.empty() && !other_text) {
        table.columns = std::move(counters);
        table.row_numbers.reset();
    } else {
        for (auto& warning : counter_warnings) {
            table.readings.push_back({"row numbers", warning.column, "rises evenly", "data.csv.row_numbers"});
            table.warnings.push_back(std::move(warning));
        }
    }
    if (table.columns.empty())
        throw input_error(where, no_numbers(table), "at least one numeric column",
                          layout.dialect.delimiter == '\t'
                              ? Phrase("Read with '\\t' between the cells and '%1' as decimal separator. If "
                                       "these are wrong, set data.csv.delimiter and data.csv.decimal.",
                                       layout.dialect.decimal)
                              : Phrase("Read with '%1' between the cells and '%2' as decimal separator. If "
                                       "these are wrong, set data.csv.delimiter and data.csv.decimal.",
                                       std::string(1, layout.dialect.delimiter), layout.dialect.decimal));
}

void warn_of_rows(Table& table, const Cells& cells, std::size_t width) {
    const std::string columns = std::to_string(width);
    add_warnings(table, WarningKind::ragged_row, "", cells.short_rows, "short rows",
                 [&](const std::string& cells_here) {
                     return Phrase("the row has %1 of %2 cells; the rest counts as missing", cells_here,
                                   columns);
                 });
    add_warnings(table, WarningKind::ragged_row, "", cells.long_rows, "long rows",
                 [&](const std::string& cells_here) {
                     return Phrase("the row has %1 cells instead of %2; the last ones are not read",
                                   cells_here, columns);
                 });
    add_warnings(table, WarningKind::ragged_row, "", cells.empty_lines, "empty lines",
                 [](const std::string&) { return "an empty line between rows is left out"; });
    add_warnings(table, WarningKind::no_row, "", cells.left_out, "lines that are no rows",
                 [&](const std::string& text) {
                     const bool names = text.find_first_of("0123456789") == std::string::npos &&
                                        std::ranges::count(text, table.format.delimiter) > 0;
                     return names
                                ? Phrase(
                                      "\"%1\" is no row of the table and is left out; if other columns begin "
                                      "here, the rows below it are in the wrong ones: make two files of it",
                                      text)
                                : Phrase("\"%1\" is no row of the table and is left out", text);
                 });
}

/// Whether all cells of a column that are no numbers are some with this thousands sign, near the others.
bool has_thousands(const NumberColumn& column, char decimal, char sign) {
    const auto& bad = column.notes.bad.first;
    if (bad.empty()) return false;
    double largest = 0;
    for (const double value : column.values)
        if (std::fabs(value) > largest) largest = std::fabs(value);
    const bool near = largest >= 100 && largest < 1000;  // else "1,234" may be a decimal in another country
    return (near || sign == ' ' || sign == '\'') && std::ranges::all_of(bad, [&](const auto& cell) {
               double value = 0;
               return read_number(cell.second.english(), decimal, value, sign) == CellKind::number;
           });
}

/// Decimal and thousands sign for numbers that the sample of the file did not have: "1.002" in the winter.
std::optional<std::pair<char, char>> late_signs(const Cells& cells, const Layout& layout,
                                                const CsvOptions& options) {
    if (layout.dialect.thousands != '\0' || options.thousands || options.decimal) return {};
    const char decimal = layout.dialect.decimal, other = decimal == '.' ? ',' : '.';
    std::size_t next = 0;
    for (const auto& column : layout.columns) {
        if (column.role != Role::number) continue;
        const auto& from = cells.numbers[next++];
        if (column.whole && has_late_groups(from.values)) return std::pair(other, decimal);
        for (const char sign : {other, ' ', '\''})
            if (has_thousands(from, decimal, sign)) return std::pair(decimal, sign);
    }
    return {};
}

/// Says of signs that were found late why they were used.
Table with_late_signs(Table table) {
    for (auto& reading : table.readings)
        if (reading.key == "data.csv.decimal" || reading.key == "data.csv.thousands")
            reading.why = "numbers further down need it";
    return table;
}

Table parse(std::string_view bytes, const std::string& where, const CsvOptions& options,
            const ProgressFn& progress, const std::stop_token& stop) {
    check_options(options);
    if (bytes.empty()) throw input_error(where, "the file is empty", "a table of numbers", export_again);
    if (const auto* other = foreign_format(bytes)) throw foreign_error(*other, where, "a CSV file");
    const int threads = thread_count(options.threads);
    Table table;
    const Text text = decode(bytes, where, options, table);
    if (text.view.empty()) throw input_error(where, "the file is empty", "a table of numbers", export_again);

    const auto beginning = find_beginning(text.view, options);
    const auto body = text.view.substr(beginning.offset);
    if (body.empty())
        throw input_error(where, "the file holds no rows", "a table of numbers",
                          advice_without_rows(options));
    const Dialect dialect = detect_dialect(body, beginning, options, table.readings, table.warnings);
    auto chunks = index_records(body, dialect, where, options.max_line_bytes, threads, stop);
    for (auto& chunk : chunks) chunk.first_line += beginning.line - 1;
    const Layout layout = detect_layout(chunks, dialect, beginning, where, options);
    table.format.delimiter = layout.dialect.delimiter;
    table.format.decimal = layout.dialect.decimal;
    table.format.quote = layout.dialect.quote;
    table.format.has_header = layout.has_header;
    for (const auto& column : layout.columns) table.header.push_back(column.name);
    table.warnings.insert(table.warnings.end(), layout.warnings.begin(), layout.warnings.end());
    table.readings.insert(table.readings.end(), layout.readings.begin(), layout.readings.end());

    const auto report = [&](std::int64_t done) {
        if (progress)
            progress({{Stage::importing, where}, done, static_cast<std::int64_t>(text.view.size()), "bytes"});
    };
    Cells cells = parse_cells(chunks, layout, where, threads, report, stop);
    if (cells.rows == 0)
        throw input_error(where, "the file holds no rows", "at least one row of numbers",
                          advice_without_rows(options));
    if (const auto signs = late_signs(cells, layout, options)) {
        auto again = options;
        std::tie(again.decimal, again.thousands) = *signs;
        return with_late_signs(parse(bytes, where, again, progress, stop));
    }
    table.line_anchors = std::move(cells.line_anchors);
    warn_of_rows(table, cells, layout.columns.size());
    build_columns(table, cells, layout, where, options);
    build_time_axis(table, cells, layout, options);
    if (!table.time.empty()) check_time(table);
    check_clock_channels(table);
    check_direction(table);
    throw_if_stopped(stop);
    check_columns(table, threads);
    report(static_cast<std::int64_t>(text.view.size()));
    return table;
}

Table parse_with_digest(std::string_view bytes, const std::string& where, const CsvOptions& options,
                        const ProgressFn& progress, const std::stop_token& stop) {
    std::future<std::string> sha256;
    const auto work = [bytes] { return sha256_of(bytes); };
    if (options.digest) try {
            sha256 = std::async(std::launch::async, work);
        } catch (const std::system_error&) {
            sha256 = std::async(std::launch::deferred, work);  // no thread is available
        }
    try {
        Table table = parse(bytes, where, options, progress, stop);
        if (sha256.valid()) table.sha256 = sha256.get();
        return table;
    } catch (const std::bad_alloc&) {
        throw input_error(where, "the table does not fit into memory", {},
                          "Close other programs, or use a machine with more memory.");
    }
}

}  // namespace

Table import_csv(const std::filesystem::path& path, const CsvOptions& options, const ProgressFn& progress,
                 std::stop_token stop) {
    const Bytes bytes = read_file(path, thread_count(options.threads), progress, stop);
    Table table = parse_with_digest(bytes.view(), path.string(), options, progress, stop);
    table.path = path;
    if (!bytes.unpacked_from.empty())
        table.readings.insert(table.readings.begin(), {"unpacked", bytes.unpacked_from, {}, {}});
    return table;
}

Table parse_csv(std::string_view bytes, const std::string& where, const CsvOptions& options,
                const ProgressFn& progress, std::stop_token stop) {
    return parse_with_digest(bytes, where, options, progress, stop);
}

}  // namespace casp::data
