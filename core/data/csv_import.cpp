#include "data/csv_import.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <future>
#include <limits>
#include <new>
#include <numeric>
#include <system_error>
#include <tuple>
#include <unordered_set>

#include "config/text_utils.h"
#include "data/csv_detect.h"
#include "data/csv_encoding.h"
#include "data/csv_index.h"
#include "data/csv_parse.h"
#include "data/csv_settings.h"
#include "data/csv_text.h"
#include "data/file_bytes.h"
#include "data/foreign_format.h"
#include "data/table_checks.h"
#include "data/time_zone.h"
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
    if (options.decimal && options.thousands && *options.decimal == *options.thousands)
        throw input_error("thousands", "decimal and thousands separator are the same sign", "two signs",
                          "Choose another one for one of them.");
}

/// An order of day, month and year of dates that begin with day, month or a short year.
struct DateOrder {
    TimeStyle style = TimeStyle::day_first;
    std::string why;
};

std::string order_name(TimeStyle order) {
    return order == TimeStyle::year_first    ? "year first"
           : order == TimeStyle::month_first ? "month first"
                                             : "day first";
}

/// The times in this order.
std::vector<double>& times_in(Cells& cells, TimeStyle order) {
    return order == TimeStyle::year_first    ? cells.date_year_first
           : order == TimeStyle::month_first ? cells.date_swapped
                                             : cells.date;
}

/// How regular the times are: rows a step behind the one before or later than it, then rows with the most
/// frequent difference. The newest may be the first.
std::pair<std::int64_t, std::int64_t> regularity(std::vector<double> times) {
    const auto later = [&] {
        std::int64_t rows = 0;
        for (std::size_t i = 1; i < times.size(); ++i) rows += times[i] > times[i - 1] ? 1 : 0;
        return rows;
    };
    auto rows = later();
    std::reverse(times.begin(), times.end());
    if (const auto reversed = later(); reversed > rows)
        rows = reversed;
    else
        std::reverse(times.begin(), times.end());
    const auto step = detect_step(times);
    for (std::size_t i = 1; i < times.size() && step.is_known(); ++i)
        rows += step.leads(times[i - 1], times[i]) ? 1 : 0;
    return {rows, usual_step(times).count};
}

/// The orders that no date rules out.
std::vector<TimeStyle> possible_orders(const Cells& cells) {
    const auto& times = cells.times;
    const bool decided = times.first_over_12 != times.second_over_12;
    std::vector<TimeStyle> orders;
    if (!decided || times.first_over_12) orders.push_back(TimeStyle::day_first);
    if (!decided || times.second_over_12) orders.push_back(TimeStyle::month_first);
    const auto& years = cells.date_year_first;
    const auto unreadable =
        std::count_if(years.begin(), years.end(), [](double time) { return std::isnan(time); });
    if (!years.empty() && unreadable <= cells.bad_time.count) orders.push_back(TimeStyle::year_first);
    return orders;
}

DateOrder order_of_dates(Cells& cells, const CsvOptions& options, Table& table, const std::string& column) {
    using S = TimeStyle;
    if (options.time_style == S::day_first || options.time_style == S::month_first ||
        (options.time_style == S::year_first && !cells.date_year_first.empty()))
        return {options.time_style, "set"};
    const auto orders = possible_orders(cells);
    auto best = orders[0];
    auto most = regularity(times_in(cells, best));
    bool equal = false;
    for (std::size_t i = 1; i < orders.size(); ++i) {
        const auto regular = regularity(times_in(cells, orders[i]));
        if (regular == most) equal = true;
        if (regular <= most) continue;
        equal = false;
        most = regular;
        best = orders[i];
    }
    const auto& times = cells.times;
    if (times.first_over_12 != times.second_over_12 && best != S::year_first)
        return {best, times.second_over_12 ? "the second number exceeds 12" : "the first number exceeds 12"};
    const auto used = order_name(best);
    table.warnings.push_back(
        {WarningKind::time_format, 0, column, 1,
         best == S::year_first
             ? "the dates can be read with the year or with the day first; year first gives the more regular "
               "steps and was used (data.csv.date_format sets it)"
         : equal ? "the dates can be read with the day or with the month first; both are equally regular, " +
                       used + " was used (data.csv.date_format sets it)"
                 : "the dates can be read with the day or with the month first; " + used +
                       " gives the more regular steps and was used (data.csv.date_format sets it)"});
    return {best, "it gives the more regular steps"};
}

