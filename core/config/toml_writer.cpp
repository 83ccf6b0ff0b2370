// Values, configurations and experiments as TOML.

#include <algorithm>
#include <set>

#include "config/experiment.h"
#include "config/scheduler.h"
#include "config/text_utils.h"

namespace casp::config {

namespace {

std::string number_text(double number) {
    auto text = shortest(number);
    // "5" would read back as an integer; "1e-4", "nan" and "inf" are floats already.
    if (text.find_first_not_of("0123456789-") == std::string::npos) text += ".0";
    return text;
}

template <typename Items, typename Write>
std::string list_text(const Items& items, Write write) {
    std::string text = "[";
    for (const auto& item : items) {
        if (text.size() > 1) text += ", ";
        text += write(item);
    }
    return text + "]";
}

/// `models`: those whose own sections are written, too.
std::string body(const Config& config, const std::set<std::string>& models,
                 const std::set<std::string>& left_out) {
    std::string text;
    std::string section;
    for (const auto& option : options()) {
        if (left_out.count(option.key) != 0) continue;
        if (!option.model.empty() && models.count(option.model) == 0) continue;
        if (option.section != section) {
            section = option.section;
            text += "\n[" + section + "]\n";
        }
        text += option.member + " = " + to_toml(option.get(config)) + "\n";
    }
    return text;
}

const Value* value_in(const Case& one, std::string_view key) {
    for (const auto& assignment : one.given)
        if (assignment.key == key) return &assignment.value;
    return nullptr;
}

/// Models that the sweep, the cases and the base name for the runs.
std::set<std::string> models_of(const Experiment& experiment) {
    std::set<std::string> models;
    for (const auto& axis : experiment.axes)
        if (axis.key == "model.name")
            for (const auto& point : axis.points) models.insert(std::get<std::string>(point.value));
    bool base_is_used = models.empty() && experiment.cases.empty();
    const bool swept = !models.empty();
    for (const auto& one : experiment.cases)
        if (const auto* name = value_in(one, "model.name"); name != nullptr)
            models.insert(std::get<std::string>(*name));
        else
            base_is_used = base_is_used || !swept;
    if (base_is_used) models.insert(experiment.base.model.name);
    return models;
}

}  // namespace

std::string to_toml(const Value& value) {
    struct Writer {
        std::string operator()(std::int64_t integer) const { return std::to_string(integer); }
        std::string operator()(double number) const { return number_text(number); }
        std::string operator()(bool boolean) const { return boolean ? "true" : "false"; }
        std::string operator()(const std::string& text) const { return in_quotes(text); }
        std::string operator()(const std::vector<double>& items) const {
            return list_text(items, number_text);
        }
        std::string operator()(const std::vector<std::string>& items) const {
            return list_text(items, in_quotes);
        }
        std::string operator()(const SplitSetting& split) const {
            if (split.rule == "fractions") return list_text(split.fractions, number_text);
            if (split.rule == "dates") return list_text(split.dates, in_quotes);
            if (split.rule != "rows") return in_quotes(split.rule);
            return list_text(split.rows, [](std::int64_t rows) { return std::to_string(rows); });
        }
        std::string operator()(const OptionTable& table) const {
            std::string text;
            for (const auto& [name, entry] : table)
                text += (text.empty() ? "{ " : ", ") + name + " = " + std::visit(*this, entry);
            return text.empty() ? "{}" : text + " }";
        }
    };
    return std::visit(Writer{}, value);
}

std::string to_toml(const Config& config) { return body(config, {config.model.name}, {}); }

std::string to_toml(const std::vector<Axis>& axes) {
    std::string text = axes.empty() ? "" : "\n[sweep]\n";
    for (const auto& axis : axes)
        text += in_quotes(axis.key) + " = " +
                list_text(axis.points, [](const Axis::Point& point) { return to_toml(point.value); }) + "\n";
    return text;
}

std::string to_toml(const std::vector<Case>& cases) {
    std::string text;
    for (const auto& one : cases) {
        text += "\n[[sweep.case]]\nlabel = " + in_quotes(one.label) + "\n";
        for (const auto& [key, value, where] : one.given)
            text += in_quotes(key) + " = " + to_toml(value) + "\n";
    }
    return text;
}

std::string to_toml(const Experiment& experiment) {
    std::string head;
    std::set<std::string> left_out;
    const bool sweeps_presets = std::any_of(experiment.axes.begin(), experiment.axes.end(),
                                            [](const Axis& axis) { return axis.key == "preset"; });
    const bool presets_vary =
        sweeps_presets || std::any_of(experiment.cases.begin(), experiment.cases.end(),
                                      [](const Case& one) { return value_in(one, "preset") != nullptr; });
    if (presets_vary) {
        for (const auto& option : options()) left_out.insert(option.key);
        for (const auto& assignment : experiment.given) left_out.erase(assignment.key);
        for (const auto& assignment : experiment.sets) left_out.erase(assignment.key);
        if (sweeps_presets) left_out.insert("preset");
        left_out.erase("name");
        head = "# What is not here comes from the preset of each run, else from the defaults.\n";
    }
    auto models = models_of(experiment);
    if (presets_vary)  // a preset may select any model; left_out restricts the keys to those given
        for (const auto& option : options()) models.insert(option.model);
    const auto text = head + body(experiment.base, models, left_out);
    return text + to_toml(experiment.axes) + to_toml(experiment.cases) +
           scheduler_to_toml(experiment.scheduler);
}

std::string scheduler_to_toml(const std::vector<Assignment>& given) {
    std::string text = given.empty() ? "" : "\n[" + std::string(scheduler_table) + "]\n";
    for (const auto& [key, value, where] : given)
        text += find_scheduler_option(key)->member + " = " + to_toml(value) + "\n";
    return text;
}

}  // namespace casp::config
