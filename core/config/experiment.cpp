#include "config/experiment.h"

#include <algorithm>
#include <map>
#include <set>

#include "config/presets.h"
#include "config/text_utils.h"
#include "config/toml_reader.h"
#include "util/regular_file.h"

namespace casp::config {

namespace {

constexpr std::size_t longest_file = std::size_t{4} << 20U;
constexpr std::size_t most_runs = 10000;
constexpr std::size_t longest_run_name = 200;  // file systems allow 255 bytes; temporary files append to it

using Origins = std::map<std::string, std::string>;
using Choice = std::vector<const Axis::Point*>;  ///< one point of each axis; empty: without the sweep

void apply(Config& config, Origins& origins, const std::string& key, const Value& value,
           const std::string& where) {
    find_option(key)->assign(config, value);
    origins[key] = where;
}

/// defaults < preset < file < sweep < --set
std::pair<Config, Origins> resolve(const Experiment& experiment, const Choice& choice, Problems& problems) {
    Config upper;
    Origins origins;
    const auto apply_upper = [&](Config& config) {
        for (const auto& [key, value, where] : experiment.given) apply(config, origins, key, value, where);
        for (std::size_t i = 0; i < choice.size(); ++i)
            apply(config, origins, experiment.axes[i].key, choice[i]->value, experiment.axes[i].where);
        for (const auto& [key, value, where] : experiment.sets) apply(config, origins, key, value, where);
    };
    apply_upper(upper);  // only to learn which preset it is
    Config config;
    if (!upper.preset.empty()) {
        const auto document =
            read_document(preset_text(upper.preset), "preset " + upper.preset, {}, problems);
        for (const auto& [key, value, where] : document.given) apply(config, origins, key, value, where);
    }
    apply_upper(config);
    return {std::move(config), std::move(origins)};
}

void note_contradictions(const Config& config, const Origins& origins, const std::string& where,
                         const std::string& run, std::set<std::string>& noted, Problems& problems) {
    for (const auto& contradiction : contradictions(config)) {
        if (!noted.insert(contradiction.found).second) continue;
        std::string place;
        std::string sources;
        for (const auto& key : contradiction.keys) {
            const auto origin = origins.find(key);
            if (origin == origins.end()) continue;
            if (place.empty()) place = origin->second;
            sources += (sources.empty() ? "" : ", ") + key + " in " + origin->second;
        }
        auto advice = sources.empty() ? std::string() : "Given: " + sources + "; the others are defaults. ";
        if (!run.empty()) advice += "First in run " + run + ". ";
        advice += "Change one of them.";
        problems.add(place.empty() ? where : place, contradiction.found, contradiction.expected, advice);
    }
}

/// The part of a run name that says which axis it is: the last component of the key where that is enough.
std::vector<std::string> axis_labels(const std::vector<Axis>& axes) {
    std::map<std::string, int> count;
    for (const auto& axis : axes) ++count[find_option(axis.key)->member];
    std::vector<std::string> labels;
    for (const auto& axis : axes) {
        const auto& member = find_option(axis.key)->member;
        labels.push_back(count[member] > 1 ? axis.key : member);
    }
    return labels;
}

std::vector<RunPlan> plan(const Experiment& experiment, Problems& problems) {
    const auto& axes = experiment.axes;
    const auto labels = axis_labels(axes);
    std::size_t total = 1;
    for (const auto& axis : axes) {
        total *= axis.points.size();
        if (total <= most_runs) continue;
        problems.add(axis.where, "the sweep has more than " + std::to_string(most_runs) + " runs",
                     "a product of fewer values", "Sweep over fewer values, or in several experiments.");
        return {};
    }
    std::vector<RunPlan> runs;
    std::set<std::string> names;
    std::set<std::string> noted;
    for (std::size_t index = 0; index < total; ++index) {
        RunPlan run;
        Choice choice(axes.size());
        auto rest = index;
        for (std::size_t i = axes.size(); i-- > 0;) {
            choice[i] = &axes[i].points[rest % axes[i].points.size()];
            rest /= axes[i].points.size();
        }
        for (std::size_t i = 0; i < axes.size(); ++i) {
            run.swept.emplace_back(axes[i].key, choice[i]->text);
            auto text = file_name_safe(choice[i]->text);
            if (text.empty()) text = "none";
            run.run_name += (run.run_name.empty() ? "" : "_") + labels[i] + "-" + text;
        }
        if (axes.empty()) run.run_name = "single";
        const auto& where = axes.empty() ? experiment.where : axes.back().where;
        if (run.run_name.size() > longest_run_name)
            problems.add(where, "the run name " + abbreviated(run.run_name, 80) + " is too long",
                         "at most " + std::to_string(longest_run_name) + " bytes",
                         "Sweep over fewer or shorter values.");
        else if (!names.insert(run.run_name).second)
            problems.add(where, "two runs of the sweep are called " + run.run_name,
                         "values that differ in letters, digits, '.', '_', '+' or '-'",
                         "Leave one of them out, or change it.");
        auto [config, origins] = resolve(experiment, choice, problems);
        note_contradictions(config, origins, experiment.where, axes.empty() ? "" : run.run_name, noted,
                            problems);
        run.config = std::move(config);
        runs.push_back(std::move(run));
    }
    return runs;
}

/// Settings of a model that no run uses: the user expects something of them that will not happen.
void note_foreign_settings(const Experiment& experiment, const std::vector<RunPlan>& runs,
                           Problems& problems) {
    const auto check = [&](const std::string& key, const std::string& where) {
        const auto& model = find_option(key)->model;
        const auto uses = [&](const RunPlan& run) { return run.config.model.name == model; };
        if (model.empty() || runs.empty() || std::any_of(runs.begin(), runs.end(), uses)) return;
        problems.add(where,
                     key + " is a setting of the model " + in_quotes(model) +
                         ", and model.name = " + in_quotes(runs.front().config.model.name),
                     "model.name = " + in_quotes(model), "Set model.name, or remove " + key + ".");
    };
    for (const auto* list : {&experiment.given, &experiment.sets})
        for (const auto& assignment : *list) check(assignment.key, assignment.where);
    for (const auto& axis : experiment.axes) check(axis.key, axis.where);
}

/// Later arguments win over earlier ones and over the file's sweep.
void add_sets(Experiment& experiment, const std::vector<std::string>& sets, Problems& problems) {
    const auto erase = [](auto& list, const std::string& key) {
        list.erase(
            std::remove_if(list.begin(), list.end(), [&](const auto& item) { return item.key == key; }),
            list.end());
    };
    for (const auto& argument : sets) {
        auto document = read_set(argument, problems);
        for (auto& assignment : document.given) {
            erase(experiment.axes, assignment.key);
            erase(experiment.sets, assignment.key);
            experiment.sets.push_back(std::move(assignment));
        }
        for (auto& axis : document.axes) {
            erase(experiment.sets, axis.key);
            const auto same = std::find_if(experiment.axes.begin(), experiment.axes.end(),
                                           [&](const Axis& other) { return other.key == axis.key; });
            if (same != experiment.axes.end())
                *same = std::move(axis);
            else
                experiment.axes.push_back(std::move(axis));
        }
    }
}

Experiment read(std::string_view toml, const std::string& where, const std::filesystem::path& base_folder,
                const std::vector<std::string>& sets, const std::string& default_name) {
    Problems problems;
    Experiment experiment;
    experiment.where = where;
    auto document = read_document(toml, where, base_folder, problems);
    experiment.given = std::move(document.given);
    experiment.axes = std::move(document.axes);
    add_sets(experiment, sets, problems);
    problems.advise();
    problems.raise(where);

    experiment.base = resolve(experiment, {}, problems).first;
    if (experiment.base.name.empty() && !default_name.empty()) {
        if (const auto problem = problem_with(*find_option("name"), default_name); !problem.empty())
            problems.add(where, "the file's name " + problem, expected_text(*find_option("name")),
                         "Rename the file or give the experiment a name = \"...\".");
        experiment.given.push_back({"name", default_name, where});
        experiment.base.name = default_name;
    }
    note_foreign_settings(experiment, plan(experiment, problems), problems);
    problems.raise(where);
    return experiment;
}

}  // namespace

Experiment load(const std::filesystem::path& file, const std::vector<std::string>& sets) {
    const auto where = file.string();
    const auto text = RegularFile(file, "an experiment file (TOML)").read_all(longest_file);
    return read(text, where, file.parent_path(), sets, file.stem().string());
}

Experiment load_text(std::string_view toml, const std::string& where,
                     const std::filesystem::path& base_folder, const std::vector<std::string>& sets) {
    return read(toml, where, base_folder, sets, {});
}

std::vector<RunPlan> expand(const Experiment& experiment) {
    Problems problems;
    auto runs = plan(experiment, problems);
    const bool no_data = std::any_of(runs.begin(), runs.end(),
                                     [](const RunPlan& run) { return run.config.data.path.empty(); });
    if (no_data)
        problems.add(experiment.where, "data.path is not given", expected_text(*find_option("data.path")),
                     "Set data.path to your file, or to a name that --list-catalog shows.");
    problems.raise(experiment.where);
    return runs;
}

}  // namespace casp::config
