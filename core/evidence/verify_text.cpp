#include "evidence/verify_text.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <sstream>

#include "store/atomic_file.h"
#include "util/phrase.h"

namespace casp::evidence {

namespace {

using Line = std::vector<std::string>;

constexpr std::size_t max_bytes_of_table = std::size_t{1} << 30;
constexpr std::size_t shown_bytes = 40;  ///< of a long text, before and after the first difference

/// Cells of a CSV; of other tables the lines, as one cell each.
std::vector<Line> cells_in(const std::string& text, bool csv) {
    if (csv) return csv_records(text);
    std::vector<Line> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back({line});
    return lines;
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

/// "line 3"; of a CSV "line 3 (ETTh1-96), column p".
std::string cell_name(std::size_t line, const Line& cells, const Line& header, std::size_t column) {
    auto place = Phrase("line %1", line + 1);
    if (cells.size() < 2) return place;
    if (!cells[0].empty()) place += " (" + part_of(cells[0], 0) + ")";
    return column < header.size() ? Phrase("%1, column %2", place, header[column])
                                  : Phrase("%1, column %2", place, column + 1);
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
        return store::read_small_file(file, max_bytes_of_table);
    } catch (const Error& problem) {
        if (problem.kind() != ErrorKind::input) throw;
        add_unreadable(file, problem, result);
        return {};
    }
}

void compare_text(const std::filesystem::path& file, const std::string& expected, Verification& result,
                  std::size_t ignored) {
    std::error_code unknown;
    if (!std::filesystem::exists(file, unknown)) {
        result.unchecked[Phrase("%1 is missing", file.filename().string())].push_back(file.parent_path());
        return;
    }
    const auto before = result.findings.size();
    const auto text = text_of(file, result);
    if (result.findings.size() > before) return;
    result.numbers += count_numbers(expected);
    if (text == expected) return;
    const bool csv = file.extension() == ".csv";
    auto found = cells_in(text, csv);
    const auto wanted = cells_in(expected, csv);
    for (auto& line : found) line.resize(line.size() - std::min(line.size(), ignored));
    const auto lines = std::max(found.size(), wanted.size());
    for (std::size_t i = 0; i < lines; ++i) {
        if (i >= wanted.size() || i >= found.size()) {
            const bool extra = i >= wanted.size();
            const auto& line = extra ? found[i] : wanted[i];
            auto first = line.size() > 1 ? line.front() + " …" : line.front();
            if (extra)
                result.findings.push_back({file, cell_name(i, {}, {}, 0), part_of(first, 0), "no such line"});
            else
                result.findings.push_back({file, cell_name(i, {}, {}, 0), "no such line", part_of(first, 0)});
            continue;
        }
        const auto &a = found[i], &b = wanted[i];
        if (a.size() != b.size()) {
            result.findings.push_back(
                {file, cell_name(i, {}, {}, 0), Phrase("%1 cells", a.size()), Phrase("%1 cells", b.size())});
            continue;
        }
        for (std::size_t column = 0; column < b.size(); ++column)
            if (a[column] != b[column])
                add_difference(file, cell_name(i, b, wanted.front(), column), a[column], b[column], result);
    }
    if (result.findings.size() == before && ignored == 0)  // blanks, quotation marks or line ends
        result.findings.push_back({file, {}, "it is formatted in another way", "the text as it was written"});
}

}  // namespace casp::evidence
