#include "inspect/forecast_ahead.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>
#include <span>
#include <stop_token>
#include <utility>

#include <torch/torch.h>

#include "analysis/conformal.h"
#include "config/config.h"
#include "config/experiment.h"
#include "config/text_utils.h"
#include "data/catalog.h"
#include "data/csv_settings.h"
#include "data/future_times.h"
#include "data/known_data.h"
#include "data/missing.h"
#include "data/reader.h"
#include "data/table.h"
#include "data/table_checks.h"
#include "inspect/checkpoint_channels.h"
#include "inspect/checkpoint_evaluation.h"
#include "model/descriptor.h"
#include "store/run_file.h"
#include "store/run_folder.h"
#include "train/checkpoint_model.h"
#include "train/evaluation.h"
#include "train/session.h"
#include "util/device.h"
#include "util/error.h"
#include "util/out_of_memory.h"
#include "util/units.h"

namespace casp::inspect {

namespace {

// The last rows of a data file, as a model reads them, and the times after them.

/// What a run expects of the file.
struct ExpectedRows {
    std::vector<std::string> channels;
    data::Step step;           ///< of the run's data; not known: they have no times
    bool reads_times = false;  ///< the model reads time features
};

struct ForecastRows {
    /// Channels as expected: L + N − 1 rows, then H rows of NaN. With time if the model reads it, that of the
    /// H rows included.
    data::Table window;
    data::Step step;                   ///< of the file
    data::FutureTimes times;           ///< of the N origins, the file's last rows, and of the H rows
    std::int64_t first_origin = 0;     ///< row of the file, from 0 without the header
    std::vector<double> past_seconds;  ///< of the L + N − 1 rows, as Table::time; empty without a time axis
    std::int64_t first = 0;            ///< number of the first of these rows in the file, from 0
};

data::Table read_file(const std::string& data, const config::Config& config, train::TrainObserver& observer,
                      const train::StopControl& stop) {
    std::stop_source cancel;
    const auto progress = [&](const Progress& p) {
        if (stop.must_stop()) cancel.request_stop();
        observer.on_progress(p);
    };
    return *data::read_table(data::resolve_data_path(data), data::csv_options(config), progress,
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
        throw input_error(
            table.path.string(),
            missing.size() == 1
                ? Phrase("the run's column %1 is missing or without numbers", config::listed(missing, 5))
                : Phrase("the run's columns %1 are missing or without numbers", config::listed(missing, 5)),
            Phrase("all %1 channels of the run, by name", channels.size()),
            Phrase("The file has %1.", config::listed(there, 5)));
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
        const auto first_missing =
            std::find_if(column.values.end() - (fills ? origins : rows), end, is_missing);
        if (first_missing == end) continue;
        const auto line =
            Phrase("%1, line %2", table.path.string(), table.line_of(first_missing - column.values.begin()));
        const auto found = Phrase("column %1 has no value", config::in_quotes(column.name));
        if (fills)
            throw input_error(line, Phrase("%1 at an origin, and interpolation would read later rows", found),
                              Phrase("a number in every cell of the last %1 rows", origins),
                              "Fill them, or choose fewer --origins.");
        const auto count = std::count_if(first_missing, end, is_missing);
        throw input_error(
            line, count > 1 ? Phrase("%1 (%2 cells of the last %3 rows)", found, count, rows) : Phrase(found),
            Phrase("a number in every cell of the last %1 rows", rows),
            "Fill them, or add --set data.missing=interpolate.");
    }
    if (fills) table = data::apply_missing_policy(std::move(table), {policy, config.data.sentinels, {}});
}

Error too_few_rows(const data::Table& table, std::int64_t lookback, std::int64_t origins) {
    const auto found =
        table.rows() == 1 ? Phrase("it has %1 row", table.rows()) : Phrase("it has %1 rows", table.rows());
    if (origins == 1)
        return input_error(table.path.string(), found,
                           Phrase("at least the look-back of the model, %1 rows", lookback));
    return input_error(table.path.string(), found,
                       Phrase("at least %1 rows: the look-back of the model, %2, up to each of %3 origins",
                              lookback + origins - 1, lookback, origins),
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

/// Reads the file as the configuration describes ([data.csv], data.missing, data.sentinels): missing values
/// in the last L + N − 1 rows are an error, unless data.missing = "interpolate"; at an origin before the last
/// one always, since later values would fill them. `data`: file or "catalog:NAME". `origins`: N.
/// Warns if the file's step is not the run's. Throws input Errors (see forecast_ahead.h) and Cancelled.
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
        observer.on_message(train::MessageLevel::warning,
                            Phrase("the rows are %1 apart; those of the run's data set %2",
                                   data::frequency_name(table.step), data::frequency_name(expected.step)));

    ForecastRows rows;
    rows.first_origin = table.rows() - origins;
    rows.step = table.step;
    rows.times = data::future_times(table, last_rows, horizon, expected.step, origins);
    if (rows.times.holidays > 0)
        observer.on_message(train::MessageLevel::warning,
                            rows.times.holidays == 1 ? Phrase("%1 business day has no row in the look-back "
                                                              "(holidays); the forecast counts on none ahead",
                                                              rows.times.holidays)
                                                     : Phrase("%1 business days have no row in the look-back "
                                                              "(holidays); the forecast counts on none ahead",
                                                              rows.times.holidays));
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

/// What a forecast needs of the run's data set.
struct RunData {
    std::vector<std::string> channels;  ///< that the model reads
    data::Scaler scaler;
    std::vector<std::int64_t> targets;  ///< those that are forecast; empty: all
    model::DataShape shape;
    bool has_times = false;
    std::optional<store::RunRecord> record;  ///< run.h5; nothing: the data set was opened
    std::optional<train::SessionData> opened;

    [[nodiscard]] std::size_t target_count() const {
        return targets.empty() ? channels.size() : targets.size();
    }
    /// Index among `channels` of a channel that is forecast.
    [[nodiscard]] std::size_t input_of(std::size_t target) const {
        return targets.empty() ? target : static_cast<std::size_t>(targets[target]);
    }
};

bool has_scaler(const store::RunRecord& record) {
    const auto channels = record.data.inputs().size();
    return channels > 0 && record.data.mean_of_inputs().size() == channels &&
           record.data.std_of_inputs().size() == channels;
}

/// The run's data set in the catalogue, as train::shape_of() finds it from the data themselves.
const data::CatalogEntry* entry_of(const store::RunRecord& record, const config::Config& config) {
    constexpr std::string_view prefix = "catalog:";
    const auto& path = config.data.path;
    return data::known_entry(path.starts_with(prefix) ? data::catalog_path(path.substr(prefix.size()))
                                                      : std::filesystem::path(path),
                             record.attributes.dataset, record.attributes.dataset_sha256,
                             std::ssize(record.data.time), std::ssize(record.data.inputs()));
}

RunData data_of(store::RunRecord record, const config::Config& config) {
    const auto& stored = record.data;
    const auto channels = stored.inputs().size();
    RunData run;
    run.channels = stored.inputs();
    run.scaler = {stored.mean_of_inputs(), stored.std_of_inputs()};
    for (std::size_t i = 0; i < channels && !stored.input_names.empty(); ++i)
        if (const auto& names = stored.channel_names;
            std::find(names.begin(), names.end(), run.channels[i]) != names.end())
            run.targets.push_back(static_cast<std::int64_t>(i));
    run.has_times = !stored.time.empty();
    const auto* entry = entry_of(record, config);
    const bool single = data::wants_single_channel(config.data.batching, entry, channels);
    run.shape = {single ? 1 : static_cast<std::int64_t>(channels), single,
                 data::detect_step(stored.time, {0, data::find_zone(config.data_csv.time_zone)}),
                 entry != nullptr ? entry->title : std::string()};
    run.shape.names = run.channels;
    run.shape.targets = run.targets;
    run.record = std::move(record);
    return run;
}

RunData data_of(train::SessionData opened) {
    RunData run;
    for (const auto& column : opened.prepared->table.columns) run.channels.push_back(column.name);
    run.scaler = opened.prepared->scaler;
    run.targets = opened.prepared->targets;
    run.has_times = !opened.prepared->table.time.empty();
    run.shape = train::shape_of(opened);
    run.opened = std::move(opened);
    return run;
}

void check_table(const std::filesystem::path& checkpoint, const config::Config& config,
                 const store::RunRecord* record) {
    const bool collection = !config.data.frequency.empty() ||
                            (record != nullptr && !record->data.series.empty()) ||
                            data::has_collection(config);
    if (!collection) return;
    const auto folder = run_of(checkpoint);
    throw input_error(checkpoint.string(), "the run is on a collection of series", "a run on a table",
                      folder ? Phrase("The forecasts of its series are in %1.",
                                      (folder->path() / "submission.csv").string())
                             : Phrase("The forecasts of its series are in the run's submission.csv."));
}

/// The run's data set, for its validation and test windows.
const train::SessionData& opened_data(RunData& run, const config::Config& config, const at::Device& device,
                                      train::TrainObserver& observer, const train::StopControl& stop) {
    if (run.opened) return *run.opened;
    run.opened = train::open_data(config, device, observer, stop);
    const auto& table = run.opened->prepared->table;
    const char* const expected = "the run's data set, whose validation windows give the intervals";
    if (table.sha256 != run.record->attributes.dataset_sha256)
        throw input_error(table.path.string(),
                          "the file has changed since the run: its SHA-256 is not that of run.h5", expected,
                          "Restore it, name a copy with --set data.path=FILE, or omit --level.");
    if (!train::same_split(*run.record, *run.opened))
        throw input_error(table.path.string(),
                          "it is split or cleaned in another way than in the run: the scaler is not that "
                          "of run.h5",
                          expected, "Omit --set data.… or --level.");
    return *run.opened;
}

/// Passes the absolute errors of each batch, [n, H, T] in standard deviations.
void each_error(model::Forecaster& model, const config::Config& config, const data::WindowSet& windows,
                const std::string& split, train::TrainObserver& observer, const train::StopControl& stop,
                const std::function<void(std::span<const float>)>& take) {
    train::EvaluationOptions options;
    options.rows_per_batch = train::evaluation_rows(config, windows.channels());
    options.progress = [&](const Progress& p) {
        observer.on_progress({{Stage::evaluating, split}, p.done, p.total, p.unit});
    };
    options.sink = [&](const train::EvaluatedBatch& batch) {
        const auto errors = (batch.prediction - batch.target).abs().contiguous();
        take({errors.data_ptr<float>(), static_cast<std::size_t>(errors.numel())});
    };
    (void)train::evaluate(model, windows, options, stop);
}

void check_level(int percent, std::int64_t windows) {
    const auto fewest = analysis::fewest_errors(percent);
    if (windows < fewest)
        throw input_error("--level " + std::to_string(percent),
                          Phrase("the run has %1 validation windows", windows),
                          Phrase("at least %1, or the intervals are infinite", fewest),
                          "Choose a lower level, or a run with more validation rows.");
}

void check_room(std::int64_t errors) {
    const auto needed = errors * static_cast<std::int64_t>(sizeof(float));
    const auto available = device_memory(at::kCPU).available;
    if (available > 0 && needed > available)
        throw input_error("--level",
                          Phrase("the errors of the validation windows take %1", bytes_text(needed)),
                          Phrase("at most the free memory, %1", bytes_text(available)),
                          "Close other programs, or omit --level.");
}

Phrase coverage_text(const ForecastInterval& interval) {
    char share[32];
    std::snprintf(share, sizeof share, "%.1f", 100 * interval.coverage);
    return Phrase(
        "%1 % intervals: from %2 validation windows; they cover %3 % of the values in %4 test windows",
        interval.percent, interval.calibration, share, interval.tested);
}

std::vector<ForecastInterval> intervals_of(model::Forecaster& model, const config::Config& config,
                                           const RunData& run, const train::SessionData& data,
                                           const std::vector<int>& levels, train::TrainObserver& observer,
                                           const train::StopControl& stop) {
    const auto windows = data.val->windows();
    const auto cells = data.val->horizon() * data.val->target_channels();
    for (const int percent : levels) check_level(percent, windows);
    check_room(windows * cells);
    std::vector<float> errors;
    errors.reserve(static_cast<std::size_t>(windows * cells));
    each_error(model, config, *data.val, "val", observer, stop, [&](std::span<const float> batch) {
        errors.insert(errors.end(), batch.begin(), batch.end());
    });
    std::vector<std::vector<float>> offsets;
    for (const int percent : levels)
        offsets.push_back(analysis::conformal_offsets(errors, static_cast<std::size_t>(cells), percent,
                                                      static_cast<int>(config.run.threads)));
    std::vector<std::int64_t> inside(levels.size());
    each_error(model, config, *data.test, "test", observer, stop, [&](std::span<const float> batch) {
        for (std::size_t i = 0; i < levels.size(); ++i) inside[i] += analysis::covered(batch, offsets[i]);
    });
    std::vector<ForecastInterval> intervals;
    const auto tested = static_cast<double>(data.test->windows() * cells);
    for (std::size_t i = 0; i < levels.size(); ++i) {
        ForecastInterval interval{
            levels[i], {}, static_cast<double>(inside[i]) / tested, windows, data.test->windows()};
        for (std::size_t entry = 0; entry < offsets[i].size(); ++entry)
            interval.offsets.push_back(offsets[i][entry] *
                                       run.scaler.std[run.input_of(entry % run.target_count())]);
        observer.on_message(train::MessageLevel::info, coverage_text(interval));
        intervals.push_back(std::move(interval));
    }
    return intervals;
}

/// [N, H, T] in original units. `rows`: L + N − 1 rows, and H rows without values.
std::vector<double> forecasts_of(model::Forecaster& model, const data::Table& rows, std::int64_t origins,
                                 const RunData& run, const config::Config& config, const at::Device& device,
                                 train::TrainObserver& observer, const train::StopControl& stop) {
    const auto lookback = config.data.lookback, horizon = config.data.horizon;
    const data::SplitPart part{0, rows.rows(), lookback, origins};
    const data::TableWindows windows(data::scaled_series(rows, run.scaler, device), part, lookback, horizon,
                                     false, data::time_series(rows, device), run.targets);
    std::vector<double> values;
    train::EvaluationOptions options;
    options.rows_per_batch = windows.channels();  // one window: larger batches may round differently
    options.progress = [&](const Progress& p) {
        if (origins > 1) observer.on_progress({Stage::forecasting, p.done, p.total, p.unit});
    };
    options.sink = [&](const train::EvaluatedBatch& batch) {
        const auto scaled = batch.prediction.to(at::kDouble).contiguous();
        for (std::int64_t i = 0; i < scaled.numel(); ++i) {
            const auto channel = run.input_of(static_cast<std::size_t>(i) % run.target_count());
            values.push_back(scaled.data_ptr<double>()[i] * run.scaler.std[channel] +
                             run.scaler.mean[channel]);
        }
    };
    (void)train::evaluate(model, windows, options, stop);
    return values;
}

AheadForecast forecast(const ForecastRequest& request, train::TrainObserver& observer,
                       const train::StopControl& stop,
                       const std::function<void(AheadForecast)>& before_intervals) {
    const auto folder = run_of(request.checkpoint);
    const auto settings = read_checkpoint_settings(request.checkpoint, request.sets);
    const auto config = config::load_text(settings.text, settings.where, {}, request.sets).base;
    std::optional<store::RunRecord> record;
    if (folder && std::filesystem::exists(folder->run_file()))
        record = store::read_run_file(folder->run_file());
    check_table(request.checkpoint, config, record ? &*record : nullptr);
    if (request.sets_threads) train::use_threads(config);
    const auto device = train::device_of(config);
    auto run = record && has_scaler(*record) ? data_of(std::move(*record), config)
                                             : data_of(train::open_data(config, device, observer, stop));

    const bool reads_times = run.has_times && model::capabilities(config).time_features;
    const auto rows = read_forecast_rows(request.data, config, {run.channels, run.shape.step, reads_times},
                                         request.origins, observer, stop);
    if (!run.shape.step.is_known()) run.shape.step = rows.step;  // elapsed time, which run.h5 does not have
    auto model = train::open_weights(settings.file, config, run.shape, device, observer, stop);
    AheadForecast result{
        .origins = request.origins,
        .first_origin = rows.first_origin,
        .times = rows.times,
        .channels = {},
        .values =
            forecasts_of(*model.model, rows.window, request.origins, run, config, device, observer, stop),
        .intervals = {},
        .lookback = {},
        .lookback_seconds = rows.past_seconds,
        .first_row = rows.first,
    };
    for (auto* const seconds : {&result.times.seconds, &result.lookback_seconds})
        for (double& time : *seconds) time = rows.times.local.shown(time);
    for (std::size_t i = 0; i < run.target_count(); ++i)
        result.channels.push_back(run.channels[run.input_of(i)]);
    for (std::size_t row = 0; std::cmp_less(row, config.data.lookback + request.origins - 1); ++row)
        for (std::size_t i = 0; i < run.target_count(); ++i)
            result.lookback.push_back(rows.window.columns[run.input_of(i)].values[row]);
    if (!request.levels.empty()) {
        if (before_intervals) before_intervals(result);
        const auto& data = opened_data(run, config, device, observer, stop);
        result.intervals = intervals_of(*model.model, config, run, data, request.levels, observer, stop);
    }
    return result;
}

}  // namespace

AheadForecast forecast_ahead(const ForecastRequest& request, train::TrainObserver& observer,
                             const train::StopControl& stop,
                             const std::function<void(AheadForecast)>& before_intervals) {
    return explaining_memory(
        "the forecast", [&] { return forecast(request, observer, stop, before_intervals); },
        [&] {
            return std::string(
                request.levels.empty()
                    ? "Close other programs, or use a machine with more memory."
                    : "Set train.batch_size to a smaller number (--set train.batch_size=1), or "
                      "omit --level.");
        });
}

}  // namespace casp::inspect
