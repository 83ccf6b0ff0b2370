#include "data/table_checks.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "data/missing.h"
#include "data/scaler.h"
#include "data/time_like.h"
#include "data/time_text.h"
#include "util/parallel.h"
#include "util/phrase.h"

namespace casp::data {

namespace {

bool is_constant(const std::vector<double>& values) {
    double first = NAN;
    for (const double v : values) {
        if (std::isnan(v)) continue;
        if (std::isnan(first)) first = v;
        if (v != first) return false;
    }
    return !std::isnan(first);
}

Phrase missing_rows_text(const Step& step, double from, double to) {
    const auto missing = missing_rows(step, from, to);
    if (missing < 0) return "rows are missing";
    return missing == 1 ? Phrase("%1 row is missing", missing) : Phrase("%1 rows are missing", missing);
}

/// A row before which an hour is skipped or repeated.
struct Shift {
    std::size_t row = 0;
    bool skips = false;
    double time = 0;  ///< beginning of that hour
};

/// Rows where local times skip an hour, and half a year later or earlier repeat it or the hour before; empty
/// if the times do not show both.
std::vector<Shift> daylight_saving(const Table& table) {
    constexpr double hour = 3600, day = 86'400;
    constexpr std::size_t most = 1000;  // more are no changes of clocks
    const double step = table.step.seconds;
    if (table.step.local.zone != nullptr || are_utc(table.time_cells) || step <= 0 || step > hour) return {};
    std::vector<Shift> skipped, repeated;
    double before = NAN;
    for (std::size_t row = 0; row < table.time.size(); ++row) {
        const double time = table.time[row];
        if (std::isnan(time)) continue;
        const double extra = time - before - step;
        if (extra == hour) skipped.push_back({row, true, before + step});
        if (extra == -hour) repeated.push_back({row, false, time});
        before = time;
    }
    if (skipped.size() > most || repeated.size() > most) return {};
    const auto belong = [&](const Shift& a, const Shift& b) {
        const double days = std::abs(a.time - b.time) / day;
        const double later = std::fmod(a.time - b.time, day) + (a.time < b.time ? day : 0);
        return days > 90 && days < 275 && (later == 0 || later == hour || later == day);
    };
    std::vector<Shift> shifts;
    for (const auto& a : skipped)
        if (std::ranges::any_of(repeated, [&](const Shift& b) { return belong(a, b); })) shifts.push_back(a);
    for (const auto& b : repeated)
        if (std::ranges::any_of(skipped, [&](const Shift& a) { return belong(a, b); })) shifts.push_back(b);
    std::ranges::sort(shifts, [](const Shift& a, const Shift& b) { return a.row < b.row; });
    return shifts;
}

void warn_of_daylight_saving(Table& table, const std::string& column, const std::vector<Shift>& shifts) {
    const auto first = [&](bool skips) {
        return format_time(
            std::ranges::find_if(shifts, [&](const Shift& s) { return s.skips == skips; })->time);
    };
    table.warnings.push_back(
        {WarningKind::gap, table.line_of(static_cast<std::int64_t>(shifts.front().row)), column,
         std::ssize(shifts),
         Phrase(
             "the times are local times with daylight saving: they skip an hour at %1 and repeat one at %2. "
             "With their zone in data.csv.time_zone, e.g. \"Europe/Berlin\", the rows are equally far apart",
             first(true), first(false))});
}

}  // namespace

std::string number_text(double value) {
    std::array<char, 32> buffer{};
    const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    return {buffer.data(), result.ptr};
}

void check_time(Table& table) {
    if (table.time.empty()) return;
    const auto& cells = table.time_cells;
    auto local = table.step.local;
    if (!cells.last.empty()) local.offset = utc_offset_of(cells.last.back(), cells.how);
    table.step = detect_step(table.time, local, are_clocks(cells));
    const std::string column = table.format.time_columns.empty() ? "" : table.format.time_columns.front();
    const auto shifts = daylight_saving(table);
    auto next_shift = shifts.begin();
    Tally duplicate;
    Tally back;
    Tally gap;
    std::int64_t uneven = 0;
    double before = NAN;
    for (std::size_t i = 0; i < table.time.size(); ++i) {
        const double t = table.time[i];
        if (std::isnan(t)) continue;
        const double difference = t - before;
        const double previous = before;
        before = t;
        if (std::isnan(difference)) continue;
        if (next_shift != shifts.end() && next_shift->row == i) {
            ++next_shift;
            continue;
        }
        const bool late = table.step.is_known() && table.step.steps_between(previous, t) > 1.5;
        uneven += difference > 0 && !late && !table.step.leads(previous, t) ? 1 : 0;
        if ((difference > 0 && !late) || (table.step.clocks && table.step.leads(previous, t))) continue;
        Tally& tally = late ? gap : difference == 0 ? duplicate : back;
        Phrase text;  // built only for the listed items
        if (tally.first.size() < single_warnings) {
            const auto from = local.text(previous), to = local.text(t);
            text = late
                       ? Phrase("gap from %1 to %2: %3", from, to, missing_rows_text(table.step, previous, t))
                   : difference == 0 ? Phrase("the time %1 is repeated from the row before", to)
                                     : Phrase("the time goes back from %1 to %2", from, to);
        }
        tally.add(table.line_of(static_cast<std::int64_t>(i)), std::move(text));
    }
    if (uneven * 2 > table.rows() && table.step.is_known())
        table.warnings.push_back(
            {WarningKind::time_format, 0, column, uneven,
             Phrase(
                 "most times are not exactly %1 behind the one before; the rows are taken as that far apart",
                 frequency_name(table.step))});
    const auto as_is = [](const Phrase& text) { return text; };
    add_warnings(table, WarningKind::duplicate_time, column, duplicate, "duplicate times", as_is);
    add_warnings(table, WarningKind::non_monotonic_time, column, back, "times that go back", as_is);
    add_warnings(table, WarningKind::gap, column, gap, "gaps", as_is);
    if (!shifts.empty()) warn_of_daylight_saving(table, column, shifts);
}

void check_columns(Table& table, int threads) {
    std::vector<char> constant(table.columns.size());
    std::vector<std::vector<SentinelHit>> sentinels(table.columns.size());
    parallel_for(table.columns.size(), threads, [&](std::size_t i, int) {
        constant[i] = is_constant(table.columns[i].values) ? 1 : 0;
        sentinels[i] = find_sentinels(table.columns[i].values);
    });
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        const auto& column = table.columns[i];
        if (constant[i] != 0 && table.rows() > 1)
            table.warnings.push_back(
                {WarningKind::constant_column, 0, column.name, 1,
                 Phrase("column \"%1\" holds the same value on every row; its scale is set to 1",
                        column.name)});
        for (const auto& hit : sentinels[i])
            table.warnings.push_back(
                {WarningKind::sentinel, table.line_of(hit.first_row), column.name, hit.count,
                 hit.count == 1 ? Phrase("column \"%1\" holds %2 once, far from its other values: probably a "
                                         "marker for missing values",
                                         column.name, number_text(hit.value))
                                : Phrase("column \"%1\" holds %2 %3 times, far from its other values: "
                                         "probably a marker for missing values",
                                         column.name, number_text(hit.value), hit.count)});
    }
}

