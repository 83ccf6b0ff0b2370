// Second stage: which lines are names, units, rows and footer.

#include <algorithm>
#include <array>
#include <set>

#include "config/text_utils.h"
#include "data/csv_detect.h"
#include "util/error.h"

namespace casp::data {

namespace {

constexpr std::size_t longest_preamble = 100;  // lines
constexpr std::size_t enough_cells = 20'000;

/// Files whose first cell names their layout; a new one is a line.
struct KnownLayout {
    std::string_view first_cell;
    const char* name;
    std::size_t before;  ///< records before the names
};
constexpr std::array known_layouts{
    KnownLayout{"TOA5", "a Campbell logger's TOA5", 1},
    KnownLayout{"TOACI1", "a Campbell logger's TOACI1", 1},
};

/// Words in lines of units and kinds, in lower case; a new one is an entry.
constexpr std::array<std::string_view, 68> unit_words{
    "w",   "kw",  "mw",  "gw",    "wh",   "kwh",  "mwh", "gwh",     "v",     "kv",   "mv",    "a",
    "ma",  "hz",  "khz", "mhz",   "c",    "degc", "deg", "f",       "degf",  "k",    "pa",    "hpa",
    "kpa", "mpa", "bar", "mbar",  "psi",  "m",    "mm",  "cm",      "km",    "s",    "ms",    "min",
    "h",   "hr",  "d",   "m/s",   "km/h", "kmh",  "mph", "kn",      "knots", "w/m2", "w/m^2", "g",
    "kg",  "t",   "mg",  "ug/m3", "ppm",  "ppb",  "l",   "m3",      "m3/h",  "l/s",  "m3/s",  "usd",
    "eur", "ts",  "rn",  "smp",   "avg",  "min",  "max", "unitless"};

/// "MW", "[°C]", "(%)", "deg C": a unit or the kind of a value, not a name.
bool is_unit(std::string_view cell) {
    cell = trimmed(cell);
    if (cell.empty()) return false;
    const auto first = cell.front();
    if ((first == '[' && cell.back() == ']') || (first == '(' && cell.back() == ')') || first == '%')
        return true;
    if (cell.find("\xC2\xB0") != std::string_view::npos) return true;
    auto text = config::lower_case(cell);
    std::erase_if(text, [](char c) { return c == ' ' || c == '.'; });
    return std::ranges::find(unit_words, text) != unit_words.end();
}

/// A line before the rows, as far as its kind can be seen from itself.
struct HeadLine {
    std::size_t cells = 0, texts = 0, values = 0, units = 0;
};

HeadLine head_line(const Record& record, const Dialect& dialect) {
    HeadLine line;
    line.cells = record.size();
    for (const auto& cell : record) {
        const auto text = trimmed(cell.text);
        double value = 0;
        TimeText time;
        if (text.empty()) continue;
        if (read_number(text, dialect.decimal, value) == CellKind::number || read_time(text, time)) {
            ++line.values;
        } else {
            ++line.texts;
            line.units += is_unit(text) ? 1 : 0;
        }
    }
    return line;
}

std::string cell_text(const Cell& cell, const Dialect& dialect) {
    return std::string(trimmed(readable(unescaped(cell, dialect.quote))));
}

/// A record for messages: its first cells.
std::string shown(const Record& record, const Dialect& dialect) {
    std::string text;
    for (std::size_t i = 0; i < record.size() && i < 6; ++i)
        text += (i == 0 ? "" : ", ") + cell_text(record[i], dialect);
    if (record.size() > 6) text += ", ...";
    return "\"" + config::abbreviated(text, 80) + "\"";
}

bool all_distinct(const std::vector<std::string>& names, std::size_t from) {
    std::set<std::string> seen;
    for (std::size_t i = from; i < names.size(); ++i)
        if (names[i].empty() || !seen.insert(names[i]).second) return false;
    return true;
}

/// Whether a record holds whole numbers as names (0, 1, 2 or 2019, 2020) above columns that never have one,
/// and any names above columns without numbers.
bool is_numbered(const Record& record, const std::vector<Content>& body, const Dialect& dialect,
                 bool is_in_body) {
    std::set<double> names;
    std::size_t columns = 0;
    std::size_t without = 0;
    for (std::size_t i = 0; i < record.size(); ++i) {
        double value = 0;
        const auto text = trimmed(record[i].text);
        const bool of_text = i >= body.size() || body[i].numbers == 0;
        if (of_text && read_number(text, dialect.decimal, value) != CellKind::number) continue;
        if (text.find_first_not_of("0123456789") != std::string_view::npos ||
            read_number(text, dialect.decimal, value) != CellKind::number || !names.insert(value).second)
            return false;
        if (of_text) continue;
        ++columns;
        without += body[i].wholes == (is_in_body ? 1 : 0) && body[i].numbers > 2 ? 1 : 0;
    }
    return columns > 0 && without * 2 >= columns;
}

bool is_row(const Record& record, const std::vector<Content>& body, std::size_t width, const Dialect& dialect,
            bool first) {
    const auto fit = fit_of(record, body, dialect);
    if (fit.good == 0 || fit.time_is_text) return false;
    if (fit.time_is_good) return !first || fit.bad == 0;
    // Units below the names have no time, nor have numbers as names.
    if (fit.has_time && (fit.bad > 0 || !fit.time_is_missing)) return false;
    if (width > 1 && record.size() * 2 <= width) return false;
    if (fit.bad > 0 && record.size() < width) return false;  // a property of the file: "Interval, 1e-3"
    return first ? fit.bad == 0 && (record.size() == width || width < 2) : true;
}

/// 0, 1, 2, as pandas calls columns without names, perhaps behind the empty name of its row names.
bool counts_columns(const Record& record) {
    const std::size_t unnamed = trimmed(record.front().text).empty() ? 1 : 0;
    if (record.size() < (unnamed > 0 ? 2U : 3U)) return false;
    for (std::size_t j = unnamed; j < record.size(); ++j)
        if (trimmed(record[j].text) != std::to_string(j - unnamed)) return false;
    return true;
}

/// Finds the parts of the beginning of the table.
class HeadFinder {
public:
    HeadFinder(const Sample& sample, const Beginning& beginning, const Dialect& dialect,
               const CsvOptions& options, std::vector<Reading>& readings, std::vector<Warning>& warnings)
        : sample_(sample),
          beginning_(beginning),
          dialect_(dialect),
          options_(options),
          readings_(readings),
          warnings_(warnings) {
        out_.width = usual_width(sample.records, 1);
        // The beginning shows which lines are rows; detect_layout() reads the whole sample.
        const auto enough =
            std::max(2 * longest_preamble, enough_cells / std::max<std::size_t>(1, out_.width));
        body_ = contents(sample, std::min<std::size_t>(1, sample.size() - 1), out_.width, dialect, enough);
    }

