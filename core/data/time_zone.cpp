#include "data/time_zone.h"

#include <chrono>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include <date/tz.h>

#include "config/text_utils.h"
#include "data/table.h"
#include "data/time_like.h"
#include "data/time_text.h"
#include "util/error.h"

namespace casp::data {

namespace {

constexpr const char* setting = "data.csv.time_zone";

std::chrono::seconds whole_seconds(double time) {
    return std::chrono::seconds(static_cast<std::int64_t>(std::floor(time)));
}

double offset_of(const date::sys_info& info) { return static_cast<double>(info.offset.count()); }

/// UTC of a local time that is not before `earliest`, where it can be read in two ways.
double utc_of(const date::time_zone& zone, double local, double earliest, bool* skipped = nullptr) {
    const auto info = zone.get_info(date::local_seconds(whole_seconds(local)));
    const double utc = local - offset_of(info.first);
    if (skipped != nullptr) *skipped = info.result == date::local_info::nonexistent;
    return info.result == date::local_info::ambiguous && utc <= earliest ? local - offset_of(info.second)
                                                                         : utc;
}

const date::tzdb& database() {
    using namespace std::chrono;
    try {
        const auto& known = date::get_tzdb();
        // It may have the rules of zones as a formula only, which date::time_zone does not read.
        const date::sys_days summer = date::year{2037} / 7 / 1;
        if (date::locate_zone("Europe/Berlin")->get_info(sys_seconds(summer)).offset != hours(2))
            throw std::runtime_error("daylight saving is not listed up to 2037");
        return known;
    } catch (const std::exception& problem) {
        throw input_error(setting, Phrase("the system's time zones cannot be read: %1", phrase_of(problem)),
                          "a database of \"fat\" files, as in Debian's package tzdata", "Install it.");
    }
}

}  // namespace

double LocalTime::offset_at(double utc) const {
    return zone == nullptr || !is_time(utc)
               ? offset
               : offset_of(zone->get_info(date::sys_seconds(whole_seconds(utc))));
}

double LocalTime::to_utc(double local) const {
    if (zone == nullptr || !is_time(local)) return local - offset;
    return utc_of(*zone, local, -std::numeric_limits<double>::infinity());
}

std::string LocalTime::zone_name() const { return zone == nullptr ? std::string() : zone->name(); }

double LocalTime::shown(double utc) const { return zone == nullptr ? utc : utc + offset_at(utc); }

std::string LocalTime::text(double utc) const { return format_time(shown(utc)); }

const date::time_zone* find_zone(const std::string& name) {
    if (name.empty()) return nullptr;
    const auto& known = database();
    try {
        return date::locate_zone(name);
    } catch (const std::runtime_error&) {
        std::vector<std::string> names;
        for (const auto& zone : known.zones) names.push_back(zone.name());
        throw input_error(setting,
                          Phrase("%1 is not a zone of the system's database", config::in_quotes(name)),
                          "a name such as \"Europe/Berlin\"",
                          Phrase("The nearest is %1.", config::in_quotes(config::nearest_name(name, names))));
    }
}

void apply_time_zone(Table& table, const std::string& name) {
    constexpr double end_of_rules = 2'145'916'800;  // 2038-01-01
    if (name.empty() || table.time.empty()) return;
    const auto& zone = *find_zone(name);
    const auto column = table.format.time_columns.empty() ? std::string() : table.format.time_columns.front();
    if (are_clocks(table.time_cells)) {
        table.warnings.push_back({WarningKind::time_format, 0, column, 1,
                                  Phrase("%1 has no effect: the times are without dates", setting)});
        return;
    }
    table.step.local = {0, &zone};
    table.readings.push_back({"time zone", name, "set", setting});
    const bool is_utc = are_utc(table.time_cells);
    double before = -std::numeric_limits<double>::infinity();
    std::int64_t skipped_rows = 0;
    std::size_t first_skipped = 0;
    for (std::size_t row = 0; row < table.time.size(); ++row) {
        double& time = table.time[row];
        if (!is_time(time)) continue;
        if (time > end_of_rules)
            throw input_error(table.path.string(), Phrase("the time %1 in %2", format_time(time), name),
                              "times before 2038, up to which daylight saving is known",
                              Phrase("Leave %1 empty.", setting));
        if (is_utc) continue;
        const double local = time;
        bool skipped = false;
        time = utc_of(zone, local, before, &skipped);
        before = time;
        if (skipped && skipped_rows++ == 0) first_skipped = row;
    }
    if (skipped_rows == 0) return;
    table.warnings.push_back(
        {WarningKind::time_format, table.line_of(static_cast<std::int64_t>(first_skipped)), column,
         skipped_rows,
         skipped_rows == 1
             ? Phrase("%1 time does not exist in %2, where the clocks are put forward then; the first here "
                      "is read as %3. If the file has no daylight saving, leave %4 empty",
                      skipped_rows, name, table.step.local.text(table.time[first_skipped]), setting)
             : Phrase("%1 times do not exist in %2, where the clocks are put forward then; the first here is "
                      "read as %3. If the file has no daylight saving, leave %4 empty",
                      skipped_rows, name, table.step.local.text(table.time[first_skipped]), setting)});
}

}  // namespace casp::data
