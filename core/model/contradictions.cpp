// Which settings are read and which do not go together (declared in config/options.h). Here, since most rules
// are a model's.

#include <algorithm>

#include "config/experiment.h"
#include "config/options.h"
#include "config/text_utils.h"
#include "model/descriptor.h"

namespace casp::config {

bool is_read(const Config& config, const OptionSpec& option) { return model::reads(config, option); }

std::vector<Contradiction> contradictions(const Config& config) {
    std::vector<Contradiction> found;
    const auto& model = model::descriptor(config);
    const Shown shown{config};
    const auto& csv = config.data_csv;
    const bool has_clock = csv.clock_column != "auto" && csv.clock_column != "none";
    if (has_clock && (csv.time_column == "auto" || csv.time_column == "none"))
        found.push_back(
            {{"data.csv.clock_column", "data.csv.time_column"},
             shown("data.csv.clock_column") + " needs a date column, but " + shown("data.csv.time_column"),
             "the name of the date column in data.csv.time_column"});
    else if (has_clock && csv.clock_column == csv.time_column)
        found.push_back({{"data.csv.clock_column", "data.csv.time_column"},
                         shown("data.csv.clock_column") + " and " + shown("data.csv.time_column") +
                             " name the same column",
                         "data.csv.clock_column = \"auto\" if one column holds date and time of day"});
    const auto& columns = config.data.columns;
    for (const auto& target : config.data.targets)
        if (!columns.empty() && std::find(columns.begin(), columns.end(), target) == columns.end())
            found.push_back({{"data.targets", "data.columns"},
                             shown("data.targets") + " has " + in_quotes(target) + ", which " +
                                 shown("data.columns") + " leaves out",
                             "targets among data.columns"});
    for (const auto* key : {"run.store_embeddings", "run.store_similarity"}) {
        if (!std::get<bool>(get(config, key))) continue;
        const auto given = shown(key);
        if (config.run.store_forecasts.empty())
            found.push_back({{key, "run.store_forecasts"},
                             given + " stores for the splits of run.store_forecasts, and there are none",
                             "a split in run.store_forecasts, e.g. [\"test\"]"});
        if (!model.capabilities(config).embeddings)
            found.push_back({{key, "model.name"},
                             given + ", but " + std::string(model.title) + " has no embeddings",
                             std::string(key) + " = false"});
    }
    if (config.backbone.kind != "gpt2" && model::reads(config, *find_option("backbone.kind")) &&
        !model.capabilities(config).replaceable)
        found.push_back({{"backbone.kind", "model.name"},
                         shown("backbone.kind") + ", but " + std::string(model.title) + " needs GPT-2",
                         "backbone.kind = \"gpt2\""});
    if (model.check != nullptr)
        for (auto& more : model.check(config)) found.push_back(std::move(more));
    return found;
}

}  // namespace casp::config