/// The values of the columns that are the time axis or parts of it, which lose them.
TimeParts parts_of(Cells& cells, const Layout& layout) {
    TimeParts parts;
    parts.hour_ending = layout.hour_ending;
    std::size_t next = 0;
    for (std::size_t j = 0; j < layout.columns.size(); ++j) {
        if (layout.columns[j].role != Role::number) continue;
        auto& column = cells.numbers[next++];
        const auto part = std::find_if(layout.time_numbers.begin(), layout.time_numbers.end(),
                                       [&](const auto& p) { return p.first == static_cast<int>(j); });
        if (part != layout.time_numbers.end()) parts.of(part->second) = std::move(column.values);
    }
    return parts;
}

/// A time axis of numbers: one in a NumberForm, or parts in several columns.
void build_number_time(Table& table, Cells& cells, const Layout& layout) {
    auto parts = parts_of(cells, layout);
    if (const auto* form = layout.number_form) {
        table.time = std::move(parts.of(TimePart::whole));
        for (double& t : table.time) t = t * form->scale + form->offset;
        if (form->scale > 1) round_days(table.time, form->scale, layout.decimals);
        table.format.time_format = form->name;
        table.time_cells.unix_scale = form->scale;
        table.time_cells.unix_offset = form->offset;
        return;
    }
    const bool has_date = !table.time.empty();
    parts.of(TimePart::whole) = std::move(table.time);
    table.time.resize(static_cast<std::size_t>(cells.rows));
    Tally bad;
    for (std::size_t i = 0; i < table.time.size(); ++i) {
        table.time[i] = parts.at(i);
        if (std::isnan(table.time[i])) bad.add(table.line_of(static_cast<std::int64_t>(i)), "");
    }
    const auto& first = table.format.time_columns.front();
    add_warnings(table, WarningKind::bad_number, first, bad, "rows without a time", [](const std::string&) {
        return "a part of the time is missing or out of range; the row has no time";
    });
    table.format.time_format += std::string(has_date ? " and " : "") + (layout.hour_ending ? "hours ending"
                                                                        : has_date         ? "hours"
                                                                                   : "parts in columns");
}

