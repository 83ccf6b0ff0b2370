#include "data/series_frequency.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "config/text_utils.h"
#include "data/calendar_step.h"
#include "util/phrase.h"

namespace casp::data {

namespace {

constexpr double second = 1;
constexpr double minute = 60;
constexpr double hour = 3600;
constexpr double day = 86400;

/// A name of a unit of time in other libraries. Case matters: pandas writes a month as M.
struct Unit {
    std::string_view name;
    double seconds;  ///< 0: months
    int months = 0;
};
constexpr Unit units[] = {
    {"S", second},   {"s", second},     {"sec", second},    {"second", second},  {"seconds", second},
    {"T", minute},   {"min", minute},   {"minute", minute}, {"minutes", minute}, {"minutely", minute},
    {"H", hour},     {"h", hour},       {"hour", hour},     {"hours", hour},     {"hourly", hour},
    {"D", day},      {"d", day},        {"day", day},       {"days", day},       {"daily", day},
    {"W", 7 * day},  {"week", 7 * day}, {"weeks", 7 * day}, {"weekly", 7 * day}, {"M", 0, 1},
    {"ME", 0, 1},    {"MS", 0, 1},      {"month", 0, 1},    {"months", 0, 1},    {"monthly", 0, 1},
    {"Q", 0, 3},     {"QE", 0, 3},      {"QS", 0, 3},       {"quarter", 0, 3},   {"quarterly", 0, 3},
    {"Y", 0, 12},    {"YE", 0, 12},     {"YS", 0, 12},      {"A", 0, 12},        {"AS", 0, 12},
    {"year", 0, 12}, {"years", 0, 12},  {"yearly", 0, 12}};

Frequency frequency_of_months(std::int64_t months) {
    if (months == 1) return *find_frequency("Monthly");
    if (months == 3) return *find_frequency("Quarterly");
    if (months == 12) return *find_frequency("Yearly");
    return {Phrase("%1 months", months), 0, 12 % months == 0 ? 12 / months : 1, 0};
}

}  // namespace

Frequency Frequency::of_horizon(std::int64_t h) const {
    Frequency fixed = *this;
    if (fixed.history == 0) fixed.history = 10 * h;
    return fixed;
}

const std::array<Frequency, 6>& frequencies() {
    // Horizons and seasons: rules of the competition. Histories: 1.5, 1.5, 1.5, 10, 10 and 10 horizons, as in
    // the public loaders.
    static const std::array<Frequency, 6> table{{{"Yearly", 6, 1, 9},
                                                 {"Quarterly", 8, 4, 12},
                                                 {"Monthly", 18, 12, 27},
                                                 {"Weekly", 13, 1, 130},
                                                 {"Daily", 14, 1, 140},
                                                 {"Hourly", 48, 24, 480}}};
    return table;
}

const Frequency* find_frequency(std::string_view name) {
    for (const auto& frequency : frequencies())
        if (frequency.name == name) return &frequency;
    return nullptr;
}

Frequency frequency_of_step(double seconds) {
    if (seconds == hour) return *find_frequency("Hourly");
    const double days = seconds / day;
    if (days == 1) return *find_frequency("Daily");
    if (days == 7) return *find_frequency("Weekly");
    // The shortest and longest run of so many calendar months.
    struct Months {
        int months;
        double least, most;
    };
    static constexpr std::array<Months, 6> lengths{
        {{1, 28, 31}, {2, 59, 62}, {3, 89, 92}, {4, 120, 123}, {6, 181, 184}, {12, 365, 366}}};
    for (const auto& [months, least, most] : lengths)
        if (days >= least && days <= most) return frequency_of_months(months);
    return {frequency_name(seconds), 0, std::max<std::int64_t>(1, season_of({.seconds = seconds})), 0};
}

std::optional<Frequency> frequency_of_name(std::string_view name) {
    name = name.substr(0, name.find('-'));  // W-SUN, Q-DEC
    double count = 1;
    if (name.starts_with("half_")) {
        count = 0.5;
        name.remove_prefix(5);
    } else if (!name.empty() && name.front() >= '0' && name.front() <= '9') {
        int whole = 0;
        const auto result = std::from_chars(name.data(), name.data() + name.size(), whole);
        if (result.ec != std::errc() || whole == 0) return std::nullopt;
        count = whole;
        name.remove_prefix(static_cast<std::size_t>(result.ptr - name.data()));
        while (name.starts_with('_') || name.starts_with(' ')) name.remove_prefix(1);
    }
    if (name == "B") return count == 1 ? std::optional(Frequency{"1 business day", 0, 5, 0}) : std::nullopt;
    const auto* unit = std::ranges::find_if(units, [&](const Unit& known) { return known.name == name; });
    if (unit == std::end(units))
        unit = std::ranges::find_if(units, [&](const Unit& known) {
            return known.name.size() > 2 && config::same_name(known.name, name);
        });
    if (unit == std::end(units)) return std::nullopt;
    if (unit->months == 0) return frequency_of_step(count * unit->seconds);
    return count == std::floor(count)
               ? std::optional(frequency_of_months(static_cast<std::int64_t>(count) * unit->months))
               : std::nullopt;
}

}  // namespace casp::data
