#include "config/options.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <mutex>
#include <regex>
#include <set>
#include <unordered_map>

#include "config/experiment.h"
#include "config/presets.h"
#include "config/text_utils.h"
#include "util/error.h"

namespace casp::config {

namespace {

constexpr double max_rows = 1e12;  // of a split: sums stay far below the integers' end

Limits limits() { return {}; }

std::vector<OptionSpec> make_options() {
    std::vector<OptionSpec> table;
    const Config defaults;
    const auto add = [&](OptionSpec option, Value (*get)(const Config&),
                         void (*assign)(Config&, const Value&)) {
        option.key = option.section.empty() ? option.member : option.section + "." + option.member;
        option.get = get;
        option.assign = assign;
        option.default_value = get(defaults);
        option.type = static_cast<OptionType>(option.default_value.index());
        table.push_back(std::move(option));
    };
#define CASP_TOP(title)                  \
    {                                    \
        const std::string section;       \
        const std::string group = title; \
        const std::string model;         \
        static constexpr auto at = [](auto& config) -> auto& { return config; };
#define CASP_TOP_END() }
#define CASP_SECTION(Struct, name, title)  \
    {                                      \
        const std::string section = #name; \
        const std::string group = title;   \
        const std::string model;           \
        static constexpr auto at = [](auto& config) -> auto& { return config.name; };
#define CASP_MODEL_SECTION(Struct, name, model_name, title) \
    {                                                       \
        const std::string section = model_name;             \
        const std::string group = title;                    \
        const std::string model = model_name;               \
        static constexpr auto at = [](auto& config) -> auto& { return config.name; };
#define CASP_SUBSECTION(Struct, name, table, title) \
    {                                               \
        const std::string section = table;          \
        const std::string group = title;            \
        const std::string model;                    \
        static constexpr auto at = [](auto& config) -> auto& { return config.name; };
#define CASP_OPTION(Type, key_, default_, limits_, unit_, symbol_, help_)                             \
    add(                                                                                              \
        {{}, section, #key_, group, model, {}, {}, limits_, unit_, symbol_, help_, nullptr, nullptr}, \
        [](const Config& config) { return Value(std::in_place_type<Type>, at(config).key_); },        \
        [](Config& config, const Value& value) { at(config).key_ = std::get<Type>(value); });
#define CASP_END(Struct, name) }
#include "config/options.def"
#undef CASP_TOP
#undef CASP_TOP_END
#undef CASP_SECTION
#undef CASP_MODEL_SECTION
#undef CASP_SUBSECTION
#undef CASP_OPTION
#undef CASP_END
    return table;
}

const OptionSpec& option_or_throw(std::string_view key) {
    if (const auto* option = find_option(key)) return *option;
    const auto near = nearest_key(key);
    throw input_error(std::string(key), "unknown key", {},
                      near.empty() ? Phrase() : Phrase("Nearest valid key: %1.", near));
}

bool contains(const std::vector<std::string>& list, const std::string& item) {
    return std::find(list.begin(), list.end(), item) != list.end();
}

std::vector<Phrase> all_quoted(const std::vector<std::string>& names) {
    std::vector<Phrase> result;
    for (const auto& name : names) result.emplace_back(in_quotes(name));
    return result;
}

Phrase range_problem(const Limits& limits, double number) {
    if (!std::isfinite(number)) return "is not finite";
    const bool low = limits.min && (limits.min_exclusive ? number <= *limits.min : number < *limits.min);
    const bool high = limits.max && (limits.max_exclusive ? number >= *limits.max : number > *limits.max);
    return low || high ? "is out of range" : "";
}

/// Exact up to 2^53 and beyond, where neighbouring integers are one double.
Phrase range_problem(const Limits& limits, std::int64_t integer) {
    const bool low = limits.min && integer < static_cast<std::int64_t>(*limits.min);
    const bool high = limits.max && integer > static_cast<std::int64_t>(*limits.max);
    if (!low && !high && limits.is_odd && integer % 2 == 0) return "is even";
    return low || high ? "is out of range" : "";
}

Phrase device_problem(const std::string& name) {
    if (name == "auto" || name == "cpu" || name == "cuda") return {};
    const auto digits = name.rfind("cuda:", 0) == 0 ? name.substr(5) : std::string();
    const bool number =
        !digits.empty() && digits.size() <= 3 && digits.find_first_not_of("0123456789") == std::string::npos;
    return number ? "" : "is no device";
}

Phrase folder_name_problem(const std::string& name) {
    if (name.empty()) return {};
    if (name.size() > 120) return "is longer than 120 bytes";
    if (name.front() == '.') return "begins with a dot";
    if (name.find("..") != std::string::npos) return "contains \"..\"";
    if (name.find('/') != std::string::npos) return "contains a slash";
    const bool control = std::any_of(
        name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
    return control ? "contains a control character" : "";
}

Phrase text_problem(const Limits& limits, const std::string& text) {
    if (!is_utf8(text)) return "is not UTF-8";
    if (text.find('\0') != std::string::npos) return "contains a NUL character";
    if (limits.no_empty_text && text.empty()) return "is empty";
    if (!limits.choices.empty() && !contains(limits.choices, text) && !contains(limits.not_offered, text)) {
        const auto near = nearest(text, limits.choices);
        return near.empty() ? Phrase("is none of the choices")
                            : Phrase("is none of the choices (nearest: %1)", in_quotes(near));
    }
    if (!limits.form.empty() && !text.empty() && !std::regex_match(text, std::regex(limits.form)))
        return "cannot be read";
    if (limits.is_device) return device_problem(text);
    if (limits.is_folder_name) return folder_name_problem(text);
    if (limits.is_preset_name && !text.empty() && !contains(preset_names(), text)) {
        const auto near = nearest(text, preset_names());
        return near.empty() ? Phrase("is no preset") : Phrase("is no preset (nearest: %1)", in_quotes(near));
    }
    return {};
}

Phrase fractions_problem(const std::array<double, 3>& fractions) {
    constexpr double rounding = 1e-9;
    double sum = 0;
    for (const auto fraction : fractions) {
        if (!(fraction > 0)) return "needs three fractions above 0";
        sum += fraction;
    }
    return sum <= 1 + rounding ? Phrase()
                               : Phrase("has fractions with a sum of %1, more than 1",
                                        shortest(std::round(sum / rounding) * rounding));
}

Phrase dates_problem(const std::array<std::string, 2>& dates) {
    static const std::regex form(R"(\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?)?)");
    for (const auto& date : dates)
        if (!std::regex_match(date, form))
            return Phrase("has %1, which is no date like \"2018-07-01\" or \"2018-07-01 12:00\"",
                          in_quotes(abbreviated(date, 40)));
    return {};
}

Phrase split_problem(const Limits& limits, const SplitSetting& split) {
    const SplitSetting none;
    if ((split.rule != "rows" && split.rows != none.rows) ||
        (split.rule != "fractions" && split.fractions != none.fractions) ||
        (split.rule != "dates" && split.dates != none.dates))
        return "has numbers or dates beside a rule";
    if (split.rule == "fractions") return fractions_problem(split.fractions);
    if (split.rule == "dates") return dates_problem(split.dates);
    if (split.rule != "rows") return text_problem(limits, split.rule);
    for (const auto rows : split.rows)
        if (rows < 1 || static_cast<double>(rows) > max_rows) return "needs three row counts of at least 1";
    return {};
}

/// By the index of a Value.
constexpr std::array<const char*, 8> other_types{
    "is an integer",        "is a float",           "is a boolean", "is a string",
    "is a list of numbers", "is a list of strings", "is a split",   "is a table"};

Phrase range_text(const Limits& limits, bool integer = false) {
    const auto shown = [&](double bound) {
        return integer ? std::to_string(static_cast<std::int64_t>(bound)) : shortest(bound);
    };
    const auto low = limits.min ? shown(*limits.min) : "";
    auto high = limits.max ? shown(*limits.max) : "";
    if (limits.max && *limits.max >= 9007199254740992.0) high = "2^53";
    if (!limits.min && !limits.max) return {};
    if (!limits.max) return limits.min_exclusive ? Phrase(" above %1", low) : Phrase(" of at least %1", low);
    if (!limits.min) return limits.max_exclusive ? Phrase(" below %1", high) : Phrase(" of at most %1", high);
    return limits.min_exclusive   ? limits.max_exclusive ? Phrase(" above %1 and below %2", low, high)
                                                         : Phrase(" above %1 and at most %2", low, high)
             : limits.max_exclusive ? Phrase(" from %1 to below %2", low, high)
                                  : Phrase(" from %1 to %2", low, high);
}

}  // namespace

Limits& Limits::from(double low) { return min = low, min_exclusive = false, *this; }
Limits& Limits::above(double low) { return min = low, min_exclusive = true, *this; }
Limits& Limits::to(double high) { return max = high, max_exclusive = false, *this; }
Limits& Limits::below(double high) { return max = high, max_exclusive = true, *this; }
Limits& Limits::one_of(std::vector<std::string> names) { return choices = std::move(names), *this; }
Limits& Limits::path() { return is_path = true, *this; }
Limits& Limits::path_or(std::string word) { return is_path = true, words.push_back(std::move(word)), *this; }
Limits& Limits::not_empty() { return no_empty_text = true, *this; }
Limits& Limits::program() { return is_program = true, no_empty_text = true, *this; }
Limits& Limits::device() { return is_device = true, *this; }
Limits& Limits::folder_name() { return is_folder_name = true, *this; }
Limits& Limits::planned() { return is_planned = true, *this; }
Limits& Limits::essential() { return is_essential = true, *this; }
Limits& Limits::when_empty(std::string word, std::string example_text) {
    return empty_word = std::move(word), example = std::move(example_text), *this;
}
Limits& Limits::odd() { return is_odd = true, *this; }
Limits& Limits::or_auto() { return zero_is_auto = true, *this; }
Limits& Limits::matching(std::string regex, Phrase text) {
    return form = std::move(regex), form_text = std::move(text), *this;
}
Limits& Limits::preset_name() { return is_preset_name = true, *this; }
Limits& Limits::model_name() {
#define CASP_MODEL(identifier, name, title) choices.emplace_back(name);
#include "config/models.def"
#undef CASP_MODEL
    not_offered.emplace_back(imported_model);
    return *this;
}

std::string_view type_name(OptionType type) {
    constexpr std::array<std::string_view, 9> names{"integer", "number",          "boolean",
                                                    "string",  "list of numbers", "list of strings",
                                                    "split",   "table",           "value"};
    return names.at(static_cast<std::size_t>(type));
}

const std::vector<OptionSpec>& options() {
    static const auto table = make_options();
    return table;
}

namespace {

/// Parts between points name tables in the table.
bool is_entry_name(std::string_view name) {
    constexpr std::size_t longest = 64;
    const bool whole = !name.empty() && name.front() != '.' && name.back() != '.' &&
                       name.find("..") == std::string_view::npos;
    return whole && name.size() <= longest && std::all_of(name.begin(), name.end(), [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '_' || c == '-' || c == '.';
           });
}

OptionSpec entry_of(const OptionSpec& table, const std::string& name) {
    auto entry = table;
    entry.key = table.key + "." + name;
    entry.section = table.key;
    entry.member = name;
    entry.type = OptionType::any;
    entry.default_value = std::string();
    entry.limits = {};
    entry.get = [&table, name](const Config& config) {
        const auto all = std::get<OptionTable>(table.get(config));
        const auto found = all.find(name);
        if (found == all.end()) return Value(std::string());
        return std::visit([](const auto& value) { return Value(value); }, found->second);
    };
    entry.assign = [&table, name](Config& config, const Value& value) {
        auto all = std::get<OptionTable>(table.get(config));
        std::visit(
            [&](const auto& given) {
                if constexpr (std::is_constructible_v<FreeValue, decltype(given)>)
                    all[name] = given;
                else
                    throw std::bad_variant_access();
            },
            value);
        table.assign(config, all);
    };
    return entry;
}

/// The entry of a table that this key names, or nullptr. Kept for the life of the program.
const OptionSpec* find_entry(std::string_view key) {
    static const auto tables = [] {
        std::vector<const OptionSpec*> found;
        for (const auto& option : options())
            if (option.type == OptionType::table) found.push_back(&option);
        return found;
    }();
    static std::mutex mutex;
    static std::map<std::string, OptionSpec, std::less<>> known;
    for (const auto* table : tables) {
        if (!key.starts_with(table->key + ".")) continue;
        const auto name = key.substr(table->key.size() + 1);
        if (!is_entry_name(name)) return nullptr;
        const std::scoped_lock lock(mutex);
        const auto found = known.find(key);
        if (found != known.end()) return &found->second;
        return &known.emplace(key, entry_of(*table, std::string(name))).first->second;
    }
    return nullptr;
}

}  // namespace

const OptionSpec* find_option(std::string_view key) {
    static const auto index = [] {
        std::unordered_map<std::string_view, const OptionSpec*> map;
        for (const auto& option : options()) map.emplace(option.key, &option);
        return map;
    }();
    const auto found = index.find(key);
    return found == index.end() ? find_entry(key) : found->second;
}

std::vector<const OptionSpec*> settings_in(const std::vector<const Config*>& configs) {
    std::vector<const OptionSpec*> found;
    for (const auto& option : options()) {
        if (option.type != OptionType::table) {
            found.push_back(&option);
            continue;
        }
        std::set<std::string> names;
        for (const auto* config : configs) {
            const auto table = std::get<OptionTable>(option.get(*config));
            for (const auto& [name, value] : table) names.insert(name);
        }
        for (const auto& name : names)
            if (const auto* entry = find_option(option.key + "." + name)) found.push_back(entry);
    }
    return found;
}

std::string nearest_key(std::string_view key) {
    if (key.size() > 200) return {};
    const auto last = key.substr(key.rfind('.') + 1);
    std::vector<std::string> keys;
    std::vector<std::string> members;
    std::vector<std::string> same_member;
    for (const auto& option : options()) {
        keys.push_back(option.key);
        members.push_back(option.member);
        if (edit_distance(option.member, last) == 0) same_member.push_back(option.key);
    }
    if (!same_member.empty())
        return *std::min_element(same_member.begin(), same_member.end(), [&](const auto& a, const auto& b) {
            return edit_distance(a, key) < edit_distance(b, key);
        });
    if (auto near = nearest(key, keys); !near.empty()) return near;
    // The wrong section and a misspelt member, or no section at all.
    const auto member = nearest(last, members);
    for (const auto& option : options())
        if (!member.empty() && option.member == member) return option.key;
    return {};
}

Phrase expected_text(const OptionSpec& option) {
    const auto& limits = option.limits;
    switch (option.type) {
        case OptionType::integer:
            return limits.is_odd         ? limits.zero_is_auto
                                               ? Phrase("an odd integer%1, or \"auto\"", range_text(limits, true))
                                               : Phrase("an odd integer%1", range_text(limits, true))
                           : limits.zero_is_auto ? Phrase("an integer%1, or \"auto\"", range_text(limits, true))
                                         : Phrase("an integer%1", range_text(limits, true));
        case OptionType::number:
            return Phrase("a number%1", range_text(limits));
        case OptionType::boolean:
            return "true or false";
        case OptionType::numbers:
            return "a list of numbers, e.g. [-9999]";
        case OptionType::strings:
            if (limits.is_device) return "a list of \"cpu\" and \"cuda:N\", e.g. [\"cuda:0\", \"cuda:1\"]";
            if (!limits.form.empty()) return Phrase("a list of strings, each %1", limits.form_text);
            if (limits.choices.empty()) return "a list of strings, e.g. [\"OT\"]";
            return Phrase("a list of %1", either(all_quoted(limits.choices)));
        case OptionType::split: {
            auto names = all_quoted(limits.choices);
            names.emplace_back("three row counts or fractions [train, val, test]");
            names.emplace_back(
                "two dates [\"2018-01-01\", \"2018-07-01\"], of the first validation and test row");
            return either(names);
        }
        case OptionType::table:
            return "a table, e.g. { d_model = 256, dropout = 0.1 }";
        case OptionType::any:
            return "a number, a string, true, false, or a list of numbers or strings";
        case OptionType::string:
            break;
    }
    if (!limits.choices.empty()) return either(all_quoted(limits.choices));
    if (limits.is_device) return "\"auto\", \"cpu\", \"cuda\" or \"cuda:N\"";
    if (limits.is_folder_name)
        return "a name for a folder (no slash, no \"..\", no dot in front, at most 120 bytes)";
    if (limits.is_preset_name) return "a name that --list-presets shows";
    if (limits.is_program) return "the name of a program, or its path";
    if (!limits.form.empty()) return limits.form_text;
    if (limits.is_path) {
        std::vector<Phrase> forms{"a path"};
        for (const auto& word : limits.words)
            forms.emplace_back(in_quotes(word.back() == ':' ? word + "NAME" : word));
        return either(forms);
    }
    return "a string";
}

namespace {

Phrase problem_with_entry(const Value& value) {
    if (const auto* number = std::get_if<double>(&value)) return range_problem({}, *number);
    if (const auto* text = std::get_if<std::string>(&value)) return text_problem({}, *text);
    if (const auto* numbers = std::get_if<std::vector<double>>(&value))
        for (const double number : *numbers)
            if (!std::isfinite(number)) return "has an item that is not finite";
    if (const auto* texts = std::get_if<std::vector<std::string>>(&value))
        for (const auto& text : *texts)
            if (auto problem = text_problem({}, text); !problem.empty())
                return Phrase("has an item that %1", problem);
    return value.index() < std::variant_size_v<FreeValue> ? Phrase() : other_types.at(value.index());
}

}  // namespace

Phrase problem_with(const OptionSpec& option, const Value& value) {
    if (option.type == OptionType::any) return problem_with_entry(value);
    const auto wanted = static_cast<std::size_t>(option.type);
    if (option.type == OptionType::number && std::holds_alternative<std::int64_t>(value))
        return range_problem(option.limits, static_cast<double>(std::get<std::int64_t>(value)));
    if (value.index() != wanted) return other_types.at(value.index());
    switch (option.type) {
        case OptionType::integer:
            return range_problem(option.limits, std::get<std::int64_t>(value));
        case OptionType::number:
            return range_problem(option.limits, std::get<double>(value));
        case OptionType::boolean:
            return {};
        case OptionType::string:
            return text_problem(option.limits, std::get<std::string>(value));
        case OptionType::numbers:
            for (const auto number : std::get<std::vector<double>>(value))
                if (auto problem = range_problem(option.limits, number); !problem.empty())
                    return Phrase("has an item that %1", problem);
            return {};
        case OptionType::strings: {
            const auto& items = std::get<std::vector<std::string>>(value);
            for (auto item = items.begin(); item != items.end(); ++item) {
                if (auto problem = text_problem(option.limits, *item); !problem.empty())
                    return Phrase("has an item that %1", problem);
                if (!option.limits.is_device && std::find(items.begin(), item, *item) != item)
                    return Phrase("has %1 twice", in_quotes(*item));
            }
            return {};
        }
        case OptionType::split:
            return split_problem(option.limits, std::get<SplitSetting>(value));
        case OptionType::table:
            for (const auto& [name, entry] : std::get<OptionTable>(value))
                if (auto problem =
                        is_entry_name(name)
                            ? std::visit([](const auto& v) { return problem_with_entry(v); }, entry)
                            : Phrase("is no name of letters, digits, '_' and '-'");
                    !problem.empty())
                    return Phrase("has the entry %1, which %2", in_quotes(abbreviated(name, 64)), problem);
            return {};
        case OptionType::any:
            break;
    }
    return {};
}

Value in_own_type(const OptionSpec& option, Value value) {
    const auto* integer = std::get_if<std::int64_t>(&value);
    if (integer == nullptr) return value;
    if (option.type == OptionType::number) return static_cast<double>(*integer);
    return value;
}

bool changes_the_task(std::string_view key) {
    return key.starts_with("data.") && key != "data.lookback" && key != "data.percent" &&
           key != "data.batching";
}

bool changes_forecasts(std::string_view key) {
    if (key.starts_with("python.")) return key == "python.sha256" || key.starts_with("python.options");
    return key != "name" && key != "preset" && (!key.starts_with("run.") || key == "run.precision");
}

Value get(const Config& config, std::string_view key) { return option_or_throw(key).get(config); }

std::string Shown::operator()(const std::string& key) const {
    return key + " = " + to_toml(get(config, key));
}

void set(Config& config, std::string_view key, const Value& value) {
    const auto& option = option_or_throw(key);
    if (auto problem = problem_with(option, value); !problem.empty())
        throw input_error(option.key, abbreviated(to_toml(value), 80) + " " + problem, expected_text(option));
    option.assign(config, in_own_type(option, value));
}

std::vector<Difference> differences(const Config& a, const Config& b) {
    std::vector<Difference> result;
    for (const auto& option : options()) {
        const auto left = option.get(a);
        const auto right = option.get(b);
        if (left != right) result.push_back({option.key, to_toml(left), to_toml(right)});
    }
    return result;
}

}  // namespace casp::config
