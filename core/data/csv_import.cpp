#include "data/csv_import.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <future>
#include <limits>
#include <new>
#include <system_error>

#include "config/text_utils.h"
#include "data/csv_detect.h"
#include "data/csv_index.h"
#include "data/csv_parse.h"
#include "data/csv_text.h"
#include "data/file_bytes.h"
#include "data/foreign_format.h"
#include "data/table_checks.h"
#include "util/digest.h"
#include "util/error.h"
#include "util/parallel.h"

namespace casp::data {

namespace {

bool starts_with(std::string_view bytes, std::string_view magic) {
    return bytes.substr(0, magic.size()) == magic;
}

/// Decoded text: without byte-order mark, in UTF-8 or Latin-1, with '\n' as line ending.
struct Text {
    std::string_view view;
    Bytes converted;  ///< storage of the text if it is not part of the file's bytes
    bool latin1 = false;
};

Bytes cr_to_lf(std::string_view text) {
    Bytes copy(text.size());
    std::replace_copy(text.begin(), text.end(), copy.data(), '\r', '\n');
    return copy;
}

Text decode(std::string_view bytes, const std::string& where, const CsvOptions& options, Format& format,
            std::vector<Warning>& warnings) {
    using namespace std::string_view_literals;
    Text text;
    std::string encoding = options.encoding.value_or("");
    const bool known = encoding.empty() || encoding == "UTF-8" || encoding == "Latin-1" ||
                       encoding == "UTF-16LE" || encoding == "UTF-16BE";
    if (!known)
        throw input_error(
            "encoding", "\"" + encoding + "\" is not known", "UTF-8, Latin-1, UTF-16LE or UTF-16BE",
            "The nearest is \"" +
                config::nearest_name(encoding, {"UTF-8", "Latin-1", "UTF-16LE", "UTF-16BE"}) + "\".");
    if (starts_with(bytes, "\xEF\xBB\xBF"sv)) {
        format.bom = true;
        bytes.remove_prefix(3);
        if (encoding.empty()) encoding = "UTF-8";
    } else if (starts_with(bytes, "\xFF\xFE"sv) || starts_with(bytes, "\xFE\xFF"sv)) {
        format.bom = true;
        if (encoding.empty()) encoding = bytes[0] == '\xFF' ? "UTF-16LE" : "UTF-16BE";
        bytes.remove_prefix(2);
    } else if (encoding.empty() && bytes.size() >= 4) {
        // UTF-16 without a mark: each digit and letter of the first line has a zero byte.
        if (bytes[0] != 0 && bytes[1] == 0 && bytes[2] != 0 && bytes[3] == 0) encoding = "UTF-16LE";
        if (bytes[0] == 0 && bytes[1] != 0 && bytes[2] == 0 && bytes[3] != 0) encoding = "UTF-16BE";
    }
    if (encoding == "UTF-16LE" || encoding == "UTF-16BE") {
        std::int64_t broken = 0;
        text.converted = utf16_to_utf8(bytes, encoding == "UTF-16BE", broken);
        text.view = text.converted.view();
        if (broken > 0)
            warnings.push_back(
                {WarningKind::encoding, 0, "", broken,
                 std::to_string(broken) + " broken UTF-16 characters were replaced by U+FFFD"});
    } else {
        text.view = bytes;
    }
    if (const void* nul = std::memchr(text.view.data(), '\0', text.view.size()))
        throw input_error(where,
                          "a zero byte at offset " +
                              std::to_string(static_cast<const char*>(nul) - text.view.data()) +
                              ": this is not a text file",
                          "a CSV file", "Give another file, or save this table as CSV.");
    if (std::memchr(text.view.data(), '\n', text.view.size()) == nullptr &&
        std::memchr(text.view.data(), '\r', text.view.size()) != nullptr) {
        text.converted = cr_to_lf(text.view);
        text.view = text.converted.view();
        format.line_ending = "CR";
    } else if (const void* lf = std::memchr(text.view.data(), '\n', text.view.size())) {
        const char* at = static_cast<const char*>(lf);
        if (at > text.view.data() && at[-1] == '\r') format.line_ending = "CRLF";
    }
    // The start is enough: only names and text have letters beyond ASCII, numbers do not depend on it.
    if (encoding.empty()) {
        std::string_view head = text.view.substr(0, 1u << 20u);
        if (head.size() < text.view.size()) head = head.substr(0, head.find_last_of('\n') + 1);
        encoding = valid_utf8(head) ? "UTF-8" : "Latin-1";
        if (encoding == "Latin-1")
            warnings.push_back(
                {WarningKind::encoding, 0, "", 1, "the text is not UTF-8; it was read as Latin-1"});
    }
    text.latin1 = encoding == "Latin-1";
    format.encoding = encoding;
    return text;
}

void check_options(const CsvOptions& options) {
    const auto bad_sign = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '\n' ||
               c == '\r' || c == '+' || c == '-' || c == '.';
    };
    if (options.delimiter && (bad_sign(*options.delimiter) || *options.delimiter == '\0'))
        throw input_error("delimiter",
                          std::string("'") + *options.delimiter + "' can be part of a number or a line end",
                          "a sign such as , ; | or a tab");
    if (options.quote && bad_sign(*options.quote))
        throw input_error("quote", std::string("'") + *options.quote + "' cannot enclose cells",
                          "a sign such as \" or '");
    if (options.delimiter && options.quote && *options.delimiter == *options.quote)
        throw input_error("delimiter", "delimiter and quote are the same sign", "two signs",
                          "Choose another one for one of them.");
    if (options.decimal && *options.decimal != '.' && *options.decimal != ',')
        throw input_error("decimal", std::string("'") + *options.decimal + "'", "'.' or ','");
}

/// Decides between day and month first, and builds the time axis.
void build_time(Table& table, Cells& cells, const Layout& layout, const CsvOptions& options) {
    std::string date_name;
    for (const Role role : {Role::date, Role::clock})
        for (const auto& column : layout.columns)
            if (column.role == role) {
                table.format.time_columns.push_back(column.name);
                if (date_name.empty()) date_name = column.name;
            }
    if (!cells.date.empty()) table.time_cells.last.push_back(cells.last_date);
    if (!cells.clock.empty()) table.time_cells.last.push_back(cells.last_clock);
    table.time_cells.short_dates = cells.short_dates;
    table.time_cells.short_hours = cells.short_hours;
    if (cells.date.empty()) {
        if (!cells.clock.empty()) table.time = std::move(cells.clock);
        return;
    }
    bool swapped = false;
    std::string name = layout.compact_dates ? "year month day" : "ISO 8601";
    if (cells.open_order) {
        if (options.time_style == TimeStyle::day_first || options.time_style == TimeStyle::month_first) {
            swapped = options.time_style == TimeStyle::month_first;
        } else if (cells.first_over_12 != cells.second_over_12) {
            swapped = cells.second_over_12;
        } else {
            const UsualStep day_first = usual_step(cells.date);
            const UsualStep month_first = usual_step(cells.date_swapped);
            const auto quality = [](const UsualStep& s) { return s.count + s.rising; };
            swapped = quality(month_first) > quality(day_first);
            table.warnings.push_back(
                {WarningKind::time_format, 0, date_name, 1,
                 "the dates can be read with the day or with the month first; " +
                     std::string(swapped ? "month first gives the more regular steps and was used"
                                 : quality(day_first) > quality(month_first)
                                     ? "day first gives the more regular steps and was used"
                                     : "both are equally regular, day first was used") +
                     " (data.csv.date_format sets it)"});
        }
        name = swapped ? "month/day/year" : "day/month/year";
        if (cells.year_first) name += " and ISO 8601";
    }
    table.format.time_format = name;
    table.time_cells.month_first = swapped;
    table.time = swapped ? std::move(cells.date_swapped) : std::move(cells.date);
    if (!cells.clock.empty())
        for (std::size_t i = 0; i < table.time.size(); ++i) table.time[i] += cells.clock[i];
    // Dates that are invalid in this order (13/13/2020) are known only now.
    std::int64_t unreadable = 0;
    for (const double t : table.time) unreadable += std::isnan(t) ? 1 : 0;
    if (unreadable > cells.bad_time.count) {
        Tally all;
        for (std::size_t i = 0; i < table.time.size(); ++i)
            if (std::isnan(table.time[i])) all.add(table.line_of(static_cast<std::int64_t>(i)), "");
        cells.bad_time = std::move(all);
    }
    add_warnings(table, WarningKind::bad_number, date_name, cells.bad_time, "times that cannot be read",
                 [&](const std::string& text) {
                     return (text.empty() ? std::string("the cell") : "\"" + text + "\"") +
                            " cannot be read as " + name + "; the row has no time";
                 });
}

/// Row numbers as pandas and R write them: without a name, or called "index" or similar.
bool is_row_numbers(const ColumnLayout& column, const std::vector<double>& values) {
    const auto called = [&](const char* name) { return config::same_name(column.name, name); };
    if (column.named && !called("unnamed: 0") && !called("index") && !called("row") && !called("id") &&
        !called("no") && !called("no."))
        return false;
    if (values.size() < 3 || (values[0] != 0 && values[0] != 1)) return false;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i] != values[0] + static_cast<double>(i)) return false;
    return true;
}