/// Times of dates in text, with or without a column of times of day.
void build_date_time(Table& table, Cells& cells, const Layout& layout, const CsvOptions& options) {
    std::string date_name;
    for (const auto& column : layout.columns)
        if (column.role == Role::date) date_name = column.name;
    auto style = TimeStyle::day_first;
    std::string name = layout.how.digits   ? "year month day"
                       : cells.times.forms ? "dates in words"
                                           : "ISO 8601";
    if (cells.times.open_order) {
        const auto order = order_of_dates(cells, options, table, date_name);
        style = order.style;
        name = style == TimeStyle::year_first    ? "year/month/day"
               : style == TimeStyle::month_first ? "month/day/year"
                                                 : "day/month/year";
        table.readings.push_back({"date order", order_name(style), order.why, "data.csv.date_format"});
        if (cells.times.year_first) name += " and ISO 8601";
    }
    table.format.time_format = name;
    table.time_cells.month_first = style == TimeStyle::month_first;
    table.time_cells.short_year_first = style == TimeStyle::year_first;
    table.time = std::move(times_in(cells, style));
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

/// Builds the time axis.
void build_time(Table& table, Cells& cells, const Layout& layout, const CsvOptions& options) {
    for (const Role role : {Role::date, Role::clock})
        for (const auto& column : layout.columns)
            if (column.role == role) {
                table.format.time_columns.push_back(column.name);
                table.time_cells.parts.push_back(TimePart::whole);
            }
    for (const auto& [column, part] : layout.time_numbers) {
        table.format.time_columns.push_back(layout.columns[static_cast<std::size_t>(column)].name);
        table.time_cells.parts.push_back(part);
    }
    if (!cells.date.empty()) table.time_cells.last.push_back(cells.last_date);
    if (!cells.clock.empty()) table.time_cells.last.push_back(cells.last_clock);
    table.time_cells.short_dates = cells.times.short_dates;
    table.time_cells.short_hours = cells.times.short_hours;
    table.time_cells.ends_days_at_24 = cells.times.days_ended_at_24 > cells.times.days_begun_at_0;
    table.time_cells.how = layout.how;
    table.time_cells.hour_ending = layout.hour_ending;
    if (!cells.date.empty())
        build_date_time(table, cells, layout, options);
    else if (!cells.clock.empty())
        table.time = std::move(cells.clock);
    if (!layout.time_numbers.empty()) build_number_time(table, cells, layout);
    if (!cells.times.open_order && !table.format.time_format.empty())
        table.readings.push_back({"date format", table.format.time_format,
                                  options.time_style == TimeStyle::automatic ? "" : "set",
                                  "data.csv.date_format"});
}

/// Throws an input Error for times that are not in the form that is set; warns of an order of day and month
/// that decides nothing.
void check_style(Table& table, const Cells& cells, const Layout& layout, const CsvOptions& options) {
    if (options.time_columns && options.time_columns->empty()) return;
    const bool open_order = cells.times.open_order;
    const auto word = "\"" + date_format_setting(options.time_style) + "\"";
    switch (options.time_style) {
        case TimeStyle::automatic:
            return;
        case TimeStyle::day_first:
        case TimeStyle::month_first:
        case TimeStyle::year_first:
            if (!open_order)
                table.warnings.push_back(
                    {WarningKind::time_format,
                     0,
                     {},
                     1,
                     "data.csv.date_format = " + word +
                         " has no effect: no date begins with a day or month in digits"});
            return;
        case TimeStyle::iso:
            if (!table.time.empty() && !open_order && !layout.how.digits && layout.time_numbers.empty())
                return;
            break;
        case TimeStyle::digits:
            if (layout.how.digits) return;
            break;
        case TimeStyle::elapsed:
            if (table.time.empty() && table.step.is_known()) return;
            break;
        default:
            if (layout.number_form != nullptr && layout.number_form->style == options.time_style) return;
    }
    const auto& names = table.format.time_columns;
    throw input_error("data.csv.date_format",
                      word + (names.empty() ? std::string(" fits no column of the file")
                                            : " does not fit column \"" + names.front() + "\", which holds " +
                                                  table.format.time_format),
                      "\"auto\", or the form of its times",
                      "data.csv.time_column names the column of the times.");
}

/// How a column goes from row to row; cells without a number are passed over.
struct Steps {
    double step = 0;      ///< the first one
    bool even = false;    ///< all are alike, up to the rounding of decimals
    bool steady = false;  ///< all but a few go in its direction, and none back
    bool by_one = false;  ///< nearly all are 1, or nearly all −1
    bool rises = false;   ///< most are 1, or most −1, and none goes back
};

/// `whole`: count also the steps of one behind a step back, at which most channels end the search.
Steps steps_of(const std::vector<double>& values, bool whole) {
    Steps steps;
    double last = std::nan("");
    std::size_t count = 0;
    std::size_t still = 0;
    std::size_t ones = 0;
    std::size_t minus_ones = 0;
    bool even = true;
    bool back = false;
    for (std::size_t i = 0; i < values.size() && (whole || !back); ++i) {
        if (std::isnan(values[i])) {
            even = false;
            continue;
        }
        if (!std::isnan(last)) {
            const double step = values[i] - last;
            if (count++ == 0) steps.step = step;
            still += step == 0 ? 1 : 0;
            ones += step == 1 ? 1 : 0;
            minus_ones += step == -1 ? 1 : 0;
            back = back || step * steps.step < 0;
        }
        last = values[i];
    }
    even = even && !back && count >= 2 && steps.step != 0;
    // 1958.0417, 1958.1250, 1958.2083: the decimals are rounded, the mean step is not.
    const double mean = even ? (values.back() - values.front()) / static_cast<double>(count) : 0;
    for (std::size_t i = 0; even && i < values.size(); ++i)
        even = std::fabs(values[i] - values.front() - mean * static_cast<double>(i)) < 0.02 * std::fabs(mean);
    steps.even = even;
    steps.rises = !back && std::max(ones, minus_ones) * 10 >= count * 7 && count > 1;
    steps.by_one = std::max(ones, minus_ones) * 20 >= count * 19;
    steps.steady = !back && count >= 2 && steps.step != 0 && still * 20 <= count;
    return steps;
}

/// What a column that rises evenly is.
enum class Counter {
    no,
    row_numbers,  ///< numbers of rows, or elapsed time: no channel
    channel       ///< perhaps
};

Counter counter_kind(const Layout& layout, const ColumnLayout& column, const std::vector<double>& values,
                     const CsvOptions& options) {
    if (options.keep_row_numbers) return Counter::no;
    const bool row_name = !column.named || suggests_row_numbers(column.name);
    const auto steps = steps_of(values, row_name);
    if (layout.has_header && row_name && steps.by_one && values.size() >= 10) return Counter::row_numbers;
    if (!steps.steady)
        return steps.rises && layout.has_header && values.size() >= 10 ? Counter::channel : Counter::no;
    const bool from_start = std::fabs(steps.step) == 1 && (values.front() == 0 || values.front() == 1 ||
                                                           values.back() == 0 || values.back() == 1);
    if (!layout.has_header) return steps.even && values.size() >= 10 ? Counter::channel : Counter::no;
    if (row_name && steps.even && from_start) return Counter::row_numbers;
    if (values.size() < 10) return Counter::no;
    if (elapsed_unit(column.name) >= 0) return Counter::row_numbers;
    return steps.even || steps.rises ? Counter::channel : Counter::no;
}

/// To six digits, for a message.
double to_six_digits(double value) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.6g", value);
    return std::strtod(digits, nullptr);
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

/// Whether all texts are the same, as a marker of missing values is.
bool is_one_text(const Tally& texts) {
    return std::all_of(texts.first.begin(), texts.first.end(),
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
        const bool even = steps_of(values, false).even;
        table.step = {even ? std::fabs(step) * unit : usual_step(seconds).seconds};
        table.step_seconds = table.step.seconds;
    }
}

/// What was found where no column is left, with the first one that holds text.
std::string no_numbers(const Table& table) {
    const auto& warnings = table.warnings;
    const auto at = std::find_if(warnings.begin(), warnings.end(), [](const Warning& warning) {
        return warning.kind == WarningKind::text_column && warning.line > 0;
    });
    return at == warnings.end() ? "no column holds numbers" : "no column holds numbers; " + at->text;
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
            warn_of_cells(table, column.name, from);
            continue;
        }
        const std::int64_t absent = from.missing + from.nan + from.infinite.count + from.bad.count;
        const std::int64_t good = cells.rows - absent;
        const auto warning = [&](WarningKind kind, const std::string& why, std::int64_t line = 0) {
            return Warning{kind, line, column.name, 1, "column \"" + column.name + "\" " + why};
        };
        if (from.bad.count > good && (good * 10 < from.bad.count || !is_one_text(from.bad))) {
            const auto& [line, text] = from.bad.first.front();
            table.warnings.push_back(warning(
                WarningKind::text_column,
                "holds text (\"" + text + "\" in line " + std::to_string(line) + ", and " +
                    std::to_string(from.bad.count) + " of " + std::to_string(cells.rows) +
                    " cells) and is left out; data.csv.missing lists texts that stand for missing values",
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
                    steps_of(from.values, false).even
                        ? "rises by " + number_text(to_six_digits(mean)) +
                              " on every row, as a clock or counter does: if it is one, leave it out with "
                              "data.columns, since it is easy to forecast and lowers the errors"
                        : std::string(
                              "rises by 1 on most rows, as a clock or counter does: if it is one, leave it "
                              "out with data.columns, since it is easy to forecast and lowers the errors")));
                break;
            }
            case Counter::no:
                break;
        }
        warn_of_cells(table, column.name, from);
        table.columns.push_back({column.name, std::move(from.values), absent});
    }
    const bool other_text = std::any_of(table.warnings.begin(), table.warnings.end(),
                                        [](const Warning& w) { return w.kind == WarningKind::text_column; });
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
        throw input_error(
            where, no_numbers(table), "at least one numeric column",
            std::string("Read with '") +
                (layout.dialect.delimiter == '\t' ? std::string("\\t")
                                                  : std::string(1, layout.dialect.delimiter)) +
                "' between the cells and '" + layout.dialect.decimal +
                "' as decimal separator. If these are wrong, set data.csv.delimiter and data.csv.decimal.");
}

