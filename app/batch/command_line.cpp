#include "batch/command_line.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <sstream>

#include <CLI/CLI.hpp>

#include "batch/flags.h"
#include "config/experiment.h"
#include "config/options.h"
#include "config/presets.h"
#include "config/scheduler.h"
#include "config/text_utils.h"
#include "evidence/paper_experiments.h"
#include "model/descriptor.h"
#include "util/build_info.h"
#include "util/error.h"

namespace casp::batch {

namespace {

constexpr std::size_t columns = 100;
constexpr std::size_t indent = 30;
const char* const usage_advice = "See caspstudio --help.";

std::string flag_of(Mode mode) {
    for (const auto& entry : mode_flags())
        if (entry.mode == mode) return entry.flag;
    return "the window";
}

std::string argument_of(const std::string& flag) {
    for (const auto& entry : mode_flags())
        if (flag == entry.flag) return entry.argument;
    for (const auto& entry : modifiers())
        if (flag == entry.flag) return entry.argument;
    return {};
}

Error usage_error(std::string found, std::string expected = {}, std::string advice = usage_advice) {
    return input_error("command line", std::move(found), std::move(expected), std::move(advice));
}

Error unknown_flag(const std::string& argument) {
    const auto flag = argument.substr(0, argument.find('='));
    std::vector<std::string> flags;
    for (const auto& entry : mode_flags()) flags.emplace_back(entry.flag);
    for (const auto& entry : modifiers()) flags.emplace_back(entry.flag);
    if (config::find_option(flag.substr(std::min(flag.find_first_not_of('-'), flag.size()))) != nullptr)
        return usage_error("unknown flag " + flag, {}, "Set a setting with --set KEY=VALUE.");
    const auto near = config::nearest(flag, flags);
    return usage_error("unknown flag " + config::abbreviated(flag, 80), {},
                       near.empty() ? usage_advice : "Nearest flag: " + near + ".");
}

Mode mode_of(const CLI::App& app) {
    if (app.count("--help") != 0) return Mode::help;
    std::optional<Mode> mode;
    for (const auto& entry : mode_flags()) {
        if (app.count(entry.flag) == 0) continue;
        if (mode)
            throw usage_error(flag_of(*mode) + " and " + entry.flag + " cannot be combined",
                              "only one of them");
        mode = entry.mode;
    }
    return mode.value_or(Mode::window);
}

void check_modifiers(const CLI::App& app, Mode mode) {
    for (const auto& modifier : modifiers()) {
        if (app.count(modifier.flag) == 0) continue;
        const auto& modes = modifier.modes;
        if (std::find(modes.begin(), modes.end(), mode) != modes.end()) continue;
        std::vector<std::string> names;
        names.reserve(modes.size());
        for (const auto allowed : modes) names.push_back(flag_of(allowed));
        auto advice = std::string(usage_advice);
        if (std::string(modifier.flag) == "--preset") advice = "Use --set preset=NAME instead.";
        throw usage_error(
            std::string(modifier.flag) + " does not apply " +
                (mode == Mode::window ? "without " + config::either(names).english() : "to " + flag_of(mode)),
            mode == Mode::window ? "" : config::either(names), advice);
    }
}

std::vector<std::string> comma_separated(const std::string& flag, const std::string& list) {
    const auto empty_item = [&] {
        return usage_error(flag + " has an empty " + (flag == "--level" ? "level" : "name") + " in \"" +
                           list + "\"");
    };
    std::vector<std::string> items;
    std::istringstream stream(list);
    for (std::string item; std::getline(stream, item, ',');) {
        const auto first = item.find_first_not_of(' ');
        if (first == std::string::npos) throw empty_item();
        items.push_back(item.substr(first, item.find_last_not_of(' ') - first + 1));
    }
    if (items.empty() || list.back() == ',') throw empty_item();
    return items;
}

std::vector<int> levels_in(const std::string& list) {
    std::vector<int> levels;
    for (const auto& item : comma_separated("--level", list)) {
        const bool digits = item.size() <= 2 && item.find_first_not_of("0123456789") == std::string::npos;
        const int level = digits ? std::stoi(item) : 0;
        if (level == 0)
            throw usage_error("--level has " + config::in_quotes(config::abbreviated(item, 80)),
                              "whole percent from 1 to 99, such as --level 80,95");
        if (std::find(levels.begin(), levels.end(), level) != levels.end())
            throw usage_error("--level has " + item + " twice", "different levels");
        levels.push_back(level);
    }
    return levels;
}

std::vector<std::string> omissions_in(const std::string& list) {
    auto omissions = comma_separated("--omit", list);
    for (const auto& item : omissions)
        if (item != "weights" && item != "checkpoints")
            throw usage_error("--omit has " + config::in_quotes(config::abbreviated(item, 80)),
                              "weights, checkpoints or both");
    return omissions;
}

double percent_in(const std::string& text) {
    double percent = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), percent);
    if (problem != std::errc() || end != text.data() + text.size() || !(percent > 0 && percent <= 100))
        throw usage_error("--repeat " + config::in_quotes(config::abbreviated(text, 80)),
                          "a percentage above 0, at most 100");
    return percent;
}

