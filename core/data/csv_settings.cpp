#include "data/csv_settings.h"

#include <algorithm>
#include <array>
#include <utility>

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

}  // namespace

CsvOptions csv_options(const config::Config::DataCsv& csv) {
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
    return options;
}

CsvOptions csv_options(const config::Config& config) {
    auto options = csv_options(config.data_csv);
    options.threads = static_cast<int>(config.run.threads);
    return options;
}

std::string date_format_setting(TimeStyle style) {
    for (const auto& [word, known] : styles)
        if (style == known) return word;
    return "auto";
}

}  // namespace casp::data
