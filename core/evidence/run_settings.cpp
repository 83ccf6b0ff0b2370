#include "evidence/run_settings.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "config/experiment.h"
#include "config/options.h"
#include "config/text_utils.h"
#include "data/catalog_rules.h"
#include "model/descriptor.h"
#include "store/known_weights.h"
#include "store/run_file.h"
#include "store/run_folder.h"
#include "store/run_store.h"
#include "util/error.h"
#include "util/grouping.h"

namespace casp::evidence {

namespace {

namespace fs = std::filesystem;

/// Whether two runs with different values of this setting are different experiments.
bool distinguishes(const std::string& key) {
    return config::changes_forecasts(key) && key != "train.seed" && key != "data.path" &&
           key != "data.horizon";
}

/// The value as in [sweep]. Cases are in run.json only, and paths as they were given there.
std::string sweep_text(const SettledRun& run, const std::string& key) {
    if (key == "model.name") return model::model_label(run.config);
    const auto* option = config::find_option(key);
    if (option == nullptr || key == "data.path") {
        const auto* text = store::find_setting(run.row.swept, key);
        return text == nullptr ? std::string() : *text;
    }
    auto text = config::plain_text(option->get(run.config));
    // A checkpoint may have been moved; the kind of backbone stays.
    if (key == "backbone.path" && text != "untrained" && !run.row.backbone.empty()) {
        // Of random blocks the words' origin: backbone.kind is another setting.
        return store::origin_of_words(run.row.backbone);
    }
    return text;
}

using store::Settings;

Settings settings_of(const SettledRun& run, const std::vector<std::string>& keys) {
    Settings settings;
    for (const auto& key : keys) settings.emplace_back(key, sweep_text(run, key));
    return settings;
}

std::vector<std::string> swept_keys(const std::vector<SettledRun>& runs) {
    std::vector<std::string> keys;
    for (const auto& run : runs)
        for (const auto& setting : run.row.swept) add_once(keys, setting.first);
    return keys;
}

std::vector<std::string> without(std::vector<std::string> keys, const std::set<std::string>& removed) {
    std::erase_if(keys, [&](const auto& key) { return removed.count(key) != 0; });
    return keys;
}

/// Runs with equal data, horizon and `keys`.
auto alike_in(const std::vector<SettledRun>& runs, const std::vector<std::string>& keys) {
    return grouped(runs, [&](const SettledRun& run) {
        return std::tuple(settings_of(run, keys), run.row.data, run.row.horizon);
    });
}

/// Whether two runs with the same data differ in this setting. One that finished with data.missing = "error"
/// had no missing values, for which any other policy is the same.
bool differ(const SettledRun& a, const SettledRun& b, const std::string& key) {
    const auto text = sweep_text(a, key), other = sweep_text(b, key);
    return text != other && !(key == "data.missing" && (text == "error" || other == "error"));
}

/// Settings in which runs differ although their data, horizon and `keys` are equal. A setting that changes
/// the task never follows from `keys`: presets of the same data and horizon may split the data differently.
std::vector<std::string> further_keys(const std::vector<SettledRun>& runs,
                                      const std::vector<std::string>& keys) {
    const auto alike = alike_in(runs, without(keys, {"train.seed"})), same_cell = alike_in(runs, {});
    std::vector<std::string> further;
    for (const auto& option : config::options()) {
        if (!distinguishes(option.key) || std::find(keys.begin(), keys.end(), option.key) != keys.end())
            continue;
        const auto& groups = config::changes_the_task(option.key) ? same_cell : alike;
        const bool differs = std::any_of(groups.begin(), groups.end(), [&](const auto& group) {
            const auto& members = group.second;
            return std::any_of(members.begin() + 1, members.end(), [&](const SettledRun* run) {
                return differ(*run, *members.front(), option.key);
            });
        });
        if (differs) further.push_back(option.key);
    }
    return further;
}

/// Label of the run's case; "" without one.
std::string case_of(const SettledRun& run) { return sweep_text(run, store::case_key); }

/// Whether, in one of the batches, runs that differ only in the case (and the seed) differ in this setting.
bool is_set_by_cases(const std::vector<SettledRun>& runs, const std::vector<std::string>& keys,
                     const std::string& key) {
    for (const auto& [settings, members] : alike_in(runs, without(keys, {"train.seed", store::case_key}))) {
        std::map<fs::path, const SettledRun*> first;
        for (const auto* run : members) {
            const auto* other = first.try_emplace(run->folder.parent_path(), run).first->second;
            if (!case_of(*run).empty() && case_of(*run) != case_of(*other) && differ(*run, *other, key))
                return true;
        }
    }
    return false;
}

/// Attributes of run.h5; empty ones if it cannot be read.
store::RunAttributes attributes_of(const fs::path& run) {
    try {
        return store::read_run_attributes(store::RunFolder(run).run_file());
    } catch (const Error& problem) {
        if (problem.kind() != ErrorKind::input) throw;
        return {};
    }
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// Why the state of a run is unknown; "" if it is known. Its case and swept settings are in run.json only.
Phrase unreadable(const store::ScannedRun& run) {
    if (run.problem.empty() || !run.status.updated.empty()) return {};
    const auto folder = run.folder.string();
    std::error_code unknown;
    if (!fs::exists(store::RunFolder(run.folder).run_json(), unknown))
        return Phrase(
            "%1: run.json is missing. Start the run again with the same settings: a finished run gets a new "
            "run.json from its run.h5.",
            folder);
    const auto problem = first_line(run.problem);
    return problem.starts_with(folder) ? problem : folder + ": " + problem;
}

}  // namespace

config::Config settled_settings(config::Config config, const store::RunAttributes& attributes) {
    return data::with_catalog_rules(std::move(config), attributes.dataset_sha256,
                                    attributes.dataset.value_or(""));
}

config::Config settled_settings(const fs::path& run) {
    auto config = store::read_settings(store::RunFolder(run));
    return data::needs_digest(config) ? settled_settings(std::move(config), attributes_of(run))
                                      : data::with_catalog_rules(std::move(config));
}

FinishedRuns finished_runs(const std::vector<fs::path>& folders, const std::stop_token& stop, bool early) {
    FinishedRuns finished;
    std::set<fs::path> seen;
    std::map<fs::path, UnfinishedRuns> batches;
    for (const auto& folder : folders) {
        auto found = store::find_runs(folder, stop);
        if (found.empty()) finished.empty.push_back(folder);
        for (auto& run : found) {
            throw_if_stopped(stop);
            std::error_code unknown;
            if (!seen.insert(fs::weakly_canonical(run.folder, unknown)).second) continue;
            auto& batch = batches[run.folder.parent_path()];
            ++batch.total;
            if (const auto problem = unreadable(run); !problem.empty()) {
                finished.skipped.push_back(problem);
                continue;
            }
            const auto state = run.status.row.state;
            if (early ? !store::is_complete(state) : state != store::RunState::finished) {
                ++batch.left[state];
                continue;
            }
            try {
                auto config = settled_settings(run.folder);
                finished.runs.push_back({std::move(run.status.row), std::move(config), run.folder});
            } catch (const Error& problem) {
                if (problem.kind() != ErrorKind::input) throw;
                finished.skipped.push_back(run.folder.string() + ": " + first_line(problem.what()));
            }
        }
    }
    for (auto& [folder, batch] : batches) {
        if (batch.left.empty()) continue;
        batch.batch = folder;
        finished.unfinished.push_back(std::move(batch));
    }
    return finished;
}

std::vector<Phrase> separate_cases(std::vector<SettledRun>& runs) {
    const auto keys = swept_keys(runs);
    std::vector<std::string> of_cases;
    for (const auto& key : further_keys(runs, keys))
        if (!config::changes_the_task(key) && is_set_by_cases(runs, keys, key)) of_cases.push_back(key);
    std::map<std::pair<fs::path, std::string>, std::string> labels;  // new ones, by batch and label
    std::vector<Phrase> sentences;
    for (const auto& [settings, members] : alike_in(runs, without(keys, {"train.seed"}))) {
        const auto label = case_of(*members.front());
        if (label.empty()) continue;
        const auto& first = *members.front();
        for (const auto* run : members) {
            const auto batch = run->folder.parent_path(), other = first.folder.parent_path();
            const auto differs = [&](const auto& key) { return differ(*run, first, key); };
            const auto key = std::find_if(of_cases.begin(), of_cases.end(), differs);
            if (batch == other || key == of_cases.end()) continue;
            const auto name = batch.filename() == other.filename() ? batch : batch.filename();
            const auto [entry, is_new] =
                labels.try_emplace({batch, label}, label + " (" + name.string() + ")");
            if (is_new)
                sentences.push_back(Phrase(
                    "case %1 has other settings in %2 than in %3 (%4 = %5 instead of %6); it is compared as "
                    "%7",
                    config::in_quotes(label), batch.string(), other.string(), *key, sweep_text(*run, *key),
                    sweep_text(first, *key), config::in_quotes(entry->second)));
        }
    }
    for (auto& run : runs)
        if (const auto found = labels.find({run.folder.parent_path(), case_of(run)}); found != labels.end())
            for (auto& [key, text] : run.row.swept)
                if (key == store::case_key) text = found->second;
    return sentences;
}

std::vector<store::ResultRow> as_one_sweep(const std::vector<SettledRun>& runs, const std::string& key) {
    auto keys = swept_keys(runs);
    const bool adds = !key.empty() && std::find(keys.begin(), keys.end(), key) == keys.end();
    if (adds && key == "preset") keys.push_back(key);  // its settings follow from it
    const auto further = further_keys(runs, keys);
    // After that: what two single runs differ in besides `key` must not seem to follow from it.
    if (adds && key != "preset") keys.push_back(key);
    for (const auto& other : further)
        if (other != key) keys.push_back(other);
    std::vector<store::ResultRow> rows;
    for (const auto& run : runs) {
        rows.push_back(run.row);
        rows.back().swept = settings_of(run, keys);
        std::erase_if(rows.back().swept, [&](const auto& setting) {
            const auto* option = config::find_option(setting.first);
            return option == nullptr ? setting.second.empty()  // no case
                                     : !config::is_read(run.config, *option);
        });
    }
    return rows;
}

}  // namespace casp::evidence
