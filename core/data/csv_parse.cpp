#include "data/csv_parse.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif
#include <fast_float/fast_float.h>
#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "config/text_utils.h"
#include "data/file_bytes.h"
#include "data/time_text.h"
#include "util/error.h"
#include "util/parallel.h"

namespace casp::data {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

#ifdef __SSE2__
/// Reads a cell of at most eight digits, such as 37 or -12.345: almost all cells. The end of the cell is
/// found first, so that the processor can begin the next one meanwhile. Digits and power of ten are exact in
/// double, so their quotient is rounded correctly. nullptr: another text, or too close to `end`.
const char* read_short_number(const char* p, const char* end, const Dialect& dialect, double& out) {
    static constexpr double powers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7};
    if (end - p < 16) return nullptr;
    const __m128i text = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const auto first = [text](char a, char b) {
        const auto equal = [text](char c) { return _mm_cmpeq_epi8(text, _mm_set1_epi8(c)); };
        return std::countr_zero(static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(equal(a), equal(b)))));
    };
    const char* const digits = p + (*p == '-' ? 1 : 0);
    const auto sign = digits - p;
    const auto length = first(dialect.delimiter, '\n') - sign;
    const auto whole = std::min(first(dialect.decimal, dialect.decimal) - sign, length);
    const auto count = length - (whole < length ? 1 : 0);
    const auto decimals = count - whole;
    if (count > 8 || whole < 1 || whole > 7 || (decimals == 0 && whole < length)) return nullptr;
    std::uint64_t v = 0;
    std::uint64_t shifted = 0;
    std::memcpy(&v, digits, sizeof v);
    std::memcpy(&shifted, digits + 1, sizeof shifted);
    const std::uint64_t after_point = ~std::uint64_t{0} << (8 * whole);
    v = (v & ~after_point) | (shifted & after_point);   // without the point
    v = (v ^ 0x3030303030303030U) << (64 - 8 * count);  // digits become 0 to 9, with zeros before them
    if ((((v + 0x7676767676767676U) | v) & 0x8080808080808080U) != 0) return nullptr;
    v = v * 10 + (v >> 8);  // pairs of digits in every other byte
    v = ((v & 0x000000FF000000FFU) * 0x000F424000000064U +
         ((v >> 16) & 0x000000FF000000FFU) * 0x0000271000000001U) >>
        32;
    const double value = static_cast<double>(static_cast<std::int64_t>(v)) / powers[decimals];
    out = sign != 0 ? -value : value;
    return digits + length;
}
#else
const char* read_short_number(const char*, const char*, const Dialect&, double&) { return nullptr; }
#endif

/// Findings of one thread besides numbers.
struct Findings {
    std::vector<CellNotes> cells;  ///< [number columns]; empty before the first cell without a number
    Tally bad_time, short_rows, long_rows;
    std::vector<std::pair<std::int64_t, std::int64_t>> left_out;  ///< (row, line)
    Tally left_out_texts;
    TimeNotes times;
};

/// Findings per chunk, whose order matters.
struct ChunkNotes {
    std::vector<std::pair<std::int64_t, std::int64_t>> anchors;
    std::vector<std::int64_t> empty_lines;  ///< at most single_warnings + 1 of them
    std::int64_t empty_count = 0;
    std::int64_t trailing_empty = 0;  ///< those after the chunk's last row
};

/// Parses chunks, one after another, on one thread.
class ChunkReader {
public:
    ChunkReader(const Layout& layout, Cells& cells)
        : layout_(layout),
          cells_(cells),
          dialect_(layout.dialect),
          options_(fast_float::chars_format::general, layout.dialect.decimal),
          // If commas also delimit cells, a comma is decimal only within quotes: "1,5".
          direct_(layout.dialect.decimal != layout.dialect.delimiter),
          width_(cells.numbers.size()) {
        tile_rows_ =
            width_ == 0 ? 1 : std::clamp<std::size_t>((256u << 10u) / (width_ * sizeof(double)), 1, 256);
        tile_.resize(std::max<std::size_t>(1, tile_rows_ * width_));
        double value = 0;
        for (const auto& text : layout.missing_texts)
            if (read_number(text, dialect_.decimal, value, dialect_.thousands) == CellKind::number)
                missing_numbers_.push_back(value);
        for (std::size_t j = 0; j < layout.columns.size(); ++j)
            if (layout.columns[j].role == Role::number)
                time_targets_.push_back(layout.is_time_number(static_cast<int>(j)));
        plain_ = direct_ && missing_numbers_.empty();
    }

