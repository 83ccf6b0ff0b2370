// Which settings do not go together.

#include "config/experiment.h"
#include "config/options.h"

namespace casp::config {

std::int64_t patch_count(const Config& config) {
    return (config.data.lookback - config.model.patch_length) / config.model.patch_stride + 2;
}

std::int64_t token_count(const Config& config) {
    return patch_count(config) + (config.model.prompt ? config.model.top_k : 0);
}

std::vector<Contradiction> contradictions(const Config& config) {
    std::vector<Contradiction> found;
    const auto shown = [&](const std::string& key) { return key + " = " + to_toml(get(config, key)); };
    const auto exceeds = [&](const std::string& small, const std::string& large, const std::string& verb) {
        if (std::get<std::int64_t>(get(config, small)) > std::get<std::int64_t>(get(config, large)))
            found.push_back({{small, large},
                             shown(small) + " " + verb + " " + shown(large),
                             small + " of at most " + large});
    };
    const auto& csv = config.data_csv;
    if (csv.clock_column != "auto" && (csv.time_column == "auto" || csv.time_column == "none"))
        found.push_back(
            {{"data.csv.clock_column", "data.csv.time_column"},
             shown("data.csv.clock_column") + " needs a date column, but " + shown("data.csv.time_column"),
             "the name of the date column in data.csv.time_column"});
    else if (csv.clock_column == csv.time_column && csv.clock_column != "auto")
        found.push_back({{"data.csv.clock_column", "data.csv.time_column"},
                         shown("data.csv.clock_column") + " and " + shown("data.csv.time_column") +
                             " name the same column",
                         "data.csv.clock_column = \"auto\" if one column holds date and time of day"});
    exceeds("model.patch_length", "data.lookback", "is longer than");
    if (config.model.decomposition) {
        exceeds("model.trend_length", "data.lookback", "is longer than");
        exceeds("model.seasonal_length", "data.lookback", "is longer than");
    }
    for (const auto* key : {"run.store_embeddings", "run.store_similarity"})
        if (std::get<bool>(get(config, key)) && config.run.store_forecasts.empty())
            found.push_back({{key, "run.store_forecasts"},
                             shown(key) + " stores for the splits of run.store_forecasts, and there are none",
                             "a split in run.store_forecasts, e.g. [\"test\"]"});
    if (config.model.prompt) exceeds("model.top_k", "model.pool_size", "is more than");

    const auto width = config.backbone.width;
    if (width % config.backbone.heads != 0)
        found.push_back({{"backbone.width", "backbone.heads"},
                         shown("backbone.width") + " is no multiple of " + shown("backbone.heads"),
                         "a width that the number of heads divides"});

    if (config.model.patch_length <= config.data.lookback) {
        const auto tokens = token_count(config);
        std::vector<std::string> keys{"data.lookback", "model.patch_length", "model.patch_stride"};
        if (config.model.prompt) keys.emplace_back("model.top_k");
        auto sum = std::to_string(tokens) + " tokens (" + std::to_string(patch_count(config)) +
                   " patches from " + shown(keys[0]) + ", " + shown(keys[1]) + " and " + shown(keys[2]);
        sum += config.model.prompt ? "; " + shown("model.top_k") + ")" : ")";
        if (tokens > config.backbone.positions) {
            auto all = keys;
            all.emplace_back("backbone.positions");
            found.push_back({std::move(all), sum + " are more than " + shown("backbone.positions"),
                             "at most that many tokens"});
        }
        if (tokens * width % config.model.head_ways != 0) {
            auto all = keys;
            all.insert(all.end(), {"backbone.width", "model.head_ways"});
            found.push_back({std::move(all),
                             sum + " times " + shown("backbone.width") + " cannot be cut into " +
                                 shown("model.head_ways") + " equal parts",
                             "tokens times width divisible by model.head_ways"});
        }
    }
    if (config.coverage.enabled && !config.model.prompt)
        found.push_back({{"coverage.enabled", "model.prompt"},
                         shown("coverage.enabled") + " needs anchors, but " + shown("model.prompt"),
                         "coverage.enabled = false where model.prompt = false"});
    return found;
}

}  // namespace casp::config
