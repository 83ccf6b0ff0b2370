#pragma once
// The table of settings, from which the reader, the command line, the help, the form and the documents are
// derived. Thread-safe: the table is constant.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "config/config.h"
#include "util/phrase.h"

namespace casp::config {

/// `table`: OptionTable; `any`: one of its entries, any FreeValue.
enum class OptionType { integer, number, boolean, string, numbers, strings, split, table, any };

/// "integer", "number", "boolean", "string", "list of numbers", "list of strings", "split", "table", "value".
[[nodiscard]] std::string_view type_name(OptionType type);

/// model.name of forecasts made by other code: valid in the files of a run, and no model to choose.
inline constexpr const char* imported_model = "imported";

/// A setting's value, in the order of OptionType.
using Value = std::variant<std::int64_t, double, bool, std::string, std::vector<double>,
                           std::vector<std::string>, SplitSetting, OptionTable>;

/// Permitted values of a setting, and how the form offers it. The member functions build it in options.def.
struct Limits {
    std::optional<double> min;   ///< numbers; integers stay within ±2^53, so a double holds them exactly
    std::optional<double> max;   ///< likewise
    bool min_exclusive = false;  ///< min itself is not allowed
    bool max_exclusive = false;  ///< max itself is not allowed
    bool is_odd = false;         ///< integers: even ones are not allowed
    bool zero_is_auto = false;   ///< integers: "auto" is read as 0
    std::vector<std::string> choices;      ///< strings, items of lists and split rules; empty: any text
    std::vector<std::string> not_offered;  ///< further valid choices, which no list, form or message offers
    bool is_path = false;                  ///< a relative path is resolved when it is read
    std::vector<std::string> words;   ///< a path may instead be this word, or begin with it if it ends in ':'
    bool no_empty_text = false;       ///< "" is not allowed (in lists: as an item)
    bool is_program = false;          ///< a name that PATH finds, or a path ("~/venv/bin/python")
    bool is_device = false;           ///< auto, cpu, cuda, cuda:N; in lists: cpu or cuda:N, perhaps repeated
    bool is_folder_name = false;      ///< empty, or a safe name of a folder
    bool is_preset_name = false;      ///< empty, or a name of presets.h
    std::string form;                 ///< non-empty text and items match it (ECMAScript); empty: any
    Phrase form_text;                 ///< that form for messages: "a time such as …"
    bool is_essential = false;        ///< the form shows it at first; others by search or on request
    bool is_planned = false;          ///< set where a run is planned; no form offers it
    std::string empty_word, example;  ///< of a list, for its empty field: "all", "OT, HUFL"

    Limits& from(double low);
    Limits& above(double low);
    Limits& to(double high);
    Limits& below(double high);
    Limits& odd();
    Limits& or_auto();
    Limits& one_of(std::vector<std::string> names);
    Limits& path();
    Limits& path_or(std::string word);
    Limits& not_empty();
    Limits& program();
    Limits& device();
    Limits& folder_name();
    Limits& preset_name();
    Limits& matching(std::string regex, Phrase text);
    Limits& model_name();  ///< one of the models of models.def, or imported_model
    Limits& essential();
    Limits& planned();
    Limits& when_empty(std::string word, std::string example_text);
};

/// One setting.
struct OptionSpec {
    std::string key;      ///< "loss.lambda_cov"
    std::string section;  ///< TOML table: "loss", "data.csv"; empty for the keys at the top
    std::string member;   ///< "lambda_cov"
    std::string group;    ///< title for people: "Loss"
    std::string model;    ///< model.name of the model that the section belongs to; empty: of none alone
    OptionType type = OptionType::string;
    Value default_value;
    Limits limits;
    std::string unit;    ///< "rows", "s", ...; empty: none
    std::string symbol;  ///< the paper's, e.g. "λ_cov"; empty: none
    std::string help;    ///< one sentence without a full stop
    std::function<Value(const Config&)> get;
    std::function<void(Config&, const Value&)>
        assign;  ///< unchecked; std::bad_variant_access on a wrong type
};

/// All settings in the order of options.def.
[[nodiscard]] const std::vector<OptionSpec>& options();

/// The setting of that key, or nullptr. Also one of a table ("python.options.d_model"), under any name of
/// letters, digits, '_' and '-'; where the table has no such entry, its value is an empty string.
[[nodiscard]] const OptionSpec* find_option(std::string_view key);

/// All settings in the order of options.def, with the entries of each table in any of the configurations
/// instead of the table.
[[nodiscard]] std::vector<const OptionSpec*> settings_in(const std::vector<const Config*>& configs);

/// The valid key most like `key` (edit distance; a bare last component finds its section), or "" if none is
/// near.
[[nodiscard]] std::string nearest_key(std::string_view key);

/// Permitted values as text: "an integer from 1 to 100", "\"fp32\" or \"bf16\"".
[[nodiscard]] Phrase expected_text(const OptionSpec& option);

/// The problem with a value of the setting (type, range, finite, choice), or "" if there is none.
/// An integer is right for a number.
[[nodiscard]] Phrase problem_with(const OptionSpec& option, const Value& value);

/// A right value in the setting's own type: an integer as a number where the setting is one.
[[nodiscard]] Value in_own_type(const OptionSpec& option, Value value);

/// Whether a data.* setting changes the forecasting task, and not only the model's input: errors of runs that
/// differ in it are not comparable.
[[nodiscard]] bool changes_the_task(std::string_view key);

/// Whether a setting may change the forecasts of a run with the same data file and weights of the backbone:
/// not its names, and of [run] the precision only.
[[nodiscard]] bool changes_forecasts(std::string_view key);

/// The value of a key. Throws an input Error for an unknown key.
[[nodiscard]] Value get(const Config& config, std::string_view key);

/// "data.lookback = 512", for messages.
struct Shown {
    const Config& config;
    [[nodiscard]] std::string operator()(const std::string& key) const;
};

/// Sets a key after checking the value on its own. Throws an input Error for an unknown key, a wrong type or
/// a value out of range; the configuration is then unchanged.
void set(Config& config, std::string_view key, const Value& value);

/// Whether the configured model reads a setting, given the values of the others. Defined in
/// model/contradictions.cpp, since it follows from the model's descriptor.
[[nodiscard]] bool is_read(const Config& config, const OptionSpec& option);

/// Settings that contradict each other.
struct Contradiction {
    std::vector<std::string> keys;  ///< the keys involved, at least two
    Phrase found;                   ///< one clause for people that names each key with its value
    Phrase expected;                ///< what would be right
};

/// All contradictions between keys of a configuration whose values are right by themselves, those of its
/// model included. Defined in model/contradictions.cpp.
[[nodiscard]] std::vector<Contradiction> contradictions(const Config& config);

/// A key whose value differs, both values as TOML.
struct Difference {
    std::string key;
    std::string a;
    std::string b;
};

/// All keys in which two configurations differ, in the order of the table.
[[nodiscard]] std::vector<Difference> differences(const Config& a, const Config& b);

}  // namespace casp::config
