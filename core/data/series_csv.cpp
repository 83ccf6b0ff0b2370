#include "data/series_csv.h"

#include <fast_float/fast_float.h>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <mutex>
#include <optional>
#include <utility>

#include "config/text_utils.h"
#include "data/file_bytes.h"
#include "data/foreign_format.h"
#include "util/digest.h"
#include "util/parallel.h"
#include "util/phrase.h"

namespace casp::data {

namespace {

constexpr const char* a_text = "a CSV file in UTF-8";
constexpr const char* line_per_series = "a line per series: its id, then its values";

const char* find_byte(const char* p, const char* end, char c) {
    const void* at = p < end ? std::memchr(p, c, static_cast<std::size_t>(end - p)) : nullptr;
    return at != nullptr ? static_cast<const char*>(at) : end;
}

/// Reads a series from its line.
class LineReader {
public:
    LineReader(Dialect dialect, const std::string& where) : dialect_(dialect), where_(where) {
        dialect_.has_quotes = true;
    }

    /// Without id and values: a padded line without content.
    [[nodiscard]] LineSeries read(const Chunk& chunk) const {
        const auto line = chunk.first_line;
        const char* p = chunk.begin;
        const char* end = chunk.end;
        // M4 pads every line to the length of the longest series: drop hundreds of empty cells at once.
        while (end > p && is_padding(end[-1])) --end;
        const std::string_view text(p, static_cast<std::size_t>(end - p));
        Cell cell;
        p = read_cell(p, end, dialect_, cell);
        LineSeries series{readable(trimmed(unescaped(cell, dialect_.quote))), {}};
        if (cell.unclosed) throw unclosed(line, series.id);
        if (series.id.empty()) {
            const auto nothing = [&](char c) { return is_padding(c) || c == dialect_.quote; };
            if (std::ranges::all_of(text, nothing)) return series;
            throw input_error(at_line(where_, line), "the line has no series id", line_per_series);
        }
        std::int64_t gap = 0;  // first column without a value
        for (std::int64_t column = 2; p < end && *p == dialect_.delimiter; ++column) {
            double value = 0;
            ++p;
            if (const char* next = plain_number(p, end, value)) {
                p = next;
            } else {
                p = read_cell(p, end, dialect_, cell);
                if (cell.unclosed) throw unclosed(line, series.id);
                const CellKind kind = read_number(cell.text, dialect_.decimal, value);
                if (kind == CellKind::missing || kind == CellKind::nan) {
                    if (gap == 0) gap = column;
                    continue;
                }
                if (kind != CellKind::number)
                    throw number_error(kind, cell.text, at_line(where_, line), series.id,
                                       std::to_string(column), dialect_);
            }
            if (gap != 0)
                throw input_error(at_line(where_, line),
                                  Phrase("%1: column %2 is empty, but column %3 has a value",
                                         shown_series(series.id), gap, column),
                                  "empty cells only behind the last value of a series",
                                  "Fill the gap, or remove the series from both files.");
            series.values.push_back(value);
        }
        if (series.values.empty())
            throw input_error(at_line(where_, line), Phrase("%1 has no values", shown_series(series.id)),
                              line_per_series, "Remove the series from both files.");
        return series;
    }

private:
    [[nodiscard]] bool is_padding(char c) const {
        return c == dialect_.delimiter || c == ' ' || c == '\t' || c == '\r';
    }

    /// Fast path: a number and nothing else, quoted or not. Returns the end of the cell, or nullptr.
    [[nodiscard]] const char* plain_number(const char* p, const char* end, double& value) const {
        const bool quoted = p < end && *p == dialect_.quote;
        if (quoted) ++p;
        const auto result = fast_float::from_chars(p, end, value);
        if (result.ec != std::errc() || !std::isfinite(value)) return nullptr;
        p = result.ptr;
        if (quoted) {
            if (p == end || *p != dialect_.quote) return nullptr;
            ++p;
        }
        return p == end || *p == dialect_.delimiter ? p : nullptr;
    }