    /// Calls `each_tile(bytes)` after every few rows; it may throw.
    template <typename EachTile>
    void read(const Chunk& chunk, ChunkNotes& notes, const EachTile& each_tile) {
        const char* p = chunk.begin;
        end_ = chunk.end;
        std::int64_t row = chunk.first_row;
        std::int64_t tile_row = row;
        line_ = chunk.first_line;
        std::int64_t offset = line_ - row;
        notes.anchors.emplace_back(row, line_);
        const char* reported = p;
        const auto flush = [&] {
            write_tile(tile_row, row - tile_row);
            tile_row = row;
            each_tile(static_cast<std::int64_t>(p - reported));
            reported = p;
        };
        while (p < end_) {
            if (const char* eol = empty_line(p)) {
                ++notes.empty_count;
                ++notes.trailing_empty;
                if (notes.empty_lines.size() <= single_warnings) notes.empty_lines.push_back(line_);
                ++line_;
                p = eol < end_ ? eol + 1 : end_;
                continue;
            }
            notes.trailing_empty = 0;
            if (line_ - row != offset) {
                offset = line_ - row;
                notes.anchors.emplace_back(row, line_);
            }
            p = read_row(p, row, &tile_[static_cast<std::size_t>(row - tile_row) * width_]);
            ++row;
            if (static_cast<std::size_t>(row - tile_row) == tile_rows_) flush();
        }
        flush();
    }

    Findings findings;

private:
    /// The '\n' (or end) of an empty line; nullptr if the line has cells.
    [[nodiscard]] const char* empty_line(const char* p) const {
        p = begin_record(p, end_, dialect_);
        if (p < end_ && *p == '\r') ++p;
        return p == end_ || *p == '\n' ? p : nullptr;
    }

    /// What a row has besides numbers; it counts only if the line is a row.
    struct Event {
        std::size_t target = 0;
        CellKind kind = CellKind::number;
        std::int64_t line = 0;
        std::string text;
    };

    /// How the time cells of a row say that it is none.
    enum class TimeCell { fine, missing, text };

    const char* read_row(const char* p, std::int64_t row, double* out) {
        events_.clear();
        short_cells_ = -1;
        time_cell_ = TimeCell::fine;
        const char* const begin = p;
        p = read_cells_of_row(p, row, out);
        if (events_.empty() && short_cells_ < 0) return p;
        if (is_no_row(begin)) {
            findings.left_out.emplace_back(row, row_line_);
            findings.left_out_texts.add(row_line_, first_cells(begin));
            return p;
        }
        if (short_cells_ >= 0) findings.short_rows.add(row_line_, std::to_string(short_cells_));
        for (auto& event : events_) commit(event);
        return p;
    }

    /// Whether the line is no row of the table: a comment, the header once more, or text or nothing at all
    /// where each row has a time.
    [[nodiscard]] bool is_no_row(const char* begin) const {
        if (!layout_.comment.empty() &&
            std::string_view(begin, static_cast<std::size_t>(end_ - begin)).starts_with(layout_.comment)) {
            Cell first;
            double value = 0;
            read_cell(begin, end_, dialect_, first);
            return read_number(first.text, dialect_.decimal, value) == CellKind::text;
        }
        if (time_cell_ == TimeCell::text) return true;
        const auto missing = static_cast<std::size_t>(
            std::ranges::count_if(events_, [](const Event& e) { return e.kind == CellKind::missing; }));
        return (time_cell_ == TimeCell::missing && missing == width_) || is_header_again();
    }

