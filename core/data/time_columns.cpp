#include "data/time_columns.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>

#include "config/text_utils.h"

namespace casp::data {

namespace {

using namespace std::string_view_literals;

constexpr double day_seconds = 86'400;

/// Names of columns, as plain_name() writes them, each between commas; a new name is a word.
struct PartNames {
    TimePart part;
    std::string_view names;
};
constexpr PartNames part_names[] = {
    {TimePart::year, ",year,yr,yyyy,yy,jaar,jahr,annee,année,año,ano,anno,年,年份,"},
    {TimePart::month, ",month,mon,mth,mnth,mês,maand,mo,monat,mois,mes,mese,月,月份,"},
    {TimePart::day, ",day,dayofmonth,dy,dd,tag,dag,jour,dia,día,giorno,日,"},
    {TimePart::day_of_year, ",dayofyear,doy,jday,yday,julianday,"},
    {TimePart::hour,
     ",hour,hours,hr,hh,he,hourending,hourbeginning,hourofday,deliveryhour,operatinghour,oprhr,"
     "hourend,hourstart,tradinghour,stunde,uur,heure,hora,ora,时,小时,時,"},
    {TimePart::minute, ",minute,minutes,min,mn,minuto,mm,分,"},
    {TimePart::second, ",second,seconds,sec,ss,秒,"},
    {TimePart::hour_minute, ",hhmm,hrmn,hourminute,time,timehhmm,"},
    {TimePart::hour_minute_second, ",hhmmss,"},
};

constexpr std::array time_names{
    "time"sv,  "date"sv,   "timestamp"sv, "unix"sv,      "epoch"sv,     "datetime"sv,
    "ts"sv,    "t"sv,      "ds"sv,        "datum"sv,     "zeit"sv,      "zeitstempel"sv,
    "fecha"sv, "heure"sv,  "temps"sv,     "日期"sv,      "时间"sv,      "時間"sv,
    "日時"sv,  "year"sv,   "jahr"sv,      "month"sv,     "period"sv,    "quarter"sv,
    "day"sv,   "serial"sv, "datenum"sv,   "julian"sv,    "jd"sv,        "utc"sv,
    "local"sv, "index"sv,  "unixtime"sv,  "date_time"sv, "closetime"sv, "opentime"sv};

constexpr std::array row_names{
    "index"sv, "row"sv,         "rows"sv,      "id"sv,     "no"sv,    "nr"sv,           "record"sv,
    "rn"sv,    "unnamed0"sv,    "rownumber"sv, "rownum"sv, "rowid"sv, "recordnumber"sv, "idx"sv,
    "obs"sv,   "observation"sv, "n"sv,         "num"sv,    "step"sv,  "sample"sv,       "samples"sv,
    "scan"sv,  "lfd"sv,         "lfdnr"sv,     "sl"sv,     "slno"sv,  "sno"sv,          "rank"sv,
    "seq"sv,   "sequence"sv,    "序号"sv,      "编号"sv,   ""sv,      "tick"sv};

constexpr std::array elapsed_names{
    "time"sv,   "t"sv,       "elapsed"sv,  "elapsedtime"sv, "runtime"sv,   "seconds"sv,      "sec"sv,
    "secs"sv,   "minutes"sv, "hours"sv,    "days"sv,        "timestamp"sv, "millis"sv,       "milliseconds"sv,
    "uptime"sv, "zeit"sv,    "duration"sv, "s"sv,           "ms"sv,        "relativetime"sv, "time_s"sv};

struct TimeUnit {
    std::string_view name;
    double seconds;
};
constexpr TimeUnit time_units[] = {
    {"s", 1},           {"sec", 1},           {"secs", 1},          {"second", 1},
    {"seconds", 1},     {"ms", 1e-3},         {"millis", 1e-3},     {"milliseconds", 1e-3},
    {"us", 1e-6},       {"µs", 1e-6},         {"ns", 1e-9},         {"min", 60},
    {"mins", 60},       {"minute", 60},       {"minutes", 60},      {"h", 3600},
    {"hr", 3600},       {"hrs", 3600},        {"hour", 3600},       {"hours", 3600},
    {"d", day_seconds}, {"day", day_seconds}, {"days", day_seconds}};

bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80;
}

/// Words of a name in lower case, split at capitals ("hourEnding"), signs and blanks.
std::vector<std::string> words_of(std::string_view name) {
    std::vector<std::string> words;
    bool open = false;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const bool capital = name[i] >= 'A' && name[i] <= 'Z';
        const bool hump = capital && i > 0 && name[i - 1] >= 'a' && name[i - 1] <= 'z';
        const char c = capital ? static_cast<char>(name[i] + 32) : name[i];
        if (!is_word(c)) {
            open = false;
            continue;
        }
        if (!open || hump) words.emplace_back();
        open = true;
        words.back() += c;
    }
    return words;
}

