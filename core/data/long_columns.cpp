#include "data/long_columns.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "config/text_utils.h"
#include "data/csv_encoding.h"
#include "data/csv_index.h"
#include "data/file_bytes.h"
#include "data/reader.h"
#include "data/series_csv.h"
#include "data/time_columns.h"
#include "util/error.h"
#include "util/parallel.h"

namespace casp::data {

namespace {

struct LongNames {
    LongRole role;
    std::string_view names;  ///< each between commas
};
constexpr LongNames usual_names[] = {
    {LongRole::series, ",unique_id,item_id,series_id,ts_id,"},
    {LongRole::maybe_series,
     ",series,series_name,id,item,group,group_id,group_ids,store,store_id,store_nbr,shop,shop_id,"
     "sku,product,product_id,family,dept,site,site_id,station,station_id,sensor,sensor_id,meter,"
     "meter_id,device,device_id,building,building_id,household,household_id,customer,customer_id,"
     "location,location_id,region,country,city,symbol,variable,parameter,metric,channel,kind,ticker,"},
    {LongRole::time, ",ds,timestamp,datetime,date,time,date_time,time_idx,period,month,week,year,"},
    {LongRole::target, ",y,target,"},
    {LongRole::maybe_target,
     ",value,values,sales,demand,quantity,volume,count,load,consumption,observation,"},
};

/// Reads lines 1-based: `use(cells, line)` for each record; stops where it returns false.
void each_record(std::string_view text, const Dialect& dialect,
                 const std::function<bool(std::vector<Cell>&, std::int64_t)>& use) {
    const char* p = text.data();
    const char* const end = p + text.size();
    std::vector<Cell> cells;
    std::int64_t lines = 0;
    while (p < end) {
        const char* const eol = std::find(p, end, '\n');
        if (is_empty_line(p, eol, dialect)) {
            p = eol < end ? eol + 1 : end;
            ++lines;
            continue;
        }
        cells.clear();
        const std::int64_t line = lines + 1;
        p = read_record(p, end, dialect, cells, lines);
        if (!use(cells, line)) return;
    }
}

Dialect dialect_of(const Format& format, std::string_view text) {
    Dialect dialect;
    dialect.delimiter = format.delimiter;
    dialect.decimal = format.decimal;
    dialect.quote = format.quote;
    dialect.has_quotes = format.quote != '\0' && text.find(format.quote) != std::string_view::npos;
    return dialect;
}

std::string long_text(const Cell& cell, const Dialect& dialect) {
    return std::string(
        trimmed(readable(cell.quoted ? unescaped(cell, dialect.quote) : std::string(cell.text))));
}

/// The rows of a table in the order of the file; empty: they are in this order.
std::vector<std::int64_t> rows_of_file(const Table& table) {
    std::vector<std::int64_t> rows(table.file_rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[static_cast<std::size_t>(table.file_rows[i])] = static_cast<std::int64_t>(i);
    return rows;
}

/// The rows of a table in the order of the file, with the line of each.
class RowsByLine {
public:
    explicit RowsByLine(const Table& table) : table_(table), rows_(rows_of_file(table)) {}
    /// The row that begins in this line; −1: none. Lines must not decrease from call to call.
    std::int64_t at(std::int64_t line) {
        while (next_ < table_.rows() && table_.line_of(row(next_)) < line) ++next_;
        return next_ < table_.rows() && table_.line_of(row(next_)) == line ? row(next_) : -1;
    }

private:
    [[nodiscard]] std::int64_t row(std::int64_t index) const {
        return rows_.empty() ? index : rows_[static_cast<std::size_t>(index)];
    }
    const Table& table_;
    const std::vector<std::int64_t> rows_;
    std::int64_t next_ = 0;
};

/// Numbers texts in the order of their first occurrence.
class Texts {
public:
    explicit Texts(Labels::Column& column) : column_(column) {}
    std::uint32_t number(std::string text) {
        if (!column_.texts.empty() && column_.texts[last_] == text) return last_;
        const auto [at, added] =
            known_.try_emplace(std::move(text), static_cast<std::uint32_t>(column_.texts.size()));
        if (added) column_.texts.push_back(at->first);
        last_ = at->second;
        return last_;
    }

private:
    Labels::Column& column_;
    std::unordered_map<std::string, std::uint32_t> known_;
    std::uint32_t last_ = 0;
};

/// Median of the differences above 0 of neighbouring values; 0: there is none.
double middle_rise(const std::vector<double>& values) {
    std::vector<double> rises;
    for (std::size_t i = 1; i < values.size(); ++i)
        if (values[i] > values[i - 1]) rises.push_back(values[i] - values[i - 1]);
    if (rises.empty()) return 0;
    const auto middle = rises.begin() + std::ssize(rises) / 2;
    std::nth_element(rises.begin(), middle, rises.end());
    return *middle;
}

bool all_whole(const std::vector<double>& values) {
    return std::ranges::all_of(values, [](double v) { return v == std::floor(v); });  // not NaN
}

bool rises_but_for_restarts(const std::vector<double>& values) {
    const double step = middle_rise(values);
    std::size_t back = 0;
    for (std::size_t i = 1; i < values.size(); ++i) {
        const double difference = values[i] - values[i - 1];
        if (difference >= 0 && difference != step) return false;
        back += difference < 0 ? 1 : 0;
    }
    return back > 0 && back < values.size() / 3;
}

/// The times of the rows.
struct ReadTimes {
    std::string name;
    std::vector<double> values;  ///< empty: there are none
    bool certain = false;        ///< else whole numbers that may mean something else
};

/// In the order of the file, unless it only has the newest row first: the reader of tables sorts rows whose
/// times are all different, also those of several series.
template <typename Value>
std::vector<Value> as_written(const Table& table, std::vector<Value> values) {
    const bool sorted =
        !table.file_rows.empty() && !std::is_sorted(table.file_rows.rbegin(), table.file_rows.rend());
    if (!sorted || values.size() != table.file_rows.size()) return values;
    std::vector<Value> written(values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        written[static_cast<std::size_t>(table.file_rows[i])] = values[i];
    return written;
}

/// Those of the time axis, else of a column of Unix times (a reader of tables takes it as one only if it
/// rises), else of whole numbers whose name says times, or that rise by one step but for some places where
/// they go back.
ReadTimes times_of(const Table& table) {
    if (!table.time.empty()) {
        const auto& names = table.format.time_columns;
        return {names.empty() ? std::string() : names.front(), as_written(table, table.time), true};
    }
    ReadTimes found;
    for (const auto& column : table.columns) {
        if (!all_whole(column.values)) continue;
        if (unix_form(column.values) != nullptr) return {column.name, column.values, true};
        if (found.values.empty() &&
            (has_role(column.name, LongRole::time) || rises_but_for_restarts(column.values)))
            found = {column.name, column.values, false};
    }
    return found;
}

/// Places where the times repeat or go back.
struct TimeSigns {
    std::int64_t repeated = 0;       ///< rows with the time of the row before
    std::vector<std::size_t> backs;  ///< rows with an earlier time than the row before
    bool restarts = false;           ///< somewhere by more than a hundredth of the rise before

    explicit TimeSigns(const std::vector<double>& time) {
        double begin = time.empty() ? 0 : time.front();
        for (std::size_t i = 1; i < time.size(); ++i) {
            const double difference = time[i] - time[i - 1];
            repeated += difference == 0 ? 1 : 0;
            if (!(difference < 0)) continue;
            backs.push_back(i);
            restarts |= -difference > 0.01 * (time[i - 1] - begin);
            begin = time[i];
        }
    }
    [[nodiscard]] bool repeats(std::size_t rows) const {
        return repeated * 4 >= static_cast<std::int64_t>(rows);
    }
    [[nodiscard]] bool any(std::size_t rows) const { return restarts || repeats(rows); }
};

/// Whether the labels divide the rows into several series that are side by side, each time once in each.
/// `balanced`: nearly every time must be in nearly every series, unless the times go back where the label
/// changes.
bool divides(const std::vector<std::uint32_t>& label, const std::vector<double>& time, const TimeSigns& signs,
             bool balanced) {
    const bool changes_back =
        std::ranges::none_of(signs.backs, [&](std::size_t i) { return label[i] == label[i - 1]; });
    if (!signs.repeats(time.size()) && !changes_back) return false;
    std::vector<std::pair<std::uint32_t, double>> pairs;
    pairs.reserve(time.size());
    for (std::size_t i = 0; i < time.size(); ++i)
        if (!std::isnan(time[i])) pairs.emplace_back(label[i], time[i]);
    std::ranges::sort(pairs);
    if (std::ranges::adjacent_find(pairs) != pairs.end()) return false;
    std::vector<std::pair<double, double>> ranges;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        if (i == 0 || pairs[i].first != pairs[i - 1].first) ranges.emplace_back(pairs[i].second, 0);
        ranges.back().second = pairs[i].second;
    }
    if (balanced && !signs.restarts) {
        std::vector<double> times;
        for (const auto& pair : pairs) times.push_back(pair.second);
        std::ranges::sort(times);
        const auto different = std::unique(times.begin(), times.end()) - times.begin();
        if (static_cast<double>(pairs.size()) <
            0.9 * static_cast<double>(different) * static_cast<double>(ranges.size()))
            return false;
    }
    std::ranges::sort(ranges);
    for (std::size_t i = 1; i < ranges.size(); ++i)
        if (ranges[i].first <= ranges[i - 1].second) return true;
    return false;
}

std::vector<std::uint32_t> joined(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
    std::vector<std::uint32_t> both(a.size());
    std::unordered_map<std::uint64_t, std::uint32_t> known;
    for (std::size_t i = 0; i < both.size(); ++i)
        both[i] =
            known.try_emplace(std::uint64_t{a[i]} << 32u | b[i], static_cast<std::uint32_t>(known.size()))
                .first->second;
    return both;
}

bool is_series_name(std::string_view name) {
    return has_role(name, LongRole::series) || has_role(name, LongRole::maybe_series);
}

bool holds_numbers(const Labels::Column& column) {
    double value = 0;
    return std::ranges::all_of(column.texts, [&](const std::string& text) {
        return read_number(text, '.', value) != CellKind::text ||
               read_number(text, ',', value) != CellKind::text;
    });
}

/// Columns of a table that may be ids: at least two texts, each three times in the mean.
std::vector<std::size_t> candidates(const Table& table, const ReadTimes& time, const Labels& labels) {
    std::vector<std::size_t> found;
    for (std::size_t k = 0; k < labels.columns.size(); ++k) {
        const auto& column = labels.columns[k];
        const auto& axis = table.format.time_columns;
        const bool is_time = column.name == time.name || std::ranges::find(axis, column.name) != axis.end();
        if (!is_time && column.texts.size() >= 2 &&
            column.texts.size() <= static_cast<std::size_t>(table.rows()) / 3 &&
            (time.certain || is_series_name(column.name)))
            found.push_back(k);
    }
    // The likeliest first: a usual name, text, few different ones.
    const auto rank = [&](std::size_t k) {
        const auto& column = labels.columns[k];
        return std::tuple(!is_series_name(column.name), holds_numbers(column), column.texts.size());
    };
    std::ranges::stable_sort(found, [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
    return found;
}

std::string quoted_names(const Labels& labels, const std::vector<std::size_t>& columns) {
    std::string text;
    for (const auto k : columns)
        text += (text.empty() ? "" : " and ") + config::in_quotes(labels.columns[k].name);
    return text;
}

Phrase long_names(LongRole role) {
    std::string text;
    for (const auto& known : usual_names) {
        if (known.role != role) continue;
        for (const char c : known.names.substr(1, known.names.size() - 2)) (text += c) += c == ',' ? " " : "";
    }
    return text;
}

/// Whether one of the first lines has, between usual delimiters, names of a series and of a time.
enum class LongHeader { none, maybe, sure };
LongHeader header_kind(std::string_view text) {
    auto kind = LongHeader::none;
    for (const char delimiter : {',', ';', '\t', '|'}) {
        Dialect dialect;
        dialect.delimiter = delimiter;
        dialect.has_quotes = true;
        int records = 0;
        each_record(text, dialect, [&](std::vector<Cell>& cells, std::int64_t) {
            const auto any = [&](LongRole role) {
                return std::ranges::any_of(cells, [&](const Cell& cell) {
                    const auto name = trimmed(cell.text);
                    // A wide table is mostly numbers.
                    const bool is_word = !name.empty() && static_cast<unsigned char>(name.front()) > '9';
                    return is_word &&
                           (has_role(name, role) || (role == LongRole::time && is_time_name(name)));
                });
            };
            if (cells.size() >= 3 && any(LongRole::time))
                kind = any(LongRole::series)                                     ? LongHeader::sure
                       : any(LongRole::maybe_series) && kind == LongHeader::none ? LongHeader::maybe
                                                                                 : kind;
            return kind == LongHeader::none && ++records < 20;
        });
    }
    return kind;
}

/// Whether the series columns of a table have usual names; nothing: its times show no sign of several series,
/// and no column of such a name changes.
std::optional<bool> is_long(const Table& table, std::string_view bytes) {
    Table scratch;
    const Text text = decode(bytes, {}, {}, scratch);
    const auto labels = read_labels(text.view, table, static_cast<std::size_t>(table.rows()), is_series_name);
    const auto found = series_columns(table, labels);
    if (!found.empty()) return true;
    const bool changes = std::ranges::any_of(
        labels.columns, [](const Labels::Column& column) { return column.texts.size() > 1; });
    return changes ? std::optional(false) : std::nullopt;
}

}  // namespace

const NumberForm* unix_form(const std::vector<double>& values) {
    for (const auto& form : number_forms())
        if (form.scale <= 1 && !values.empty() &&
            std::ranges::all_of(values, [&](double v) { return v >= form.least && v <= form.most; }))
            return &form;
    return nullptr;
}

bool has_role(std::string_view name, LongRole role) {
    if (name.find(',') != std::string_view::npos) return false;  // it would span names of the list
    const auto word = "," + config::lower_case(name) + ",";
    return std::ranges::any_of(usual_names, [&](const LongNames& known) {
        return known.role == role && known.names.find(word) != std::string_view::npos;
    });
}

Phrase long_names() {
    return Phrase("%1 (series); %2 (time); %3, %4 (values)", long_names(LongRole::series),
                  long_names(LongRole::time), long_names(LongRole::target),
                  long_names(LongRole::maybe_target));
}

Labels read_labels(std::string_view text, const Table& table, std::size_t most,
                   const std::function<bool(std::string_view)>& wanted) {
    const auto dialect = dialect_of(table.format, text);
    Labels labels;
    std::vector<std::size_t> places;
    for (std::size_t j = 0; j < table.header.size(); ++j) {
        if (!wanted(table.header[j])) continue;
        places.push_back(j);
        labels.columns.push_back({table.header[j], {}, {}});
        labels.columns.back().of_row.resize(static_cast<std::size_t>(table.rows()));
    }
    std::vector<Texts> texts(labels.columns.begin(), labels.columns.end());
    RowsByLine rows(table);
    each_record(text, dialect, [&](std::vector<Cell>& cells, std::int64_t line) {
        const auto row = rows.at(line);
        if (row < 0) return true;
        bool any = false;
        for (std::size_t k = 0; k < places.size(); ++k) {
            auto& column = labels.columns[k];
            if (column.texts.size() > most) continue;
            any = true;
            const Cell none;
            const Cell& cell = places[k] < cells.size() ? cells[places[k]] : none;
            column.of_row[static_cast<std::size_t>(row)] = texts[k].number(long_text(cell, dialect));
        }
        return any;
    });
    std::erase_if(labels.columns, [&](const Labels::Column& column) { return column.texts.size() > most; });
    return labels;
}

std::string cell_of(std::string_view text, const Table& table, std::int64_t row, std::string_view name) {
    const auto dialect = dialect_of(table.format, text);
    const auto place = static_cast<std::size_t>(std::ranges::find(table.header, name) - table.header.begin());
    std::string found;
    each_record(text, dialect, [&](std::vector<Cell>& cells, std::int64_t line) {
        if (line < table.line_of(row)) return true;
        if (place < cells.size()) found = long_text(cells[place], dialect);
        return false;
    });
    return found;
}

std::vector<std::size_t> series_columns(const Table& table, const Labels& labels) {
    const auto row_times = times_of(table);
    const auto& time = row_times.values;
    const TimeSigns signs(time);
    if (time.empty() || !signs.any(time.size())) return {};
    auto columns = candidates(table, row_times, labels);
    // A channel with few different values may happen to divide the rows as ids do.
    const auto labels_of = [&](std::size_t k) { return as_written(table, labels.columns[k].of_row); };
    const auto may_be_channel = [&](std::size_t k) {
        return holds_numbers(labels.columns[k]) && !is_series_name(labels.columns[k].name);
    };
    for (const auto k : columns)
        if (divides(labels_of(k), time, signs, may_be_channel(k))) return {k};
    std::erase_if(columns, may_be_channel);
    columns.resize(std::min<std::size_t>(columns.size(), 8));
    for (std::size_t i = 0; i < columns.size(); ++i)
        for (std::size_t k = i + 1; k < columns.size(); ++k)
            if (divides(joined(labels_of(columns[i]), labels_of(columns[k])), time, signs, false))
                return {columns[i], columns[k]};
    return {};
}

void check_long_format(const Table& table) {
    const auto time = times_of(table);
    if (time.values.empty() || !TimeSigns(time.values).any(time.values.size())) return;
    const Bytes bytes = read_file(table.path, thread_count(0), {}, {});
    CsvOptions options;
    options.encoding = table.format.encoding;
    Table scratch;
    const Text text = decode(bytes.view(), table.path.string(), options, scratch);
    const auto labels = read_labels(text.view, table, static_cast<std::size_t>(table.rows()) / 3,
                                    [](std::string_view) { return true; });
    const auto found = series_columns(table, labels);
    if (found.empty()) return;
    throw input_error(
        table.path.string(),
        Phrase("the rows are of several series: the column %1 says which, and %2 repeats or goes back",
               quoted_names(labels, found), config::in_quotes(time.name)),
        "a table with each time once, or a long file with usual names of its columns",
        Phrase("Rename %1 to unique_id, %2 to ds and the column of the values to y; known are %3. If the "
               "rows are one series, set data.csv.time_column = \"none\".",
               quoted_names(labels, found), config::in_quotes(time.name), long_names()));
}

bool is_long_csv(const std::filesystem::path& path, std::string_view head) {
    try {
        Table scratch;
        const auto kind = header_kind(decode(head, path.string(), {}, scratch).view);
        if (kind != LongHeader::maybe) return kind == LongHeader::sure;
        CsvOptions options;
        options.digest = false;
        if (head.size() >= head_bytes) {
            const auto part = head.substr(0, head.find_last_of('\n') + 1);
            if (const auto of_head = is_long(parse_csv(part, path.string(), options), part)) return *of_head;
        }
        const Bytes bytes = read_file(path, thread_count(0), {}, {});
        return is_long(parse_csv(bytes.view(), path.string(), options), bytes.view()).value_or(false);
    } catch (const Error&) {
        return false;  // the reader of tables reports what is wrong
    }
}

}  // namespace casp::data
