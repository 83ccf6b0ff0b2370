#include "inspect/forecast_ahead.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <optional>
#include <span>
#include <utility>

#include <torch/torch.h>

#include "analysis/conformal.h"
#include "config/experiment.h"
#include "data/catalog.h"
#include "data/known_data.h"
#include "data/table_checks.h"
#include "inspect/checkpoint_settings.h"
#include "inspect/forecast_rows.h"
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
#include "util/whole_path.h"

namespace casp::inspect {

namespace {

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

/// The run folder that the checkpoint is or is the best.safetensors of; nothing for another file.
std::optional<store::RunFolder> run_of(const std::filesystem::path& checkpoint) {
    if (std::filesystem::is_directory(checkpoint)) return store::RunFolder(checkpoint);
    const store::RunFolder folder(whole_path(checkpoint).parent_path());
    if (whole_path(checkpoint) != folder.best() || !std::filesystem::exists(folder.run_file())) return {};
    return folder;
}

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
    throw input_error(
        checkpoint.string(), "the run is on a collection of series", "a run on a table",
        folder ? "The forecasts of its series are in " + (folder->path() / "submission.csv").string() + "."
               : "The forecasts of its series are in the run's submission.csv.");
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
        observer.on_progress({"evaluating " + split, p.done, p.total, p.unit});
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
                          "the run has " + std::to_string(windows) + " validation windows",
                          "at least " + std::to_string(fewest) + ", or the intervals are infinite",
                          "Choose a lower level, or a run with more validation rows.");
}

void check_room(std::int64_t errors) {
    const auto needed = errors * static_cast<std::int64_t>(sizeof(float));
    const auto available = device_memory(at::kCPU).available;
    if (available > 0 && needed > available)
        throw input_error("--level", "the errors of the validation windows take " + bytes_text(needed),
                          "at most the free memory, " + bytes_text(available),
                          "Close other programs, or omit --level.");
}

std::string coverage_text(const ForecastInterval& interval) {
    char share[32];
    std::snprintf(share, sizeof share, "%.1f", 100 * interval.coverage);
    return std::to_string(interval.percent) + " % intervals: from " + std::to_string(interval.calibration) +
           " validation windows; they cover " + share + " % of the values in " +
           std::to_string(interval.tested) + " test windows";
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
        for (std::size_t at = 0; at < offsets[i].size(); ++at)
            interval.offsets.push_back(offsets[i][at] *
                                       run.scaler.std[run.input_of(at % run.target_count())]);
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
        if (origins > 1) observer.on_progress({"forecasting", p.done, p.total, p.unit});
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
    const auto device = resolve_device(config.run.device);
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
