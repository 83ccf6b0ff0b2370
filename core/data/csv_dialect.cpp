// First stage: delimiter, quotes, escapes, decimal and thousands sign.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>

#include "data/csv_detect.h"
#include "data/missing.h"
#include "util/phrase.h"

namespace casp::data {

namespace {

/// Signs that begin lines of comments, in the order in which they are tried.
constexpr std::array<std::string_view, 4> comment_signs{"#", "%", "//", "!"};

/// "#" of a header ("#,date") and "#N/A" are no comments.
bool is_comment(std::string_view line, std::string_view sign) {
    if (!line.starts_with(sign)) return false;
    double value = 0;
    const auto cell = line.substr(0, line.find_first_of(",;\t|"));
    return cell != sign || line.size() == sign.size() ? read_number(cell, '.', value) == CellKind::text
                                                      : false;
}

std::string_view line_without_cr(std::string_view line) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

bool is_value(const Cell& cell, char delimiter) {
    double value = 0;
    if (read_number(cell.text, '.', value, ',') != CellKind::text) return true;
    if ((delimiter != ',' || cell.quoted) && read_number(cell.text, ',', value, '.') != CellKind::text)
        return true;
    TimeText time;
    return read_time(cell.text, time);
}

/// Fraction of records with the usual width, and of their cells that are numbers, dates or missing.
struct Shares {
    double consistent = 0;
    double values = 0;
};

Shares shares_of(const std::vector<Record>& records, std::size_t width, char delimiter) {
    std::int64_t fitting = 0;
    std::int64_t cells = 0;
    std::int64_t values = 0;
    const std::size_t first = records.size() > 1 ? 1 : 0;
    for (std::size_t i = first; i < records.size(); ++i) {
        if (records[i].size() != width) continue;
        ++fitting;
        for (const auto& cell : records[i]) {
            ++cells;
            values += is_value(cell, delimiter) ? 1 : 0;
        }
    }
    if (cells == 0) return {};
    return {static_cast<double>(fitting) / static_cast<double>(records.size() - first),
            static_cast<double>(values) / static_cast<double>(cells)};
}

std::vector<Record> first_records(std::string_view text, const Dialect& dialect) {
    std::vector<Record> records;
    const char* p = text.data();
    const char* const end = p + text.size();
    std::int64_t lines = 0;
    while (p < end && records.size() < 100 && (records.size() < 3 || p - text.data() < 65536)) {
        records.emplace_back();
        p = read_record(p, end, dialect, records.back(), lines);
        if (records.back().empty()) records.pop_back();
    }
    return records;
}

/// Whether the file is one column of decimal commas without a delimiter: one name above lines such as 20,173.
bool is_one_column(std::string_view text, Dialect dialect) {
    dialect.delimiter = ';';
    const auto records = first_records(text, dialect);
    if (records.size() < 2) return false;
    bool header = false;
    bool leading_zeros = false;
    std::int64_t commas = 0;
    for (std::size_t i = 0; i < records.size(); ++i) {
        if (records[i].size() != 1 || records[i][0].quoted) return false;
        const auto cell = trimmed(records[i][0].text);
        double value = 0;
        const auto kind = read_number(cell, ',', value);
        if (i == 0 && kind == CellKind::text) {
            header = cell.find(',') == std::string_view::npos;
            if (!header) return false;
            continue;
        }
        if (kind == CellKind::missing) continue;
        if (kind != CellKind::number) return false;
        const auto comma = cell.find(',');
        if (comma == std::string_view::npos) continue;
        ++commas;
        leading_zeros |= comma + 2 < cell.size() && cell[comma + 1] == '0';
    }
    return commas > 0 && (header || leading_zeros);
}

/// Quotes of cells: ' if most cells of the first lines are between two of them.
char detect_quote(std::string_view text) {
    Dialect dialect;
    dialect.quote = '\'';
    dialect.has_quotes = true;
    if (std::memchr(text.data(), '\'', std::min<std::size_t>(text.size(), 65536)) == nullptr) return '"';
    for (const char delimiter : {',', ';', '\t', '|'}) {
        dialect.delimiter = delimiter;
        const auto records = first_records(text, dialect);
        if (records.empty() || usual_width(records, 1) < 2) continue;
        std::int64_t quoted = 0;
        std::int64_t cells = 0;
        for (const auto& record : records)
            for (const auto& cell : record) {
                quoted += cell.quoted ? 1 : 0;
                ++cells;
            }
        if (quoted * 4 >= cells) return '\'';
    }
    return '"';
}

/// Whether a quote within a quoted cell is written as \" in the first lines.
char detect_escape(std::string_view text, char quote) {
    const auto head = text.substr(0, 65536);
    const std::string escaped = {'\\', quote};
    const auto at = head.find(escaped);
    if (at == std::string_view::npos) return '\0';
    // A backslash may also end a cell: "C:\". Then a delimiter or the end of the line follows.
    const char after = at + 2 < head.size() ? head[at + 2] : '\n';
    return after == ',' || after == ';' || after == '\t' || after == '|' || after == '\n' || after == '\r'
               ? '\0'
               : '\\';
}

char detect_delimiter(std::string_view text, Dialect dialect, Phrase& why) {
    double best = 0;
    char delimiter = ',';
    for (const char candidate : {',', ';', '\t', '|', ' ', '\x1F', '^', '~'}) {
        dialect.delimiter = candidate;
        const auto records = first_records(text, dialect);
        if (records.empty()) break;
        const std::size_t width = usual_width(records, 1);
        if (width < 2) continue;
        const auto shares = shares_of(records, width, candidate);
        // Never 0, so that the consistent delimiter also wins in a file of text. Many cells are no accident,
        // nor is a header of as many: the comma in "24,85" behind columns of text.
        const auto header = records.front().size();
        const double points = shares.consistent * (shares.values + 1e-3) *
                              (1 - 1 / static_cast<double>(width)) *
                              (header == width || (header > 1 && header + 1 == width) ? 1 : 0.8);
        // Words of a text in a file with another delimiter are no cells.
        if (points <= best || (candidate == ' ' && shares.values < 0.4)) continue;
        best = points;
        delimiter = candidate;
        why = Phrase("%1 % of the first lines have %2 cells", std::lround(100 * shares.consistent), width);
    }
    return delimiter;
}

// --- decimal and thousands sign ---

/// A cell's digits around one kind of sign.
enum class Shape {
    other,
    whole,    ///< 950
    grouped,  ///< 1,234 or 1,234,567: groups of three digits
    decimal   ///< 1,5: a sign that cannot be between groups
};

/// Whether leading zeros make the text a code, and not a number: "+0503,1".
bool is_code(std::string_view text) {
    const auto digits = text.find_first_of("0123456789");
    return digits != std::string_view::npos && text[digits] == '0' && digits + 1 < text.size() &&
           text[digits + 1] >= '0' && text[digits + 1] <= '9';
}

Shape digit_shape(std::string_view text, char sign) {
    text = trimmed(text);
    if (text.starts_with("\xE2\x88\x92")) text.remove_prefix(3);
    if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
    if (text.empty()) return Shape::other;
    if (is_code(text)) return Shape::other;
    std::size_t signs = 0;
    std::size_t group = 0;
    bool groups = true;
    for (const char c : text) {
        if (c == sign) {
            groups = groups && (signs == 0 ? group >= 1 && group <= 3 : group == 3);
            ++signs;
            group = 0;
        } else if (c >= '0' && c <= '9') {
            ++group;
        } else {
            return Shape::other;
        }
    }
    if (signs == 0) return Shape::whole;
    if (groups && group == 3 && text.front() != '0') return Shape::grouped;
    return signs == 1 ? Shape::decimal : Shape::other;
}

enum class Grouping { no, possible, contested, yes };

constexpr std::array group_signs{',', '.', ' ', '\''};

/// Evidence of one column for a sign between groups of three digits.
struct GroupColumn {
    /// Whole numbers of at most three digits; not 0, which both readings share, nor markers of missing
    /// values.
    std::vector<double> small;
    std::int64_t large = 0;  ///< whole numbers of more digits
    std::int64_t grouped = 0, several = 0, decimal = 0, both = 0;
    double low = 1e300, high = -1e300;  ///< of the grouped numbers, read as decimals