    [[nodiscard]] Error unclosed(std::int64_t line, const std::string& id) const {
        return input_error(at_line(where_, line), Phrase("%1: a quoted cell is never closed", shown_text(id)),
                           "a closing \" in the same line");
    }

    Dialect dialect_;
    const std::string& where_;
};

/// Whether the first line holds names. pandas writes numbers as names of the value columns.
bool is_header(std::string_view line, Dialect dialect) {
    dialect.has_quotes = true;
    const char* p = line.data();
    const char* const end = p + line.size();
    Cell cell;
    p = read_cell(p, end, dialect, cell);
    const std::string id = readable(trimmed(unescaped(cell, dialect.quote)));
    for (const char* name : {"", "id", "unique_id", "M4id", "series"})
        if (config::same_name(id, name)) return true;
    if (!next_cell(p, end, dialect)) return true;
    read_cell(p, end, dialect, cell);
    double value = 0;
    return read_number(cell.text, dialect.decimal, value) != CellKind::number;
}

std::string digest(std::string_view bytes, const std::stop_token& stop) {
    Digest digest;
    constexpr std::size_t block = 1u << 20u;
    for (std::size_t at = 0; at < bytes.size(); at += block) {
        throw_if_stopped(stop);
        digest.update(bytes.substr(at, block));
    }
    return digest.finish();
}

}  // namespace

std::vector<Chunk> text_lines(std::string_view text) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    std::vector<Chunk> lines;
    for (std::int64_t number = 1; !text.empty(); ++number) {
        const auto eol = std::min(text.find('\n'), text.size());
        if (const auto line = trimmed(text.substr(0, eol)); !line.empty())
            lines.push_back({.begin = line.data(), .end = line.data() + line.size(), .first_line = number});
        text.remove_prefix(std::min(eol + 1, text.size()));
    }
    return lines;
}

std::string at_line(const std::string& where, std::int64_t line) {
    return where + ":" + std::to_string(line);
}

std::string shown_text(std::string_view text) {
    std::string shown = "\"";
    shown += config::abbreviated(readable(trimmed(text)), 60);
    shown += '"';
    return shown;
}

Phrase shown_series(std::string_view id) { return Phrase("series %1", shown_text(id)); }

std::unordered_map<std::string_view, std::size_t> places_of(const SeriesFile& file,
                                                            const std::string& where) {
    std::unordered_map<std::string_view, std::size_t> places;
    places.reserve(file.ids.size());
    for (std::size_t s = 0; s < file.ids.size(); ++s)
        if (const auto [at, added] = places.try_emplace(file.ids[s], s); !added)
            throw input_error(at_line(where, file.lines[s]),
                              Phrase("%1 occurs twice, first in line %2", shown_series(file.ids[s]),
                                     file.lines[at->second]),
                              "one line per series", "Remove or rename one of them.");
    return places;
}

Error number_error(CellKind kind, std::string_view text, const std::string& where, std::string_view id,
                   const std::string& column, const Dialect& dialect) {
    Phrase found = Phrase("%1, column %2: ", shown_series(id), column);
    if (kind == CellKind::missing || kind == CellKind::nan) {
        found += "the cell has no value";
    } else {
        found += shown_text(text);
        found += kind == CellKind::infinite ? " is infinite" : " is not a number";
    }
    const bool comma = dialect.delimiter == ';' && text.find(',') != std::string_view::npos;
    return input_error(
        where, std::move(found), "a finite number",
        comma ? "Write numbers with a decimal point." : "Correct the cell, or remove the series.");
}

