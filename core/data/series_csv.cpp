#include "data/series_csv.h"

#include <fast_float/fast_float.h>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <optional>

#include "config/text_utils.h"
#include "data/csv_import.h"
#include "data/file_bytes.h"
#include "data/foreign_format.h"
#include "util/digest.h"
#include "util/parallel.h"

namespace casp::data {

namespace {

constexpr const char* a_text = "a CSV file in UTF-8";
constexpr const char* line_per_series = "a line per series: its id, then its values";

const char* find_byte(const char* p, const char* end, char c) {
    const void* at = p < end ? std::memchr(p, c, static_cast<std::size_t>(end - p)) : nullptr;
    return at != nullptr ? static_cast<const char*>(at) : end;
}

/// Series of one chunk.
struct Part {
    std::vector<std::string> ids;
    std::vector<std::int64_t> lines;
    std::vector<std::int64_t> counts;
    std::vector<double> values;
};

/// Reads the lines of a chunk.
class LineReader {
public:
    LineReader(const Dialect& dialect, const std::string& where, Part& part)
        : dialect_(dialect), where_(where), part_(part) {
        dialect_.has_quotes = true;
    }

    void read(const Chunk& chunk) {
        std::int64_t line = chunk.first_line;
        for (const char* p = chunk.begin; p < chunk.end; ++line) {
            const char* const eol = find_byte(p, chunk.end, '\n');
            read_line(p, eol, line);
            p = eol < chunk.end ? eol + 1 : chunk.end;
        }
    }

private:
    [[nodiscard]] bool is_padding(char c) const {
        return c == dialect_.delimiter || c == ' ' || c == '\t' || c == '\r';
    }

    void read_line(const char* p, const char* end, std::int64_t line) {
        // M4 pads every line to the length of the longest series: drop hundreds of empty cells at once.
        while (end > p && is_padding(end[-1])) --end;
        if (p == end) return;
        const std::string_view text(p, static_cast<std::size_t>(end - p));
        p = read_cell(p, end, dialect_, cell_);
        std::string id = series_id(cell_, dialect_);
        if (cell_.unclosed) throw unclosed(line, id);
        if (id.empty()) {
            const auto nothing = [&](char c) { return is_padding(c) || c == dialect_.quote; };
            if (std::ranges::all_of(text, nothing)) return;  // a padded line without content
            throw input_error(at_line(where_, line), "the line has no series id", line_per_series);
        }
        const std::size_t begin = part_.values.size();
        std::int64_t gap = 0;  // first column without a value
        for (std::int64_t column = 2; p < end && *p == dialect_.delimiter; ++column) {
            double value = 0;
            ++p;
            if (const char* next = plain_number(p, end, value)) {
                p = next;
            } else {
                p = read_cell(p, end, dialect_, cell_);
                if (cell_.unclosed) throw unclosed(line, id);
                const CellKind kind = read_number(cell_.text, dialect_.decimal, value);
                if (kind == CellKind::missing || kind == CellKind::nan) {
                    if (gap == 0) gap = column;
                    continue;
                }
                if (kind != CellKind::number)
                    throw number_error(kind, cell_.text, at_line(where_, line), id, std::to_string(column),
                                       dialect_);
            }
            if (gap != 0)
                throw input_error(at_line(where_, line),
                                  shown_series(id) + ": column " + std::to_string(gap) +
                                      " is empty, but column " + std::to_string(column) + " has a value",
                                  "empty cells only behind the last value of a series",
                                  "Fill the gap, or remove the series from both files.");
            part_.values.push_back(value);
        }
        if (part_.values.size() == begin)
            throw input_error(at_line(where_, line), shown_series(id) + " has no values", line_per_series,
                              "Remove the series from both files.");
        part_.ids.push_back(std::move(id));
        part_.lines.push_back(line);
        part_.counts.push_back(static_cast<std::int64_t>(part_.values.size() - begin));
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
        return input_error(at_line(where_, line), shown_text(id) + ": a quoted cell is never closed",
                           "a closing \" in the same line");
    }

