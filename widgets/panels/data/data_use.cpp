#include "panels/data/data_use.h"

#include <algorithm>
#include <string_view>

#include "config/presets.h"
#include "data/preset_data.h"

namespace casp::widgets {

namespace {

constexpr std::string_view model_without_prefix = "casp-llm";

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
