#include "data/series_long_csv.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <deque>
#include <optional>
#include <unordered_map>
#include <utility>

#include "config/text_utils.h"
#include "data/file_bytes.h"
#include "data/time_text.h"
#include "util/error.h"
#include "util/parallel.h"
#include "util/units.h"

namespace casp::data {

namespace {

constexpr std::array<const char*, 3> column_names{"unique_id", "ds", "y"};
enum ColumnName : std::size_t { column_id, column_ds, column_y };

/// Positions of the columns unique_id, ds and y.
using Columns = std::array<std::size_t, 3>;

constexpr std::int64_t second = 1'000'000;  ///< unit of a date: microseconds since 1970
constexpr std::int64_t day = 86'400 * second;

/// What the column ds holds.
enum class DsKind { date, integer };

std::string ds_text(std::int64_t ds, DsKind kind) {
    return kind == DsKind::integer ? std::to_string(ds)
                                   : format_time(static_cast<double>(ds) / static_cast<double>(second));
}

bool read_ds_date(std::string_view text, std::int64_t& ds) {
    TimeText time;
    if (!read_time(text, time) || !time.has_date || !time.year_first) return false;
    const double seconds = seconds_since_1970(time, false);
    if (!std::isfinite(seconds)) return false;
    ds = static_cast<std::int64_t>(std::llround(seconds * static_cast<double>(second)));
    return true;
}

/// Integers; 3.0 is one, too (pandas).
bool read_integer(std::string_view text, std::int64_t& ds) {
    text = trimmed(text);
    const auto result = std::from_chars(text.data(), text.data() + text.size(), ds);
    if (result.ec == std::errc() && result.ptr == text.data() + text.size()) return true;
    double value = 0;
    if (read_number(text, '.', value) != CellKind::number || value != std::trunc(value) ||
        std::fabs(value) > 9007199254740992.0)
        return false;
    ds = static_cast<std::int64_t>(value);
    return true;
}

/// Calls `use(column, cell)` for the cells of the record at `p`. Returns the start of the next line.
template <typename Use>
const char* each_cell(const char* p, const char* end, const Dialect& dialect, const Use& use) {
    Cell cell;
    std::size_t column = 0;
    do {
        p = read_cell(p, end, dialect, cell);
        use(column++, cell);
    } while (next_cell(p, end, dialect));
    return p < end ? p + 1 : end;
}

template <typename Use>
void each_name(const SeriesText& text, const Use& use) {
    each_cell(text.header.data(), text.header.data() + text.header.size(), text.dialect,
              [&](std::size_t column, const Cell& cell) { use(column, trimmed(cell.text)); });
}

std::optional<Columns> find_columns(const SeriesText& text) {
    constexpr auto none = static_cast<std::size_t>(-1);
    Columns columns{none, none, none};
    each_name(text, [&](std::size_t column, std::string_view name) {
        for (std::size_t k = 0; k < columns.size(); ++k)
            if (columns[k] == none && config::same_name(name, column_names[k])) columns[k] = column;
    });
    if (std::find(columns.begin(), columns.end(), none) != columns.end()) return std::nullopt;
    return columns;
}

Error not_long(const SeriesText& text, const std::string& where) {
    std::string names;
    each_name(text, [&](std::size_t column, std::string_view name) {
        if (names.size() > 1000) return;
        names += column > 0 ? ", " : "";
        names += name;
    });
    return input_error(where, "this is no collection of series: its columns are " + shown_text(names),
                       "the columns unique_id, ds and y",
                       "For the files of M4, give the folder with Train and Test.");
}

/// A value of a series.
struct Row {
    std::uint32_t id;    ///< within the part
    std::uint32_t line;  ///< within the chunk, from 0
    std::int64_t ds;
    double y;
};

/// Rows of one chunk.
struct LongPart {
    std::vector<std::string_view> ids;  ///< [series of the part]
    std::vector<std::int64_t> counts;   ///< [series of the part] rows
    std::deque<std::string> unescaped;  ///< storage of ids with doubled quotes
    std::vector<Row> rows;
};

/// Reads the rows of a chunk.
class RowReader {
public:
    RowReader(const Dialect& dialect, const Columns& columns, DsKind kind, const std::string& where,
              LongPart& part)
        : dialect_(dialect),
          columns_(columns),
          last_column_(*std::max_element(columns.begin(), columns.end())),
          kind_(kind),
          where_(where),
          part_(part) {}

