#include "panels/data_copy.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <system_error>

#include <unistd.h>

#include "data/time_text.h"
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

struct CloseFile {
    void operator()(std::FILE* file) const { (void)std::fclose(file); }
};

}  // namespace

void write_plain_csv(const data::Table& table, const std::filesystem::path& path, const ProgressFn& progress,
                     const std::stop_token& stop) {
    const std::filesystem::path part = path.string() + ".part";
    const auto fail = [&] {
        const std::string why = std::generic_category().message(errno);
        std::error_code ignored;
        std::filesystem::remove(part, ignored);
        return run_error(path.string(), "the copy cannot be written: " + why, {},
                         "Choose another folder, or make room on the disk.");
    };
    std::unique_ptr<std::FILE, CloseFile> file(std::fopen(part.c_str(), "wb"));
    if (file == nullptr) throw fail();
    std::string text;
    const bool has_time = !table.time.empty();
    if (has_time) text += "date";
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        if (c > 0 || has_time) text += ',';
        text += quoted(table.columns[c].name);
    }
    text += '\n';
    const auto flush = [&] {
        if (std::fwrite(text.data(), 1, text.size(), file.get()) != text.size()) throw fail();
        text.clear();
    };
    for (std::int64_t r = 0; r < table.rows(); ++r) {
        const auto row = static_cast<std::size_t>(r);
        if (has_time && !std::isnan(table.time[row])) text += data::format_time(table.time[row]);
        for (std::size_t c = 0; c < table.columns.size(); ++c) {
            if (c > 0 || has_time) text += ',';
            append(text, table.columns[c].values[row]);
        }
        text += '\n';
        if (text.size() < buffered) continue;
        flush();
        if (progress) progress({"writing " + path.filename().string(), r, table.rows(), "rows"});
        if (stop.stop_requested()) {
            std::error_code ignored;
            std::filesystem::remove(part, ignored);
            throw Cancelled();
        }
    }
    flush();
    if (std::fflush(file.get()) != 0 || ::fsync(::fileno(file.get())) != 0) throw fail();
    file.reset();
    std::error_code error;
    std::filesystem::rename(part, path, error);
    if (error) {
        errno = error.value();
        throw fail();
    }
}

}  // namespace casp::widgets