    Structure find() {
        auto rows = first_row();
        if (options_.header && !*options_.header) {
            out_.has_header = false;
            out_.first_row = options_.unit_lines > 0 ? static_cast<std::size_t>(options_.unit_lines) : 0;
            readings_.push_back({"header", "none", "set", "data.csv.header"});
            return out_;
        }
        if (rows == 0 && !(options_.header && *options_.header) && options_.header_lines == 0) {
            const auto& first = sample_.records[0];
            if (!(is_numbered(first, body_, dialect_, false) || counts_columns(first)) || sample_.size() < 3)
                return without_header();
            rows = 1;
            why_ = "its numbers count the columns";
            warnings_.push_back(
                {WarningKind::no_row, line(0), "", 1,
                 Phrase(
                     "line %1 (%2) is read as names of the columns, not as a row (data.csv.header sets it)",
                     line(0), shown_record(0))});
        }
        // A text in the first row makes it no header where a comment has the names.
        if (rows == 1 && options_.header_lines == 0 && head_line(sample_.records[0], dialect_).values > 0 &&
            !comment_names().empty())
            return without_header();
        if (rows == 0) rows = options_.header_lines > 0 ? static_cast<std::size_t>(options_.header_lines) : 1;
        with_header(rows);
        return out_;
    }

private:
    [[nodiscard]] std::int64_t line(std::size_t record) const { return sample_.lines[record]; }
    [[nodiscard]] std::string shown_record(std::size_t record) const {
        return shown(sample_.records[record], dialect_);
    }