    void read(const Chunk& chunk) {
        std::int64_t line = chunk.first_line;
        for (const char* p = chunk.begin; p < chunk.end; ++line) {
            const std::int64_t first = line;
            const std::size_t cells = read_cells(p, chunk.end, line);
            take_row(cells, first, first - chunk.first_line);
        }
    }

private:
    /// Reads the record at `p` into `cells_`. Returns its number of cells, at least up to the last column.
    std::size_t read_cells(const char*& p, const char* end, std::int64_t& line) {
        for (auto& cell : cells_) cell = {};
        Cell other;
        std::size_t column = 0;
        while (true) {
            Cell* cell = &other;
            for (std::size_t k = 0; k < columns_.size(); ++k)
                if (columns_[k] == column) cell = &cells_[k];
            p = read_cell(p, end, dialect_, *cell);
            line += cell->newlines;
            ++column;
            if (column > last_column_ && !dialect_.has_quotes) {
                const void* eol = std::memchr(p, '\n', static_cast<std::size_t>(end - p));
                p = eol != nullptr ? static_cast<const char*>(eol) : end;
            }
            if (!next_cell(p, end, dialect_)) break;
        }
        if (p < end) ++p;
        return column;
    }

    void take_row(std::size_t cells, std::int64_t line, std::int64_t offset) {
        const bool empty = std::all_of(cells_.begin(), cells_.end(),
                                       [](const Cell& cell) { return trimmed(cell.text).empty(); });
        if (empty) return;
        if (cells <= last_column_)
            throw input_error(at_line(where_, line),
                              "the row has " + std::to_string(cells) + (cells == 1 ? " cell" : " cells"),
                              "at least " + std::to_string(last_column_ + 1) + " cells, as in the header");
        Row row{};
        row.id = intern(line);
        row.line = static_cast<std::uint32_t>(offset);  // a chunk has less than 4 GiB
        const std::string_view ds = cells_[column_ds].text;
        if (!(kind_ == DsKind::date ? read_ds_date(ds, row.ds) : read_integer(ds, row.ds)))
            throw input_error(at_line(where_, line),
                              shown_series(part_.ids[row.id]) + ", column ds: " + shown_text(ds) +
                                  (kind_ == DsKind::date ? " is not a date" : " is not an integer"),
                              "dates that begin with the year (2020-01-31 12:00), or integers, in all rows");
        const std::string_view y = cells_[column_y].text;
        const CellKind kind = read_number(y, dialect_.decimal, row.y);
        if (kind != CellKind::number)
            throw number_error(kind, y, at_line(where_, line), part_.ids[row.id], "y", dialect_);
        ++part_.counts[row.id];
        part_.rows.push_back(row);
    }

    /// Number of the row's series within the part.
    std::uint32_t intern(std::int64_t line) {
        const Cell& cell = cells_[column_id];
        std::string_view id = trimmed(cell.text);
        if (id.empty())
            throw input_error(at_line(where_, line), "the row has no unique_id", "the id of a series");
        if (!part_.ids.empty() && part_.ids[last_] == id) return last_;
        std::string single_quotes;
        if (cell.quoted && id.find(dialect_.quote) != std::string_view::npos) {
            single_quotes = trimmed(unescaped(cell, dialect_.quote));
            id = single_quotes;
        }
        auto at = known_.find(id);
        if (at == known_.end()) {
            if (!single_quotes.empty()) id = part_.unescaped.emplace_back(std::move(single_quotes));
            at = known_.emplace(id, static_cast<std::uint32_t>(part_.ids.size())).first;
            part_.ids.push_back(id);
            part_.counts.push_back(0);
        }
        last_ = at->second;
        return last_;
    }