SeriesFile read_lines(const std::vector<Chunk>& lines, std::string_view bytes, const std::string& name,
                      int threads, const ProgressFn& progress, const std::stop_token& stop,
                      const std::function<LineSeries(std::size_t)>& read) {
    SeriesFile file;
    std::vector<LineSeries> series(lines.size());
    std::optional<Error> error;  // the earliest
    std::mutex error_mutex;
    std::atomic<std::size_t> faulty{lines.size()};
    std::atomic<std::int64_t> done{0};
    parallel_for(lines.size() + 1, threads, [&](std::size_t index, int worker) {
        if (index == 0) {
            file.sha256 = digest(bytes, stop);
            return;
        }
        throw_if_stopped(stop);
        const std::size_t i = index - 1;
        if (faulty < i) return;
        try {
            series[i] = read(i);
        } catch (const Error& found) {
            const std::lock_guard lock(error_mutex);
            if (i < faulty) error = found;
            faulty = std::min<std::size_t>(faulty, i);
        }
        done += lines[i].end - lines[i].begin;
        if (worker == 0 && progress && i % 64 == 0)
            progress({{Stage::parsing, name}, done, static_cast<std::int64_t>(bytes.size()), "bytes"});
    });
    if (error) throw Error(*error);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        auto& [id, values] = series[i];
        if (id.empty()) continue;
        file.ids.push_back(std::move(id));
        file.lines.push_back(lines[i].first_line);
        file.values.insert(file.values.end(), values.begin(), values.end());
        file.offsets.push_back(std::ssize(file.values));
        values = {};
    }
    return file;
}

SeriesText series_text(std::string_view bytes, const std::string& where) {
    using namespace std::string_view_literals;
    if (bytes.empty()) throw input_error(where, "the file is empty", a_text);
    if (const auto* other = foreign_format(bytes)) throw foreign_error(*other, where, a_text);
    if (bytes.starts_with("\xFF\xFE"sv) || bytes.starts_with("\xFE\xFF"sv))
        throw input_error(where, "the text is in UTF-16", a_text, "Save it in UTF-8.");
    if (const auto nul = bytes.find('\0'); nul != std::string_view::npos)
        throw input_error(
            where, Phrase("a zero byte at offset %1: this is not a text file, or it is in UTF-16", nul),
            a_text, "Save it in UTF-8, or give another file.");
    SeriesText text;
    text.all = bytes;
    if (text.all.starts_with("\xEF\xBB\xBF"sv)) text.all.remove_prefix(3);
    const char* p = text.all.data();
    const char* const end = p + text.all.size();
    if (find_byte(p, end, '\n') == end && find_byte(p, end, '\r') + 1 < end)
        throw input_error(where, "the lines end with CR only", "LF or CRLF as line ending",
                          "Save the file with another line ending.");
    while (true) {
        const char* const eol = find_byte(p, end, '\n');
        text.header = {p, static_cast<std::size_t>(eol - p)};
        if (text.header.ends_with('\r')) text.header.remove_suffix(1);
        if (!text.header.empty()) break;
        if (eol == end) throw input_error(where, "the file has only empty lines", a_text);
        ++text.header_line;
        p = eol + 1;
    }
    bool quoted = false;
    std::int64_t commas = 0;
    std::int64_t semicolons = 0;
    for (const char c : text.header) {
        quoted ^= c == text.dialect.quote;
        commas += !quoted && c == ',' ? 1 : 0;
        semicolons += !quoted && c == ';' ? 1 : 0;
    }
    if (semicolons > commas) text.dialect.delimiter = ';';
    text.dialect.has_quotes = text.all.find(text.dialect.quote) != std::string_view::npos;
    return text;
}

SeriesFile read_series_csv(const std::filesystem::path& path, int threads, const ProgressFn& progress,
                           const std::stop_token& stop) {
    const std::string where = path.string();
    const Bytes bytes = read_file(path, threads, progress, stop);
    const SeriesText text = series_text(bytes.view(), where);
    auto lines = text_lines(text.all);
    if (lines.empty()) throw input_error(where, "the file has only empty lines", a_text);
    if (is_header(lines.front().text(), text.dialect)) lines.erase(lines.begin());
    const LineReader reader(text.dialect, where);
    auto file = read_lines(lines, bytes.view(), path.filename().string(), threads, progress, stop,
                           [&](std::size_t i) { return reader.read(lines[i]); });
    if (file.ids.empty()) throw input_error(where, "the file has a header and no series", line_per_series);
    return file;
}

}  // namespace casp::data
