// Third stage: which columns are time, channels, or neither.

#include <algorithm>
#include <cmath>

#include "config/text_utils.h"
#include "data/csv_detect.h"
#include "data/date_forms.h"
#include "util/error.h"

namespace casp::data {

namespace {

constexpr const char* other_time_column = "Choose another time column, or none (data.csv.time_column).";

bool is_dotted_clock(std::string_view text) {
    if (text.size() != 8 || text[2] != '.' || text[5] != '.') return false;
    TimeText time;
    return read_time(text, time, {.digits = false, .dotted_clock = true});
}

/// Digits of a whole number that read_digits() accepts; 0: it is none.
int date_digits(std::string_view text) {
    text = trimmed(text);
    const auto size = text.size();
    FormDate date;
    double seconds = 0;
    return read_digits(text, date, seconds) && text.empty() ? static_cast<int>(size) : 0;
}

/// Range of the years that four digits may mean.
bool is_year(double value) { return value >= 1500 && value <= 2200; }

const NumberForm* form_of_style(TimeStyle style) {
    for (const auto& form : number_forms())
        if (form.style == style) return &form;
    return nullptr;
}

/// Whether hardly any cell is a text: lines that are no rows may be among the rows.
bool is_clean(const Content& content) { return content.text * 50 <= content.numbers; }

bool is_monotone(const Content& content) {
    return content.numbers >= 2 && is_clean(content) && (content.rising || content.falling) &&
           content.least < content.most;
}

/// The form of a column that rises or falls; null: none fits.
const NumberForm* form_of(const Content& content) {
    if (!is_monotone(content)) return nullptr;
    for (const auto& form : number_forms())
        if (content.least >= form.least && content.most <= form.most) return &form;
    return nullptr;
}

bool is_date_digits(const Content& content) {
    return is_monotone(content) && content.digits > 0 && content.whole &&
           (content.digits != 4 || (is_year(content.least) && is_year(content.most)));
}

/// Whether nearly all numbers are whole and in a range within 0 to 60.
bool in_range(const Content& content, double least, double most) {
    const auto [low, high] = content.small_range();
    return high >= low && is_clean(content) && low >= least && high <= most;
}

/// Whether a column holds the part that its name says.
bool fits_part(TimePart part, const Content& content) {
    switch (part) {
        case TimePart::year:
            return content.whole && content.numbers > 0 && is_year(content.least) && is_year(content.most);
        case TimePart::month:
            return in_range(content, 1, 12);
        case TimePart::day:
            return in_range(content, 1, 31);
        case TimePart::day_of_year:
            return content.numbers > 0 && is_clean(content) && content.whole && content.least >= 1 &&
                   content.most <= 366;
        case TimePart::hour:
            return in_range(content, 0, 25);  // 25 on the day that daylight saving ends
        case TimePart::minute:
        case TimePart::second:
            return in_range(content, 0, 60);
        case TimePart::hour_minute:
            return content.numbers > 0 && is_clean(content) && content.whole && content.least >= 0 &&
                   content.most <= 2400 && content.most > 60;
        case TimePart::hour_minute_second:
            return content.numbers > 0 && is_clean(content) && content.whole && content.least >= 0 &&
                   content.most <= 240'000 && content.most > 2400;
        case TimePart::half_hour:
            return in_range(content, 0, 47) ? content.small_range() == std::pair(0, 47)
                                            : in_range(content, 1, 50) && content.small_range().second >= 48;
        case TimePart::quarter_hour:
            return in_range(content, 0, 95) ? content.small_range() == std::pair(0, 95)
                                            : in_range(content, 1, 100) && content.small_range().second >= 96;
        case TimePart::whole:
            break;
    }
    return false;
}

/// Chooses the time axis.
class TimeFinder {
public:
    TimeFinder(Layout& layout, const std::vector<Content>& body, const CsvOptions& options)
        : layout_(layout), body_(body), options_(options) {}