    const Dialect& dialect_;
    const Columns& columns_;
    const std::size_t last_column_;
    const DsKind kind_;
    const std::string& where_;
    LongPart& part_;
    std::array<Cell, 3> cells_;
    std::unordered_map<std::string_view, std::uint32_t> known_;
    std::uint32_t last_ = 0;
};

/// Kind of the first `ds`.
DsKind detect_kind(const SeriesText& text, const char* p, const Columns& columns) {
    const char* const end = text.all.data() + text.all.size();
    std::string_view ds;
    while (p < end && ds.empty())
        p = each_cell(p, end, text.dialect, [&](std::size_t column, const Cell& cell) {
            if (column == columns[column_ds]) ds = trimmed(cell.text);
        });
    TimeText time;
    return read_time(ds, time) && time.has_date ? DsKind::date : DsKind::integer;
}

const Frequency* frequency_of_step(std::int64_t step) {
    struct Range {
        const char* name;
        std::int64_t least, most;
    };
    static constexpr std::array<Range, 6> ranges{{{"Hourly", day / 24, day / 24},
                                                  {"Daily", day, day},
                                                  {"Weekly", 7 * day, 7 * day},
                                                  {"Monthly", 28 * day, 31 * day},
                                                  {"Quarterly", 89 * day, 92 * day},
                                                  {"Yearly", 365 * day, 366 * day}}};
    for (const auto& range : ranges)
        if (step >= range.least && step <= range.most) return find_frequency(range.name);
    return nullptr;
}

Error frequency_unknown(const std::string& where, const std::string& why) {
    std::vector<std::string> names;
    for (const auto& frequency : frequencies()) names.emplace_back(frequency.name);
    return input_error("data.frequency", "not set, and " + why + " of " + where + " does not give it",
                       config::either(names), "Set data.frequency.");
}

/// The frequency of the median step. Throws an input Error if there is none.
const Frequency* frequency_of_steps(std::vector<std::int64_t>& steps, const std::string& where) {
    if (steps.empty()) throw frequency_unknown(where, "the only date of each series");
    const auto median = steps.begin() + std::ssize(steps) / 2;
    std::nth_element(steps.begin(), median, steps.end());
    if (const Frequency* frequency = frequency_of_step(*median)) return frequency;
    const double seconds = static_cast<double>(*median) / static_cast<double>(second);
    throw frequency_unknown(where, "the median step of ds (" + duration_text(seconds) + ")");
}

/// Numbers the series of all parts in the order of their first rows and counts their values.
class Merge {
public:
    Merge(std::vector<LongPart>& parts, const std::vector<Chunk>& chunks, DsKind kind,
          const std::string& where)
        : parts_(parts), chunks_(chunks), kind_(kind), where_(where), series_(parts.size()) {
        std::unordered_map<std::string, std::int64_t> known;
        for (std::size_t i = 0; i < parts_.size(); ++i)
            for (std::size_t k = 0; k < parts_[i].ids.size(); ++k) {
                std::string id = readable(trimmed(parts_[i].ids[k]), false);
                const auto [at, added] = known.try_emplace(id, std::ssize(ids));
                if (added) {
                    ids.push_back(std::move(id));
                    counts_.push_back(0);
                }
                series_[i].push_back(at->second);
                counts_[static_cast<std::size_t>(at->second)] += parts_[i].counts[k];
            }
    }

    /// Checks that ds increases within each series. Adds its steps to `steps` if that is not null.
    void check_order(std::vector<std::int64_t>* steps) const {
        struct Last {
            std::int64_t ds = 0, line = 0;  // line 0: no row yet
        };
        std::vector<Last> last(counts_.size());
        for (std::size_t i = 0; i < parts_.size(); ++i)
            for (const Row& row : parts_[i].rows) {
                const auto s = static_cast<std::size_t>(series_[i][row.id]);
                const std::int64_t line = chunks_[i].first_line + row.line;
                const Last before = std::exchange(last[s], {row.ds, line});
                if (before.line == 0) continue;
                if (row.ds <= before.ds) throw unordered(s, row.ds, line, before.ds, before.line);
                if (steps != nullptr) steps->push_back(row.ds - before.ds);
            }
    }

    /// Divides the values into training and test values.
    void fill(SeriesCollection& out) const {
        const std::int64_t horizon = out.horizon;
        for (std::size_t s = 0; s < counts_.size(); ++s) {
            if (counts_[s] - horizon < horizon + 1) throw too_short(s, horizon);
            out.offsets.push_back(out.offsets.back() + counts_[s] - horizon);
        }
        out.values.resize(static_cast<std::size_t>(out.offsets.back()));
        out.test.resize(counts_.size() * static_cast<std::size_t>(horizon));
        std::vector<std::int64_t> done(counts_.size());
        for (std::size_t i = 0; i < parts_.size(); ++i)
            for (const Row& row : parts_[i].rows) {
                const auto s = static_cast<std::size_t>(series_[i][row.id]);
                const std::int64_t training = counts_[s] - horizon;
                const std::int64_t at = done[s]++;
                if (at < training)
                    out.values[static_cast<std::size_t>(out.offsets[s] + at)] = row.y;
                else
                    out.test[s * static_cast<std::size_t>(horizon) +
                             static_cast<std::size_t>(at - training)] = row.y;
            }
    }

