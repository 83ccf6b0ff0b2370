#include "evidence/paper_experiments.h"

#include <algorithm>

#include "config/options.h"
#include "config/text_utils.h"
#include "data/catalog_rules.h"
#include "model/descriptor.h"
#include "util/embedded.h"
#include "util/error.h"

namespace casp::evidence {

namespace {

constexpr std::string_view experiment_folder = "resources/experiments/paper/";
constexpr std::string_view experiment_suffix = ".toml";
constexpr std::string_view paper_prefix = "paper:";

bool is_covered(const std::string& key, const config::Config& planned) {
    if (key == "run.store_embeddings") return !planned.run.store_embeddings;
    if (key == "run.store_similarity") return !planned.run.store_similarity;
    return key != "run.store_forecasts" && !config::changes_forecasts(key);
}

config::Config resolved(const config::Config& config) {
    auto all = data::with_catalog_rules(config);
    all.run.precision = model::product_precision(config);
    return all;
}

}  // namespace

std::vector<std::string> paper_experiment_names() {
    std::vector<std::string> names;
    for (const auto& file : embedded_files())
        if (file.path.starts_with(experiment_folder))
            names.emplace_back(
                file.path.substr(experiment_folder.size(),
                                 file.path.size() - experiment_folder.size() - experiment_suffix.size()));
    return names;
}

config::Experiment load_experiment(const std::string& target, const std::vector<std::string>& sets) {
    if (!target.starts_with(paper_prefix)) return config::load(target, sets);
    const auto name = target.substr(paper_prefix.size());
    const auto names = paper_experiment_names();
    if (std::find(names.begin(), names.end(), name) == names.end()) {
        const auto near = config::nearest(name, names);
        throw input_error(target, Phrase("no experiment of the paper is called %1", config::in_quotes(name)),
                          config::either(names),
                          near.empty() ? Phrase() : Phrase("Nearest name: paper:%1.", near));
    }
    const auto path = std::string(experiment_folder) + name + std::string(experiment_suffix);
    return config::load_text(embedded_file(path), target, {}, sets);
}

bool covers(const config::Config& run, const config::Config& planned) {
    // Two presets whose data is replaced may have equal settings, but belong to different cells of a table.
    if (!run.preset.empty() && run.preset != planned.preset) return false;
    const auto differences = config::differences(resolved(run), resolved(planned));
    return std::all_of(differences.begin(), differences.end(),
                       [&](const auto& difference) { return is_covered(difference.key, planned); });
}

}  // namespace casp::evidence
