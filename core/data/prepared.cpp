#include "data/prepared.h"

#include <algorithm>
#include <utility>

#include "config/text_utils.h"
#include "data/csv_settings.h"
#include "data/known_data.h"
#include "data/missing.h"
#include "data/packed_file.h"
#include "data/preset_data.h"
#include "data/reader.h"
#include "data/table_checks.h"
#include "util/error.h"
#include "util/kept_values.h"

namespace casp::data {

namespace {

constexpr std::size_t max_channels_together = 32;

Error no_target(const Table& table, const config::Config& config, const std::string& name) {
    std::vector<std::string> known;
    for (const auto& column : table.columns) known.push_back(column.name);
    const auto& selected = config.data.columns;
    const auto where = table.path.empty() ? "" : " in " + table.path.string();
    const bool is_missing = std::ranges::find(selected, name) != selected.end() ||
                            (selected.empty() && config.data.missing == "drop-column");
    return input_error("data.targets",
                       is_missing ? Phrase("there is no channel %1, or it was left out for its missing cells",
                                           config::in_quotes(name) + where)
                       : selected.empty() ? Phrase("there is no channel %1", config::in_quotes(name) + where)
                                          : Phrase("there is no channel %1 among those of data.columns",
                                                   config::in_quotes(name) + where),
                       "names of channels that a run reads",
                       Phrase("The nearest name is \"%1\".", config::nearest_name(name, known)));
}

/// Settings and files that a prepared data set follows from.
struct PreparedFrom {
    DataSource source;
    config::Config::Data data;
    std::string preset;  ///< that warnings name

    bool operator==(const PreparedFrom&) const = default;
};

bool shares_values(const Table& a, const Table& b) {
    return std::ranges::equal(a.columns, b.columns, [](const Column& one, const Column& other) {
        return one.values.shares_with(other.values);
    });
}

PreparedData prepare_table(const config::Config& config, const ProgressFn& progress,
                           const std::stop_token& stop) {
    const auto path = resolve_data_path(config.data.path);
    const auto source = read_table(path, csv_options(config), progress, stop);
    PreparedData data;
    data.table = *source;
    const auto known = known_data(data.table);
    data.entry = known.entry;
    if (!known.doubt.empty()) data.table.warnings.push_back({WarningKind::catalog, 0, {}, 1, known.doubt});
    const auto mismatch = preset_mismatch(config, facts_of(data.table, data.entry));
    if (!mismatch.empty()) data.table.warnings.push_back({WarningKind::catalog, 0, {}, 1, mismatch});
    data.name = data.entry != nullptr ? data.entry->name : data_name(path);
    try {
        data.plan =
            plan_split(config, data.entry, data.table.rows(), {data.table.time, data.table.step.local});
    } catch (const Error& problem) {
        auto parts = problem.parts();
        parts.where += " of " + path.string();  // the rule does not know the file
        // The file is often too short because it is not the preset's; warnings are lost with the table.
        if (!mismatch.empty())
            parts.advice +=
                parts.advice.empty() ? Phrase("Note: %1.", mismatch) : Phrase(" Note: %1.", mismatch);
        throw Error(problem.kind(), parts);
    }
    data.table = apply_missing_policy(
        std::move(data.table),
        {parse_missing_policy(config.data.missing), config.data.sentinels, config.data.columns},
        data.plan.scaler_rows);
    check_training_rows(data.table, data.plan.scaler_rows);
    data.single_channel = wants_single_channel(config.data.batching, data.entry, data.table.columns.size());
    data.targets = find_targets(data.table, config);
    data.scaler = fit_scaler(data.table, data.plan.scaler_rows);
    if (shares_values(data.table, *source)) data.source = source;
    return data;
}

}  // namespace

SplitPlan plan_split(const config::Config& config, const CatalogEntry* entry, std::int64_t rows,
                     const RowTimes& times) {
    return plan_split(split_rule(config.data.split, entry != nullptr ? entry->split : ""), rows,
                      config.data.lookback, config.data.horizon, static_cast<int>(config.data.percent),
                      times);
}

bool wants_single_channel(const std::string& batching, const CatalogEntry* entry, std::size_t channels) {
    if (batching != "auto") return batching == "single-channel";
    if (entry != nullptr && !entry->batching.empty()) return entry->batching == "single-channel";
    return channels > max_channels_together;
}

std::shared_ptr<const PreparedData> prepare_data(const config::Config& config, const ProgressFn& progress,
                                                 const std::stop_token& stop) {
    static KeptValues<PreparedFrom, PreparedData> prepared(
        max_kept_bytes, [](const PreparedData& data) { return data.table.bytes(); });
    const auto collection = has_collection(config);
    const PreparedFrom from{DataSource::of(resolve_data_path(config.data.path), collection_options(config)),
                            config.data, config.preset};
    return prepared.get(
        from,
        [&](const ProgressFn& report) {
            return collection ? prepare_collection(config, report, stop)
                              : prepare_table(config, report, stop);
        },
        [&](const PreparedData& data, auto begun) { return from.source.still_has(data.table.sha256, begun); },
        progress, stop);
}

std::vector<std::int64_t> find_targets(const Table& table, const config::Config& config) {
    std::vector<std::int64_t> targets;
    for (const auto& name : config.data.targets) {
        const auto at = table.find_column(name);
        if (at < 0) throw no_target(table, config, name);
        targets.push_back(at);
    }
    std::ranges::sort(targets);
    if (std::cmp_equal(targets.size(), table.columns.size())) targets.clear();
    return targets;
}

PreparedData prepare_targets(const config::Config& config, const ProgressFn& progress,
                             const std::stop_token& stop) {
    return with_targets_only(*prepare_data(config, progress, stop), config);
}

PreparedData with_targets_only(PreparedData data, const config::Config& config) {
    if (data.targets.empty()) return data;
    data.name = name_in_tables(data, config);
    std::vector<Column> columns;
    Scaler scaler;
    for (const auto target : data.targets) {
        const auto at = static_cast<std::size_t>(target);
        columns.push_back(std::move(data.table.columns[at]));
        scaler.mean.push_back(data.scaler.mean[at]);
        scaler.std.push_back(data.scaler.std[at]);
    }
    data.table.columns = std::move(columns);
    data.scaler = std::move(scaler);
    data.targets.clear();
    return data;
}

}  // namespace casp::data