/// Rows in another order: row i of the result is row order[i].
void permute(Table& table, std::vector<std::int64_t> order) {
    const auto sort = [&](std::vector<double>& values) {
        if (values.empty()) return;
        std::vector<double> sorted(values.size());
        for (std::size_t i = 0; i < order.size(); ++i) sorted[i] = values[static_cast<std::size_t>(order[i])];
        values = std::move(sorted);
    };
    for (auto& column : table.columns) sort(column.values);
    sort(table.time);
    table.file_rows = std::move(order);
}

/// Puts the oldest row first if the file has the newest one first, and sorts rows that are out of order if no
/// time occurs twice: repeated times may be the hour that daylight saving repeats, or several series.
/// `dated`: the times are no times of day, which begin anew at midnight.
void order_rows(Table& table, const CsvOptions& options, bool dated) {
    const auto rows = static_cast<std::size_t>(table.rows());
    std::int64_t rising = 0;
    std::int64_t falling = 0;
    for (std::size_t i = 1; i < table.time.size(); ++i) {
        rising += table.time[i] > table.time[i - 1] ? 1 : 0;
        falling += table.time[i] < table.time[i - 1] ? 1 : 0;
    }
    const bool counts_down = table.time.empty() && table.row_numbers && table.row_numbers->step < 0 &&
                             elapsed_unit(table.row_numbers->name) >= 0;
    const bool newest_first =
        options.newest_first ? *options.newest_first : (falling > 10 * rising && falling > 1) || counts_down;
    std::vector<std::int64_t> order(rows);
    std::iota(order.begin(), order.end(), 0);
    std::string what;
    if (newest_first) {
        std::reverse(order.begin(), order.end());
        what = "newest row first; sorted by time";
        if (table.row_numbers) {
            const auto last = static_cast<double>(rows - 1);
            table.row_numbers =
                RowNumbers{table.row_numbers->name, table.row_numbers->first + last * table.row_numbers->step,
                           -table.row_numbers->step};
        }
        table.warnings.push_back(
            {WarningKind::order,
             0,
             {},
             1,
             options.newest_first ? "the rows were reversed, since data.csv.order is \"newest-first\""
                                  : "the file has its newest row first; the rows were reversed, oldest first "
                                    "(data.csv.order sets it)"});
    } else if (falling > 0 && dated && !options.newest_first) {
        const auto time_of = [&](std::int64_t row) { return table.time[static_cast<std::size_t>(row)]; };
        if (std::any_of(table.time.begin(), table.time.end(), [](double t) { return std::isnan(t); })) return;
        std::sort(order.begin(), order.end(),
                  [&](std::int64_t a, std::int64_t b) { return time_of(a) < time_of(b); });
        const bool twice =
            std::adjacent_find(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
                return time_of(a) == time_of(b);
            }) != order.end();
        if (twice) return;
        what = "not by time; sorted by time";
        std::size_t first = 1;
        while (!(table.time[first] < table.time[first - 1])) ++first;
        table.warnings.push_back(
            {WarningKind::order,
             table.line_of(static_cast<std::int64_t>(first)),
             {},
             falling,
             "the time goes back from " + format_time(table.time[first - 1]) + " to " +
                 format_time(table.time[first]) +
                 (falling > 1 ? ", and " + std::to_string(falling - 1) + " more times" : std::string()) +
                 "; the rows were sorted by time (data.csv.order = \"as-written\" keeps them)"});
    }
    if (what.empty()) return;
    permute(table, std::move(order));
    if (options.newest_first) what = "reversed";
    table.readings.push_back(
        {"order of rows", what, options.newest_first ? "set" : "the times fall", "data.csv.order"});
}

