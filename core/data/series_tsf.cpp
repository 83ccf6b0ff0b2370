#include "data/series_whole.h"

#include <fast_float/fast_float.h>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "config/text_utils.h"
#include "data/file_bytes.h"
#include "util/error.h"
#include "util/parallel.h"

namespace casp::data {

namespace {

constexpr const char* a_tsf = "a .tsf file";
constexpr std::string_view tsf_words[] = {"@relation", "@attribute",   "@frequency", "@horizon",
                                          "@missing",  "@equallength", "@data"};

/// Removes the first word of a line and returns it.
std::string_view take_word(std::string_view& line) {
    const auto end = std::min(line.find_first_of(" \t"), line.size());
    const auto word = line.substr(0, end);
    line = trimmed(line.substr(end));
    return word;
}

struct TsfHeader {
    std::size_t attributes = 0;
    std::size_t id = std::string::npos;  ///< attribute with the id; npos: the series have numbers
    std::string frequency;
    std::int64_t horizon = 0;
};

/// Reads the header up to @data, and removes its lines and comments.
TsfHeader read_header(std::vector<Chunk>& lines, const std::string& where) {
    TsfHeader header;
    bool named = false;
    std::erase_if(lines, [](const Chunk& line) { return *line.begin == '#'; });
    for (auto at = lines.begin(); at != lines.end(); ++at) {
        auto line = at->text();
        const auto fail = [&](const Phrase& found, const Phrase& expected) {
            return input_error(at_line(where, at->first_line), found, expected, "Correct the line.");
        };
        const auto word = take_word(line);
        const auto is = [&](const char* name) { return config::same_name(word, name); };
        if (is("@data")) {
            if (header.attributes == 0)
                throw fail("@data without any @attribute before it", "@attribute NAME TYPE lines");
            lines.erase(lines.begin(), at + 1);
            return header;
        }
        if (is("@attribute")) {
            const auto name = take_word(line);
            const bool is_series_name = config::same_name(name, "series_name");
            if (is_series_name ||
                (!named && header.id == std::string::npos && config::same_name(line, "string")))
                header.id = header.attributes;
            named |= is_series_name;
            ++header.attributes;
        } else if (is("@frequency")) {
            header.frequency = line;
        } else if (is("@horizon")) {
            const auto result = std::from_chars(line.data(), line.data() + line.size(), header.horizon);
            if (result.ec != std::errc() || result.ptr != line.data() + line.size() || header.horizon < 1 ||
                header.horizon > std::numeric_limits<std::int32_t>::max())
                throw fail(Phrase("@horizon %1", shown_text(line)), "a whole number above 0");
        } else if (!word.starts_with('@')) {
            throw fail(Phrase("%1 before @data", shown_text(word)), "a header of lines that begin with @");
        }
    }
    throw input_error(where, "there is no line @data", a_tsf, "Download the file again.");
}

/// Appends the values behind the attributes, NaN for missing ones.
void read_values(std::string_view text, const std::string& where, const std::string& id,
                 std::vector<double>& values) {
    for (std::int64_t number = 1;; ++number) {
        const auto end = std::min(text.find(','), text.size());
        const auto cell = trimmed(text.substr(0, end));
        double value = std::numeric_limits<double>::quiet_NaN();
        const auto result = fast_float::from_chars(cell.data(), cell.data() + cell.size(), value);
        if (result.ec != std::errc() || result.ptr != cell.data() + cell.size() || !std::isfinite(value)) {
            const auto kind = read_number(cell, '.', value);
            if (kind == CellKind::infinite || kind == CellKind::text)
                throw input_error(where,
                                  kind == CellKind::text ? Phrase("%1, value %2: %3 is not a number",
                                                                  shown_series(id), number, shown_text(cell))
                                                         : Phrase("%1, value %2: %3 is infinite",
                                                                  shown_series(id), number, shown_text(cell)),
                                  "a finite number, or ?", "Correct the value, or remove the series.");
        }
        values.push_back(value);
        if (end == text.size()) return;
        text.remove_prefix(end + 1);
    }
}

LineSeries read_series(const Chunk& line, std::size_t index, const TsfHeader& header,
                       const std::string& where) {
    std::string_view rest = line.text();
    LineSeries series;
    const auto at = at_line(where, line.first_line);
    for (std::size_t k = 0; k < header.attributes; ++k) {
        const auto colon = rest.find(':');
        if (colon == std::string_view::npos)
            throw input_error(at, Phrase("the line has %1 fields between colons", k + 1),
                              Phrase("%1: the %2 attributes of the header, then the values",
                                     header.attributes + 1, header.attributes),
                              "Correct the line, or remove it.");
        if (k == header.id) {
            const auto text = trimmed(rest.substr(0, colon));
            series.id = readable(text);
        }
        rest.remove_prefix(colon + 1);
    }
    if (series.id.empty()) series.id = "T" + std::to_string(index + 1);
    read_values(rest, at, series.id, series.values);
    return series;
}

}  // namespace

bool begins_as_tsf(std::string_view head) {
    for (const auto& chunk : text_lines(head)) {
        auto line = chunk.text();
        if (line.front() == '#') continue;
        const auto word = take_word(line);
        return std::ranges::any_of(tsf_words,
                                   [&](std::string_view known) { return config::same_name(word, known); });
    }
    return false;
}

WholeSeries read_tsf(const std::filesystem::path& path, const CollectionOptions& options,
                     const ProgressFn& progress, const std::stop_token& stop) {
    const std::string where = path.string();
    const int threads = thread_count(options.csv.threads);
    const Bytes bytes = read_file(path, threads, progress, stop);
    auto all = text_lines(bytes.view());
    const auto header = read_header(all, where);
    if (all.empty())
        throw input_error(where, "there are no series behind @data", "a line per series",
                          "Download the file again.");

    WholeSeries whole;
    whole.path = path;
    whole.file = read_lines(all, bytes.view(), path.filename().string(), threads, progress, stop,
                            [&](std::size_t i) { return read_series(all[i], i, header, where); });
    whole.horizon = header.horizon;
    whole.frequency = stated_frequency(header.frequency, "@frequency", options, where);
    whole.readings.push_back({"format", "Monash .tsf", "@ lines before @data", {}});
    if (header.horizon > 0)
        whole.readings.push_back({"horizon", std::to_string(header.horizon), "@horizon", "data.horizon"});
    return whole;
}

}  // namespace casp::data
