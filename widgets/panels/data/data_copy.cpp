#include "panels/data/data_copy.h"

#include <array>
#include <charconv>
#include <cmath>
#include <string>

#include "data/time_text.h"
#include "store/atomic_file.h"
#include "util/error.h"

namespace casp::widgets {

namespace {

constexpr std::size_t buffered = 1u << 20u;

std::string quoted(const std::string& name) {
    if (name.find_first_of(",\"\n\r") == std::string::npos) return name;
    std::string text = "\"";
    for (const char c : name) text += c == '"' ? std::string("\"\"") : std::string(1, c);
    return text + '"';
}

void append(std::string& text, double value) {
    if (std::isnan(value)) return;
    std::array<char, 40> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    text.append(digits.data(), end);
}

}  // namespace

void write_plain_csv(const data::Table& table, const std::filesystem::path& path, const ProgressFn& progress,
                     const std::stop_token& stop) {
    // Under a name of its own: NAME.part may be somebody's file, or a link to one.
    store::AtomicFile file(path);
    std::string text;
    const bool has_time = !table.time.empty();
    if (has_time) text += "date";
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        if (c > 0 || has_time) text += ',';
        text += quoted(table.columns[c].name);
    }
    text += '\n';
    for (std::int64_t r = 0; r < table.rows(); ++r) {
        const auto row = static_cast<std::size_t>(r);
        if (has_time && !std::isnan(table.time[row])) text += data::format_time(table.time[row]);
        for (std::size_t c = 0; c < table.columns.size(); ++c) {
            if (c > 0 || has_time) text += ',';
            append(text, table.columns[c].values[row]);
        }
        text += '\n';
        if (text.size() < buffered) continue;
        file.write(text);
        text.clear();
        if (progress) progress({"writing " + path.filename().string(), r, table.rows(), "rows"});
        if (stop.stop_requested()) throw Cancelled();
    }
    file.write(text);
    file.commit();
}

}  // namespace casp::widgets