    void find(const std::vector<int>& columns) {
        if (const auto* form = form_of_style(options_.time_style)) {
            for (const int j : columns)
                if (of(j).is_number() && of(j).numbers > 0 && (j == 0 || suggests_time(name(j))))
                    return use_form(j, *form, "set");
        }
        int instant = -1;
        int date = -1;
        // The first column whose times change on every row; the start of the whole query repeats.
        const auto is_better = [&](int column, int than) {
            const auto& content = of(column);
            return than < 0 || content.repeats == 0 || of(than).repeats > 0;
        };
        for (auto j = columns.rbegin(); j != columns.rend(); ++j) {
            const auto& content = of(*j);
            if (content.is_instant() && is_better(*j, instant)) instant = *j;
            if (content.is_date() && !is_dotted(content) && is_better(*j, date)) date = *j;
            if (content.is_clock() || is_dotted(content)) clock_ = *j;
        }
        if (instant >= 0) {
            set_role(instant, Role::date, "it holds dates with the time of day");
        } else if (date >= 0) {
            with_date(date, clock_, columns);
        } else if (!from_parts(columns) && !from_unnamed_parts()) {
            from_numbers(columns, false);
        }
    }

    /// The columns that data.csv.time_column names.
    void use(const std::vector<int>& columns, const std::string& where) {
        if (columns.size() == 1) return use_one(columns[0], where);
        if (columns.size() == 2) {
            const auto date = static_cast<std::size_t>(columns[0]);
            const auto clock = static_cast<std::size_t>(columns[1]);
            if (body_[clock].is_clock() || is_dotted(body_[clock])) {
                if (!body_[date].is_time() && !is_date_digits(body_[date])) throw no_date(columns[0], where);
                layout_.how.digits = !body_[date].is_time();
                with_date(columns[0], columns[1], columns);
                return;
            }
            const bool digits = !body_[date].is_time() && is_date_digits(body_[date]);
            if (digits || body_[date].is_time()) with_hours(columns[0], columns);
            if (!layout_.time_numbers.empty()) {
                layout_.how.digits = digits;
                set_role(columns[0], Role::date, "set");
                return;
            }
            if (body_[date].is_time() && add_part(columns[1])) {
                set_role(columns[0], Role::date, "set");
                if (part_of(columns[1]) == TimePart::hour) end_hours(columns[1]);
                return;
            }
            if (body_[clock].is_time())
                throw input_error(
                    where, Phrase("\"%1\" holds dates, not only times of day", layout_.columns[clock].name),
                    "a column with times of day", "Use it as the only time column.");
        }
        if (from_parts(columns)) return;
        std::string names;
        for (const int column : columns) names += (names.empty() ? "\"" : ", \"") + name(column) + "\"";
        throw input_error(where, Phrase("the columns %1 do not make a time", names),
                          "a date and a time of day, or columns of year, month, day and hour by their names",
                          other_time_column);
    }

private:
    [[nodiscard]] const Content& of(int column) const { return body_[static_cast<std::size_t>(column)]; }
    [[nodiscard]] ColumnLayout& layout_of(int column) const {
        return layout_.columns[static_cast<std::size_t>(column)];
    }
    [[nodiscard]] const std::string& name(int column) const { return layout_of(column).name; }
    /// The part that a name says; of a name joined over several lines, its last word.
    [[nodiscard]] TimePart part_of(int column) const {
        const std::string_view whole = name(column);
        const auto part = part_of_name(whole);
        // Too short a name for a channel to be warned of, but a part beside others.
        if (whole.size() == 1)
            for (const auto& [letter, meant] :
                 {std::pair('y', TimePart::year), std::pair('m', TimePart::month),
                  std::pair('d', TimePart::day), std::pair('h', TimePart::hour)})
                if ((whole.front() | 0x20) == letter) return meant;
        const auto sign = whole.find_last_of(" ._");
        if (part != TimePart::whole || sign == std::string_view::npos) return part;
        const auto last = part_of_name(whole.substr(sign + 1));
        const bool is_date = last == TimePart::year || last == TimePart::month || last == TimePart::day ||
                             last == TimePart::hour;  // and "temp_min" is a minimum
        return layout_.joined_names || is_date ? last : TimePart::whole;
    }
    /// Also with the name that pandas gives.
    [[nodiscard]] bool is_unnamed(int column) const {
        return !layout_of(column).named || name(column).starts_with("Unnamed: ");
    }
    [[nodiscard]] Error no_date(int column, const std::string& where) const {
        return input_error(where, Phrase("column \"%1\" holds no dates", name(column)), "dates or Unix times",
                           other_time_column);
    }
    /// Whether every text of a column can be a time of day with points, and not every one a date.
    [[nodiscard]] static bool is_dotted(const Content& content) {
        return content.dotted > 0 && content.dotted == content.times() && content.clocks > 0;
    }

