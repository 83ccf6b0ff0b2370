#include <algorithm>
#include <map>
#include <utility>

#include "batch/flags.h"
#include "config/options.h"
#include "config/presets.h"
#include "config/scheduler.h"
#include "data/catalog.h"
#include "evidence/language_study.h"
#include "evidence/paper_experiments.h"
#include "evidence/paper_table.h"
#include "evidence/tuning.h"
#include "util/embedded.h"
#include "util/shell_word.h"

namespace casp::batch {

namespace {

using Words = std::vector<std::string>;

// ------------------------------------------------------------------------------------ what can be completed

Words download_names() {
    Words names;
    for (const auto& entry : data::catalog()) names.push_back(entry.name);
    names.emplace_back("cuda");
    return names;
}

Words data_sets() {
    Words names;
    for (const auto& entry : data::catalog())
        if (data::is_data_set(entry)) names.push_back("catalog:" + entry.name);
    return names;
}

Words setting_keys(bool of_scheduler) {
    Words keys;
    for (const auto& option : of_scheduler ? config::scheduler_options() : config::options())
        keys.push_back(option.key);
    return keys;
}

/// Values of a setting that form a closed list; empty: anything else.
Words values_of(const config::OptionSpec& option) {
    using config::OptionType;
    if (option.type == OptionType::boolean) return {"true", "false"};
    if (option.type == OptionType::strings) return {};
    if (option.key == "data.path") return data_sets();
    if (option.limits.is_device) return {"auto", "cpu", "cuda", "cuda:0"};
    if (option.limits.is_preset_name) return config::preset_names();
    if (option.limits.is_path) return option.limits.words;
    Words values;
    const auto& hidden = option.limits.not_offered;
    for (const auto& choice : option.limits.choices)
        if (!choice.empty() && std::find(hidden.begin(), hidden.end(), choice) == hidden.end())
            values.push_back(choice);
    return values;
}

/// Settings with the same values: their keys by the values.
std::map<Words, Words> keys_by_values() {
    std::map<Words, Words> keys;
    for (const auto& list : {config::options(), config::scheduler_options()})
        for (const auto& option : list)
            if (auto values = values_of(option); !values.empty())
                keys[std::move(values)].push_back(option.key);
    return keys;
}

Words keys_of_paths() {
    Words keys;
    for (const auto& option : config::options())
        if (option.limits.is_path) keys.push_back(option.key);
    return keys;
}

// ------------------------------------------------------------------------------------ text of the scripts

std::string joined(const Words& words, const char* between = " ") {
    std::string out;
    for (const auto& word : words) out += (out.empty() ? "" : between) + shell_word(word);
    return out;
}

/// A shell array, in lines of at most 110 characters.
std::string array(const std::string& name, const Words& words) {
    std::string out = name + "=(";
    std::size_t width = out.size();
    for (const auto& word : words) {
        const auto text = shell_word(word);
        if (width + text.size() > 108) {
            out += "\n   ";
            width = 4;
        }
        out += (out.back() == '(' ? "" : " ") + text;
        width += text.size() + 1;
    }
    return out + ")\n";
}

bool applies(const Modifier& modifier, Mode mode) {
    return std::find(modifier.modes.begin(), modifier.modes.end(), mode) != modifier.modes.end();
}

Words flags_of(Mode mode) {
    Words flags;
    for (const auto& modifier : modifiers())
        if (applies(modifier, mode)) flags.emplace_back(modifier.flag);
    return flags;
}

Words flags_of_modes() {
    Words flags;
    for (const auto& entry : mode_flags()) flags.emplace_back(entry.flag);
    return flags;
}

/// The lists that both shells use.
std::string lists() {
    std::string out;
    const auto add = [&](const char* name, const Words& words) {
        out += array(std::string("_caspstudio_") + name, words);
    };
    add("shipped", evidence::shipped_targets());
    add("presets", config::preset_names());
    add("downloads", download_names());
    auto tables = evidence::paper_table_names();
    tables.emplace_back(evidence::language_study_name);
    tables.emplace_back(evidence::tuning_name);
    add("tables", tables);
    add("keys", setting_keys(false));
    add("scheduler_keys", setting_keys(true));
    return out;
}

/// Branches over the keys of settings with a closed list of values.
std::string values_cases(const char* words_command) {
    std::string out;
    for (const auto& [values, keys] : keys_by_values())
        out += "        " + joined(keys, " | ") + ") " + words_command + " " +
               (values == config::preset_names() ? "\"${_caspstudio_presets[@]}\"" : joined(values)) +
               " ;;\n";
    return out;
}

/// The branch of settings whose value is a path.
std::string path_case(const char* files_command) {
    return "        " + joined(keys_of_paths(), " | ") + ") " + files_command + " ;;\n";
}

/// The branch that finds the command in the words before the current one.
std::string mode_case() {
    return "            " + joined(flags_of_modes(), " | ") + ") mode=${word%%=*} ;;\n";
}

/// What completes a value, in each shell.
struct Action {
    FlagValue value;
    const char* bash;
    const char* zsh;
};

const Action& action_of(FlagValue value) {
    static const std::vector<Action> actions{
        {FlagValue::none, ":", ""},
        {FlagValue::text, ":", " "},
        {FlagValue::folder, "_caspstudio_files", "_files -/"},
        {FlagValue::folder_or_file, "_caspstudio_files ''", "_files"},
        {FlagValue::table_file, "_caspstudio_files csv", "_files -g \"*.csv(-.)\""},
        {FlagValue::experiment, "_caspstudio_files toml", "_files -g \"*.toml(-.)\""},
        {FlagValue::shipped_experiment,
         "_caspstudio_files toml; _caspstudio_words \"${_caspstudio_shipped[@]}\"",
         "_caspstudio_experiments"},
        {FlagValue::weights, "_caspstudio_files safetensors", "_files -g \"*.safetensors(-.)\""},
        {FlagValue::archive, "_caspstudio_files tar.gz", "_files -g \"*.tar.gz(-.)\""},
        {FlagValue::preset, "_caspstudio_words \"${_caspstudio_presets[@]}\"",
         "compadd -a _caspstudio_presets"},
        {FlagValue::download, "_caspstudio_words \"${_caspstudio_downloads[@]}\"",
         "compadd -a _caspstudio_downloads"},
        {FlagValue::paper_table, "_caspstudio_words \"${_caspstudio_tables[@]}\"",
         "compadd -a _caspstudio_tables"},
        {FlagValue::key, "_caspstudio_words case \"${_caspstudio_keys[@]}\"",
         "compadd case -a _caspstudio_keys"},
        {FlagValue::setting, "_caspstudio_setting", "_caspstudio_setting"},
        {FlagValue::word, "_caspstudio_words ", ""}};
    return *std::find_if(actions.begin(), actions.end(),
                         [&](const Action& action) { return action.value == value; });
}

// ------------------------------------------------------------------------------------ bash

/// The bash command that completes a value.
std::string bash_action(FlagValue value, const std::string& argument) {
    const std::string words = value == FlagValue::word ? joined(alternatives_of(argument)) : "";
    return action_of(value).bash + words;
}

/// Branches that complete the value of a flag.
std::string bash_arguments() {
    std::string out;
    const auto add = [&](const char* flag, FlagValue value, const char* argument) {
        if (value != FlagValue::none)
            out += "        " + std::string(flag) + ") " + bash_action(value, argument) + " ;;\n";
    };
    for (const auto& entry : mode_flags()) add(entry.flag, entry.value, entry.argument);
    for (const auto& entry : modifiers()) add(entry.flag, entry.value, entry.argument);
    return out;
}

/// Branches for what no flag waits for: flags, and files of some commands.
std::string bash_others() {
    std::string out;
    const auto add = [&out](const std::string& pattern, FlagValue further, const Words& flags) {
        if (flags.empty() && further == FlagValue::none) return;
        out += "        " + pattern + ")\n";
        if (further != FlagValue::none)
            out += "            if [[ $cur != -* ]]; then " + bash_action(further, "") + "; fi\n";
        // Without a command, files come first.
        const auto words = "_caspstudio_words " + joined(flags);
        if (pattern == "''")
            out += "            if [[ $cur == -* ]]; then " + words + "; fi\n";
        else if (!flags.empty())
            out += "            " + words + "\n";
        out += "            ;;\n";
    };
    for (const auto& entry : mode_flags())
        add(entry.flag, further_arguments(entry.mode), flags_of(entry.mode));
    add("''", further_arguments(Mode::window), flags_of_modes());
    return out;
}

// ------------------------------------------------------------------------------------ zsh

/// The zsh action that completes a value, as _arguments takes it.
std::string zsh_action(FlagValue value, const std::string& argument) {
    if (value == FlagValue::word) return "(" + joined(alternatives_of(argument)) + ")";
    return action_of(value).zsh;
}

/// "--out[Folder for results]:DIR:_files", quoted.
std::string zsh_argument(const char* flag, const char* help, const char* argument, FlagValue value) {
    std::string text = std::string(flag) + "[" + help + "]";
    if (std::string(flag) == "--set") text.insert(0, "*");
    if (value != FlagValue::none) text += std::string(":") + argument + ":" + zsh_action(value, argument);
    return shell_word(text);
}

std::string zsh_arguments() {
    std::string out;
    for (const auto& entry : mode_flags()) {
        out += "        (" + std::string(entry.flag) + ") arguments=(\n            " +
               zsh_argument(entry.flag, entry.help, entry.argument, entry.value) + "\n";
        for (const auto& modifier : modifiers())
            if (applies(modifier, entry.mode))
                out += "            " +
                       zsh_argument(modifier.flag, modifier.help, modifier.argument, modifier.value) + "\n";
        if (const auto further = further_arguments(entry.mode); further != FlagValue::none)
            out += "            " + shell_word("*:file:" + zsh_action(further, "")) + "\n";
        out += "            ) ;;\n";
    }
    out += "        (*) arguments=(\n";
    for (const auto& entry : mode_flags())
        out += "            " + zsh_argument(entry.flag, entry.help, entry.argument, entry.value) + "\n";
    return out + "            '*:file:_files'\n            ) ;;\n";
}

/// The embedded script with its lines "#@NAME" replaced.
std::string filled_script(const char* script, const std::map<std::string_view, std::string>& parts) {
    std::string out;
    auto rest = embedded_file(script);
    while (!rest.empty()) {
        const auto line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
        if (line.starts_with("#@"))
            out += parts.at(line.substr(2));
        else
            out += std::string(line) + "\n";
    }
    return out;
}

}  // namespace

std::string bash_completion() {
    return filled_script("resources/shell/completion.bash", {{"lists", lists()},
                                                             {"values", values_cases("_caspstudio_words")},
                                                             {"paths", path_case("_caspstudio_files ''")},
                                                             {"others", bash_others()},
                                                             {"modes", mode_case()},
                                                             {"arguments", bash_arguments()}});
}

std::string zsh_completion() {
    return filled_script("resources/shell/completion.zsh", {{"lists", lists()},
                                                            {"values", values_cases("compadd --")},
                                                            {"paths", path_case("_files")},
                                                            {"modes", mode_case()},
                                                            {"arguments", zsh_arguments()}});
}

}  // namespace casp::batch