/// Letters and digits of a name in lower case, without what is in brackets: "Hour (UTC)" is "hour".
std::string plain_name(std::string_view name) {
    std::string out;
    int depth = 0;
    for (const char c : config::lower_case(name)) {
        if (c == '(' || c == '[') ++depth;
        if (c == ')' || c == ']') --depth;
        if (depth == 0 && is_word(c)) out += c;
    }
    return out;
}

template <std::size_t n>
bool has(const std::array<std::string_view, n>& names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
}

}  // namespace

const std::vector<NumberForm>& number_forms() {
    // Ranges: 1973 to 2099, of days 1954 to 2119, of Julian days 1900 to 2200.
    static const std::vector<NumberForm> forms{
        {"Unix seconds", TimeStyle::unix_seconds, 1e8, 4.1e9, 1, 0},
        {"Unix milliseconds", TimeStyle::unix_milliseconds, 1e11, 4.1e12, 1e-3, 0},
        {"Unix microseconds", TimeStyle::unix_microseconds, 1e14, 4.1e15, 1e-6, 0},
        {"Unix nanoseconds", TimeStyle::unix_nanoseconds, 1e17, 4.1e18, 1e-9, 0},
        {"days of a spreadsheet", TimeStyle::excel_days, 20'000, 80'000, day_seconds, -25'569 * day_seconds},
        {"MATLAB days", TimeStyle::matlab_days, 693'962, 803'533, day_seconds, -719'529 * day_seconds},
        {"Julian days", TimeStyle::julian_days, 2'415'020, 2'524'594, day_seconds,
         -2'440'587.5 * day_seconds}};
    return forms;
}

TimePart part_of_name(std::string_view name) {
    if (name == "MM") return TimePart::month;  // mm is the minute
    const auto word = "," + plain_name(name) + ",";
    for (const auto& known : part_names)
        if (known.names.find(word) != std::string_view::npos) return known.part;
    return TimePart::whole;
}

bool names_hour(std::string_view name) {
    const auto plain = plain_name(name);
    const auto digits = plain.find_first_of("0123456789");
    if (digits == 0 || digits == std::string::npos || plain.size() - digits > 2 ||
        plain.find_first_not_of("0123456789", digits) != std::string::npos)
        return false;
    const auto word = plain.substr(0, digits);
    return (word == "h" || part_of_name(word) == TimePart::hour) && std::stoi(plain.substr(digits)) <= 25;
}

bool names_hour_ending(std::string_view name) {
    const auto plain = plain_name(name);
    return plain == "he" || plain.find("ending") != std::string::npos || plain == "hourend";
}

bool suggests_time(std::string_view name) {
    const auto words = words_of(name);
    return std::ranges::any_of(words, [](const std::string& word) { return has(time_names, word); }) ||
           has(time_names, plain_name(name));
}

bool is_time_name(std::string_view name) {
    const auto plain = plain_name(name);
    return plain != "index" && has(time_names, plain);
}

bool suggests_row_numbers(std::string_view name) { return name == "#" || has(row_names, plain_name(name)); }

double elapsed_unit(std::string_view name) {
    const auto words = words_of(name);
    if (words.empty() || !(has(elapsed_names, words.front()) || has(elapsed_names, plain_name(name))))
        return -1;
    for (auto word = words.rbegin(); word != words.rend(); ++word)
        for (const auto& unit : time_units)
            if (*word == unit.name) return unit.seconds;
    return 0;
}

std::int64_t part_of_time(TimePart part, double seconds, bool hour_ending) {
    using namespace std::chrono;
    const auto whole = static_cast<std::int64_t>(std::floor(seconds));
    const auto day = floor<days>(sys_seconds(std::chrono::seconds(whole)));
    const year_month_day date(day);
    const auto of_day = whole - day.time_since_epoch().count() * 86'400;
    switch (part) {
        case TimePart::year:
            return static_cast<int>(date.year());
        case TimePart::month:
            return static_cast<unsigned>(date.month());
        case TimePart::day:
            return static_cast<unsigned>(date.day());
        case TimePart::day_of_year:
            return (day - sys_days(date.year() / January / 1)).count() + 1;
        case TimePart::hour:
            return of_day / 3600 + (hour_ending ? 1 : 0);
        case TimePart::minute:
            return of_day / 60 % 60;
        case TimePart::second:
            return of_day % 60;
        case TimePart::hour_minute:
            return of_day / 3600 * 100 + of_day / 60 % 60;
        case TimePart::hour_minute_second:
            return of_day / 3600 * 10'000 + of_day / 60 % 60 * 100 + of_day % 60;
        case TimePart::half_hour:
            return of_day / 1800 + (hour_ending ? 1 : 0);
        case TimePart::quarter_hour:
            return of_day / 900 + (hour_ending ? 1 : 0);
        case TimePart::whole:
            break;
    }
    return whole;
}

double TimeParts::at(std::size_t row) const {
    using namespace std::chrono;
    bool good = true;
    /// The part, within its range; `otherwise` if it is not there.
    const auto part = [&](TimePart which, double least, double most, double otherwise) {
        if (of(which).empty()) return otherwise;
        const double value = of(which)[row];
        if (!(value >= least && value <= most)) good = false;
        return good ? value : otherwise;
    };
    double day_start = part(TimePart::whole, -1e12, 1e12, 0);
    if (of(TimePart::whole).empty()) {
        const year_month_day first(std::chrono::year(static_cast<int>(part(TimePart::year, 1, 9999, 1970))),
                                   std::chrono::month(static_cast<unsigned>(part(TimePart::month, 1, 12, 1))),
                                   std::chrono::day(static_cast<unsigned>(part(TimePart::day, 1, 31, 1))));
        good = good && first.ok();
        day_start = static_cast<double>(sys_days(first).time_since_epoch().count()) * day_seconds +
                    (part(TimePart::day_of_year, 1, 366, 1) - 1) * day_seconds;
    }
    const double clock = part(TimePart::hour_minute, 0, 2400, 0);
    const double exact = part(TimePart::hour_minute_second, 0, 240'000, 0);
    const double before = hour_ending ? 1 : 0;
    const double seconds = (part(TimePart::hour, 0, 25, before) - before) * 3600 +
                           (part(TimePart::half_hour, 0, 50, before) - before) * 1800 +
                           (part(TimePart::quarter_hour, 0, 100, before) - before) * 900 +
                           std::floor(exact / 10'000) * 3600 +
                           std::floor(std::fmod(exact, 10'000) / 100) * 60 + std::fmod(exact, 100) +
                           part(TimePart::minute, 0, 60, 0) * 60 + part(TimePart::second, 0, 61, 0) +
                           std::floor(clock / 100) * 3600 + std::fmod(clock, 100) * 60;
    return good ? day_start + seconds : std::numeric_limits<double>::quiet_NaN();
}

void round_days(std::vector<double>& seconds, double scale, int decimals) {
    const double tolerance = std::max(0.51 * scale * std::pow(10.0, -decimals), 1e-4);
    for (const double grid : {3600.0, 60.0, 1.0}) {
        if (tolerance > grid / 4) return;
        const bool fits = std::ranges::all_of(seconds, [&](double time) {
            return std::isnan(time) || std::fabs(time - std::round(time / grid) * grid) <= tolerance;
        });
        if (!fits) continue;
        for (double& time : seconds) time = std::round(time / grid) * grid;
        return;
    }
}

}  // namespace casp::data