    void set_role(int column, Role role, const Phrase& why) {
        layout_of(column).role = role;
        if (role == Role::clock) layout_.how.dotted_clock = is_dotted(of(column));
        note_reading(column, why, role == Role::clock ? "data.csv.clock_column" : "data.csv.time_column");
    }

    void note_reading(int column, const Phrase& why, const char* key = "data.csv.time_column") {
        layout_.readings.push_back({"time", name(column), why, key});
    }

    void with_date(int date, int clock, const std::vector<int>& columns) {
        set_role(date, Role::date, layout_.how.digits ? "its digits are dates" : "it holds dates");
        if (clock >= 0) {
            set_role(clock, Role::clock, "it holds the times of day of the dates");
            return;
        }
        with_hours(date, columns);
    }

    /// Adds a column of hours, and those of minutes and seconds, to dates that repeat. A date on each row of
    /// its own needs none: such a column is a channel then.
    void with_hours(int date, const std::vector<int>& columns) {
        if (of(date).repeats == 0) return;
        for (const auto wanted : {TimePart::hour, TimePart::hour_minute, TimePart::hour_minute_second})
            for (const int j : columns)
                if (j != date && (part_of(j) == wanted || is_exact_clock(j, wanted)) && add_part(j, wanted)) {
                    if (wanted == TimePart::hour) end_hours(j);
                    for (const int k : columns)
                        if (wanted == TimePart::hour &&
                            (part_of(k) == TimePart::minute || part_of(k) == TimePart::second))
                            add_part(k);
                    return;
                }
        // Without a name that says it: a count of the half or quarter hours of a day, or of the hours beside
        // its date.
        for (const auto part : {TimePart::half_hour, TimePart::quarter_hour})
            for (const int j : columns)
                if (j != date && of(j).counts() && add_part(j, part)) {
                    layout_.hour_ending = options_.hour_ending.value_or(of(j).small_range().first == 1);
                    return;
                }
        const auto next = static_cast<std::size_t>(date) + 1;
        if (next < body_.size() && std::ranges::find(columns, date + 1) != columns.end() &&
            part_of(date + 1) == TimePart::whole &&
            (in_range(body_[next], 0, 23) || in_range(body_[next], 1, 24)) &&
            body_[next].small_range().second - body_[next].small_range().first == 23) {
            layout_.time_numbers.emplace_back(date + 1, TimePart::hour);
            note_reading(date + 1, "it counts the hours of each date");
            end_hours(date + 1);
        }
    }

    /// Whether "Time" is 134500 and not 1345, or "Hour" is 1300.
    [[nodiscard]] bool is_exact_clock(int column, TimePart part) const {
        const auto named = part_of(column);
        return (part == TimePart::hour_minute_second && named == TimePart::hour_minute) ||
               (part == TimePart::hour_minute && named == TimePart::hour);
    }

    bool add_part(int column) { return add_part(column, part_of(column)); }
    bool add_part(int column, TimePart part) {
        if (!fits_part(part, of(column))) return false;
        layout_.time_numbers.emplace_back(column, part);
        const bool counts = part == TimePart::half_hour || part == TimePart::quarter_hour;
        note_reading(column, counts                     ? "it counts the parts of each day"
                             : !layout_of(column).named ? "it counts a part of the time"
                             : part == TimePart::hour   ? "its name says hours, and the dates repeat"
                                                        : "its name says a part of the time");
        return true;
    }

