#include "data/csv_detect.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "config/text_utils.h"
#include "data/time_text.h"
#include "util/error.h"

namespace casp::data {

namespace {

constexpr const char* other_time_column = "Choose another time column, or none (data.csv.time_column).";

using Record = std::vector<Cell>;

/// The most frequent number of cells per record; the larger of two equally frequent ones.
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

bool is_value(const Cell& cell, char delimiter) {
    double value = 0;
    if (read_number(cell.text, '.', value) != CellKind::text) return true;
    if ((delimiter != ',' || cell.quoted) && read_number(cell.text, ',', value) != CellKind::text)
        return true;
    TimeText time;
    return read_time(cell.text, time);
}

/// Score of a delimiter: fraction of lines with the usual width times fraction of cells that are numbers,
/// dates or missing.
double score(const std::vector<Record>& records, std::size_t width, char delimiter) {
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
    if (cells == 0) return 0;
    const double consistent = static_cast<double>(fitting) / static_cast<double>(records.size() - first);
    // Never 0, so that the consistent delimiter also wins in a file of text.
    return consistent * (static_cast<double>(values) / static_cast<double>(cells) + 1e-3);
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

/// Samples the whole file: more lines at the start, a few of every chunk, fewer in wide files.
std::vector<Record> sample_records(const std::vector<Chunk>& chunks, const Dialect& dialect) {
    std::vector<Record> records;
    constexpr std::size_t enough_cells = 1u << 20u;
    std::size_t cells = 0;
    std::int64_t lines = 0;
    for (std::size_t i = 0; i < chunks.size() && (i == 0 || cells < enough_cells); ++i) {
        const char* p = chunks[i].begin;
        const std::size_t most = chunks.size() == 1 ? 1000 : i == 0 ? 100 : 6;
        for (std::size_t k = 0; k < most && p < chunks[i].end && (records.size() < 3 || cells < enough_cells);
             ++k) {
            records.emplace_back();
            p = read_record(p, chunks[i].end, dialect, records.back(), lines);
            cells += records.back().size();
            if (records.back().empty()) records.pop_back();
        }
    }
    return records;
}

/// "1,234" or "-12,345": a decimal comma followed by three digits, or a thousands separator.
bool may_be_grouped(std::string_view text) {
    text = trimmed(text);
    if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
    const auto comma = text.find(',');
    if (comma == 0 || comma > 3 || text.size() != comma + 4 || text.front() == '0') return false;
    return std::all_of(text.begin(), text.end(), [](char c) { return c == ',' || (c >= '0' && c <= '9'); });
}

enum class Grouping { no, possible, yes };

/// Whether commas followed by three digits are thousands separators. Yes, if a column also has whole numbers
/// of at most three digits (950 and 1,234); no, if it has longer ones (1500); possible, if it has none.
Grouping grouping_of(const std::vector<Record>& records) {
    struct Column {
        bool grouped = false, small = false, large = false;
    };
    std::vector<Column> columns;
    for (const auto& record : records)
        for (std::size_t i = 0; i < record.size(); ++i) {
            const auto text = trimmed(record[i].text);
            const auto digits = static_cast<std::size_t>(
                std::count_if(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; }));
            const bool has_sign = !text.empty() && (text.front() == '-' || text.front() == '+');
            const bool whole = digits > 0 && digits + (has_sign ? 1 : 0) == text.size();
            const bool grouped = may_be_grouped(text);
            if (!whole && !grouped) continue;
            if (columns.size() <= i) columns.resize(i + 1);
            columns[i].grouped = columns[i].grouped || grouped;
            columns[i].small = columns[i].small || (whole && digits <= 3);
            columns[i].large = columns[i].large || (whole && digits > 3);
        }
    Grouping found = Grouping::no;
    for (const auto& c : columns) {
        if (!c.grouped || c.large) continue;
        if (c.small) return Grouping::yes;
        found = Grouping::possible;
    }
    return found;
}

struct DecimalSign {
    char sign = '.';
    bool is_guess = false;  ///< every comma could be a thousands separator
};

DecimalSign detect_decimal(const std::vector<Record>& records, char delimiter) {
    bool all_may_be_grouped = true;
    std::int64_t commas = 0;
    std::int64_t points = 0;
    for (const auto& record : records)
        for (const auto& cell : record) {
            const bool comma = std::memchr(cell.text.data(), ',', cell.text.size()) != nullptr;
            const bool point = std::memchr(cell.text.data(), '.', cell.text.size()) != nullptr;
            if (comma == point || (comma && delimiter == ',' && !cell.quoted)) continue;
            double value = 0;
            if (read_number(cell.text, comma ? ',' : '.', value) != CellKind::number) continue;
            ++(comma ? commas : points);
            all_may_be_grouped = all_may_be_grouped && (!comma || may_be_grouped(cell.text));
        }
    if (commas <= points) return {};
    // As decimals they would be wrong by a factor of 1000. As bad numbers they are reported.
    const auto grouping = all_may_be_grouped ? grouping_of(records) : Grouping::no;
    if (grouping == Grouping::yes) return {};
    return {',', grouping == Grouping::possible};
}

/// Content of a column's sampled cells.
struct Content {
    std::int64_t numbers = 0;
    std::int64_t text = 0;
    std::int64_t dates = 0;     ///< dates without time of day
    std::int64_t clocks = 0;    ///< times of day without date
    std::int64_t instants = 0;  ///< dates with time of day
    bool whole = true;          ///< all numbers are integers
    bool rising = true;         ///< no number is less than the one before
    bool compact = true;        ///< all numbers are dates like 20160701
    double least = INFINITY;
    double most = -INFINITY;
    double last = -INFINITY;

