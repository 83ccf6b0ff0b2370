#include "audit/import.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "config/experiment.h"
#include "config/options.h"
#include "config/text_utils.h"
#include "evidence/batch_tables.h"
#include "evidence/verify_forecasts.h"
#include "model/descriptor.h"
#include "store/atomic_file.h"
#include "store/data_section.h"
#include "store/run_file.h"
#include "store/run_folder.h"
#include "store/run_store.h"
#include "store/staged_files.h"
#include "util/build_info.h"
#include "util/digest.h"
#include "util/error.h"
#include "util/whole_path.h"

namespace casp::audit {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t values_at_once = std::int64_t{1} << 20;

/// A window of the arrays and the row of its first target value.
struct PlacedWindow {
    std::int64_t window = 0, row = 0;
};

/// Windows to store, by row: those of the test split, else all that were found.
std::vector<PlacedWindow> windows_to_store(const AuditedForecasts& audited) {
    std::vector<PlacedWindow> placed;
    const auto& rows = audited.audit.row;
    for (const auto window : test_windows(audited.audit, audited.data))
        if (window >= 0) placed.push_back({window, rows[static_cast<std::size_t>(window)]});
    if (!placed.empty()) return placed;
    for (std::size_t window = 0; window < rows.size(); ++window)
        if (rows[window] >= audited.config.data.lookback)
            placed.push_back({static_cast<std::int64_t>(window), rows[window]});
    const auto by_row = [](const auto& a, const auto& b) { return a.row < b.row; };
    std::stable_sort(placed.begin(), placed.end(), by_row);
    const auto same_row = [](const auto& a, const auto& b) { return a.row == b.row; };
    placed.erase(std::unique(placed.begin(), placed.end(), same_row), placed.end());
    return placed;
}

/// Columns of the data set that the arrays have, in its order.
std::vector<std::size_t> stored_columns(const Audit& audit) {
    std::vector<std::size_t> columns;
    for (const auto column : audit.match.column)
        if (column >= 0) columns.push_back(static_cast<std::size_t>(column));
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    return columns;
}

/// Writes /forecast/test, some windows at a time.
class ForecastWriter {
public:
    ForecastWriter(const fs::path& folder, const AuditedForecasts& audited, std::vector<std::size_t> columns,
                   const evidence::VerifiedData& own)
        : arrays_(folder), audited_(audited), columns_(std::move(columns)), own_(own) {}

    void write(const std::vector<PlacedWindow>& windows, const ProgressFn& progress,
               const std::stop_token& stop) {
        const auto horizon = audited_.audit.horizon, channels = std::ssize(columns_);
        arrays_.begin_forecast("test", horizon, channels, 0);
        for (std::size_t i = 0; i < windows.size(); ++i) {
            if (i % 256 == 0) {
                throw_if_stopped(stop);
                if (progress)
                    progress({Stage::storing_forecasts, static_cast<std::int64_t>(i), std::ssize(windows),
                              "windows"});
            }
            add(windows[i]);
            if (std::ssize(prediction_) >= values_at_once) flush();
        }
        flush();
        arrays_.finish();
    }

private:
    void add(const PlacedWindow& placed) {
        const auto horizon = static_cast<std::size_t>(audited_.audit.horizon);
        read_.resize(horizon * static_cast<std::size_t>(audited_.audit.channels));
        audited_.forecasts.prediction.read(placed.window, read_);
        rescale_window(read_, audited_.audit.match, audited_.data, rescaled_);
        const auto channels = columns_.size(), all = audited_.data.table.columns.size();
        std::vector<double> squares(channels), sizes(channels);
        for (std::size_t h = 0; h < horizon; ++h)
            for (std::size_t m = 0; m < channels; ++m) {
                const auto value = static_cast<float>(rescaled_[h * all + columns_[m]]);
                const auto truth = own_.scaled[(static_cast<std::size_t>(placed.row) + h) * channels + m];
                const double error = value - truth;
                squares[m] += error * error;
                sizes[m] += std::abs(error);
                prediction_.push_back(value);
                truth_.push_back(truth);
            }
        for (std::size_t m = 0; m < channels; ++m) {
            mse_.push_back(static_cast<float>(squares[m] / static_cast<double>(horizon)));
            mae_.push_back(static_cast<float>(sizes[m] / static_cast<double>(horizon)));
        }
        start_.push_back(placed.row - audited_.config.data.lookback);
    }

    void flush() {
        arrays_.append_forecast("test", std::ssize(start_), prediction_, truth_, mse_, mae_, start_, {});
        for (auto* values : {&prediction_, &truth_, &mse_, &mae_}) values->clear();
        start_.clear();
    }