    /// The first record that is a row; 0 also if no column has values.
    [[nodiscard]] std::size_t first_row() const {
        const bool any = std::ranges::any_of(body_, [](const Content& content) {
            return content.is_time() || (content.is_number() && content.numbers > 0);
        });
        if (!any) return 1;
        const auto most = std::min(sample_.size(), longest_preamble);
        for (std::size_t i = 0; i < most; ++i)
            if (is_row(sample_.records[i], body_, out_.width, dialect_, i == 0))
                return i > 0 && is_head(i) ? i + 1 : i;
        return 1;
    }

    /// Whether a record below the preamble is a header of years or other numbers, and text.
    [[nodiscard]] bool is_head(std::size_t record) const {
        return head_line(sample_.records[record], dialect_).texts > 0 &&
               is_numbered(sample_.records[record], body_, dialect_, true);
    }

    Structure without_header() {
        out_.has_header = false;
        out_.first_row = 0;
        const auto names = comment_names();
        if (!names.empty()) {
            out_.has_header = true;
            out_.names = names;
            out_.header_line = beginning_.line - 1;
            readings_.push_back({"header", Phrase("line %1", out_.header_line),
                                 "the last comment before the rows has a name for each column",
                                 "data.csv.header"});
        } else {
            readings_.push_back(
                {"header", "none", "the first line has values in every column", "data.csv.header"});
            Record cells;
            std::int64_t lines = 0;
            const auto text = trimmed(beginning_.last_comment);
            read_record(text.data(), text.data() + text.size(), dialect_, cells, lines);
            if (cells.size() > 1 && !dialect_.merges())
                warnings_.push_back({WarningKind::ragged_row, beginning_.line - 1, "", 1,
                                     Phrase("the comment before the rows has %1 cells for %2 columns: if "
                                            "they are names, they are not used",
                                            cells.size(), out_.width)});
        }
        return out_;
    }

    /// Names in the last line of comments; empty if it has another number of cells than the rows.
    [[nodiscard]] std::vector<std::string> comment_names() const {
        if (beginning_.comments == 0) return {};
        Record cells;
        std::int64_t lines = 0;
        const auto text = trimmed(beginning_.last_comment);
        if (text.empty()) return {};
        read_record(text.data(), text.data() + text.size(), dialect_, cells, lines);
        std::vector<std::string> names;
        // R writes no name for its row names.
        if (cells.size() > 1 && cells.size() + 1 == out_.width) names.emplace_back();
        if (cells.size() + names.size() != out_.width ||
            (cells.size() == 1 && text.find(' ') != std::string_view::npos))
            return {};
        for (const auto& cell : cells) names.push_back(cell_text(cell, dialect_));
        auto given = names;  // empty columns have no names
        std::erase_if(given, [](const std::string& name) { return name.empty(); });
        return given.size() * 2 > names.size() && all_distinct(given, 0) ? names : std::vector<std::string>();
    }

    /// `rows`: records before the first row.
    void with_header(std::size_t rows) {
        std::size_t names = 0;
        std::size_t name_lines = 1;
        if (const auto* known = known_layout(); known != nullptr && known->before < rows) {
            names = known->before;
            why_ = Phrase("the file is %1", known->name);
        } else if (options_.first_line == 0) {
            names = name_record(rows);
        }
        if (options_.header_lines > 0) {
            name_lines = static_cast<std::size_t>(options_.header_lines);
            why_ = "set";
        } else {
            name_lines = joined_lines(names, rows);
        }
        rows = std::max(rows, names + name_lines);
        if (options_.unit_lines >= 0)
            rows = names + name_lines + static_cast<std::size_t>(options_.unit_lines);
        out_.has_header = true;
        out_.first_row = std::min(rows, sample_.size());
        out_.names = joined_names(names, name_lines);
        out_.joined = name_lines > 1;
        out_.header_line = line(std::min(names + name_lines, sample_.size()) - 1);
        // Units below names in a comment.
        const auto head = head_line(sample_.records[names], dialect_);
        if (auto commented = comment_names(); !commented.empty() && head.units * 2 >= head.texts) {
            out_.names = std::move(commented);
            out_.header_line = beginning_.line - 1;
            why_ = "the last comment before the rows has a name for each column";
        }
        note_reading(names, name_lines);
    }