std::int64_t origins_in(const std::string& text) {
    std::int64_t origins = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), origins);
    if (problem != std::errc() || end != text.data() + text.size() || origins < 1 || origins > 1'000'000)
        throw usage_error("--origins has " + config::in_quotes(config::abbreviated(text, 80)),
                          "a whole number from 1 to 1000000");
    return origins;
}

Share share_in(const std::string& text) {
    const auto slash = text.find('/');
    const auto number_in = [](std::string_view digits) -> std::size_t {
        std::size_t number = 0;
        const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
        return problem == std::errc() && end == digits.data() + digits.size() ? number : 0;
    };
    const std::string_view all = text;
    const Share share = slash == std::string::npos
                            ? Share{0, 0}
                            : Share{number_in(all.substr(0, slash)), number_in(all.substr(slash + 1))};
    if (share.number < 1 || share.number > share.of)
        throw usage_error("--runs has " + config::in_quotes(config::abbreviated(text, 80)),
                          "I/N with 1 ≤ I ≤ N, such as --runs 2/8");
    return share;
}

/// Imported forecasts also have a seed, by which they are paired. A conversion reads no setting of the data.
void check_sets(const CommandLine& line) {
    const bool with_seed = line.mode == Mode::import_forecasts, converts = line.mode == Mode::convert;
    for (const auto& set : line.sets)
        if (!set.starts_with(converts ? "python.interpreter=" : "data.") &&
            !(with_seed && set.starts_with("train.seed=")))
            throw usage_error(flag_of(line.mode) + " with --set " + config::abbreviated(set, 80),
                              converts    ? "--set python.interpreter=PYTHON"
                              : with_seed ? "--set data.KEY=VALUE or --set train.seed=N"
                                          : "--set data.KEY=VALUE");
}

/// Words of a text; `whole_brackets`: what is in brackets is one word.
std::vector<std::string> words_of(const std::string& text, bool whole_brackets) {
    std::vector<std::string> words(1);
    int depth = 0;
    for (const char c : text) {
        depth += (c == '[') - (c == ']');
        if (c != ' ' || (whole_brackets && depth > 0))
            words.back() += c;
        else if (!words.back().empty())
            words.emplace_back();
    }
    return words;
}

/// Appends the words, wrapped to `columns`; all lines but the first are indented.
void append_wrapped(std::string& out, const std::vector<std::string>& words, std::size_t indentation) {
    std::size_t at = indentation;
    bool first = true;
    for (const auto& word : words) {
        const auto width = config::display_width(word);
        if (!first && at + 1 + width > columns) {
            out += "\n" + std::string(indentation, ' ');
            at = indentation;
            first = true;
        }
        if (!first) out += ' ', ++at;
        out += word;
        at += width;
        first = false;
    }
    out += '\n';
}

void append_wrapped(std::string& out, const std::string& text, std::size_t indentation = indent) {
    append_wrapped(out, words_of(text, false), indentation);
}

std::string padded(const std::string& text, std::size_t width) {
    const auto used = config::display_width(text);
    return used + 1 > width ? text + "\n" + std::string(width, ' ') : text + std::string(width - used, ' ');
}

