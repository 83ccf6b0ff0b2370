// Preparation of a collection of series: no scaler, no split but the one into training and test values.

#include "data/csv_settings.h"
#include "data/packed_file.h"
#include "data/prepared.h"
#include "data/preset_data.h"
#include "data/reader.h"
#include "data/series_whole.h"
#include "util/error.h"

namespace casp::data {

namespace {

/// The folder's name and the frequency, "M4-Yearly"; of one CSV file its stem.
std::string name_of(const SeriesCollection& collection) {
    const auto folder = collection.path.parent_path();
    if (folder.filename() != "Train") return data_name(collection.path);
    return folder.parent_path().filename().string() + "-" + collection.frequency.name;
}

/// `has_value_column`: data.columns may name it.
void require_no_table_settings(const config::Config& config, bool has_value_column) {
    const auto fail = [&](const std::string& key, const std::string& value, const Phrase& expected) {
        throw input_error(key,
                          Phrase("%1 = %2 applies to tables, and %3 is a collection of series", key, value,
                                 config.data.path),
                          expected, "Remove the setting.");
    };
    if (config.data.percent != 100) fail("data.percent", std::to_string(config.data.percent), "100");
    if (!config.data.columns.empty() && !has_value_column) fail("data.columns", "[…]", "[]");
    if (!config.data.targets.empty()) fail("data.targets", "[…]", "[]");
}

/// One window per series in each part.
SplitPlan plan_of(const SeriesCollection& collection, const config::Config& config) {
    SplitPlan plan;
    plan.lookback = config.data.lookback;
    plan.horizon = collection.horizon;
    plan.val.windows = plan.test.windows = collection.size();
    const auto held_out = config.data.m4_stopping == "holdout" ? collection.horizon : 0;
    for (std::int64_t i = 0; i < collection.size(); ++i)
        plan.train.windows += collection.length(i) - held_out > 1 ? 1 : 0;
    if (plan.train.windows == 0)
        throw input_error(
            collection.path.string(),
            Phrase("no series has more than %1 training values, of which the last %2 are held out",
                   held_out + 1, held_out),
            "longer series", "Choose a smaller data.horizon.");
    return plan;
}

}  // namespace

const CatalogEntry* m4_entry(const SeriesCollection& collection) {
    const auto& frequency = collection.frequency;
    if (find_frequency(frequency.name) == nullptr) return nullptr;
    const auto& entry = catalog_entry("M4-" + frequency.name);
    const std::string letter(frequency.name.substr(0, 1));
    const bool is_m4 = collection.size() == entry.rows && collection.horizon == frequency.horizon &&
                       collection.ids.front() == letter + "1" &&
                       collection.ids.back() == letter + std::to_string(entry.rows);
    return is_m4 ? &entry : nullptr;
}

bool has_collection(const config::Config& config) {
    if (!config.data.frequency.empty()) return true;
    try {
        return is_collection(resolve_data_path(config.data.path));
    } catch (const Error&) {
        return false;
    }
}

CollectionOptions collection_options(const config::Config& config) {
    return {.frequency = config.data.frequency,
            .horizon = config.data.horizon,
            .csv = csv_options(config),
            .missing = parse_missing_policy(config.data.missing),
            .columns = config.data.columns};
}

PreparedData prepare_collection(const config::Config& config, const ProgressFn& progress,
                                const std::stop_token& stop) {
    const auto path = resolve_data_path(config.data.path);
    require_no_table_settings(config, reader_for(path).read_series == read_long_csv);
    auto collection = read_collection(path, collection_options(config), progress, stop);
    PreparedData data;
    data.plan = plan_of(*collection, config);
    data.table.path = collection->path;
    data.table.columns.push_back({"value", {}, 0});
    data.table.warnings = collection->warnings;
    data.table.sha256 = collection->sha256;
    data.entry = m4_entry(*collection);
    data.name = data.entry != nullptr ? data.entry->name : name_of(*collection);
    const auto mismatch = preset_mismatch(config, facts_of(*collection, data.entry));
    if (!mismatch.empty()) data.table.warnings.push_back({WarningKind::catalog, 0, {}, 1, mismatch});
    data.scaler = {{0.0}, {1.0}};
    data.collection = std::move(collection);
    return data;
}

std::string name_in_tables(const PreparedData& data, const config::Config& config) {
    const bool watches_test = data.collection != nullptr && config.data.m4_stopping == "paper";
    if (watches_test) return Phrase("%1 (stopped on test)", data.name);
    const auto count = data.targets.size();
    if (count == 0) return data.name;
    return count == 1 ? Phrase("%1 (%2)", data.name, config.data.targets.front())
                      : Phrase("%1 (%2 of %3 channels)", data.name, count, data.table.columns.size());
}

}  // namespace casp::data