    void end_hours(int column) {
        const auto [low, high] = of(column).small_range();
        const bool counted = low >= 1 && (high >= 24 || names_hour_ending(name(column)));
        const bool ending = options_.hour_ending.value_or(counted);
        layout_.hour_ending = ending;
        layout_.readings.push_back(
            {"hours", ending ? "1 to 24, each the end of its hour" : "the beginning of each hour",
             options_.hour_ending ? "set"
             : ending             ? "they count from 1 to 24"
                                  : "they count from 0",
             "data.csv.hours"});
    }

    bool from_parts(const std::vector<int>& columns) {
        std::vector<std::pair<TimePart, int>> found;
        for (const int j : columns) {
            auto part = part_of(j);
            if (part == TimePart::day && !fits_part(part, of(j))) part = TimePart::day_of_year;
            const bool known =
                std::ranges::any_of(found, [&](const auto& other) { return other.first == part; });
            if (part != TimePart::whole && !known && fits_part(part, of(j))) found.emplace_back(part, j);
        }
        const auto has = [&](TimePart part) {
            return std::ranges::any_of(found, [&](const auto& one) { return one.first == part; });
        };
        // "mm" beside "yyyy" is a month, unless there are hours.
        if (has(TimePart::year) && !has(TimePart::month) && !has(TimePart::hour))
            for (auto& [part, column] : found)
                if (part == TimePart::minute && fits_part(TimePart::month, of(column)))
                    part = TimePart::month;
        if (!has(TimePart::year) || !(has(TimePart::month) || has(TimePart::day_of_year))) return false;
        for (const auto& [part, column] : found) {
            // Without the part above it, a part says nothing: minutes without hours.
            const bool clock = part == TimePart::hour || part == TimePart::hour_minute;
            const bool below = part == TimePart::minute || part == TimePart::second;
            if (clock && !has(TimePart::day) && !has(TimePart::day_of_year)) continue;
            if (below && !has(TimePart::hour)) continue;
            if (part == TimePart::hour_minute && has(TimePart::hour)) continue;
            if (part == TimePart::day_of_year && has(TimePart::month)) continue;
            add_part(column, part);
            if (part == TimePart::hour) end_hours(column);
        }
        return true;
    }

    /// Year and month, perhaps day and hour, in the first columns of a file without names.
    bool from_unnamed_parts() {
        const auto counts = [&](std::size_t column, int least, int most) {
            return column < body_.size() && body_[column].numbers > 0 &&
                   in_range(body_[column], least, most) &&
                   body_[column].small_range() == std::pair(least, most);
        };
        if (body_.size() < 3 || layout_.columns[0].named || !is_monotone(body_[0]) ||
            !fits_part(TimePart::year, body_[0]) || !counts(1, 1, 12))
            return false;
        add_part(0, TimePart::year);
        add_part(1, TimePart::month);
        if (counts(2, 1, 31)) {
            add_part(2, TimePart::day);
            if (counts(3, 0, 23)) add_part(3, TimePart::hour);
        }
        layout_.warnings.push_back(
            {WarningKind::time_format, 0, "", 1,
             layout_.time_numbers.size() > 3   ? "the first columns are read as parts of the time: year, "
                                                 "month, day, hour (data.csv.time_column sets them)"
             : layout_.time_numbers.size() > 2 ? "the first columns are read as parts of the time: year, "
                                                 "month, day (data.csv.time_column sets them)"
                                               : "the first columns are read as parts of the time: year, "
                                                 "month (data.csv.time_column sets them)"});
        return true;
    }

