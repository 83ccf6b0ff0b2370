#include "data/reader.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <optional>
#include <utility>

#include "data/file_bytes.h"
#include "data/foreign_format.h"
#include "util/error.h"

namespace casp::data {

namespace {

constexpr std::size_t head_bytes = 64u << 10u;

/// Nothing if the file cannot be opened or read.
std::optional<std::string> head_of(const std::filesystem::path& path) {
    try {
        return head_of_content(path, head_bytes, readable_files());
    } catch (const Error&) {
        return std::nullopt;
    }
}

bool has_extension(const Reader& reader, const std::filesystem::path& path) {
    auto extension = path.extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return std::any_of(reader.extensions.begin(), reader.extensions.end(),
                       [&](const std::string& known) { return extension == "." + known; });
}

}  // namespace

const std::vector<Reader>& readers() {
    static const std::vector<Reader> all{
        {"csv",
         "CSV",
         {"csv", "tsv", "txt", "dat"},
         [](const std::filesystem::path&, std::string_view head) { return foreign_format(head) == nullptr; },
         [](const std::filesystem::path& path, const ReadOptions& options, const ProgressFn& progress,
            std::stop_token stop) { return import_csv(path, options.csv, progress, std::move(stop)); }},
    };
    return all;
}

const Reader& reader_for(const std::filesystem::path& path) {
    const auto& all = readers();
    const auto head = head_of(path);
    for (const auto& reader : all)
        if (head ? reader.recognises(path, *head) : has_extension(reader, path)) return reader;
    if (!head) return all.back();
    if (const auto* other = foreign_format(*head))
        throw foreign_error(*other, path.string(), readable_files());
    throw input_error(path.string(), "not a data file that can be read", readable_files(),
                      "Convert it first.");
}

Table read_table(const std::filesystem::path& path, const ReadOptions& options, const ProgressFn& progress,
                 std::stop_token stop) {
    return reader_for(path).read(path, options, progress, std::move(stop));
}

std::string readable_files() {
    const auto& all = readers();
    std::string text = "a ";
    for (std::size_t i = 0; i < all.size(); ++i)
        text += (i == 0 ? "" : i + 1 < all.size() ? ", " : " or ") + all[i].title;
    return text + " file";
}

}  // namespace casp::data