    [[nodiscard]] bool is_header_again() const {
        if (!layout_.has_header || layout_.has_time() || events_.size() != width_) return false;
        std::size_t target = 0;
        for (const auto& column : layout_.columns) {
            if (column.role != Role::number) continue;
            if (events_[target].kind != CellKind::text || events_[target].text != column.name) return false;
            ++target;
        }
        return true;
    }

    /// Text of the first cells of a line, for messages.
    [[nodiscard]] std::string first_cells(const char* begin) const {
        const std::string_view rest(begin, static_cast<std::size_t>(end_ - begin));
        return config::abbreviated(readable(trimmed(rest.substr(0, rest.find('\n')))), 60);
    }

    void commit(Event& event) {
        if (event.kind == CellKind::number)  // stands for a time that cannot be read
            return findings.bad_time.add(event.line, std::move(event.text));
        if (findings.cells.empty()) findings.cells.resize(width_);
        auto& notes = findings.cells[event.target];
        auto& tally = event.kind == CellKind::missing    ? notes.missing
                      : event.kind == CellKind::nan      ? notes.nan
                      : event.kind == CellKind::infinite ? notes.infinite
                                                         : notes.bad;
        tally.add(event.line, std::move(event.text));
    }

    const char* read_cells_of_row(const char* p, std::int64_t row, double* out) {
        row_line_ = line_;
        const std::size_t columns = layout_.columns.size();
        const std::int64_t line = line_;
        std::size_t column = 0;
        std::size_t target = 0;
        std::int64_t extra = 0;
        bool extra_filled = false;
        p = begin_record(p, end_, dialect_);
        while (true) {
            if (column < columns) {
                const Role role = layout_.columns[column].role;
                if (role == Role::number) {
                    p = read_number_cell(p, out[target], target);
                    ++target;
                } else {
                    p = read_other_cell(p, role, row);
                }
                ++column;
            } else {
                p = read_cell(p, end_, dialect_, cell_);
                line_ += cell_.newlines;
                ++extra;
                extra_filled = extra_filled || !trimmed(cell_.text).empty();
            }
            if (p < end_ && *p == dialect_.delimiter && !dialect_.merges()) {
                ++p;
            } else if (!next_cell(p, end_, dialect_)) {
                break;
            }
        }
        if (column < columns) {
            short_cells_ = static_cast<std::int64_t>(column);
            cell_ = {};
            for (; target < width_; ++target) {
                out[target] = nan;
                events_.push_back({target, CellKind::missing, line, {}});
                if (time_target(target)) note_time_cell(false);
            }
            for (; column < columns; ++column)
                if (layout_.columns[column].role == Role::date ||
                    layout_.columns[column].role == Role::clock) {
                    note_time_cell(false);
                    bad_time(layout_.columns[column].role, row, {});
                }
        } else if (extra_filled) {  // surplus delimiters alone are harmless
            findings.long_rows.add(line, std::to_string(static_cast<std::int64_t>(columns) + extra));
        }
        if (p < end_ && *p == '\r') ++p;
        ++line_;
        return p < end_ ? p + 1 : end_;
    }

    const char* read_number_cell(const char* p, double& out, std::size_t target) {
        if (plain_)
            if (const char* after = read_short_number(p, end_, dialect_, out)) return after;
        return read_any_number_cell(p, out, target);
    }

    /// Apart from the few lines that read most cells, whose loop stays in registers. A plain number followed
    /// by a delimiter needs no search for the end of the cell.
    [[gnu::noinline]] const char* read_any_number_cell(const char* p, double& out, std::size_t target) {
        if (plain_) {
            double value = 0;
            const auto result = fast_float::from_chars_advanced(p, end_, value, options_);
            if (result.ec == std::errc() && std::isfinite(value)) {
                const char* q = result.ptr;
                if (q < end_ && *q == '\r' && (q + 1 == end_ || q[1] == '\n')) ++q;
                if (q == end_ || *q == dialect_.delimiter || *q == '\n') {
                    out = value;
                    return q;
                }
            }
        }
        p = read_cell(p, end_, dialect_, cell_);
        const std::int64_t line = line_;
        line_ += cell_.newlines;
        const char decimal = direct_ || cell_.quoted ? dialect_.decimal : '.';
        auto kind = read_number(cell_.text, decimal, out, dialect_.thousands);
        const auto& missing = missing_numbers_;
        if (kind == CellKind::number && std::ranges::find(missing, out) == missing.end()) return p;
        if (kind == CellKind::number) out = nan;
        if (kind == CellKind::number || (kind == CellKind::text && is_missing_text()))
            kind = CellKind::missing;
        const bool shown = kind == CellKind::infinite || kind == CellKind::text;
        events_.push_back({target, kind, line, shown ? snippet() : std::string()});
        if (time_target(target)) note_time_cell(kind == CellKind::text);
        return p;
    }

