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

constexpr std::string_view experiment_suffix = ".toml";

/// Where the experiments of "PREFIX:NAME" are.
struct Kind {
    std::string_view prefix, folder;
};
constexpr Kind paper{"paper:", "resources/experiments/paper/"};
constexpr Kind study{"study:", "resources/experiments/study/"};

std::vector<std::string> names_of(const Kind& kind) {
    std::vector<std::string> names;
    for (const auto& file : embedded_files())
        if (file.path.starts_with(kind.folder))
            names.emplace_back(file.path.substr(
                kind.folder.size(), file.path.size() - kind.folder.size() - experiment_suffix.size()));
    return names;
}

bool is_covered(const std::string& key, const config::Config& planned) {
    if (key == "run.store_embeddings") return !planned.run.store_embeddings;
    if (key == "run.store_similarity") return !planned.run.store_similarity;
    if (key == "run.lookback_checks") return !planned.run.lookback_checks;
    if (key == "run.gradient_steps") return planned.run.gradient_steps == 0;
    return key != "run.store_forecasts" && !config::changes_forecasts(key);
}

config::Config resolved(const config::Config& config) {
    auto all = data::with_catalog_rules(config);
    all.run.precision = model::product_precision(config);
    return all;
}

}  // namespace

std::vector<std::string> paper_experiment_names() { return names_of(paper); }

std::vector<std::string> study_names() { return names_of(study); }

std::vector<std::string> shipped_targets() {
    std::vector<std::string> targets;
    for (const auto& kind : {paper, study})
        for (const auto& name : names_of(kind)) targets.push_back(std::string(kind.prefix) + name);
    return targets;
}

bool is_shipped_target(std::string_view target) {
    return target.starts_with(paper.prefix) || target.starts_with(study.prefix);
}

std::string target_of_folder(std::string_view folder) {
    for (const auto& target : shipped_targets()) {
        auto name = target;
        std::replace(name.begin(), name.end(), ':', '-');
        if (name == folder) return target;
    }
    return {};
}

config::Experiment load_experiment(const std::string& target, const std::vector<std::string>& sets) {
    if (!is_shipped_target(target)) return config::load(target, sets);
    const auto& kind = target.starts_with(paper.prefix) ? paper : study;
    const auto name = target.substr(kind.prefix.size());
    const auto names = names_of(kind);
    if (std::find(names.begin(), names.end(), name) == names.end()) {
        const auto near = config::nearest(name, names);
        throw input_error(target, Phrase("no shipped experiment is called %1", config::in_quotes(target)),
                          config::either(names),
                          near.empty() ? Phrase() : Phrase("Nearest name: %1%2.", kind.prefix, near));
    }
    const auto path = std::string(kind.folder) + name + std::string(experiment_suffix);
    return config::load_text(embedded_file(path), target, {}, sets);
}

bool covers(const config::Config& run, const config::Config& planned) {
    // Two presets whose data is replaced may have equal settings, but belong to different cells of a table.
    if (!run.preset.empty() && run.preset != planned.preset) return false;
    auto own = resolved(run), wanted = resolved(planned);
    if (wanted.run.precision == "auto") wanted.run.precision = own.run.precision;  // that of its device
    const auto differences = config::differences(own, wanted);
    return std::all_of(differences.begin(), differences.end(),
                       [&](const auto& difference) { return is_covered(difference.key, planned); });
}

}  // namespace casp::evidence