    [[nodiscard]] const KnownLayout* known_layout() const {
        const auto first = trimmed(sample_.records[0][0].text);
        for (const auto& known : known_layouts)
            if (first == known.first_cell) return &known;
        return nullptr;
    }

    /// The record with the names: the first with a text in most columns that are no units.
    [[nodiscard]] std::size_t name_record(std::size_t rows) const {
        std::size_t fallback = rows - 1;
        // A title above two columns is no header of R's, which has no name for its row names.
        const bool has_titles = std::any_of(
            sample_.records.begin(), sample_.records.begin() + static_cast<std::ptrdiff_t>(rows),
            [&](const Record& record) {
                const auto head = head_line(record, dialect_);
                return head.cells == out_.width && head.texts == head.cells && head.units * 2 <= head.texts;
            });
        for (std::size_t i = 0; i < rows; ++i)
            if (names_the_time(i)) return i;
        for (std::size_t i = 0; i < rows; ++i) {
            const auto head = head_line(sample_.records[i], dialect_);
            const bool fits = head.cells == out_.width || (!has_titles && head.cells + 1 == out_.width);
            if (!fits || head.texts == 0) continue;
            if (head.units * 2 > head.texts && i > 0) continue;
            if (head.texts * 2 >= head.cells && (head.values == 0 || i + 1 == rows)) return i;
            fallback = std::min(fallback, i);
        }
        if (rows == 1) return 0;
        return head_line(sample_.records[fallback], dialect_).texts > 0 ? fallback : rows - 1;
    }

    /// Whether a record has a distinct name for each column, and one of a time above the times.
    [[nodiscard]] bool names_the_time(std::size_t record) const {
        const auto time = std::ranges::find_if(body_, [](const Content& c) { return c.is_time(); });
        const auto names = joined_names(record, 1);
        const auto head = head_line(sample_.records[record], dialect_);
        return time != body_.end() && names.size() == out_.width && head.values == 0 &&
               head.units * 2 <= head.texts && all_distinct(names, 0) &&
               suggests_time(names[static_cast<std::size_t>(time - body_.begin())]);
    }

    /// Lines whose names must be joined until they are distinct (the levels of a header of several lines).
    [[nodiscard]] std::size_t joined_lines(std::size_t names, std::size_t rows) const {
        if (all_distinct(joined_names(names, 1), 1)) return 1;
        for (std::size_t n = 2; names + n <= rows; ++n) {
            const auto& next = sample_.records[names + n - 1];
            if (next.size() != sample_.records[names].size()) return 1;
            if (all_distinct(joined_names(names, n), 1)) return n;
        }
        return 1;
    }

    [[nodiscard]] std::vector<std::string> joined_names(std::size_t first, std::size_t count) const {
        std::vector<std::string> names;
        for (std::size_t k = first; k < std::min(first + count, sample_.size()); ++k) {
            const auto& record = sample_.records[k];
            names.resize(std::max(names.size(), record.size()));
            for (std::size_t j = 0; j < record.size(); ++j) {
                const auto text = cell_text(record[j], dialect_);
                if (text.empty() || text == names[j]) continue;
                names[j] += (names[j].empty() ? "" : " ") + text;
            }
        }
        return names;
    }

    /// Adds what was found to the readings, and a warning for lines that are neither names nor comments.
    void note_reading(std::size_t names, std::size_t name_lines) {
        const auto first = std::to_string(line(names));
        const auto last = std::to_string(out_.header_line);
        readings_.push_back(
            {"header", name_lines > 1 ? Phrase("lines %1 and %2", first, last) : Phrase("line %1", first),
             !why_.empty()    ? why_
             : name_lines > 1 ? "the names of one line are not distinct"
                              : "it holds text above columns of values",
             name_lines > 1 ? "data.csv.header_lines" : "data.csv.header"});
        for (std::size_t i = 0; i < names; ++i) note_skipped(i, "before the names");
        for (std::size_t i = names + name_lines; i < out_.first_row; ++i) {
            const auto head = head_line(sample_.records[i], dialect_);
            note_skipped(i, head.units * 2 >= head.texts ? "units" : "kinds or units");
        }
    }