    /// Whether the cell is a text of data.csv.missing.
    [[nodiscard]] bool is_missing_text() const {
        const auto text = trimmed(cell_.text);
        return std::ranges::find(layout_.missing_texts, text) != layout_.missing_texts.end();
    }

    [[nodiscard]] bool time_target(std::size_t target) const {
        return target < time_targets_.size() && time_targets_[target];
    }

    /// Takes note of a time cell without a time: `text`, if it is neither missing nor begins with a digit.
    void note_time_cell(bool text) {
        if (text && is_note(cell_.text)) time_cell_ = TimeCell::text;
        if (!text && time_cell_ == TimeCell::fine) time_cell_ = TimeCell::missing;
    }

    const char* read_other_cell(const char* p, Role role, std::int64_t row) {
        p = read_cell(p, end_, dialect_, cell_);
        if (role == Role::date || role == Role::clock) {
            TimeText time;
            const auto at = static_cast<std::size_t>(row);
            const TimeReading how{layout_.how.digits, role == Role::clock && layout_.how.dotted_clock};
            if (!read_time(cell_.text, time, how) || time.has_date != (role == Role::date)) {
                double value = 0;
                note_time_cell(read_number(cell_.text, '.', value) == CellKind::text && !is_missing_text());
                if (how.digits && is_year_total(cell_.text)) time_cell_ = TimeCell::text;
                bad_time(role, row, snippet());
                line_ += cell_.newlines;
                return p;
            }
            findings.times.forms |= time.has_form;
            findings.times.short_dates |= time.short_date;
            findings.times.short_hours |= time.short_hour;
            findings.times.days_ended_at_24 += time.end_of_day ? 1 : 0;
            findings.times.days_begun_at_0 += time.has_clock && time.seconds == 0 ? 1 : 0;
            if (row + 1 == cells_.rows)
                (role == Role::date ? cells_.last_date : cells_.last_clock) = trimmed(cell_.text);
            if (role == Role::clock) {
                cells_.clock[at] = time.seconds;
            } else {
                cells_.date[at] = seconds_since_1970(time, false);
                cells_.date_swapped[at] = seconds_since_1970(time, true);
                if (layout_.short_years) cells_.date_year_first[at] = seconds_with_year_first(time);
                if (time.year_first) {
                    findings.times.year_first = true;
                } else {
                    findings.times.open_order = true;
                    findings.times.first_over_12 |= time.first > 12;
                    findings.times.second_over_12 |= time.second > 12;
                }
            }
        }
        line_ += cell_.newlines;
        return p;
    }

    void bad_time(Role role, std::int64_t row, std::string text) {
        const auto at = static_cast<std::size_t>(row);
        if (role == Role::clock) {
            cells_.clock[at] = nan;
        } else {
            cells_.date[at] = cells_.date_swapped[at] = nan;
            if (layout_.short_years) cells_.date_year_first[at] = nan;
        }
        events_.push_back({0, CellKind::number, line_, std::move(text)});
    }

    [[nodiscard]] std::string snippet() const {
        return config::abbreviated(readable(trimmed(cell_.text)), 40);
    }

    void write_tile(std::int64_t row, std::int64_t rows) {
        constexpr std::size_t group = 8;  // columns in a cache line
        for (std::size_t first = 0; first < width_; first += group) {
            const std::size_t last = std::min(first + group, width_);
            for (std::int64_t r = 0; r < rows; ++r)
                for (std::size_t target = first; target < last; ++target)
                    cells_.numbers[target].values[static_cast<std::size_t>(row + r)] =
                        tile_[static_cast<std::size_t>(r) * width_ + target];
        }
    }