    bool from_numbers(const std::vector<int>& columns, bool forced) {
        for (const int j : columns) {
            const auto& content = of(j);
            if (!content.is_number()) continue;
            const bool named = suggests_time(name(j));
            const bool dates = is_date_digits(content);
            const bool months =
                content.digits == 6 && (content.ones + content.new_years) * 10 >= (content.numbers - 1) * 9;
            const bool unnamed_years = content.digits == 4 && j == 0 && content.counts() && is_unnamed(j);
            const bool whole_dates = dates && (content.digits >= 8 || months);
            if (!forced && j != 0 && !named && !whole_dates) continue;
            if (whole_dates || (dates && (named || forced || unnamed_years))) {
                layout_.how.digits = true;
                if (unnamed_years && !forced)
                    layout_.warnings.push_back({WarningKind::time_format, 0, name(j), 1,
                                                "the numbers of the first column are read as years "
                                                "(data.csv.time_column sets it)"});
                if (content.digits == 8)
                    with_date(j, clock_, columns);
                else
                    set_role(j, Role::date, "its digits are dates");
                return true;
            }
            const auto* form = form_of(content);
            // Days of spreadsheets are in the range of many channels.
            const bool unnamed = j == 0 && !layout_.columns[0].named && content.least > 30'000;
            if (form == nullptr || (form->scale > 1 && !named && !forced && !unnamed)) continue;
            if (form->scale > 1 && unnamed)
                layout_.warnings.push_back(
                    {WarningKind::time_format, 0, name(j), 1,
                     Phrase("the numbers of the first column are read as %1 (data.csv.date_format sets it)",
                            form->name)});
            use_form(j, *form, Phrase("its numbers rise as %1", form->name));
            return true;
        }
        return false;
    }

    void use_form(int column, const NumberForm& form, const Phrase& why) {
        layout_.number_form = &form;
        layout_.decimals = of(column).decimals;
        layout_.time_numbers.emplace_back(column, TimePart::whole);
        note_reading(column, why);
    }

    void use_one(int column, const std::string& where) {
        const auto& content = of(column);
        if (content.is_time()) {
            set_role(column, content.is_clock() || is_dotted(content) ? Role::clock : Role::date, "set");
            return;
        }
        if (options_.time_style == TimeStyle::elapsed) return;  // read as a counter (csv_import.cpp)
        if (const auto* form = form_of_style(options_.time_style); form != nullptr && content.numbers > 0) {
            use_form(column, *form, "set");
            return;
        }
        if (options_.time_style == TimeStyle::digits && content.digits > 0) {
            layout_.how.digits = true;
            set_role(column, Role::date, "set");
            return;
        }
        if (!from_numbers({column}, true)) throw no_date(column, where);
    }

