#include "data/csv_settings.h"

#include <algorithm>
#include <array>
#include <utility>

#include "util/error.h"

namespace casp::data {

namespace {

template <class Value, std::size_t n>
using Words = std::array<std::pair<const char*, Value>, n>;

constexpr Words<char, 5> delimiters{{{",", ','}, {";", ';'}, {"tab", '\t'}, {"|", '|'}, {"space", ' '}}};
constexpr Words<char, 2> decimals{{{".", '.'}, {",", ','}}};
constexpr Words<char, 5> thousands_signs{
    {{"none", '\0'}, {",", ','}, {".", '.'}, {"space", ' '}, {"'", '\''}}};
constexpr Words<char, 3> quotes{{{"double", '"'}, {"single", '\''}, {"none", '\0'}}};
constexpr Words<bool, 2> headers{{{"yes", true}, {"no", false}}};
constexpr Words<bool, 2> hour_words{{{"ending", true}, {"beginning", false}}};
constexpr Words<bool, 2> orders{{{"newest-first", true}, {"as-written", false}}};
constexpr Words<TimeStyle, 13> styles{{{"iso", TimeStyle::iso},
                                       {"day-first", TimeStyle::day_first},
                                       {"month-first", TimeStyle::month_first},
                                       {"year-first", TimeStyle::year_first},
                                       {"digits", TimeStyle::digits},
                                       {"unix-seconds", TimeStyle::unix_seconds},
                                       {"unix-milliseconds", TimeStyle::unix_milliseconds},
                                       {"unix-microseconds", TimeStyle::unix_microseconds},
                                       {"unix-nanoseconds", TimeStyle::unix_nanoseconds},
                                       {"excel-days", TimeStyle::excel_days},
                                       {"matlab-days", TimeStyle::matlab_days},
                                       {"julian-days", TimeStyle::julian_days},
                                       {"elapsed", TimeStyle::elapsed}}};

/// "year, month, day": the names between the commas.
std::vector<std::string> names_in(const std::string& setting) {
    std::vector<std::string> names;
    for (std::size_t at = 0; at <= setting.size();) {
        const auto comma = std::min(setting.find(", ", at), setting.size());
        names.push_back(setting.substr(at, comma - at));
        at = comma + 2;
    }
    return names;
}

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
    options.thousands = meaning(thousands_signs, csv.thousands);
    options.quote = meaning(quotes, csv.quote);
    options.header = meaning(headers, csv.header);
    options.first_line = csv.first_line;
    options.header_lines = csv.header_lines;
    options.unit_lines = csv.unit_lines;
    options.footer_lines = csv.footer_lines;
    if (csv.comment != "auto") options.comment = csv.comment == "none" ? "" : csv.comment;
    options.missing = csv.missing;
    options.hour_ending = meaning(hour_words, csv.hours);
    options.time_zone = csv.time_zone;
    options.newest_first = meaning(orders, csv.order);
    options.keep_row_numbers = csv.row_numbers == "channel";
    if (csv.encoding != "auto") options.encoding = csv.encoding;
    if (csv.time_column != "auto") {
        options.time_columns.emplace();
        if (csv.time_column != "none") options.time_columns = names_in(csv.time_column);
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
    csv.thousands = word_for(thousands_signs, options.thousands, "data.csv.thousands");
    csv.quote = word_for(quotes, options.quote, "data.csv.quote");
    csv.header = word_for(headers, options.header, "data.csv.header");
    csv.first_line = options.first_line;
    csv.header_lines = options.header_lines;
    csv.unit_lines = options.unit_lines;
    csv.footer_lines = options.footer_lines;
    if (options.comment) csv.comment = options.comment->empty() ? "none" : *options.comment;
    csv.missing = options.missing;
    csv.hours = word_for(hour_words, options.hour_ending, "data.csv.hours");
    csv.time_zone = options.time_zone;
    csv.order = word_for(orders, options.newest_first, "data.csv.order");
    csv.row_numbers = options.keep_row_numbers ? "channel" : "auto";
    csv.encoding = options.encoding.value_or("auto");
    if (options.time_columns) {
        const auto& names = *options.time_columns;
        csv.time_column = names.empty() ? "none" : column_setting(names[0], "data.csv.time_column");
        if (names.size() == 2) csv.clock_column = column_setting(names[1], "data.csv.clock_column");
        for (std::size_t i = 1; names.size() > 2 && i < names.size(); ++i) csv.time_column += ", " + names[i];
    }
    csv.date_format = date_format_setting(options.time_style);
    return csv;
}

std::string date_format_setting(TimeStyle style) {
    if (style == TimeStyle::automatic) return "auto";
    return word_for(styles, std::optional(style), "data.csv.date_format");
}

}  // namespace casp::data