    Dialect dialect_;
    const std::string& where_;
    Part& part_;
    Cell cell_;
};

/// Whether the first line holds names. pandas writes numbers as names of the value columns.
bool is_header(const SeriesText& text) {
    Dialect dialect = text.dialect;
    dialect.has_quotes = true;
    const char* p = text.header.data();
    const char* const end = p + text.header.size();
    Cell cell;
    p = read_cell(p, end, dialect, cell);
    const std::string id = series_id(cell, dialect);
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

/// Joins the parts in order and frees each one.
void join(std::vector<Part>& parts, SeriesFile& file) {
    std::size_t series = 0;
    std::size_t values = 0;
    for (const auto& part : parts) {
        series += part.ids.size();
        values += part.values.size();
    }
    file.ids.reserve(series);
    file.lines.reserve(series);
    file.offsets.reserve(series + 1);
    file.values.reserve(values);
    for (auto& part : parts) {
        std::move(part.ids.begin(), part.ids.end(), std::back_inserter(file.ids));
        file.lines.insert(file.lines.end(), part.lines.begin(), part.lines.end());
        for (const auto count : part.counts) file.offsets.push_back(file.offsets.back() + count);
        file.values.insert(file.values.end(), part.values.begin(), part.values.end());
        part = {};
    }
}

}  // namespace

void SeriesFile::add(std::string id, std::int64_t line, const std::vector<double>& its_values) {
    ids.push_back(std::move(id));
    lines.push_back(line);
    values.insert(values.end(), its_values.begin(), its_values.end());
    offsets.push_back(std::ssize(values));
}

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

std::string series_id(const Cell& cell, const Dialect& dialect) {
    return readable(trimmed(unescaped(cell, dialect.quote)));
}

std::string shown_text(std::string_view text) {
    std::string shown = "\"";
    shown += config::abbreviated(readable(trimmed(text)), 60);
    shown += '"';
    return shown;
}

std::string shown_series(std::string_view id) { return "series " + shown_text(id); }

std::unordered_map<std::string_view, std::size_t> places_of(const SeriesFile& file,
                                                            const std::string& where) {
    std::unordered_map<std::string_view, std::size_t> places;
    places.reserve(file.ids.size());
    for (std::size_t s = 0; s < file.ids.size(); ++s)
        if (const auto [at, added] = places.try_emplace(file.ids[s], s); !added)
            throw input_error(at_line(where, file.lines[s]),
                              shown_series(file.ids[s]) + " occurs twice, first in line " +
                                  std::to_string(file.lines[at->second]),
                              "one line per series", "Remove or rename one of them.");
    return places;
}

Error number_error(CellKind kind, std::string_view text, const std::string& where, std::string_view id,
                   const std::string& column, const Dialect& dialect) {
    std::string found = shown_series(id) + ", column " + column + ": ";
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

std::string parse_chunks(const std::vector<Chunk>& chunks, std::string_view bytes, const std::string& stage,
                         int threads, const ProgressFn& progress, const std::stop_token& stop,
                         const std::function<void(std::size_t)>& parse) {
    std::string sha256;
    std::vector<std::optional<Error>> errors(chunks.size());
    std::atomic<std::size_t> faulty{chunks.size()};  // earliest chunk with an Error
    std::atomic<std::int64_t> done{0};
    parallel_for(chunks.size() + 1, threads, [&](std::size_t index, int worker) {
        throw_if_stopped(stop);
        if (index == 0) {
            sha256 = digest(bytes, stop);
            return;
        }
        const std::size_t i = index - 1;
        if (faulty < i) return;
        try {
            parse(i);
        } catch (const Error& error) {
            errors[i] = error;
            std::size_t known = faulty;
            while (i < known && !faulty.compare_exchange_weak(known, i)) {
            }
        }
        done += chunks[i].end - chunks[i].begin;
        if (worker == 0 && progress)
            progress({stage, done, static_cast<std::int64_t>(bytes.size()), "bytes"});
    });
    for (const auto& error : errors)
        if (error) throw Error(*error);
    return sha256;
}

SeriesText series_text(std::string_view bytes, const std::string& where) {
    using namespace std::string_view_literals;
    if (bytes.empty()) throw input_error(where, "the file is empty", a_text);
    if (const auto* other = foreign_format(bytes)) throw foreign_error(*other, where, a_text);
    if (bytes.starts_with("\xFF\xFE"sv) || bytes.starts_with("\xFE\xFF"sv))
        throw input_error(where, "the text is in UTF-16", a_text, "Save it in UTF-8.");
    if (const auto nul = bytes.find('\0'); nul != std::string_view::npos)
        throw input_error(
            where,
            "a zero byte at offset " + std::to_string(nul) + ": this is not a text file, or it is in UTF-16",
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

std::vector<Chunk> series_chunks(const SeriesText& text, const Dialect& dialect, const char* data,
                                 std::int64_t line, const std::string& where, int threads,
                                 const std::stop_token& stop) {
    auto chunks = index_records(text.all, dialect, where, CsvOptions().max_line_bytes, threads, stop);
    std::erase_if(chunks, [&](const Chunk& chunk) { return chunk.end <= data; });
    if (!chunks.empty() && chunks.front().begin < data) {
        chunks.front().begin = data;
        chunks.front().first_line = line;
    }
    return chunks;
}

SeriesFile read_series_csv(const std::filesystem::path& path, int threads, const ProgressFn& progress,
                           const std::stop_token& stop) {
    const std::string where = path.string();
    const Bytes bytes = read_file(path, threads, progress, stop);
    const SeriesText text = series_text(bytes.view(), where);
    const char* data = text.header.data();
    std::int64_t first_line = text.header_line;
    const char* const end = text.all.data() + text.all.size();
    if (is_header(text)) {
        data = find_byte(data, end, '\n');
        data += data < end ? 1 : 0;
        ++first_line;
    }
    Dialect lines = text.dialect;
    lines.has_quotes = false;  // a series is one line; this lets the threads share the work
    const auto chunks = series_chunks(text, lines, data, first_line, where, threads, stop);

    SeriesFile file;
    std::vector<Part> parts(chunks.size());
    file.sha256 =
        parse_chunks(chunks, bytes.view(), "parsing " + path.filename().string(), threads, progress, stop,
                     [&](std::size_t i) { LineReader(text.dialect, where, parts[i]).read(chunks[i]); });
    join(parts, file);
    if (file.ids.empty()) throw input_error(where, "the file has a header and no series", line_per_series);
    return file;
}

}  // namespace casp::data