    void add(const Cell& cell, char decimal) {
        double value = 0;
        switch (read_number(cell.text, decimal, value)) {
            case CellKind::number: {
                ++numbers;
                TimeText time;
                whole = whole && value == std::floor(value);
                rising = rising && value >= last;
                compact =
                    compact && value >= 19'000'101 && value < 22'000'000 && read_time(cell.text, time, true);
                least = std::min(least, value);
                most = std::max(most, value);
                last = value;
                return;
            }
            case CellKind::text: {
                TimeText time;
                if (!read_time(cell.text, time)) {
                    ++text;
                } else if (time.has_date && time.has_clock) {
                    ++instants;
                } else {
                    ++(time.has_date ? dates : clocks);
                }
                return;
            }
            default:
                return;
        }
    }
    [[nodiscard]] std::int64_t times() const { return dates + clocks + instants; }
    [[nodiscard]] bool is_time() const { return times() > numbers && times() >= text; }
    [[nodiscard]] bool is_number() const {
        return !is_time() && numbers >= text;
    }  // also true for an empty column
    [[nodiscard]] bool is_instant() const { return is_time() && instants > 0 && instants >= dates + clocks; }
    [[nodiscard]] bool is_date() const { return is_time() && !is_instant() && dates >= clocks; }
    [[nodiscard]] bool is_clock() const { return is_time() && !is_instant() && !is_date(); }
    /// Seconds per unit if the numbers can be Unix times (1973 to 2100), else 0.
    [[nodiscard]] double unix_scale() const {
        if (numbers < 2 || text > 0 || !whole || !rising || least == most) return 0;
        if (least >= 1e8 && most < 4.1e9) return 1;
        if (least >= 1e11 && most < 4.1e12) return 1e-3;
        return 0;
    }
    [[nodiscard]] bool is_compact() const {
        return numbers > 1 && text == 0 && compact && rising && least < most;
    }
};

/// The first line is a header if a column of numbers or dates begins with other text.
bool detect_header(const Record& first, const std::vector<Content>& body, char decimal) {
    bool any_value_column = false;
    for (std::size_t j = 0; j < body.size(); ++j) {
        const bool numeric = body[j].is_number() && body[j].numbers > 0;
        if (!numeric && !body[j].is_time()) continue;
        any_value_column = true;
        if (j >= first.size()) continue;
        Content content;
        content.add(first[j], decimal);
        if (content.text > 0) return true;
    }
    return !any_value_column;
}

/// Makes names unique as pandas does: x, x.1, x.2.
void name_columns(Layout& layout, const Record& header, bool latin1) {
    std::unordered_set<std::string> taken;
    std::unordered_map<std::string, int> next;
    for (std::size_t j = 0; j < layout.columns.size(); ++j) {
        auto& column = layout.columns[j];
        if (j < header.size())
            column.name = std::string(trimmed(readable(unescaped(header[j], layout.dialect.quote), latin1)));
        column.named = !column.name.empty();
        if (!column.named) column.name = "column " + std::to_string(j + 1);
        const std::string wanted = column.name;
        while (!taken.insert(column.name).second) column.name = wanted + "." + std::to_string(++next[wanted]);
        if (column.name != wanted)
            layout.warnings.push_back({WarningKind::duplicate_column, layout.header_line, wanted, 1,
                                       "column \"" + wanted + "\" occurs more than once; column " +
                                           std::to_string(j + 1) + " is called \"" + column.name +
                                           "\" here"});
        if (column.name.find("\xEF\xBF\xBD") != std::string::npos)
            layout.warnings.push_back(
                {WarningKind::encoding, layout.header_line, column.name, 1,
                 "the name \"" + column.name +
                     "\" holds a replacement character: an earlier conversion of the file "
                     "lost a letter; the numbers are not affected"});
    }
}

int find_layout_column(const Layout& layout, const std::string& name, const std::string& where) {
    std::vector<std::string> names;
    for (std::size_t j = 0; j < layout.columns.size(); ++j) {
        if (layout.columns[j].name == name) return static_cast<int>(j);
        names.push_back(layout.columns[j].name);
    }
    throw input_error(where, "there is no column \"" + name + "\" to take the time from",
                      "a column of the file",
                      "The nearest name is \"" + config::nearest_name(name, names) + "\".");
}

bool suggests_time(const std::string& name) {
    static const char* const words[] = {"time", "date", "timestamp", "unix", "epoch", "datetime", "ts", "t"};
    return std::any_of(std::begin(words), std::end(words),
                       [&](const char* word) { return config::same_name(name, word); });
}

void use_numbers_as_time(Layout& layout, const Content& content, int column, TimeStyle style) {
    auto& role = layout.columns[static_cast<std::size_t>(column)].role;
    if (style == TimeStyle::automatic && content.is_compact()) {
        layout.compact_dates = true;
        role = Role::date;
        return;
    }
    layout.unix_column = column;
    layout.unix_scale = content.most >= 1e11 ? 1e-3 : 1;
    if (style == TimeStyle::unix_seconds) layout.unix_scale = 1;
    if (style == TimeStyle::unix_milliseconds) layout.unix_scale = 1e-3;
    role = Role::number;
}

void use_given_time(Layout& layout, const std::vector<Content>& body, const std::string& where,
                    const CsvOptions& options) {
    const auto& names = *options.time_columns;
    if (names.size() > 2)
        throw input_error(where, std::to_string(names.size()) + " time columns are given",
                          "none, one, or a date and a time column", "Choose fewer of them.");
    for (const auto& name : names) {
        const int j = find_layout_column(layout, name, where);
        const auto& content = body[static_cast<std::size_t>(j)];
        if (content.is_number()) {
            if (names.size() > 1)
                throw input_error(where, "column \"" + name + "\" holds numbers", "dates or times of day",
                                  other_time_column);
            use_numbers_as_time(layout, content, j, options.time_style);
        } else if (content.is_time()) {
            layout.columns[static_cast<std::size_t>(j)].role = content.is_clock() ? Role::clock : Role::date;
        } else {
            throw input_error(where, "the cells of column \"" + name + "\" are no dates", "dates or times",
                              other_time_column);
        }
    }
}

void find_time(Layout& layout, const std::vector<Content>& body, const CsvOptions& options) {
    int instant = -1;
    int date = -1;
    int clock = -1;
    for (int j = static_cast<int>(body.size()) - 1; j >= 0; --j) {
        const auto& content = body[static_cast<std::size_t>(j)];
        if (content.is_instant()) instant = j;
        if (content.is_date()) date = j;
        if (content.is_clock()) clock = j;
    }
    if (instant >= 0) {
        layout.columns[static_cast<std::size_t>(instant)].role = Role::date;
        return;
    }
    if (date >= 0) {
        layout.columns[static_cast<std::size_t>(date)].role = Role::date;
        if (clock >= 0) layout.columns[static_cast<std::size_t>(clock)].role = Role::clock;
        return;
    }
    for (std::size_t j = 0; j < body.size(); ++j) {
        const bool likely = j == 0 || suggests_time(layout.columns[j].name);
        if (likely && body[j].is_number() && (body[j].unix_scale() > 0 || body[j].is_compact())) {
            use_numbers_as_time(layout, body[j], static_cast<int>(j), options.time_style);
            return;
        }
    }
}

}  // namespace

Dialect detect_dialect(std::string_view text, const CsvOptions& options) {
    Dialect dialect;
    dialect.quote = options.quote.value_or('"');
    dialect.has_quotes =
        dialect.quote != '\0' && std::memchr(text.data(), dialect.quote, text.size()) != nullptr;
    if (options.delimiter) {
        dialect.delimiter = *options.delimiter;
        return dialect;
    }
    double best = 0;
    char delimiter = ',';
    for (const char candidate : {',', ';', '\t', '|', ' '}) {
        dialect.delimiter = candidate;
        const auto records = first_records(text, dialect);
        if (records.empty()) break;
        const std::size_t width = usual_width(records, 1);
        if (width < 2) continue;
        const double points = score(records, width, candidate);
        if (points > best) {
            best = points;
            delimiter = candidate;
        }
    }
    dialect.delimiter = delimiter;
    return dialect;
}

Layout detect_layout(std::vector<Chunk>& chunks, const Dialect& dialect, bool latin1,
                     const std::string& where, const CsvOptions& options) {
    Layout layout;
    layout.dialect = dialect;
    const auto records = sample_records(chunks, dialect);
    if (records.empty())
        throw input_error(where, "the file holds only empty lines", "a table of numbers", export_again);
    const auto decimal =
        options.decimal ? DecimalSign{*options.decimal} : detect_decimal(records, dialect.delimiter);
    layout.dialect.decimal = decimal.sign;
    if (decimal.is_guess)
        layout.warnings.push_back(
            {WarningKind::decimal_sign,
             0,
             {},
             1,
             "the comma in numbers is read as the decimal separator (1,234 is 1.234); but "
             "three digits follow each of the sampled ones, as after a thousands "
             "separator: if it is one, write the file without it"});

    std::size_t width = usual_width(records, 1);
    std::vector<Content> body(std::max(width, records[0].size()));
    if (body.size() > options.max_columns)
        throw input_error(where, std::to_string(body.size()) + " columns",
                          "at most " + std::to_string(options.max_columns),
                          "If the delimiter is wrong, set data.csv.delimiter; otherwise split the file.");
    for (std::size_t i = 1; i < records.size(); ++i)
        for (std::size_t j = 0; j < std::min(records[i].size(), body.size()); ++j)
            body[j].add(records[i][j], layout.dialect.decimal);
    if (records.size() == 1)
        for (std::size_t j = 0; j < records[0].size(); ++j)
            body[j].add(records[0][j], layout.dialect.decimal);

    layout.has_header =
        options.header ? *options.header : detect_header(records[0], body, layout.dialect.decimal);
    Record header;
    if (layout.has_header) {
        if (records.size() == 1)
            throw input_error(where, "the file holds a header and no rows", "at least one row of numbers",
                              export_again);
        header = records[0];
        // R writes no name for its row names: there is one name less than cells, and the last column is not
        // only the empty cell after a delimiter at the end of the line.
        const bool last_empty = body.back().numbers + body.back().text + body.back().times() == 0;
        if (header.size() + 1 == width && !last_empty) header.insert(header.begin(), Cell{});
        std::size_t holder = 0;  // skips chunks of empty lines
        while (chunks[holder].records == 0) ++holder;
        Chunk& first = chunks[holder];
        std::vector<Cell> skipped;
        std::int64_t lines = 0;
        first.begin = read_record(first.begin, first.end, dialect, skipped, lines);
        layout.header_line = first.first_line + std::max<std::int64_t>(1, lines) - 1;
        first.lines -= lines;
        first.first_line += lines;
        first.records -= 1;
        for (std::size_t i = holder + 1; i < chunks.size(); ++i) chunks[i].first_row -= 1;
        width = std::max(width, header.size());
    } else if (options.header || records.size() > 1) {
        for (std::size_t j = 0; j < records[0].size(); ++j) {
            Content with_first = body[j];
            with_first.last = -INFINITY;  // order was checked on the other rows
            with_first.add(records[0][j], layout.dialect.decimal);
            body[j] = with_first;
        }
    }
    layout.columns.resize(width);
    body.resize(width);
    name_columns(layout, header, latin1);

    for (std::size_t j = 0; j < width; ++j)
        if (body[j].is_number()) layout.columns[j].role = Role::number;
    if (options.time_columns) {
        use_given_time(layout, body, where, options);
    } else {
        find_time(layout, body, options);
    }
    for (std::size_t j = 0; j < width; ++j) {
        const auto& column = layout.columns[j];
        if (column.role != Role::skip) continue;
        layout.warnings.push_back({WarningKind::text_column, 0, column.name, 1,
                                   "column \"" + column.name + "\" holds " +
                                       (body[j].is_time() ? "dates or times beside the time axis" : "text") +
                                       " and is left out"});
    }
    return layout;
}

}  // namespace casp::data
