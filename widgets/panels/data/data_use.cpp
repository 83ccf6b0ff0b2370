#include "panels/data/data_use.h"

#include <algorithm>
#include <string_view>

#include "config/presets.h"
#include "data/preset_data.h"

namespace casp::widgets {

namespace {

constexpr std::string_view model_without_prefix = "casp-llm";

constexpr std::int64_t trial_rows = 3360;  ///< of the sample: six runs in one to two minutes
constexpr std::int64_t trial_min_rows = 160;
constexpr std::size_t trial_channels = 8;

/// "m4-yearly"
std::string cell_of(const data::SeriesCollection& collection) {
    return "m4-" + QString::fromStdString(collection.frequency.name).toLower().toStdString();
}

bool same_collection(const config::Config& config, const data::SeriesCollection& collection) {
    return config.data.frequency.empty() || config.data.frequency == collection.frequency.name;
}

}  // namespace

std::vector<std::pair<std::string, config::Value>> settings_for(const DataFile& file,
                                                                const config::Config& config,
                                                                const config::Config& preset) {
    config::Config read;
    read.data_csv = file.read_with;
    std::vector<std::pair<std::string, config::Value>> values{{"data.path", file.path.toStdString()}};
    const auto* collection = file.collection.get();
    // Other steps than M4's come from the file in each run.
    const bool is_named =
        collection != nullptr && data::find_frequency(collection->frequency.name) != nullptr;
    values.emplace_back("data.frequency", is_named ? collection->frequency.name : std::string());
    if (collection != nullptr) values.emplace_back("data.horizon", collection->horizon);
    for (const auto& option : config::options())
        if (option.section == "data.csv") values.emplace_back(option.key, option.get(read));
    if (config.data.path.empty() || config.data.path == file.path.toStdString()) return values;
    const bool of_preset = file.table != nullptr && !config.preset.empty() &&
                           data::preset_mismatch(config, data::facts_of(*file.table, file.entry)).empty();
    for (const auto* key :
         {"name", "data.split", "data.missing", "data.sentinels", "data.columns", "data.targets"})
        values.emplace_back(key, config::get(of_preset ? preset : config::Config(), key));
    return values;
}

std::vector<std::pair<std::string, config::Value>> trial_settings(const DataFile& file) {
    const std::int64_t rows = file.table == nullptr ? 0 : file.table->rows();
    if (rows < trial_min_rows) return {};
    auto values = settings_for(file, {}, {});
    values.emplace_back("data.missing", std::string("interpolate"));
    if (rows > trial_rows)
        values.emplace_back(
            "data.split", config::SplitSetting{"rows", {trial_rows * 5 / 7, trial_rows / 7, trial_rows / 7}});
    // The sample's look-back of 192 and horizon of 48, as far as a tenth of the rows (validation) has them.
    const auto horizon = std::min<std::int64_t>(48, rows / 40), lookback = 4 * horizon;
    values.emplace_back("data.horizon", horizon);
    values.emplace_back("data.lookback", lookback);
    if (lookback < 48) {
        values.emplace_back("model.patch_length", lookback / 2);
        values.emplace_back("model.patch_stride", lookback / 4);
        values.emplace_back("model.trend_length", lookback / 2 + 1);
        values.emplace_back("model.seasonal_length", lookback / 2);
    }
    std::vector<std::string> channels;
    for (const auto& column : file.table->columns)
        if (channels.size() < trial_channels && 2 * column.missing < rows) channels.push_back(column.name);
    if (channels.empty()) return {};
    if (channels.size() < file.table->columns.size())
        values.emplace_back("data.columns", std::move(channels));
    return values;
}

bool uses(const config::Config& config, const DataFile& file) {
    if (config.data.path != file.path.toStdString()) return false;
    if (file.collection != nullptr) return same_collection(config, *file.collection);
    return config.data.frequency.empty() && config.data_csv == file.read_with;
}

QString missing_preset(const config::Config& config, const data::SeriesCollection& collection) {
    const auto cell = cell_of(collection);
    const auto* frequency = data::find_frequency(collection.frequency.name);
    if (frequency == nullptr || frequency->horizon != collection.horizon) return {};
    if (config.preset == cell || config.preset.ends_with("-" + cell)) return {};
    const auto& model = config.model.name;
    const auto wanted = model == model_without_prefix ? cell : model + "-" + cell;
    const auto& names = config::preset_names();
    if (std::ranges::find(names, wanted) == names.end()) return {};
    return QString::fromStdString(wanted);
}

}  // namespace casp::widgets
