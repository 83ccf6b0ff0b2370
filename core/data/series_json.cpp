#include "data/series_whole.h"

#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "data/file_bytes.h"
#include "util/error.h"
#include "util/json_text.h"
#include "util/parallel.h"

namespace casp::data {

namespace {

constexpr const char* an_object =
    R"(a JSON object per line: {"item_id": "A", "start": "2020-01-01", "target": [1, 2], …})";

struct JsonSeries {
    LineSeries series;
    std::string frequency;
    std::vector<std::string> other_keys;
};

/// Python writes NaN for a missing number, which is no JSON: null instead.
std::string without_nan(std::string_view text) {
    std::string out;
    out.reserve(text.size() + 64);
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted && c == '\\') {
            out += text.substr(i, 2);
            ++i;
            continue;
        }
        quoted ^= c == '"';
        if (!quoted && text.substr(i).starts_with("NaN")) {
            out += "null";
            i += 2;
        } else {
            out += c;
        }
    }
    return out;
}

double number_of(const nlohmann::json& value, std::size_t index, const std::string& at,
                 const std::string& id) {
    if (value.is_null()) return std::numeric_limits<double>::quiet_NaN();
    double number = std::numeric_limits<double>::quiet_NaN();
    if (value.is_number()) number = value.get<double>();
    if (value.is_string() && read_number(value.get_ref<const std::string&>(), '.', number) == CellKind::nan)
        return number;
    if (value.is_number() && std::isfinite(number)) return number;
    const bool nested = value.is_array();
    throw input_error(
        at,
        Phrase("%1, target, value %2: %3 is not a finite number", shown_series(id), index + 1,
               beginning_of(value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace), 60)),
        nested ? "a target of one dimension" : "a finite number, or null",
        nested ? "Write a line per dimension." : "Correct the value, or remove the series.");
}

JsonSeries read_object(const Chunk& line, const std::string& where) {
    const auto text = line.text();
    const auto at = at_line(where, line.first_line);
    nlohmann::json object;
    try {
        object =
            text.find("NaN") == std::string_view::npos ? parse_json(text) : parse_json(without_nan(text));
    } catch (const nlohmann::json::exception& problem) {
        throw input_error(at, Phrase("the line is not JSON: %1", beginning_of(problem.what())), an_object,
                          "Write one object per line, without line breaks inside it.");
    }
    if (!object.is_object()) throw input_error(at, "the line is no JSON object", an_object);
    JsonSeries found;
    auto& series = found.series;
    if (const auto id = object.find("item_id"); id != object.end() && !id->is_null())
        series.id = id->is_string() ? std::string(trimmed(readable(id->get_ref<const std::string&>())))
                                    : beginning_of(id->dump(), 60);
    if (series.id.empty()) series.id = std::to_string(line.first_line);
    const auto target = object.find("target");
    if (target == object.end() || !target->is_array())
        throw input_error(at, Phrase("%1 has no array \"target\"", shown_series(series.id)), an_object);
    series.values.reserve(target->size());
    for (std::size_t i = 0; i < target->size(); ++i)
        series.values.push_back(number_of((*target)[i], i, at, series.id));
    if (const auto freq = object.find("freq"); freq != object.end() && freq->is_string())
        found.frequency = *freq;
    for (const auto& [key, value] : object.items())
        if (key != "item_id" && key != "target" && key != "start" && key != "freq")
            found.other_keys.push_back(beginning_of(readable(key), 60));
    return found;
}

void warn_of_keys(const std::map<std::string, std::int64_t>& keys, std::vector<Warning>& warnings) {
    if (keys.empty()) return;
    std::string names;
    std::size_t shown = 0;
    for (const auto& [key, count] : keys)
        if (shown++ < 10) names += (names.empty() ? "" : ", ") + key;
    if (keys.size() > 10) names += " and " + std::to_string(keys.size() - 10) + " more";
    warnings.push_back({WarningKind::text_column, 0, "", std::ssize(keys),
                        Phrase("left out: %1; of a line, item_id, freq and target are read", names)});
}

}  // namespace

bool begins_as_json_lines(std::string_view head) {
    if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
    const auto brace = head.find_first_not_of(" \t\r\n");
    if (brace == std::string_view::npos || head[brace] != '{') return false;
    return head.find("\"target\"", brace) != std::string_view::npos;
}

WholeSeries read_json_lines(const std::filesystem::path& path, const CollectionOptions& options,
                            const ProgressFn& progress, const std::stop_token& stop) {
    const std::string where = path.string();
    const int threads = thread_count(options.csv.threads);
    const Bytes bytes = read_file(path, threads, progress, stop);
    const auto chunks = text_lines(bytes.view());
    if (chunks.empty()) throw input_error(where, "the file has no lines", an_object);

    std::vector<JsonSeries> objects(chunks.size());
    WholeSeries whole;
    whole.path = path;
    whole.file = read_lines(chunks, bytes.view(), path.filename().string(), threads, progress, stop,
                            [&](std::size_t i) {
                                objects[i] = read_object(chunks[i], where);
                                return std::move(objects[i].series);
                            });
    std::map<std::string, std::int64_t> keys;
    for (std::size_t i = 0; i < objects.size(); ++i) {
        if (objects[i].frequency != objects[0].frequency && options.frequency.empty())
            throw input_error(at_line(where, chunks[i].first_line),
                              Phrase("%1 has the freq %2, %3 has %4", shown_series(whole.file.ids[i]),
                                     shown_text(objects[i].frequency), shown_series(whole.file.ids.front()),
                                     shown_text(objects[0].frequency)),
                              "the same freq in every line", "Divide the file, or set data.frequency.");
        for (const auto& key : objects[i].other_keys) ++keys[key];
    }
    warn_of_keys(keys, whole.warnings);
    whole.frequency = stated_frequency(objects[0].frequency, "freq", options, where);
    whole.readings.push_back({"format", "JSON lines", "the file begins with {", {}});
    return whole;
}

}  // namespace casp::data