    const Layout& layout_;
    Cells& cells_;
    const Dialect dialect_;
    const fast_float::parse_options options_;
    const bool direct_;
    bool plain_ = true;                    ///< a number is read as it stands
    std::vector<double> missing_numbers_;  ///< of data.csv.missing
    const std::size_t width_;
    std::size_t tile_rows_ = 1;
    std::vector<double> tile_;
    const char* end_ = nullptr;
    std::int64_t line_ = 1;
    std::int64_t row_line_ = 1;
    Cell cell_;
    std::vector<Event> events_;
    TimeCell time_cell_ = TimeCell::fine;
    std::int64_t short_cells_ = -1;   ///< cells of a row that has too few; −1: it has enough
    std::vector<bool> time_targets_;  ///< [number columns] whether it is the time axis or a part of it
};

void merge(Cells& cells, const Findings& findings) {
    for (std::size_t i = 0; i < findings.cells.size(); ++i) cells.numbers[i].notes.merge(findings.cells[i]);
    cells.bad_time.merge(findings.bad_time);
    cells.short_rows.merge(findings.short_rows);
    cells.long_rows.merge(findings.long_rows);
    cells.left_out.merge(findings.left_out_texts);
    cells.times.merge(findings.times);
}

/// Removes rows, given in order as (row, line), from everything that has an entry per row.
void remove_rows(Cells& cells, const std::vector<std::pair<std::int64_t, std::int64_t>>& rows) {
    if (rows.empty()) return;
    const auto shorten = [&](std::vector<double>& values) {
        if (values.empty()) return;
        auto to = static_cast<std::size_t>(rows.front().first);
        auto next = rows.begin();
        for (std::size_t from = to; from < values.size(); ++from) {
            if (next != rows.end() && static_cast<std::size_t>(next->first) == from)
                ++next;
            else
                values[to++] = values[from];
        }
        values.resize(to);
    };
    for (auto& column : cells.numbers) shorten(column.values);
    for (auto* times : {&cells.date, &cells.date_swapped, &cells.date_year_first, &cells.clock})
        shorten(*times);
    // Each row behind a removed one is an anchor of its own.
    auto anchors = cells.line_anchors;
    for (const auto& [row, line] : rows) {
        const auto after =
            std::upper_bound(anchors.begin(), anchors.end(), row + 1,
                             [](std::int64_t r, const auto& anchor) { return r < anchor.first; });
        const auto& [first_row, first_line] = *(after - 1);
        anchors.insert(after, {row + 1, first_line + (row + 1 - first_row)});
    }
    cells.line_anchors.clear();
    for (const auto& [row, line] : anchors) {
        const auto removed = std::lower_bound(rows.begin(), rows.end(), row,
                                              [](const auto& one, std::int64_t r) { return one.first < r; }) -
                             rows.begin();
        const auto now = row - removed;
        if (!cells.line_anchors.empty() && cells.line_anchors.back().first == now)
            cells.line_anchors.back().second = line;
        else
            cells.line_anchors.emplace_back(now, line);
    }
    cells.rows -= std::ssize(rows);
}

void merge(Cells& cells, const std::vector<Chunk>& chunks, const std::vector<ChunkNotes>& notes) {
    std::int64_t empty = 0;
    std::int64_t trailing = 0;  // empty lines behind the last row
    for (std::size_t i = 0; i < chunks.size(); ++i) {
        empty += notes[i].empty_count;
        trailing = chunks[i].records > 0 ? notes[i].trailing_empty : trailing + notes[i].empty_count;
        if (chunks[i].records == 0) continue;
        for (const auto& [row, line] : notes[i].anchors) {
            const auto& known = cells.line_anchors;
            if (known.empty() || known.back().second + (row - known.back().first) != line)
                cells.line_anchors.emplace_back(row, line);
        }
    }
    auto& found = cells.empty_lines;
    found.count = empty - trailing;
    const auto listed = std::min(static_cast<std::size_t>(found.count), single_warnings);
    for (const auto& chunk : notes)
        for (const auto line : chunk.empty_lines)
            if (found.first.size() < listed) found.first.emplace_back(line, "");
}

}  // namespace