void warn_of_cells(Table& table, const std::string& name, const NumberColumn& from) {
    if (from.missing > 0)
        table.warnings.push_back({WarningKind::missing_value, from.first_missing, name, from.missing,
                                  "column \"" + name + "\" has " + std::to_string(from.missing) +
                                      " missing " + (from.missing == 1 ? "cell" : "cells, the first here")});
    if (from.nan > 0)
        table.warnings.push_back({WarningKind::not_a_number, from.first_nan, name, from.nan,
                                  "column \"" + name + "\" has NaN in " + std::to_string(from.nan) +
                                      (from.nan == 1 ? " cell" : " cells, the first here") +
                                      "; counted as missing"});
    add_warnings(table, WarningKind::infinite, name, from.infinite, "infinite values",
                 [](const std::string& text) { return "\"" + text + "\" is infinite; counted as missing"; });
    add_warnings(table, WarningKind::bad_number, name, from.bad, "cells that are no numbers",
                 [](const std::string& text) { return "\"" + text + "\" is no number; counted as missing"; });
}

/// Turns numeric columns into channels; leaves out those without numbers and row numbers.
void build_columns(Table& table, Cells& cells, const Layout& layout, const std::string& where) {
    std::size_t next = 0;
    for (std::size_t j = 0; j < layout.columns.size(); ++j) {
        const auto& column = layout.columns[j];
        if (column.role != Role::number) continue;
        NumberColumn& from = cells.numbers[next++];
        if (static_cast<int>(j) == layout.unix_column) {
            table.format.time_columns = {column.name};
            table.format.time_format = layout.unix_scale < 1 ? "Unix milliseconds" : "Unix seconds";
            table.time = std::move(from.values);
            for (double& t : table.time) t *= layout.unix_scale;
            table.time_cells.unix_scale = layout.unix_scale;
            warn_of_cells(table, column.name, from);
            continue;
        }
        const std::int64_t absent = from.missing + from.nan + from.infinite.count + from.bad.count;
        const std::int64_t good = cells.rows - absent;
        const auto leave_out = [&](WarningKind kind, const std::string& why) {
            table.warnings.push_back({kind, 0, column.name, 1, "column \"" + column.name + "\" " + why});
        };
        if (from.bad.count > good) {
            leave_out(WarningKind::text_column, "holds text and is left out");
        } else if (good == 0) {
            leave_out(WarningKind::missing_value, "has no values and is left out");
        } else if (layout.has_header && is_row_numbers(column, from.values)) {
            leave_out(WarningKind::index_column, "holds row numbers and is left out");
            table.row_numbers =
                RowNumbers{column.named ? column.name : "", static_cast<std::int64_t>(from.values[0])};
        } else {
            warn_of_cells(table, column.name, from);
            table.columns.push_back({column.name, std::move(from.values), absent});
        }
    }
    if (table.columns.empty())
        throw input_error(
            where, "no column holds numbers", "at least one numeric column",
            std::string("Read with '") +
                (layout.dialect.delimiter == '\t' ? std::string("\\t")
                                                  : std::string(1, layout.dialect.delimiter)) +
                "' between the cells and '" + layout.dialect.decimal +
                "' as decimal separator. If these are wrong, set data.csv.delimiter and data.csv.decimal.");
}

