#include "data/split.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "config/experiment.h"
#include "config/options.h"
#include "config/text_utils.h"
#include "data/time_text.h"
#include "util/error.h"

namespace casp::data {

namespace {

constexpr std::array<const char*, 3> split_part_names{"training", "validation", "test"};

/// Sums of fractions this close to 1 are 1: 0.7 + 0.2 + 0.1 is not exactly.
constexpr double rounding_of_sums = 1e-9;

/// Python's int(fraction * n) on doubles, as the public data loaders compute it.
std::int64_t truncated(double fraction, std::int64_t n) {
    return static_cast<std::int64_t>(static_cast<double>(n) * fraction);
}

/// As the public data loaders: validation takes the rows between training and test.
std::array<std::int64_t, 3> rows_of_fractions(const std::array<double, 3>& fractions, std::int64_t rows) {
    const std::int64_t train = truncated(fractions[0], rows);
    const std::int64_t test = truncated(fractions[2], rows);
    const bool all = fractions[0] + fractions[1] + fractions[2] > 1 - rounding_of_sums;
    return {train, all ? rows - train - test : truncated(fractions[1], rows), test};
}

Phrase row_of_file(std::size_t row) { return Phrase("row %1", row + 1); }

/// Throws an input Error if a row has no time, or an earlier one than the row before.
void check_times(const RowTimes& times) {
    const auto& time = times.time;
    const char* const expected =
        "the time of each row at or after that of the row before, for a split by dates";
    const char* const advice = "Give data.split row counts or fractions, or sort the rows of the file.";
    if (time.empty())
        throw input_error("data.split", "the file has no time axis", "one, for a split by dates",
                          "Give data.split row counts or fractions, or name the column with "
                          "data.csv.time_column.");
    for (std::size_t i = 0; i < time.size(); ++i) {
        if (std::isnan(time[i]))
            throw input_error("data.split", Phrase("the time of %1 cannot be read", row_of_file(i)), expected,
                              advice);
        if (i > 0 && time[i] < time[i - 1])
            throw input_error(
                "data.split",
                Phrase("the time of %1, %2, is before that of the row before, %3", row_of_file(i),
                       times.local.text(time[i]), times.local.text(time[i - 1])),
                expected, advice);
    }
}

/// First row at or after the date.
std::int64_t row_at(const std::string& date, const RowTimes& times) {
    TimeText text;
    double seconds = read_time(date, text) ? seconds_since_1970(text, true) : NAN;
    if (std::isnan(seconds))
        throw input_error("data.split", Phrase("%1 is no date", config::in_quotes(date)),
                          "a date such as \"2018-07-01\" or \"2018-07-01 12:00\"", "Correct data.split.");
    const auto& time = times.time;
    // Without a zone, UTC is what is shown.
    if (times.local.zone != nullptr) seconds = times.local.to_utc(seconds);
    if (seconds <= time.front() || seconds > time.back())
        throw input_error("data.split",
                          seconds > time.back()
                              ? Phrase("%1 is after the last row", config::in_quotes(date))
                              : Phrase("%1 is not after the first row", config::in_quotes(date)),
                          Phrase("dates within the file: after %1 and up to %2",
                                 times.local.text(time.front()), times.local.text(time.back())),
                          "Choose other dates, or give data.split fractions such as [0.7, 0.1, 0.2].");
    return std::lower_bound(time.begin(), time.end(), seconds) - time.begin();
}

std::array<std::int64_t, 3> rows_of_dates(const std::array<std::string, 2>& dates, std::int64_t rows,
                                          const RowTimes& times) {
    check_times(times);
    const auto val = row_at(dates[0], times), test = row_at(dates[1], times);
    if (val >= test)
        throw input_error("data.split",
                          Phrase("validation would begin at %1 (%2) and test at %3 (%4)",
                                 row_of_file(static_cast<std::size_t>(val)), dates[0],
                                 row_of_file(static_cast<std::size_t>(test)), dates[1]),
                          "the date of the first validation row, then a later one of the first test row",
                          "Choose other dates.");
    return {val, test - val, rows - test};
}

std::array<std::int64_t, 3> part_rows(const config::SplitSetting& rule, std::int64_t rows,
                                      const RowTimes& times = {}) {
    constexpr std::int64_t month = 30 * 24;
    if (rule.rule == "ett-hourly") return {12 * month, 4 * month, 4 * month};
    if (rule.rule == "ett-minutely") return {48 * month, 16 * month, 16 * month};
    if (rule.rule == "rows") return rule.rows;
    if (rule.rule == "fractions") return rows_of_fractions(rule.fractions, rows);
    if (rule.rule == "dates") return rows_of_dates(rule.dates, rows, times);
    return rows_of_fractions({0.7, 0.1, 0.2}, rows);
}

/// End of the training slice for `percent`.
std::int64_t train_end(std::int64_t n_train, std::int64_t lookback, int percent) {
    return n_train < lookback ? n_train : (n_train - lookback) * percent / 100 + lookback;
}

/// Longest horizon that leaves a window in every part; 0 or less: none.
std::int64_t longest_horizon(const std::array<std::int64_t, 3>& parts, std::int64_t lookback, int percent) {
    return std::min({train_end(parts[0], lookback, percent) - lookback, parts[1], parts[2]});
}

/// Smallest number of rows that gives every part a window under the ratio rule; 0: more than 50 million.
std::int64_t rows_needed(const config::SplitSetting& rule, std::int64_t lookback, std::int64_t horizon,
                         int percent) {
    // Because of truncation, validation sometimes shrinks by a row as the file grows, with a period of ten
    // rows.
    constexpr int period = 10;
    int fitting = 0;
    for (std::int64_t n = lookback + horizon; n < 50'000'000; ++n) {
        fitting = longest_horizon(part_rows(rule, n), lookback, percent) >= horizon ? fitting + 1 : 0;
        if (fitting == period) return n - period + 1;
    }
    return 0;
}

void check_fit(const SplitPlan& plan) {
    const auto& parts = plan.part_rows;
    const std::int64_t slice = train_end(parts[0], plan.lookback, plan.percent);
    const std::array<std::int64_t, 3> have{slice, parts[1], parts[2]};
    const std::array<std::int64_t, 3> need{plan.lookback + plan.horizon, plan.horizon, plan.horizon};
    for (std::size_t i = 0; i < 3; ++i) {
        if (have[i] >= need[i]) continue;
        const std::int64_t longest = longest_horizon(parts, plan.lookback, plan.percent);
        Phrase advice = longest > 0 ? Phrase("The longest horizon that fits is %1.", longest)
                                    : Phrase("No horizon fits this lookback: shorten data.lookback.");
        if (plan.rule.rule == "ratio") {
            const std::int64_t rows = rows_needed(plan.rule, plan.lookback, plan.horizon, plan.percent);
            if (rows > 0)
                advice =
                    Phrase("The file would need at least %1 rows; it has %2. %3", rows, plan.rows, advice);
        }
        throw input_error(
            "data.split",
            have[i] == 1 ? i == 0 && plan.percent < 100
                               ? Phrase("the %1 part has %2 row at data.percent = %3 (%4), no window fits",
                                        split_part_names[i], have[i], plan.percent, split_name(plan.rule))
                               : Phrase("the %1 part has %2 row (%3), no window fits", split_part_names[i],
                                        have[i], split_name(plan.rule))
            : i == 0 && plan.percent < 100
                ? Phrase("the %1 part has %2 rows at data.percent = %3 (%4), no window fits",
                         split_part_names[i], have[i], plan.percent, split_name(plan.rule))
                : Phrase("the %1 part has %2 rows (%3), no window fits", split_part_names[i], have[i],
                         split_name(plan.rule)),
            i == 0 ? Phrase("at least %1 rows (lookback %2 and horizon %3)", need[i], plan.lookback,
                            plan.horizon)
                   : Phrase("at least %1 rows (the horizon)", need[i]),
            advice);
    }
}

SplitPart make_part(std::int64_t target_begin, std::int64_t end, std::int64_t lookback,
                    std::int64_t horizon) {
    SplitPart part;
    part.begin = target_begin - lookback;
    part.end = end;
    part.target_begin = target_begin;
    part.windows = part.end - part.begin - lookback - horizon + 1;
    return part;
}

}  // namespace

std::string split_name(const config::SplitSetting& rule) {
    const bool listed = rule.rule == "rows" || rule.rule == "fractions" || rule.rule == "dates";
    return listed ? config::to_toml(rule) : rule.rule;
}

config::SplitSetting split_rule(const config::SplitSetting& setting, const std::string& catalog_rule) {
    if (setting.rule == "auto") return split_rule({catalog_rule.empty() ? "ratio" : catalog_rule});
    config::Config checked;
    config::set(checked, "data.split", setting);
    return setting;
}

SplitPlan plan_split(const config::SplitSetting& rule, std::int64_t rows, std::int64_t lookback,
                     std::int64_t horizon, int percent, const RowTimes& times) {
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    if (lookback < 1 || lookback > most)
        throw input_error("data.lookback", std::to_string(lookback), "1 to " + std::to_string(most));
    if (horizon < 1 || horizon > most)
        throw input_error("data.horizon", std::to_string(horizon), "1 to " + std::to_string(most));
    if (percent < 1 || percent > 100) throw input_error("data.percent", std::to_string(percent), "1 to 100");

    SplitPlan plan;
    plan.rule = rule;
    plan.rows = rows;
    plan.lookback = lookback;
    plan.horizon = horizon;
    plan.percent = percent;
    plan.part_rows = part_rows(rule, rows, times);
    const auto [n_train, n_val, n_test] = plan.part_rows;
    if (std::max({n_train, n_val, n_test}) > rows || n_train + n_val + n_test > rows)
        throw input_error(
            "data.split", Phrase("the file has %1 rows", rows),
            Phrase("at least %1 + %2 + %3 rows for %4", n_train, n_val, n_test, split_name(rule)),
            "Use data.split = \"ratio\" or smaller row counts.");
    check_fit(plan);
    plan.scaler_rows = n_train;
    plan.train = make_part(lookback, train_end(n_train, lookback, percent), lookback, horizon);
    plan.val = make_part(n_train, n_train + n_val, lookback, horizon);
    plan.test = make_part(n_train + n_val, n_train + n_val + n_test, lookback, horizon);
    return plan;
}

}  // namespace casp::data