    store::ArraysWriter arrays_;
    const AuditedForecasts& audited_;
    std::vector<std::size_t> columns_;
    const evidence::VerifiedData& own_;
    std::vector<double> read_, rescaled_;
    std::vector<float> prediction_, truth_, mse_, mae_;
    std::vector<std::int64_t> start_;
};

/// The run's configuration and data: only the columns that the arrays have.
config::Config settings_of_run(const AuditedForecasts& audited, const std::vector<std::size_t>& columns,
                               const std::string& name) {
    auto config = audited.config;
    config.name = name;
    config.imported.label = name;
    const auto& all = audited.data.table.columns;
    if (columns.size() < all.size()) {
        config.data.columns.clear();
        config.data.targets.clear();
        for (const auto column : columns) config.data.columns.push_back(all[column].name);
    }
    return config;
}

evidence::VerifiedData own_data(const config::Config& config, const std::stop_token& stop) {
    evidence::VerifiedData own;
    own.prepared = data::prepare_targets(config, {}, stop);
    own.scaled = data::scaled_values(own.prepared.table, own.prepared.scaler);
    return own;
}

/// A name that may be that of a folder. Throws an input Error.
std::string checked_name(const std::string& name) {
    const auto& option = *config::find_option("name");
    if (const auto problem = config::problem_with(option, name); !problem.empty())
        throw input_error("--name", config::in_quotes(config::abbreviated(name, 80)) + " " + problem,
                          "the name of a folder");
    return name;
}

/// Throws an input Error unless the batch has imported runs only, and the run's folder is free or has an
/// earlier import of the same path.
void check_target(const fs::path& batch, const store::RunFolder& folder, const std::string& source) {
    std::error_code unknown;
    if (!fs::exists(batch, unknown)) return;
    const auto other_name = "Choose another --name or --out folder.";
    for (const auto& run : store::find_runs(batch)) {
        if (run.status.row.model != config::imported_model)
            throw input_error(batch.string(), "the folder has runs that were trained here",
                              "an empty folder, or one with imported forecasts", other_name);
    }
    if (!fs::exists(folder.run_file(), unknown)) return;
    const auto there = store::read_run_file(folder.run_file()).attributes.source;
    if (there != source)
        throw input_error(folder.path().string(), Phrase("the folder has the forecasts of %1", there),
                          "an empty folder, or an earlier import of the same path",
                          Phrase("Add --set train.seed=N for another seed. %1", other_name));
}

store::RunRecord record_of(const std::string& audit, const config::Config& config,
                           const evidence::VerifiedData& own, const std::string& source) {
    store::RunRecord record;
    auto& attributes = record.attributes;
    attributes.config = config::to_toml(config);
    attributes.state = store::RunState::finished;
    attributes.backbone = "none";
    attributes.dataset_sha256 = own.prepared.table.sha256;
    attributes.dataset = own.prepared.entry != nullptr ? own.prepared.entry->name : "";
    attributes.source = source;
    attributes.version = program_version();
    attributes.created = store::utc_now();
    attributes.audit_sha256 = sha256_of(audit);
    record.data = store::data_section(own.prepared);
    return record;
}

/// The folder of another seed than the default is seed-N, so that several seeds are runs of one batch.
bool has_seed_in_name(const config::Config& config) {
    return config.train.seed != config::Config{}.train.seed;
}

store::ResultRow row_of(const config::Config& config, const evidence::VerifiedData& own,
                        const store::RunFolder& folder, const store::RunRecord& record) {
    store::ResultRow row;
    row.run = folder.path().filename().string();
    row.data = own.prepared.name;
    model::describe_settings(config, row);
    store::set_record(row, record);
    std::vector<std::pair<std::string, std::string>> swept{{"imported.label", config.imported.label}};
    if (has_seed_in_name(config)) swept.emplace_back("train.seed", std::to_string(config.train.seed));
    store::set_swept(row, swept);
    return row;
}

/// The tables of all runs in the batch folder.
void write_tables_of(const fs::path& batch) {
    std::vector<store::ResultRow> rows;
    for (auto& run : store::find_runs(batch)) rows.push_back(std::move(run.status.row));
    evidence::write_batch_tables(batch, rows);
}

}  // namespace

std::string import_name(const fs::path& forecasts) {
    const auto path = whole_path(forecasts);
    std::error_code unknown;
    auto name = fs::is_directory(path, unknown) ? path.filename().string()
                : path.extension() == ".npy"    ? path.parent_path().filename().string()
                                                : path.stem().string();
    name.erase(0, name.find_first_not_of('.'));
    return config::problem_with(*config::find_option("name"), name).empty() && !name.empty() ? name
                                                                                             : "imported";
}

ImportedRun import_forecasts(const ImportRequest& request, const ProgressFn& progress,
                             const std::stop_token& stop) {
    const auto name = request.name.empty() ? import_name(request.forecasts) : checked_name(request.name);
    const auto source = whole_path(request.forecasts).string();
    const auto batch = request.out / name;
    const store::RunFolder folder(batch / (has_seed_in_name(request.config)
                                               ? "seed-" + std::to_string(request.config.train.seed)
                                               : "single"));
    check_target(batch, folder, source);
    const auto audited = audit_file(request.forecasts, request.config, progress, stop);

    auto columns = stored_columns(audited.audit);
    const auto windows = columns.empty() ? std::vector<PlacedWindow>() : windows_to_store(audited);
    const auto config = settings_of_run(audited, columns, name);
    const auto own = std::make_shared<const evidence::VerifiedData>(own_data(config, stop));
    const auto audit = audit_json(audited.audit, audited.data);
    auto record = record_of(audit, config, *own, source);

    const store::LockedFolder lock(folder);
    store::StagedFiles staged(folder);
    const store::RunFolder fresh(staged.folder());
    store::write_file_atomically(fresh.config(), record.attributes.config);
    store::write_file_atomically(fresh.audit(), audit);
    if (!windows.empty()) {
        ForecastWriter(fresh.path(), audited, std::move(columns), *own).write(windows, progress, stop);
        if (audited.audit.shared > 0) {
            evidence::Verification unused;
            record.test = evidence::recompute_split(
                              {.run = fresh.path(), .lookback = config.data.lookback, .data = own}, "test",
                              unused, stop)
                              .metrics;
        }
    }
    store::write_run_file(fresh.path(), record);
    auto row = row_of(config, *own, folder, record);
    store::write_run_status(fresh, {row, {}, {}});
    staged.commit();
    write_tables_of(batch);
    return {folder.path(), std::move(row), audited.audit};
}

}  // namespace casp::audit