    void note_skipped(std::size_t record, const Phrase& what) {
        const bool units = what != "before the names";
        const auto number = std::to_string(line(record));
        readings_.push_back({units ? "units" : "line before the table", Phrase("line %1", number),
                             units && options_.unit_lines >= 0 ? Phrase("%1: set", shown_record(record))
                             : units ? Phrase("%1 holds no values", shown_record(record))
                                     : Phrase("%1 is no row", shown_record(record)),
                             units ? "data.csv.unit_lines" : "data.csv.first_line"});
        if (known_layout() != nullptr) return;
        warnings_.push_back(
            {WarningKind::no_row, line(record), "", 1,
             units ? Phrase("line %1 (%2) holds %3 and is no row; it is left out", number,
                            shown_record(record), what)
                   : Phrase("line %1 (%2) holds no row: it stands before the names; it is left out", number,
                            shown_record(record))});
    }

    const Sample& sample_;
    const Beginning& beginning_;
    const Dialect& dialect_;
    const CsvOptions& options_;
    std::vector<Reading>& readings_;
    std::vector<Warning>& warnings_;
    std::vector<Content> body_;
    Phrase why_;
    Structure out_;
};

}  // namespace

bool is_year_total(std::string_view cell) {
    cell = trimmed(cell);
    return cell.size() == 6 && cell.ends_with("13") &&
           cell.find_first_not_of("0123456789") == std::string_view::npos;
}

bool is_note(std::string_view cell) {
    cell = trimmed(cell);
    const auto digits = cell.find_first_not_of("0123456789");
    if (digits == 0 || digits == std::string_view::npos) return digits == 0;
    const bool numbered = cell[digits] == '.' || cell[digits] == ')';
    const auto word = trimmed(cell.substr(digits + 1));
    return numbered && !word.empty() && (word.front() | 0x20) >= 'a' && (word.front() | 0x20) <= 'z';
}

RowFit fit_of(const Record& record, const std::vector<Content>& body, const Dialect& dialect) {
    RowFit fit;
    bool time_seen = false;
    for (std::size_t j = 0; j < body.size(); ++j) {
        const bool time_column = body[j].is_time();
        if (!time_column && (!body[j].is_number() || body[j].numbers == 0)) continue;
        const auto cell = j < record.size() ? record[j] : Cell{};
        double value = 0;
        const auto kind = read_number(cell.text, dialect.decimal, value, dialect.thousands);
        TimeText time;
        const bool missing = kind == CellKind::missing || kind == CellKind::nan;
        const bool good =
            time_column ? !missing && (read_time(cell.text, time) ||
                                       read_time(cell.text, time, {.digits = false, .dotted_clock = true}))
                        : kind == CellKind::number || kind == CellKind::infinite;
        fit.good += good ? 1 : 0;
        const bool text = kind == CellKind::text && !good;
        fit.bad += text ? 1 : 0;
        if (!time_column || time_seen) continue;
        time_seen = true;
        fit.has_time = true;
        fit.time_is_good = good;
        fit.time_is_text = text && is_note(cell.text);
        fit.time_is_missing = missing;
    }
    return fit;
}

Structure detect_structure(const Sample& sample, const Beginning& beginning, const Dialect& dialect,
                           const std::string& where, const CsvOptions& options,
                           std::vector<Reading>& readings, std::vector<Warning>& warnings) {
    auto out = HeadFinder(sample, beginning, dialect, options, readings, warnings).find();
    if (out.has_header && out.first_row >= sample.size())
        throw input_error(where, "the file holds a header and no rows", "at least one row of numbers",
                          advice_without_rows(options));
    return out;
}

}  // namespace casp::data