/// Warns of columns that are times: a table without a time axis whose columns are called 1960, 1961 or
/// 2020-01, 2020-02, or one with a row for each day whose columns are called H1, H2 or 00:30, 01:00.
void check_direction(Table& table) {
    const bool has_time = !table.time.empty();
    std::int64_t times = 0;
    for (const auto& column : table.columns) {
        TimeText time;
        const bool is_time = read_time(column.name, time, {.digits = true, .dotted_clock = false});
        times +=
            (has_time ? (is_time && !time.has_date) || names_hour(column.name) : is_time && time.has_date)
                ? 1
                : 0;
    }
    constexpr std::int64_t least_of_day = 23;  // the day on which daylight saving begins
    if (times < (has_time ? least_of_day : 4) || times * 2 <= std::ssize(table.columns)) return;
    const auto count = std::to_string(times);
    const auto& last = table.columns.back().name;
    table.warnings.push_back(
        {WarningKind::order,
         0,
         {},
         1,
         has_time
             ? count + " columns have hours as names, such as \"" + last +
                   "\": each row seems to be a day; write a row for each hour, else each hour is forecast "
                   "as a channel of its own"
             : count + " columns have times as names, such as \"" + last +
                   "\": each row seems to be a series; transpose the table, so that it has a row for each "
                   "time"});
}