    void add(std::string_view text, char sign) {
        const auto shape = digit_shape(text, sign);
        decimal += shape == Shape::decimal ? 1 : 0;
        if (shape != Shape::whole && shape != Shape::grouped) return;
        double value = 0;
        const bool plain = read_number(text, sign, value) == CellKind::number;
        if (shape == Shape::whole && std::fabs(value) >= 1000) ++large;
        if (shape == Shape::whole && std::fabs(value) < 1000 && value != 0 && !looks_like_marker(value))
            small.push_back(value);
        if (shape != Shape::grouped) return;
        ++grouped;
        several += plain ? 0 : 1;
        if (!plain) return;
        low = std::min(low, value);
        high = std::max(high, value);
    }

    /// Decimals that are whole by chance lie among the others: 20 between 19.987 and 20.123. Below a
    /// thousand, numbers of groups lie far from what 1.008 is as a decimal: 978.
    [[nodiscard]] Grouping grouping() const {
        if (several > 0) return Grouping::yes;
        if (large > 0) return Grouping::no;
        if (small.empty()) return Grouping::possible;
        const auto among =
            std::ranges::count_if(small, [&](double value) { return value >= low - 1 && value <= high + 1; });
        const auto all = std::ssize(small);
        const bool one_value = std::ranges::adjacent_find(small, std::not_equal_to<>()) == small.end();
        if (grouped + all < 8) return among < all ? Grouping::yes : Grouping::contested;
        if (among * 5 > all * 4) return Grouping::possible;
        // Numbers that reach thousands also have hundreds; else it is perhaps a marker.
        const bool reaches =
            *std::ranges::max_element(small) >= 100 || *std::ranges::min_element(small) <= -100;
        return among * 5 < all && !one_value && reaches ? Grouping::yes : Grouping::contested;
    }
};

/// Records of a sample that the signs are looked for in: every `step`-th from `first` on.
struct Rows {
    const std::vector<Record>& records;
    std::size_t first = 0;
    std::size_t step = 1;
};

/// Whether a text is a number with this decimal sign, and with any other between groups of digits.
bool is_decimal(std::string_view text, char decimal) {
    double value = 0;
    return std::ranges::any_of(group_signs, [&](char sign) {
        return sign != decimal && read_number(text, decimal, value, sign) == CellKind::number;
    });
}

/// What the columns say together of a sign.
struct SignEvidence {
    /// Whether it is between groups where three digits follow it. A column with one or two decimals (1,5)
    /// makes it the decimal sign; if another seems to have groups, it is contested.
    Grouping grouping = Grouping::no;
    std::int64_t decimals = 0;  ///< cells that are numbers only with it as decimal sign
    std::int64_t grouped = 0;   ///< of these, with the other sign between groups: "1.234,5"
    bool is_sure = false;       ///< a column has mostly numbers such as 1,5 or 1.234,5
};

SignEvidence evidence_of(const Rows& rows, char sign, char delimiter) {
    const char other = sign == ',' ? '.' : ',';
    SignEvidence found;
    std::vector<GroupColumn> columns;
    for (std::size_t i = rows.first; i < rows.records.size(); i += rows.step)
        for (std::size_t j = 0; j < rows.records[i].size(); ++j) {
            const auto& cell = rows.records[i][j];
            if (columns.size() <= j) columns.resize(j + 1);
            columns[j].add(cell.text, sign);
            if ((sign == delimiter && !cell.quoted) || cell.text.find(sign) == std::string_view::npos ||
                is_code(cell.text) || !is_decimal(cell.text, sign))
                continue;
            ++found.decimals;
            const bool has_other = cell.text.find(other) != std::string_view::npos;
            found.grouped += has_other ? 1 : 0;
            columns[j].both += has_other || digit_shape(cell.text, sign) == Shape::other ? 1 : 0;
        }
    bool any = false;
    for (const auto& c : columns) {
        any |= c.decimal > 0;
        found.is_sure |=
            (c.decimal + c.both) * 2 > std::ssize(c.small) + c.large + c.grouped + c.decimal + c.both;
        if (c.grouped > 0 && c.decimal * 10 <= c.grouped)
            found.grouping = std::max(found.grouping, c.grouping());
    }
    // The sign has one meaning in the file.
    if (any) found.grouping = found.grouping >= Grouping::contested ? Grouping::contested : Grouping::no;
    return found;
}

/// Blanks or apostrophes between groups of digits.
char other_thousands(const Rows& rows, char decimal) {
    char found = '\0';
    for (std::size_t i = rows.first; i < rows.records.size(); i += rows.step)
        for (const auto& cell : rows.records[i]) {
            double value = 0;
            if (read_number(cell.text, decimal, value) != CellKind::text) continue;
            if (read_number(cell.text, decimal, value, ' ') == CellKind::number) return ' ';
            if (read_number(cell.text, decimal, value, '\'') == CellKind::number) found = '\'';
        }
    return found;
}

struct NumberSigns {
    char decimal = '.';
    char thousands = '\0';
    const char* why = "";
    bool is_guess = false;
    bool is_contested = false;  ///< a column seems to have groups of digits, another has decimals
};

NumberSigns detect_signs(const Rows& rows, char delimiter) {
    const auto commas = evidence_of(rows, ',', delimiter);
    const auto points = evidence_of(rows, '.', delimiter);
    if (points.grouping == Grouping::yes && commas.grouping != Grouping::yes)
        return {',', '.', "points stand before exactly three digits, beside whole numbers below 1000"};
    if (commas.grouping == Grouping::yes && points.grouping != Grouping::yes)
        return {'.', ',', "commas stand before exactly three digits, beside whole numbers below 1000"};
    const bool more_commas = commas.decimals > points.decimals;
    const bool comma = commas.is_sure != points.is_sure ? commas.is_sure : more_commas;
    const auto& own = comma ? commas : points;
    const auto other = (comma ? points : commas).grouping;
    const bool groups = own.grouped > 0 || (other != Grouping::no && own.grouping == Grouping::no);
    return {comma ? ',' : '.',
            !groups ? '\0'
            : comma ? '.'
                    : ',',
            own.decimals == 0      ? ""
            : comma != more_commas ? "a column has numbers that need it"
            : comma                ? "more numbers need a comma than a point"
                                   : "more numbers need a point than a comma",
            (comma || delimiter == ';') && own.decimals > 0 && own.grouping == Grouping::possible,
            own.grouping == Grouping::contested};
}

}  // namespace

std::size_t usual_width(const std::vector<Record>& records, std::size_t from) {
    std::map<std::size_t, int> counts;
    for (std::size_t i = std::min(from, records.size() - 1); i < records.size(); ++i)
        ++counts[records[i].size()];
    std::size_t width = 0;
    int most = 0;
    for (const auto& [size, count] : counts)
        if (count >= most) {
            width = size;
            most = count;
        }
    return width;
}

bool has_late_groups(const std::vector<double>& values) {
    const auto is_whole = [](double value) { return std::isnan(value) || value == std::floor(value); };
    if (std::ranges::all_of(values, is_whole)) return false;
    GroupColumn column;
    std::int64_t shorter = 0;  // 1.5 would be 1500
    for (const double value : values) {
        const double thousands = value * 1000;
        if (std::isnan(value) || value == 0 || looks_like_marker(value)) continue;
        if (value == std::floor(value)) {
            column.large += std::fabs(value) >= 1000 ? 1 : 0;
            column.small.push_back(value);
        } else if (std::fabs(thousands - std::round(thousands)) > 1e-6) {
            return false;
        } else {
            ++column.grouped;
            shorter += std::fabs(value * 100 - std::round(value * 100)) < 1e-7 ? 1 : 0;
            column.low = std::min(column.low, value);
            column.high = std::max(column.high, value);
        }
    }
    return column.grouped > 0 && shorter * 3 <= column.grouped + 2 && !column.small.empty() &&
           column.grouping() == Grouping::yes;
}

Beginning find_beginning(std::string_view text, const CsvOptions& options) {
    Beginning found;
    const auto next_line = [&] {
        const auto rest = text.substr(found.offset);
        return line_without_cr(rest.substr(0, rest.find('\n')));
    };
    const auto skip_line = [&] {
        const auto eol = text.find('\n', found.offset);
        found.offset = eol == std::string_view::npos ? text.size() : eol + 1;
        ++found.line;
    };
    auto line = next_line();
    if (line.size() == 5 && (line.starts_with("sep=") || line.starts_with("SEP="))) {
        found.delimiter = line[4];
        skip_line();
    }
    while (found.line < options.first_line && found.offset < text.size()) skip_line();
    if (options.comment) {
        found.comment = *options.comment;
    } else if (options.first_line == 0) {
        line = next_line();
        for (const auto sign : comment_signs)
            if (found.comment.empty() && is_comment(line, sign)) found.comment = sign;
    }
    if (found.comment.empty()) return found;
    for (line = next_line(); found.offset < text.size() && (is_comment(line, found.comment) || line.empty());
         line = next_line()) {
        if (!line.empty()) {
            ++found.comments;
            const auto rest = line.substr(found.comment.size());
            if (!trimmed(rest).empty()) found.last_comment = rest;
        }
        skip_line();
    }
    return found;
}

Dialect detect_dialect(std::string_view text, const Beginning& beginning, const CsvOptions& options,
                       std::vector<Reading>& readings, std::vector<Warning>& warnings) {
    Dialect dialect;
    dialect.quote = options.quote ? *options.quote : detect_quote(text);
    dialect.has_quotes =
        dialect.quote != '\0' && std::memchr(text.data(), dialect.quote, text.size()) != nullptr;
    if (dialect.has_quotes) dialect.escape = detect_escape(text, dialect.quote);
    Phrase why;
    if (options.delimiter) {
        dialect.delimiter = *options.delimiter;
        why = "set";
    } else if (beginning.delimiter) {
        dialect.delimiter = *beginning.delimiter;
        why = "the first line says so";
    } else if (is_one_column(text, dialect)) {
        dialect.delimiter = ';';
        dialect.decimal = ',';
        why = "one column: the comma in its numbers is the decimal separator";
        warnings.push_back({WarningKind::decimal_sign, 0, "", 1,
                            "the lines are read as one column with decimal commas, not as two columns "
                            "(data.csv.delimiter sets it)"});
    } else {
        dialect.delimiter = detect_delimiter(text, dialect, why);
    }
    readings.push_back({"delimiter", sign_name(dialect.delimiter), why, "data.csv.delimiter"});
    if (dialect.has_quotes)
        readings.push_back({"quotes",
                            dialect.escape != '\0'
                                ? Phrase("%1, escaped by a backslash", sign_name(dialect.quote))
                                : Phrase(sign_name(dialect.quote)),
                            options.quote ? "set" : "", "data.csv.quote"});
    return dialect;
}

void detect_numbers(Dialect& dialect, const std::vector<Record>& records, std::size_t from,
                    const CsvOptions& options, std::vector<Reading>& readings,
                    std::vector<Warning>& warnings) {
    constexpr std::size_t enough_cells = 20'000;
    std::size_t cells = 0;
    for (const auto& record : records) cells += record.size();
    const Rows rows{records, from, 1 + cells / enough_cells};
    auto signs = detect_signs(rows, dialect.delimiter);
    if (options.decimal) {
        signs.decimal = *options.decimal;
        if (signs.thousands == signs.decimal) signs.thousands = '\0';
        signs.why = "set";
        signs.is_guess = false;
    }
    if (signs.thousands == '\0') signs.thousands = other_thousands(rows, signs.decimal);
    if (options.thousands) signs.thousands = *options.thousands;
    if (signs.thousands == signs.decimal) {  // which is set, and the other one is not
        signs.decimal = signs.thousands == '.' ? ',' : '.';
        signs.why = "it is not the thousands sign";
        signs.is_guess = signs.is_contested = false;
    }
    dialect.decimal = signs.decimal;
    dialect.thousands = signs.thousands;
    readings.push_back({"decimal sign", sign_name(signs.decimal), signs.why, "data.csv.decimal"});
    if (signs.thousands != '\0')
        readings.push_back({"thousands sign", sign_name(signs.thousands),
                            options.thousands ? "set" : "groups of three digits follow it",
                            "data.csv.thousands"});
    if (signs.is_contested && !options.decimal)
        warnings.push_back(
            {WarningKind::decimal_sign, 0, "", 1,
             Phrase("the %1 in numbers is read as the decimal separator; but in a column exactly three "
                    "digits follow it, beside whole numbers below 1000, as after a thousands separator: if "
                    "it is one, set data.csv.thousands and data.csv.decimal",
                    sign_name(signs.decimal))});
    if (signs.is_guess)
        warnings.push_back(
            {WarningKind::decimal_sign, 0, "", 1,
             Phrase("the %1 in numbers is read as the decimal separator; but three digits follow each of the "
                    "sampled ones, as after a thousands separator: if it is one, set data.csv.thousands",
                    sign_name(signs.decimal))});
}

}  // namespace casp::data
