#include "data/future_times.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "data/table_checks.h"
#include "data/time_like.h"
#include "data/time_text.h"
#include "util/error.h"

namespace casp::data {

namespace {

/// Rows left out between two rows that may follow each other: 0, or a few business days; −1: they may not.
std::int64_t rows_left_out(const Step& step, double from, double to) {
    constexpr std::int64_t max_holidays = 5;  // a week without business days
    if (!step.is_known()) return -1;
    if (step.leads(from, to)) return 0;
    if (step.months > 0 || !step.business_days) return -1;
    const auto holidays = missing_rows(step, from, to);
    return holidays <= max_holidays && step.leads(step.after(from, holidays), to) ? holidays : -1;
}

/// The step of the last rows: the table's if it fits all of them, since a few rows may not show a weekend.
Step step_of(const Table& table, std::span<const double> times, const Step& fallback) {
    const auto& known = table.step;
    if (times.size() < 2) {
        auto step = fallback;
        step.local = known.local;
        step.clocks = known.clocks;
        return step;
    }
    bool fits = known.is_calendar();
    for (std::size_t i = 1; fits && i < times.size(); ++i)
        fits = rows_left_out(known, times[i - 1], times[i]) >= 0;
    return fits ? known : detect_step(times, known.local, known.clocks);
}

Error irregular(const Table& table, std::int64_t row, const Step& step) {
    const double time = table.time[static_cast<std::size_t>(row)];
    Phrase found;
    Phrase advice = "Correct the rows, or ignore the times with --set data.csv.time_column=none.";
    if (!is_time(time)) {
        found = "the row has no time that can be read";
    } else {
        const double before = table.time[static_cast<std::size_t>(row - 1)];
        const auto from = step.local.text(before), to = step.local.text(time);
        found = time == before  ? Phrase("the time %1 is repeated from the row before", to)
                : time < before ? Phrase("the time goes back from %1 to %2", from, to)
                                : Phrase("the time %1 follows %2", to, from);
        if (step.local.zone == nullptr && std::abs(time - before - step.seconds) == 3600)
            advice =
                Phrase("If the clocks were changed there, set data.csv.time_zone, e.g. to Europe/Berlin. %1",
                       advice);
    }
    const auto expected = step.is_known() ? Phrase("equal steps in the last rows (%1)", frequency_name(step))
                                          : Phrase("rising times in equal steps in the last rows");
    return input_error(Phrase("%1, line %2", table.path.string(), table.line_of(row)), found, expected,
                       advice);
}

}  // namespace

FutureTimes future_times(const Table& table, std::int64_t lookback, std::int64_t rows,
                         const Step& fallback_step, std::int64_t known) {
    FutureTimes future;
    if (table.time.empty()) {
        if (!table.row_numbers) return future;
        future.columns = {table.row_numbers->name};
        for (std::int64_t i = -known; i < rows; ++i)
            future.cells.push_back(
                {number_text(std::round((table.row_numbers->first +
                                         table.row_numbers->step * static_cast<double>(table.rows() + i)) *
                                        1e9) /
                             1e9)});
        return future;
    }
    future.columns = table.format.time_columns;
    const auto total = static_cast<std::int64_t>(table.time.size());
    const auto first = std::max<std::int64_t>(0, total - std::max<std::int64_t>(2, lookback));
    const std::span<const double> times(table.time.data() + first, static_cast<std::size_t>(total - first));
    for (auto row = first; row < total; ++row)
        if (!is_time(table.time[static_cast<std::size_t>(row)])) throw irregular(table, row, {});
    const auto step = step_of(table, times, fallback_step);
    future.local = step.local;
    for (auto row = first + 1; row < total; ++row) {
        const auto at = static_cast<std::size_t>(row);
        const auto left_out = rows_left_out(step, table.time[at - 1], table.time[at]);
        if (left_out < 0) throw irregular(table, row, step);
        future.holidays += left_out;
    }
    if (!step.is_known())
        throw input_error(table.path.string(), "one row does not show the step of the times",
                          "at least two rows");
    const auto add = [&](double time) {
        future.seconds.push_back(time);
        future.cells.push_back(time_cells_like(table.time_cells, time, step.local));
    };
    for (auto row = total - known; row < total; ++row) add(table.time[static_cast<std::size_t>(row)]);
    for (std::int64_t i = 1; i <= rows; ++i) add(step.after(table.time.back(), i));
    return future;
}

}  // namespace casp::data