/// A call of the program and what it does: the first lines of --help.
void append_command(std::string& out, const Command& command) {
    constexpr std::size_t continued = 11, described = 33;
    const std::string name = "caspstudio ";
    const auto synopsis = name + command.synopsis;
    if (config::display_width(synopsis) + 1 < described && *command.help != 0) {
        out += padded(synopsis, described);
    } else {
        out += name;
        append_wrapped(out, words_of(command.synopsis, true), continued);
        if (*command.help == 0) return;
        out += std::string(described, ' ');
    }
    append_wrapped(out, command.help, described);
}

std::string usage() {
    std::string text = "CASP Studio: time-series forecasting with language models.\n\n";
    for (const auto& command : commands()) append_command(text, command);
    text += R"(
The default of --out is "runs"; --forecast, --audit, --compare and --table write files only with it.
Results go to standard output, progress to standard error.
)";
    std::string statuses = "Exit status:";
    for (const auto& outcome : outcomes())
        statuses +=
            (statuses.back() == ':' ? " " : "; ") + (outcome.status + (" " + std::string(outcome.meaning)));
    append_wrapped(text, statuses + ".", 0);
    text += R"(During training, Ctrl+C (SIGTERM, SIGUSR1) stops after the current step and saves a checkpoint
(resume with --resume); SIGUSR2 ends the training of the current run early and evaluates it.

SETTINGS for FILE.toml and --set KEY=VALUE. From lowest to highest precedence:
defaults, preset, file, [sweep], [[sweep.case]], --set.
)";
    return text;
}

/// The defaults are the settings of ETTh1-96, which has seven channels.
constexpr model::BatchShape channels_of_etth1{.rows = 7, .channels = 7};

std::string parts_text(const config::Config& config) {
    const auto& model = model::descriptor(config);
    const auto parts = model.parts == nullptr ? std::vector<model::ParameterPart>() : model.parts(config);
    std::string text;
    const auto add = [&](const std::string& name, std::int64_t parameters, const char* kind) {
        text += name + '\t' + std::to_string(parameters) + '\t' + kind + '\n';
    };
    for (const bool trainable : {true, false})
        for (const auto& part : parts)
            if (part.trainable == trainable)
                add(part.name, part.parameters, trainable ? "trainable" : "frozen");
    const auto sums = model.estimate(config, channels_of_etth1);
    add("total", sums.parameters_trainable, "trainable");
    add("total", sums.parameters_total - sums.parameters_trainable, "frozen");
    add("total", sums.parameters_total, "all");
    return text;
}

}  // namespace

