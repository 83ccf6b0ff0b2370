#pragma once
// Local times: a fixed offset, or a zone of the IANA database with its daylight saving.

#include <string>

namespace date {
class time_zone;
}

namespace casp::data {

struct Table;

/// Local time, in which days begin. Times are seconds since 1970.
struct LocalTime {
    double offset = 0;                      ///< seconds ahead of UTC
    const date::time_zone* zone = nullptr;  ///< instead of `offset`

    [[nodiscard]] double offset_at(double utc) const;
    /// The first one of an hour that is repeated; in an hour that is skipped, as if the clocks had not been
    /// put forward.
    [[nodiscard]] double to_utc(double local) const;
    /// What the user is shown: local time if the zone is known, else UTC, as Table::time.
    [[nodiscard]] double shown(double utc) const;
    [[nodiscard]] std::string text(double utc) const;  ///< shown(), as format_time()
    [[nodiscard]] std::string zone_name() const;       ///< "Europe/Berlin"; empty: none
};

/// The zone with this name ("Europe/Berlin") in the system's database (package tzdata), for the life of the
/// program; null for an empty name. Any thread. Throws an input Error for a name that is not in it, and where
/// there is no database or one that does not list daylight saving up to 2037.
[[nodiscard]] const date::time_zone* find_zone(const std::string& name);

/// Takes the table's times as local times of the zone: Table::time becomes UTC, Table::step.local the zone.
/// Of times that are UTC (Unix times) or have offsets only the zone is set. To be called before check_time(),
/// with the rows in order of time. Without effect for an empty name, and without dates (with a warning).
///
/// An hour that is repeated in autumn is told apart by the order of rows: where a time would not be after the
/// row before, it is the second one. Times in the hour that is skipped in spring are read as if the clocks
/// had not been put forward, with a warning. Throws input Errors as find_zone(), and for times after 2037.
void apply_time_zone(Table& table, const std::string& name);

}  // namespace casp::data
