// Dates and times as people write them.
#include <cmath>

#include "data/time_text.h"
#include "fuzz_support.h"

using namespace casp;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    for (const bool compact : {false, true}) {
        data::TimeText time;
        if (!data::read_time(text, time, {.digits = compact, .dotted_clock = false})) continue;
        fuzz::must(time.has_date || time.has_clock, "a time has a date or a clock");
        for (const bool month_first : {false, true}) {
            const double seconds = data::seconds_since_1970(time, month_first);
            const auto written = data::format_time(seconds);
            if (std::isnan(seconds)) {
                fuzz::must(written == "?", "no date is written as a question mark");
                continue;
            }
            fuzz::must(std::fabs(seconds) < 1e12, "a year has at most four digits");
            // What is written reads back; years before 1 and after 9999 (by an offset) are written only.
            if (seconds < -62135596800.0 || seconds > 253402300799.0) continue;
            data::TimeText again;
            fuzz::must(data::read_time(written, again), "a written time can be read");
            // To the millisecond; in the year 9999 a double's steps are 0.03 ms.
            fuzz::must(std::fabs(data::seconds_since_1970(again, false) - seconds) < 0.0006,
                       "a written time is the same moment");
        }
    }
    return 0;
}
