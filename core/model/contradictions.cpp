// Which settings are read and which do not go together (declared in config/options.h). Here, since most rules
// are a model's.

#include <algorithm>

#include "config/experiment.h"
#include "config/options.h"
#include "config/text_utils.h"
#include "model/descriptor.h"
#include "util/phrase.h"

namespace casp::config {

bool is_read(const Config& config, const OptionSpec& option) { return model::reads(config, option); }

std::vector<Contradiction> contradictions(const Config& config) {
    std::vector<Contradiction> found;
    const auto& model = model::descriptor(config);
    const Shown shown{config};
    const auto& csv = config.data_csv;
    const bool has_clock = csv.clock_column != "auto" && csv.clock_column != "none";
    if (has_clock && (csv.time_column == "auto" || csv.time_column == "none"))
        found.push_back({{"data.csv.clock_column", "data.csv.time_column"},
                         Phrase("%1 needs a date column, but %2", shown("data.csv.clock_column"),
                                shown("data.csv.time_column")),
                         "the name of the date column in data.csv.time_column"});
    else if (has_clock && csv.clock_column == csv.time_column)
        found.push_back({{"data.csv.clock_column", "data.csv.time_column"},
                         Phrase("%1 and %2 name the same column", shown("data.csv.clock_column"),
                                shown("data.csv.time_column")),
                         "data.csv.clock_column = \"auto\" if one column holds date and time of day"});
    const auto& columns = config.data.columns;
    for (const auto& target : config.data.targets)
        if (!columns.empty() && std::find(columns.begin(), columns.end(), target) == columns.end())
            found.push_back({{"data.targets", "data.columns"},
                             Phrase("%1 has %2, which %3 leaves out", shown("data.targets"),
                                    in_quotes(target), shown("data.columns")),
                             "targets among data.columns"});
    for (const auto* key : {"run.store_embeddings", "run.store_similarity"}) {
        if (!std::get<bool>(get(config, key))) continue;
        const auto given = shown(key);
        if (config.run.store_forecasts.empty())
            found.push_back(
                {{key, "run.store_forecasts"},
                 Phrase("%1 stores for the splits of run.store_forecasts, and there are none", given),
                 "a split in run.store_forecasts, e.g. [\"test\"]"});
        // What a Python file gives is known when it has been read.
        const bool unknown = model.capabilities(config).own_process && config.python.sha256.empty();
        if (!unknown && !model.capabilities(config).embeddings)
            found.push_back({{key, "model.name"},
                             Phrase("%1, but %2 has no embeddings", given, model.title),
                             Phrase("%1 = false", key)});
    }
    if (config.run.gradient_steps > 0 && config.run.processes > 1)
        found.push_back({{"run.gradient_steps", "run.processes"},
                         Phrase("%1 needs the gradients of whole batches, and %2 divides them",
                                shown("run.gradient_steps"), shown("run.processes")),
                         "run.processes = 1"});
    if (model.check != nullptr)
        for (auto& more : model.check(config)) found.push_back(std::move(more));
    return found;
}

}  // namespace casp::config