CommandLine parse_command_line(const std::vector<std::string>& arguments) {
    CommandLine line;
    std::string figures;
    std::string levels;
    std::string origins = "1";
    std::string omitted;
    std::string percent;
    std::string share;
    std::string log_format = "text";
    std::string scheduler = "slurm";
    bool none = false;
    CLI::App app("CASP Studio");
    app.set_help_flag();
    app.allow_extras();
    app.add_flag("-h,--help", none);
    for (const auto& entry : mode_flags()) {
        if (entry.mode == Mode::help) continue;
        if (*entry.argument == 0)
            app.add_flag(entry.flag, none);
        else
            app.add_option(entry.flag, line.target);
    }
    app.add_option("--out", line.out);
    app.add_option("--data", line.data);
    app.add_option("--name", line.name);
    app.add_option("--level", levels);
    app.add_option("--origins", origins);
    app.add_option("--format", line.format);
    app.add_option("--omit", omitted);
    app.add_option("--repeat", percent);
    app.add_option("--to", line.to);
    app.add_option("--preset", line.preset);
    app.add_option("--by", line.by);
    app.add_option("--base", line.base);
    app.add_option("--metric", line.metric);
    app.add_option("--figures", figures);
    app.add_option("--log-format", log_format);
    app.add_option("--scheduler", scheduler);
    app.add_flag("--resume", line.resume);
    app.add_flag("--trust-model", line.trust_model);
    app.add_flag("--worker", line.worker);
    app.add_flag("--no-tables", line.no_tables);
    app.add_option("--runs", share);
    app.add_flag("--print", line.print);
    // One value per --set, not split: it may begin with '[' or contain commas.
    app.add_option("--set", line.sets)->type_size(1)->expected(1)->take_all()->allow_extra_args(false);
    app.add_option("PATH", line.files);
    try {
        app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    } catch (const CLI::ParseError& error) {
        const std::string text = error.what();
        const auto flag = text.substr(0, text.find(':'));
        const auto argument = argument_of(flag);
        const auto count = std::count(arguments.begin(), arguments.end(), flag);
        if (argument.empty()) throw usage_error(text);
        if (count > 1) throw usage_error(flag + " is given " + std::to_string(count) + " times", "one");
        throw usage_error(flag + " has no value", flag + " " + argument);
    }
    for (const auto& extra : app.remaining())
        if (extra.size() > 1 && extra.front() == '-' && extra != "--") throw unknown_flag(extra);

    // CLI11 takes the next argument as the value, even if it is a flag.
    for (const auto* option : app.get_options())
        for (const auto& value : option->results())
            if (option->get_items_expected_max() > 0 && value.rfind("--", 0) == 0)
                throw usage_error(option->get_name() + " has no value",
                                  option->get_name() + " " + argument_of(option->get_name()));

    line.mode = mode_of(app);
    if (line.mode == Mode::help) return line;
    check_modifiers(app, line.mode);
    if (line.mode == Mode::print_config || line.mode == Mode::list_models) {
        if (line.files.size() > 1)
            throw usage_error(flag_of(line.mode) + " has " + std::to_string(line.files.size()) +
                                  (line.mode == Mode::print_config ? " files" : " models"),
                              "at most one");
        if (!line.files.empty()) line.target = line.files.front();
        line.files.clear();
    }
    const bool merges = line.mode == Mode::merge;
    const bool takes_folders = line.mode == Mode::compare || line.mode == Mode::table;
    if (line.mode != Mode::window && !takes_folders && !merges && !line.files.empty())
        throw usage_error("unexpected argument " +
                          config::in_quotes(config::abbreviated(line.files.front(), 80)) + " with " +
                          flag_of(line.mode));
    const bool needs_target = !argument_of(flag_of(line.mode)).empty();
    if (needs_target && line.target.empty())
        throw usage_error(flag_of(line.mode) + " has an empty value",
                          flag_of(line.mode) + " " + argument_of(flag_of(line.mode)));
    const bool needs_data = line.mode == Mode::evaluate || line.mode == Mode::forecast ||
                            line.mode == Mode::audit || line.mode == Mode::import_forecasts;
    if (needs_data && line.data.empty())
        throw usage_error(flag_of(line.mode) + " without --data", "--data FILE.csv");
    const bool forecasts = line.mode == Mode::forecast, archives = line.mode == Mode::archive;
    if (line.out.empty())
        throw usage_error("--out has an empty value", forecasts  ? "--out FILE.csv"
                                                      : archives ? "--out FILE.tar.gz"
                                                                 : "--out DIR");
    if (archives && (app.count("--out") == 0 || !line.out.ends_with(".tar.gz")))
        throw usage_error(app.count("--out") == 0 ? "--archive without --out" : "--out " + line.out,
                          "--out FILE.tar.gz");
    if ((takes_folders || forecasts || line.mode == Mode::audit || line.mode == Mode::convert) &&
        app.count("--out") == 0)
        line.out.clear();
    if ((line.mode == Mode::export_forecasts || merges) && app.count("--out") == 0)
        throw usage_error(flag_of(line.mode) + " without --out", "--out DIR");
    if (app.count("--runs") != 0) line.part = share_in(share);
    if (app.count("--level") != 0) line.levels = levels_in(levels);
    if (app.count("--omit") != 0) line.omit = omissions_in(omitted);
    if (app.count("--repeat") != 0) line.repeat = percent_in(percent);
    line.origins = origins_in(origins);
    if (line.format != "npy" && line.format != "csv")
        throw usage_error("--format " + config::in_quotes(config::abbreviated(line.format, 80)),
                          "npy or csv");
    if (app.count("--name") != 0 && line.name.empty())
        throw usage_error("--name has an empty value", "--name NAME");
    if (line.mode == Mode::completion && line.target != "bash" && line.target != "zsh")
        throw usage_error("--completion " + config::in_quotes(config::abbreviated(line.target, 80)),
                          "bash or zsh");
    if (line.mode == Mode::describe || line.mode == Mode::audit || line.mode == Mode::import_forecasts ||
        line.mode == Mode::convert)
        check_sets(line);
    if (line.mode == Mode::submit && (app.count("--scheduler") == 0 || scheduler != "slurm"))
        throw usage_error(app.count("--scheduler") == 0
                              ? "--submit without --scheduler"
                              : "--scheduler " + config::in_quotes(config::abbreviated(scheduler, 80)),
                          "--scheduler slurm");
    if (app.count("--figures") != 0) line.figures = comma_separated("--figures", figures);
    if (log_format != "text" && log_format != "json")
        throw usage_error("--log-format " + config::in_quotes(log_format), "text or json");
    line.log_format = log_format == "json" ? LogFormat::json : LogFormat::text;
    return line;
}

