#include "data/csv_settings.h"

#include <array>
#include <utility>

#include "util/error.h"

namespace casp::data {

namespace {

template <class Value, std::size_t n>
using Words = std::array<std::pair<const char*, Value>, n>;

constexpr Words<char, 5> delimiters{{{",", ','}, {";", ';'}, {"tab", '\t'}, {"|", '|'}, {"space", ' '}}};
constexpr Words<char, 2> decimals{{{".", '.'}, {",", ','}}};
constexpr Words<char, 3> quotes{{{"double", '"'}, {"single", '\''}, {"none", '\0'}}};
constexpr Words<bool, 2> headers{{{"yes", true}, {"no", false}}};
constexpr Words<TimeStyle, 5> styles{{{"iso", TimeStyle::iso},
                                      {"day-first", TimeStyle::day_first},
                                      {"month-first", TimeStyle::month_first},
                                      {"unix-seconds", TimeStyle::unix_seconds},
                                      {"unix-milliseconds", TimeStyle::unix_milliseconds}}};

/// Nothing for "auto".
template <class Value, std::size_t n>
std::optional<Value> meaning(const Words<Value, n>& words, const std::string& setting) {
    for (const auto& [word, value] : words)
        if (setting == word) return value;
    return std::nullopt;
}

template <class Value, std::size_t n>
std::string word_for(const Words<Value, n>& words, const std::optional<Value>& value, const char* key) {
    if (!value) return "auto";
    for (const auto& [word, known] : words)
        if (*value == known) return word;
    throw input_error(key, "this sign is not one of the choices", {},
                      "Choose one of those that --list-options shows.");
}

std::string column_setting(const std::string& name, const char* key) {
    if (name != "auto" && name != "none") return name;
    throw input_error(
        key, "a column called \"" + name + "\" cannot be given: the word is reserved in this setting", {},
        "Rename the column in the file.");
}

}  // namespace

CsvOptions csv_options(const config::Config& config) {
    const auto& csv = config.data_csv;
    CsvOptions options;
    options.delimiter = meaning(delimiters, csv.delimiter);
    options.decimal = meaning(decimals, csv.decimal);
    options.quote = meaning(quotes, csv.quote);
    options.header = meaning(headers, csv.header);
    if (csv.encoding != "auto") options.encoding = csv.encoding;
    if (csv.time_column != "auto") {
        options.time_columns.emplace();
        if (csv.time_column != "none") options.time_columns->push_back(csv.time_column);
        if (csv.clock_column != "auto" && csv.clock_column != "none")
            options.time_columns->push_back(csv.clock_column);
    }
    options.time_style = meaning(styles, csv.date_format).value_or(TimeStyle::automatic);
    options.threads = static_cast<int>(config.run.threads);
    return options;
}

config::Config::DataCsv csv_settings(const CsvOptions& options) {
    config::Config::DataCsv csv;
    csv.delimiter = word_for(delimiters, options.delimiter, "data.csv.delimiter");
    csv.decimal = word_for(decimals, options.decimal, "data.csv.decimal");
    csv.quote = word_for(quotes, options.quote, "data.csv.quote");
    csv.header = word_for(headers, options.header, "data.csv.header");
    csv.encoding = options.encoding.value_or("auto");
    if (options.time_columns) {
        const auto& names = *options.time_columns;
        csv.time_column = names.empty() ? "none" : column_setting(names[0], "data.csv.time_column");
        if (names.size() > 1) csv.clock_column = column_setting(names[1], "data.csv.clock_column");
    }
    if (options.time_style != TimeStyle::automatic)
        csv.date_format = word_for(styles, std::optional(options.time_style), "data.csv.date_format");
    return csv;
}

}  // namespace casp::data
