#include "data/csv_index.h"

#include <algorithm>
#include <cstring>

#include "util/error.h"
#include "util/parallel.h"

namespace casp::data {

namespace {

const char* find(const char* p, const char* end, char c) {
    const void* at = p < end ? std::memchr(p, c, static_cast<std::size_t>(end - p)) : nullptr;
    return at != nullptr ? static_cast<const char*>(at) : end;
}

Error too_long(const std::string& where, std::int64_t line, std::size_t limit) {
    return input_error(
        Phrase("%1, line %2", where, line), Phrase("the line is longer than %1 MiB", limit >> 20u),
        "a CSV file",
        "Is this a text table with one record per line? If not, save it as one, or give another file.");
}

std::size_t chunk_bytes(std::size_t size) {
    return std::clamp<std::size_t>(size / 64, 64u << 10u, 4u << 20u);
}

std::vector<Chunk> cut_at_lines(std::string_view text) {
    std::vector<Chunk> chunks;
    const char* const end = text.data() + text.size();
    const std::size_t step = chunk_bytes(text.size());
    for (const char* p = text.data(); p < end;) {
        const char* cut = static_cast<std::size_t>(end - p) <= step ? end : find(p + step - 1, end, '\n');
        if (cut < end) ++cut;
        Chunk chunk;
        chunk.begin = p;
        chunk.end = cut;
        chunks.push_back(chunk);
        p = cut;
    }
    return chunks;
}

void count(Chunk& chunk, const Dialect& dialect, std::size_t max_line, const char*& long_line) {
    for (const char* p = chunk.begin; p < chunk.end;) {
        const char* const eol = find(p, chunk.end, '\n');
        if (!is_empty_line(p, eol, dialect)) ++chunk.records;
        if (static_cast<std::size_t>(eol - p) > max_line) {
            long_line = p;
            return;
        }
        if (eol < chunk.end) ++chunk.lines;
        p = eol + (eol < chunk.end ? 1 : 0);
    }
}

/// Single pass over a file with quotes. Cells are read only in lines with a quote.
std::vector<Chunk> follow_quotes(std::string_view text, const Dialect& dialect, const std::string& where,
                                 std::size_t max_line, const std::stop_token& stop) {
    std::vector<Chunk> chunks;
    const char* const end = text.data() + text.size();
    const std::size_t step = chunk_bytes(text.size());
    Chunk chunk;
    chunk.begin = text.data();
    std::int64_t line = 1;
    for (const char* p = text.data(); p < end;) {
        const char* const record = p;
        const char* eol = find(p, end, '\n');
        if (find(p, eol, dialect.quote) == eol) {
            chunk.records += is_empty_line(p, eol, dialect) ? 0 : 1;
        } else {
            ++chunk.records;
            Cell cell;
            std::int64_t inside = 0;
            p = begin_record(p, end, dialect);
            do {
                p = read_cell(p, end, dialect, cell);
                if (cell.unclosed)
                    throw input_error(Phrase("%1, line %2", where, line + inside),
                                      "a quoted cell begins here and is never closed",
                                      Phrase("a closing %1", dialect.quote),
                                      "Close the quote, or double a quote that is part of the text.");
                inside += cell.newlines;
                if (static_cast<std::size_t>(p - record) > max_line) throw too_long(where, line, max_line);
            } while (next_cell(p, end, dialect));
            eol = find(p, end, '\n');  // p is at it, or at the '\r' before it if blanks delimit
            chunk.lines += inside;
            line += inside;
        }
        if (static_cast<std::size_t>(eol - record) > max_line) throw too_long(where, line, max_line);
        if (eol < end) {
            ++chunk.lines;
            ++line;
            ++eol;
        }
        p = eol;
        if (static_cast<std::size_t>(p - chunk.begin) >= step || p == end) {
            throw_if_stopped(stop);
            chunk.end = p;
            chunks.push_back(chunk);
            chunk = {};
            chunk.begin = p;
        }
    }
    return chunks;
}

}  // namespace

bool is_empty_line(const char* begin, const char* end, const Dialect& dialect) {
    if (end > begin && end[-1] == '\r') --end;
    return begin_record(begin, end, dialect) == end;
}

std::vector<Chunk> index_records(std::string_view text, const Dialect& dialect, const std::string& where,
                                 std::size_t max_line_bytes, int threads, const std::stop_token& stop) {
    std::vector<Chunk> chunks;
    if (dialect.has_quotes) {
        chunks = follow_quotes(text, dialect, where, max_line_bytes, stop);
    } else {
        chunks = cut_at_lines(text);
        std::vector<const char*> long_lines(chunks.size(), nullptr);
        parallel_for(chunks.size(), threads, [&](std::size_t i, int) {
            throw_if_stopped(stop);
            count(chunks[i], dialect, max_line_bytes, long_lines[i]);
        });
        for (const char* at : long_lines)
            if (at != nullptr) throw too_long(where, 1 + std::count(text.data(), at, '\n'), max_line_bytes);
    }
    std::int64_t row = 0;
    std::int64_t line = 1;
    for (auto& chunk : chunks) {
        chunk.first_row = row;
        chunk.first_line = line;
        row += chunk.records;
        line += chunk.lines;
    }
    return chunks;
}

const char* read_record(const char* p, const char* end, const Dialect& dialect, std::vector<Cell>& cells,
                        std::int64_t& lines) {
    while (p < end) {
        const char* const eol = find(p, end, '\n');
        if (!is_empty_line(p, eol, dialect)) break;
        if (eol == end) return end;
        ++lines;
        p = eol + 1;
    }
    if (p >= end) return end;
    p = begin_record(p, end, dialect);
    Cell cell;
    do {
        p = read_cell(p, end, dialect, cell);
        lines += cell.newlines;
        cells.push_back(cell);
    } while (next_cell(p, end, dialect));
    p = find(p, end, '\n');
    if (p < end) {
        ++p;
        ++lines;
    }
    return p;
}

}  // namespace casp::data