void TimeNotes::merge(const TimeNotes& other) {
    open_order |= other.open_order;
    first_over_12 |= other.first_over_12;
    second_over_12 |= other.second_over_12;
    year_first |= other.year_first;
    forms |= other.forms;
    short_dates |= other.short_dates;
    short_hours |= other.short_hours;
    days_ended_at_24 += other.days_ended_at_24;
    days_begun_at_0 += other.days_begun_at_0;
}

void Tally::add(std::int64_t line, Phrase text) {
    ++count;
    if (first.size() < single_warnings) first.emplace_back(line, std::move(text));
}

void CellNotes::merge(const CellNotes& other) {
    missing.merge(other.missing);
    nan.merge(other.nan);
    infinite.merge(other.infinite);
    bad.merge(other.bad);
}

void Tally::merge(const Tally& other) {
    count += other.count;
    first.insert(first.end(), other.first.begin(), other.first.end());
    std::ranges::stable_sort(first, [](const auto& a, const auto& b) { return a.first < b.first; });
    if (first.size() > single_warnings) first.resize(single_warnings);
}

Cells parse_cells(const std::vector<Chunk>& chunks, const Layout& layout, const std::string& where,
                  int threads, const std::function<void(std::int64_t)>& report, const std::stop_token& stop) {
    Cells cells;
    std::int64_t bytes = 0;
    for (const auto& chunk : chunks) {
        cells.rows += chunk.records;
        bytes += chunk.end - chunk.begin;
    }
    std::size_t numbers = 0;
    bool has_date = false;
    bool has_clock = false;
    for (const auto& column : layout.columns) {
        numbers += column.role == Role::number ? 1 : 0;
        has_date |= column.role == Role::date;
        has_clock |= column.role == Role::clock;
    }
    // A cell takes at least one byte. Without this limit, a long header over millions of short lines would
    // need more memory than the machine has.
    if (static_cast<double>(cells.rows) * static_cast<double>(numbers) >
        4.0 * static_cast<double>(bytes) + 1e6)
        throw input_error(
            where, Phrase("%1 rows are far shorter than the %2 columns", cells.rows, layout.columns.size()),
            "rows of equal length", "If the delimiter is wrong, set data.csv.delimiter.");
    const auto rows = static_cast<std::size_t>(cells.rows);
    cells.numbers.resize(numbers);
    // Freed at once for the columns, which are then side by side in large pages (with keep_freed_memory()).
    (void)Bytes(numbers * rows * sizeof(double));
    for (auto& column : cells.numbers) column.values.reserve(rows);
    parallel_for(numbers, threads, [&](std::size_t i, int) { cells.numbers[i].values.resize(rows); });
    if (has_date) {
        cells.date.resize(rows);
        cells.date_swapped.resize(rows);
        if (layout.short_years) cells.date_year_first.resize(rows);
    }
    if (has_clock) cells.clock.resize(rows);

    std::vector<ChunkReader> readers(static_cast<std::size_t>(std::max(1, threads)),
                                     ChunkReader(layout, cells));
    std::vector<ChunkNotes> notes(chunks.size());
    std::atomic<std::int64_t> done{0};
    parallel_for(chunks.size(), threads, [&](std::size_t i, int worker) {
        readers[static_cast<std::size_t>(worker)].read(chunks[i], notes[i], [&](std::int64_t advanced) {
            throw_if_stopped(stop);
            const std::int64_t total = done += advanced;
            if (worker == 0) report(total);
        });
    });
    std::vector<std::pair<std::int64_t, std::int64_t>> no_rows;
    for (const auto& reader : readers) {
        merge(cells, reader.findings);
        no_rows.insert(no_rows.end(), reader.findings.left_out.begin(), reader.findings.left_out.end());
    }
    merge(cells, chunks, notes);
    std::ranges::sort(no_rows);
    remove_rows(cells, no_rows);
    return cells;
}

}  // namespace casp::data
