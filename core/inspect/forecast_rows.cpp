#include "inspect/forecast_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stop_token>
#include <utility>

#include "config/text_utils.h"
#include "data/catalog.h"
#include "data/csv_settings.h"
#include "data/describe.h"
#include "data/missing.h"
#include "data/reader.h"
#include "data/table_checks.h"
#include "util/error.h"

namespace casp::inspect {

namespace {

data::Table read_file(const std::string& data, const config::Config& config, train::TrainObserver& observer,
                      const train::StopControl& stop) {
    std::stop_source cancel;
    const auto progress = [&](const Progress& p) {
        if (stop.must_stop()) cancel.request_stop();
        observer.on_progress(p);
    };
    return data::read_table(data::resolve_data_path(data), data::csv_options(config), progress,
                            cancel.get_token());
}

/// The channels in the given order, without the others.
void select_channels(data::Table& table, const std::vector<std::string>& channels) {
    std::vector<std::string> missing;
    for (const auto& name : channels)
        if (table.find_column(name) < 0) missing.push_back(config::in_quotes(name));
    if (!missing.empty()) {
        std::vector<std::string> there;
        for (const auto& column : table.columns) there.push_back(config::in_quotes(column.name));
        throw input_error(table.path.string(),
                          "the run's " +
                              (missing.size() == 1 ? std::string("column ") : std::string("columns ")) +
                              config::listed(missing, 5) +
                              (missing.size() == 1 ? " is missing" : " are missing") + " or without numbers",
                          "all " + std::to_string(channels.size()) + " channels of the run, by name",
                          "The file has " + config::listed(there, 5) + ".");
    }
    std::vector<data::Column> selected;
    for (const auto& name : channels)
        selected.push_back(std::move(table.columns[static_cast<std::size_t>(table.find_column(name))]));
    table.columns = std::move(selected);
}

/// Treats missing values; throws if one is left in the last `rows` rows, or would be filled from rows after
/// one of the origins.
void clean(data::Table& table, const config::Config& config, std::int64_t rows, std::int64_t origins) {
    const auto policy = data::parse_missing_policy(config.data.missing);
    const bool fills = policy == data::MissingPolicy::interpolate;
    const auto is_missing = [&](double value) {
        const auto& listed = config.data.sentinels;
        return !std::isfinite(value) || (policy != data::MissingPolicy::keep &&
                                         std::find(listed.begin(), listed.end(), value) != listed.end());
    };
    for (const auto& column : table.columns) {
        const auto end = column.values.end() - (fills ? 1 : 0);
        const auto at = std::find_if(column.values.end() - (fills ? origins : rows), end, is_missing);
        if (at == end) continue;
        const auto line =
            table.path.string() + ", line " + std::to_string(table.line_of(at - column.values.begin()));
        const auto found = "column " + config::in_quotes(column.name) + " has no value";
        if (fills)
            throw input_error(line, found + " at an origin, and interpolation would read later rows",
                              "a number in every cell of the last " + std::to_string(origins) + " rows",
                              "Fill them, or choose fewer --origins.");
        const auto count = std::count_if(at, end, is_missing);
        throw input_error(line,
                          count > 1 ? found + " (" + std::to_string(count) + " cells of the last " +
                                          std::to_string(rows) + " rows)"
                                    : found,
                          "a number in every cell of the last " + std::to_string(rows) + " rows",
                          "Fill them, or add --set data.missing=interpolate.");
    }
    if (fills) table = data::apply_missing_policy(std::move(table), {policy, config.data.sentinels, {}});
}

Error too_few_rows(const data::Table& table, std::int64_t lookback, std::int64_t origins) {
    const auto found = "it has " + std::to_string(table.rows()) + (table.rows() == 1 ? " row" : " rows");
    if (origins == 1)
        return input_error(table.path.string(), found,
                           "at least the look-back of the model, " + std::to_string(lookback) + " rows");
    return input_error(table.path.string(), found,
                       "at least " + std::to_string(lookback + origins - 1) +
                           " rows: the look-back of the "
                           "model, " +
                           std::to_string(lookback) + ", up to each of " + std::to_string(origins) +
                           " origins",
                       "Choose fewer --origins.");
}

/// Readings that the user may have to correct.
void report_doubts(const data::Table& table, train::TrainObserver& observer) {
    using data::WarningKind;
    for (const auto& warning : table.warnings)
        if (warning.kind == WarningKind::time_format || warning.kind == WarningKind::decimal_sign ||
            warning.kind == WarningKind::policy)
            observer.on_message(train::MessageLevel::warning, warning.text);
}

}  // namespace

ForecastRows read_forecast_rows(const std::string& data, const config::Config& config,
                                const ExpectedRows& expected, std::int64_t origins,
                                train::TrainObserver& observer, const train::StopControl& stop) {
    const auto lookback = config.data.lookback, horizon = config.data.horizon;
    const auto last_rows = lookback + origins - 1;
    auto table = read_file(data, config, observer, stop);
    select_channels(table, expected.channels);
    if (table.rows() < last_rows) throw too_few_rows(table, lookback, origins);
    clean(table, config, last_rows, origins);
    if (expected.reads_times && table.time.empty())
        throw input_error(table.path.string(), "it has no time column", "times, which the model reads",
                          "Name the column with --set data.csv.time_column=NAME.");
    report_doubts(table, observer);
    if (expected.step.is_known() && table.step.is_known() && !data::same_frequency(table.step, expected.step))
        observer.on_message(train::MessageLevel::warning, "the rows are " + data::frequency_name(table.step) +
                                                              " apart; those of the run's data set " +
                                                              data::frequency_name(expected.step));

    ForecastRows rows;
    rows.first_origin = table.rows() - origins;
    rows.step = table.step;
    rows.times = data::future_times(table, last_rows, horizon, expected.step, origins);
    if (rows.times.holidays > 0)
        observer.on_message(train::MessageLevel::warning,
                            std::to_string(rows.times.holidays) +
                                (rows.times.holidays == 1 ? " business day has" : " business days have") +
                                " no row in the look-back (holidays); the forecast counts on none ahead");
    const auto last = [&](const std::vector<double>& values) {
        return std::vector<double>(values.end() - last_rows, values.end());
    };
    rows.first = table.rows() - last_rows;
    if (!table.time.empty()) rows.past_seconds = last(table.time);
    for (const auto& column : table.columns) {
        auto values = last(column.values);
        values.resize(static_cast<std::size_t>(last_rows + horizon),
                      std::numeric_limits<double>::quiet_NaN());
        rows.window.columns.push_back({column.name, std::move(values)});
    }
    if (expected.reads_times) {
        rows.window.time = rows.past_seconds;
        rows.window.time.insert(rows.window.time.end(), rows.times.seconds.begin() + origins,
                                rows.times.seconds.end());
        rows.window.step = table.step;
    }
    return rows;
}

}  // namespace casp::inspect
