#include "config/scheduler.h"

#include <algorithm>

#include "config/text_utils.h"

namespace casp::config {

namespace {

struct SchedulerOption {
    OptionSpec spec;
    Value (*get)(const SchedulerSettings&);
    void (*assign)(SchedulerSettings&, const Value&);
};

const std::vector<SchedulerOption>& scheduler_entries() {
    static const auto entries = [] {
        std::vector<SchedulerOption> table;
        const SchedulerSettings defaults;
        const auto add = [&](OptionSpec spec, Value (*get)(const SchedulerSettings&),
                             void (*assign)(SchedulerSettings&, const Value&)) {
            spec.section = scheduler_table;
            spec.key = spec.section + "." + spec.member;
            spec.group = "Scheduler (--submit; of no run)";
            spec.default_value = get(defaults);
            spec.type = static_cast<OptionType>(spec.default_value.index());
            table.push_back({std::move(spec), get, assign});
        };
#define CASP_OPTION(Type, key_, default_, limits_, unit_, symbol_, help_)                         \
    add(                                                                                          \
        {{}, {}, #key_, {}, {}, {}, {}, limits_, unit_, symbol_, help_, nullptr, nullptr},        \
        [](const SchedulerSettings& from) { return Value(std::in_place_type<Type>, from.key_); }, \
        [](SchedulerSettings& to, const Value& value) { to.key_ = std::get<Type>(value); });
#include "config/scheduler.def"
#undef CASP_OPTION
        return table;
    }();
    return entries;
}

}  // namespace

const std::vector<OptionSpec>& scheduler_options() {
    static const auto options = [] {
        std::vector<OptionSpec> specs;
        for (const auto& entry : scheduler_entries()) specs.push_back(entry.spec);
        return specs;
    }();
    return options;
}

const OptionSpec* find_scheduler_option(std::string_view key) {
    const auto& options = scheduler_options();
    const auto found =
        std::find_if(options.begin(), options.end(), [&](const auto& option) { return option.key == key; });
    return found == options.end() ? nullptr : &*found;
}

bool is_scheduler_key(std::string_view key) { return key.starts_with(std::string(scheduler_table) + "."); }

std::string nearest_scheduler_key(const std::string& key) {
    std::vector<std::string> keys;
    for (const auto& option : scheduler_options()) keys.push_back(option.key);
    return nearest(key, keys);
}

SchedulerSettings scheduler_settings(const std::vector<Assignment>& given) {
    SchedulerSettings settings;
    for (const auto& [key, value, where] : given)
        for (const auto& entry : scheduler_entries())
            if (entry.spec.key == key) entry.assign(settings, value);
    return settings;
}

std::vector<Assignment> assignments_of(const SchedulerSettings& settings) {
    std::vector<Assignment> given;
    for (const auto& entry : scheduler_entries())
        if (auto value = entry.get(settings); value != entry.spec.default_value)
            given.push_back({entry.spec.key, std::move(value), {}});
    return given;
}

}  // namespace casp::config