/// Whether nearly all values are a part of their time: the hour, from 0 or 1, the day of the week, 20210303 …
bool repeats_time(const std::vector<double>& values, const std::vector<double>& times) {
    constexpr std::size_t look = 40;  // values that decide whether to look at all
    const auto head = values.begin() + static_cast<std::ptrdiff_t>(std::min(values.size(), look));
    const bool varies =
        std::any_of(values.begin(), values.end(), [&](double v) { return v != values.front(); });
    if (times.size() < 24 || !varies ||
        std::any_of(values.begin(), head, [](double v) { return v != std::floor(v); }))
        return false;
    const auto year_and_month = [](double t) {
        return static_cast<double>(part_of_time(TimePart::year, t) * 100 + part_of_time(TimePart::month, t));
    };
    const auto weekday = [](double t) { return std::fmod(std::floor(t / 86400) + 3, 7); };  // Monday: 0
    const auto week = [&](double t) {  // of ISO 8601, that of its Thursday
        const auto thursday =
            static_cast<double>(part_of_time(TimePart::day_of_year, t + (3 - weekday(t)) * 86400));
        return std::floor((thursday - 1) / 7) + 1;
    };
    std::vector<std::function<double(double)>> parts{
        [&](double t) { return weekday(t); },
        [&](double t) { return weekday(t) + 1; },
        [&](double t) { return std::fmod(weekday(t) + 1, 7); },
        week,
        year_and_month,
        [&](double t) {
            return year_and_month(t) * 100 + static_cast<double>(part_of_time(TimePart::day, t));
        },
        [](double t) { return std::fmod(t, 86400); }};
    for (const auto part :
         {TimePart::year, TimePart::month, TimePart::day, TimePart::day_of_year, TimePart::hour,
          TimePart::minute, TimePart::second, TimePart::half_hour, TimePart::quarter_hour})
        for (const bool from_one : {false, true})
            parts.emplace_back(
                [=](double t) { return static_cast<double>(part_of_time(part, t, from_one)); });
    return std::any_of(parts.begin(), parts.end(), [&](const auto& part) {
        std::size_t other = 0;
        for (std::size_t i = 0; i < times.size(); ++i) {
            other += !(std::abs(times[i]) < 1e11 && values[i] == part(times[i])) ? 1 : 0;
            if (other * 20 > std::max(look, times.size()) || (i == look && other * 5 > look)) return false;
        }
        return true;
    });
}

