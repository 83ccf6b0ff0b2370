// The time axis of a table, from the cells of its time columns.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "data/csv_parse.h"
#include "data/csv_settings.h"
#include "data/table_checks.h"
#include "data/time_zone.h"
#include "util/error.h"

namespace casp::data {

namespace {

/// An order of day, month and year of dates that begin with day, month or a short year.
struct DateOrder {
    TimeStyle style = TimeStyle::day_first;
    Phrase why;
};

Phrase order_name(TimeStyle order) {
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
    std::ranges::reverse(times);
    if (const auto reversed = later(); reversed > rows)
        rows = reversed;
    else
        std::ranges::reverse(times);
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
    const auto unreadable = std::ranges::count_if(years, [](double time) { return std::isnan(time); });
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
             ? Phrase("the dates can be read with the year or with the day first; year first gives the more "
                      "regular steps and was used (data.csv.date_format sets it)")
         : equal ? Phrase("the dates can be read with the day or with the month first; both are equally "
                          "regular, %1 was used (data.csv.date_format sets it)",
                          used)
                 : Phrase("the dates can be read with the day or with the month first; %1 gives the more "
                          "regular steps and was used (data.csv.date_format sets it)",
                          used)});
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
        const auto part = std::ranges::find_if(layout.time_numbers,
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
                     return text.empty()
                                ? Phrase("the cell cannot be read as %1; the row has no time", name)
                                : Phrase("\"%1\" cannot be read as %2; the row has no time", text, name);
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
                table.warnings.push_back({WarningKind::time_format, 0, "", 1,
                                          Phrase("data.csv.date_format = %1 has no effect: no date begins "
                                                 "with a day or month in digits",
                                                 word)});
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
                      names.empty() ? Phrase("%1 fits no column of the file", word)
                                    : Phrase("%1 does not fit column \"%2\", which holds %3", word,
                                             names.front(), table.format.time_format),
                      "\"auto\", or the form of its times",
                      "data.csv.time_column names the column of the times.");
}

/// Rows in another order: row i of the result is row order[i].
void permute(Table& table, std::vector<std::int64_t> order) {
    const auto sort = [&](std::vector<double>& values) {
        if (values.empty()) return;
        std::vector<double> sorted(values.size());
        for (std::size_t i = 0; i < order.size(); ++i) sorted[i] = values[static_cast<std::size_t>(order[i])];
        values = std::move(sorted);
    };
    for (auto& column : table.columns) sort(column.values.edit());
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
        std::ranges::reverse(order);
        what = "newest row first; sorted by time";
        if (table.row_numbers) {
            const auto last = static_cast<double>(rows - 1);
            table.row_numbers =
                RowNumbers{table.row_numbers->name, table.row_numbers->first + last * table.row_numbers->step,
                           -table.row_numbers->step};
        }
        table.warnings.push_back(
            {WarningKind::order, 0, "", 1,
             options.newest_first ? "the rows were reversed, since data.csv.order is \"newest-first\""
                                  : "the file has its newest row first; the rows were reversed, oldest first "
                                    "(data.csv.order sets it)"});
    } else if (falling > 0 && dated && !options.newest_first) {
        const auto time_of = [&](std::int64_t row) { return table.time[static_cast<std::size_t>(row)]; };
        if (std::ranges::any_of(table.time, [](double t) { return std::isnan(t); })) return;
        std::ranges::sort(order, [&](std::int64_t a, std::int64_t b) { return time_of(a) < time_of(b); });
        const bool twice = std::ranges::adjacent_find(order, [&](std::int64_t a, std::int64_t b) {
                               return time_of(a) == time_of(b);
                           }) != order.end();
        if (twice) return;
        what = "not by time; sorted by time";
        std::size_t first = 1;
        while (!(table.time[first] < table.time[first - 1])) ++first;
        table.warnings.push_back(
            {WarningKind::order, table.line_of(static_cast<std::int64_t>(first)), "", falling,
             falling > 1
                 ? Phrase("the time goes back from %1 to %2, and %3 more times; the rows were sorted by time "
                          "(data.csv.order = \"as-written\" keeps them)",
                          format_time(table.time[first - 1]), format_time(table.time[first]), falling - 1)
                 : Phrase("the time goes back from %1 to %2; the rows were sorted by time (data.csv.order = "
                          "\"as-written\" keeps them)",
                          format_time(table.time[first - 1]), format_time(table.time[first]))});
    }
    if (what.empty()) return;
    permute(table, std::move(order));
    if (options.newest_first) what = "reversed";
    table.readings.push_back(
        {"order of rows", what, options.newest_first ? "set" : "the times fall", "data.csv.order"});
}

}  // namespace

void build_time_axis(Table& table, Cells& cells, const Layout& layout, const CsvOptions& options) {
    build_time(table, cells, layout, options);
    check_style(table, cells, layout, options);
    const bool dated =
        !layout.time_numbers.empty() || std::ranges::any_of(layout.columns, [](const ColumnLayout& column) {
            return column.role == Role::date;
        });
    order_rows(table, options, dated);
    apply_time_zone(table, options.time_zone);
}

}  // namespace casp::data