    Layout& layout_;
    const std::vector<Content>& body_;
    const CsvOptions& options_;
    int clock_ = -1;  ///< column of times of day
};

int find_layout_column(const Layout& layout, const std::string& name, const std::string& where) {
    std::vector<std::string> names;
    for (std::size_t j = 0; j < layout.columns.size(); ++j) {
        if (layout.columns[j].name == name) return static_cast<int>(j);
        names.push_back(layout.columns[j].name);
    }
    throw input_error(where, Phrase("there is no column \"%1\" to take the time from", name),
                      "a column of the file",
                      Phrase("The nearest name is \"%1\".", config::nearest_name(name, names)));
}

void leave_out(Layout& layout, std::size_t column, const Content& content) {
    const auto& name = layout.columns[column].name;
    Phrase what = "text";
    if (content.is_time()) what = "dates or times beside the time axis";
    Phrase cell;
    if (!content.is_time() && !content.first_text.empty())
        cell = Phrase(" (\"%1\" in line %2)", config::abbreviated(readable(content.first_text), 40),
                      content.text_line);
    layout.warnings.push_back({WarningKind::text_column, cell.empty() ? 0 : content.text_line, name, 1,
                               Phrase("column \"%1\" holds %2 and is left out", name, what + cell)});
}

}  // namespace

bool Layout::is_time_number(int column) const {
    return std::ranges::any_of(time_numbers, [column](const auto& one) { return one.first == column; });
}

bool Layout::has_time() const {
    return !time_numbers.empty() || std::ranges::any_of(columns, [](const ColumnLayout& column) {
        return column.role == Role::date || column.role == Role::clock;
    });
}

void Content::add(const Cell& cell, std::int64_t line, const Dialect& dialect) {
    double value = 0;
    switch (read_number(cell.text, dialect.decimal, value, dialect.thousands)) {
        case CellKind::number: {
            const bool first = numbers++ == 0;
            const double step = std::fabs(value - last);
            repeats += !first && step == 0 ? 1 : 0;
            ones += !first && step == 1 ? 1 : 0;
            new_years += !first && step == 89 ? 1 : 0;
            const auto point = cell.text.find(dialect.decimal);
            const bool is_whole = value == std::floor(value);
            wholes += point == std::string_view::npos ? 1 : 0;
            whole = whole && is_whole;
            rising = rising && (first || value >= last);
            falling = falling && (first || value <= last);
            if (digits != 0 && !is_year_total(cell.text)) {
                const int n = date_digits(cell.text);
                digits = digits < 0 || digits == n ? n : 0;
            }
            if (!whole && point != std::string_view::npos)
                decimals = std::max(decimals, static_cast<int>(trimmed(cell.text).size() - point) - 1);
            if (is_whole && value >= 0 && value < static_cast<double>(small.size()))
                ++small[static_cast<std::size_t>(value)];
            least = std::min(least, value);
            most = std::max(most, value);
            last = value;
            return;
        }
        case CellKind::text: {
            TimeText time;
            const auto shown = trimmed(cell.text);
            const bool dots = is_dotted_clock(shown);
            dotted += dots ? 1 : 0;
            if (!read_time(shown, time) && !(dots && read_time(shown, time, {false, true}))) {
                if (text++ == 0) {
                    first_text = shown;
                    text_line = line;
                }
                one_text = one_text && shown == first_text;
            } else if (time.has_date && time.has_clock) {
                ++instants;
                repeats += shown == last_date ? 1 : 0;
                last_date = shown;
            } else if (time.has_date) {
                ++dates;
                repeats += shown == last_date ? 1 : 0;
                last_date = shown;
            } else {
                ++clocks;
            }
            short_years |= time.short_year;
            return;
        }
        default:
            return;
    }
}

std::pair<int, int> Content::small_range() const {
    const std::int64_t rare = numbers / 50;
    std::int64_t all = 0;
    int low = -1;
    int high = -1;
    for (int i = 0; i < static_cast<int>(small.size()); ++i) {
        const auto count = small[static_cast<std::size_t>(i)];
        all += count;
        // One value of 300 is an error, one of 24 is an hour.
        if (count == 0 || (count == 1 && numbers > 240)) continue;
        if (low < 0) low = i;
        high = i;
    }
    return low >= 0 && all >= numbers - rare ? std::pair(low, high) : std::pair(0, -1);
}

std::vector<Content> contents(const Sample& sample, std::size_t from, std::size_t width,
                              const Dialect& dialect, std::size_t most) {
    std::vector<Content> body(width);
    for (std::size_t i = from; i < std::min(sample.size(), most); ++i)
        for (std::size_t j = 0; j < std::min(sample.records[i].size(), width); ++j)
            body[j].add(sample.records[i][j], sample.lines[i], dialect);
    return body;
}

void detect_meaning(Layout& layout, const std::vector<Content>& body, const std::string& where,
                    const CsvOptions& options) {
    std::vector<int> all(body.size());
    for (std::size_t j = 0; j < body.size(); ++j) {
        all[j] = static_cast<int>(j);
        if (body[j].is_number()) layout.columns[j].role = Role::number;
        layout.columns[j].whole = body[j].whole;
    }
    TimeFinder finder(layout, body, options);
    if (options.time_columns) {
        std::vector<int> given;
        for (const auto& name : *options.time_columns)
            given.push_back(find_layout_column(layout, name, where));
        if (!given.empty()) finder.use(given, where);
    } else {
        finder.find(all);
    }
    for (std::size_t j = 0; j < body.size(); ++j) {
        layout.short_years |= layout.columns[j].role == Role::date && body[j].short_years;
        if (layout.columns[j].role == Role::skip) leave_out(layout, j, body[j]);
        // A second clock, such as Unix times beside dates, is no channel.
        if (layout.has_time() && !options.keep_row_numbers && layout.columns[j].role == Role::number &&
            !layout.is_time_number(static_cast<int>(j)) && suggests_time(layout.columns[j].name) &&
            (form_of(body[j]) != nullptr || (is_date_digits(body[j]) && body[j].digits > 4))) {
            layout.columns[j].role = Role::skip;
            layout.warnings.push_back(
                {WarningKind::text_column, 0, layout.columns[j].name, 1,
                 Phrase("column \"%1\" holds times beside the time axis and is left out",
                        layout.columns[j].name)});
        }
    }
}

}  // namespace casp::data