/// Warns of channels that repeat a part of the time axis, such as a column "hour" beside the dates, and of
/// those whose name says a time although they were not read as one.
void check_clock_channels(Table& table) {
    std::unordered_set<std::string> warned;
    for (const auto& warning : table.warnings)
        if (warning.kind == WarningKind::clock_channel) warned.insert(warning.column);
    for (const auto& column : table.columns) {
        if (warned.contains(column.name)) continue;
        const auto warn = [&](std::string text) {
            table.warnings.push_back({WarningKind::clock_channel, 0, column.name, 1, std::move(text)});
        };
        const auto part = part_of_name(column.name);
        const bool says_time = part != TimePart::whole || is_time_name(column.name);
        const bool may_be_axis =
            table.time.empty() || part == TimePart::whole || part == TimePart::hour_minute;
        if (repeats_time(column.values, table.time))
            warn("column \"" + column.name +
                 "\" repeats a part of the time axis: as a channel it is easy to forecast and lowers the "
                 "errors; data.columns leaves it out");
        else if (says_time && may_be_axis)
            warn("column \"" + column.name +
                 "\" is read as a channel, although its name says a time; data.csv.time_column makes it the "
                 "time axis, data.columns leaves it out");
    }
}

void warn_of_rows(Table& table, const Cells& cells, std::size_t width) {
    const std::string columns = std::to_string(width);
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
    add_warnings(table, WarningKind::no_row, "", cells.left_out, "lines that are no rows",
                 [&](const std::string& text) {
                     const bool names = text.find_first_of("0123456789") == std::string::npos &&
                                        std::count(text.begin(), text.end(), table.format.delimiter) > 0;
                     return names ? "\"" + text +
                                        "\" is no row of the table and is left out; if other columns begin "
                                        "here, the rows below it are in the wrong ones: make two files of it"
                                  : "\"" + text + "\" is no row of the table and is left out";
                 });
}

/// Whether all cells of a column that are no numbers are some with this thousands sign, near the others.
bool has_thousands(const NumberColumn& column, char decimal, char sign) {
    const auto& bad = column.bad.first;
    if (bad.empty()) return false;
    double largest = 0;
    for (const double value : column.values)
        if (std::fabs(value) > largest) largest = std::fabs(value);
    const bool near = largest >= 100 && largest < 1000;  // else "1,234" may be a decimal in another country
    return (near || sign == ' ' || sign == '\'') &&
           std::all_of(bad.begin(), bad.end(), [&](const auto& cell) {
               double value = 0;
               return read_number(cell.second, decimal, value, sign) == CellKind::number;
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
    table.warnings.insert(table.warnings.end(), layout.warnings.begin(), layout.warnings.end());
    table.readings.insert(table.readings.end(), layout.readings.begin(), layout.readings.end());

    const auto report = [&](std::int64_t done) {
        if (progress)
            progress({"importing " + where, done, static_cast<std::int64_t>(text.view.size()), "bytes"});
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
    build_time(table, cells, layout, options);
    check_style(table, cells, layout, options);
    const bool dated = !layout.time_numbers.empty() ||
                       std::any_of(layout.columns.begin(), layout.columns.end(),
                                   [](const ColumnLayout& column) { return column.role == Role::date; });
    order_rows(table, options, dated);
    apply_time_zone(table, options.time_zone);
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
