#include "store/run_marks.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include <nlohmann/json.hpp>

#include "store/atomic_file.h"
#include "util/error.h"
#include "util/json_text.h"

namespace casp::store {

namespace {

using Json = nlohmann::json;  // unordered, for fast key lookup

std::filesystem::path file_of(const std::filesystem::path& run_folder) { return run_folder / "marks.json"; }

constexpr std::size_t max_bytes = std::size_t{1} << 20;

std::string marks_text(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

bool is_colour(const std::string& text) {
    return text.empty() || (text.size() == 7 && text[0] == '#' &&
                            text.find_first_not_of("0123456789abcdefABCDEF", 1) == std::string::npos);
}

}  // namespace

RunMarks read_marks(const std::filesystem::path& run_folder) {
    const auto file = file_of(run_folder);
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) return {};
    try {
        const auto json = parse_json(read_small_file(file, max_bytes));
        RunMarks marks;
        marks.note = json.value("note", std::string());
        const auto index = json_integer(json, "colour_index", -1);
        marks.colour_index = index < std::numeric_limits<int>::max()
                                 ? static_cast<int>(std::max<std::int64_t>(index, -1))
                                 : -1;
        marks.colour = json.value("colour", std::string());
        if (!is_colour(marks.colour))
            throw input_error(file.string(), Phrase("\"%1\" is not a colour", beginning_of(marks.colour)),
                              "#rrggbb");
        return marks;
    } catch (const Json::exception& problem) {
        throw input_error(file.string(), Phrase("it cannot be parsed: %1", beginning_of(problem.what())), {},
                          "The file is damaged; delete it; only the run's note and colour are lost.");
    }
}

void write_marks(const std::filesystem::path& run_folder, const RunMarks& marks, bool flushed) {
    const auto file = file_of(run_folder);
    auto json = Json::object();
    std::error_code ignored;
    if (std::filesystem::exists(file, ignored)) {
        json = parse_json_or_discard(read_small_file(file, max_bytes));
        if (!json.is_object()) json = Json::object();
    }
    if (!json.contains("format_version")) json["format_version"] = 1;
    json["note"] = marks.note;
    json["colour_index"] = marks.colour_index;
    json["colour"] = marks.colour;
    auto text = marks_text(json);
    // Unknown keys kept for newer versions must not make the file unreadable.
    if (text.size() > max_bytes)
        text = marks_text({{"format_version", 1},
                           {"note", marks.note},
                           {"colour_index", marks.colour_index},
                           {"colour", marks.colour}});
    const auto write = [&] { write_file_atomically(file, text, flushed); };
    try {
        write();
    } catch (const Error&) {
        // A run starting now removes temporaries, including this one.
        write();
    }
}

}  // namespace casp::store
