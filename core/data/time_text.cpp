#include "data/time_text.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>

#include "data/csv_text.h"
#include "data/date_forms.h"

namespace casp::data {

namespace {

/// Cursor over a text.
struct Reader {
    std::string_view text;

    [[nodiscard]] bool empty() const { return text.empty(); }
    [[nodiscard]] char peek() const { return text.empty() ? '\0' : text.front(); }
    bool take(char c) {
        if (peek() != c) return false;
        text.remove_prefix(1);
        return true;
    }
    bool take(std::string_view word) {
        if (!text.starts_with(word)) return false;
        text.remove_prefix(word.size());
        return true;
    }
    void skip_blanks() {  // also those that do not break lines
        while (take(' ') || take("\u00A0") || take("\u202F")) {
        }
    }
    /// Number of `least` to `most` digits; -1 if there are fewer or more.
    int number(int least, int most, int* digits = nullptr) {
        int value = 0;
        int count = 0;
        while (!text.empty() && text.front() >= '0' && text.front() <= '9') {
            if (++count > most) return -1;
            value = value * 10 + (text.front() - '0');
            text.remove_prefix(1);
        }
        if (digits != nullptr) *digits = count;
        return count < least ? -1 : value;
    }
};

bool read_date(Reader& in, TimeText& time) {
    int digits = 0;
    const int a = in.number(1, 4, &digits);
    if (a < 0 || digits == 3) return false;
    const char separator = in.peek();
    if (separator != '-' && separator != '/' && separator != '.') return false;
    in.take(separator);
    int digits_of_b = 0;
    const int b = in.number(1, 2, &digits_of_b);
    if (b < 0 || !in.take(separator)) return false;
    int year_digits = 0;
    const int c = in.number(1, 4, &year_digits);
    if (c < 0) return false;
    time.has_date = true;
    if (digits == 4) {
        if (year_digits > 2) return false;
        time.year_first = true;
        time.year = a;
        time.first = b;
        time.second = c;
        time.short_date = digits_of_b == 1 || year_digits == 1;
        return b >= 1 && b <= 12 && c >= 1 && c <= 31;
    }
    if (year_digits != 4 && year_digits != 2) return false;
    time.year = year_digits == 4 ? c : (c < 70 ? 2000 + c : 1900 + c);
    time.first = a;
    time.second = b;
    time.short_date = digits == 1 || digits_of_b == 1;
    time.short_year = digits == 2 && year_digits == 2;
    const bool day_first = a >= 1 && a <= 31 && b >= 1 && b <= 12;
    const bool month_first = b >= 1 && b <= 31 && a >= 1 && a <= 12;
    return day_first || month_first || (time.short_year && b >= 1 && b <= 12 && c >= 1 && c <= 31);
}

/// Names of offsets in exports; only those with one meaning.
struct NamedOffset {
    std::string_view name;
    int hours;
};
constexpr std::array<NamedOffset, 20> named_offsets{
    {{"Z", 0},    {"z", 0},    {"UTC", 0},  {"GMT", 0},  {"WET", 0},  {"WEST", 1}, {"CET", 1},
     {"CEST", 2}, {"MEZ", 1},  {"MESZ", 2}, {"EET", 2},  {"EEST", 3}, {"JST", 9},  {"EST", -5},
     {"EDT", -4}, {"CDT", -5}, {"MST", -7}, {"MDT", -6}, {"PST", -8}, {"PDT", -7}}};

/// `hours`: behind a date, two digits may stand for the hour alone.
bool read_clock(Reader& in, TimeText& time, bool dotted = false, bool hours = true);

/// Signs between beginning and end of a span.
constexpr std::array<std::string_view, 5> span_signs{"-", "–", "~", "to ", "bis "};

/// The end of a span of times of day, "00:00-01:00".
bool read_end_of_span(Reader in) {
    for (const auto sign : span_signs) {
        if (!in.take(sign)) continue;
        in.skip_blanks();
        TimeText end;
        return read_clock(in, end);
    }
    return false;
}

bool read_offset(Reader& in, TimeText& time) {
    in.skip_blanks();
    if (in.empty() || in.text == "Uhr") return true;
    if (!time.has_date && read_end_of_span(in)) return true;
    for (const auto& known : named_offsets)
        if (in.text == known.name) {
            time.has_offset = true;
            time.offset = known.hours * 3600.0;
            time.seconds -= time.offset;
            return true;
        }
    const bool west = in.peek() == '-';
    if (!in.take('+') && !in.take('-')) return false;
    int digits = 0;
    int hours = in.number(1, 4, &digits);
    int minutes = 0;
    if (hours < 0) return false;
    if (digits == 4) {
        minutes = hours % 100;
        hours /= 100;
    } else if (digits == 3) {
        return false;
    } else if (in.take(':')) {
        minutes = in.number(2, 2);
    }
    if (!in.empty() || minutes < 0 || minutes > 59 || hours > 15) return false;
    time.has_offset = true;
    time.offset = (west ? -1.0 : 1.0) * (hours * 3600.0 + minutes * 60.0);
    time.seconds -= time.offset;
    return true;
}

/// The fraction of a second behind its sign.
bool read_fraction(Reader& in, double& fraction) {
    if (in.peek() < '0' || in.peek() > '9') return false;
    // Divide the digits as one integer: the result is then the double nearest to, say, 0.001.
    double scale = 1;
    while (in.peek() >= '0' && in.peek() <= '9') {
        if (scale < 1e15) {
            fraction = fraction * 10 + (in.peek() - '0');
            scale *= 10;
        }
        in.text.remove_prefix(1);
    }
    fraction /= scale;
    return true;
}

struct Clock {
    int hour = 0, minute = 0, second = 0;
    double fraction = 0;
};

/// "0230" or "023000", as in ISO 8601 without signs.
bool read_basic_clock(Reader& in, Clock& clock) {
    const auto two_digits = [&] {
        Reader digits{in.text.substr(0, 2)};
        in.text.remove_prefix(2);
        return digits.number(2, 2);
    };
    clock.hour = two_digits();
    clock.minute = two_digits();
    if (in.peek() < '0' || in.peek() > '9') return true;
    clock.second = two_digits();
    return !(in.take('.') || in.take(',')) || read_fraction(in, clock.fraction);
}

/// "2时", "2时30分" and "2时30分15秒", and "2h", "2h30".
bool read_worded_clock(Reader& in, Clock& clock) {
    constexpr std::array<std::array<std::string_view, 3>, 5> words{
        {{"时", "分", "秒"}, {"時", "分", "秒"}, {"點", "分", "秒"}, {"시", "분", "초"}, {"h", "m", "s"}}};
    for (const auto& [hours, minutes, seconds] : words) {
        if (!in.text.starts_with(hours)) continue;
        in.text.remove_prefix(hours.size());
        if (in.empty()) return true;
        if ((clock.minute = in.number(2, 2)) < 0) return false;
        if (!in.text.starts_with(minutes)) return in.empty();
        in.text.remove_prefix(minutes.size());
        if (in.empty()) return true;
        clock.second = in.number(2, 2);
        if (clock.second < 0 || !in.text.starts_with(seconds)) return false;
        in.text.remove_prefix(seconds.size());
        return in.empty();
    }
    return false;
}

/// "2:30", "2:30:15" and "2:30:15.25", or with points between the numbers.
bool read_signed_clock(Reader& in, Clock& clock, char sign, bool after_date) {
    if (!in.take(sign)) return false;
    clock.minute = in.number(2, 2);
    if (clock.minute < 0) return false;
    if (!in.take(sign)) return sign == ':' || after_date;
    clock.second = in.number(2, 2);
    if (clock.second < 0) return false;
    if (in.peek() != '.' && in.peek() != ',') return true;
    in.take(in.peek());
    return read_fraction(in, clock.fraction);
}

std::size_t digits_at_front(std::string_view text) {
    std::size_t n = 0;
    while (n < text.size() && text[n] >= '0' && text[n] <= '9') ++n;
    return n;
}

/// Halves of the day: 1 for the morning, 2 for the afternoon, 0 for none.
int take_half_day(Reader& in) {
    for (const std::string_view word : {"上午", "午前", "오전"})
        if (in.take(word)) return 1;
    for (const std::string_view word : {"下午", "午後", "오후"})
        if (in.take(word)) return 2;
    const char half = in.peek();
    const bool afternoon = half == 'P' || half == 'p';
    if (!afternoon && half != 'A' && half != 'a') return 0;
    const auto behind = in.text.substr(1);
    const bool points = behind.starts_with(".m.");
    if (!points && !behind.starts_with('M') && !behind.starts_with('m')) return 0;
    in.text.remove_prefix(points ? 4 : 2);
    return afternoon ? 2 : 1;
}

bool read_clock(Reader& in, TimeText& time, bool dotted, bool hours) {
    Clock clock;
    int half = take_half_day(in);
    if (half > 0) in.skip_blanks();
    const auto digits = digits_at_front(in.text);
    if (time.has_date && (digits == 4 || digits == 6)) {
        if (!read_basic_clock(in, clock)) return false;
    } else {
        clock.hour = in.number(1, 2);
        time.short_hour = digits == 1;
        if (clock.hour < 0) return false;
        const char sign = in.peek();
        auto behind = in;
        behind.skip_blanks();
        const bool alone =
            time.has_date && ((in.empty() && digits == 2 && hours) || take_half_day(behind) > 0);
        const bool is_signed = sign == ':' || (sign == '.' && (dotted || time.has_date));
        if (!alone &&
            !(is_signed ? read_signed_clock(in, clock, sign, time.has_date) : read_worded_clock(in, clock)))
            return false;
    }
    if (clock.minute > 59 || clock.second > 60) return false;
    in.skip_blanks();
    if (half == 0) half = take_half_day(in);
    if (half > 0) {
        if (clock.hour > 12) return false;
        clock.hour = clock.hour % 12 + (half == 2 ? 12 : 0);
    }
    if (clock.hour > 24 || (clock.hour == 24 && (clock.minute > 0 || clock.second > 0))) return false;
    time.has_clock = true;
    time.end_of_day = clock.hour == 24;
    time.seconds = clock.hour * 3600.0 + clock.minute * 60.0 + clock.second + clock.fraction;
    return read_offset(in, time);
}

/// "Mon Dec 27 00:00:00 2021", as C writes it, with the year before the time of day; empty: another text.
std::string year_before_clock(std::string_view text) {
    const auto colon = text.find(':');
    const auto last = text.find_last_of(' ');
    if (colon == std::string_view::npos || last == std::string_view::npos || text.size() - last != 5 ||
        last < colon)
        return {};
    const auto clock = text.find_last_of(' ', colon);
    if (clock == std::string_view::npos || clock >= last) return {};
    return std::string(text.substr(0, clock)) + std::string(text.substr(last)) +
           std::string(text.substr(clock, last - clock));
}

bool read_date_and_clock(std::string_view text, TimeText& time, TimeReading how) {
    time = {};
    Reader in{trimmed(text)};
    if (in.text.size() < (how.digits ? 4U : 3U) || in.text.size() > 64) return false;
    const std::size_t colon = in.text.find(':');
    if (colon == 1 || colon == 2) return read_clock(in, time);  // no date
    if (how.dotted_clock) return read_clock(in, time, true);
    FormDate date;
    if (const auto dated = without_weekday(in.text); dated != in.text) {
        Reader numbers{dated};
        if (read_date(numbers, time)) in.text = dated;
        time = {};
    }
    const auto before = in.text;
    if (how.digits && read_digits(in.text, date, time.seconds)) {
        time.has_date = true;
        time.has_clock = before.size() - in.text.size() > 8;
    }
    if (!time.has_date && !read_date(in, time)) {
        time = {};
        in.text = before;
        if (!read_date_form(in.text, date)) return false;
        time.has_form = time.has_date = true;
        time.short_date = date.one_digit;
    }
    if (date.year > 0) {
        time.year_first = true;
        time.year = date.year;
        time.first = date.month;
        time.second = date.day;
    }
    if (in.take('(')) in.text.remove_prefix(std::min(in.text.find(')'), in.text.size() - 1) + 1);  // weekday
    if (in.empty()) return true;
    if (time.has_clock) return read_offset(in, time);
    const bool words = static_cast<unsigned char>(before[before.size() - in.text.size() - 1]) >= 0x80;
    const bool compact = in.take('T') || in.take('t') || in.take('_');
    if (!compact && in.peek() != ' ' && in.peek() != ',' && !(time.has_form && in.take(':')) && !words)
        return false;
    in.take(',');
    in.skip_blanks();
    return read_clock(in, time, false, compact || !time.has_form);
}

}  // namespace

std::string_view beginning_of_span(std::string_view text) {
    auto end = text.find(" - ");
    if (const auto colon = text.find(':'); colon == 1 || colon == 2)  // no date
        for (const auto sign : span_signs) end = std::min(end, text.find(sign));
    return trimmed(text.substr(0, end));
}

bool read_time(std::string_view text, TimeText& time, TimeReading how) {
    if (read_date_and_clock(text, time, how)) return true;
    text = trimmed(text);
    if (text.size() < 13 || text.size() > 64) return false;
    const auto colon = text.find(':'), last = text.find_last_of(' ');
    if ((colon == 1 || colon == 2) && last != std::string_view::npos &&
        read_date_and_clock(std::string(text.substr(last + 1)) + " " + std::string(text.substr(0, last)),
                            time, how) &&
        time.has_date)
        return true;  // 00:00 03.03.2021
    if (text.size() < 20) return false;
    if (const auto dash = text.find(" - "); dash != std::string_view::npos) {
        TimeText end;
        return read_date_and_clock(text.substr(dash + 3), end, how) &&
               read_date_and_clock(text.substr(0, dash), time, how) && time.has_date &&
               end.has_clock == time.has_clock;
    }
    const auto turned = year_before_clock(text);
    return !turned.empty() && read_date_and_clock(turned, time, how);
}

double seconds_since_1970(const TimeText& time, bool month_first) {
    if (!time.has_date) return time.seconds;
    const int month = time.year_first || month_first ? time.first : time.second;
    const int day = time.year_first || month_first ? time.second : time.first;
    using namespace std::chrono;
    const year_month_day date(std::chrono::year(time.year), std::chrono::month(static_cast<unsigned>(month)),
                              std::chrono::day(static_cast<unsigned>(day)));
    if (!date.ok()) return std::numeric_limits<double>::quiet_NaN();
    return static_cast<double>(sys_days(date).time_since_epoch().count()) * 86400.0 + time.seconds;
}

double seconds_with_year_first(const TimeText& time) {
    auto turned = time;
    turned.year_first = true;
    turned.year = (time.first < 70 ? 2000 : 1900) + time.first;
    turned.first = time.second;
    turned.second = time.year % 100;
    return time.short_year ? seconds_since_1970(turned, false) : std::numeric_limits<double>::quiet_NaN();
}

std::string format_time(double seconds) {
    using namespace std::chrono;
    constexpr double largest = 9e11;  // years have five digits in <chrono>
    if (!std::isfinite(seconds) || std::fabs(seconds) > largest) return "?";
    const sys_time<milliseconds> time{milliseconds(std::llround(seconds * 1000.0))};
    const auto midnight = floor<days>(time);
    const year_month_day date(midnight);
    const hh_mm_ss clock(time - midnight);
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, "%04d-%02u-%02u %02d:%02d:%02d", static_cast<int>(date.year()),
                  static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                  static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                  static_cast<int>(clock.seconds().count()));
    std::string text = buffer;
    if (const auto rest = clock.subseconds().count(); rest != 0) {
        std::snprintf(buffer, sizeof buffer, ".%03d", static_cast<int>(rest));
        text += buffer;
    }
    return text;
}

}  // namespace casp::data