std::string help_text() {
    std::string text = usage();
    std::string group;
    auto options = config::options();
    options.insert(options.end(), config::scheduler_options().begin(), config::scheduler_options().end());
    for (const auto& option : options) {
        if (option.group != group) {
            group = option.group;
            text += "\n" + group + "\n";
        }
        text += padded("  " + option.key, indent);
        append_wrapped(text, option.help);
        std::string details = "[";
        if (!option.symbol.empty()) details += option.symbol + "; ";
        details += "default " + config::to_toml(option.default_value) + "; " + config::expected_text(option);
        if (!option.unit.empty()) details += "; in " + option.unit;
        text += std::string(indent, ' ');
        append_wrapped(text, details + "]");
    }
    return text;
}

std::string options_text() {
    std::string text;
    for (const auto& option : config::options()) {
        text += option.key + '\t' + std::string(config::type_name(option.type)) + '\t';
        text += config::to_toml(option.default_value) + '\t' + config::expected_text(option) + '\t';
        text += option.unit + '\t' + option.symbol + '\t' + option.help + '\n';
    }
    return text;
}

std::string presets_text() {
    std::string text;
    for (const auto& name : config::preset_names()) {
        text += name + '\t';
        const auto preset = config::load_text(config::preset_text(name), "preset " + name, {});
        bool first = true;
        for (const auto& assignment : preset.given) {
            text += (first ? "" : ", ") + assignment.key + " = " + config::to_toml(assignment.value);
            first = false;
        }
        text += '\n';
    }
    return text;
}

std::string models_text(const CommandLine& line) {
    auto sets = line.sets;
    if (!line.target.empty()) sets.push_back("model.name=" + config::in_quotes(line.target));
    auto config = config::load_text("", "command line", {}, sets).base;
    if (!line.target.empty()) return parts_text(config);
    std::string text;
    for (const auto& model : model::descriptors()) {
        config.model.name = model.name;
        const auto has = model.capabilities(config);
        std::string needs = has.backbone ? "backbone" : "";
        if (has.anchors) needs += needs.empty() ? "anchors" : ", anchors";
        if (has.own_process) needs = "Python";
        const auto count = model.estimate(config, channels_of_etth1).parameters_trainable;
        text += std::string(model.name) + '\t' + std::string(model.title) + '\t' +
                (needs.empty() ? "-" : needs) + '\t' + (has.own_process ? "-" : std::to_string(count)) + '\n';
    }
    return text;
}

config::Experiment experiment_to_print(const CommandLine& line) {
    auto sets = line.sets;
    if (!line.preset.empty()) sets.push_back("preset=" + config::in_quotes(line.preset));
    return line.target.empty() ? config::load_text("", "command line", {}, sets)
                               : evidence::load_experiment(line.target, sets);
}

std::string version_text() {
    return "CASP Studio " + program_version() + " (" + commit_text(build_info()) + ")\n";
}

}  // namespace casp::batch