    std::vector<std::string> ids;

private:
    [[nodiscard]] Error too_short(std::size_t s, std::int64_t horizon) const {
        return input_error(where_,
                           shown_series(ids[s]) + " has " + std::to_string(counts_[s]) +
                               (counts_[s] == 1 ? " value" : " values"),
                           "at least " + std::to_string(2 * horizon + 1) + ": " + std::to_string(horizon) +
                               " test values (the horizon) and " + std::to_string(horizon + 1) +
                               " training values",
                           "Remove the series, or shorten the horizon.");
    }

    /// The Error for a row whose ds is not larger than the one before; names an earlier row with the same ds.
    [[nodiscard]] Error unordered(std::size_t s, std::int64_t ds, std::int64_t line, std::int64_t last_ds,
                                  std::int64_t last_line) const {
        for (std::size_t i = 0; i < parts_.size(); ++i)
            for (const Row& row : parts_[i].rows) {
                const std::int64_t earlier = chunks_[i].first_line + row.line;
                if (earlier >= line) break;
                if (row.ds == ds && static_cast<std::size_t>(series_[i][row.id]) == s)
                    return input_error(at_line(where_, line),
                                       shown_series(ids[s]) + " has ds " + ds_text(ds, kind_) +
                                           " twice, first in line " + std::to_string(earlier),
                                       "one row per series and ds", "Remove one of the rows.");
            }
        return input_error(at_line(where_, line),
                           shown_series(ids[s]) + ": ds " + ds_text(ds, kind_) + " comes after " +
                               ds_text(last_ds, kind_) + " in line " + std::to_string(last_line),
                           "increasing ds within a series", "Sort the file by unique_id and ds.");
    }

    std::vector<LongPart>& parts_;
    const std::vector<Chunk>& chunks_;
    const DsKind kind_;
    const std::string& where_;
    std::vector<std::int64_t> counts_;               ///< [series] values
    std::vector<std::vector<std::int64_t>> series_;  ///< [part, series of the part] number in `ids`
};

}  // namespace

bool has_long_header(const SeriesText& text) { return find_columns(text).has_value(); }

SeriesCollection read_long_csv(const std::filesystem::path& path, const CollectionOptions& options,
                               const ProgressFn& progress, const std::stop_token& stop) {
    const std::string where = path.string();
    const int threads = thread_count(options.threads);
    const Bytes bytes = read_file(path, threads, progress, stop);
    const SeriesText text = series_text(bytes.view(), where);
    const auto columns = find_columns(text);
    if (!columns) throw not_long(text, where);

    SeriesCollection out;
    out.path = path;
    out.frequency = find_frequency(options.frequency);
    const char* const end = text.all.data() + text.all.size();
    const char* data = std::find(text.header.data(), end, '\n');
    data += data < end ? 1 : 0;
    const DsKind kind = detect_kind(text, data, *columns);
    const auto chunks = series_chunks(text, text.dialect, data, text.header_line + 1, where, threads, stop);

    std::vector<LongPart> parts(chunks.size());
    out.sha256 = parse_chunks(
        chunks, bytes.view(), "parsing " + path.filename().string(), threads, progress, stop,
        [&](std::size_t i) { RowReader(text.dialect, *columns, kind, where, parts[i]).read(chunks[i]); });

    Merge merge(parts, chunks, kind, where);
    if (merge.ids.empty()) throw input_error(where, "the file has a header and no rows", "a row per value");
    if (out.frequency == nullptr && kind == DsKind::integer)
        throw frequency_unknown(where, "the column ds (integers)");
    std::vector<std::int64_t> steps;
    merge.check_order(out.frequency == nullptr ? &steps : nullptr);
    throw_if_stopped(stop);
    if (out.frequency == nullptr) out.frequency = frequency_of_steps(steps, where);
    out.horizon = options.horizon > 0 ? options.horizon : out.frequency->horizon;
    merge.fill(out);
    out.ids = std::move(merge.ids);
    return out;
}

}  // namespace casp::data
