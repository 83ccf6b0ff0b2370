#include "evidence/verify_text.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <utility>

#include "store/atomic_file.h"

namespace casp::evidence {

namespace {

using Line = std::vector<std::string>;

constexpr std::size_t most_bytes_of_table = std::size_t{1} << 30;
constexpr std::size_t shown_bytes = 40;  ///< of a long text, before and after the first difference

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < text.size();) {
        const auto end = std::min(text.find('\n', at), text.size());
        lines.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return lines;
}

std::string trimmed(const std::string& text) {
    const auto first = text.find_first_not_of(' ');
    return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

Line split(const std::string& line, char separator) {
    Line cells;
    for (std::size_t at = 0; at <= line.size();) {
        auto end = at;
        while (end < line.size() && (line[end] != separator || (end > 0 && line[end - 1] == '\\'))) ++end;
        cells.push_back(trimmed(line.substr(at, end - at)));
        at = end + 1;
    }
    return cells;
}

/// Cells of a line of a Markdown table or a LaTeX tabular; one cell for other lines.
Line cells_of(const std::string& line) {
    if (line.starts_with('|')) {
        auto cells = split(line, '|');
        cells.erase(cells.begin());
        if (!cells.empty() && cells.back().empty()) cells.pop_back();
        return cells;
    }
    if (line.ends_with("\\\\")) return split(line.substr(0, line.size() - 2), '&');
    return {line};
}

std::int64_t count_numbers(std::string_view text) {
    std::int64_t count = 0;
    bool in_number = false;
    for (const char c : text) {
        const bool digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
        if (digit && !in_number) ++count;
        in_number = digit || (in_number && c == '.');
    }
    return count;
}

/// The part of a long text around `at`, from the beginning of a UTF-8 character to the end of one.
std::string part_of(const std::string& text, std::size_t at) {
    if (text.size() <= 2 * shown_bytes) return text;
    const auto is_inside = [&](std::size_t i) {
        return i < text.size() && (static_cast<unsigned char>(text[i]) & 0xc0) == 0x80;
    };
    auto first = at > shown_bytes ? at - shown_bytes : 0;
    auto last = std::min(at + shown_bytes, text.size());
    while (is_inside(first)) --first;
    while (is_inside(last)) ++last;
    return (first > 0 ? "…" : "") + text.substr(first, last - first) + (last < text.size() ? "…" : "");
}

void add_difference(const std::filesystem::path& file, std::string cell, const std::string& found,
                    const std::string& expected, Verification& result) {
    const auto end = std::min(found.size(), expected.size());
    std::size_t at = 0;
    while (at < end && found[at] == expected[at]) ++at;
    result.findings.push_back({file, std::move(cell), part_of(found, at), part_of(expected, at)});
}

/// "line 3", "line 3 (ETTh1-96)", with ", column p" if the column has a name.
std::string cell_name(std::size_t line, const Line& cells, const Line& header, std::size_t column) {
    auto place = "line " + std::to_string(line + 1);
    if (cells.size() > 1 && !cells[0].empty()) place += " (" + part_of(cells[0], 0) + ")";
    if (cells.size() > 1)
        place += ", column " + (column < header.size() ? header[column] : std::to_string(column + 1));
    return place;
}

/// Lines of cells; `header` of each line's table (for LaTeX none).
struct Grid {
    std::vector<Line> lines;
    std::vector<Line> headers;
};

Grid grid_of(const std::string& text, bool csv) {
    Grid grid;
    if (csv) {
        grid.lines = csv_records(text);
        grid.headers.assign(grid.lines.size(), grid.lines.empty() ? Line() : grid.lines.front());
        return grid;
    }
    const auto lines = lines_of(text);
    Line header;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        grid.lines.push_back(cells_of(lines[i]));
        const bool in_table = lines[i].starts_with('|');
        if (!in_table) header.clear();
        if (in_table && (i == 0 || !lines[i - 1].starts_with('|'))) header = grid.lines.back();
        grid.headers.push_back(header);
    }
    return grid;
}

}  // namespace

std::vector<std::vector<std::string>> csv_records(std::string_view text) {
    std::vector<Line> records;
    Line record{std::string()};
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted) {
            if (c != '"')
                record.back() += c;
            else if (i + 1 < text.size() && text[i + 1] == '"')
                record.back() += text[++i];
            else
                quoted = false;
        } else if (c == '"' && record.back().empty()) {
            quoted = true;
        } else if (c == ',') {
            record.emplace_back();
        } else if (c == '\n') {
            if (record.back().ends_with('\r')) record.back().pop_back();
            records.push_back(std::exchange(record, Line{std::string()}));
        } else {
            record.back() += c;
        }
    }
    if (record.size() > 1 || !record.front().empty()) records.push_back(std::move(record));
    return records;
}

void add_unreadable(const std::filesystem::path& file, const Error& problem, Verification& result) {
    const auto& parts = problem.parts();
    result.findings.push_back({file, {}, parts.found, parts.expected});
}

std::string text_of(const std::filesystem::path& file, Verification& result) {
    try {
        return store::read_small_file(file, most_bytes_of_table);
    } catch (const Error& problem) {
        if (problem.kind() != ErrorKind::input) throw;
        add_unreadable(file, problem, result);
        return {};
    }
}

void compare_text(const std::filesystem::path& file, const std::string& expected, Verification& result) {
    std::error_code unknown;
    if (!std::filesystem::exists(file, unknown)) {
        result.unchecked[file.filename().string() + " is missing"].push_back(file.parent_path());
        return;
    }
    const auto before = result.findings.size();
    const auto text = text_of(file, result);
    if (result.findings.size() > before) return;
    result.numbers += count_numbers(expected);
    if (text == expected) return;
    const bool csv = file.extension() == ".csv";
    const auto found = grid_of(text, csv), wanted = grid_of(expected, csv);
    const auto lines = std::max(found.lines.size(), wanted.lines.size());
    for (std::size_t i = 0; i < lines; ++i) {
        if (i >= wanted.lines.size() || i >= found.lines.size()) {
            const bool extra = i >= wanted.lines.size();
            const auto& line = extra ? found.lines[i] : wanted.lines[i];
            auto first = line.size() > 1 ? line.front() + " …" : line.front();
            if (extra)
                result.findings.push_back({file, cell_name(i, {}, {}, 0), part_of(first, 0), "no such line"});
            else
                result.findings.push_back({file, cell_name(i, {}, {}, 0), "no such line", part_of(first, 0)});
            continue;
        }
        const auto &a = found.lines[i], &b = wanted.lines[i];
        if (a.size() != b.size()) {
            result.findings.push_back({file, cell_name(i, {}, {}, 0), std::to_string(a.size()) + " cells",
                                       std::to_string(b.size()) + " cells"});
            continue;
        }
        for (std::size_t column = 0; column < b.size(); ++column)
            if (a[column] != b[column])
                add_difference(file, cell_name(i, b, wanted.headers[i], column), a[column], b[column],
                               result);
    }
    if (result.findings.size() == before)  // blanks, quotation marks or line ends
        result.findings.push_back({file, {}, "it is formatted in another way", "the text as it was written"});
}

}  // namespace casp::evidence