Table parse(std::string_view bytes, const std::string& where, const CsvOptions& options,
            const ProgressFn& progress, const std::stop_token& stop) {
    check_options(options);
    if (bytes.empty()) throw input_error(where, "the file is empty", "a table of numbers", export_again);
    if (const auto* other = foreign_format(bytes))
        throw input_error(where, std::string("this is ") + other->name, "a CSV file", other->advice);
    const int threads = thread_count(options.threads);
    Table table;
    const Text text = decode(bytes, where, options, table.format, table.warnings);
    if (text.view.empty()) throw input_error(where, "the file is empty", "a table of numbers", export_again);

    const Dialect dialect = detect_dialect(text.view, options);
    auto chunks = index_records(text.view, dialect, where, options.max_line_bytes, threads, stop);
    const Layout layout = detect_layout(chunks, dialect, text.latin1, where, options);
    table.format.delimiter = layout.dialect.delimiter;
    table.format.decimal = layout.dialect.decimal;
    table.format.quote = layout.dialect.quote;
    table.format.has_header = layout.has_header;
    table.warnings.insert(table.warnings.end(), layout.warnings.begin(), layout.warnings.end());

    const auto report = [&](std::int64_t done) {
        if (progress)
            progress({"importing " + where, done, static_cast<std::int64_t>(text.view.size()), "bytes"});
    };
    Cells cells = parse_cells(chunks, layout, where, threads, report, stop);
    if (cells.rows == 0)
        throw input_error(where, "the file holds a header and no rows", "at least one row of numbers",
                          export_again);
    table.line_anchors = std::move(cells.line_anchors);

    const std::string columns = std::to_string(layout.columns.size());
    add_warnings(table, WarningKind::ragged_row, "", cells.short_rows, "short rows",
                 [&](const std::string& cells_here) {
                     return "the row has " + cells_here + " of " + columns +
                            " cells; the rest counts as missing";
                 });
    add_warnings(table, WarningKind::ragged_row, "", cells.long_rows, "long rows",
                 [&](const std::string& cells_here) {
                     return "the row has " + cells_here + " cells instead of " + columns +
                            "; the last ones are not read";
                 });
    add_warnings(table, WarningKind::ragged_row, "", cells.empty_lines, "empty lines",
                 [](const std::string&) { return "an empty line between rows is left out"; });
    build_columns(table, cells, layout, where);
    if (table.time.empty()) build_time(table, cells, layout, options);
    check_time(table);
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
    return table;
}

Table parse_csv(std::string_view bytes, const std::string& where, const CsvOptions& options,
                const ProgressFn& progress, std::stop_token stop) {
    return parse_with_digest(bytes, where, options, progress, stop);
}

}  // namespace casp::data
