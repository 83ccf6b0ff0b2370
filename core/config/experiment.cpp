#include "config/experiment.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "config/presets.h"
#include "config/python_source.h"
#include "config/text_utils.h"
#include "config/toml_reader.h"
#include "util/error.h"
#include "util/phrase.h"
#include "util/regular_file.h"

namespace casp::config {

namespace {

constexpr std::size_t longest_file = std::size_t{4} << 20U;
constexpr std::size_t max_runs = 10000;
constexpr std::size_t longest_case_label = 60;
constexpr std::size_t longest_run_name = 200;  // file systems allow 255 bytes; temporary files append to it

using Origins = std::map<std::string, std::string>;

/// What one run takes from the sweep.
struct Choice {
    std::vector<const Axis::Point*> points;  ///< one of each axis; empty: without the sweep
    const Case* of_case = nullptr;

    bool operator==(const Choice&) const = default;
};

void apply(Config& config, Origins& origins, const std::string& key, const Value& value,
           const std::string& where) {
    find_option(key)->assign(config, value);
    origins[key] = where;
}

/// defaults < preset < file < sweep < case < --set
std::pair<Config, Origins> resolve(const Experiment& experiment, const Choice& choice, Problems& problems) {
    Config upper;
    Origins origins;
    const auto apply_upper = [&](Config& config) {
        for (const auto& [key, value, where] : experiment.given) apply(config, origins, key, value, where);
        for (std::size_t i = 0; i < choice.points.size(); ++i)
            apply(config, origins, experiment.axes[i].key, choice.points[i]->value, experiment.axes[i].where);
        if (choice.of_case != nullptr)
            for (const auto& [key, value, where] : choice.of_case->given)
                apply(config, origins, key, value, where);
        for (const auto& [key, value, where] : experiment.sets) apply(config, origins, key, value, where);
    };
    apply_upper(upper);  // only to learn which preset it is
    Config config;
    if (!upper.preset.empty()) {
        const auto document =
            read_document(preset_text(upper.preset), Phrase("preset %1", upper.preset), {}, problems);
        for (const auto& [key, value, where] : document.given) apply(config, origins, key, value, where);
    }
    apply_upper(config);
    return {std::move(config), std::move(origins)};
}

void note_contradictions(const Config& config, const Origins& origins, const std::string& where,
                         const std::string& run, std::set<Phrase>& noted, Problems& problems) {
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
        auto advice = sources.empty() ? Phrase() : Phrase("Given: %1; the others are defaults. ", sources);
        if (!run.empty()) advice += Phrase("First in run %1. ", run);
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

/// Whether text has C1 controls, or characters without a glyph that would make equal-looking folder names
/// differ. Joiners are none of them: some scripts need them.
bool has_invisible_characters(std::string_view text) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 6> ranges{
        {{"\xC2\x80", "\xC2\x9F"},            // C1 controls
         {"\xC2\xAD", "\xC2\xAD"},            // soft hyphen
         {"\xE2\x80\x8B", "\xE2\x80\x8B"},    // zero-width space
         {"\xE2\x80\x8E", "\xE2\x80\x8F"},    // direction marks
         {"\xE2\x80\xA8", "\xE2\x80\xAE"},    // separators of lines, embedded directions
         {"\xEF\xBB\xBF", "\xEF\xBB\xBF"}}};  // byte-order mark
    for (std::size_t i = 0; i < text.size(); ++i)
        for (const auto& [low, high] : ranges)
            if (const auto here = text.substr(i, low.size()); here >= low && here <= high) return true;
    return false;
}

/// What is wrong with the label of a case, or "".
Phrase label_problem(const std::string& label) {
    const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
    if (label.find_first_not_of(' ') == std::string::npos) return "the case has no label";
    const auto shown = Phrase("label = %1", in_quotes(abbreviated(label, 80)));
    if (std::any_of(label.begin(), label.end(), is_control))
        return Phrase("%1 contains control characters", shown);
    if (has_invisible_characters(label)) return Phrase("%1 contains invisible characters", shown);
    return display_width(label) > longest_case_label ? Phrase("%1 is too long", shown) : Phrase();
}

/// Labels, and keys that have a value in a case and in [sweep].
void check_cases(const Experiment& experiment, Problems& problems) {
    // By their part of a folder's name, as file systems that ignore the case of letters compare it.
    std::map<std::string, const Case*> folders;
    for (const auto& one : experiment.cases) {
        if (const auto problem = label_problem(one.label); !problem.empty()) {
            problems.add(one.where, problem,
                         Phrase("label = \"...\" with 1 to %1 characters", longest_case_label),
                         "Give the case a label: run names and tables show it.");
        } else if (const auto [found, is_new] = folders.emplace(lower_case(file_name_safe(one.label)), &one);
                   !is_new) {
            const auto& first = *found->second;
            const auto also = Phrase(" (also in %1)", first.where);
            if (first.label == one.label)
                problems.add(one.where, Phrase("two cases have the label %1", in_quotes(one.label) + also),
                             "a different label for each case", "Rename one of the two.");
            else
                problems.add(one.where,
                             Phrase("the labels %1 and %2 are too alike for names of folders",
                                    in_quotes(first.label) + also, in_quotes(one.label)),
                             "labels that differ in digits, '.', '_', '+', '-' or letters, not only in "
                             "upper and lower case",
                             "Rename one of the two.");
        }
        for (const auto& assignment : one.given)
            for (const auto& axis : experiment.axes)
                if (axis.key == assignment.key)
                    problems.add(assignment.where,
                                 Phrase("%1 is in a case and in [sweep] (%2)", axis.key, axis.where),
                                 "each key in one of the two", "Remove it from [sweep] or from the case.");
    }
}

/// Number of runs; 0: too many, which is then noted.
std::size_t number_of_runs(const Experiment& experiment, Problems& problems) {
    std::size_t total = 1;
    const auto times = [&](std::size_t count, const std::string& where) {
        if (total == 0 || (total *= count) <= max_runs) return;
        problems.add(where, Phrase("the sweep has more than %1 runs", max_runs), "a product of fewer values",
                     "Sweep over fewer values, or in several experiments.");
        total = 0;
    };
    for (const auto& axis : experiment.axes) times(axis.points.size(), axis.where);
    if (!experiment.cases.empty()) times(experiment.cases.size(), experiment.cases.front().where);
    return total;
}

/// Adds one part, "seed-2021", to the name of a run.
void add_to_name(std::string& name, const std::string& label, const std::string& value) {
    auto text = file_name_safe(value);
    if (text.empty()) text = "none";
    name += (name.empty() ? "" : "_") + label + "-" + text;
}

/// The runs; of combinations that differ only in settings that their model does not read, the first.
std::vector<RunPlan> plan(const Experiment& experiment, Problems& problems) {
    const auto& axes = experiment.axes;
    const auto& cases = experiment.cases;
    const bool one_run = axes.empty() && cases.empty();
    const auto labels = axis_labels(axes);
    const auto total = number_of_runs(experiment, problems);
    std::vector<RunPlan> runs;
    std::map<std::string, Choice> values_read;  // by run name; points that are not read are null
    std::set<Phrase> noted;
    for (std::size_t index = 0; index < total; ++index) {
        RunPlan run;
        Choice choice{std::vector<const Axis::Point*>(axes.size())};
        auto rest = index;
        if (!cases.empty()) {
            choice.of_case = &cases[rest % cases.size()];
            rest /= cases.size();
        }
        for (std::size_t i = axes.size(); i-- > 0;) {
            choice.points[i] = &axes[i].points[rest % axes[i].points.size()];
            rest /= axes[i].points.size();
        }
        auto [config, origins] = resolve(experiment, choice, problems);
        for (std::size_t i = 0; i < axes.size(); ++i) {
            if (!is_read(config, *find_option(axes[i].key))) {
                choice.points[i] = nullptr;
                continue;
            }
            run.swept.emplace_back(axes[i].key, choice.points[i]->text);
            add_to_name(run.name, labels[i], choice.points[i]->text);
        }
        if (choice.of_case != nullptr) {
            for (const auto& [key, value, place] : choice.of_case->given)
                if (changes_the_task(key)) run.swept.emplace_back(key, plain_text(value));
            run.swept.emplace_back("case", choice.of_case->label);
            add_to_name(run.name, "case", choice.of_case->label);
        }
        if (run.name.empty()) run.name = "single";
        const auto& where = choice.of_case != nullptr ? choice.of_case->where
                            : axes.empty()            ? experiment.where
                                                      : axes.back().where;
        const auto [same_name, is_new] = values_read.emplace(run.name, choice);
        if (!is_new && same_name->second == choice) continue;
        if (run.name.size() > longest_run_name)
            problems.add(where, Phrase("the run name %1 is too long", abbreviated(run.name, 80)),
                         Phrase("at most %1 bytes", longest_run_name),
                         "Sweep over fewer or shorter values, or shorten the labels of cases.");
        else if (!is_new)
            problems.add(where, Phrase("two runs of the sweep are called %1", run.name),
                         "values that differ in letters, digits, '.', '_', '+' or '-'",
                         "Leave one of them out, or change it.");
        note_contradictions(config, origins, experiment.where, one_run ? "" : run.name, noted, problems);
        run.config = std::move(config);
        runs.push_back(std::move(run));
    }
    return runs;
}

/// Settings of a model that no run uses: the user expects something of them that will not happen.
void note_foreign_settings(const Experiment& experiment, const std::vector<RunPlan>& runs,
                           Problems& problems) {
    const auto check = [&](const std::string& key, const std::string& where, const Case* of_case = nullptr) {
        const auto& model = find_option(key)->model;
        if (model.empty()) return;
        const auto of_it = runs_of(runs, of_case);
        if (of_it.empty()) return;
        for (const auto* run : of_it)
            if (run->config.model.name == model) return;
        problems.add(where,
                     Phrase("%1 is a setting of the model %2, and model.name = %3", key, in_quotes(model),
                            in_quotes(of_it.front()->config.model.name)),
                     Phrase("model.name = %1", in_quotes(model)),
                     Phrase("Set model.name, or remove %1.", key));
    };
    for (const auto* list : {&experiment.given, &experiment.sets})
        for (const auto& assignment : *list) check(assignment.key, assignment.where);
    for (const auto& axis : experiment.axes) check(axis.key, axis.where);
    for (const auto& one : experiment.cases)
        for (const auto& assignment : one.given) check(assignment.key, assignment.where, &one);
}

/// The settings of a case in the order of their keys.
std::map<std::string, std::string> settings_of_case(const Case& one) {
    std::map<std::string, std::string> settings;
    for (const auto& assignment : one.given) settings.emplace(assignment.key, to_toml(assignment.value));
    return settings;
}

/// Settings that cases lost to --set. Without them, labels may be false, and those of equal cases are.
void note_replaced(Experiment& experiment, const std::vector<Case>& of_file, Problems& problems) {
    std::map<std::map<std::string, std::string>, std::vector<std::size_t>> alike;
    for (std::size_t i = 0; i < of_file.size(); ++i) {
        const auto left = settings_of_case(experiment.cases[i]);
        alike[left].push_back(i);
        for (const auto& assignment : of_file[i].given)
            if (!left.contains(assignment.key))
                experiment.replaced.push_back(
                    Phrase("--set replaces %1 of the case %2", assignment.key, in_quotes(of_file[i].label)));
    }
    for (const auto& [left, indices] : alike) {
        std::set<std::map<std::string, std::string>> before;
        std::set<std::string> keys;
        std::string labels;
        for (const auto i : indices) {
            before.insert(settings_of_case(of_file[i]));
            labels += (labels.empty() ? "" : ", ") + in_quotes(of_file[i].label);
            for (const auto& assignment : of_file[i].given)
                if (!left.contains(assignment.key)) keys.insert(assignment.key);
        }
        if (before.size() < 2) continue;  // one case, or equal in the file
        problems.add("--set",
                     Phrase("without %1, which --set replaces, these cases are equal: %2",
                            listed({keys.begin(), keys.end()}, keys.size()), labels),
                     "cases that differ", "Leave it out, or copy the experiment and change its cases.");
    }
}

/// Later arguments win over earlier ones and over the file's sweep and cases.
void add_sets(Experiment& experiment, const std::vector<std::string>& sets, Problems& problems) {
    const auto erase = [](auto& list, const std::string& key) {
        list.erase(
            std::remove_if(list.begin(), list.end(), [&](const auto& item) { return item.key == key; }),
            list.end());
    };
    const auto of_file = experiment.cases;
    for (const auto& argument : sets) {
        auto document = read_set(argument, problems);
        for (auto& assignment : document.given) {
            erase(experiment.axes, assignment.key);
            for (auto& one : experiment.cases) erase(one.given, assignment.key);
            erase(experiment.sets, assignment.key);
            experiment.sets.push_back(std::move(assignment));
        }
        for (auto& assignment : document.scheduler) {
            erase(experiment.scheduler, assignment.key);
            experiment.scheduler.push_back(std::move(assignment));
        }
        for (auto& axis : document.axes) {
            erase(experiment.sets, axis.key);
            for (auto& one : experiment.cases) erase(one.given, axis.key);
            const auto same = std::find_if(experiment.axes.begin(), experiment.axes.end(),
                                           [&](const Axis& other) { return other.key == axis.key; });
            if (same != experiment.axes.end())
                *same = std::move(axis);
            else
                experiment.axes.push_back(std::move(axis));
        }
    }
    note_replaced(experiment, of_file, problems);
}

Experiment read(std::string_view toml, const std::string& where, const std::filesystem::path& base_folder,
                const std::vector<std::string>& sets, const std::string& default_name) {
    Problems problems;
    Experiment experiment;
    experiment.where = where;
    auto document = read_document(toml, where, base_folder, problems);
    experiment.given = std::move(document.given);
    experiment.axes = std::move(document.axes);
    experiment.cases = std::move(document.cases);
    experiment.scheduler = std::move(document.scheduler);
    add_sets(experiment, sets, problems);
    check_cases(experiment, problems);
    problems.advise();
    problems.raise(where);

    experiment.base = resolve(experiment, {}, problems).first;
    if (experiment.base.name.empty() && !default_name.empty()) {
        if (const auto problem = problem_with(*find_option("name"), default_name); !problem.empty())
            problems.add(where, Phrase("the file's name %1", problem), expected_text(*find_option("name")),
                         "Rename the file or give the experiment a name = \"...\".");
        experiment.given.push_back({"name", default_name, where});
        experiment.base.name = default_name;
    }
    const auto runs = plan(experiment, problems);
    note_foreign_settings(experiment, runs, problems);
    problems.raise(where);
    experiment.notes = notes_of(experiment, runs);
    return experiment;
}

/// Of the files that runs execute: a file that was changed is another setting.
void note_digests(std::vector<RunPlan>& runs, const Experiment& experiment, Problems& problems) {
    std::map<std::string, PythonSource> sources;
    for (auto& run : runs) {
        auto& python = run.config.python;
        if (!is_read(run.config, *find_option("python.file"))) continue;
        try {
            if (python.file.empty())
                throw input_error("python.file", "no file is given", "a Python file with make(task)",
                                  "Set python.file to your file.");
            auto& source = sources[python.file];
            if (source.sha256.empty()) remember(source = read_python_source(python.file));
            python.sha256 = source.sha256;
            python.embeds |= source.embeds;
        } catch (const Error& error) {
            const auto& parts = error.parts();
            problems.add(experiment.where, Phrase("python.file: %1: %2", parts.where, parts.found),
                         parts.expected, parts.advice);
            return;
        }
    }
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

Experiment experiment_of(const Config& config, const std::vector<std::string>& keys) {
    Experiment experiment;
    experiment.base = config;
    experiment.where = "the experiment";
    for (const auto& option : options())
        experiment.given.push_back({option.key, option.get(config), experiment.where});
    for (const auto& key : keys) {
        const auto value = get(config, key);
        experiment.axes.push_back({key, {{value, plain_text(value)}}, experiment.where});
    }
    return experiment;
}

std::vector<const RunPlan*> runs_of(const std::vector<RunPlan>& runs, const Case* one) {
    std::vector<const RunPlan*> found;
    for (const auto& run : runs)
        if (one == nullptr || (!run.swept.empty() && run.swept.back().second == one->label))
            found.push_back(&run);
    return found;
}

std::vector<RunPlan> expand(const Experiment& experiment, const std::filesystem::path& batch) {
    Problems problems;
    check_cases(experiment, problems);
    auto runs = plan(experiment, problems);
    const bool no_data = std::any_of(runs.begin(), runs.end(),
                                     [](const RunPlan& run) { return run.config.data.path.empty(); });
    if (no_data)
        problems.add(experiment.where, "data.path is not given", expected_text(*find_option("data.path")),
                     "Set data.path to your file, or to a name that --list-catalog shows.");
    note_digests(runs, experiment, problems);
    problems.raise(experiment.where);
    for (std::size_t i = 0; i < runs.size() && !batch.empty(); ++i) {
        runs[i].folder = batch / runs[i].name;
        runs[i].position = static_cast<std::int64_t>(i);
    }
    return runs;
}

}  // namespace casp::config
