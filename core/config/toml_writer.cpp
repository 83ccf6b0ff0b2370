// Values, configurations and experiments as TOML.

#include <algorithm>
#include <set>

#include "config/experiment.h"
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
            if (split.rule != "rows") return in_quotes(split.rule);
            return list_text(split.rows, [](std::int64_t rows) { return std::to_string(rows); });
        }
    };
    return std::visit(Writer{}, value);
}

std::string to_toml(const Config& config) { return body(config, {config.model.name}, {}); }

std::string to_toml(const Experiment& experiment) {
    std::string head;
    std::set<std::string> left_out;
    const bool sweeps_presets = std::any_of(experiment.axes.begin(), experiment.axes.end(),
                                            [](const Axis& axis) { return axis.key == "preset"; });
    if (sweeps_presets) {
        for (const auto& option : options()) left_out.insert(option.key);
        for (const auto& assignment : experiment.given) left_out.erase(assignment.key);
        for (const auto& assignment : experiment.sets) left_out.erase(assignment.key);
        left_out.insert("preset");
        left_out.erase("name");
        head = "# What is not here comes from the preset of each run, else from the defaults.\n";
    }
    std::set<std::string> models{experiment.base.model.name};
    if (sweeps_presets)  // a preset may select any model; left_out restricts the keys to those given
        for (const auto& option : options()) models.insert(option.model);
    for (const auto& axis : experiment.axes)
        if (axis.key == "model.name")
            for (const auto& point : axis.points) models.insert(std::get<std::string>(point.value));
    auto text = head + body(experiment.base, models, left_out);
    if (experiment.axes.empty()) return text;
    text += "\n[sweep]\n";
    for (const auto& axis : experiment.axes) {
        const auto list =
            list_text(axis.points, [](const Axis::Point& point) { return to_toml(point.value); });
        text += in_quotes(axis.key) + " = " + list + "\n";
    }
    return text;
}

}  // namespace casp::config