namespace {

constexpr double far = 100;  ///< training deviations

/// Whether some training values prove that later ones are not far: of one in 17, the mean is within 4.2
/// deviations of that of all, and the deviation at most 4.2 times theirs.
bool is_near(const std::vector<double>& values, std::size_t n, const Extremes& later) {
    constexpr std::size_t block = 64;
    std::vector<double> some;
    for (std::size_t i = 0; i + block <= n; i += 16 * block)
        some.insert(some.end(), values.begin() + static_cast<std::ptrdiff_t>(i),
                    values.begin() + static_cast<std::ptrdiff_t>(i + block));
    const Moments sample = fast_moments(some.data(), some.size());
    return std::max(later.most - sample.mean, sample.mean - later.least) < (far - 10) * sample.std / 4;
}

}  // namespace

void check_training_rows(Table& table, std::int64_t rows) {
    const auto n = static_cast<std::size_t>(std::clamp<std::int64_t>(rows, 0, table.rows()));
    std::vector<double> farthest(table.columns.size()), scales(table.columns.size());
    parallel_for(table.columns.size(), thread_count(0), [&](std::size_t i, int) {
        const auto& values = table.columns[i].values;
        if (n == 0 || table.columns[i].missing > 0) return;
        const Extremes later = extremes(values.data() + n, values.size() - n);
        if (is_near(values, n, later)) return;
        const Moments training = fast_moments(values.data(), n);
        scales[i] = training.std;
        const double usual =
            scales[i] == 0 ? values.front() : training.mean;  // the mean of equals is rounded
        farthest[i] = std::max({0.0, later.most - usual, usual - later.least});
    });
    for (std::size_t i = 0; i < farthest.size(); ++i) {
        const auto& column = table.columns[i];
        const double scale = scales[i];
        if (!(farthest[i] > far * scale)) continue;
        table.warnings.push_back(
            {WarningKind::asleep, 0, column.name, 1,
             scale == 0 ? Phrase("column \"%1\" is constant in the %2 training rows and varies later; its "
                                 "scale is set to 1: its errors outweigh those of all other channels. Leave "
                                 "it out with data.columns, or choose another split",
                                 column.name, n)
                        : Phrase("column \"%1\" varies far less in the %2 training rows than later, by up to "
                                 "%3 of their deviations: its errors outweigh those of all other channels. "
                                 "Leave it out with data.columns, or choose another split",
                                 column.name, n, std::llround(farthest[i] / scale))});
    }
}

}  // namespace casp::data
